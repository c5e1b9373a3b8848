"""Indices on the table, in millimetres: where they lie, how they read, and what that says of the cards under them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters
from companion.vision.geometry import Array, axes, dots, lengths

_QUARTER = np.array([[0.0, 1.0], [-1.0, 0.0]])
"""Row vectors times this: reading across → reading down, on the screen."""


@dataclass(frozen=True, eq=False)
class IndexPoses:
    """Indices on the table: centres (n, 2) mm, unit vectors (n, 2) of reading down, widths and heights (n, 2) mm."""

    centres: Array
    directions: Array
    sizes: Array

    @classmethod
    def of(cls, flat: Array) -> IndexPoses:
        """From index quads (n, 4, 2) mm."""
        across, down = axes(flat)
        wide = np.maximum(lengths(across), 1e-9)
        tall = np.maximum(lengths(down), 1e-9)
        # a slanted index is seen more upright than it is: its sides err opposite ways
        mean = down / tall[:, None] + (across / wide[:, None]) @ _QUARTER
        mean /= np.maximum(lengths(mean), 1e-9)[..., None]
        return cls(flat.mean(axis=1), mean, np.stack([wide, tall], axis=1))

    def only(self, which: NDArray[np.intp]) -> IndexPoses:
        """Some of them."""
        return IndexPoses(self.centres[which], self.directions[which], self.sizes[which])

    @cached_property
    def offsets(self) -> tuple[Array, Array]:
        """From each index to each other one, (n, n, 2) mm along reading across and down; and how alike both read.

        The second value (n, n) is 1 where both read the same way, -1 where one stands on its head. Directions are
        the mean of both, the head-down one turned round.
        """
        alignment = self.directions @ self.directions.T
        turn = np.where(alignment >= 0, 1.0, -1.0)[..., None]
        mean = self.directions[:, None] + turn * self.directions[None]
        mean /= np.maximum(lengths(mean), 1e-9)[..., None]
        way = self.centres[None] - self.centres[:, None]
        across = np.stack([mean[..., 1], -mean[..., 0]], axis=2)
        return np.stack([dots(way, across), dots(way, mean)], axis=2), np.asarray(alignment)


NO_POSES = IndexPoses(np.empty((0, 2)), np.empty((0, 2)), np.empty((0, 2)))


def separated_by_third(offsets: Array, alignment: Array, pairs: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which pairs (n, 2) of indices that read the same way have a third between them that reads so too.

    `offsets`, `alignment`: see `IndexPoses.offsets`. The two are of two cards of a fan then, however well they fit one.
    """
    way = offsets[pairs[:, 0], pairs[:, 1], 0]
    x, y = offsets[pairs[:, 0], :, 0] * np.sign(way)[:, None], np.abs(offsets[pairs[:, 0], :, 1])
    within = (
        (x > parameters.BETWEEN_APART_MM)
        & (x < np.abs(way)[:, None] - parameters.BETWEEN_APART_MM)
        & (y < parameters.BETWEEN_ASIDE_MM)
    )
    return np.asarray((within & (alignment[pairs[:, 0]] > parameters.SAME_WAY)).any(axis=1), np.bool_)
