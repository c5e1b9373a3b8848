"""In how many corners a print carries its index, as its cards on this table show: in all four, or in two diagonally."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.vision.assembly import parameters
from companion.vision.assembly.hypotheses import IndexConflicts
from companion.vision.assembly.outlines import outlines_and_faces
from companion.vision.assembly.plane import TablePlane
from companion.vision.assembly.poses import IndexPoses
from companion.vision.assembly.prints import mean_size, nearest_print, residuals
from companion.vision.geometry import Array, corner_windows, locate_on_card, points_inside


def four_corner_cards(
    outlines: Sequence[Array], indices: Sequence[Array], conflicts: IndexConflicts
) -> list[list[int]]:
    """Cards that show all four corners: an outline with four indices (numbers) read alike, one as far in each corner.

    The first is the upper left one, and so on around the card. No two cards lie so, whatever their print.
    """
    if not outlines or len(indices) < 4:
        return []
    found: list[list[int]] = []
    taken = set[int]()
    for outline, row in zip(outlines, points_inside(np.stack(outlines), np.stack(indices).mean(axis=1)), strict=True):
        held = [number for number in np.flatnonzero(row).tolist() if number not in taken]
        if len(held) < 4:
            continue
        positions = {
            number: position for number in held if (position := locate_on_card(outline, indices[number])) is not None
        }
        for first in [number for number, position in positions.items() if position.corner == 0]:
            same_face = [number for number in positions if not conflicts.conflicting[first, number]]
            four = sorted(same_face, key=lambda number: positions[number].corner)
            if [positions[number].corner for number in four] != [0, 1, 2, 3]:
                continue
            places = np.array([(positions[number].x, positions[number].y) for number in four])
            if np.hypot(*np.ptp(places, axis=0)) < parameters.SAME_DEPTH_MM:
                found.append(four)
                taken.update(four)
    return found


def two_corner_prints(
    plane: TablePlane,
    poses: IndexPoses,
    indices: Sequence[Array],
    groups: Sequence[list[int]],
    outlines: Sequence[Array],
    size: tuple[int, ...],
) -> TablePlane:
    """The table with those of its prints known for two-cornered of which nearly every pair of indices is a diagonal.

    A few cards with three corners or four do not count among many such pairs: they are of another print. Two corners
    that lie open and empty, as far as the detector's `outlines` and the picture's `size` (height, width; px) tell,
    weigh as much as a pair.
    """
    strict = plane.with_corner_count(range(len(plane.prints)), 2)
    errors, two, bare = residuals(poses, strict.prints), set[int](), set[int]()
    prints = [int(nearest_print(plane.prints, mean_size(poses.sizes[group]))) for group in groups]
    empty = _empty_corners(groups, outlines_and_faces(plane, poses, groups, outlines)[0], indices, outlines, size)
    for number in set(prints):
        own = [(group, lies) for group, which, lies in zip(groups, prints, empty, strict=True) if which == number]
        pairs = [
            (bool(errors[tuple(group)] < parameters.CORNERS_OUTLINED_MM), lies)
            for group, lies in own
            if len(group) == 2
        ]
        diagonal = sum(fits for fits, _ in pairs)
        shown, level = sum(fits and lies for fits, lies in pairs), len(pairs) - diagonal
        if diagonal + shown > level < 2 and diagonal + shown > parameters.MANY_DIAGONALS * (len(own) - len(pairs)):
            two.add(number)
            bare |= {number} if shown and len(own) == len(pairs) else set()
    return plane.with_corner_count(two, 2, bare) if two else plane


def _empty_corners(
    groups: Sequence[Sequence[int]],
    cards: Sequence[Array],
    indices: Sequence[Array],
    outlines: Sequence[Array],
    size: tuple[int, ...],
) -> list[bool]:
    """Which cards show two corners where no index is, within the picture and with no other outline over them.

    An outline in which one of a card's indices is seen lies under it.
    """
    if not groups:
        return []
    middles, every = np.stack(indices).mean(axis=1), np.stack([*outlines, *cards])
    windows = corner_windows(np.array(cards)).reshape(-1, 4, 2)
    positions = windows.mean(axis=1)
    holds, hides = points_inside(every, middles), points_inside(every, positions)
    shown = (
        (positions > 0).all(axis=1)
        & (positions < size[::-1]).all(axis=1)
        & ~points_inside(windows, middles).any(axis=1)
    )
    out = []
    for number, group in enumerate(groups):
        own = slice(4 * number, 4 * number + 4)
        over = ~holds[:, list(group)].any(axis=1)
        out.append(int((shown[own] & ~hides[over, own].any(axis=0)).sum()) == 2)
    return out
