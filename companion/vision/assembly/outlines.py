"""The outlines that groups of indices make, beside those that the detector saw."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.vision import parameters as common
from companion.vision.assembly import parameters
from companion.vision.assembly.plane import TablePlane
from companion.vision.assembly.poses import IndexPoses
from companion.vision.geometry import Array, area, iou, lengths


def outlines_and_overlaps(
    plane: TablePlane, poses: IndexPoses, groups: Sequence[Sequence[int]], faces: Sequence[Array]
) -> tuple[list[Array], list[float]]:
    """The outlines (px) that groups of indices make, and what each shares with the nearest of `faces` (IoU)."""
    outlines, shares = [np.empty((4, 2))] * len(groups), [0.0] * len(groups)
    for size in {len(group) for group in groups}:
        which = [number for number, group in enumerate(groups) if len(group) == size]
        members = np.array([groups[number] for number in which], np.intp)
        near = _nearest(faces, plane.to_px(poses.centres[members].mean(axis=1))) if faces else None
        made, _ = plane.card_outlines(poses, members, near)
        for row, number in enumerate(which):
            outlines[number] = made[row]
            shares[number] = 0.0 if near is None else iou(made[row], near[row])
    return outlines, shares


def outlines_of(
    plane: TablePlane, poses: IndexPoses, groups: Sequence[Sequence[int]], faces: Sequence[Array]
) -> list[Array]:
    """The outlines (px) that groups of indices make.

    Two indices at one side of a card leave open to which side it lies: no two cards take one of the detector's
    outlines, and those that fit best come first. Indices in no group have a say too.
    """
    outlines = outlines_and_overlaps(plane, poses, groups, faces)[0]
    if not faces or not groups:
        return outlines
    grouped = {number for group in groups for number in group}
    every = [*groups, *([number] for number in range(len(poses.sizes)) if number not in grouped)]
    rows, made = [], []
    for size in {len(group) for group in every}:
        which = [number for number, group in enumerate(every) if len(group) == size]
        both_placements, errors = plane.both_placements(poses, np.array([every[number] for number in which], np.intp))
        for row, side in np.argwhere(plane.as_good_as_best(errors)).tolist():
            rows.append(which[row])
            made.append(both_placements[row, side])
    corner_gaps_mm = plane.corner_gaps_mm(np.stack(made)[:, None], np.stack(faces))
    taken, done = set[int](), set[int]()
    for row, face in sorted(
        np.argwhere(corner_gaps_mm < parameters.CLAIM_MM).tolist(), key=lambda pair: float(corner_gaps_mm[*pair])
    ):
        number = rows[row]
        if number not in done and face not in taken:
            done.add(number)
            taken.add(face)
            if number < len(groups):
                outlines[number] = made[row]
    for row, number in enumerate(rows):  # no two cards lie in one place
        if number < len(groups) and number not in done and _covered(outlines[number], outlines, number):
            outlines[number] = outlines[number] if _covered(made[row], outlines, number) else made[row]
    return outlines


def _covered(outline: Array, others: Sequence[Array], own: int) -> bool:
    """True where one of the others, except number `own`, hides an outline that it lies over."""
    way = np.stack(others).mean(axis=1) - outline.mean(axis=0)
    near = np.flatnonzero((way**2).sum(axis=1) < 0.1 * abs(area(outline)))  # farther apart they do not share enough
    return any(iou(outline, others[number]) > common.HIDDEN_IOU for number in near.tolist() if number != own)


def _nearest(quads: Sequence[Array], points: Array) -> Array:
    """The quad (4, 2) whose middle is nearest to each of the points (n, 2): (n, 4, 2)."""
    every = np.stack(quads)
    way = every.mean(axis=1) - points[:, None]
    return np.asarray(every[lengths(way).argmin(axis=1)], np.float64)
