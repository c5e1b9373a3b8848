"""The inks of suits: what the sure cards of a table say about a name in the ink of another suit."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.assembly.hypotheses import CardHypothesis
from companion.vision.assembly.inks import fitted_to_inks
from companion.vision.assembly.instances import CardInstance, IndexObservation
from companion.vision.assembly.plane import TablePlane
from companion.vision.geometry import CARD_MM, INDEX_MM, box_quad, index_window
from companion.vision.reading.evidence import Classification, Evidence, Tuning
from companion.vision.reading.faces import FACES
from companion.vision.types import Candidate, Side

TUNING = Tuning(accept=0.95)
PLACE = box_quad((100, 100, 100 + CARD_MM[0], 100 + CARD_MM[1]))
TABLE = TablePlane.fit([PLACE], [])
BLACK, RED, BLUE, GREEN, ORANGE = (20, 20, 20), (30, 20, 200), (190, 80, 30), (60, 125, 25), (20, 140, 230)
LAMPS = [(1.0, 1.0, 1.0), (0.2, 0.2, 0.2), (0.5, 0.8, 1.0), (1.0, 0.9, 0.7)]


def card(ink: tuple[int, int, int], lamp: tuple[float, float, float] = LAMPS[0], **chances: float) -> CardInstance:
    """A card that was read so by an index in an ink (BGR)."""
    crop = np.full((64, 48, 3), 240.0)
    crop[14:50, 18:26] = ink
    crop = (crop * np.array(lamp)).astype(np.uint8)
    named = {face[1:] if face.startswith("_") else face: p for face, p in chances.items()}
    faces = np.array([named.get(face, 1e-6) for face in FACES])
    quad = np.array(box_quad(INDEX_MM) + PLACE[0])
    seen = IndexObservation(index_window(quad), crop, Evidence(faces / faces.sum(), 0.99), quad)
    likely = sorted((Candidate(*one) for one in named.items()), key=lambda one: -one.p)
    return CardInstance(CardHypothesis(PLACE, Side.UP, 0.9, TABLE), (seen,), None, Classification(tuple(likely), 0.99))


def names(*cards: CardInstance, before: frozenset[str] = frozenset()) -> list[str | None]:
    """What has a name after all."""
    return [
        one.likeliest_face if TUNING.accepts(one.classification) else None
        for one in fitted_to_inks(cards, TUNING, before)[0]
    ]


def misread(ink: tuple[int, int, int], lamp: tuple[float, float, float] = LAMPS[0]) -> CardInstance:
    """An eight of spades, taken for one of diamonds."""
    return card(ink, lamp, _8D=0.96, _8S=0.03)


@pytest.mark.parametrize("lamp", LAMPS, ids=["bright", "dark", "yellow", "blue"])
def test_a_name_in_the_ink_of_another_suit_is_doubted(lamp: tuple[float, float, float]) -> None:
    spades, clubs = card(BLUE, lamp, KS=0.99), card(GREEN, lamp, KC=0.99)
    hearts, diamonds = card(RED, lamp, KH=0.99), card(ORANGE, lamp, KD=0.99)
    assert names(spades, hearts, diamonds, clubs, misread(BLUE, lamp)) == ["KS", "KH", "KD", "KC", None]
    assert names(hearts, card(BLUE, lamp, QD=0.99), misread(BLUE, lamp)) == ["KH", "QD", "8D"]


def test_a_name_beyond_doubt_in_the_ink_that_is_surely_another_suits_is_asked_about() -> None:
    """No other suit is thought of at all: both corners and the face of a strange print are misread alike."""
    diamonds = [card(ORANGE, KD=0.99), card(ORANGE, QD=0.99), card(ORANGE, _7D=0.99), card(ORANGE, _3D=0.99)]
    six = card(BLUE, _6D=0.9999)
    assert names(*diamonds, card(BLUE, KS=0.99), six)[-2:] == ["KS", None]
    read = fitted_to_inks([*diamonds, card(BLUE, KS=0.99), six], TUNING)[0][-1].classification
    assert {one.face for one in read.candidates[:2]} == {"6D", "6S"}
    assert names(six) == ["6D"], "nothing is known of this table"
    assert names(card(BLUE, QD=0.99), six)[-1] == "6D", "so are its diamonds"


def test_a_suit_in_a_new_ink_is_asked_about_where_another_suit_has_none_yet() -> None:
    """No spade was seen before: the first one is a nine in blue, taken for diamonds, which are orange here."""
    for before in (frozenset({"D@-7,-6"}), frozenset({"D@-7,-6", "D@-8,-6", "H@-7,-1", "C@3,-3"})):
        assert names(card(BLUE, _9D=0.99), before=before) == [None]
        assert names(*2 * [card(BLUE, _9D=0.99)], before=before) == [None, None], "a card may be seen twice"
        assert names(card(ORANGE, _9D=0.99), card(BLUE, KS=0.99), before=before) == ["9D", "KS"]


@pytest.mark.parametrize(("known", "misread"), [("AS", "_9D"), ("QD", "_9S"), ("KC", "_9H")])
def test_no_red_suit_has_the_unusual_ink_of_a_black_one(known: str, misread: str) -> None:
    """No card of its suit was seen yet."""
    cards = card(BLUE, **{known: 0.99}), card(BLUE, **{f"{misread[:1]}5{known[-1]}": 0.99})
    assert names(*cards, card(BLUE, **{misread: 0.995}))[-1] is None
    read = fitted_to_inks([*cards, card(BLUE, **{misread: 0.995})], TUNING)[0][-1].classification
    assert {one.face for one in read.candidates[:2]} == {misread[1:], f"9{known[-1]}"}
    assert names(card(BLUE, AS=0.99), card(BLUE, _9C=0.995)) == ["AS", "9C"], "both black ones may be blue"
    assert names(card(BLACK, AS=0.99), card(BLACK, _9D=0.995)) == ["AS", "9D"], "a picture without colours"


def test_two_that_were_misread_alike_do_not_prove_each_other() -> None:
    diamonds = [card(ORANGE, KD=0.99), card(ORANGE, QD=0.99), card(ORANGE, _7D=0.99)]
    assert names(*diamonds, card(BLUE, KS=0.99), misread(BLUE), misread(BLUE))[-2:] == [None, None]


@pytest.mark.parametrize("lamp", LAMPS, ids=["bright", "dark", "yellow", "blue"])
def test_usual_decks_keep_their_names_a_first_card_and_many(lamp: tuple[float, float, float]) -> None:
    cards = [card(BLACK, lamp, _8S=0.96, _8C=0.03), card(RED, lamp, _8D=0.96, _8H=0.03)]
    assert [names(one) for one in cards] == [["8S"], ["8D"]]
    assert names(*cards, card(BLACK, lamp, _9C=0.96, _9S=0.02)) == ["8S", "8D", "9C"]


def test_a_first_card_in_an_unusual_ink_must_be_surer() -> None:
    assert names(misread(BLUE)) == [None]
    assert names(card(BLUE, _8D=0.995, _8S=0.003)) == ["8D"]


def test_an_ink_alone_names_nothing() -> None:
    known = card(BLACK, KS=0.99), card(GREEN, KC=0.99)
    assert names(*known, card(GREEN, _9S=0.5, _9C=0.49)) == ["KS", "KC", None]
    assert names(*known, card(GREEN, _9S=0.01, _9C=0.94)) == ["KS", "KC", None]


def test_a_red_suit_in_black_is_doubted() -> None:
    assert names(card(BLACK, _8D=0.97, _8S=0.02)) == [None]


def test_inks_are_remembered() -> None:
    words = fitted_to_inks([card(BLUE, KS=0.99), card(RED, KD=0.99)], TUNING)[1]
    assert len(words) == 2 and {word[:2] for word in words} == {"S@", "D@"}
    assert fitted_to_inks([misread(BLUE)], TUNING)[1] == frozenset(), "what is doubted tells nothing"
    assert names(card(BLUE, _8D=0.98, _8S=0.01)) == ["8D"]
    assert names(card(BLUE, _8D=0.98, _8S=0.01), before=words | {"V"}) == [None]


def test_jokers_and_cards_without_an_index_stay_as_they_are() -> None:
    joker = card(BLUE, JK1=0.999)
    bare = CardInstance(joker.hypothesis, (), None, Classification((Candidate("8D", 0.96),), 0.96))
    assert fitted_to_inks([joker, bare], TUNING) == ([joker, bare], frozenset())
    assert fitted_to_inks([], TUNING) == ([], frozenset())
