"""Says when the table lies still, and where it changed: cheaply, on small grey pictures, before anything is read.

A frame counts as still when the last few frames, taken together, show no movement: so a hand that moves slowly
holds the gate just as one that moves fast. When the table comes to rest it is compared with how it lay when it was
last read; the parts that differ are what needs a new read.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.following import parameters
from companion.vision.images import Pixels

Region = tuple[int, int, int, int]
"""Left, top, right, bottom in px of the frame; right and bottom lie just outside."""


@dataclass(frozen=True, slots=True)
class Motion:
    """What the gate says of a frame.

    `still`: nothing moved over the last frames. `changed`: parts that differ from the table as it was last read
    (frame px); filled only when still. `moving`: share (0..1) of the picture that moves.
    """

    still: bool
    moving: float
    changed: tuple[Region, ...] = ()


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
            return Motion(False, 1.0)
        stack = np.stack(self._recent)
        moving = float((stack.max(axis=0) - stack.min(axis=0) > self.level).mean())
        if moving > self.least:
            return Motion(False, moving)
        return Motion(True, moving, self._changes())

    def accept(self) -> None:
        """The newest frame is the table as read: later changes are measured from it."""
        if self._recent:
            self._read = self._average()

    def reset(self) -> None:
        """Forget everything: the next still table counts as new all over."""
        self._recent.clear()
        self._read = None

    def _average(self) -> NDArray[np.float32]:
        return np.asarray(np.mean(np.stack(self._recent), axis=0), np.float32)

    def _changes(self) -> tuple[Region, ...]:
        height, width = self._shape
        if self._read is None:
            return ((0, 0, width, height),)
        difference = np.abs(self._average() - self._read)
        mask = (difference > parameters.CHANGE_LEVEL * self.level).astype(np.uint8)
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)))
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


def _small(pixels: Pixels) -> NDArray[np.float32]:
    """A small grey picture whose overall brightness is taken out: lamps flicker, cameras adjust themselves."""
    height, width = pixels.shape[:2]
    size = (parameters.MOTION_WIDTH, max(1, round(height * parameters.MOTION_WIDTH / width)))
    grey = cv2.cvtColor(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    soft = cv2.GaussianBlur(grey, (3, 3), 0).astype(np.float32)
    return np.asarray(soft - np.float32(np.median(soft)), np.float32)
