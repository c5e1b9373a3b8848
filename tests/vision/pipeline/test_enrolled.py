"""Cards of enrolled decks in a picture: named from samples, whichever side their outlines begin on; never jokers."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented decks are drawn with what training needs")

from companion.cards import deck_from_toml
from companion.training.decks import scenes, views
from companion.training.decks.invented import HELDOUT, Invented, toml_of
from companion.vision.decks.crops import SAMPLE
from companion.vision.decks.enrolled import EnrolledDeck, Sample
from companion.vision.decks.gallery import Gallery
from companion.vision.decks.network import Network
from companion.vision.pipeline.enrolled import Chosen, EnrolledReader
from companion.vision.types import CardRead, ReadResult, Side

PHOTO = views.Conditions((150, 170), 0.1, 0.004, 0.0)


class Said:
    """A reader that has read already."""

    def __init__(self, result: ReadResult) -> None:
        self._result = result

    def read(self, image: object, deck: object = None, letters: object = ()) -> ReadResult:
        return self._result


@pytest.fixture(scope="module")
def drawn() -> Invented:
    return Invented(HELDOUT + 9, "clear", 5, 4)


@pytest.fixture(scope="module")
def gallery(drawn: Invented) -> Gallery:
    rng = np.random.default_rng(1)
    crops = [(code, views.view(rng, drawn.face(code), PHOTO)) for code in drawn.codes]
    samples = [Sample(code, np.repeat(np.repeat(crop, SAMPLE, axis=0), SAMPLE, axis=1)) for code, crop in crops]
    text = toml_of(drawn)
    return Gallery(EnrolledDeck(deck_from_toml(text, "invented"), text, tuple(samples)), Network(threads=1))


def laid(drawn: Invented, face: str | None, turned: int, confidence: float = 0.95) -> tuple[np.ndarray, ReadResult]:
    """A table of the deck alone; of each card that is seen whole what a reader says, from another corner on."""
    scene = scenes.table(drawn, [Invented(HELDOUT + 8, "clear")], 4)
    cards = []
    for card in scene.cards:
        if card.face is None or card.visible < 0.98:
            continue
        quad = np.roll(card.quad, turned, axis=0)
        polygon = tuple((float(x), float(y)) for x, y in quad)
        cards.append(CardRead(face, confidence, Side.UP, polygon, (), own=1.0))  # type: ignore[arg-type]
    picture = np.ascontiguousarray(scene.image[..., ::-1])
    return picture, ReadResult(picture.shape[1], picture.shape[0], 1.0, tuple(cards))


@pytest.mark.parametrize("turned", [0, 1])
def test_an_outline_may_begin_on_its_long_side(drawn: Invented, gallery: Gallery, turned: int) -> None:
    picture, result = laid(drawn, None, turned, 0.0)
    said = EnrolledReader(Said(result), Chosen([gallery])).read(picture, drawn.codes)
    assert sum(card.face is not None for card in said.cards) >= 0.5 * len(result.cards) > 0


def test_a_card_that_an_enrolled_deck_knows_is_no_joker(drawn: Invented, gallery: Gallery) -> None:
    picture, result = laid(drawn, "JK1", 0)
    said = EnrolledReader(Said(result), Chosen([gallery])).read(picture, [*drawn.codes, "JK1"])
    known = [card for card in said.cards if card.candidates and card.candidates[0].face in drawn.codes]
    assert len(known) >= 0.5 * len(said.cards) > 0
    assert all(card.face != "JK1" for card in known)


def test_a_card_that_it_does_not_know_stays_what_the_reader_says(drawn: Invented, gallery: Gallery) -> None:
    picture, result = laid(Invented(HELDOUT + 8, "clear"), "JK1", 0)
    said = EnrolledReader(Said(result), Chosen([gallery])).read(picture, [*drawn.codes, "JK1"])
    assert [card.face for card in said.cards] == ["JK1"] * len(result.cards)
