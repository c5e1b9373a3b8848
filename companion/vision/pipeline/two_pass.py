"""Test-time augmentation: where something is in doubt, a second pass over the picture, or that part of it, upside down.

The networks see an upside-down picture with other eyes: what is there they find again, while most mistakes (a card that
is not found, one counted twice, a suit misread) they make only once. So a name that the second reading does not
confirm becomes a question, but for a single card that is nearly certain; what only the second sees of faces is asked
about as well; passing outlines and unclear backs go.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

import numpy as np

from companion.vision.boxes import Box, apart, cut_by, grown, lies_in
from companion.vision.geometry import area, as_quad, bounds, side_lengths, touches
from companion.vision.images import Pixels, as_bgr
from companion.vision.pipeline import parameters
from companion.vision.types import (
    NOWHERE,
    CardRead,
    Part,
    Point,
    Quad,
    ReadResult,
    Region,
    Side,
    in_reading_order,
)

T = TypeVar("T")
_LATEST = 2
"""Of so many pictures the first pass is remembered: tables that share a reader come in turns."""


class OnePassReader(Protocol):
    """What reads a picture once, as `companion.vision.pipeline.Reader.read` does."""

    def read(self, image: Pixels, deck: Collection[str] | None = None, letters: Collection[str] = (),
             where: Sequence[Region] | None = None, *, beside: Sequence[Quad] = ()) -> ReadResult:  # fmt: skip
        """All cards in a (height, width, 3) BGR picture; `beside`: outlines of cards that lie beside it, px."""


class TwoPassReader:
    """Reads pictures as its reader does, but twice, and answers with what both readings say."""

    def __init__(self, reader: OnePassReader) -> None:
        """`reader` reads once; see `companion.vision.pipeline.Reader`."""
        self._reader = reader
        self._latest: deque[tuple[Pixels, tuple[object, ...], ReadResult]] = deque(maxlen=_LATEST)

    def read(self, image: Pixels, deck: Collection[str] | None = None, letters: Collection[str] = (),
             where: Sequence[Region] | None = None, parts: Sequence[Part] = ()) -> ReadResult:  # fmt: skip
        """All cards in a picture: arguments and answer as of `companion.vision.types.PictureReader.read`. Cards in
        doubt that do not matter are glanced at. Who learns then that one matters asks again, and that costs the second
        pass alone. That is one over the whole of a single picture; of a camera that watches it is one over the part in
        doubt, unless what is in doubt may be a second sight of a card elsewhere. Of `parts` each is read as a picture
        of its own."""
        picture = as_bgr(image)
        if parts:
            read = [self._part(picture, part, deck, letters, where) for part in parts]
            return _joined(read, [part.box for part in parts], picture)
        return self._twice(picture, self._first(picture, deck, letters, where), deck, letters, where)

    def _part(self, picture: Pixels, part: Part, deck: Collection[str] | None, letters: Collection[str],
              where: Sequence[Region] | None) -> ReadResult:  # fmt: skip
        """A part of a picture read as one, in px of the picture; without what the edge of the part cuts."""
        left, top, right, bottom = part.box
        pixels = np.ascontiguousarray(picture[top:bottom, left:right])
        there = where and [(a - left, b - top, c - left, d - top) for a, b, c, d in where]
        beside = [_quad(outline, lambda point: (point[0] - left, point[1] - top)) for outline in part.beside]
        first = self._reader.read(pixels, deck, letters, beside=beside)
        return _in_picture(self._twice(pixels, first, deck, letters, there, beside), part.box, picture)

    def _twice(self, picture: Pixels, first: ReadResult, deck: Collection[str] | None, letters: Collection[str],
               where: Sequence[Region] | None, beside: Sequence[Quad] = ()) -> ReadResult:  # fmt: skip
        """What the first pass over a picture found, with a second one where something that matters is in doubt."""
        matter = [one for one in first.cards if _in_question(one, where)]
        size = (first.width, first.height)
        boxes = parts_of([one.polygon for one in matter], size)
        if matter and (where is None or _may_be_twins(matter, first.cards, boxes, size)):
            boxes = [(0, 0, *size)]
        known = (
            letters if boxes == [(0, 0, *size)] else first.letters.union(first.inks, letters)
        )  # a part may show none
        sure = [card.polygon for card in first.cards if not in_doubt(card)]
        around = [tuple(outline for outline in sure if not lies_in(outline, [box], size)) for box in boxes]
        turned = [Part(box, (*beside, *others)) for box, others in zip(boxes, around, strict=True)]
        seconds = [self._turned(picture, part, deck, known) for part in turned]
        return merge_passes(first, seconds, boxes, glance=where is not None)

    def _turned(
        self, picture: Pixels, part: Part, deck: Collection[str] | None, letters: Collection[str]
    ) -> ReadResult:
        """A part of the picture read upside down, in px of the picture; without what the edge of the part cuts."""
        left, top, right, bottom = part.box
        pixels = np.ascontiguousarray(picture[top:bottom, left:right][::-1, ::-1])
        beside = [_quad(outline, lambda point: (right - point[0], bottom - point[1])) for outline in part.beside]
        return _in_picture(rotated_180(self._reader.read(pixels, deck, letters, beside=beside)), part.box, picture)

    def _first(
        self, picture: Pixels, deck: Collection[str] | None, letters: Collection[str], where: Sequence[Region] | None
    ) -> ReadResult:
        """The first pass; where nothing matters it is kept for who asks about it again."""
        asked = dict(deck) if isinstance(deck, Mapping) else deck and tuple(deck), tuple(letters)
        for before, question, result in self._latest:
            if question == asked and np.array_equal(before, picture):
                return result
        result = self._reader.read(picture, deck, letters, where)
        if where is not None and all(region == NOWHERE for region in where):
            self._latest.append((picture.copy(), asked, result))
        return result


def in_doubt(card: CardRead) -> bool:
    """It might be read otherwise: a card without a name, a name that is not sure, or what may be no card of its own."""
    return card.own < parameters.SURE_CARD or (card.side is Side.UP and card.confidence < parameters.SURE_ALONE)


def _in_question(card: CardRead, where: Sequence[Region] | None) -> bool:
    """It is in doubt; for a camera that watches it has to matter, and however sure it is of its name, too little of it
    may agree for one who keeps to that."""
    if where is None:
        return in_doubt(card)
    misread = card.face is not None and card.confidence * card.agreed < parameters.SURE_PRINT
    return touches(card.polygon, where) and (misread or in_doubt(card))


def parts_of(doubts: Sequence[Quad], size: tuple[int, int]) -> list[Box]:
    """The parts of a picture (width, height; px) that show these cards with what lies beside them; the whole picture
    where that would be most of it. Parts do not overlap."""
    around = (parameters.PART_MARGIN * float(side_lengths(as_quad(one)[None]).max()) for one in doubts)
    boxes = [grown(bounds(one), reach, size) for one, reach in zip(doubts, around, strict=True)]
    boxes = apart(box for box in boxes if box[0] < box[2] and box[1] < box[3])
    held = sum((right - left) * (bottom - top) for left, top, right, bottom in boxes)
    return boxes if held < parameters.MOST_IN_PARTS * size[0] * size[1] else [(0, 0, *size)]


def _in_picture(read: ReadResult, box: Box, picture: Pixels) -> ReadResult:
    """What was read in a part of a picture, in px of the picture; without what the edge of the part cuts."""
    left, top, *_ = box
    result = _placed(read, lambda point: (round(point[0] + left, 1), round(point[1] + top, 1)))
    size = (picture.shape[1], picture.shape[0])
    return replace(
        result,
        cards=_uncut(result.cards, [one.polygon for one in result.cards], box, size),
        outlines=_uncut(result.outlines, result.outlines, box, size),
        sights=_uncut(result.sights, [one.polygon for one in result.sights], box, size),
    )


def _joined(read: Sequence[ReadResult], parts: Sequence[Box], picture: Pixels) -> ReadResult:
    """What was read in parts of a picture, together."""
    height, width = picture.shape[:2]
    return ReadResult(
        width,
        height,
        round(sum(one.ms for one in read), 1),
        in_reading_order([card for one in read for card in one.cards], height),
        frozenset().union(*(one.letters for one in read)),
        frozenset().union(*(one.inks for one in read)),
        tuple(outline for one in read for outline in one.outlines),
        tuple(sight for one in read for sight in one.sights),
        tuple(parts),
    )


def _uncut(found: Sequence[T], polygons: Sequence[Quad], box: Box, size: tuple[int, int]) -> tuple[T, ...]:
    """What was found in a part of a picture (width, height; px), without what its edge cuts."""
    cut = cut_by(box, [as_quad(one) for one in polygons], size)
    return tuple(one for one, gone in zip(found, cut.tolist(), strict=True) if not gone)


def _of_named(inks: Collection[str], cards: Sequence[CardRead]) -> frozenset[str]:
    """The inks of those suits of which a card has a name after all: what two readings name otherwise tells nothing."""
    suits = {card.face[-1] for card in cards if card.face is not None}
    return frozenset(ink for ink in inks if ink[0] in suits)


def rotated_180(result: ReadResult) -> ReadResult:
    """The same cards as they lie in the picture turned by 180°."""
    return _placed(result, lambda point: (round(result.width - point[0], 1), round(result.height - point[1], 1)))


def _placed(result: ReadResult, place: Callable[[Point], Point]) -> ReadResult:
    """The same with each point elsewhere."""
    return replace(
        result,
        cards=tuple(
            replace(one, polygon=_quad(one.polygon, place), indices=tuple(map(place, one.indices)))
            for one in result.cards
        ),
        outlines=tuple(_quad(outline, place) for outline in result.outlines),
        sights=tuple(replace(one, polygon=_quad(one.polygon, place)) for one in result.sights),
    )


def _quad(quad: Quad, place: Callable[[Point], Point]) -> Quad:
    """An outline with each point elsewhere."""
    a, b, c, d = map(place, quad)
    return a, b, c, d


def merge_passes(
    first: ReadResult, seconds: Sequence[ReadResult], boxes: Sequence[Box], *, glance: bool = False
) -> ReadResult:
    """What two readings of one picture say together, the second of parts of it (`boxes`); all in px of that picture.

    A name holds when both readings give it equally often; one that the second has not goes (unless it is that of a
    single card, and surer than `parameters.SURE_ALONE`), and its candidates stay. A card that one reading could not
    name and the other can, with the same likeliest face, gets it. A face that only the second sees is a card without a
    name; what only one of them sees, and is not surely a card, goes, and what one takes for a back and the other for a
    face is a card without a name. Backs are those of the first. What does not lie
    in the parts stays as it is, or what is in doubt there is only glanced at (`glance`). Cards come in reading order.
    """
    seen = tuple(card for one in seconds for card in one.cards)
    pairs = _matched(first.cards, seen)
    there = _counterparts(first.cards, seen, pairs)
    back = _counterparts(seen, first.cards, _inverted(pairs))
    within = [lies_in(card.polygon, boxes, (first.width, first.height)) for card in first.cards]
    cards = [
        _named_by_other_pass(card, other) if twice else card
        for card, other, twice in zip(first.cards, there, within, strict=True)
    ]
    cards = [
        replace(card, agreed=max(card.agreed, other.agreed))
        if other is not None and card.face is not None and other.face == card.face
        else card
        for card, other in zip(cards, there, strict=True)
    ]
    others = [_named_by_other_pass(*pair) for pair in zip(seen, back, strict=True)]
    asked = [at for at, twice in enumerate(within) if twice]
    had, found = _names(cards[at] for at in asked), _names(others)
    for at in _unconfirmed(cards, asked, had - found, there):
        if found[_kind(cards[at].face)] or cards[at].confidence < parameters.SURE_ALONE:
            cards[at] = replace(cards[at], face=None)
    either_side = _of_other_side(first.cards, seen), _of_other_side(seen, first.cards)
    kept = [
        card if twice or not (glance and in_doubt(card)) else replace(card, face=None, glanced=True)
        for card, read, other, twice, turned in zip(cards, first.cards, there, within, either_side[0], strict=True)
        if other is not None or not twice or not _is_transient(read) or (turned is not None and read.side is Side.UP)
    ]
    for at in _unconfirmed(others, range(len(others)), found - had, back):
        others[at] = replace(others[at], face=None)
    kept += [
        card
        for card, read, other, turned in zip(others, seen, back, either_side[1], strict=True)
        if other is None
        and card.face is None
        and card.side is Side.UP
        and (not _is_transient(read) or (turned is not None and _is_transient(turned)))
    ]
    return replace(
        first,
        ms=round(first.ms + sum(one.ms for one in seconds), 1),
        cards=in_reading_order(kept, first.height),
        letters=first.letters.union(*(one.letters for one in seconds)),
        inks=_of_named(first.inks.union(*(one.inks for one in seconds)), kept),
        outlines=first.outlines + tuple(outline for one in seconds for outline in one.outlines),
        sights=first.sights + tuple(sight for one in seconds for sight in one.sights),
    )


def _may_be_twins(
    doubts: Sequence[CardRead], cards: Sequence[CardRead], boxes: Sequence[Box], size: tuple[int, int]
) -> bool:
    """Whether a card in doubt may show the same as one outside the part in which it lies: who sees the part alone takes
    the one for the other."""
    return any(
        _likeliest(card) is not None
        and _likeliest(card) == _likeliest(other)
        and not lies_in(other.polygon, [box], size)
        for card in doubts
        for box in boxes
        if lies_in(card.polygon, [box], size)
        for other in cards
    )


def _likeliest(card: CardRead) -> str | None:
    return _kind(card.face or (card.candidates[0].face if card.candidates else None))


def _kind(face: str | None) -> str | None:
    """The face; all jokers are one, as which of them it is one reading tells no better than another."""
    return "JK" if face is not None and face.startswith("JK") else face


def _names(cards: Iterable[CardRead]) -> Counter[str | None]:
    return Counter(_kind(card.face) for card in cards if card.face is not None)


def _named_by_other_pass(card: CardRead, other: CardRead | None) -> CardRead:
    """A card lying face up without a name, with that of the other reading where its likeliest face is the same."""
    if card.face is not None or other is None or other.face is None or not card.candidates:
        return card
    if _kind(card.candidates[0].face) != _kind(other.face):
        return card
    return replace(card, face=other.face, confidence=other.confidence, candidates=other.candidates,
                   agreed=other.agreed)  # fmt: skip


def _unconfirmed(
    cards: Sequence[CardRead], asked: Iterable[int], surplus: Counter[str | None],
    counterparts: Sequence[CardRead | None],
) -> list[int]:  # fmt: skip
    """Numbers of the cards, of those `asked` about, that have the names in `surplus`: those first that read otherwise
    in their place in the other reading, then the least sure."""

    def confirmed(at: int) -> tuple[bool, float]:
        other = counterparts[at]
        return other is not None and _kind(other.face) == _kind(cards[at].face), cards[at].confidence

    left, out = +surplus, []
    for at in sorted((at for at in asked if cards[at].face is not None), key=confirmed):
        if left[_kind(cards[at].face)] > 0:
            left[_kind(cards[at].face)] -= 1
            out.append(at)
    return out


def _is_transient(card: CardRead) -> bool:
    """True for what says too little to be a card if only one reading sees it."""
    if card.side is Side.DOWN:
        return card.confidence < parameters.PASSING_BACK
    return card.face is None and card.own < parameters.SURE_CARD


def _of_other_side(cards: Sequence[CardRead], others: Sequence[CardRead]) -> list[CardRead | None]:
    """For each card one of the other reading in its place that shows its other side."""
    return [
        next((other for other in others if other.side is not card.side and _apart(card, other) < _reach(card)), None)
        for card in cards
    ]


def _apart(card: CardRead, other: CardRead) -> float:
    return float(np.hypot(card.centre[0] - other.centre[0], card.centre[1] - other.centre[1]))


def _reach(card: CardRead) -> float:
    """So near its middle lies that of the same card in another reading, px."""
    return parameters.SAME_CARD_REACH * float(np.sqrt(abs(area(as_quad(card.polygon)))))


def _matched(cards: Sequence[CardRead], others: Sequence[CardRead]) -> dict[int, int]:
    """Which card of the one reading is which of the other: equal names before others, then the nearest; each once.

    A face is never a back: what one reading takes for the one and the other for the other is asked about.
    """
    near = []
    for at, card in enumerate(cards):
        reach = _reach(card)
        for which, other in enumerate(others):
            away = _apart(card, other)
            if away < reach and card.side is other.side:
                same_face = card.face is not None and _kind(card.face) == _kind(other.face)
                near.append((not same_face, away, at, which))
    pairs: dict[int, int] = {}
    taken = set[int]()
    for _, _, at, which in sorted(near):
        if at not in pairs and which not in taken:
            pairs[at] = which
            taken.add(which)
    return pairs


def _inverted(pairs: dict[int, int]) -> dict[int, int]:
    return {which: at for at, which in pairs.items()}


def _counterparts(
    cards: Sequence[CardRead], others: Sequence[CardRead], pairs: dict[int, int]
) -> list[CardRead | None]:
    """For each card the one of the other reading in its place."""
    return [others[pairs[at]] if at in pairs else None for at in range(len(cards))]
