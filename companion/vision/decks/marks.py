"""Marks: the small signs that tell cards of one picture apart, looked at pixel by pixel.

Where marks are printed is found from the samples: cells in which cards of one mark agree and cards of different marks
differ. Each such window keeps what each mark looks like there, the median over all its pictures. A card's window is
correlated with that, a few pixels each way, sharp and soft, with paper as zero: blank paper is no white mark then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.decks import parameters
from companion.vision.decks.crops import CELLS, MARGIN, STRIDE, Crops, softened
from companion.vision.decks.matching import Floats
from companion.vision.decks.templates import Anatomy

_SOFT = (0.0, 1.2, 2.0)


@dataclass(frozen=True)
class Window:
    """A place of marks: left, top, right, bottom px of the crop, and what each mark looks like there, less paper:
    (softness, marks, height, width, 3)."""

    box: tuple[int, int, int, int]
    looks: Floats

    @cached_property
    def ink(self) -> float:
        """How much is printed there, on the mean of all marks."""
        return float(np.sqrt((self.looks[0] ** 2).mean())) + 1e-3


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
            part = np.ascontiguousarray(
                soft[max(0, top - reach) : bottom + reach, max(0, left - reach) : right + reach]
            )
            ink = float(np.sqrt((part**2).mean())) / window.ink
            least = min(1.0, ink / parameters.LEAST_INK)  # of blank paper any shade agrees with something
            agree = [
                max(float(cv2.matchTemplate(part, look, cv2.TM_CCORR_NORMED).max()) for look in window.looks[:, mark])
                for mark in range(window.looks.shape[1])
            ]
            out.append([least * each for each in agree])
        return np.array(out, np.float32)


def learned(crops: Crops, marks: Sequence[int], anatomy: Anatomy) -> Marks | None:
    """The windows of a deck from levelled crops of its samples, the number of each one's mark, and how the deck is
    made; None where its marks have no place of their own."""
    boxes = _boxes(np.reshape((anatomy.marks > parameters.MARK_CELL) & (anatomy.pictures < 0.5), CELLS))
    if not 0 < len(boxes) <= parameters.MOST_WINDOWS:
        return None
    owner, number = np.asarray(marks), max(marks) + 1
    soft = softened(crops, parameters.MARK_SOFTNESS)
    typical = np.stack([np.median(soft[owner == mark], axis=0) for mark in range(number)])
    parts = [typical[:, top:bottom, left:right] for left, top, right, bottom in boxes]
    paper = np.median(np.concatenate([part.reshape(-1, 3) for part in parts]), axis=0).astype(np.float32)
    windows = []
    for box, part in zip(boxes, parts, strict=True):
        looks = [softened(part, s) if s else part for s in _SOFT]
        windows.append(Window(box, np.stack(looks).astype(np.float32) - paper))
    return Marks(tuple(windows), paper)


def _boxes(cells: NDArray[np.bool_]) -> list[tuple[int, int, int, int]]:
    """Rectangles in px of the crop that together hold those cells: each patch, or, where one goes around what is
    something else, the parts of it that are full."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cells.astype(np.uint8), connectivity=4)
    out = []
    for number in range(1, count):
        column, row, wide, tall, size = stats[number].tolist()
        if size < 2:
            continue
        pieces = [(row, column, tall, wide)]
        if size < 0.6 * wide * tall or wide * tall > 0.3 * cells.size:
            pieces = [(y, x, 4, 4) for y in range(0, CELLS[0], 4) for x in range(0, CELLS[1], 4)]
            pieces = [p for p in pieces if (labels[p[0] : p[0] + 4, p[1] : p[1] + 4] == number).mean() > 0.7]
        for y, x, high, broad in pieces:
            left, top = x * STRIDE + MARGIN, y * STRIDE + MARGIN
            out.append((left, top, left + broad * STRIDE, top + high * STRIDE))
    return out
