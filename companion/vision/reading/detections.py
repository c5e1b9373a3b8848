"""What the detector finds: cards and indices, each with four keypoints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from companion.vision.geometry import Array


class DetectionClass(IntEnum):
    """What the detector tells apart; the numbers are its class numbers."""

    UP = 0
    DOWN = 1
    INDEX = 2


CLASSES = tuple(DetectionClass)


@dataclass(slots=True)
class Detection:
    """One detection: kind, score 0..1, and four keypoints (4, 2) in px of the picture given.

    A card's keypoints are its outline, clockwise, starting at a short side; those of an index run clockwise
    from its top-left corner in its own reading direction.
    """

    label: DetectionClass
    score: float
    keypoints: Array


def with_overlapping(cards: list[Detection]) -> Iterator[tuple[Detection, list[Detection]]]:
    """Each outline with those before it whose boxes overlap its own."""
    if not cards:
        return
    quads = np.array([card.keypoints for card in cards])
    low, high = quads.min(axis=1), quads.max(axis=1)
    meet = ((low[:, None] < high[None]) & (high[:, None] > low[None])).all(axis=2)
    near: list[list[Detection]] = [[] for _ in cards]
    for number, other in np.argwhere(np.tril(meet, -1)).tolist():
        near[number].append(cards[other])
    yield from zip(cards, near, strict=True)
