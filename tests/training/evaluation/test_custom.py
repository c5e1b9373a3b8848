"""What is measured of custom decks: each name counts where its outline lies, and each card once."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented decks are drawn with what training needs")

from companion.cards import deck_from_toml
from companion.training.decks import scenes
from companion.training.decks.invented import Invented, toml_of
from companion.training.evaluation import custom, methods
from companion.training.evaluation.custom import Sums, count
from companion.vision.decks.crops import CROP, SAMPLE, rectified
from companion.vision.decks.enrolled import EnrolledDeck, Sample
from companion.vision.decks.gallery import Gallery
from companion.vision.decks.network import Network
from companion.vision.types import ReadResult

DECK = Invented(1_001_900, "clear", 5, 4)
STRANGE = [Invented(1_001_901, "muted", 5, 4)]
TABLES = [scenes.table(DECK, STRANGE, seed) for seed in range(3)]


def figures(name) -> dict[str, float | int]:
    """Figures of all tables, where `name` says what each card on them is called."""
    sums = Sums()
    for scene in TABLES:
        count(sums, scene, [card.quad for card in scene.cards], [name(card) for card in scene.cards])
    return sums.figures()


def ours(card) -> bool:
    return card.face in DECK.codes


def test_all_named_rightly_is_all_found() -> None:
    said = figures(lambda card: card.face if ours(card) else None)
    assert said["precision"] == said["recall, separate"] == said["recall, overlapped"] == said["foreign refused"] == 1
    assert said["wrong and confident"] == 0
    assert said["separate"] > 0 < said["overlapped"] and said["separate"] + said["overlapped"] <= said["cards"]
    assert said["cards"] == sum(ours(card) for scene in TABLES for card in scene.cards)


def test_no_name_is_not_found_and_not_wrong() -> None:
    said = figures(lambda card: None)
    assert said["recall, separate"] == said["recall, overlapped"] == said["wrong and confident"] == 0
    assert said["foreign refused"] == 1


def test_a_name_of_another_card_and_one_of_a_strange_card_are_wrong() -> None:
    other = {code: DECK.codes[number - 1] for number, code in enumerate(DECK.codes)}
    said = figures(lambda card: other.get(card.face, DECK.codes[0]))
    assert said["precision"] == said["foreign refused"] == 0
    assert said["wrong and confident"] >= 1  # by cards of the deck: strange cards with a name come on top


def test_a_card_of_another_deck_that_is_called_a_joker_is_counted() -> None:
    sums = Sums()
    for scene in TABLES:
        custom.count_jokers(sums, scene, [card.quad for card in scene.cards], ["JK1"] * len(scene.cards))
    strange = sum(not ours(card) for scene in TABLES for card in scene.cards)
    assert sums.figures()["jokers"] == strange > 0
    other = Sums()
    for scene in TABLES:
        names = ["JK2" if ours(card) else DECK.codes[0] for card in scene.cards]
        custom.count_jokers(other, scene, [card.quad for card in scene.cards], names)
    assert other.figures()["jokers"] == 0
    assert "jokers" not in figures(lambda card: None)


@pytest.fixture(scope="module")
def photographed() -> tuple[Gallery, dict[str, tuple[np.ndarray, np.ndarray]]]:
    """A deck that was enrolled from one photograph a card; and those, with the card's outline."""
    seen = {code: scenes.photograph(DECK, code, 9000) for code in DECK.codes}
    text = toml_of(DECK)
    samples = tuple(Sample(code, rectified(picture, quad[None], SAMPLE)[0]) for code, (picture, quad) in seen.items())
    return Gallery(EnrolledDeck(deck_from_toml(text, "invented"), text, samples), Network(threads=1)), seen


@pytest.mark.parametrize(("method", "least"), [("features", 0.2), ("embedder", 0.35), ("both", 0.7), ("marks", 0.9)])
def test_every_method_names_cards_that_it_was_shown_either_way_up_and_no_blank_one(
    method: str, least: float, photographed: tuple[Gallery, dict[str, tuple[np.ndarray, np.ndarray]]]
) -> None:
    gallery, seen = photographed
    name = methods.METHODS[method](gallery)
    for turned in (0, 2):
        named = [name(picture, [np.roll(quad, turned, axis=0)])[0] for picture, quad in seen.values()]
        right = sum(said == code for said, code in zip(named, seen, strict=True))
        assert right >= least * len(seen) and sum(said is not None for said in named) - right <= 0.1 * len(seen)
    blank = np.full((2 * CROP[1], 2 * CROP[0], 3), 230, np.uint8)
    assert name(blank, [np.array([(20, 20), (180, 20), (180, 240), (20, 240)], float)]) == [None]


def test_a_deck_is_shown_card_by_card_in_the_time_it_takes() -> None:
    class NoOutlines:
        def read(self, image, deck=None, letters=(), where=None, parts=()) -> ReadResult:
            return ReadResult(image.shape[1], image.shape[0], 1.0, ())

    small = Invented(1_001_900, "clear", 3, 2)
    said = custom.shown(small, NoOutlines())
    assert said["cards"] == len(small.codes) <= said["laid"]
    assert said["seconds"] >= len(small.codes) * (2 / 3 + 0.3)


def test_a_second_name_for_one_card_is_wrong_too() -> None:
    """Two outlines in one place, one name right: the other one is a card that is not there."""
    scene = TABLES[0]
    card = next(card for card in scene.cards if ours(card))
    sums = Sums()
    count(sums, scene, [card.quad, card.quad + 2], [card.face, DECK.codes[DECK.codes.index(card.face) - 1]])
    assert (sums.counts["named"], sums.counts["right"]) == (2, 1)


def test_decks_of_one_style_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more than one photograph a card the first deck alone, as enrolling takes so long."""
    done = []

    def one_deck(style, seed, tables, photographs, methods, networks, found) -> None:
        done.append((style, seed, list(photographs)))
        for times in photographs:
            sums, spent = found.setdefault((times, "marks", "true"), (Sums(), custom.Counter()))
            sums.add(cards=10, named=8, right=8, separate=10, separate_right=8)
            spent["cards"] += 10

    monkeypatch.setattr(custom, "_one_deck", one_deck)
    rows = custom.measure(1, [1, 2], (1, 3), ["marks"], ["pen"], progress=lambda _: None)
    assert done == [("pen", 1, [1, 3]), ("pen", 2, [1])]
    assert [(row["photographs"], row["cards"], row["recall, separate"]) for row in rows] == [(1, 20, 0.8), (3, 10, 0.8)]


def test_a_deck_of_fewer_photographs_has_the_first_of_each_card() -> None:
    text = toml_of(DECK)
    blank = np.zeros((4, 4, 3), np.uint8)
    samples = tuple(Sample(code, blank, source=str(number)) for code in DECK.codes for number in range(3))
    first = custom._first(EnrolledDeck(deck_from_toml(text, "invented"), text, samples), 1)
    assert [(one.face, one.source) for one in first.samples] == [(code, "0") for code in DECK.codes]
