"""Says when the table lies still, and where it changed: cheaply, on small pictures, before anything is read.

Brightness tells what moves and what has to be read; colour too tells what is foreign: a red sleeve on red cloth.

A frame counts as still when the last frames, taken together, show no movement: so a hand that moves slowly holds the
gate just as one that moves fast. Every part rests for itself: what is at rest is compared with how it lay when it was
last read, whatever moves elsewhere; the parts that differ are what needs a new read. One that reaches over the edge of
the picture is an arm, as a rule, that rests for a moment: it is waited for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.following import parameters
from companion.vision.following.lasting import Cells, Lasting, Mask, Near, opened, widened
from companion.vision.images import Pixels, medians, shrunk, strongest
from companion.vision.types import Region

_SLACK_S = 0.02
"""Frames do not come at even times."""


@dataclass(frozen=True, slots=True)
class Motion:
    """What the gate says of a frame.

    `still`: nothing moved over the last frames. `changed`: parts at rest that differ from the table as it was last read
    (frame px); `ripe`: one of them is no arm and lies free of what moves; `soon`: those that differ by the very last
    frames alone, if one of them is ripe, and `lately` what moves by those, and what is near to it.
    `moving`: share (0..1) of the picture that moves; `where`: the cells in which something does (rows, columns),
    `near`: what moves and what is near to it, None where nothing does. `moved`: when it last did, at the earliest (s).
    `foreign`: pixels of the motion picture that move, or differ from the table both as it was last read and as it lies
    without arms; None before the first reading, and where none does.
    """

    still: bool
    moving: float
    changed: tuple[Region, ...] = ()
    ripe: bool = False
    soon: tuple[Region, ...] = ()
    lately: Near | None = field(default=None, compare=False)
    where: Cells | None = field(default=None, compare=False)
    near: Near | None = field(default=None, compare=False)
    moved: float = field(default=0.0, compare=False)
    foreign: Mask | None = field(default=None, compare=False)

    @property
    def ahead(self) -> Motion:
        """What the very last frames alone tell."""
        return replace(self, changed=self.soon, near=self.lately)


class MotionGate:
    """Feed it every frame; call `accept` when the table of the newest frame is being read.

    `rest`: a table has been still for so long, s. `frames`: … and over so many frames. `level`: grey steps (of 255)
    that count as a change; `least`: share of the picture that has to change, about a fifth of a small card.
    """

    def __init__(
        self,
        frames: int | None = None,
        *,
        rest: float | None = None,
        level: float | None = None,
        least: float | None = None,
    ) -> None:
        self.frames = parameters.STILL_FRAMES if frames is None else frames
        self.rest = parameters.STILL_S if rest is None else rest
        self.level = parameters.MOTION_LEVEL if level is None else level
        self.least = parameters.LEAST_MOTION if least is None else least
        self._recent: deque[NDArray[np.float32]] = deque()
        self._times: deque[float] = deque()
        self._read: NDArray[np.float32] | None = None
        self._bare: NDArray[np.float32] | None = None
        self._shape = (0, 0)
        self._moves = Lasting()

    def feed(self, pixels: Pixels, time: float | None = None) -> Motion:
        """Look at the next frame (height, width, 3) of `time` (s; without it, frames are taken for slow ones)."""
        if pixels.shape[:2] != self._shape:
            self._forget_frames()
            self._read, self._bare, self._shape = None, None, (pixels.shape[0], pixels.shape[1])
        now = len(self._times) + (self._times[0] if self._times else 0.0) if time is None else time
        if self._times and now < self._times[-1]:  # the source began anew
            self._forget_frames()
        self._recent.append(_small(pixels))
        self._times.append(now)
        # The oldest frame stays while without it the others would span too little.
        while len(self._recent) > self.frames and now - self._times[1] >= self.rest:
            self._recent.popleft()
            self._times.popleft()
        if len(self._recent) < self.frames or now - self._times[0] < self.rest - _SLACK_S:
            every = np.ones(self._recent[-1].shape[:2], np.bool_)
            cells = np.ones(_grid(every.shape), np.bool_)
            return Motion(False, 1.0, where=cells, near=Near(every, np.zeros_like(every), cells), moved=now)
        stack = np.stack(self._recent)
        light = stack[..., 0]
        mask = light.max(axis=0) - light.min(axis=0) > self.level
        moving = float(mask.mean())
        still = moving <= self.least
        where = np.zeros(_grid(mask.shape), np.bool_) if still else _cells(mask)
        self._moves.note(self._recent[-1][..., 0], where, now)
        near = None if still else self._near(where)
        changed, ripe = self._changes(near, self._average())
        early = not ripe and self._read is not None
        soon, lately = self._soon(stack[-self.frames :]) if early else (changed if ripe else (), near)
        foreign = mask | self._foreign(self._recent[-1], self.level)
        nothing = self._read is None or (still and not changed)
        # What moved over these frames and no longer does has rested since the second one of them, as soon as it shows.
        moved = max(self._times[1], now - self.rest + _SLACK_S)
        return Motion(still, moving, changed, ripe, soon, lately, where, near, moved, None if nothing else foreign)

    def _near(self, where: Cells) -> Near:
        return self._moves.near(where, parameters.CHANGE_LEVEL * self.level)

    def _forget_frames(self) -> None:
        self._recent.clear()
        self._times.clear()
        self._moves.forget()

    def accept(self, moving: Near | None = None) -> None:
        """The newest frame is the table as read: later changes are measured from it. `moving`: where something moves;
        there the table stays unread."""
        if not self._recent:
            return
        now = self._average()
        bare = now.copy()
        if self._read is not None and self._bare is not None:
            # An arm that is there now, or was when the table was last read, is not the table: when it has left, what
            # comes to light is no other arm.
            level = parameters.CHANGE_LEVEL * self.level
            arm = np.any(arms(self._foreign(self._recent[-1], level)), axis=0)
            there = _grown(arm) | ((_apart(now, self._read) <= level) & (_apart(now, self._bare) > level))
            bare[there] = self._bare[there]
        if moving is not None:
            near = moving.mask
            now[near] = np.inf if self._read is None else self._read[near]
            bare[near] = np.inf if self._bare is None else self._bare[near]
        self._read, self._bare = now, bare

    def forget(self, regions: Sequence[Region]) -> None:
        """What was read in these regions (px of the frame) counts for nothing: they are still to be read."""
        if self._read is None:
            return
        height = self._read.shape[0]
        for region in regions:
            left, top, right, bottom = (side / self.scale for side in region)
            self._read[max(0, int(top)) : min(height, int(bottom) + 1), max(0, int(left)) : int(right) + 1] = np.inf

    def _differs(self, one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Pixels whose brightness differs, or whose colour does by far: that of a picture is coarse."""
        by = np.abs(one - other)
        light, colour = by[..., 0], strongest(by[..., 1:])
        least = parameters.CHANGE_LEVEL * self.level
        return np.asarray((light > least) | (colour > parameters.COLOUR_CHANGE * least))

    def _foreign(self, picture: NDArray[np.float32], level: float) -> NDArray[np.bool_]:
        """Pixels that differ by more than `level` from the table as read and as it lies without arms."""
        if self._read is None or self._bare is None:
            return np.zeros(picture.shape[:2], np.bool_)
        return np.asarray((_apart(picture, self._read) > level) & (_apart(picture, self._bare) > level))

    @property
    def accepted(self) -> bool:
        """Some frame has been read since the start."""
        return self._read is not None

    @property
    def scale(self) -> float:
        """Px of the frame in one of the motion picture."""
        return self._shape[1] / parameters.MOTION_WIDTH

    def near(self, movement: Motion) -> tuple[Region, ...]:
        """Where something moves in the frame, px, and what is near to it, but for what has moved there for long."""
        return () if movement.near is None else self.regions(movement.near.begun)

    def lasting(self, movement: Motion) -> tuple[Region, ...]:
        """Where something has moved for long, px."""
        return () if movement.near is None else self.spots(movement.near.lasting)

    def busy(self, movement: Motion) -> tuple[Region, ...]:
        """Where something moves or has for long, px."""
        return (*self.near(movement), *self.lasting(movement))

    def strange(self, movement: Motion) -> tuple[Region, ...]:
        """Where something moves, or differs from the table as it was last read, hands that rest too, px."""
        foreign = () if movement.foreign is None else self.regions(widened(_cells(movement.foreign)))
        return (*self.busy(movement), *foreign)

    def reset(self) -> None:
        """Forget everything: the next still table counts as new all over."""
        self._forget_frames()
        self._read = self._bare = None

    def _average(self) -> NDArray[np.float32]:
        return np.asarray(np.mean(np.stack(self._recent), axis=0), np.float32)

    def regions(self, cells: Cells) -> tuple[Region, ...]:
        """Where these cells lie in the frame, px, those side by side in one."""
        return self._regions(cells, parameters.MOTION_CELL, range(len(cells) + 1))

    def spots(self, mask: Mask) -> tuple[Region, ...]:
        """Where these pixels of the motion picture lie in the frame, px, those side by side in one, and rows that are
        alike."""
        return self._regions(mask, 1, np.flatnonzero(np.r_[True, (mask[1:] != mask[:-1]).any(axis=1), True]).tolist())

    def _regions(self, mask: NDArray[np.bool_], wide: int, rows: Sequence[int]) -> tuple[Region, ...]:
        """Where parts of the motion picture, so `wide` (px), lie in the frame; `rows` begin anew there."""
        height, width = self._shape
        size = wide * width / parameters.MOTION_WIDTH
        edges = np.diff(mask[list(rows[:-1])].astype(np.int8), axis=1, prepend=0, append=0)
        lines, lefts = (axis.tolist() for axis in np.nonzero(edges > 0))
        rights = np.nonzero(edges < 0)[1].tolist()
        return tuple(
            (int(left * size), int(rows[line] * size), min(width, int(right * size + 1)),
             min(height, int(rows[line + 1] * size + 1)))
            for line, left, right in zip(lines, lefts, rights, strict=True)
        )  # fmt: skip

    def _soon(self, last: NDArray[np.float32]) -> tuple[tuple[Region, ...], Near | None]:
        """The parts that differ by these pictures alone, if one of them is ripe, and what moves by them, and near."""
        light = last[..., 0]
        mask = light.max(axis=0) - light.min(axis=0) > self.level
        near = self._near(_cells(mask)) if mask.mean() > self.least else None
        changed, ripe = self._changes(near, np.asarray(last.mean(axis=0), np.float32))
        return changed if ripe else (), near

    def _changes(self, moving: Near | None, now: NDArray[np.float32]) -> tuple[tuple[Region, ...], bool]:
        """The parts at rest that differ from the table as read, and whether one of them is ripe. `now`: what rests."""
        height, width = self._shape
        if self._read is None:
            return ((0, 0, width, height),), moving is None
        raw = self._differs(now, self._read).astype(np.uint8)
        raw = np.asarray(cv2.morphologyEx(raw, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)))
        if moving is not None:
            # What a hand is near to rests only when the hand has left it.
            raw[moving.mask] = 0
        if not raw.any():
            return (), False
        foreign = (raw > 0) & self._foreign(now, parameters.CHANGE_LEVEL * self.level)
        waiting = _rim(
            np.asarray(cv2.morphologyEx(foreign.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
        )
        regions, ripe = self._parted(raw, waiting, moving)
        # Where an arm that was read with the table has left, the table shows again: that may join what a hand has laid
        # and the hand itself.
        return regions, ripe or self._parted(foreign.astype(np.uint8), waiting, moving)[1]

    def _parted(self, raw: NDArray[np.uint8], waiting: Mask, moving: Near | None) -> tuple[tuple[Region, ...], bool]:
        """The parts of what has changed, px of the frame, and whether one of them is ripe: it reaches nothing that is
        `waiting`, and no hand is near to it."""
        mask = np.asarray(cv2.dilate(raw, np.ones((9, 9), np.uint8)))  # what belongs together becomes one region
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        if moving is not None:
            waiting = waiting | ((mask > 0) & moving.mask)  # the hand's margin cuts it
        unripe = set(np.unique(labels[waiting]).tolist())
        height, width = self._shape
        scale = width / mask.shape[1]
        regions, ripe = [], False
        for number in range(1, count):
            left, top, wide, high, area = stats[number].tolist()
            if area >= self.least * mask.size:
                box = (left * scale, top * scale, (left + wide) * scale, (top + high) * scale)
                regions.append((max(0, int(box[0])), max(0, int(box[1])), min(width, int(box[2] + 1)),
                                min(height, int(box[3] + 1))))  # fmt: skip
                ripe = ripe or number not in unripe
        return tuple(sorted(regions)), ripe


def arms(foreign: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Each arm in a mask of what is foreign (rows, columns): (arms, rows, columns). An arm hangs together with the edge
    of the picture."""
    closed = cv2.morphologyEx(foreign.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(closed), connectivity=8)
    edge = np.unique(labels[_rim(np.asarray(closed))]) if foreign.any() else ()
    least, most = parameters.ARM_LEAST * foreign.size, parameters.ARM_MOST * foreign.size
    found = [labels == number for number in edge if number and least <= stats[number, cv2.CC_STAT_AREA] <= most]
    return np.array(found, np.bool_).reshape(-1, *foreign.shape)


def loose(foreign: Mask, moving: Cells, least: float) -> NDArray[np.bool_]:
    """Each part of a mask of what is foreign (rows, columns), of `least` px or more, that hangs together with no edge
    of the picture and moves, for the most part, in the cells `moving`: (parts, rows, columns)."""
    if np.count_nonzero(foreign) < least / 2:  # closed it has more
        return np.empty((0, *foreign.shape), np.bool_)
    closed = cv2.morphologyEx(foreign.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(closed), connectivity=8)
    size, (rows, columns) = parameters.MOTION_CELL, foreign.shape
    moves = np.kron(moving, np.ones((size, size), np.bool_))[:rows, :columns]
    edge = set(np.unique(labels[_rim(np.asarray(closed))]).tolist())
    large = (n for n in range(1, count) if n not in edge and stats[n, cv2.CC_STAT_AREA] >= least)
    parts = [labels == number for number in large]
    return np.array([part for part in parts if moves[part].mean() >= 0.5], np.bool_).reshape(-1, *foreign.shape)


def _rim(mask: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Those pixels of a mask that lie at the edge of the picture."""
    rim = np.zeros(mask.shape, np.bool_)
    rim[:2], rim[-2:], rim[:, :2], rim[:, -2:] = True, True, True, True
    return np.asarray(rim & (mask > 0))


def _grown(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """A mask and what is near to it: the soft edge of an arm, its shadow."""
    size = 2 * parameters.MOTION_CELL + 1
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((size, size), np.uint8)), np.bool_)


def at_rim(region: Region, pixels: Pixels) -> bool:
    """A part reaches the edge of the picture, and is not most of it: an arm, as a rule."""
    height, width = pixels.shape[:2]
    left, top, right, bottom = region
    if (right - left) * (bottom - top) > parameters.ARM_MOST * height * width:
        return False
    return left <= 2 or top <= 2 or right >= width - 2 or bottom >= height - 2


def _grid(shape: tuple[int, ...]) -> tuple[int, int]:
    size = parameters.MOTION_CELL
    return -(-shape[0] // size), -(-shape[1] // size)


def _cells(mask: NDArray[np.bool_]) -> Cells:
    """The cells in which more than a speck moves."""
    size = parameters.MOTION_CELL
    rows, columns = _grid(mask.shape)
    padded = np.zeros((rows * size, columns * size), np.bool_)
    padded[: mask.shape[0], : mask.shape[1]] = opened(mask)
    return np.asarray(padded.reshape(rows, size, columns, size).any(axis=(1, 3)))


def _small(pixels: Pixels) -> NDArray[np.float32]:
    """A small picture (rows, columns, 3), brightness first, then colours, so scaled that equal steps count alike. The
    overall light is taken out: lamps flicker, cameras adjust themselves."""
    height, width = pixels.shape[:2]
    size = (parameters.MOTION_WIDTH, max(1, round(height * parameters.MOTION_WIDTH / width)))
    light = cv2.cvtColor(shrunk(pixels, size), cv2.COLOR_BGR2YCrCb)
    soft = cv2.GaussianBlur(light, (3, 3), 0).astype(np.float32) - medians(np.asarray(light, np.uint8))
    soft[..., 1:] /= np.float32(parameters.COLOUR_LEVEL)
    return np.asarray(soft, np.float32)


def _apart(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """By how much each pixel of two small pictures differs: in brightness or in colour."""
    return np.asarray(strongest(np.abs(one - other)), np.float32)
