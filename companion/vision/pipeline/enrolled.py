"""Cards of enrolled decks in a picture: what the reader finds is compared with what a deck's owner has shown.

Where a card lies, and that two cards are two, is decided as ever; what it is, an enrolled deck may say where it knows
better than the index. A card that no enrolled deck knows keeps what the reader says of it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Protocol

import numpy as np

from companion.vision.decks import parameters as decks
from companion.vision.decks.answers import Recognised
from companion.vision.decks.crops import visible
from companion.vision.decks.gallery import Gallery
from companion.vision.decks.outlines import completed, covering, share_seen
from companion.vision.geometry import (
    Array,
    area,
    as_quad,
    iou,
    overlap,
    overlapping_boxes,
    touches,
)
from companion.vision.images import Pixels, as_bgr
from companion.vision.pipeline import parameters
from companion.vision.pipeline.comparison import Comparison, certainty
from companion.vision.pipeline.report import as_polygon
from companion.vision.pipeline.sighted import sighted
from companion.vision.reading.changes import Answers, Before
from companion.vision.reading.faces import FACES, JOKERS
from companion.vision.types import (
    NOWHERE,
    Candidate,
    CardRead,
    Part,
    PictureReader,
    ReadResult,
    Region,
    Side,
    in_reading_order,
)


class Galleries(Protocol):
    """Where enrolled decks are looked up."""

    def of(self, deck: Collection[str] | None) -> Iterable[Gallery]:
        """Those that know some of these faces; None: all."""


class Chosen:
    """These galleries and no other."""

    def __init__(self, galleries: Iterable[Gallery]) -> None:
        self._galleries = tuple(galleries)

    def of(self, deck: Collection[str] | None) -> Iterable[Gallery]:
        """Those that know some of these faces; None: all."""
        return [one for one in self._galleries if deck is None or any(face in deck for face in one.faces)]


class EnrolledReader:
    """Reads pictures as its reader does, and knows the cards of enrolled decks."""

    def __init__(
        self, reader: PictureReader, galleries: Galleries, comparing: AbstractContextManager[object] | None = None
    ) -> None:
        """`comparing`: held while cards are compared."""
        self._reader, self._galleries, self._comparing = reader, galleries, comparing or nullcontext()
        self._before = Before[Answers[Recognised]]()

    def read(self, image: Pixels, deck: Collection[str] | None = None, letters: Collection[str] = (),
             where: Sequence[Region] | None = None, parts: Sequence[Part] = ()) -> ReadResult:  # fmt: skip
        """All cards in a picture: arguments and answer as of `companion.vision.pipeline.Reader.read`. What is in doubt
        is read a second time only where no enrolled deck names it at once, or more was seen than cards were read."""
        galleries = list(self._galleries.of(deck))
        if not galleries:
            return self._reader.read(image, deck, letters, where, parts)
        result = self._reader.read(image, deck, letters, (NOWHERE,) if where is None else ())
        picture = as_bgr(image)
        if where is None:
            return self._named(Comparison(picture), result, galleries, (image, deck, letters, where))
        named: list[ReadResult] = []

        def compared(answers: Answers[Recognised]) -> Answers[Recognised]:
            named[:] = [self._named(Comparison(picture, answers), result, galleries, (image, deck, letters, where))]
            return answers

        self._before.look(
            picture, where, lambda: compared(Answers()), lambda before, changes: compared(before.unchanged(changes))
        )
        return named[0]

    def _named(
        self,
        comparison: Comparison,
        result: ReadResult,
        galleries: Sequence[Gallery],
        asked: tuple[Pixels, Collection[str] | None, Collection[str], Sequence[Region] | None],
    ) -> ReadResult:
        """What was read once, with what the galleries say; read twice where they do not say enough, if not the next
        look over a table may say it as well. `asked`: the arguments of `read`."""
        _, deck, _, where = asked
        doubts = [card for card in result.cards if card.glanced and (where is None or touches(card.polygon, where))]
        followed = where is not None and _without_indices(galleries, deck)
        if (
            doubts
            and not followed
            and (not self._all_named(galleries, comparison, doubts, deck) or shows_more(result, where))
        ):
            result = self._reader.read(*asked)
        else:
            cleared = (replace(card, glanced=False) if card in doubts else card for card in result.cards)
            result = replace(result, cards=tuple(cleared))
        if not (result.cards or result.outlines):
            return result
        with self._comparing:
            return self._compared(result, galleries, comparison, deck)

    def _all_named(
        self,
        galleries: Sequence[Gallery],
        comparison: Comparison,
        cards: Sequence[CardRead],
        deck: Collection[str] | None,
    ) -> bool:
        """Whether an enrolled deck names each of these, and each is surely a card whose index says nothing."""
        if any(
            card.own < parameters.SURE_CARD or card.side is Side.DOWN or card.confidence > parameters.INDEX_SAYS
            for card in cards
        ):
            return False
        left = list(cards)
        for gallery in galleries:
            with self._comparing:
                said = comparison.known(gallery, [as_quad(card.polygon) for card in left])
            left = [
                card
                for card, one in zip(left, said, strict=True)
                if one.face is None or (deck is not None and one.face not in deck)
            ]
            if not left:
                return True
        return False

    def _compared(
        self, result: ReadResult, galleries: Sequence[Gallery], comparison: Comparison, deck: Collection[str] | None
    ) -> ReadResult:
        """What was read, with what the galleries say."""
        began = time.perf_counter()
        seen = sighted(result, comparison.picture)
        unnamed = [card for card in (*seen.cards, *seen.further) if card.face is None]
        cards = list(result.cards)
        unknown = [as_quad(card.polygon) for card in unnamed if card.side is Side.UP]
        outlines = [*unknown, *seen.outlines]
        for gallery in galleries:
            quads = [as_quad(card.polygon) for card in cards]
            said = less_covered(gallery, comparison, quads, comparison.known(gallery, quads))
            read, cards = cards, [_better(*pair, deck, gallery.faces) for pair in zip(cards, said, strict=True)]
            disputed = [as_quad(a.polygon) for a, b in zip(read, cards, strict=True) if b.face is None and _told(a)]
            more = further(gallery, comparison, cards, outlines, deck, disputed, unknown)
            cards = _instead(cards, more, result.height)
        if result.sights:
            cards = list(in_reading_order(_with_outlines(cards, unnamed), result.height))
        cards = _each_once(cards, {face for gallery in galleries for face in gallery.faces}, deck)
        spent = (time.perf_counter() - began) * 1000
        return replace(result, cards=tuple(cards), ms=round(result.ms + spent, 1))


def less_covered(
    gallery: Gallery, comparison: Comparison, quads: Sequence[Array], said: Sequence[Recognised]
) -> list[Recognised]:
    """What a gallery `said` of cards in these outlines, each looked at whole; of one on which others may lie, which
    look more like what they are taken for, what it says of the part that they leave free."""
    out = list(said)
    named = [number for number, one in enumerate(said) if one.face is not None]
    covers = {n: covering(quads[n], [quads[k] for k in named if said[k].alike > said[n].alike]) for n in named}
    covered = [number for number, over in covers.items() if over]
    again = comparison.known(gallery, [quads[n] for n in covered], [covers[n] for n in covered]) if covered else []
    for number, one in zip(covered, again, strict=True):
        out[number] = one
    return out


def _without_indices(galleries: Sequence[Gallery], deck: Collection[str] | None) -> bool:
    """Whether these are all cards that a deck has, and none has an index that the reader knows."""
    if deck is None or not {*FACES, *JOKERS}.isdisjoint(deck):
        return False
    return all(any(face in gallery.faces for gallery in galleries) for face in deck)


def shows_more(result: ReadResult, where: Sequence[Region] | None) -> bool:
    """Whether an outline was seen, in `where` (px; None: anywhere), of which much lies beside the cards that were read:
    the seen part of one between others, it may be."""
    lying = [as_quad(card.polygon) for card in result.cards]
    for sight in result.sights:
        if where is None or touches(sight.polygon, where):
            outline = as_quad(sight.polygon)
            known = sum(overlap(outline, lying[number]) for number in overlapping_boxes(outline, lying))
            if known < (1 - parameters.BESIDE_CARDS) * abs(area(outline)):
                return True
    return False


def further(
    gallery: Gallery,
    comparison: Comparison,
    cards: Sequence[CardRead],
    outlines: Sequence[Array],
    deck: Collection[str] | None = None,
    disputed: Sequence[Array] = (),
    unknown: Sequence[Array] = (),
) -> list[CardRead]:
    """Cards that a gallery knows where none of `cards` has a name and none lies face down: in `outlines` of whatever
    looked like a card, and where cards may lie of which those are the seen part. What lies over what is not known: a
    card is looked at whole, without what named others may cover of it, and without what `unknown` ones, that have no
    name, may cover as well. Those that are found cover others in turn. In the outlines of `disputed` cards nothing is
    looked for."""
    lying = [as_quad(card.polygon) for card in cards if card.face is not None or card.side is Side.DOWN]
    lying += disputed
    unnamed = [as_quad(card.polygon) for card in cards if card.face is None and card.side is Side.UP]
    of_deck = [card for card in cards if card.face in gallery.faces or card.side is Side.DOWN]
    least_area = parameters.WHOLE_CARD**2 * min((abs(area(as_quad(card.polygon))) for card in of_deck), default=0.0)
    found: list[CardRead] = []
    likely: list[tuple[Array, str]] = []

    def take(places: Sequence[Array], most: int, covers: Sequence[Sequence[Array]] | None = None) -> bool:
        looks = comparison.known(gallery, places, covers, parameters.SURE_FURTHER, most)
        said = sorted(zip(places, looks, strict=True), key=lambda pair: -certainty(pair[1]))
        likely.extend(
            (place, one.candidates[0].face) for place, one in said if certainty(one) > parameters.SAYS_OTHERWISE
        )
        before = len(found)
        for place, one in said:
            candidates = tuple(c for c in one.candidates if deck is None or c.face in deck)
            if not candidates or candidates[0].p < parameters.SURE_FURTHER or not _is_free(place, lying):
                continue
            if any(face != candidates[0].face and iou(place, where) > parameters.SAME_PLACE for where, face in likely):
                continue
            sure = round(candidates[0].p, 4)
            if one.outline is not None:
                place = one.outline
            lying.append(place)
            found.append(CardRead(candidates[0].face, sure, Side.UP, as_polygon(place), candidates, sure, sure))
        return len(found) > before

    parts = _distinct([*unnamed, *outlines], lying, unnamed)
    take([part for part in parts[len(unnamed) :] if abs(area(part)) >= least_area], parameters.LOOKS_WHOLE)
    whole = len(parts)
    parts = _distinct([*parts, *completed([part for part in parts if _is_free(part, lying)], lying)], lying, parts)
    tried = {(number, 0, 0) for number in range(whole)}
    while True:
        todo = []
        open_ = [outline for outline in unknown if _is_free(outline, lying)]
        for number, part in enumerate(parts):
            if not _is_free(part, lying):
                continue
            covers = covering(part, lying)
            more = [over for over in covering(part, open_) if iou(over, part) <= parameters.SAME_PLACE]
            for over in [covers, [*covers, *more]] if more else [covers]:
                if (number, len(covers), len(over)) in tried:
                    continue
                tried.add((number, len(covers), len(over)))
                if share_seen(visible(part, over)) > decks.LEAST_SEEN:
                    todo.append((part, over))
        if not take([part for part, _ in todo], parameters.LOOKS_COVERED, [covers for _, covers in todo]):
            return found


def _instead(cards: Sequence[CardRead], found: Sequence[CardRead], height: int) -> list[CardRead]:
    """The cards, each that was found in the place of one without a name; what is left over in reading order."""
    out, left = list(cards), []
    for one in found:
        place = as_quad(one.polygon)
        shares = [iou(place, as_quad(card.polygon)) if card.face is None else 0.0 for card in out]
        at = int(np.argmax(shares)) if shares else 0
        if shares and shares[at] > parameters.SAME_OUTLINE:
            out[at] = one
        else:
            left.append(one)
    return list(in_reading_order([*out, *left], height)) if left else out


def _with_outlines(cards: Sequence[CardRead], chosen: Sequence[CardRead]) -> list[CardRead]:
    """The cards with a name, and those chosen where none of them lies, with what was said of them."""
    out = [card for card in cards if card.face is not None]
    named, left = [as_quad(card.polygon) for card in out], [card for card in cards if card.face is None]
    for one in chosen:
        place = as_quad(one.polygon)
        if _is_free(place, named):
            same = next((card for card in left if iou(place, as_quad(card.polygon)) > parameters.SAME_PLACE), one)
            left = [card for card in left if card is not same]
            out.append(replace(same, polygon=one.polygon))
    return out


def _distinct(outlines: Sequence[Array], lying: Sequence[Array], first: Sequence[Array]) -> list[Array]:
    """The outlines, of which the `first` stay; none in the place of a card that lies there, or within it, nor twice."""
    kept = list(first)
    for outline in outlines[len(first) :]:
        most = parameters.WITHIN_CARD * abs(area(outline))
        if (
            _is_free(outline, lying)
            and all(overlap(outline, lying[number]) < most for number in overlapping_boxes(outline, lying))
            and all(iou(outline, kept[number]) < parameters.SAME_PART for number in overlapping_boxes(outline, kept))
        ):
            kept.append(outline)
    return kept


def _is_free(outline: Array, lying: Sequence[Array]) -> bool:
    near = overlapping_boxes(outline, lying)
    return all(iou(outline, lying[number]) <= parameters.SAME_PLACE for number in near)


def _told(card: CardRead) -> bool:
    """True where a card's index told its name."""
    return card.face is not None and card.face not in JOKERS


def _better(card: CardRead, said: Recognised, deck: Collection[str] | None, enrolled: Collection[str]) -> CardRead:
    """The card as the gallery names it, or with its candidates where neither it nor the reader is sure. Where its index
    says surely that it is another card of the enrolled deck, it has no name, and both are candidates."""
    candidates = tuple(c for c in said.candidates if deck is None or c.face in deck)
    if not candidates:
        return card
    first = candidates[0]
    sure = round(first.p, 4)  # also how well it agrees with itself: many doubtful reads make no sure one
    if card.face in JOKERS and said.picture > parameters.OWN_PICTURE and first.face not in JOKERS:
        # what seemed a joker's index is part of a picture that this deck knows
        card = replace(card, face=None, confidence=sure, candidates=candidates, agreed=sure)
    if said.face == first.face and card.face in enrolled and _told(card) and card.face != first.face:
        both = (Candidate(first.face, sure / 2), Candidate(card.face, card.confidence / 2))  # type: ignore[arg-type]
        return replace(card, face=None, confidence=both[0].p, candidates=both, agreed=both[0].p)
    if said.face == first.face:
        place = card.polygon if said.outline is None else as_polygon(said.outline)
        return replace(
            card, face=first.face, confidence=sure, side=Side.UP, polygon=place, candidates=candidates, agreed=sure
        )
    if card.side is Side.UP and card.face is None and first.p > card.confidence:
        return replace(card, confidence=sure, candidates=candidates, agreed=sure)
    return card


def _each_once(
    cards: Sequence[CardRead], enrolled: Collection[str], deck: Collection[str] | None = None
) -> list[CardRead]:
    """Without what lies in the place of a card that an enrolled deck knows: a second outline of it, or what seemed an
    index in its picture. Of a deck whose copies are known, an outline with the same name that lies partly on it is a
    second one of it too where there is no further copy."""
    quads = [as_quad(card.polygon) for card in cards]
    copies = deck if isinstance(deck, Mapping) else {}
    named = Counter(card.face for card in cards)
    sure = sorted((n for n, card in enumerate(cards) if card.face in enrolled), key=lambda n: -cards[n].confidence)
    gone: set[int] = set()
    for at in sure:
        if at in gone:
            continue
        for other in overlapping_boxes(quads[at], quads):
            card = cards[other]
            if other == at or other in gone:
                continue
            small = abs(area(quads[other])) < parameters.PART_OF_CARD * abs(area(quads[at]))
            inside = overlap(quads[at], quads[other]) / max(abs(area(quads[other])), 1e-6)
            same = iou(quads[at], quads[other]) > parameters.SAME_OUTLINE
            part = small and inside > parameters.PART_INSIDE and card.face not in enrolled
            many = card.face == cards[at].face and named[card.face] > copies.get(cards[at].face or "", len(cards))
            if same or part or (many and inside > parameters.PART_AGAIN):
                gone.add(other)
                named[card.face] -= 1
    return [card for n, card in enumerate(cards) if n not in gone]
