"""Marks: the small signs that tell cards of one picture apart, looked at pixel by pixel.

Where marks are printed is found from the samples: cells in which cards of one mark agree and cards of different marks
differ. Each such window keeps what each mark looks like there, the median over all its pictures. What a card shows in a
window beyond what all marks have in common is correlated with what each mark has beyond that, a few pixels each way:
marks of one colour and size are told apart by what is left.
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


@dataclass(frozen=True)
class Window:
    """A place of marks: left, top, right, bottom px of the crop, and what each mark looks like there, less paper:
    (marks, height, width, 3)."""

    box: tuple[int, int, int, int]
    looks: Floats

    @cached_property
    def common(self) -> Floats:
        """What all marks have in common there, less paper."""
        return np.asarray(self.looks.mean(axis=0), np.float32)

    @cached_property
    def apart(self) -> Floats:
        """How each mark differs from that, as long as 1."""
        differ = self.looks - self.common
        return np.asarray(differ / (np.sqrt((differ**2).sum(axis=(1, 2, 3), keepdims=True)) + 1e-3), np.float32)

    @cached_property
    def ink(self) -> float:
        """How much is printed there, on the mean of all marks."""
        return float(np.sqrt((self.looks**2).mean())) + 1e-3

    @cached_property
    def alike(self) -> Floats:
        """(marks, marks): how well each agrees with each, -1..1."""
        flat = self.apart.reshape(len(self.apart), -1)
        return np.asarray(flat @ flat.T, np.float32)

    @cached_property
    def usual(self) -> float:
        """How much marks usually differ from what they have in common."""
        return float(np.sqrt(((self.looks - self.common) ** 2).sum(axis=(1, 2, 3)).mean()))

    def agreement(self, part: Floats) -> Floats:
        """(marks,): how well a card, less paper, which shows a little more than the window, agrees with each mark in
        what tells marks apart, -1..1, where that fits best."""
        high, wide = self.common.shape[:2]
        beside = cv2.matchTemplate(part, self.common, cv2.TM_CCORR)
        energy = cv2.boxFilter((part**2).sum(axis=2), cv2.CV_32F, (wide, high), anchor=(0, 0), normalize=False)
        left = energy[: beside.shape[0], : beside.shape[1]] - 2 * beside + float((self.common**2).sum())
        size = np.sqrt(np.maximum(left, (parameters.LEAST_INK * self.usual) ** 2))
        ink = float(np.sqrt((part**2).mean())) / self.ink
        least = min(1.0, ink / parameters.LEAST_INK)  # what all marks lack is no sign of one
        return least * np.array([
            ((cv2.matchTemplate(part, mark, cv2.TM_CCORR) - float((mark * self.common).sum())) / size).max()
            for mark in self.apart
        ], np.float32)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Marks:
    """All windows of a deck, and the colour of its paper (BGR)."""

    windows: tuple[Window, ...]
    paper: Floats

    def agreement(self, crop: NDArray[np.uint8]) -> Floats:
        """(windows, marks): how well a levelled crop agrees with each mark in each window, -1..1."""
        reach = parameters.MARK_REACH
        soft = cv2.GaussianBlur(crop, (0, 0), parameters.MARK_SOFTNESS).astype(np.float32) - self.paper
        parts = [
            soft[max(0, top - reach) : bottom + reach, max(0, left - reach) : right + reach]
            for left, top, right, bottom in (window.box for window in self.windows)
        ]
        return np.stack([
            window.agreement(np.ascontiguousarray(part)) for window, part in zip(self.windows, parts, strict=True)
        ])  # fmt: skip

    def lead(self, agreement: Floats) -> float:
        """How far the likeliest mark is ahead of the next, against how much that one differs from it: 0 and more."""
        best = int(mark_evidence(agreement).argmax())
        rest = np.delete(np.arange(agreement.shape[1]), best)
        if not len(rest):
            return 1.0
        ahead = np.clip(agreement[:, best, None], -1, 0.98) - np.clip(agreement[:, rest], -1, 0.98)
        differ = np.stack([1 - window.alike[best, rest] for window in self.windows])
        each = np.sign(ahead) * ahead**2 / np.maximum(differ, 0.1)
        return float(np.sqrt(max(float(each.sum(axis=0).min()), 0.0)))


def mark_evidence(agreement: Floats) -> Floats:
    """(marks,) from how marks agree in each window: little counts much where agreement is nearly full."""
    return np.asarray(-np.log(np.maximum(1 - agreement, 0.02)).sum(axis=0), np.float32)


def learned(crops: Crops, marks: Sequence[int], anatomy: Anatomy) -> Marks | None:
    """The windows of a deck from levelled crops of its samples, the number of each one's mark, and how the deck is
    made; None where its marks have no place of their own."""
    boxes = _boxes(np.reshape((anatomy.marks > parameters.MARK_CELL) & (anatomy.share > parameters.MARK_SHARE), CELLS))
    if not 0 < len(boxes) <= parameters.MOST_WINDOWS:
        return None
    owner, number = np.asarray(marks), max(marks) + 1
    soft = softened(crops, parameters.MARK_SOFTNESS)
    typical = np.stack([np.median(soft[owner == mark], axis=0) for mark in range(number)])
    parts = [typical[:, top:bottom, left:right] for left, top, right, bottom in boxes]
    paper = np.median(np.concatenate([part.reshape(-1, 3) for part in parts]), axis=0).astype(np.float32)
    windows = [Window(box, np.asarray(part - paper, np.float32)) for box, part in zip(boxes, parts, strict=True)]
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
