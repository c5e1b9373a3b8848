"""Which indices may be two corners of one card while the table's plane is still being fitted: by place, and by name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters
from companion.vision.assembly.plane_model import on_table
from companion.vision.assembly.poses import IndexPoses, separated_by_third
from companion.vision.assembly.rows import repeats_row_step
from companion.vision.geometry import Array, along_and_aside, axes, lengths, points_inside

NO_PAIRS = np.empty((0, 3), np.intp)


def pairs_by_place(
    p: Array, poses: Array, conflicting: NDArray[np.bool_] | None, length: float, turn: float
) -> NDArray[np.intp]:
    """Indices that may be two of one card on this table, each with its best partners: rows (first, second, kind).

    Kinds: 0 beside each other, 1 below each other, 2 diagonal, 3 the other diagonal (four-corner prints).
    """
    if len(poses) < 2:
        return np.empty((0, 3), np.intp)
    flat = on_table(p, poses).T
    offsets, alignment = IndexPoses.of(np.stack([flat.real, flat.imag], axis=2)).offsets
    aside, along = float(np.exp(p[8])), float(np.exp(p[9]))
    found = []
    for kind, (x, y) in enumerate(((aside, 0.0), (0.0, along), (aside, along), (-aside, along))):
        away = lengths(offsets - [x, y])
        away[(alignment < parameters.PAIR_SAME_WAY) if kind == 0 else (alignment > -parameters.PAIR_SAME_WAY)] = np.inf
        np.fill_diagonal(away, np.inf)
        if conflicting is not None:
            away[conflicting] = np.inf
            if kind == 0:
                away[
                    repeats_row_step(offsets, offsets[conflicting & (alignment > parameters.PAIR_SAME_WAY)], aside)
                ] = np.inf
        reach = np.hypot(x, y) * min(length, turn)
        best = away.argmin(axis=1)
        rows = np.arange(len(poses))
        mutual = (away[rows, best] < reach) & ((best[best] == rows) if kind else True)
        if kind:
            mutual &= rows < best
        else:
            mutual &= ~separated_by_third(offsets, alignment, np.column_stack([rows, best]))
        found.append(np.column_stack([rows[mutual], best[mutual], np.full(int(mutual.sum()), kind)]))
    return np.concatenate(found).astype(np.intp)


def pairs_by_face(poses: Array, conflicting: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """Indices that are corners of one card because no others were read like them: rows (first, second, kind).

    Kinds as in `pairs_by_place`. Two, three or four indices of one face that lie within a card's reach of each other;
    four are two equal cards, where most faces show two. Where as many show two as more, either may be: both are given.
    """
    across, down = axes(poses)
    tall = lengths(down)
    centres = poses.mean(axis=1)
    away, level = (
        lengths(centres - centres[:, None]),
        np.abs(down @ down.T) > parameters.PAIR_SAME_WAY * np.outer(tall, tall),
    )
    pairs: list[tuple[int, int, int]] = []
    same_side: list[tuple[int, int, int]] = []
    rows: list[tuple[int, int, int]] = []
    sets, done = 0, set[int]()
    for number in range(len(poses)):
        same_face = np.flatnonzero(~conflicting[number])
        if number in done or not 2 <= len(same_face) <= 4:
            continue
        done.update(same_face.tolist())
        own, each = tall[same_face], (same_face[:, None], same_face)
        if away[each].max() > parameters.PAIR_REACH * own.mean() or own.max() > 2 * own.min() or not level[each].all():
            continue
        upper = [int(n) for n in same_face if down[n] @ down[same_face[0]] > 0]
        lower = [int(n) for n in same_face if n not in upper]
        aside = across[upper[0]] / max(float(across[upper[0]] @ across[upper[0]]), 1e-12)
        upper.sort(key=lambda n: float(centres[n] @ aside))
        lower.sort(key=lambda n: float(centres[n] @ aside))
        if len(same_face) == 2:
            if len(lower) == 1:
                right = float((centres[lower[0]] - centres[upper[0]]) @ aside)
                pairs += [(upper[0], lower[0], 2)] if right > parameters.PAIR_ASIDE else []
                same_side += [(upper[0], lower[0], 1)] if abs(right) < parameters.PAIR_ASIDE else []
        elif len(upper) <= 2 and len(lower) <= 2:
            strange = np.flatnonzero(conflicting[number])
            levels = [centres[[level[0], level[-1]]] for level in (upper, lower) if level]
            if any(_between(ends, centres[strange], tall[number]) for ends in levels):
                continue  # two equal cards of a row, with others between them
            sets += 1
            rows += _rows_of(upper, lower, centres)
    if len(same_side) > max(2, len(pairs)):  # a row of four-cornered cards, each over one side of the last
        pairs += same_side
    ways = [pairs] if len(pairs) > sets else [rows, pairs] if len(pairs) == sets else [rows]
    return [np.array(way, np.intp).reshape(-1, 3) for way in ways]


def pairs_cut_off(
    outlines: Array, poses: Array, conflicting: NDArray[np.bool_], size: tuple[int, ...]
) -> NDArray[np.intp]:
    """Upper corners of four-cornered cards whose lower ones lie outside the picture: rows (first, second, kind).

    Kinds as in `pairs_by_place`. Two indices and no third were read alike, read the same way and lie level, no farther
    apart than a card's are; the other end of a card that has both is cut off. An outline about one that reaches away
    from the other is of a further, equal card. `outlines` (m, 4, 2) and `poses` (n, 4, 2) px; `conflicting` (n, n):
    indices that are not on one card; `size`: the picture's height and width, px.
    """
    across, down = axes(poses)
    wide, tall = lengths(across), lengths(down)
    centres = poses.mean(axis=1)
    middles, held = outlines.mean(axis=1), points_inside(outlines, centres)
    out = []
    for first in range(len(poses)):
        same_face = np.flatnonzero(~conflicting[first]).tolist()
        if len(same_face) != 2 or same_face[0] != first:
            continue
        second = same_face[1]
        if down[first] @ down[second] <= parameters.PAIR_SAME_WAY * tall[first] * tall[second]:
            continue
        pair, way = np.array(same_face), centres[second] - centres[first]
        apart = float(np.linalg.norm(way))
        level = np.abs(across[pair] @ way) > parameters.PAIR_SAME_WAY * apart * wide[pair]
        if not level.all() or apart > parameters.PAIR_REACH / 2 * tall[pair].mean():
            continue
        own, others = (middles[held[:, number]] - centres[number] for number in same_face)
        if (own @ way < 0).any() or (others @ way > 0).any():
            continue
        end = (centres + apart * down / np.maximum(tall, 1e-9)[:, None])[pair].mean(axis=0)
        if (end < 0).any() or (end > size[1::-1]).any():
            out.append((*(same_face if way @ across[first] > 0 else same_face[::-1]), 0))
    return np.array(out, np.intp).reshape(-1, 3)


def _rows_of(upper: list[int], lower: list[int], centres: Array) -> list[tuple[int, int, int]]:
    """The pairs among three or four corners of one card, each row of them sorted along its reading direction."""
    if len(upper) == 1:
        upper, lower = lower[::-1], upper  # turned by half, so that two read upwards
    rows = [(upper[0], upper[1], 0)]
    if len(lower) == 2:
        rows += [(lower[1], lower[0], 0), (upper[0], lower[0], 1), (upper[1], lower[1], 1)]
        return [*rows, (upper[0], lower[1], 2), (upper[1], lower[0], 3)]
    near = int(np.argmin([float(np.linalg.norm(centres[lower[0]] - centres[n])) for n in upper]))
    return [*rows, (upper[near], lower[0], 1), (upper[1 - near], lower[0], 2 if near else 3)]


def _between(ends: Array, points: Array, tall: float) -> bool:
    """True where some of the points (n, 2) lie between two ends (2, 2), less aside than half an index is `tall`."""
    along, aside, length = along_and_aside(ends[0], ends[1], points)
    return bool(
        (
            (along > parameters.BETWEEN_ENDS * length)
            & (along < (1 - parameters.BETWEEN_ENDS) * length)
            & (aside < 0.5 * tall)
        ).any()
    )
