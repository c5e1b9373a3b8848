"""Fits the table's homography: damped Gauss-Newton with a robust loss, from several starts (see `plane_model`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters
from companion.vision.assembly.index_pairs import NO_PAIRS, pairs_by_face, pairs_by_place
from companion.vision.assembly.plane_model import START, USUAL_INDEX, homography_matrix, prior_mean, residual_rows
from companion.vision.geometry import CARD_MM, Array, areas, axes, lengths

_AHEAD, _ASIDE = np.pi / 2, (0.0, np.pi / 4, 3 * np.pi / 4)
"""Cameras look down at a slant, mostly ahead: directions in which the table is tried to be longer than it seems."""


def fit_parameters(
    cards: Array, poses: Array, conflicting: NDArray[np.bool_] | None, known: NDArray[np.intp] = NO_PAIRS
) -> Array:
    """The parameters of the table on which outlines (n, 4, 2) and indices (m, 4, 2) fit best, in any unit.

    `conflicting` (m, m): indices that are not on one card; `known`: pairs of one card (see `pairs_by_place`).
    """
    start = START.copy()
    if len(cards):
        start[0] = 0.5 * float(np.log(CARD_MM[0] * CARD_MM[1] / np.median(np.abs(areas(cards)))))
    else:
        start[0] = float(np.log(USUAL_INDEX[1] / np.median(lengths(axes(poses)[1]))))
    points, count = np.concatenate([cards, poses]), len(cards)
    trials = [start, _tilted(start, _AHEAD)]
    others = [_tilted(start, tilt) for tilt in _ASIDE]
    ways = (
        [NO_PAIRS]
        if conflicting is None
        else [way for way in pairs_by_face(poses, conflicting) if len(way)] or [NO_PAIRS]
    )
    if not any((way[:, 2] == 2).any() and (way[:, 2] > 0).all() for way in ways):  # that print has two corners
        ways = [np.concatenate([way, known]) for way in ways]
    ends = [_gauss_newton([*trials, *others] if len(way) else trials, points, count, way, len(way)) for way in ways]
    chosen = 0
    if len(ways) > 1:  # the outlines and the indices by themselves tell which it is
        plain = [_gauss_newton([end], points, count, NO_PAIRS, len(ways[0]), rounds=0)[1] for end, _ in ends]
        chosen = int(np.argmin(plain))
    named, (found, _) = ways[chosen], ends[chosen]
    for length, turn in parameters.PAIR_REACHES:
        pairs = np.concatenate([named, pairs_by_place(found, poses, conflicting, length, turn)])
        if not len(pairs):
            break
        found, _ = _gauss_newton([found], points, count, pairs, len(named))
    return found


def _tilted(p: Array, tilt: float) -> Array:
    """The parameters of a table that reaches away by two thirds more in direction `tilt` (rad)."""
    c, s = np.cos(tilt), np.sin(tilt)
    longer = np.eye(2) + parameters.TILTED_STARTS * np.outer([c, s], [c, s])
    upper = np.linalg.qr(homography_matrix(p)[:2, :2] @ longer)[1]
    upper = upper * np.sign(np.diag(upper))[:, None]
    out = p.copy()
    out[0] = 0.5 * np.log(upper[0, 0] * upper[1, 1])
    out[1] = 0.5 * np.log(upper[0, 0] / upper[1, 1])
    out[2] = upper[0, 1] / np.exp(out[0])
    return out


def _gauss_newton(
    starts: Sequence[Array],
    points: Array,
    cards: int,
    pairs: NDArray[np.intp],
    sure: int,
    rounds: int | None = None,
) -> tuple[Array, float]:
    """Gauss-Newton with damping from each start, or from the likeliest two where pairs are `sure`: best end, its cost.

    `points`, `cards`, `pairs`: see `residual_rows`. Each measurement weighs less the worse it fits (Cauchy's loss); the
    more pairs are `sure`, the less outlines count.
    """
    step = 1e-4
    nudges = np.vstack([np.zeros(len(START)), step * np.eye(len(START))])
    faint = max(parameters.FAINT_OUTLINES, 1 / (1 + 0.5 * sure))

    def rows(p: Array, nudges: Array = nudges) -> tuple[Array, Array]:
        """Weighted residuals (k, 11, rows) at parameters (k, 10) and beside them, and costs (k,)."""
        tables = p[:, None] + nudges
        prior = (tables - prior_mean(tables)) / parameters.PRIOR_SPREAD
        cost, heavy = (prior[:, 0] ** 2).sum(axis=1), [prior]
        for part, weight in zip(residual_rows(tables, points, cards, pairs), (faint, 1.0, 1.0), strict=False):
            square = (part[:, :, 0] ** 2).mean(axis=0) * (weight**2 / 4)
            cost += 4 * len(part) * np.log1p(square).sum(axis=1)
            part *= (weight / np.sqrt(1 + square))[:, None]
            heavy += list(part)
        return np.concatenate(heavy, axis=2), cost

    best = np.stack(starts)
    if sure and len(best) > parameters.STARTS_KEPT:
        best = best[np.argsort(rows(best, nudges[:1])[1])[: parameters.STARTS_KEPT]]
    damping, (tables, costs) = np.full(len(best), 1e-2), rows(best)
    live = np.argsort(costs)
    for _ in range(parameters.FIT_ROUNDS if rounds is None else rounds):
        slope = (tables[live, 1:] - tables[live, :1]) / step
        square = slope @ slope.swapaxes(1, 2)
        damped = square * (1 + damping[live, None, None] * np.eye(len(START)))
        move = np.linalg.solve(damped, -slope @ tables[live, 0, :, None])[..., 0]
        trial = best[live] + np.clip(move, -0.7, 0.7)
        new, new_costs = rows(trial)
        gain = costs[live] - new_costs
        going = ~((gain > 0) & (gain < 1e-3 * costs[live]))
        better = live[gain > 0]
        best[better], tables[better], costs[better] = trial[gain > 0], new[gain > 0], new_costs[gain > 0]
        damping[live] *= np.where(gain > 0, 0.2, 8.0)
        live = live[going]
        if not len(live):
            break
    first = int(costs.argmin())
    return best[first], float(costs[first])
