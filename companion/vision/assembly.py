"""Detections become physical cards: which outlines are one card, which index belongs to which, what is left over.

Place and direction decide. A name only forbids: indices that were clearly read as different faces are not on one card,
nor, where the place alone leaves it open, any that were read differently. Index corners are found more exactly than
outlines, so two indices that lie as the diagonal corners of a card do make its outline, and the detector's outlines
say which of the possible pairs are meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.vision import edges
from companion.vision.detector import Found, Kind, same_card
from companion.vision.geometry import (
    Array,
    Pair,
    Plane,
    Ruler,
    contains,
    diagonal_pairs,
    doubtful_turn,
    group_indices,
    iou,
    pair,
    spot_on_card,
)
from companion.vision.types import Side


class Differ(Protocol):
    """Says of two indices (by number) whether they were clearly read as different faces."""

    def __call__(self, a: int, b: int, /, *, unclear: bool = False) -> bool:
        """`unclear`: any difference counts, however unsure."""


def _never(_a: int, _b: int, /, *, unclear: bool = False) -> bool:
    return False


_TALLEST = 0.42
"""No print's index is taller than this share of its card's long side."""

_SAME_PRINT = 0.35
"""Pairs whose indices differ less than this in size (see `Pair.unlike`) are of one print."""

_UNCONFIRMED = 0.4
"""Score of a card that two indices make where the detector saw no such outline."""

_SEEN_OUTLINE = 0.5
"""A pair of indices that an outline of the detector confirms shares at least this with it (intersection / union)."""


@dataclass(slots=True)
class Thing:
    """One physical card on its way to being read. `indices` are the numbers of the index quads that belong to it."""

    outline: Array
    side: Side
    score: float
    indices: list[int] = field(default_factory=list)
    whole: bool = True
    """False where the outline was deduced from an index, because something covers the body."""
    predicted: Array | None = None
    """The outline as the detector gave it, before it was moved onto the edges."""

    def other_outlines(self) -> list[Thing]:
        """The same card seen otherwise: edges not trusted, or long and short side confused (steep views)."""
        outlines = [] if self.predicted is None else [self.predicted]
        outlines += [np.roll(outline, 1, axis=0) for outline in [self.outline, *outlines]]
        return [replace(self, outline=outline, predicted=None) for outline in outlines] if self.whole else []


def arrange(
    cards: Sequence[Found],
    indices: Sequence[Array],
    bright: NDArray[np.uint8],
    differ: Differ = _never,
) -> list[Thing]:
    """Turn outlines and index quads (px) into physical cards.

    `bright`: the picture as `edges.paper` sees it. First come the cards that two diagonal indices make, then the
    detector's outlines that are none of those, each with the index nearest to each of its corners; an index on no
    card's corner shows a further card, whose outline is deduced in the plane of the nearest whole one.
    """
    things = _paired(cards, indices, differ)
    for card in cards:
        same = next((thing for thing in things if same_card(thing.outline, card.quad)), None)
        if same is None:
            side = Side.DOWN if card.kind is Kind.DOWN else Side.UP
            things.append(Thing(card.quad, side, card.score))
        elif same.indices:
            same.score = max(same.score, card.score)
    for thing, outline in zip(things, edges.refine(bright, [thing.outline for thing in things]), strict=True):
        thing.predicted, thing.outline = thing.outline, outline
    _share_out(things, indices, differ)
    taken = {number for thing in things for number in thing.indices}
    orphans = [number for number in range(len(indices)) if number not in taken]
    return _consolidated(things + _covered(things, indices, orphans, differ), indices, differ)


def plausible(cards: Sequence[Found], indices: Sequence[Array]) -> list[bool]:
    """Which index quads are small enough for the card in which they lie (the smallest clear outline around them)."""
    clear = [card.quad for card in cards if card.kind is Kind.UP and card.score > 0.4]
    out = []
    for index in indices:
        around = [quad for quad in clear if contains(quad, index.mean(axis=0))]
        longest = min((_long_side(quad) for quad in around), default=np.inf)
        out.append(bool(_long_side(index) < _TALLEST * longest))
    return out


def _long_side(quad: Array) -> float:
    lengths = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return float(max(lengths[0] + lengths[2], lengths[1] + lengths[3]) / 2)


def _paired(cards: Sequence[Found], indices: Sequence[Array], differ: Differ) -> list[Thing]:
    """The cards that pairs of diagonal indices make, each index in one card.

    All cards of a picture mostly are of one print, so pairs whose indices have the size that most pairs agree on come
    first, and those that an outline of the detector confirms.
    """
    candidates = [
        (a, b, found)
        for a, b in diagonal_pairs(indices)
        if not differ(a, b) and (found := pair(indices[a], indices[b])) is not None
    ]
    usual = _size_of_most([found for _, _, found in candidates])
    ranked = []
    for number, (a, b, found) in enumerate(candidates):
        shared = max((iou(found.outline, card.quad) for card in cards if card.kind is Kind.UP), default=0.0)
        unlike = found.unlike(*usual) if usual else 0.0
        sure = shared > _SEEN_OUTLINE or (usual is not None and unlike < _SAME_PRINT)
        if unlike < 2 * _SAME_PRINT and (sure or found.usual):
            ranked.append((unlike - shared + 0.5 * differ(a, b, unclear=True), number, sure))
    things: list[Thing] = []
    taken: set[int] = set()
    for _, number, sure in sorted(ranked):
        a, b, found = candidates[number]
        if taken & {a, b}:
            continue
        if not sure and any(iou(found.outline, thing.outline) > 0.15 for thing in things):
            continue
        taken |= {a, b}
        score = max((card.score for card in cards if same_card(found.outline, card.quad)), default=_UNCONFIRMED)
        things.append(Thing(found.outline, Side.UP, score, [a, b]))
    return things


def _size_of_most(pairs: Sequence[Pair]) -> tuple[float, float] | None:
    """The size of an index that most pairs agree on, three at least; None when they do not."""
    if len(pairs) < 3:
        return None
    near = [[other for other in pairs if other.unlike(one.width, one.height) < _SAME_PRINT] for one in pairs]
    most = max(near, key=len)
    if len(most) < 3:
        return None
    width, height = (float(np.median([getattr(one, name) for one in most])) for name in ("width", "height"))
    return width, height


def _share_out(things: Sequence[Thing], indices: Sequence[Array], differ: Differ) -> None:
    """Give each free index to the outline one of whose corners it marks best; a corner takes one index only."""
    taken = {number for thing in things for number in thing.indices}
    claims = []
    for number, index in enumerate(indices):
        if number in taken:
            continue
        centre = index.mean(axis=0)
        for which, thing in enumerate(things):
            low, high = thing.outline.min(axis=0), thing.outline.max(axis=0)
            if (centre < low - 0.1 * (high - low)).any() or (centre > high + 0.1 * (high - low)).any():
                continue
            for outline in (thing.outline, *([] if thing.indices else doubtful_turn(thing.outline))):
                spot = spot_on_card(outline, index)
                if spot is not None:
                    claims.append((spot.error, number, which, spot.corner))
    corners: set[tuple[int, int]] = set()
    for _, number, which, corner in sorted(claims):
        thing = things[which]
        if number in taken or (which, corner) in corners or any(differ(number, other) for other in thing.indices):
            continue
        taken.add(number)
        corners.add((which, corner))
        thing.indices.append(number)


def _covered(things: Sequence[Thing], indices: Sequence[Array], orphans: Sequence[int], differ: Differ) -> list[Thing]:
    """Cards of which only indices are seen, one for each group of indices that can be corners of one card."""
    if not orphans:
        return []
    quads = [indices[number] for number in orphans]
    out = []
    for group in group_indices(_plane(things, quads[0]), quads):
        members = [orphans[member] for member in group]
        if any(differ(members[0], other) for other in members[1:]):
            members_of = [[member] for member in members]
        else:
            members_of = [members]
        for one in members_of:
            first = indices[one[0]]
            out.append(Thing(_plane(things, first).outline(first), Side.UP, 0.5, one, whole=False))
    return out


def _plane(things: Sequence[Thing], index: Array) -> Plane:
    """The table's plane near an index: that of the nearest outline, else a guess from the index's own size."""
    if not things:
        return Plane.of_index(index)
    centre = index.mean(axis=0)
    nearest = min(things, key=lambda thing: float(np.linalg.norm(thing.outline.mean(axis=0) - centre)))
    return Plane.of_card(nearest.outline)


def _consolidated(things: list[Thing], indices: Sequence[Array], differ: Differ) -> list[Thing]:
    """Two things whose indices lie as two corners of one card are that card; the one with more indices stays.

    This finds corners along a side, as prints with four indices have them, and diagonals where an outline was wrong.
    """
    ruler = Ruler.of([(t.outline, [indices[n] for n in t.indices]) for t in things if t.whole])
    kept: list[Thing] = []
    for thing in sorted(things, key=lambda t: (-len(t.indices), not t.whole, -t.score)):
        host = next((other for other in kept if _one_card(other, thing, ruler, indices, differ)), None)
        if host is None:
            kept.append(thing)
        else:
            host.indices.extend(thing.indices)
    return [thing for thing in things if any(thing is one for one in kept)]


def _one_card(host: Thing, guest: Thing, ruler: Ruler, indices: Sequence[Array], differ: Differ) -> bool:
    if not host.indices or not guest.indices or len(host.indices) + len(guest.indices) > 4:
        return False
    pairs = [(a, b) for a in host.indices for b in guest.indices]
    if any(differ(a, b) for a, b in pairs):
        return False
    return any(ruler.one_card(indices[a], indices[b]) and not differ(a, b, unclear=True) for a, b in pairs)
