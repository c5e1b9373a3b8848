"""Whether what was read at two places may be two corners of one and the same card."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from companion.vision.assembly import parameters
from companion.vision.assembly.instances import CardInstance
from companion.vision.assembly.plane import TablePlane
from companion.vision.assembly.prints import usual_spacing
from companion.vision.assembly.row_pattern import RowPattern
from companion.vision.geometry import Array, CornerPosition, locate_on_card
from companion.vision.types import Side


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


def may_be_one(one: CardInstance, other: CardInstance) -> bool:
    """True where what was read of two instances may be two corners of one card, as exactly as the table is known."""
    plane = one.hypothesis.plane
    residuals = _residuals(one, other)
    if (_residuals(one, other, plane.with_corner_count(range(len(plane.prints)), 4)) < parameters.CORNERS_MM).any():
        return True
    places, others = one.readable_indices, other.readable_indices
    if (
        len(others) > 1 and places and plane.card_outline(others)[1] < parameters.CORNERS_MM / 2
    ):  # so all corners of that card are known
        return min(plane.card_outline([*others, place])[1] for place in places) < parameters.DOUBTFUL_CORNERS_MM / 2
    backed = Side.DOWN in (one.hypothesis.side, other.hypothesis.side)  # so that outline is of the back beside it
    facing = backed and bool(np.isfinite(residuals).any())
    return bool((residuals < parameters.DOUBTFUL_CORNERS_MM).any()) or facing or _of_some_print(one, other)


def _of_some_print(one: CardInstance, other: CardInstance) -> bool:
    """True where an index of each may be corners of one card of a print that no other card on the table shows."""
    poses = one.hypothesis.plane.poses([*one.readable_indices, *other.readable_indices])
    offsets, alignment = (array[: len(one.readable_indices), len(one.readable_indices) :] for array in poses.offsets)
    sizes = np.exp((np.log(poses.sizes)[: len(offsets), None] + np.log(poses.sizes)[None, len(offsets) :]) / 2)
    away = (
        np.abs(np.stack([np.abs(offsets[..., 0]), offsets[..., 1]], axis=2) - usual_spacing(sizes))
        < parameters.SPACINGS_MM
    )
    level = np.abs(offsets) < parameters.CORNERS_MM
    beside = (alignment > parameters.SAME_WAY) & level[..., 1] & away[..., 0]
    opposite = (alignment < -parameters.SAME_WAY) & away[..., 1] & (level[..., 0] | away[..., 0])
    return bool((beside | opposite).any())


def at_free_corners(one: CardInstance, other: CardInstance) -> bool:
    """True where an instance without a clear outline shows indices only where a clearly outlined card may have its
    own."""
    hypothesis = other.hypothesis
    clear = hypothesis.body_visible and hypothesis.side is Side.UP and hypothesis.score >= parameters.CONFIRMED_OUTLINE
    if not clear or one.hypothesis.score > parameters.OWN_OUTLINE_SCORE:
        return False
    positions, found = (
        [locate_on_card(hypothesis.outline, place) for place in instance.readable_indices] for instance in (one, other)
    )
    own = [position for position in found if position is not None]
    return bool(positions and own) and all(
        position is not None and _in_free_corner(position, own) for position in positions
    )


def _in_free_corner(position: CornerPosition, own: Sequence[CornerPosition]) -> bool:
    """True where a card has none of its `own` indices in that corner, and one as far from its corner."""
    away = min(float(np.hypot(position.x - other.x, position.y - other.y)) for other in own)
    return away < parameters.SAME_DEPTH_MM and all(position.corner != other.corner for other in own)


def _residuals(one: CardInstance, other: CardInstance, plane: TablePlane | None = None) -> Array:
    """By how much (mm) each readable index of one instance misses lying as another corner of the other."""
    places, others = one.readable_indices, other.readable_indices
    plane = plane or max(one.hypothesis.plane, other.hypothesis.plane, key=lambda plane: plane.corners)
    return plane.residuals([*places, *others])[: len(places), len(places) :]
