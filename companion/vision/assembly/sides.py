"""To which side a card lies that shows the indices of one side only: where its paper shows, as its neighbours do.

A row of four-cornered cards, each over the one before, shows a column of indices of every card. Each could be the left
or the right one of its card. A card laid to the wrong side would lie over bare cloth, and all cards of a row reach the
same way.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters
from companion.vision.assembly.plane import TablePlane
from companion.vision.geometry import Array, dots, lengths

_STEPS = np.linspace(0.05, 0.95, 10)
"""An outline is looked at in so many places each way, as shares of its sides."""


def wrong_sides(plane: TablePlane, centres: Array, placements: Array, bright: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which of the two placements (n, 2) of each card lies over cloth: much less paper shows in it than in the other.

    Neighbours vote for the side of theirs, as cards of a row reach the same way. `centres` (n, 2) mm: of the indices
    of each; `placements` (n, 2, 4, 2) px: its outlines to either side; `bright`: the picture as `edges.min_channel`
    sees it.
    """
    shares = _paper(placements, bright)
    ways = plane.to_mm(placements).mean(axis=2) - centres[:, None]
    ways /= np.maximum(lengths(ways), 1e-9)[..., None]
    near = lengths(centres[:, None] - centres) < plane.card_mm[0]
    alike = dots(ways[:, None, 0], ways[:, 0])
    votes = (near * alike) @ (shares[:, 0] - shares[:, 1])
    return np.stack([votes < -parameters.MORE_PAPER, votes > parameters.MORE_PAPER], axis=1)


def _paper(placements: Array, bright: NDArray[np.uint8]) -> Array:
    """How much of each placement (n, 2) is as bright as paper, as a share of what lies in the picture."""
    u, v = (axis.ravel()[:, None] for axis in np.meshgrid(_STEPS, _STEPS))
    corners = placements[:, :, None]
    a, b, c, d = (corners[..., k, :] for k in range(4))
    places = (a * (1 - u) + b * u) * (1 - v) + (d * (1 - u) + c * u) * v
    height, width = bright.shape
    inside = np.asarray(((places >= 0) & (places < (width, height))).all(axis=-1), np.bool_)
    columns, rows = np.where(inside[..., None], places, 0).astype(np.intp).transpose(3, 0, 1, 2)
    nowhere = ~inside.any(axis=(1, 2), keepdims=True)
    seen = np.where(inside | nowhere, bright[rows, columns], np.nan)
    paper = np.nanquantile(seen.reshape(len(seen), -1), parameters.PAPER_QUANTILE, axis=1)
    return np.asarray(
        (inside & (seen > parameters.PAPER_LIGHT * paper[:, None, None])).sum(axis=2)
        / np.maximum(inside.sum(axis=2), 1),
        np.float64,
    )
