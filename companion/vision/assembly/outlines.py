"""The outlines that groups of indices make, beside those that the detector saw."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.vision import parameters as common
from companion.vision.assembly import parameters
from companion.vision.assembly.plane import TablePlane
from companion.vision.assembly.poses import IndexPoses
from companion.vision.assembly.sides import wrong_sides
from companion.vision.geometry import Array, area, iou, ious, lengths


def overlaps(
    plane: TablePlane, poses: IndexPoses, groups: Sequence[Sequence[int]], faces: Sequence[Array]
) -> list[float]:
    """What the outlines that groups of indices make share with the nearest of `faces` each (IoU)."""
    if not groups or not faces:
        return [0.0] * len(groups)
    outlines, near = outlines_and_faces(plane, poses, groups, faces)
    shares: list[float] = ious(np.stack(outlines), np.stack(near)).tolist()
    return shares


def outlines_and_faces(
    plane: TablePlane, poses: IndexPoses, groups: Sequence[Sequence[int]], faces: Sequence[Array]
) -> tuple[list[Array], list[Array]]:
    """The outlines (px) that groups of indices make, and which of `faces` is nearest to each, if there are any."""
    outlines, nearest = ([np.empty((4, 2))] * len(groups) for _ in range(2))
    for size in {len(group) for group in groups}:
        which = [number for number, group in enumerate(groups) if len(group) == size]
        members = np.array([groups[number] for number in which], np.intp)
        near = _nearest(faces, plane.to_px(poses.centres[members].mean(axis=1))) if faces else None
        made, _ = plane.card_outlines(poses, members, near)
        for row, number in enumerate(which):
            outlines[number] = made[row]
            nearest[number] = made[row] if near is None else near[row]
    return outlines, nearest


def outlines_of(
    plane: TablePlane,
    poses: IndexPoses,
    groups: Sequence[Sequence[int]],
    faces: Sequence[Array],
    bright: NDArray[np.uint8],
) -> list[Array]:
    """The outlines (px) that groups of indices make; `bright`: the picture as `edges.min_channel` sees it.

    Two indices at one side of a card leave open to which side it lies: where its paper shows (`sides`); and no two
    cards take one of the detector's outlines, and those that fit best come first. Indices in no group have a say too.
    """
    outlines = outlines_and_faces(plane, poses, groups, faces)[0]
    if not faces or not groups:
        return outlines
    grouped = {number for group in groups for number in group}
    every = [*groups, *([number] for number in range(len(poses.sizes)) if number not in grouped)]
    rows, made = [], []
    for size in {len(group) for group in every}:
        which = [number for number, group in enumerate(every) if len(group) == size]
        members = np.array([every[number] for number in which], np.intp)
        both_placements, errors = plane.both_placements(poses, members)
        good = plane.as_good_as_best(errors)
        either = good.all(axis=1) & (size > 1)
        if either.any():
            middles = poses.centres[members[either]].mean(axis=1)
            good[either] = ~wrong_sides(plane, middles, both_placements[either], bright)
        for row, side in np.argwhere(good).tolist():
            rows.append(which[row])
            made.append(both_placements[row, side])
            if size > 1 and not good[row].all():
                outlines[which[row]] = made[-1]
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
