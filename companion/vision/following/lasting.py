"""Where something moves on and on, as a dealer's hands do, who are never still: there what moves is known to the pixel,
and a card close beside it rests."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.following import parameters

Cells = NDArray[np.bool_]
"""The picture in square cells of `parameters.MOTION_CELL`, row by row."""
Mask = NDArray[np.bool_]
"""Pixels of the motion picture, row by row."""
Light = NDArray[np.float32]
"""The brightness of its pixels."""

_KEPT_S = 0.2
"""A picture in so many seconds shows what moves on and on."""


class Near(NamedTuple):
    """What moves, and what is near to it: `mask`; of that, where it has moved for long: `lasting`; else `begun`."""

    mask: Mask
    lasting: Mask
    begun: Cells


class Lasting:
    """Remembers how much of the time something moves in each cell, and how the last seconds looked. Not thread-safe."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Nothing is known to move."""
        self._pictures: deque[tuple[float, Light]] = deque()
        self._busy: NDArray[np.float64] | None = None
        self._lasts: Cells | None = None
        self._now = 0.0

    def note(self, light: Light, where: Cells, now: float) -> None:
        """In these cells of a picture something moves `now` (s)."""
        if self._busy is None or self._lasts is None:
            self._busy, self._lasts, self._now = np.zeros(where.shape), np.zeros(where.shape, np.bool_), now
        self._busy += (where - self._busy) * -np.expm1((self._now - now) / parameters.LASTING_S)
        self._lasts = self._busy > np.where(self._lasts, *parameters.LASTS)
        self._now = now
        if not self._pictures or now - self._pictures[-1][0] >= _KEPT_S:
            self._pictures.append((now, light))
        while now - self._pictures[0][0] > parameters.LASTING_PAUSE_S:
            self._pictures.popleft()

    def near(self, where: Cells, level: float) -> Near:
        """What is near to cells `where` something moves, as just noted; where it does for long, what has changed lately
        by more than `level` (grey levels)."""
        assert self._lasts is not None
        lasts = widened(self._lasts)
        shape = self._pictures[0][1].shape
        begun = widened(where & ~lasts)
        new = pixels(begun, shape)
        if not lasts.any():
            return Near(new, np.zeros(shape, np.bool_), begun)
        lately = np.stack([light for _, light in self._pictures])
        moved = opened(lately.max(axis=0) - lately.min(axis=0) > level).astype(np.uint8)
        touched = np.asarray(cv2.dilate(moved, np.ones((3, 3), np.uint8)), np.bool_)
        lasting = pixels(lasts, shape) & touched & ~new
        return Near(new | lasting, lasting, begun)


def opened(mask: Mask) -> Mask:
    """A mask without its specks."""
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.bool_)


def widened(cells: Cells) -> Cells:
    """These cells and their neighbours."""
    return np.asarray(cv2.dilate(cells.astype(np.uint8), np.ones((3, 3), np.uint8)), np.bool_)


def pixels(cells: Cells, shape: tuple[int, ...]) -> Mask:
    """The pixels of these cells of a motion picture of this shape."""
    size = parameters.MOTION_CELL
    every = np.kron(cells, np.ones((size, size), np.bool_))
    return np.asarray(every[: shape[0], : shape[1]], np.bool_)
