"""Which card that was read is which of those remembered: by place; names and looks only ever keep things apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.vision.following import parameters
from companion.vision.following.looks import Grey, likeness
from companion.vision.following.track import Track
from companion.vision.geometry import (
    Array,
    area,
    as_quad,
    contains,
    corner_distance,
    iou,
    overlap,
    side_lengths,
    touches,
)
from companion.vision.types import Candidate, CardRead, Point, Quad, Region, Side

Pairs = dict[int, int]
"""Numbers of tracks, and of the readings that are theirs."""


def associate(
    tracks: Sequence[Track], cards: Sequence[CardRead], places: Sequence[Quad], disturbed: Sequence[bool],
    otherwise: set[int], accept: float,
) -> Pairs:  # fmt: skip
    """Which track is which reading: nearest first, each once. First come those that are read by the very index that
    they were read by: of a tight row outlines may be found astray, an index stays where it is. Before a card of
    another name, or one that lay under others and that nobody has reached for since, comes any other one that is
    near. Those that look `otherwise` are none that is read in their place, unless it may well be their face."""
    near = []
    for at, track in enumerate(tracks):
        changed = at in otherwise
        for which, card in enumerate(cards):
            if changed and track.face(accept) is None and not _leans_alike(track, card):
                continue
            distance = corner_distance(as_quad(track.place), as_quad(places[which]))
            same = by_the_same_index(track, card)
            if distance <= (parameters.PUSHED if same else parameters.SAME_PLACE) and not is_other_card(
                track, card, disturbed[at] or track.vacated > 1, accept, changed=changed
            ):
                unlikely = is_other_card(track, card, True, accept) + (track.covered and not disturbed[at])
                near.append((-1 if same else unlikely, distance, track.covered, at, which))
    pairs: Pairs = {}
    for _, _, _, at, which in sorted(near):
        if at not in pairs and which not in pairs.values():
            pairs[at] = which
    return pairs


def by_the_same_index(track: Track, card: CardRead) -> bool:
    """Whether a reading says the same by an index that lies where one of this card lay."""
    likeliest = card.face or (card.candidates[0].face if card.candidates else None)
    if likeliest is None or likeliest != track.likeliest or not track.indices or not card.indices:
        return False
    apart = np.asarray(track.indices)[:, None] - np.asarray(card.indices)
    reach = parameters.SAME_INDEX * float(np.sqrt(abs(area(as_quad(card.polygon)))))
    return bool(np.hypot(*apart.T).min() <= reach)


def _leans_alike(track: Track, card: CardRead) -> bool:
    """What is read is likelier than not the face that a card without a name was most like: its place looks otherwise
    because another was laid beside it, or a hand left it."""
    return any(one.face == track.likeliest and one.p >= parameters.LEANING_MEAN for one in card.candidates)


def as_it_lay(track: Track, card: CardRead, place: Quad) -> tuple[CardRead, Quad]:
    """A reading and its place on the table; as the card lay before where of its indices fewer are seen now, and those
    where they were: it is partly covered, and where the rest of it lies nobody sees."""
    if len(card.indices) >= len(track.indices) or not by_the_same_index(track, card):
        return card, place
    return replace(card, polygon=track.outline, indices=track.indices), track.place


def pushed(
    tracks: Sequence[Track], removed: set[int], free: set[int], cards: Sequence[CardRead], places: Sequence[Quad],
    otherwise: set[int], accept: float,
) -> Pairs:  # fmt: skip
    """Cards that were pushed a little: an empty place, and close to it a reading nobody owns."""
    near = []
    for at in removed:
        track = tracks[at]
        for which in free:
            distance = corner_distance(as_quad(track.place), as_quad(places[which]))
            touching = iou(as_quad(track.place), as_quad(places[which])) > parameters.PUSHED_IOU
            same = track.side is cards[which].side and not is_other_card(track, cards[which], True, accept)
            laid_on_it = at in otherwise and distance <= parameters.SAME_PLACE
            if distance < parameters.PUSHED and touching and same and not laid_on_it:
                near.append((distance, at, which))
    pairs: Pairs = {}
    for _, at, which in sorted(near):
        if at not in pairs and which not in pairs.values():
            pairs[at] = which
    return pairs


def is_other_card(track: Track, card: CardRead, disturbed: bool, accept: float, *, changed: bool = False) -> bool:
    """Hands were there, and now it clearly says something else: not the same card. `changed`: its place looks
    otherwise than with it."""
    if not disturbed or track.side is not card.side or track.dismissed:
        return False
    # What was read of a card that a person named otherwise is still how it reads.
    believed = {track.pinned, track.evidence.face(accept)} - {None}
    if believed and card.face is not None:
        return card.face not in believed
    # Where another lay on it, or it looks otherwise now, that what is read says nothing of it is enough.
    enough = parameters.LEAST_OTHER if believed and (track.covered or changed) else accept
    sure = bool(believed or track.evidence.clear(accept)) and sum(one.p for one in card.candidates) >= enough
    return sure and not (believed | _thought_of(track.evidence.candidates())) & _thought_of(card.candidates)


def may_be(track: Track, card: CardRead, accept: float) -> bool:
    """What is read may be a card that lies in its place; not one of another name, which others were laid on."""
    below = track.covered and card.face is not None and track.face(accept) not in (None, card.face)
    return same_place(card.polygon, track.outline) and not below


def lies_deep(track: Track, tracks: Sequence[Track]) -> bool:
    """A card that lies under several others which are covered as well: nobody lifts so many at once that it shows."""
    if not track.covered:
        return False
    later = (one for one in tracks if one.covered and one.since > track.since)
    return sum(iou(as_quad(one.place), as_quad(track.place)) > parameters.LAY_ON for one in later) >= parameters.DEEP


def found_again(tracks: Sequence[Track], matches: Mapping[int, int], cards: Sequence[CardRead]) -> list[int]:
    """The readings of cards that lay under others and are found now: those have been lifted. Not one that shows fewer
    of its indices than it has, where a card has come that nobody knew: it peeps out from under them as it may have."""
    new = [as_quad(card.polygon) for which, card in enumerate(cards) if which not in matches.values()]

    def peeps(track: Track, card: CardRead) -> bool:
        return 0 < len(card.indices) < len(track.indices) and mostly_covered_by(track.outline, new)

    lay_under = ((tracks[at], which) for at, which in matches.items() if tracks[at].covered)
    return [which for track, which in lay_under if not lies_deep(track, tracks) and not peeps(track, cards[which])]


def corners_of_others(tracks: Sequence[Track], matches: Mapping[int, int], cards: Sequence[CardRead]) -> set[int]:
    """Cards deep in a pile, by their places in `tracks`, that were read while another card of the same look lies on
    them: it is a corner of one that lies higher, and reads as another face."""
    return {
        at for at, which in matches.items() if cards[which].indices and lies_deep(tracks[at], tracks)
        and any(_lies_on(card, cards[which]) for card in cards if card is not cards[which])
    }  # fmt: skip


def read_astray(
    tracks: Sequence[Track],
    matches: Mapping[int, int],
    places: Sequence[Quad],
    cards: Sequence[CardRead],
    accept: float,
) -> Pairs:
    """The pairs; a name that was given to a card without one, though it was read where a card lay that was first seen
    in the same look and is not found now, is that card's: nobody lays one of two exactly on the other within a moment,
    so one of its readings is wrong."""
    found = dict(matches)
    for at, which in matches.items():
        if tracks[at].face(accept) is not None or cards[which].face is None:
            continue
        place = as_quad(places[which])
        apart = iou(as_quad(tracks[at].place), place)
        missing = (n for n, track in enumerate(tracks) if n not in found and not track.covered)
        for other in missing:
            lay = iou(as_quad(tracks[other].place), place)
            together = tracks[other].since == tracks[at].since and tracks[other].face(accept) is not None
            if together and lay > parameters.LAY_ON and lay > apart:
                found[other] = found.pop(at)
                break
    return found


def _lies_on(card: CardRead, other: CardRead) -> bool:
    """A card has most of another one under it, and none of what that was read by."""
    own = as_quad(card.polygon)
    inside = any(contains(own, np.asarray(index)) for index in other.indices)
    return not inside and mostly_covered_by(other.polygon, [own])


def may_be_another(track: Track, card: CardRead, picture: Grey) -> bool:
    """What is read of a card that lay under others, and has no name: one of those may lie there by now, unless it reads
    as this one rather than all others, or looks like it."""
    if not track.covered or card.face is not None or track.pinned is not None:
        return False
    same = any(one.face == track.likeliest and one.p >= 0.5 for one in card.candidates)
    return not same and (track.look is None or looks_otherwise(track, picture))


def _thought_of(candidates: Sequence[Candidate]) -> set[str]:
    """The faces that are likelier than all the rest together may be."""
    return {candidate.face for candidate in candidates if candidate.p >= parameters.LEAST_OTHER}


def looks_otherwise(track: Track, picture: Grey) -> bool:
    """A card whose place looks otherwise than with it: another may lie there by now."""
    if track.side is Side.DOWN or track.pinned is not None or track.look is None:
        return False
    printed = float(track.look.patch.std()) > parameters.FLAT_LOOK
    return printed and likeness(track.look, picture, track.outline) < parameters.UNLIKE


def same_place(one: Quad, other: Quad) -> bool:
    """Whether two outlines, in the same units, may be of one card that lies where it lay."""
    return corner_distance(as_quad(one), as_quad(other)) <= parameters.SAME_PLACE


def is_at(outline: Quad, spot: Point) -> bool:
    """A point of the picture is on a card, or hardly beside it: the tip of a finger that lays it."""
    quad = as_quad(outline)
    return math.dist(quad.mean(axis=0), spot) <= math.sqrt(abs(area(quad)))


def mostly_covered_by(outline: Quad, others: Sequence[Array]) -> bool:
    """Whether most of an outline lies on others."""
    own = as_quad(outline)
    return sum(overlap(own, other) for other in others) > parameters.MOSTLY_COVERED * abs(area(own))


def outsized(
    cards: Sequence[CardRead], tracks: Sequence[Track], place: Callable[[Quad], Quad], table: tuple[float, float]
) -> list[CardRead]:
    """The cards, those doubted that are far larger than the ones of their table: two that are taken for one have such
    an outline, and what is found by its measure is no better. Far smaller ones are half a card each, and a name that
    was read there may be another one's: it says nothing. `place`: where an outline (px) lies on the table, mm; of what
    lies over the edge of the `table` (width, height), as cards held in hands do, a part is seen, and tells no size. One
    that is known is as large as it was: another came to lie across its edge."""
    whole = (track for track in tracks if not (track.covered or track.tentative))
    known = [quad for quad in (as_quad(track.place) for track in whole) if (quad >= 0).all() and (quad <= table).all()]
    if len(known) < parameters.SIZES_KNOWN or not cards:
        return list(cards)
    usual = np.median(np.sort(side_lengths(np.array(known)), axis=1), axis=0)

    def sizes(places: Sequence[Quad]) -> Array:
        return np.sort(side_lengths(np.array([as_quad(one) for one in places])), axis=1) / usual

    told = [track for track, sides in zip(tracks, sizes([track.place for track in tracks]), strict=True)
            if not track.covered and (sides < parameters.GROWN).all()]  # fmt: skip
    own = sizes([place(card.polygon) for card in cards])
    return [_fitting(_ungrown(card, sides, told), sides) for card, sides in zip(cards, own, strict=True)]


def _ungrown(card: CardRead, sides: Array, tracks: Sequence[Track]) -> CardRead:
    """A card that is found too large, by an index that it was known by, as it lay."""
    if card.face is None or (sides < parameters.GROWN).all():
        return card
    lay = next((track.outline for track in tracks if by_the_same_index(track, card)), card.polygon)
    return replace(card, polygon=lay)


def _fitting(card: CardRead, sides: Array) -> CardRead:
    """A card as its short and long side let it be read; both in those that are usual on its table."""
    if (sides > parameters.OUTSIZED).any():
        return replace(card, agreed=min(card.agreed, parameters.OUTSIZED_AGREES))
    if card.face is not None and (sides < parameters.UNDERSIZED).any():
        return replace(card, face=None, candidates=())
    return card


def is_disturbed(outline: Quad, changed: Sequence[Region] | None) -> bool:
    """Whether a region that changed touches the card."""
    return changed is None or touches(outline, changed)
