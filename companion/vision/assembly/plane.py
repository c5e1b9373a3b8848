"""The table as a plane: one homography fitted to all outlines and indices of a picture at once.

Cards lie flat, are of nearly one size, and mostly of one print. So every outline and every index says how many px a
millimetre takes there, and two indices of one card lie as far apart as those of the next. Together they give the
table's slant better than any single card does: distances and directions come out in millimetres, however obliquely
the camera looks, and two corners of one card can be told from corners of two.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.vision.assembly.marks import (
    Marks,
    Print,
    in_between,
    in_step,
    mean_size,
    misfits,
    nearest_print,
    other_prints,
    usual_gap,
)
from companion.vision.geometry import (
    CARD_MM,
    INDEX_MM,
    TURNS,
    Array,
    along_line,
    areas,
    axes,
    dots,
    lengths,
    project,
    side_lengths,
)

Complex = NDArray[np.complex128]

_ROUNDS = 12

_OUTLINE, _INDEX, _BAR, _TURN = 0.05, 0.08, 0.025, 0.09
"""Usual errors: of an outline's sides and of an index's (relative; of cosines too), of the distance between two
indices of one card (relative), and of the direction of an index against it (radians)."""

_NEAR_MM = 25.0
"""Misfits beyond this are no question any more."""

_SIZED = 0.4
"""Outlines whose sides differ from a card's by more than this (log) are no cards: books, envelopes, tiles."""

_USUAL_INDEX = (INDEX_MM[2] - INDEX_MM[0], INDEX_MM[3] - INDEX_MM[1])

_START = np.concatenate([np.zeros(5), np.log([*_USUAL_INDEX, CARD_MM[0], *usual_gap(np.array(_USUAL_INDEX))])])
_SPREAD = np.array([30.0, 0.5, 0.5, 0.35, 0.35, 0.3, 0.2, 0.04, 0.08, 0.08])
"""What is likely before anything is seen: log scale, log stretch, shear, two slants; then logs of mm: an index's width
and height, a card's width (bridge cards are narrower), and the distances across and down between a card's indices (see
`_likely`)."""

_MATCHES = ((0.3, 0.5), (0.14, 0.3))
"""Which indices are taken for two of one card while fitting: error of their distance (relative) and direction (rad)."""

_AHEAD, _ASIDE = np.pi / 2, (0.0, np.pi / 4, 3 * np.pi / 4)
"""Cameras look down at a slant, mostly ahead: directions in which the table is tried to be longer than it seems."""

_REACH = 9.0
"""No two indices of a card are farther apart than this, in heights of an index."""

_PARALLEL = 0.85
"""Indices of one card read the same way, or the opposite one, also as the picture shows them (cosine)."""

_FAINT = 0.2
"""Weight of outlines where pairs are known: at a slant they are seen more upright than they are."""

_POOR = 8.0
"""Where outlines and indices cost more than this each, the table may lie quite otherwise."""

_SAME_MM = 1.0
"""Misfits that differ by less than this are equal."""

_TRIED = 2
"""From so many of the starts it is gone on where pairs of indices are known: they mostly lead to one place then."""

_NO_BARS = np.empty((0, 3), np.intp)

_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
"""Of a card one wide and one long, from its middle."""

_ASIDE_OF, _ALONG_OF = np.array([1.0, 0.0, 1.0, -1.0]), np.array([0.0, 1.0, 1.0, 1.0])
"""For each kind of bar: by how many of the distances across and down it goes."""


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """The table: `matrix` sends mm on it to px, `back` px to mm.

    `card_mm`: width and height of the cards. `prints`: those on this table, the most usual first.
    """

    matrix: Array
    back: Array
    card_mm: tuple[float, float]
    prints: tuple[Print, ...]

    @classmethod
    def fit(cls, outlines: Sequence[Array], indices: Sequence[Array], unlike: NDArray[np.bool_] | None = None) -> Plane:
        """The plane on which most outlines (4, 2) px are cards of one size and most index quads are alike.

        `unlike` (n, n): indices that are not on one card, whatever their places. Raises ValueError when there is
        neither an outline nor an index.
        """
        if not len(outlines) and not len(indices):
            raise ValueError("no outline and no index: the table's plane is unknown")
        cards, marks = np.reshape(outlines, (-1, 4, 2)), np.reshape(indices, (-1, 4, 2))
        plane = cls._laid(cards, marks, unlike).with_prints(marks, unlike)
        if len(plane.prints) > 1:  # the indices of other prints are no measure: once more without them
            own = np.flatnonzero(nearest_print(plane.prints, plane.marks(marks).sizes) == 0)
            rest = None if unlike is None else unlike[np.ix_(own, own)]
            plane = cls._laid(cards, marks[own], rest).with_prints(marks, unlike)
        return plane

    @classmethod
    def _laid(cls, cards: Array, marks: Array, unlike: NDArray[np.bool_] | None) -> Plane:
        """The plane with one print."""
        points = np.concatenate([cards, marks])
        middle = points.reshape(-1, 2).mean(axis=0)
        size = max(float(np.abs(points.reshape(-1, 2) - middle).max()), 1.0)
        found = _solved((cards - middle) / size, (marks - middle) / size, unlike)
        back = _matrix(found) @ np.array(
            [[1 / size, 0, -middle[0] / size], [0, 1 / size, -middle[1] / size], [0, 0, 1]]
        )
        wide, tall, card, aside, along = (float(value) for value in np.exp(found[5:]))
        forth = np.asarray(np.linalg.inv(back), np.float64)
        return cls(forth, back, (card, CARD_MM[1]), (Print((wide, tall), (aside, along)),))

    def with_prints(self, indices: Array, unlike: NDArray[np.bool_] | None) -> Plane:
        """The same with all prints that the sizes of these indices (n, 4, 2) px show; `unlike`: see `fit`."""
        others = other_prints(self.marks(indices), self.prints[0], unlike)
        return replace(self, prints=(self.prints[0], *others))

    def to_mm(self, points: ArrayLike) -> Array:
        """Image points (…, 2) px → table mm."""
        return project(self.back, points)

    def to_px(self, points: ArrayLike) -> Array:
        """Table points (…, 2) mm → image px."""
        return project(self.matrix, points)

    def sized(self, outline: Array) -> bool:
        """True for an outline (px) that is about as large as this picture's cards are."""
        short, long = sorted(side_lengths(self.to_mm(outline)[None])[0].tolist())
        wide, tall = self.card_mm
        return bool(abs(np.log(short / wide)) < _SIZED and abs(np.log(long / tall)) < _SIZED)

    def marks(self, indices: Sequence[Array] | Array) -> Marks:
        """Where index quads (px) lie on the table."""
        return Marks.of(self.to_mm(np.reshape(indices, (-1, 4, 2))))

    @property
    def corners(self) -> int:
        """How many of its prints may carry their index in four corners."""
        return sum(one.four_cornered for one in self.prints)

    def cornered(self, which: Collection[int], corners: int, bare: Collection[int] = ()) -> Plane:
        """The same table, its prints of these numbers known to carry the index in so many corners, 2 or 4.

        Of those `bare`, empty corners were seen, so they never have four.
        """
        prints = [
            replace(one, four_cornered=corners == 4 and not one.bare, bare=one.bare or number in bare)
            if number in which
            else one
            for number, one in enumerate(self.prints)
        ]
        return replace(self, prints=tuple(prints))

    def misfits(self, indices: Sequence[Array] | Marks) -> Array:
        """How far (mm) each index is from lying to each other one as two corners of one card do: (n, n).

        `indices`: quads (px), or their marks. Infinite where the directions forbid it: they differ by more than 25°
        from those of two corners. Two that read the same way with a third between them are two cards of a fan, however
        well they fit.
        """
        marks = indices if isinstance(indices, Marks) else self.marks(indices)
        steps, alike = marks.steps
        out = misfits(marks, self.prints)
        pairs = np.argwhere((out < _NEAR_MM) & (alike > 0))
        out[*pairs[in_between(steps, alike, pairs)].T] = np.inf
        return out

    def card(self, indices: Sequence[Array], near: Array | None = None) -> tuple[Array, float]:
        """The outline (px) of the card whose corners these index quads are, and by how much (mm) they misfit it.

        A single index is the top-left one. `near`: an outline (px) that decides where another card fits as well.
        """
        marks = self.marks(indices)
        outlines, errors = self.cards(marks, np.arange(len(indices))[None], None if near is None else near[None])
        return outlines[0], float(errors[0])

    def cards(self, marks: Marks, groups: NDArray[np.intp], near: Array | None = None) -> tuple[Array, Array]:
        """The same for many cards at once: outlines (n, 4, 2) px and misfits (n,) mm.

        `groups` (n, m): the numbers of each card's marks; `near` (n, 4, 2): the outline that decides for each.
        """
        outlines, errors = self.either(marks, groups)
        taken = errors[:, 1] < errors[:, 0] - _SAME_MM
        if near is not None:
            nearer = self.aparts(outlines[:, 1], near) < self.aparts(outlines[:, 0], near)
            taken |= nearer & (errors[:, 1] <= errors[:, 0] + _SAME_MM)
        rows, which = np.arange(len(groups)), taken.astype(np.intp)
        return outlines[rows, which], errors[rows, which]

    def either(self, marks: Marks, groups: NDArray[np.intp]) -> tuple[Array, Array]:
        """Outlines (n, 2, 4, 2) px and misfits (n, 2) mm of cards of which the first of these marks is an upper corner.

        Of each the left one, then the right one.
        """
        centres, downs = marks.centres[groups], marks.downs[groups]
        upper = dots(downs, downs[:, :1]) >= 0
        down = (downs * np.where(upper, 1.0, -1.0)[..., None]).sum(axis=1)
        down /= np.maximum(lengths(down), 1e-9)[:, None]
        frames = np.stack([np.stack([down[:, 1], -down[:, 0]], axis=1), down], axis=1)
        gaps = np.array([one.gap_mm for one in self.prints])[nearest_print(self.prints, mean_size(marks.sizes[groups]))]
        places = (_CORNERS * gaps[:, None]) @ frames
        (errors, middles), (other_errors, other_middles) = (_cornered(centres, upper, places, k) for k in (0, 1))
        flat = (_CORNERS * self.card_mm) @ frames
        both = np.stack([middles, other_middles], axis=1)
        return self.to_px(both[:, :, None] + flat[:, None]), np.stack([errors, other_errors], axis=1)

    def fitting(self, errors: Array) -> NDArray[np.bool_]:
        """Which of misfits (n, 2), as `either` gives them, are as good as the better one."""
        return np.asarray(errors <= errors.min(axis=1, keepdims=True) + _SAME_MM, np.bool_)

    def apart(self, first: Array, second: Array) -> float:
        """Mean distance (mm) of the corners of two outlines (px), turned so that they fit best."""
        return float(self.aparts(first, second))

    def aparts(self, first: Array, second: Array) -> Array:
        """The same for outlines (…, 4, 2) px, each with its counterpart, as arrays go: (…) mm."""
        way = self.to_mm(first)[..., None, :, :] - self.to_mm(second)[..., TURNS, :]
        return np.asarray(lengths(way).mean(axis=-1).min(axis=-1), np.float64)


def _cornered(centres: Array, upper: NDArray[np.bool_], places: Array, corner: int) -> tuple[Array, Array]:
    """The worst misfit (n,) mm and the middle (n, 2) of cards of whose `corner` the first of their marks (n, m, 2) is.

    `upper` (n, m): which marks read as the first one; `places` (n, 4, 2): where marks lie, from the middle.
    """
    first = centres[:, :1] - places[:, corner : corner + 1]
    away = lengths(centres[:, :, None] - (first + places)[:, None])
    own = np.where(upper, away[..., :2].argmin(axis=2), 2 + away[..., 2:].argmin(axis=2))
    middles = centres - np.take_along_axis(places, own[..., None], axis=1)
    middle = middles.mean(axis=1)
    return np.asarray(lengths(middles - middle[:, None]).max(axis=1), np.float64), middle


def _matrix(p: Array) -> Array:
    grow, stretch = np.exp(p[0]), np.exp(p[1])
    return np.array([[grow * stretch, grow * p[2], 0], [0, grow / stretch, 0], [p[3], p[4], 1]])


def _flat(p: Array, points: Array) -> Complex:
    """Points (n, 4, 2) on the tables of many parameters (…, 10): (4, …, n) mm, down times i."""
    x, y = points.transpose(2, 1, 0).reshape(2, 4, *[1] * (p.ndim - 1), -1)
    grow, stretch = np.exp(p[..., 0, None]), np.exp(p[..., 1, None])
    nearer = grow / np.maximum(1 + p[..., 3, None] * x + p[..., 4, None] * y, 0.05)
    flat = np.empty(nearer.shape, np.complex128)
    flat.real = (stretch * x + p[..., 2, None] * y) * nearer
    flat.imag = y * nearer / stretch
    return flat


def _misfit_rows(p: Array, points: Array, cards: int, bars: NDArray[np.intp]) -> list[Array]:
    """How badly outlines, indices and bars fit each of the parameters (…, 10), in usual errors: (kinds, …, n) each.

    `points` (n, 4, 2): outlines first, `cards` of them, then indices. Of an outline count its four sides and the angles
    at two corners; of an index its width, height and angle; of a bar (see `_bars`) its length and direction.
    """
    flat = _flat(p, points)
    sides = flat[[1, 2, 2, 3]] - flat[[0, 1, 3, 0]]
    across, down = (sides[[0, 3]] + sides[[2, 1]])[..., cards:] / 2
    wide, tall = np.maximum(np.abs(across), 1e-9), np.maximum(np.abs(down), 1e-9)
    ways = across.conj() * down
    parts = [_of_cards(p, sides[..., :cards]), np.empty((3, *ways.shape))]
    np.divide(np.log(wide) - p[..., 5, None], _INDEX, out=parts[1][0])
    np.divide(np.log(tall) - p[..., 6, None], _INDEX, out=parts[1][1])
    np.divide(ways.real, 2 * _INDEX * wide * tall, out=parts[1][2])
    if len(bars):
        first, second, kind = bars.T
        mean = down / tall + 1j * across / wide
        mean = mean[..., first] + np.where(kind == 0, 1.0, -1.0) * mean[..., second]
        centre = flat[..., cards:].mean(axis=0)
        way = centre[..., second] - centre[..., first]
        wanted = np.exp(p[..., 8, None]) * _ASIDE_OF[kind] + 1j * np.exp(p[..., 9, None]) * _ALONG_OF[kind]
        length = np.log(np.maximum(np.abs(way), 1e-9)) - np.log(np.abs(wanted))
        turned = np.angle(1j * way * (mean * wanted).conj())
        parts.append(np.stack([length / _BAR, turned / _TURN]))
    return parts


def _of_cards(p: Array, sides: Complex) -> Array:
    """See `_misfit_rows`; `sides` (4, …, n): top, right and bottom to the right and down, left down."""
    lengths = np.maximum(np.abs(sides), 1e-9)
    logs = np.log(lengths)
    upright = logs[0] + logs[2] <= logs[1] + logs[3]
    short, long = p[..., 7, None], float(np.log(CARD_MM[1]))
    out = np.empty((6, *upright.shape))
    out[:4] = logs
    out[:4:2] -= np.where(upright, short, long)
    out[1:4:2] -= np.where(upright, long, short)
    out[4] = (sides[0].conj() * sides[3]).real / (lengths[0] * lengths[3])
    out[5] = (sides[1].conj() * sides[2]).real / (lengths[1] * lengths[2])
    out /= _OUTLINE
    return out


def _bars(p: Array, marks: Array, unlike: NDArray[np.bool_] | None, length: float, turn: float) -> NDArray[np.intp]:
    """Indices that may be two of one card on this table, each with its best partners: rows (first, second, kind).

    Kinds: 0 beside each other, 1 below each other, 2 diagonal, 3 the other diagonal (four-corner prints).
    """
    if len(marks) < 2:
        return np.empty((0, 3), np.intp)
    flat = _flat(p, marks).T
    steps, alike = Marks.of(np.stack([flat.real, flat.imag], axis=2)).steps
    aside, along = float(np.exp(p[8])), float(np.exp(p[9]))
    found = []
    for kind, (x, y) in enumerate(((aside, 0.0), (0.0, along), (aside, along), (-aside, along))):
        away = lengths(steps - [x, y])
        away[(alike < 0.85) if kind == 0 else (alike > -0.85)] = np.inf
        np.fill_diagonal(away, np.inf)
        if unlike is not None:
            away[unlike] = np.inf
            if kind == 0:
                away[in_step(steps, steps[unlike & (alike > 0.85)], aside)] = np.inf
        reach = np.hypot(x, y) * min(length, turn)
        best = away.argmin(axis=1)
        rows = np.arange(len(marks))
        mutual = (away[rows, best] < reach) & ((best[best] == rows) if kind else True)
        if kind:
            mutual &= rows < best
        else:
            mutual &= ~in_between(steps, alike, np.column_stack([rows, best]))
        found.append(np.column_stack([rows[mutual], best[mutual], np.full(int(mutual.sum()), kind)]))
    return np.concatenate(found).astype(np.intp)


def _named_bars(marks: Array, unlike: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """Indices that are corners of one card because no others were read like them: rows (first, second, kind).

    Kinds as in `_bars`. Two, three or four indices of one face that lie within a card's reach of each other; four are
    two equal cards, where most faces show two. Where as many show two as more, either may be: both are given.
    """
    across, down = axes(marks)
    tall = lengths(down)
    centres = marks.mean(axis=1)
    away, level = lengths(centres - centres[:, None]), np.abs(down @ down.T) > _PARALLEL * np.outer(tall, tall)
    pairs: list[tuple[int, int, int]] = []
    same_side: list[tuple[int, int, int]] = []
    rows: list[tuple[int, int, int]] = []
    sets, done = 0, set[int]()
    for number in range(len(marks)):
        alike = np.flatnonzero(~unlike[number])
        if number in done or not 2 <= len(alike) <= 4:
            continue
        done.update(alike.tolist())
        own, each = tall[alike], (alike[:, None], alike)
        if away[each].max() > _REACH * own.mean() or own.max() > 2 * own.min() or not level[each].all():
            continue
        upper = [int(n) for n in alike if down[n] @ down[alike[0]] > 0]
        lower = [int(n) for n in alike if n not in upper]
        aside = across[upper[0]] / max(float(across[upper[0]] @ across[upper[0]]), 1e-12)
        upper.sort(key=lambda n: float(centres[n] @ aside))
        lower.sort(key=lambda n: float(centres[n] @ aside))
        if len(alike) == 2:
            if len(lower) == 1:
                right = float((centres[lower[0]] - centres[upper[0]]) @ aside)
                pairs += [(upper[0], lower[0], 2)] if right > 1.5 else []
                same_side += [(upper[0], lower[0], 1)] if abs(right) < 1.5 else []
        elif len(upper) <= 2 and len(lower) <= 2:
            strange = np.flatnonzero(unlike[number])
            levels = [centres[[level[0], level[-1]]] for level in (upper, lower) if level]
            if any(_between(ends, centres[strange], tall[number]) for ends in levels):
                continue  # two equal cards of a row, with others between them
            sets += 1
            if len(upper) == 1:
                upper, lower = lower[::-1], upper  # turned by half, so that two read upwards
            rows += [(upper[0], upper[1], 0)]
            if len(lower) == 2:
                rows += [(lower[1], lower[0], 0), (upper[0], lower[0], 1), (upper[1], lower[1], 1)]
                rows += [(upper[0], lower[1], 2), (upper[1], lower[0], 3)]
            else:
                way = [float(np.linalg.norm(centres[lower[0]] - centres[n])) for n in upper]
                near = int(np.argmin(way))
                rows += [(upper[near], lower[0], 1), (upper[1 - near], lower[0], 2 if near else 3)]
    if len(same_side) > max(2, len(pairs)):  # a row of four-cornered cards, each over one side of the last
        pairs += same_side
    ways = [pairs] if len(pairs) > sets else [rows, pairs] if len(pairs) == sets else [rows]
    return [np.array(way, np.intp).reshape(-1, 3) for way in ways]


def _between(ends: Array, points: Array, tall: float) -> bool:
    """True where some of the points (n, 2) lie between two ends (2, 2), less aside than half an index is `tall`."""
    along, aside, length = along_line(ends[0], ends[1], points)
    return bool(((along > 0.15 * length) & (along < 0.85 * length) & (aside < 0.5 * tall)).any())


def _solved(cards: Array, marks: Array, unlike: NDArray[np.bool_] | None) -> Array:
    start = _START.copy()
    if len(cards):
        start[0] = 0.5 * float(np.log(CARD_MM[0] * CARD_MM[1] / np.median(np.abs(areas(cards)))))
    else:
        start[0] = float(np.log(_USUAL_INDEX[1] / np.median(lengths(axes(marks)[1]))))
    points, count = np.concatenate([cards, marks]), len(cards)
    trials = [start, _tilted(start, _AHEAD)]
    others = [_tilted(start, tilt) for tilt in _ASIDE]
    ways = [_NO_BARS] if unlike is None else [way for way in _named_bars(marks, unlike) if len(way)] or [_NO_BARS]
    ends = [_descend([*trials, *others] if len(way) else trials, points, count, way, len(way)) for way in ways]
    chosen = 0
    if len(ways) > 1:  # the outlines and the indices by themselves tell which it is
        plain = [_descend([end], points, count, _NO_BARS, len(ways[0]), rounds=0)[1] for end, _ in ends]
        chosen = int(np.argmin(plain))
    named, (found, cost) = ways[chosen], ends[chosen]
    if not len(named) and cost > _POOR * len(points):
        other, other_cost = _descend(others, points, count, named, len(named))
        found = other if other_cost < cost else found
    for length, turn in _MATCHES:
        bars = np.concatenate([named, _bars(found, marks, unlike, length, turn)])
        if not len(bars):
            break
        found, _ = _descend([found], points, count, bars, len(named))
    return found


def _tilted(p: Array, tilt: float) -> Array:
    """The parameters of a table that reaches away by two thirds more in direction `tilt` (rad)."""
    c, s = np.cos(tilt), np.sin(tilt)
    longer = np.eye(2) + 0.7 * np.outer([c, s], [c, s])
    upper = np.linalg.qr(_matrix(p)[:2, :2] @ longer)[1]
    upper = upper * np.sign(np.diag(upper))[:, None]
    out = p.copy()
    out[0] = 0.5 * np.log(upper[0, 0] * upper[1, 1])
    out[1] = 0.5 * np.log(upper[0, 0] / upper[1, 1])
    out[2] = upper[0, 1] / np.exp(out[0])
    return out


def _likely(p: Array) -> Array:
    """What is likely beside parameters (…, 10): the larger an index, the nearer are two of a card."""
    out = np.broadcast_to(_START, p.shape).copy()
    out[..., 8:] = np.log(usual_gap(np.exp(p[..., 5:7])))
    return out


def _descend(
    starts: Sequence[Array], points: Array, cards: int, bars: NDArray[np.intp], sure: int, rounds: int = _ROUNDS
) -> tuple[Array, float]:
    """Gauss-Newton with damping from each start, or from the likeliest two where bars are `sure`: best end, its cost.

    `points`, `cards`, `bars`: see `_misfit_rows`. Each thing weighs less the worse it fits (Cauchy's loss); the more
    bars are `sure`, the less outlines count.
    """
    step = 1e-4
    nudges = np.vstack([np.zeros(len(_START)), step * np.eye(len(_START))])
    faint = max(_FAINT, 1 / (1 + 0.5 * sure))

    def rows(p: Array) -> tuple[Array, Array]:
        """Weighted misfits (k, 11, rows) at parameters (k, 10) and beside them, and costs (k,)."""
        tables = p[:, None] + nudges
        prior = (tables - _likely(tables)) / _SPREAD
        cost, heavy = (prior[:, 0] ** 2).sum(axis=1), [prior]
        for part, weight in zip(_misfit_rows(tables, points, cards, bars), (faint, 1.0, 1.0), strict=False):
            square = (part[:, :, 0] ** 2).mean(axis=0) * (weight**2 / 4)
            cost += 4 * len(part) * np.log1p(square).sum(axis=1)
            part *= (weight / np.sqrt(1 + square))[:, None]
            heavy += list(part)
        return np.concatenate(heavy, axis=2), cost

    best = np.stack(starts)
    damping, (tables, costs) = np.full(len(best), 1e-2), rows(best)
    live = np.argsort(costs)[: _TRIED if sure else None]
    for _ in range(rounds):
        slope = (tables[live, 1:] - tables[live, :1]) / step
        square = slope @ slope.swapaxes(1, 2)
        damped = square * (1 + damping[live, None, None] * np.eye(len(_START)))
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
