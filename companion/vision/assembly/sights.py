"""Which of all outlines that the detector saw are cards, where no index tells: a learned score chooses among them.

Of a card that lies partly under another the detector sees several outlines, none of them clearly, and the reader keeps
one at most: what shows no index beside a surer card is a second sight of it on tables of standard cards. Here every
outline, as it was seen and moved onto the edges of the picture, is described by how often and how clearly it was seen,
by how large cards are about there, by the lines along its sides, and by how it lies to the cards that were chosen
before. Boosted trees (`companion.training.decks.sights`) give the chance that it meets a further card exactly; the
likeliest is chosen, and again, as long as one is likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import edges, parameters
from companion.vision.assembly.trees import Trees
from companion.vision.geometry import (
    NEXT,
    Array,
    areas,
    as_quad,
    lengths,
    overlap,
    points_inside,
    side_lengths,
)
from companion.vision.types import CardRead, Sight

FEATURES = (
    "score", "views", "heard", "moved", "short", "long", "shape", "size", "clearest side", "faintest side",
    "shared with clearer", "in clearer", "read", "read as own", "shared", "within", "covered", "covers", "covers all",
    "free", "free shown", "hidden shown", "read already",
)  # fmt: skip
"""What an outline is judged by; the last nine change with what was chosen before."""
_OWN = FEATURES.index("shared")
_ALONG = np.linspace(0.08, 0.92, 14)
"""Lines are looked for in so many places of a side, as shares of its length."""
_ASIDE = np.linspace(-0.035, 0.035, 9)
"""… and so far aside of it, as shares of the card's size."""
_AT_ONCE = 500
"""OpenCV takes so many rows at most, each with the places of a side."""
_NONE = -1.0
"""Where there is nothing to count."""


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """What shows along the sides of n outlines: `places` (n, sides' places, 2) px, whether a line is `shown` in each,
    and how `strong` lines are (n, 4), grey levels per px."""

    places: Array
    shown: NDArray[np.bool_]
    strong: Array


class Sights:
    """The outlines that were seen in a picture, and how they lie to those that were `accept`ed."""

    def __init__(self, seen: Sequence[Sight], cards: Sequence[CardRead], bright: NDArray[np.uint8]) -> None:
        """`cards`: what was read there, whose outlines are looked at as well; `bright`: the picture as
        `edges.min_channel` sees it."""
        read = [as_quad(card.polygon) for card in cards]
        raw = np.array([*(as_quad(one.polygon) for one in seen), *read]).reshape(-1, 4, 2)
        told = np.array([*((one.score, one.views, one.heard) for one in seen), *[(0.0, 0.0, 0.0)] * len(read)])
        told = told.reshape(-1, 3).astype(np.float64)
        moved = np.array(edges.refine_outlines(bright, list(raw))).reshape(-1, 4, 2)
        self.outlines = np.concatenate([raw, moved])
        self._sizes = np.maximum(np.abs(areas(self.outlines)), 1e-6)
        self._shared = _shared(self.outlines, self._sizes)
        self._lines = _lines(bright, self.outlines)
        self._near_read, self._reads = self._of_read(read)
        away = lengths(moved - raw).mean(axis=1) / np.sqrt(self._sizes[: len(raw)])
        strong = np.sort(self._lines.strong, axis=1)[:, ::-3]
        own = np.array([*(card.own for card in cards), 0.0])[self._near_read]
        fixed = [np.tile(told, (2, 1)), np.tile(away, 2)[:, None], self._beside_clear(told[:, 0]), strong,
                 self._to_clearer(np.tile(told[:, 0], 2), len(raw)), self._reads[:, None], own[:, None]]  # fmt: skip
        self._features = np.concatenate([*fixed, np.zeros((len(self.outlines), len(FEATURES) - _OWN))], axis=1)
        self._hidden = np.zeros(self._lines.shown.shape, np.bool_)
        self._taken: set[int] = set()
        self._describe(np.arange(len(self.outlines)))

    def _of_read(self, read: Sequence[Array]) -> tuple[NDArray[np.intp], Array]:
        """Of each outline the card that was read nearest to it, and what it shares with that (IoU)."""
        if not read:
            return np.zeros(len(self.outlines), np.intp), np.zeros(len(self.outlines))
        half = len(self.outlines) // 2
        first = half - len(read)
        shared = self._shared[:, first:half]
        union = shared / (self._sizes[:, None] + self._sizes[first:half] - shared)
        return union.argmax(axis=1), union.max(axis=1)

    def _beside_clear(self, scores: Array) -> Array:
        """(n, 4): by how much each outline's short and long side, their ratio and its size differ from those of clear
        ones about there; log ratios."""
        half = len(self.outlines) // 2
        sides = np.log(np.maximum(np.sort(side_lengths(self.outlines), axis=1), 1e-6))
        clear = np.flatnonzero(scores >= min(parameters.CLEAR_SIGHT, scores.max(initial=0.0)))
        if not len(clear):
            return np.zeros((len(self.outlines), 4))
        usual, middles = sides[:half][clear], self.outlines.mean(axis=1)
        roots = np.sqrt(self._sizes)[:, None]
        away = lengths(middles[:, None] - middles[clear]) / roots
        weight = np.where(self._alike(clear, parameters.SAME_SIGHT), 1e-6, 1 / (away + 0.5))
        near = (weight[..., None] * usual).sum(axis=1) / weight.sum(axis=1)[:, None]
        off = sides - near
        size = sides.mean(axis=1) - np.median(usual, axis=0).mean()
        return np.column_stack([off, off[:, 1] - off[:, 0], size])

    def alike(self, number: int, share: float) -> NDArray[np.bool_]:
        """(n,): which outlines share more than that (IoU) with that of a number, itself among them."""
        return self._alike(np.array([number]), share)[:, 0]

    def _alike(self, others: NDArray[np.intp], share: float) -> NDArray[np.bool_]:
        """(n, others): which outlines share more than that (IoU)."""
        shared = self._shared[:, others]
        return np.asarray(shared > share * (self._sizes[:, None] + self._sizes[others] - shared))

    def _to_clearer(self, scores: Array, count: int) -> Array:
        """(n, 2): what each outline shares with those that were seen more clearly: the most (IoU), and the most of
        itself that lies in one that is another card."""
        shared = np.where(scores[:count] > scores[:, None] + 1e-9, self._shared[:, :count], 0.0)
        union = shared / (self._sizes[:, None] + self._sizes[:count] - shared)
        apart = np.where(union < parameters.SAME_SIGHT, shared / self._sizes[:, None], 0.0)
        return np.column_stack([union.max(axis=1, initial=0.0), apart.max(axis=1, initial=0.0)])

    def accept(self, outline: Array, number: int | None = None) -> NDArray[np.intp]:
        """A card lies there: outline (4, 2) px, or that of a number. The numbers of those that it changes."""
        if number is None:
            near = _meeting(self.outlines, outline)
            shared = np.zeros(len(self.outlines))
            shared[near] = [overlap(self.outlines[other], outline) for other in near.tolist()]
            size = max(abs(float(areas(outline[None])[0])), 1e-6)
        else:
            shared, size = self._shared[:, number], float(self._sizes[number])
            if self._reads[number] > parameters.READ_SIGHT:
                self._taken.add(int(self._near_read[number]))
        near = np.flatnonzero(shared > 0)
        own, part, table = self._sizes[near], shared[near], self._features
        most = np.column_stack([part / (own + size - part), part / own, part / size])
        table[near[:, None], [_OWN, _OWN + 1, _OWN + 3]] = np.maximum(
            table[near[:, None], [_OWN, _OWN + 1, _OWN + 3]], most
        )
        table[near, _OWN + 2] = np.minimum(table[near, _OWN + 2] + most[:, 1], 2.0)
        table[near, _OWN + 4] = np.minimum(table[near, _OWN + 4] + most[:, 2], 3.0)
        places = self._lines.places[near]
        self._hidden[near] |= points_inside(outline[None], places.reshape(-1, 2)).reshape(places.shape[:2])
        self._describe(near)
        return near

    def _describe(self, near: NDArray[np.intp]) -> None:
        """Bring up to date what is seen along the sides of those of these numbers."""
        hidden, shown = self._hidden[near], self._lines.shown[near]
        under = hidden.mean(axis=1)
        bare = (shown & ~hidden).mean(axis=1) / np.maximum(1 - under, 1e-9)
        covered = (shown & hidden).mean(axis=1) / np.maximum(under, 1e-9)
        self._features[near, _OWN + 5 :] = np.column_stack(
            [
                1 - under,
                np.where(under < 1, bare, _NONE),
                np.where(under > 0, covered, _NONE),
                [float(number in self._taken) for number in self._near_read[near].tolist()],
            ]
        )

    def features(self, numbers: NDArray[np.intp] | None = None) -> Array:
        """What the outlines of these numbers, or all, are judged by now: (n, features) as `FEATURES`."""
        return self._features if numbers is None else self._features[numbers]


def chosen(sights: Sights, trees: Trees) -> tuple[list[tuple[int, float]], list[int]]:
    """The numbers of the outlines that are further cards, the likeliest first, with their chances; and of those that
    may be one instead or besides."""
    found: list[tuple[int, float]] = []
    others: list[int] = []
    chances = trees.chances(sights.features())
    while len(chances) and chances.max() > parameters.LIKELY_SIGHT:
        best = int(chances.argmax())
        found.append((best, float(chances[best])))
        twins = np.where(sights.alike(best, parameters.SAME_SIGHT), chances, 0.0)
        others += _likely(sights, twins, [best])[: parameters.INSTEAD]
        near = sights.accept(sights.outlines[best], best)
        chances[near] = trees.chances(sights.features(near))
        chances[best] = 0.0
    return found, others + _likely(sights, chances, [])


def _likely(sights: Sights, chances: Array, known: list[int]) -> list[int]:
    """The numbers of those that may be a card by their chances, the likeliest first, none hardly another than one
    before or one that is `known`."""
    left, out = chances.copy(), list[int]()
    for number in known:
        left[sights.alike(number, parameters.SAME_OUTLINE_SEEN)] = 0.0
    while len(left) and left.max() > parameters.MAY_BE_SIGHT:
        out.append(int(left.argmax()))
        left[sights.alike(out[-1], parameters.SAME_OUTLINE_SEEN)] = 0.0
    return out


def _meeting(outlines: Array, outline: Array) -> NDArray[np.intp]:
    """The numbers of those outlines (n, 4, 2) whose upright boxes meet that of another one."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    return np.flatnonzero(((outlines.min(axis=1) < high) & (outlines.max(axis=1) > low)).all(axis=1))


def _shared(outlines: Array, sizes: Array) -> Array:
    """(n, n) px²: the area that outlines (n, 4, 2) have in common."""
    low, high, exact = outlines.min(axis=1), outlines.max(axis=1), outlines.astype(np.float32)
    meet = ((low[:, None] < high) & (high[:, None] > low)).all(axis=2)
    out = np.diag(sizes)
    for one, other in np.argwhere(np.triu(meet, 1)).tolist():
        out[one, other] = out[other, one] = cv2.intersectConvexConvex(exact[one], exact[other])[0]
    return out


def _lines(bright: NDArray[np.uint8], outlines: Array) -> _Lines:
    """The lines along the sides of outlines (n, 4, 2) in `bright`: see `_Lines`."""
    count, roots = len(outlines), np.sqrt(np.maximum(np.abs(areas(outlines)), 1e-6))
    ways = outlines[:, NEXT] - outlines
    inward = np.stack([-ways[..., 1], ways[..., 0]], axis=-1) / np.maximum(lengths(ways), 1e-6)[..., None]
    places = outlines[:, :, None] + _ALONG[:, None] * ways[:, :, None]
    aside = (_ASIDE[:, None] * roots[:, None, None])[:, None, None] * inward[:, :, None, None]
    grid = (places[:, :, :, None] + aside - 0.5).reshape(-1, len(_ALONG) * len(_ASIDE), 2).astype(np.float32)
    seen = [
        cv2.remap(bright, some[..., 0], some[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for some in (grid[first : first + _AT_ONCE] for first in range(0, len(grid), _AT_ONCE))
    ]
    levels = np.concatenate([np.empty((0, grid.shape[1]), np.uint8), *seen]).astype(np.float32)
    levels = levels.reshape(count, 4, len(_ALONG), len(_ASIDE))
    px = np.maximum(roots * (_ASIDE[1] - _ASIDE[0]), 0.3)
    slope = np.abs(np.gradient(levels, axis=3)) / px[:, None, None, None]
    slope = np.maximum(slope, np.maximum(np.roll(slope, 1, axis=3), np.roll(slope, -1, axis=3)))
    shown = slope > parameters.FAINTEST_BORDER
    best = shown.mean(axis=2).argmax(axis=2)
    at_best = np.take_along_axis(shown, best[:, :, None, None], axis=3)[..., 0]
    strong = np.median(slope, axis=2).max(axis=2)
    every = 4 * len(_ALONG)
    return _Lines(places.reshape(count, every, 2), at_best.reshape(count, every), np.asarray(strong, np.float64))
