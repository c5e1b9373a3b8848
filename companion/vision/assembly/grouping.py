"""Which indices are corners of one card: the best fitting pairs first, and all of a group must fit each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters
from companion.vision.assembly.hypotheses import IndexConflicts
from companion.vision.assembly.outlines import overlaps
from companion.vision.assembly.plane import TablePlane
from companion.vision.assembly.poses import IndexPoses, separated_by_third
from companion.vision.assembly.prints import spacings_across
from companion.vision.assembly.rows import repeats_row_step
from companion.vision.geometry import Array


def group_indices(
    plane: TablePlane,
    faces: Sequence[Array],
    poses: IndexPoses,
    conflicts: IndexConflicts,
    known: Sequence[Sequence[int]] = (),
) -> list[list[int]]:
    """Sort indices (numbers) into cards: the best fitting pairs first, and all of a card must fit each other.

    Those of cards that are `known` stay alone.
    """
    away = plane.residuals(poses)
    taken = [number for group in known for number in group]
    away[taken], away[:, taken] = np.inf, np.inf
    beside = poses.directions @ poses.directions.T > 0  # as only four-corner prints have it, and neighbours of a row
    offsets, alignment = poses.offsets
    rows = repeats_row_step(
        offsets,
        offsets[conflicts.certain & (alignment > parameters.SAME_WAY)],
        spacings_across(plane.prints, poses.sizes),
    )
    forbidden = np.where(beside, conflicts.conflicting | rows, conflicts.certain)
    near = np.argwhere(np.triu(away < parameters.CORNERS_OUTLINED_MM) & ~forbidden)
    pairs = []
    for (a, b), share in zip(near.tolist(), overlaps(plane, poses, near.tolist(), faces), strict=True):
        error, seen = float(away[a, b]), share > parameters.CONFIRMING_IOU
        if error < (parameters.CORNERS_OUTLINED_MM if seen else parameters.CORNERS_MM):
            pairs.append((error, a, b))
    may = {(a, b) for _, a, b in pairs} | {(b, a) for _, a, b in pairs}
    may -= _crossing_diagonals(offsets, alignment, conflicts.conflicting, may)
    group = {number: [number] for number in range(len(poses.sizes))}
    for _, a, b in sorted(pairs):
        joined = sorted({*group[a], *group[b]})
        if group[a] is group[b] or len(joined) > 4 or not may.issuperset(combinations(joined, 2)):
            continue
        if len(joined) == 2 or plane.card_outlines(poses, np.array([joined]))[1][0] < parameters.CORNERS_MM:
            group |= dict.fromkeys(joined, joined)
    return sorted({tuple(members): members for members in group.values()}.values())


def _crossing_diagonals(
    offsets: Array, alignment: Array, conflicting: NDArray[np.bool_], may: set[tuple[int, int]]
) -> set[tuple[int, int]]:
    """The diagonals (a, c) among pairs that `may` be corners of one card where two equal cards show two corners each.

    Those are a with d below it, and b with c; that they are two shows what lies between a and b and between c and d.
    `offsets`, `alignment`: see `IndexPoses.offsets`.
    """
    below: dict[int, list[int]] = {}
    for a, b in may:
        if abs(offsets[a, b, 0]) < parameters.BELOW_MM:
            below.setdefault(a, []).append(b)
    found = [
        (a, c, b, d)
        for a, c in may
        if abs(offsets[a, c, 0]) >= parameters.BELOW_MM and alignment[a, c] < 0
        for b in below.get(c, ())
        for d in below.get(a, ())
        if not conflicting[a, b] and not conflicting[c, d]
    ]
    if not found:
        return set()
    corners = np.array(found, np.intp)
    two = separated_by_third(offsets, alignment, corners[:, [0, 2]]) & separated_by_third(
        offsets, alignment, corners[:, [1, 3]]
    )
    crossed = corners[two][:, :2].tolist()
    return {(a, c) for a, c in crossed} | {(c, a) for a, c in crossed}
