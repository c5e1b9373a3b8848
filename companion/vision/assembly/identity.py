"""Whether what was read at two places may be two corners of one and the same card."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from companion.vision.assembly import parameters
from companion.vision.assembly.instances import CardInstance
from companion.vision.assembly.plane import TablePlane
from companion.vision.assembly.row_pattern import RowPattern
from companion.vision.geometry import Array


def opposite_corners(instances: Sequence[CardInstance]) -> dict[CardInstance, list[tuple[CardInstance, float]]]:
    """Which others may show the opposite corner of those that show one index, and how far (mm) they miss its place."""
    singles = [one for one in instances if len(one.readable_indices) == 1]
    if len(singles) < 2:
        return {}
    plane = max((one.hypothesis.plane for one in singles), key=lambda plane: plane.corners)
    places = [one.readable_indices[0] for one in singles]
    poses = plane.poses(places)
    away = np.where(poses.offsets[1] < 0, plane.residuals(poses), np.inf)
    return {
        one: [
            (singles[other], float(row[other]))
            for other in np.flatnonzero(row < parameters.DOUBTFUL_CORNERS_MM).tolist()
        ]
        for one, row in zip(singles, away, strict=True)
    }


def is_another_corner_of(one: CardInstance, other: CardInstance, rows: Callable[[], RowPattern]) -> bool:
    """True where all that was read of an instance is another corner of a card that was read the same.

    Its place decides; that the names agree is only what two corners of one card must do.
    """
    if not one.classification.candidates or not other.classification.candidates:
        return False
    if one.classification.candidates[0].face != other.classification.candidates[0].face or not one.readable_indices:
        return False
    if not (_residuals(one, other).min(axis=1, initial=np.inf) < parameters.CORNERS_MM).all() or rows().two(one, other):
        return False
    return (
        one.hypothesis.plane.card_outline([*other.readable_indices, *one.readable_indices])[1] < parameters.CORNERS_MM
    )


def _residuals(one: CardInstance, other: CardInstance, plane: TablePlane | None = None) -> Array:
    """By how much (mm) each readable index of one instance misses lying as another corner of the other."""
    places, others = one.readable_indices, other.readable_indices
    plane = plane or max(one.hypothesis.plane, other.hypothesis.plane, key=lambda plane: plane.corners)
    return plane.residuals([*places, *others])[: len(places), len(places) :]
