"""A table that plays with an enrolled deck knows its cards; others pay nothing, and what people say is learned."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented decks are drawn with what training needs")

from companion.cards import Deck, deck, keep
from companion.games import Action, Setup
from companion.referee import Acted, Corrected, Match, Started
from companion.server.camera.learned import MOST_CORRECTIONS, Learned, TableReader, misread, place_of
from companion.shelf import packed, put, shelf
from companion.training.decks import scenes
from companion.training.decks.invented import HELDOUT, Invented
from companion.vision.decks.enrolled import EnrolledDeck, Origin, Sample
from companion.vision.decks.photographs import BadPhotographError, the_card
from companion.vision.types import Candidate, CardRead, ReadResult, Side

PICTURES, MARKS = 4, 2
DRAWN = Invented(HELDOUT + 9, "clear", PICTURES, MARKS)
SUITS = "".join(f'[[suits]]\ncode = "m{k}"\nname = "Mark {k}"\ncolour = "red"\n' for k in range(MARKS))
RANKS = "".join(f'[[pictures]]\ncode = "p{k}"\nname = "Picture {k}"\n' for k in range(PICTURES))
TOML = f'[deck]\nname = "Invented"\nseparator = "."\ncopies = 2\n{SUITS}{RANKS}'


@pytest.fixture(scope="module")
def samples() -> tuple[Sample, ...]:
    found = []
    for code in DRAWN.codes:
        for seed in range(8, 14):
            try:
                found.append(Sample(code, the_card(scenes.photograph(DRAWN, code, seed)[0], ()), source=code))
                break
            except BadPhotographError:
                continue
    assert len(found) == len(DRAWN.codes)
    return tuple(found)


@pytest.fixture
def own(tmp_path: Path, samples: tuple[Sample, ...]) -> Deck:
    """A deck of two copies, enrolled on the shelf."""
    kept = put(tmp_path, TOML, "invented")
    assert kept.deck is not None
    EnrolledDeck(kept.deck, TOML, samples).save(kept.place)
    return kept.deck


class Outlines:
    """A reader that finds the cards of a scene and can name none of them, but for those it knows."""

    def __init__(self, scene: scenes.compose.Scene, names: dict[int, str] | None = None) -> None:
        self._scene, self._names = scene, names or {}

    def read(self, image, deck=None, letters=(), where=None, parts=()) -> ReadResult:
        cards = []
        for number, card in enumerate(self._scene.cards):
            quad = tuple((float(x), float(y)) for x, y in card.quad)
            name = self._names.get(number)
            said = (Candidate(name, 0.99),) if name else ()
            cards.append(CardRead(name, 0.99 if name else 0.3, Side.UP, quad, said))
        return ReadResult(image.shape[1], image.shape[0], 1.0, tuple(cards))


def whole(scene: scenes.compose.Scene) -> list[int]:
    return [n for n, card in enumerate(scene.cards) if card.visible > 0.98 and card.face in DRAWN.codes]


def test_a_table_with_an_enrolled_deck_knows_its_cards_and_both_copies(tmp_path: Path, own: Deck) -> None:
    learned = Learned(tmp_path)
    named = right = twice = 0
    for seed in range(3, 7):
        scene = scenes.table(DRAWN, [Invented(HELDOUT + 20)], seed)
        picture = np.ascontiguousarray(scene.image[..., ::-1])
        said = TableReader(Outlines(scene), learned, own).read(picture, own.multiset).cards
        assert len(said) == len(scene.cards), "two equal cards are two cards"
        for number in whole(scene):
            face = said[number].face
            named += face is not None
            right += face == scene.cards[number].face
        faces = [said[n].face for n in whole(scene) if said[n].face]
        twice += len(faces) - len(set(faces))
        assert all(said[n].face is None for n, card in enumerate(scene.cards) if card.face not in DRAWN.codes)
    assert named >= 8
    assert right == named, "no wrong name"
    assert twice, "the same card lay there twice"


def test_standard_and_enrolled_cards_lie_on_one_table(tmp_path: Path, samples: tuple[Sample, ...]) -> None:
    """Of a deck in which some cards are standard ones, those keep the reader's names."""
    text = TOML + '[[extras]]\ncode = "AS"\nname = "Ace of spades"\n'
    kept = put(tmp_path, text, "mixed")
    assert kept.deck is not None
    EnrolledDeck(kept.deck, text, samples).save(kept.place)
    scene = scenes.table(DRAWN, [Invented(HELDOUT + 20)], 3)
    foreign = next(n for n, card in enumerate(scene.cards) if card.face not in DRAWN.codes)
    picture = np.ascontiguousarray(scene.image[..., ::-1])
    reader = TableReader(Outlines(scene, {foreign: "AS"}), Learned(tmp_path), kept.deck)
    said = reader.read(picture, kept.deck.multiset).cards
    assert said[foreign].face == "AS"
    doubt = TableReader(Outlines(scene, {foreign: "JK2"}), Learned(tmp_path), kept.deck)
    thought = doubt.read(picture, kept.deck.multiset).cards[foreign].candidates
    assert all(candidate.face in kept.deck for candidate in thought), "a joker that this deck has not"
    assert any(card.face in DRAWN.codes for card in said)


def test_a_table_with_another_deck_loads_no_network(tmp_path: Path, own: Deck) -> None:
    def no_network():
        raise AssertionError("a network was loaded")

    learned = Learned(tmp_path, no_network)
    scene = scenes.table(DRAWN, [Invented(HELDOUT + 20)], 3)
    plain = Outlines(scene)
    picture = np.ascontiguousarray(scene.image[..., ::-1])
    assert TableReader(plain, learned, deck("52D2")).read(picture) == plain.read(picture)


def test_samples_of_one_of_the_programs_decks_lie_under_its_name(tmp_path: Path) -> None:
    assert place_of(deck("65"), tmp_path) is None
    kept = put(tmp_path, '[deck]\nname = "65"\nlike = "65"\n', "65")
    assert kept.deck is not None
    assert place_of(deck("65"), tmp_path) is None, "not enrolled"
    EnrolledDeck(kept.deck, kept.deck.design.text, (Sample("judge.fed", np.full((288, 224, 3), 200, np.uint8)),)).save(
        kept.place
    )
    assert place_of(deck("65"), tmp_path) == place_of(keep(kept.deck), tmp_path) == kept.place
    assert place_of(deck("52D1"), tmp_path) is None


def test_a_set_of_tiles_is_enrolled_once_for_all_counts_of_copies(tmp_path: Path) -> None:
    kept = put(tmp_path, '[deck]\nname = "M"\nlike = "M9D1"\n', "M9D1")
    assert kept.deck is not None
    EnrolledDeck(kept.deck, kept.deck.design.text, (Sample("1m", np.full((288, 224, 3), 200, np.uint8)),)).save(
        kept.place
    )
    assert place_of(deck("M9D4"), tmp_path) == kept.place


def test_a_packed_deck_serves_too(tmp_path: Path, own: Deck) -> None:
    folder = shelf(tmp_path) / "invented"
    pack = shelf(tmp_path) / "invented.deck"
    pack.write_bytes(packed(folder))
    for file in sorted(folder.rglob("*"), reverse=True):
        file.unlink() if file.is_file() else file.rmdir()
    folder.rmdir()
    gallery = Learned(tmp_path).gallery(own)
    assert gallery is not None
    assert gallery.faces == own.codes


def test_damaged_samples_are_one_sentence_and_reading_goes_on(tmp_path: Path, own: Deck) -> None:
    (shelf(tmp_path) / "invented" / "samples.json").write_text("{", "utf-8")
    learned = Learned(tmp_path)
    scene = scenes.table(DRAWN, [Invented(HELDOUT + 20)], 3)
    plain = Outlines(scene)
    picture = np.ascontiguousarray(scene.image[..., ::-1])
    assert TableReader(plain, learned, own).read(picture) == plain.read(picture)
    assert "damaged" in learned.error(own)
    assert "\n" not in learned.error(own)


def test_what_a_person_says_becomes_a_sample_the_right_way_up(tmp_path: Path, own: Deck) -> None:
    learned = Learned(tmp_path)
    before = learned.gallery(own)
    place = shelf(tmp_path) / "invented"
    picture, quad = scenes.photograph(DRAWN, "p1.m1", 22)
    height, width = picture.shape[:2]
    turned, round_ = cv2.rotate(picture, cv2.ROTATE_180), np.array([width, height]) - quad
    for pixels, outline in ((picture, quad), (turned, round_)):
        assert learned.keep(own, pixels, outline, "p1.m1")
    held = EnrolledDeck.load(place)
    new = [sample for sample in held.samples if sample.origin is Origin.CORRECTION]
    assert [sample.face for sample in new] == ["p1.m1", "p1.m1"]
    assert np.abs(new[0].pixels.astype(int) - new[1].pixels).mean() < 12, "both lie the same way up"
    # The next picture is read with it, without waiting for it.
    assert learned.gallery(own) is before
    end = time.monotonic() + 60
    while learned.gallery(own) is before and time.monotonic() < end:
        time.sleep(0.05)
    assert len(learned.gallery(own).deck.samples) > len(before.deck.samples)
    for _ in range(MOST_CORRECTIONS):
        learned.keep(own, picture, quad, "p1.m1")
    held = EnrolledDeck.load(place)
    assert sum(sample.origin is Origin.CORRECTION for sample in held.samples) == MOST_CORRECTIONS


def test_nothing_is_learned_from_a_card_that_is_seen_badly_or_of_a_deck_that_was_not_enrolled(
    tmp_path: Path, own: Deck
) -> None:
    learned = Learned(tmp_path)
    picture, quad = scenes.photograph(DRAWN, "p1.m1", 22)
    small = cv2.resize(picture, None, fx=0.1, fy=0.1, interpolation=cv2.INTER_AREA)
    assert not learned.keep(own, small, quad * 0.1, "p1.m1")
    assert not learned.keep(own, picture, quad, "AS"), "no card of this deck"
    assert not learned.keep(deck("52D1"), picture, quad, "AS")


def test_an_entry_of_the_cameras_that_people_put_right_tells_which_card_was_misread() -> None:
    start = Match.of([Started("three-card-showdown", Setup(("Anna", "Ben"), "52D1"))])
    laid = start.then(Acted(Action.of("lay", 0, ("AS", "KS", "QS")), "camera"))

    def told(cards: tuple[str, ...], source: str = "tap") -> tuple[str, str] | None:
        return misread(laid, laid.then(Corrected(2, Action.of("lay", 0, cards), source)))

    assert told(("AS", "KC", "QS")) == ("KS", "KC")
    assert told(("AS", "KC", "QC")) is None, "two cards: which is which?"
    assert told(("AS", "KC", "QS"), "camera") is None
    tapped = start.then(Acted(Action.of("lay", 0, ("AS", "KS", "QS")), "tap"))
    assert misread(tapped, tapped.then(Corrected(2, Action.of("lay", 0, ("AS", "KC", "QS"))))) is None
