"""Marks: the small signs that tell cards of one picture apart, looked at pixel by pixel.

Where marks are printed is found from the samples: cells in which cards of one mark agree and cards of different marks
differ. Each such window keeps what each mark looks like there, the median over all its pictures. A card's window is
correlated with that, a few pixels each way, sharp and soft, with paper as zero: blank paper is no white mark then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.decks import parameters
from companion.vision.decks.crops import CELLS, MARGIN, STRIDE, Crops
from companion.vision.decks.matching import Floats

_SOFT = (0.0, 1.2, 2.0)


@dataclass(frozen=True, slots=True)
class Window:
    """A place of marks: left, top, right, bottom px of the crop, and what each mark looks like there, less paper:
    (softness, marks, height, width, 3)."""

    box: tuple[int, int, int, int]
    looks: Floats


@dataclass(frozen=True, slots=True)
class Marks:
    """All windows of a deck, and the colour of its paper (BGR)."""

    windows: tuple[Window, ...]
    paper: Floats

    def agreement(self, crop: NDArray[np.uint8]) -> Floats:
        """(windows, marks): how well a levelled crop agrees with each mark in each window, -1..1."""
        reach = parameters.MARK_REACH
        soft = cv2.GaussianBlur(crop, (0, 0), parameters.MARK_SOFTNESS).astype(np.float32) - self.paper
        out = []
        for window in self.windows:
            left, top, right, bottom = window.box
            part = np.ascontiguousarray(soft[max(0, top - reach) : bottom + reach, max(0, left - reach) : right + reach])
            out.append([
                max(float(cv2.matchTemplate(part, look, cv2.TM_CCORR_NORMED).max()) for look in window.looks[:, mark])
                for mark in range(window.looks.shape[1])
            ])  # fmt: skip
        return np.array(out, np.float32)


def learned(crops: Crops, marks: Sequence[int], shared: Floats) -> Marks | None:
    """The windows of a deck from levelled crops of its samples, the number of each one's mark, and how much marks stand
    out in each cell (0..1); None where they have no place."""
    grid = (np.reshape(shared, CELLS) > parameters.MARK_CELL).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(grid, connectivity=4)
    if count - 1 > parameters.MOST_WINDOWS:
        return None
    owner, number = np.asarray(marks), max(marks) + 1
    soft = np.stack([cv2.GaussianBlur(crop, (0, 0), parameters.MARK_SOFTNESS) for crop in crops]).astype(np.float32)
    typical = np.stack([np.median(soft[owner == mark], axis=0) for mark in range(number)])
    boxes = []
    for column, row, wide, tall, cells in stats[1:].tolist():
        if cells >= 2:
            left, top = column * STRIDE + MARGIN, row * STRIDE + MARGIN
            boxes.append((left, top, left + wide * STRIDE, top + tall * STRIDE))
    if not boxes:
        return None
    parts = [typical[:, top:bottom, left:right] for left, top, right, bottom in boxes]
    paper = np.median(np.concatenate([part.reshape(-1, 3) for part in parts]), axis=0).astype(np.float32)
    windows = []
    for box, part in zip(boxes, parts, strict=True):
        looks = [part if not s else np.stack([cv2.GaussianBlur(x, (0, 0), s) for x in part]) for s in _SOFT]
        windows.append(Window(box, np.stack(looks).astype(np.float32) - paper))
    return Marks(tuple(windows), paper)
