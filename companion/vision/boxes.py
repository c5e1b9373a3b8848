"""Upright parts of a picture: grown, joined, and what their edges cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.vision import parameters
from companion.vision.geometry import Array
from companion.vision.types import Quad

Box = tuple[int, int, int, int]
"""Left, top, right, bottom, px."""


def grown(part: tuple[float, float, float, float], reach: float, size: tuple[int, int]) -> Box:
    """A part of a picture of this size (width, height) with what lies within `reach` of it; all in px."""
    left, top, right, bottom = part
    width, height = size
    return (max(0, int(left - reach)), max(0, int(top - reach)),
            min(width, int(np.ceil(right + reach))), min(height, int(np.ceil(bottom + reach))))  # fmt: skip


def apart(boxes: Iterable[Box]) -> list[Box]:
    """Those that overlap as one that holds them, until none does."""
    left, out = list(boxes), list[Box]()
    while left:
        box = left.pop()
        meeting = next((other for other in out if _meet(box, other)), None)
        if meeting is None:
            out.append(box)
        else:
            out.remove(meeting)
            left.append((min(box[0], meeting[0]), min(box[1], meeting[1]),
                         max(box[2], meeting[2]), max(box[3], meeting[3])))  # fmt: skip
    return sorted(out)


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def cut_by(
    box: Box, quads: Iterable[Array], size: tuple[int, int], near: Array | float = parameters.CUT_PX
) -> NDArray[np.bool_]:
    """Which of these outlines (4, 2; px) reach so `near` (px) to the edge of a box where that is not the picture's
    own."""
    points = np.asarray(list(quads)).reshape(-1, 4, 2)
    left, top, right, bottom = box
    near = np.broadcast_to(np.asarray(near, np.float64), len(points))[:, None]
    return np.asarray(
        ((points[..., 0] < left + near).any(axis=1) & (left > 0))
        | ((points[..., 1] < top + near).any(axis=1) & (top > 0))
        | ((points[..., 0] > right - near).any(axis=1) & (right < size[0]))
        | ((points[..., 1] > bottom - near).any(axis=1) & (bottom < size[1]))
    )


def lies_in(polygon: Quad, boxes: Sequence[Box], size: tuple[int, int]) -> bool:
    """Whether a card lies in one of these parts of the picture (width, height; px), its edges as well."""
    x, y = np.clip(np.mean(polygon, axis=0), 0, size)  # it may lie half beside the picture
    return any(
        box == (0, 0, *size)
        or (box[0] <= x <= box[2] and box[1] <= y <= box[3] and not cut_by(box, [np.asarray(polygon)], size).any())
        for box in boxes
    )
