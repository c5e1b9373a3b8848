"""Which detections are one instance: non-maximum suppression by keypoints, and the mean of what agrees.

A box test would kill fanned cards, whose boxes overlap almost wholly; their corners differ. All functions take many
quads at once, as a picture holds hundreds of detections and ten are read in a second.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.vision.geometry import TURNS, Array, areas, axes, dots, lengths, overlap
from companion.vision.reading import parameters

_AT_ONCE = 16
"""So many of the best quads are compared with all others at once."""


def cluster_by_corners(quads: Array, scores: ArrayLike, nearest: float) -> list[list[int]]:
    """Groups of quads (n, 4, 2) that are one instance, the best of each group first, the best group first.

    `nearest` is the largest mean distance of corners, as a share of the quads' size. A quad that lies almost wholly
    inside a clearly larger one goes altogether: it is a picture or frame printed on that card.
    """
    if not len(quads):
        return []
    order = np.argsort(-np.asarray(scores, np.float64), kind="stable")
    every = quads[order]
    sizes, middles = np.sqrt(np.maximum(np.abs(areas(every)), 1e-9)), every.mean(axis=1)
    waiting = np.arange(len(every))
    groups: list[list[int]] = []
    while len(waiting):
        best = waiting[:_AT_ONCE]
        reach = nearest * np.maximum(sizes[waiting], sizes[best, None])
        way = middles[waiting] - middles[best, None]
        near = (lengths(way) <= reach).nonzero()  # corners lie no nearer on average than middles
        same = _corner_distances(every[waiting[near[1]]], every[best[near[0]]]) < reach[near]
        numbers, others = near[0][same], near[1][same].tolist()
        ends = np.searchsorted(numbers, np.arange(len(best) + 1)).tolist()
        gone = [False] * len(waiting)
        for number in range(len(best)):
            if not gone[number]:
                members = [other for other in others[ends[number] : ends[number + 1]] if not gone[other]]
                groups.append(order[waiting[members]].tolist())
                for member in members:
                    gone[member] = True
        waiting = waiting[~np.array(gone)]
    printed = _printed(quads[[group[0] for group in groups]])
    return [group for number, group in enumerate(groups) if number not in printed]


def _corner_distances(quads: Array, best: Array) -> Array:
    """Mean distance (n,) of the corners of quads (n, 4, 2) from those of `best` (n, 4, 2), px; the best turn counts."""
    step = quads[:, None] - best[:, TURNS]
    return np.asarray(lengths(step).sum(axis=2).min(axis=1) / 4, np.float64)


def _printed(best: Array) -> set[int]:
    """The numbers of the quads (n, 4, 2), the clearest first, that are printed on another, clearly larger one.

    A larger one around several that are clearer than it and lie apart is no card: a ground on which cards lie.
    """
    sizes = np.abs(areas(best))
    low, high = best.min(axis=1), best.max(axis=1)
    slack = parameters.NESTED_SLACK * (high - low)
    within = sizes[:, None] < parameters.NESTED_SIZE * sizes
    for axis in (0, 1):
        within &= low[:, axis] <= (low + slack)[:, None, axis]
        within &= high[:, axis] >= (high - slack)[:, None, axis]
    held: dict[int, list[int]] = {}
    for number, other in np.argwhere(within).tolist():
        if overlap(best[number], best[other]) > parameters.NESTED_SHARE * sizes[number]:
            held.setdefault(other, []).append(number)
    grounds = {other for other, inner in held.items() if _apart(best[[n for n in inner if n < other]])}
    return grounds | {number for other, inner in held.items() if other not in grounds for number in inner}


def _apart(quads: Array) -> bool:
    """True where two of the quads (n, 4, 2) hardly overlap."""
    if (quads.min(axis=1)[:, None] >= quads.max(axis=1)).any():
        return True
    sizes = np.abs(areas(quads)).tolist()
    return any(
        overlap(quads[one], quads[other]) < parameters.APART_SHARE * min(sizes[one], sizes[other])
        for one in range(len(quads))
        for other in range(one)
    )


def consensus(quads: Array, weights: Array) -> Array:
    """The weighted means (groups, 4, 2) of quads (groups, members, 4, 2), each first turned to match its group's first.

    A weight (groups, members) of 0 leaves a member out; the first member's must not be 0.
    """
    turned = quads[:, :, TURNS]
    step = turned - quads[:, :1, None]
    best = lengths(step).sum(axis=3).argmin(axis=2)
    chosen = np.take_along_axis(turned, best[:, :, None, None, None], axis=2)[:, :, 0]
    total = weights.sum(axis=1)[:, None, None]
    return np.asarray((chosen * weights[:, :, None, None]).sum(axis=1) / total, np.float64)


def same_printed_index(quads: Array, best: Array, reach: tuple[float, float] | None = None) -> NDArray[np.bool_]:
    """Which index quads (…, 4, 2) show the same printed index as `best` (…, 4, 2): two of two cards lie farther apart.

    The next card of a fan leaves a whole index to be seen, so it lies at least a width aside (that much only where
    indices are large), or half a height further down: `reach`.
    """
    reach = parameters.SAME_PRINTED_REACH if reach is None else reach
    (across, down), (_, downs) = axes(best), axes(quads)
    wide, tall = np.maximum(lengths(across), 1e-9), np.maximum(lengths(down), 1e-9)
    step = quads.mean(axis=-2) - best.mean(axis=-2)
    aside, along = np.abs(dots(step, across)) / wide**2, np.abs(dots(step, down)) / tall**2
    alike = dots(downs, down) > 0.5 * tall * np.maximum(lengths(downs), 1e-9)
    return np.asarray(alike & (aside < reach[0]) & (along < reach[1]), np.bool_)
