"""Cards of enrolled decks in a picture: what the reader finds is compared with what a deck's owner has shown.

Where a card lies, and that two cards are two, is decided as ever; what it is, an enrolled deck may say where it knows
better than the index. A card that no enrolled deck knows keeps what the reader says of it.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from companion.vision.decks.crops import SAMPLE, rectified
from companion.vision.decks.gallery import Gallery, Recognised
from companion.vision.geometry import Array, area, as_quad, iou, overlap, quarter_turn_if_ambiguous, side_lengths
from companion.vision.images import Pixels, as_bgr
from companion.vision.pipeline import parameters
from companion.vision.reading.faces import JOKERS
from companion.vision.types import CardRead, PictureReader, ReadResult, Side


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

    def __init__(self, reader: PictureReader, galleries: Galleries) -> None:
        self._reader, self._galleries = reader, galleries

    def read(self, image: Pixels, deck: Collection[str] | None = None, letters: Collection[str] = ()) -> ReadResult:
        """All cards in a picture: arguments and answer as of `companion.vision.pipeline.Reader.read`."""
        result = self._reader.read(image, deck, letters)
        galleries = list(self._galleries.of(deck))
        if not galleries or not result.cards:
            return result
        began = time.perf_counter()
        picture = as_bgr(image)
        cards = list(result.cards)
        for gallery in galleries:
            cards = [
                _better(card, said, deck) for card, said in zip(cards, known(gallery, picture, cards), strict=True)
            ]
        cards = _each_once(cards, {face for gallery in galleries for face in gallery.faces})
        spent = (time.perf_counter() - began) * 1000
        return replace(result, cards=tuple(cards), ms=round(result.ms + spent, 1))


def known(gallery: Gallery, picture: Pixels, cards: Sequence[CardRead]) -> list[Recognised]:
    """What a gallery says of each card; where a steep view confuses its short and long sides, the surer way counts."""
    ways: list[tuple[int, Array]] = []
    for number, card in enumerate(cards):
        outline = _short_side_first(as_quad(card.polygon))
        ways += [(number, quad) for quad in (outline, *quarter_turn_if_ambiguous(outline))]
    said = gallery.recognised(rectified(picture, np.array([quad for _, quad in ways]), SAMPLE))
    best: dict[int, Recognised] = {}
    for (number, _), one in zip(ways, said, strict=True):
        if number not in best or _sure(one) > _sure(best[number]):
            best[number] = one
    return [best[number] for number in range(len(cards))]


def _short_side_first(outline: Array) -> Array:
    short, long = side_lengths(outline[None])[0].tolist()
    return outline if short <= long else np.roll(outline, 1, axis=0)


def _sure(one: Recognised) -> float:
    return one.candidates[0].p if one.candidates else 0.0


def _better(card: CardRead, said: Recognised, deck: Collection[str] | None) -> CardRead:
    """The card as the gallery names it, or with its candidates where neither it nor the reader is sure."""
    candidates = tuple(c for c in said.candidates if deck is None or c.face in deck)
    if not candidates:
        return card
    first = candidates[0]
    sure = round(first.p, 4)  # also how well it agrees with itself: many doubtful reads make no sure one
    if card.face in JOKERS and said.picture > parameters.OWN_PICTURE and first.face not in JOKERS:
        # what seemed a joker's index is part of a picture that this deck knows
        card = replace(card, face=None, confidence=sure, candidates=candidates, agreed=sure)
    if said.face == first.face:
        return replace(card, face=first.face, confidence=sure, side=Side.UP, candidates=candidates, agreed=sure)
    if card.side is Side.UP and card.face is None and first.p > card.confidence:
        return replace(card, confidence=sure, candidates=candidates, agreed=sure)
    return card


def _each_once(cards: Sequence[CardRead], enrolled: Collection[str]) -> list[CardRead]:
    """Without what lies in the place of a card that an enrolled deck knows: a second outline of it, or what seemed an
    index in its picture."""
    quads = [as_quad(card.polygon) for card in cards]
    sure = sorted((n for n, card in enumerate(cards) if card.face in enrolled), key=lambda n: -cards[n].confidence)
    gone: set[int] = set()
    for at in sure:
        if at in gone:
            continue
        for other, card in enumerate(cards):
            if other == at or other in gone:
                continue
            small = abs(area(quads[other])) < parameters.PART_OF_CARD * abs(area(quads[at]))
            inside = overlap(quads[at], quads[other]) / max(abs(area(quads[other])), 1e-6)
            same = iou(quads[at], quads[other]) > parameters.SAME_OUTLINE
            if same or (small and inside > parameters.PART_INSIDE and card.face not in enrolled):
                gone.add(other)
    return [card for n, card in enumerate(cards) if n not in gone]
