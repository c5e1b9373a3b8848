"""Every deck of the games: how many cards, which ones, in how many copies."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest

from companion.cards import NAMES, Deck, DeckError, NotationError, Surplus, deck

SIZES = {
    "52D1": 52, "52D2": 104, "52D3": 156, "48D1": 48, "48D2": 96, "48D3": 144,
    "40D1": 40, "40D2": 80, "40D3": 120, "36D1": 36, "36D2": 72, "36D3": 108,
    "53": 53, "54": 54, "trading": 81,
    "M9D1": 34, "M9D2": 68, "M9D3": 102, "M9D4": 136, "M7D1": 28, "M7D2": 56, "M7D3": 84, "M7D4": 112,
    "M9D4C3": 129, "M9D3C2": 95,
    "T52D1": 52, "T52D2": 104, "T52D3": 156, "T44D1": 44, "T44D2": 88, "T44D3": 132,
    "T36D1": 36, "T36D2": 72, "T36D3": 108,
    "65": 65, "hanafuda": 48,
}  # fmt: skip


def test_sizes_are_those_of_the_sheets() -> None:
    assert {name: deck(name).size for name in NAMES} == SIZES


@pytest.mark.parametrize("name", NAMES)
def test_a_deck_is_a_multiset_of_different_faces(name: str) -> None:
    cards = deck(name)
    assert len(set(cards.codes)) == len(cards.faces) == len(cards.counts)
    assert Counter(cards) == cards.multiset
    assert len(cards) == sum(cards.multiset.values())
    for i, code in enumerate(cards.codes):
        assert cards.index(code) == i
        assert cards.face(code).code == code
        assert code in cards
        assert cards.copies(code) == cards.counts[i] >= 1
    assert not cards.surplus(cards)


@pytest.mark.parametrize("name", NAMES)
def test_every_face_has_names_and_drawing_hints_in_both_languages(name: str) -> None:
    faces = deck(name).faces
    for language in ("en", "ja"):
        assert all(face.name(language) for face in faces)
        assert len({face.name(language) for face in faces}) == len(faces)
    assert all(face.glyph and face.colour and face.ink.startswith("#") and len(face.ink) == 7 for face in faces)
    assert len({face.glyph for face in faces}) == len(faces)
    assert faces[0].name("fr") == faces[0].name("en")


@pytest.mark.parametrize(
    ("name", "gone"),
    [
        ("48D1", ["10S", "10H"]),
        ("40D1", ["8C", "9C", "10C"]),
        ("36D2", ["7D", "8D", "9D", "10D"]),
        ("M7D1", ["1m", "9s"]),
    ],
)
def test_147_231_short_decks_lack_the_ranks_the_sheet_removes(name: str, gone: list[str]) -> None:
    full = deck("52D1" if name[0] != "M" else "M9D1")
    assert all(code in full and code not in deck(name) for code in gone)


def test_232_uneven_mahjong_decks_have_fewer_honours() -> None:
    for name, tiles, honours in (("M9D4C3", 4, 3), ("M9D3C2", 3, 2)):
        for face in deck(name).faces:
            assert deck(name).copies(face.code) == (honours if face.suit == "z" else tiles)


def test_trading_poker_plays_with_forty_types_twice_and_a_joker() -> None:
    cards = deck("trading")
    assert [cards.copies(f.code) for f in cards.faces] == [2] * 40 + [1]
    assert not {"J", "Q", "K"} & {face.rank for face in cards.faces}
    assert cards.faces[-1].code == "JK1"


def test_65_pictures_and_suits_are_in_the_sheets_order_weak_to_strong() -> None:
    cards = deck("65")
    assert cards.ranks[0] == "shepherd" and cards.ranks[-4:] == ("staff", "revolution", "sword", "judge")
    assert cards.suits == ("nomad", "temple", "free", "lib", "fed")
    assert cards.face("judge.fed").names == {"en": "Judge of the Federal Army", "ja": "連邦軍の裁判官"}
    assert {cards.face(f"end.{suit}").colour for suit in cards.suits} == {
        "red",
        "white",
        "deep green",
        "blue",
        "silver",
    }


def test_tesca_has_as_many_white_as_black_cards_and_a_neutral_one() -> None:
    for name, each in (("T52D1", 6), ("T44D1", 5), ("T36D1", 4)):
        colours = Counter(face.colour for face in deck(name).faces if face.suit == "y")
        assert colours == {"white": each, "black": each, "none": 1}


def test_more_copies_than_the_deck_holds_are_named_with_both_counts() -> None:
    assert deck("52D1").surplus(["9S", "9S", "KD"]) == (Surplus("9S", 2, 1),)
    assert deck("52D2").surplus(["9S", "9S", "KD"]) == ()
    assert deck("52D2").surplus(["9S"] * 3 + ["1m"]) == (Surplus("9S", 3, 2), Surplus("1m", 1, 0))


def test_unknown_decks_and_faces_are_errors_that_suggest() -> None:
    with pytest.raises(DeckError, match=r"52D9.*52D") as error:
        deck("52D9")
    assert error.value.suggestions and all(name in NAMES for name in error.value.suggestions)
    with pytest.raises(KeyError):
        deck("tarot")
    with pytest.raises(NotationError, match="'10S' is no card of the deck 48D1; did you mean"):
        deck("48D1").index("10S")


def test_decks_are_values() -> None:
    assert deck("m9d4c3") is deck("M9D4C3")
    assert pickle.loads(pickle.dumps(deck("65"))) == deck("65")
    assert len({deck(name) for name in NAMES}) == len(NAMES)


def test_a_deck_refuses_two_faces_of_one_code() -> None:
    face = deck("52D1").faces[0]
    with pytest.raises(ValueError, match="one code"):
        Deck("twice", (face, face), (1, 1), (), ())
    with pytest.raises(ValueError, match="1 faces but 2 counts"):
        Deck("uneven", (face,), (1, 1), (), ())
