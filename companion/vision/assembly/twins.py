"""One card or two: ghosts of a card that was found twice go, true duplicates stay, doubtful twins lose their name.

Place and direction decide, in millimetres on the table. A row that was laid in even steps shows by its other cards
that two equal neighbours are two.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly.cards import Thing
from companion.vision.assembly.marks import NO_MARKS, Marks, asides, in_step, usual_gap
from companion.vision.assembly.plane import Plane
from companion.vision.assembly.seen import CLEAR, CLEAR_OUTLINE, Look, Seen, same_index, with_looks
from companion.vision.geometry import (
    HIDDEN_BELOW,
    Array,
    Spot,
    along_line,
    area,
    contains,
    iou,
    meeting,
    overlap,
    spot_on_card,
    window_index,
)
from companion.vision.reading.reader import FACES, Tuning
from companion.vision.types import Side

_CORNER_MM, _DOUBTFUL_MM = 7.0, 14.0
"""An index that misses the place of another corner of a card by less than this is that corner; may be that corner."""

_SHARED = 0.3
"""Equal cards whose outlines share more than this and whose indices face each other may be one card."""

_ALIKE, _APART_MM, _ASIDE_MM = 0.7, 5.0, 12.0
"""Indices lie between two others where they read the same way (cosine), farther from either than the second, and less
aside than the third."""

_OPPOSITE_MM = 20.0
"""Opposite indices of a card are farther apart than this, both across and down."""

_OUTLINED, _SAME_PLACE_MM = 0.6, 6.0
"""Indices that lie in free corners of an equal card's clear outline as its own does, to the second, may be that card's,
unless they have an outline that scores more than the first."""

_SURE_AT_CORNER = 0.98
"""An index that lies where a card which shows two others carries one of its own must be read more surely than this."""

_PRINTS_MM = np.array([9.0, 12.0])
"""Across and down, indices of a card are as far apart as those of most prints of their size, to this."""

_RIM = 0.18
"""What was read clearly so near the edge of a card's outline (share of the way to its middle) may lie beside it."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """How rows and fans were laid, as the clearly read indices of a picture show: `names` (n,) and `marks` of them.

    `steps` (m, 2): mm across and down, as they read, between those that lie the same way and are surely of two cards,
    because they were read as different faces.
    """

    names: NDArray[np.intp]
    marks: Marks
    steps: Array

    @classmethod
    def of(cls, seen: Sequence[Seen]) -> Rows:
        """The indices of all cards of a picture."""
        looks = [(look.name, look.quad) for one in seen for look in one.looks if look.quad is not None and look.clear]
        names = np.array([name for name, _ in looks], np.intp)
        if not looks:
            return cls(names, NO_MARKS, np.empty((0, 2)))
        marks = seen[0].thing.plane.marks([quad for _, quad in looks])
        steps, alike = marks.steps
        return cls(names, marks, steps[(names[:, None] != names[None]) & (alike > 0.9)])

    def two(self, one: Seen, other: Seen) -> bool:
        """True where two equal cards are surely two: neighbours of a row, or others lie between them."""
        places, plane = one.readable_places, one.thing.plane
        marks = plane.marks([*places, *other.readable_places])
        steps, alike = marks.steps
        pairs = np.zeros(alike.shape, np.bool_)
        pairs[: len(places), len(places) :] = alike[: len(places), len(places) :] > 0.9
        aside = asides(plane.prints, marks.sizes)[pairs]
        return bool(in_step(steps[pairs], self.steps, aside).any()) or self._between(one, other)

    def repeated_by(self, one: Seen) -> bool:
        """True where indices beside each other on one card are as far apart as other cards of a row are."""
        steps, alike = one.thing.plane.marks(one.readable_places).steps
        beside = np.triu(alike > 0.9, 1)
        return bool(in_step(steps[beside], self.steps, np.inf).any())

    def _between(self, one: Seen, other: Seen) -> bool:
        """True where other cards' indices lie between each two of theirs that read the same way, and read so too."""
        own = {look.name for look in (*one.looks, *other.looks) if look.readable}
        strange = np.flatnonzero(~np.isin(self.names, list(own)))
        marks, others = (one.thing.plane.marks(which.readable_places) for which in (one, other))
        pairs = np.argwhere(marks.downs @ others.downs.T > _ALIKE)
        if not len(strange) or not len(pairs):
            return False
        return all(
            self._crossed(marks.centres[a], others.centres[b], marks.downs[a], strange) for a, b in pairs.tolist()
        )

    def _crossed(self, start: Array, end: Array, down: Array, which: NDArray[np.intp]) -> bool:
        along, aside, length = along_line(start, end, self.marks.centres[which])
        inside = (along > _APART_MM) & (along < length - _APART_MM) & (aside < _ASIDE_MM)
        return bool((inside & (self.marks.downs[which] @ down > _ALIKE)).any())


def without_ghosts(seen: Sequence[Seen], tuning: Tuning, deck: Collection[str] | None = None) -> list[Seen]:
    """An index is printed once: where two outlines claim the same one, the surer card keeps it.

    Outlines that nearly coincide are one card in any case.

    The other is judged again without it, and is gone when nothing else was read of it and it overlaps the first: it
    was a second, worse outline of the same card. What was clearly read at an index of its own, elsewhere than a corner
    of the card that rules it out, does not go unseen: it stays without a name.
    """
    kept: list[Seen] = []
    doubtful: list[Seen] = []
    rows = cache(partial(Rows.of, seen))
    seen = _detected_first(seen, tuning, deck)
    looks = list(dict.fromkeys(look for one in seen for look in one.looks))
    numbers = {look: number for number, look in enumerate(looks)}
    same, taken = same_index(looks), np.zeros(len(looks), np.bool_)

    def keep(one: Seen) -> None:
        kept.append(one)
        taken[[numbers[look] for look in one.looks if look.readable]] = True

    for one in sorted(seen, key=lambda s: _standing(s, tuning), reverse=True):
        if any(_other_corner_of(one, other, rows) for other in kept):
            continue
        if _is_ghost(one, kept):
            own = any(look.quad is not None and look.clear for look in one.looks)
            if own and not any(_covers(other.thing, one.thing) for other in kept):
                doubtful.append(replace(one, verdict=one.verdict.doubted(tuning)))
            continue
        free = tuple(look for look in one.looks if not (same[numbers[look]] & taken).any())
        if len(free) == len(one.looks) or not any(look.readable for look in one.looks):
            keep(one)
            continue
        ghost = not any(look.readable for look in free)
        if ghost and any(_mostly_same(one.thing, other.thing) for other in kept):
            continue
        rest = with_looks(one, free, tuning, deck)
        if (one.thing.whole or free) and not _is_ghost(rest, kept):
            keep(rest)
    return [*kept, *doubtful]


def with_opposite_corners(seen: Sequence[Seen], tuning: Tuning, deck: Collection[str] | None = None) -> list[Seen]:
    """Two indices that face each other as those of one card are of one, though read differently: one was misread.

    The card is judged by both, and by its whole face where that is seen.
    """
    out = sorted(seen, key=lambda one: _standing(one, tuning), reverse=True)
    facing = _facing([one for one in out if tuning.accepts(one.verdict)])
    for one, others in facing.items():
        for other, away in others:
            if away < _CORNER_MM and other.name != one.name and one in out and other in out:
                number = out.index(one)
                out[number] = with_looks(one, (*one.looks, *other.looks), tuning, deck, one.face)
                out.remove(other)
    return out


def without_doubtful_twins(seen: Sequence[Seen], tuning: Tuning) -> list[Seen]:
    """Abstain where a second card of one face may be another corner of the first: it keeps its candidates, no name.

    A twin with an outline of its own, or with two indices, stands for itself; so does the next card of a fan or column,
    whose index reads the same way close by. Not so one whose index faces the other's as that of the same card does, nor
    one that shows no more than what lies at free corners of the other.
    """
    kept: list[Seen] = []
    rows = cache(partial(Rows.of, seen))
    facing = _facing([one for one in seen if tuning.accepts(one.verdict)])
    for one in sorted(seen, key=lambda s: (s.stands, *_standing(s, tuning)), reverse=True):
        twins = [o for o in kept if tuning.accepts(o.verdict) and tuning.accepts(one.verdict) and o.name == one.name]
        opposite = any(other in twins for other, _ in facing.get(one, ()))
        cornered = any(_at_free_corners(one, twin) for twin in twins)
        unsure = not one.stands and any(not rows().two(one, twin) and _may_be_one(one, twin) for twin in twins)
        if opposite or cornered or unsure:
            kept.append(replace(one, verdict=one.verdict.doubted(tuning)))
        else:
            kept.append(one)
    return kept


def without_misread_corners(seen: Sequence[Seen], tuning: Tuning) -> list[Seen]:
    """Abstain where an index that makes a card of its own lies just where another one carries its own: it may be that.

    The other one has a clear outline and shows two indices that agree; what was read at a third place is a card that
    lies over its corner, or a misread corner, so it needs to be read more surely than elsewhere.
    """
    known = [one for one in seen if len(one.readable_places) > 1 and tuning.accepts(one.verdict)]
    return [
        replace(one, verdict=one.verdict.doubted(tuning))
        if not one.thing.whole
        and tuning.accepts(one.verdict)
        and one.verdict.confidence < _SURE_AT_CORNER
        and any(_at_free_corners(one, other) for other in known)
        else one
        for one in seen
    ]


def _facing(seen: Sequence[Seen]) -> dict[Seen, list[tuple[Seen, float]]]:
    """Which others may show the opposite corner of those that show one index, and how far (mm) they miss its place."""
    singles = [one for one in seen if len(one.readable_places) == 1]
    if len(singles) < 2:
        return {}
    plane = max((one.thing.plane for one in singles), key=lambda plane: plane.corners)
    places = [one.readable_places[0] for one in singles]
    marks = plane.marks(places)
    away = np.where(marks.steps[1] < 0, plane.misfits(marks), np.inf)
    return {
        one: [(singles[other], float(row[other])) for other in np.flatnonzero(row < _DOUBTFUL_MM).tolist()]
        for one, row in zip(singles, away, strict=True)
    }


def _detected_first(seen: Sequence[Seen], tuning: Tuning, deck: Collection[str] | None) -> list[Seen]:
    """A detected index belongs to one card; a look at another outline's corner that meets it is none of that card's."""
    looks = [look for one in seen for look in one.looks]
    owners = np.repeat(np.arange(len(seen)), [len(one.looks) for one in seen])
    exact = np.array([look.quad is not None for look in looks], np.bool_)
    if exact.all():
        return list(seen)
    of_others = (same_index(looks) & exact & (owners[:, None] != owners)).any(axis=1)
    free = {look for look, no in zip(looks, ~exact & of_others, strict=True) if not no}
    return [
        one if free.issuperset(one.looks) else with_looks(one, tuple(x for x in one.looks if x in free), tuning, deck)
        for one in seen
    ]


def one_face_each(seen: Sequence[Seen], tuning: Tuning, deck: Collection[str] | None = None) -> list[Seen]:
    """A card has one face: an outline over indices that clearly read differently lies across several cards.

    It keeps the indices that agree with most, and is laid anew around them; each other one becomes a card of its own,
    placed by its index. Beside a clear look, an unclear one that says otherwise was no look at this card's index.
    """
    out: list[Seen] = []
    for one in seen:
        clear = [look for look in one.looks if look.clear]
        weight: dict[int, float] = {}
        for look in clear:
            weight[look.name] = weight.get(look.name, 0.0) + look.top
        if not clear or (len(weight) == 1 and tuning.accepts(one.verdict)):
            out.append(one)
            continue
        main = max(sorted(weight), key=lambda name: weight[name])
        own = tuple(look for look in one.looks if not look.readable or look.name == main or 0.5 < look.top <= CLEAR)
        others = [look for look in clear if look.name != main]
        thing = _around([look for look in clear if look.name == main], one.thing) if others else one.thing
        out.append(with_looks(replace(one, thing=thing), own, tuning, deck, None if others else one.face))
        for look in others:
            apart = replace(one, thing=_around([look], one.thing))
            out.append(with_looks(apart, (look,), tuning, deck))
    return out


def _around(looks: Sequence[Look], old: Thing) -> Thing:
    """A card placed by one or two of its indices, where the outline they were found with is wrong."""
    indices = [window_index(look.window) if look.quad is None else look.quad for look in looks]
    outline, error = old.plane.card(indices, old.outline)
    if len(indices) > 1 and error < _CORNER_MM:
        return replace(old, outline=outline, side=Side.UP, indices=[], predicted=None)
    outline, _ = old.plane.card(indices[:1])
    return replace(old, outline=outline, side=Side.UP, indices=[], whole=False, predicted=None)


def _covers(one: Thing, other: Thing) -> bool:
    """True where one card lies over all of the other's outline."""
    return one.whole and iou(one.outline, other.outline) > HIDDEN_BELOW


def _standing(seen: Seen, tuning: Tuning) -> tuple[bool, float, float]:
    """Who keeps a disputed place: whole outlines first, then what is read surely, then what is found clearly."""
    sure = seen.verdict.confidence if tuning.accepts(seen.verdict) else 0.0
    return seen.thing.whole, sure * seen.thing.score, seen.thing.score


def _is_ghost(one: Seen, kept: Sequence[Seen]) -> bool:
    """True where it is a ghost of one that was kept: of a whole card only those can be that share something with it."""
    whole = one.thing.whole
    near = meeting(one.thing.outline, [other.thing.outline for other in kept]) if whole else range(len(kept))
    return any(_is_ghost_of(one, kept[number]) for number in near)


def _is_ghost_of(one: Seen, other: Seen) -> bool:
    """True for something that cannot be a card of its own beside a surer one.

    An outline that nearly coincides with it; or is unread, weaker and overlaps it much; or overlaps it by half while
    all that was read of it lies within that card, whose two opposite indices are both seen: a card on top would hide
    one of them. A card known by its index alone is judged by that last rule only, wherever its body may lie, unless it
    clearly says something else.
    """
    read = [look for look in one.looks if look.readable]
    shared = iou(one.thing.outline, other.thing.outline)
    if one.thing.whole and other.thing.whole:
        if shared > HIDDEN_BELOW:
            return not any(look.quad is not None and look.clear and FACES[look.name] != other.name for look in read)
        if not read:
            return shared > 0.4 and one.thing.score < 0.8 * other.thing.score
    near = shared > 0.45 or (not one.thing.whole and (one.name == other.name or not one.clear))
    if not near or not read or not other.thing.whole or not _shows_opposite(other):
        return False
    outline, rim = other.thing.outline, _RIM if one.clear else 0.0
    inner = outline + rim * (outline.mean(axis=0) - outline)
    return all(contains(inner, look.window.mean(axis=0)) for look in read)


def _shows_opposite(seen: Seen) -> bool:
    """True for a card of which two opposite indices are seen that name it."""
    looks = [look for look in seen.looks if look.readable and FACES[look.name] == seen.name]
    steps, _ = seen.thing.plane.marks([look.place for look in looks]).steps
    return bool((np.abs(steps) > _OPPOSITE_MM).all(axis=2).any())


def _other_corner_of(one: Seen, other: Seen, rows: Callable[[], Rows]) -> bool:
    """True where all that was read of a thing is another corner of a card that was read the same.

    Its place decides; that the names agree is only what two corners of one card must do.
    """
    if not one.verdict.candidates or not other.verdict.candidates:
        return False
    if one.verdict.candidates[0].face != other.verdict.candidates[0].face or not one.readable_places:
        return False
    if not (_misfits(one, other).min(axis=1, initial=np.inf) < _CORNER_MM).all() or rows().two(one, other):
        return False
    return one.thing.plane.card([*other.readable_places, *one.readable_places])[1] < _CORNER_MM


def _may_be_one(one: Seen, other: Seen) -> bool:
    """True where what was read of two things may be two corners of one card, as exactly as the table is known."""
    plane = one.thing.plane
    misfits = _misfits(one, other)
    if (_misfits(one, other, plane.cornered(range(len(plane.prints)), 4)) < _CORNER_MM).any():
        return True
    places, others = one.readable_places, other.readable_places
    if len(others) > 1 and places and plane.card(others)[1] < _CORNER_MM / 2:  # so all corners of that card are known
        return min(plane.card([*others, place])[1] for place in places) < _DOUBTFUL_MM / 2
    backed = Side.DOWN in (one.thing.side, other.thing.side)  # so that outline is of the back beside it
    facing = bool(np.isfinite(misfits).any()) and (backed or iou(one.thing.outline, other.thing.outline) > _SHARED)
    return bool((misfits < _DOUBTFUL_MM).any()) or facing or _of_some_print(one, other)


def _of_some_print(one: Seen, other: Seen) -> bool:
    """True where an index of each may be corners of one card of a print that no other card on the table shows."""
    marks = one.thing.plane.marks([*one.readable_places, *other.readable_places])
    steps, alike = (array[: len(one.readable_places), len(one.readable_places) :] for array in marks.steps)
    sizes = np.exp((np.log(marks.sizes)[: len(steps), None] + np.log(marks.sizes)[None, len(steps) :]) / 2)
    away = np.abs(np.stack([np.abs(steps[..., 0]), steps[..., 1]], axis=2) - usual_gap(sizes)) < _PRINTS_MM
    level = np.abs(steps) < _CORNER_MM
    beside = (alike > 0.9) & level[..., 1] & away[..., 0]
    opposite = (alike < -0.9) & away[..., 1] & (level[..., 0] | away[..., 0])
    return bool((beside | opposite).any())


def _at_free_corners(one: Seen, other: Seen) -> bool:
    """True where a thing without a clear outline shows indices only where a clearly outlined card may have its own."""
    thing = other.thing
    clear = thing.whole and thing.side is Side.UP and thing.score >= CLEAR_OUTLINE
    if not clear or one.thing.score > _OUTLINED:
        return False
    spots, found = ([spot_on_card(thing.outline, place) for place in seen.readable_places] for seen in (one, other))
    own = [spot for spot in found if spot is not None]
    return bool(spots and own) and all(spot is not None and _in_free_corner(spot, own) for spot in spots)


def _in_free_corner(spot: Spot, own: Sequence[Spot]) -> bool:
    """True where a card has none of its `own` indices in that corner, and one as far from its corner."""
    away = min(float(np.hypot(spot.x - other.x, spot.y - other.y)) for other in own)
    return away < _SAME_PLACE_MM and all(spot.corner != other.corner for other in own)


def _misfits(one: Seen, other: Seen, plane: Plane | None = None) -> Array:
    """By how much (mm) each readable index of one thing misses lying as another corner of the card of the other."""
    places, others = one.readable_places, other.readable_places
    plane = plane or max(one.thing.plane, other.thing.plane, key=lambda plane: plane.corners)
    return plane.misfits([*places, *others])[: len(places), len(places) :]


def _mostly_same(a: Thing, b: Thing) -> bool:
    smaller = min(abs(area(a.outline)), abs(area(b.outline)))
    return overlap(a.outline, b.outline) > 0.5 * smaller
