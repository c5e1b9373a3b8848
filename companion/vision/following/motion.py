"""Says when the table lies still, and where it changed: cheaply, on small grey pictures, before anything is read.

A frame counts as still when the last few frames, taken together, show no movement: so a hand that moves slowly
holds the gate just as one that moves fast. Every part rests for itself: what is at rest is compared with how it lay
when it was last read, whatever moves elsewhere; the parts that differ are what needs a new read.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.following import parameters
from companion.vision.images import Pixels

Region = tuple[int, int, int, int]
"""Left, top, right, bottom in px of the frame; right and bottom lie just outside."""

Cells = NDArray[np.bool_]
"""The picture in square cells of `parameters.MOTION_CELL`, row by row."""


@dataclass(frozen=True, slots=True)
class Motion:
    """What the gate says of a frame.

    `still`: nothing moved over the last frames. `changed`: parts at rest that differ from the table as it was last read
    (frame px). `moving`: share (0..1) of the picture that moves; `where`: the cells in which something does (rows,
    columns).
    """

    still: bool
    moving: float
    changed: tuple[Region, ...] = ()
    where: Cells | None = field(default=None, compare=False)


class MotionGate:
    """Feed it every frame; call `accept` when the table of the newest frame has been read.

    `frames`: how many still frames in a row make a table. `level`: grey steps (of 255) that count as a change;
    `least`: share of the picture that has to change, about a fifth of a small card.
    """

    def __init__(self, frames: int | None = None, *, level: float | None = None, least: float | None = None) -> None:
        self.frames = parameters.STILL_FRAMES if frames is None else frames
        self.level = parameters.MOTION_LEVEL if level is None else level
        self.least = parameters.LEAST_MOTION if least is None else least
        self._recent: deque[NDArray[np.float32]] = deque(maxlen=self.frames)
        self._read: NDArray[np.float32] | None = None
        self._shape = (0, 0)

    def feed(self, pixels: Pixels) -> Motion:
        """Look at the next frame (height, width, 3)."""
        if pixels.shape[:2] != self._shape:
            self._recent.clear()
            self._read, self._shape = None, (pixels.shape[0], pixels.shape[1])
        self._recent.append(_small(pixels))
        if len(self._recent) < self.frames:
            return Motion(False, 1.0, (), np.ones(_grid(self._recent[-1].shape), np.bool_))
        stack = np.stack(self._recent)
        mask = stack.max(axis=0) - stack.min(axis=0) > self.level
        moving = float(mask.mean())
        if moving <= self.least:
            return Motion(True, moving, self._changes(), np.zeros(_grid(mask.shape), np.bool_))
        where = _cells(mask)
        return Motion(False, moving, self._changes(where) if self._read is not None else (), where)

    def accept(self, moving: Cells | None = None) -> None:
        """The newest frame is the table as read: later changes are measured from it. `moving`: cells in which something
        moves; there the table stays unread."""
        if not self._recent:
            return
        now = self._average()
        if moving is not None and self._read is not None:
            near = self._near(moving)
            now[near] = self._read[near]
        self._read = now

    def _near(self, moving: Cells) -> NDArray[np.bool_]:
        """The pixels of these cells and their neighbours."""
        height, width = self._recent[-1].shape
        size = parameters.MOTION_CELL
        pixels = np.kron(widened(moving), np.ones((size, size), np.bool_))
        return np.asarray(pixels[:height, :width], np.bool_)

    def reset(self) -> None:
        """Forget everything: the next still table counts as new all over."""
        self._recent.clear()
        self._read = None

    def _average(self) -> NDArray[np.float32]:
        return np.asarray(np.mean(np.stack(self._recent), axis=0), np.float32)

    def regions(self, cells: Cells) -> tuple[Region, ...]:
        """Where these cells lie in the frame, px, those side by side in one."""
        height, width = self._shape
        size = parameters.MOTION_CELL * width / parameters.MOTION_WIDTH
        found = []
        for row, line in enumerate(cells):
            edges = np.flatnonzero(np.diff(np.concatenate(([0], line.astype(np.int8), [0]))))
            for left, right in zip(edges[::2], edges[1::2], strict=True):
                found.append((int(left * size), int(row * size), min(width, int(right * size + 1)),
                              min(height, int((row + 1) * size + 1))))  # fmt: skip
        return tuple(found)

    def _changes(self, moving: Cells | None = None) -> tuple[Region, ...]:
        height, width = self._shape
        if self._read is None:
            return ((0, 0, width, height),)
        difference = np.abs(self._average() - self._read)
        mask = (difference > parameters.CHANGE_LEVEL * self.level).astype(np.uint8)
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)))
        if moving is not None:
            # What a hand is near to rests only when the hand has left it.
            mask[self._near(moving)] = 0
        mask = np.asarray(cv2.dilate(mask, np.ones((9, 9), np.uint8)))  # what belongs together becomes one region
        count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        scale = width / mask.shape[1]
        regions = []
        for left, top, wide, high, area in stats[1:count]:
            if area >= self.least * mask.size:
                box = (left * scale, top * scale, (left + wide) * scale, (top + high) * scale)
                regions.append((max(0, int(box[0])), max(0, int(box[1])), min(width, int(box[2] + 1)),
                                min(height, int(box[3] + 1))))  # fmt: skip
        return tuple(sorted(regions))


def widened(cells: Cells) -> Cells:
    """These cells and their neighbours."""
    return np.asarray(cv2.dilate(cells.astype(np.uint8), np.ones((3, 3), np.uint8)), np.bool_)


def _grid(shape: tuple[int, ...]) -> tuple[int, int]:
    size = parameters.MOTION_CELL
    return -(-shape[0] // size), -(-shape[1] // size)


def _cells(mask: NDArray[np.bool_]) -> Cells:
    """The cells in which more than a speck moves."""
    size = parameters.MOTION_CELL
    rows, columns = _grid(mask.shape)
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    padded = np.zeros((rows * size, columns * size), np.bool_)
    padded[: mask.shape[0], : mask.shape[1]] = opened > 0
    return np.asarray(padded.reshape(rows, size, columns, size).any(axis=(1, 3)))


def _small(pixels: Pixels) -> NDArray[np.float32]:
    """A small grey picture whose overall brightness is taken out: lamps flicker, cameras adjust themselves."""
    height, width = pixels.shape[:2]
    size = (parameters.MOTION_WIDTH, max(1, round(height * parameters.MOTION_WIDTH / width)))
    grey = cv2.cvtColor(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    soft = cv2.GaussianBlur(grey, (3, 3), 0).astype(np.float32)
    return np.asarray(soft - np.float32(np.median(soft)), np.float32)
