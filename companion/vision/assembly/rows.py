"""Rows and fans: cards laid at even steps, as the indices of a picture show them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters
from companion.vision.assembly.poses import IndexPoses
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


def row_gaps(poses: IndexPoses) -> list[tuple[int, int]]:
    """Neighbours of an evenly laid row between which one card is missing: their step is twice that of those around.

    Cards of the row lie over each other; at least three steps, before and behind, say how far.
    """
    offsets, alignment = poses.offsets
    x, y = offsets[..., 0], np.abs(offsets[..., 1])
    ahead = np.where(
        (alignment > parameters.ROW_SAME_WAY) & (x > 1.0) & (y < np.maximum(parameters.BETWEEN_ASIDE_MM, 0.5 * x)),
        x,
        np.inf,
    )
    if not len(ahead):
        return []
    following = ahead.argmin(axis=1)
    lengths = ahead[np.arange(len(ahead)), following]
    before = {int(one): number for number, one in enumerate(following) if np.isfinite(lengths[number])}
    found = []
    for number in np.flatnonzero(np.isfinite(lengths)).tolist():
        around, back, forth = [], number, int(following[number])
        for _ in range(2):
            if back in before:
                back = before[back]
                around.append(float(lengths[back]))
            if np.isfinite(lengths[forth]):
                around.append(float(lengths[forth]))
                forth = int(following[forth])
        usual = float(np.median(around)) if len(around) > 2 else np.inf
        even = all(abs(one - usual) < parameters.EVEN_STEPS * usual for one in around)
        if (
            usual < parameters.NARROW_STEP_MM
            and even
            and abs(lengths[number] - 2 * usual) < parameters.EVEN_STEPS * usual
        ):
            found.append((number, int(following[number])))
    return found
