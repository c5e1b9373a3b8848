"""Rows and fans: cards laid at even steps, as the indices of a picture show them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters
from companion.vision.geometry import Array, lengths


def repeats_row_step(offsets: Array, of_others: Array, aside: float | Array) -> NDArray[np.bool_]:
    """Which steps (…, 2) mm repeat two of the steps (n, 2) between other cards: so the next card of a row lies.

    They do so better than they fit the upper corners of one card, which are `aside` mm apart: one number or (…).
    """
    others = of_others[lengths(of_others) < parameters.LONGEST_STEP_MM]
    if len(others) < 4:  # each step counts there and back
        return np.zeros(offsets.shape[:-1], np.bool_)
    away = lengths(offsets[..., None, :] - others)
    beside = np.hypot(np.abs(offsets[..., 0]) - aside, offsets[..., 1])
    repeats = (away < np.minimum(parameters.STEP_MM, parameters.STEP_OF_RESIDUAL * beside)[..., None]).sum(axis=-1)
    return np.asarray((repeats >= 2) & (beside > parameters.CORNERS_BEFORE_ROW_MM))
