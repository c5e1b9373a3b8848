"""Detections become physical cards: which outlines are one card, which index belongs to which, what is left over.

Place and direction decide, in millimetres on the table (`plane`, which indices that were read alike help to measure).
Otherwise a name only forbids: indices that were clearly read as different faces are not on one card, nor, where the
place alone leaves it open, any that were read differently.
Indices are found more exactly than outlines: those that lie as corners of one card do make its outline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import edges
from companion.vision.assembly.marks import (
    Marks,
    asides,
    in_between,
    in_step,
    mean_size,
    misfits,
    nearest_print,
    with_measured,
)
from companion.vision.assembly.plane import Plane
from companion.vision.geometry import (
    HIDDEN_BELOW,
    Array,
    area,
    corner_windows,
    doubtful_turn,
    inside,
    iou,
    lengths,
    meeting,
    side_lengths,
    spot_on_card,
)
from companion.vision.reading.detector import Found, Kind, same_card
from companion.vision.types import Side


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What was read at n indices: which pairs (n, n) were read differently, and which clearly so."""

    unlike: NDArray[np.bool_]
    clearly: NDArray[np.bool_]

    @classmethod
    def of(cls, names: Sequence[int], clear: Sequence[bool]) -> Reading:
        """From the likeliest face of each index, and whether it is beyond doubt."""
        faces, sure = np.array(names, np.intp), np.array(clear, np.bool_)
        unlike = faces[:, None] != faces[None]
        return cls(unlike, unlike & sure[:, None] & sure[None])


_TALLEST = 0.42
"""No print's index is taller than this share of its card's long side."""

_SLACK_MM, _SLACK_OUTLINED_MM = 7.0, 14.0
"""By how much two corners of one card may misfit it; the second where the detector saw that card's outline."""

_EXACT_MM = 6.0
"""An outline that lies on edges of the picture is taken when it is no farther from where the indices say."""

_UNLIKE_MM = 3.0
"""What counts as misfit where two indices were read differently, however unsurely."""

_CLEAR_OUTLINE = 0.4
"""Outlines from this detector score on say how the table lies."""

_UNCONFIRMED = 0.4
"""Score of a card that two indices make where the detector saw no such outline."""

_LEVEL_MM = 10.0
"""Corners of a card that lie below each other differ by less than this across."""

_LEVEL_SPOTS_MM = 6.0
"""Indices of one card lie as far from their corners as each other, to this."""

_MANY = 2
"""Cards that show more than two indices are of another print where so many diagonal pairs come on each."""

_CLAIM_MM = 15.0
"""An outline of the detector is the card that indices make when they lie less than this apart."""

_SEEN_OUTLINE = 0.5
"""Indices that an outline of the detector confirms make a card that shares at least this with it (IoU)."""


@dataclass(slots=True)
class Thing:
    """One physical card on its way to being read. `indices` are the numbers of the index quads that belong to it."""

    outline: Array
    side: Side
    score: float
    plane: Plane
    """The table on which it lies."""
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
    reading: Reading | None = None,
    moved: Sequence[Array] | None = None,
) -> list[Thing]:
    """Turn outlines and index quads (px) into physical cards.

    `bright`: the picture as `edges.paper` sees it; `reading`: what the indices say, where that is known; `moved`: the
    cards' outlines on the edges of `bright`, where they were put there already. First come the cards whose corners
    several indices are, then the detector's outlines that are none of those, each with the index nearest to each of its
    corners; an index on no card's corner shows a further card, whose outline follows from the table's plane.
    """
    if not cards and not indices:
        return []
    outlines = edges.refine(bright, [card.quad for card in cards]) if moved is None else moved
    seen = list(zip(cards, outlines, strict=True))
    faces = [outline for card, outline in seen if card.kind is Kind.UP]
    clear = [outline for card, outline in seen if card.kind is Kind.UP and card.score >= _CLEAR_OUTLINE]
    plane = Plane.fit(clear or faces or outlines, indices, reading.unlike if reading else None)
    reading = reading or Reading.of([0] * len(indices), [False] * len(indices))
    marks = plane.marks(indices)
    whole = _framed(clear, indices, reading)
    plane = replace(plane, prints=with_measured(plane.prints, marks, whole))
    groups = [group for group in _groups(plane, faces, marks, reading, whole) if len(group) > 1]
    strict = _cornered(plane, marks, indices, [*whole, *groups], [outline for _, outline in seen], bright.shape[:2])
    if strict is not plane:  # three corners of a card of another print than most: no two cards show them so
        whole += [group for group in groups if len(group) > 2 and not reading.unlike[np.ix_(group, group)].any()]
        groups = [group for group in _groups(strict, faces, marks, reading, whole) if len(group) > 1]
    groups = [*whole, *groups]
    planes = [plane] * len(whole) + [strict] * (len(groups) - len(whole))
    things = [
        Thing(outline, Side.UP, _UNCONFIRMED, own, group)
        for outline, own, group in zip(_placed(plane, marks, groups, faces), planes, groups, strict=True)
    ]
    plane = strict
    measured, confirmed = bool(things), set[int]()
    for card, outline in zip(cards, outlines, strict=True):
        if card.kind is Kind.DOWN and measured and not plane.sized(outline):
            continue  # nothing on a back says that it is one, but the cards beside it say how large it must be
        near = meeting(outline, [thing.outline for thing in things])
        same = next((n for n in near if same_card(things[n].outline, outline)), None)
        if same is None:
            side = Side.DOWN if card.kind is Kind.DOWN else Side.UP
            things.append(Thing(outline, side, card.score, plane, predicted=card.quad))
        elif things[same].indices:
            thing = things[same]
            thing.score = max(thing.score, card.score) if same in confirmed else card.score
            if same not in confirmed and plane.apart(thing.outline, outline) < _EXACT_MM:
                thing.predicted, thing.outline = thing.outline, outline
            confirmed.add(same)
    alone = [thing for thing in things if thing.indices and thing.predicted is None]
    for thing, outline in zip(alone, edges.refine(bright, [thing.outline for thing in alone]), strict=True):
        thing.predicted, thing.outline = thing.outline, outline
    _share_out(things, indices, marks, reading, plane)
    taken = {number for thing in things for number in thing.indices}
    for number, index in enumerate(indices):
        if number not in taken:
            things.append(Thing(plane.card([index])[0], Side.UP, 0.5, plane, [number], whole=False))
    return things


def plausible(cards: Sequence[Found], indices: Sequence[Array]) -> list[bool]:
    """Which index quads are small enough for the card in which they lie (the smallest clear outline around them).

    An outline much smaller than most is no measure: it may be a wrong one.
    """
    clear = [card.quad for card in cards if card.kind is Kind.UP and card.score > 0.4]
    if not clear or not indices:
        return [True] * len(indices)
    quads, marks = np.stack(clear), np.stack(indices)
    around = inside(quads, marks.mean(axis=1)).T
    sides = side_lengths(quads).max(axis=1)
    longest = np.where(around, np.maximum(sides, 0.7 * np.median(sides)), np.inf).min(axis=1)
    return [bool(fits) for fits in side_lengths(marks).max(axis=1) < _TALLEST * longest]


def _framed(outlines: Sequence[Array], indices: Sequence[Array], reading: Reading) -> list[list[int]]:
    """Cards that show all four corners: an outline with four indices (numbers) read alike, one as far in each corner.

    The first is the upper left one, and so on around the card. No two cards lie so, whatever their print.
    """
    if not outlines or len(indices) < 4:
        return []
    found: list[list[int]] = []
    taken = set[int]()
    for outline, row in zip(outlines, inside(np.stack(outlines), np.stack(indices).mean(axis=1)), strict=True):
        held = [number for number in np.flatnonzero(row).tolist() if number not in taken]
        if len(held) < 4:
            continue
        spots = {number: spot for number in held if (spot := spot_on_card(outline, indices[number])) is not None}
        for first in [number for number, spot in spots.items() if spot.corner == 0]:
            alike = [number for number in spots if not reading.unlike[first, number]]
            four = sorted(alike, key=lambda number: spots[number].corner)
            if [spots[number].corner for number in four] != [0, 1, 2, 3]:
                continue
            places = np.array([(spots[number].x, spots[number].y) for number in four])
            if np.hypot(*np.ptp(places, axis=0)) < _LEVEL_SPOTS_MM:
                found.append(four)
                taken.update(four)
    return found


def _cornered(
    plane: Plane,
    marks: Marks,
    indices: Sequence[Array],
    groups: Sequence[list[int]],
    outlines: Sequence[Array],
    size: tuple[int, ...],
) -> Plane:
    """The table with those of its prints known for two-cornered of which nearly every pair of indices is a diagonal.

    A few cards with three corners or four do not count among many such pairs: they are of another print. Two corners
    that lie open and empty, as far as the detector's `outlines` and the picture's `size` (height, width; px) tell,
    weigh as much as a pair.
    """
    strict = plane.cornered(range(len(plane.prints)), 2)
    errors, two, bare = misfits(marks, strict.prints), set[int](), set[int]()
    prints = [int(nearest_print(plane.prints, mean_size(marks.sizes[group]))) for group in groups]
    empty = _bare(groups, _cards_of(plane, marks, groups, outlines)[0], indices, outlines, size)
    for number in set(prints):
        own = [(group, lies) for group, which, lies in zip(groups, prints, empty, strict=True) if which == number]
        pairs = [(bool(errors[tuple(group)] < _SLACK_OUTLINED_MM), lies) for group, lies in own if len(group) == 2]
        diagonal = sum(fits for fits, _ in pairs)
        shown, level = sum(fits and lies for fits, lies in pairs), len(pairs) - diagonal
        if diagonal + shown > level < 2 and diagonal + shown > _MANY * (len(own) - len(pairs)):
            two.add(number)
            bare |= {number} if shown and len(own) == len(pairs) else set()
    return plane.cornered(two, 2, bare) if two else plane


def _bare(
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
    spots = windows.mean(axis=1)
    holds, hides = inside(every, middles), inside(every, spots)
    shown = (spots > 0).all(axis=1) & (spots < size[::-1]).all(axis=1) & ~inside(windows, middles).any(axis=1)
    out = []
    for number, group in enumerate(groups):
        own = slice(4 * number, 4 * number + 4)
        over = ~holds[:, list(group)].any(axis=1)
        out.append(int((shown[own] & ~hides[over, own].any(axis=0)).sum()) == 2)
    return out


def _cards_of(
    plane: Plane, marks: Marks, groups: Sequence[Sequence[int]], faces: Sequence[Array]
) -> tuple[list[Array], list[float]]:
    """The outlines (px) that groups of indices make, and what each shares with the nearest of `faces` (IoU)."""
    outlines, shares = [np.empty((4, 2))] * len(groups), [0.0] * len(groups)
    for size in {len(group) for group in groups}:
        which = [number for number, group in enumerate(groups) if len(group) == size]
        members = np.array([groups[number] for number in which], np.intp)
        near = _nearest(faces, plane.to_px(marks.centres[members].mean(axis=1))) if faces else None
        made, _ = plane.cards(marks, members, near)
        for row, number in enumerate(which):
            outlines[number] = made[row]
            shares[number] = 0.0 if near is None else iou(made[row], near[row])
    return outlines, shares


def _placed(plane: Plane, marks: Marks, groups: Sequence[Sequence[int]], faces: Sequence[Array]) -> list[Array]:
    """The outlines (px) that groups of indices make.

    Two indices at one side of a card leave open to which side it lies: no two cards take one of the detector's
    outlines, and those that fit best come first. Indices in no group have a say too.
    """
    outlines = _cards_of(plane, marks, groups, faces)[0]
    if not faces or not groups:
        return outlines
    grouped = {number for group in groups for number in group}
    every = [*groups, *([number] for number in range(len(marks.sizes)) if number not in grouped)]
    rows, made = [], []
    for size in {len(group) for group in every}:
        which = [number for number, group in enumerate(every) if len(group) == size]
        either, errors = plane.either(marks, np.array([every[number] for number in which], np.intp))
        for row, side in np.argwhere(plane.fitting(errors)).tolist():
            rows.append(which[row])
            made.append(either[row, side])
    aparts = plane.aparts(np.stack(made)[:, None], np.stack(faces))
    taken, done = set[int](), set[int]()
    for row, face in sorted(np.argwhere(aparts < _CLAIM_MM).tolist(), key=lambda pair: float(aparts[*pair])):
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
    return any(iou(outline, others[number]) > HIDDEN_BELOW for number in near.tolist() if number != own)


def _nearest(quads: Sequence[Array], points: Array) -> Array:
    """The quad (4, 2) whose middle is nearest to each of the points (n, 2): (n, 4, 2)."""
    every = np.stack(quads)
    way = every.mean(axis=1) - points[:, None]
    return np.asarray(every[lengths(way).argmin(axis=1)], np.float64)


def _groups(
    plane: Plane, faces: Sequence[Array], marks: Marks, reading: Reading, known: Sequence[Sequence[int]] = ()
) -> list[list[int]]:
    """Sort indices (numbers) into cards: the best fitting pairs first, and all of a card must fit each other.

    Those of cards that are `known` stay alone.
    """
    away = plane.misfits(marks)
    taken = [number for group in known for number in group]
    away[taken], away[:, taken] = np.inf, np.inf
    beside = marks.downs @ marks.downs.T > 0  # as only four-corner prints have it, and neighbours of a row
    steps, alike = marks.steps
    rows = in_step(steps, steps[reading.clearly & (alike > 0.9)], asides(plane.prints, marks.sizes))
    forbidden = np.where(beside, reading.unlike | rows, reading.clearly)
    near = np.argwhere(np.triu(away < _SLACK_OUTLINED_MM) & ~forbidden)
    pairs = []
    for (a, b), share in zip(near.tolist(), _cards_of(plane, marks, near.tolist(), faces)[1], strict=True):
        error, seen = float(away[a, b]), share > _SEEN_OUTLINE
        if error < (_SLACK_OUTLINED_MM if seen else _SLACK_MM):
            pairs.append((error + _UNLIKE_MM * bool(reading.unlike[a, b]) - _UNLIKE_MM * seen, a, b))
    may = {(a, b) for _, a, b in pairs} | {(b, a) for _, a, b in pairs}
    may -= _crossing(steps, alike, reading.unlike, may)
    group = {number: [number] for number in range(len(marks.sizes))}
    for whole in _complete(plane, marks, may, beside):
        group |= dict.fromkeys(whole, whole)
    for _, a, b in sorted(pairs):
        joined = sorted({*group[a], *group[b]})
        if group[a] is group[b] or len(joined) > 4 or not may.issuperset(combinations(joined, 2)):
            continue
        if len(joined) == 2 or plane.cards(marks, np.array([joined]))[1][0] < _SLACK_MM:
            group |= dict.fromkeys(joined, joined)
    return sorted({tuple(members): members for members in group.values()}.values())


def _crossing(steps: Array, alike: Array, unlike: NDArray[np.bool_], may: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The diagonals (a, c) among pairs that `may` be corners of one card where two equal cards show two corners each.

    Those are a with d below it, and b with c; that they are two shows what lies between a and b and between c and d.
    `steps`, `alike`: see `Marks.steps`.
    """
    below: dict[int, list[int]] = {}
    for a, b in may:
        if abs(steps[a, b, 0]) < _LEVEL_MM:
            below.setdefault(a, []).append(b)
    found = [
        (a, c, b, d)
        for a, c in may
        if abs(steps[a, c, 0]) >= _LEVEL_MM and alike[a, c] < 0
        for b in below.get(c, ())
        for d in below.get(a, ())
        if not unlike[a, b] and not unlike[c, d]
    ]
    if not found:
        return set()
    corners = np.array(found, np.intp)
    two = in_between(steps, alike, corners[:, [0, 2]]) & in_between(steps, alike, corners[:, [1, 3]])
    crossed = corners[two][:, :2].tolist()
    return {(a, c) for a, c in crossed} | {(c, a) for a, c in crossed}


def _complete(plane: Plane, marks: Marks, may: set[tuple[int, int]], beside: NDArray[np.bool_]) -> list[list[int]]:
    """Cards that show all four corners, where such cards would share corners: as many as can be, none sharing one.

    In a row of equal cards two neighbours may make a third one between them; the outermost card shares least.
    """
    level: dict[int, set[int]] = {number: set() for number in range(len(marks.sizes))}
    opposite: dict[int, set[int]] = {number: set() for number in range(len(marks.sizes))}
    for a, b in may:
        (level if beside[a, b] else opposite)[a].add(b)
    fours = set()
    for a, upper in level.items():
        for b in upper:
            lower = opposite[a] & opposite[b]
            fours |= {tuple(sorted((a, b, c, d))) for c in lower for d in level[c] & lower}
    left = {four for four in fours if plane.cards(marks, np.array([four]))[1][0] < _SLACK_MM}
    shared = {four: {other for other in left if other != four and set(four) & set(other)} for four in left}
    out = []
    while any(shared[four] for four in left):
        least = min((len(shared[four] & left), four) for four in left if shared[four])[1]
        out.append(list(least))
        left -= {least, *shared[least]}
    return out


def _share_out(things: Sequence[Thing], indices: Sequence[Array], marks: Marks, reading: Reading, plane: Plane) -> None:
    """Give each free index to the outline one of whose corners it marks best; a corner takes one index only."""
    taken = {number for thing in things for number in thing.indices}
    errors = plane.misfits(marks)
    steps, alike = marks.steps
    four = [plane.prints[n].four_cornered for n in nearest_print(plane.prints, marks.sizes).tolist()]
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
                if spot is not None and (four[number] or spot.corner in (0, 2)):
                    claims.append((spot.error, number, which, spot.corner))
    corners: set[tuple[int, int]] = set()
    for _, number, which, corner in sorted(claims):
        thing = things[which]
        if (
            number in taken
            or (which, corner) in corners
            or any(reading.unlike[number, other] for other in thing.indices)
            or (len(thing.indices) > 1 and (errors[number, thing.indices] > _SLACK_OUTLINED_MM).any())
            or _apart(steps, alike, number, thing.indices)
        ):
            continue
        taken.add(number)
        corners.add((which, corner))
        thing.indices.append(number)


def _apart(steps: Array, alike: Array, index: int, others: Sequence[int]) -> bool:
    """True for an index that cannot be of the card of others, as a third lies between it and one that reads alike."""
    pairs = np.array([(index, other) for other in others if alike[index, other] > 0.9], np.intp).reshape(-1, 2)
    return bool(in_between(steps, alike, pairs).any())
