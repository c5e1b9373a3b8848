"""What people type becomes codes, and nothing else does."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cards import NAMES, NotationError, deck, format_faces, parse_face, parse_faces

decks = st.sampled_from(NAMES).map(deck)


@st.composite
def deck_and_cards(draw: st.DrawFn) -> tuple[str, list[str]]:
    name = draw(st.sampled_from(NAMES))
    return name, draw(st.lists(st.sampled_from(deck(name).codes), max_size=20))


@given(deck_and_cards())
def test_codes_come_back_as_they_were_and_multisets_keep_their_counts(drawn: tuple[str, list[str]]) -> None:
    name, cards = drawn
    assert parse_faces(format_faces(cards), deck(name)) == tuple(cards)
    assert parse_faces(cards, deck(name)) == tuple(cards)
    assert parse_faces(", ".join(cards)) == tuple(cards)
    assert Counter(parse_faces(format_faces(sorted(cards)), deck(name))) == Counter(cards)


@given(decks, st.data())
def test_names_glyphs_and_letter_case_name_the_same_face(cards: object, data: st.DataObject) -> None:
    face = data.draw(st.sampled_from(cards.faces))  # type: ignore[attr-defined]
    for text in (face.code, face.glyph, face.name("en"), face.name("ja"), face.name("en").upper()):
        assert parse_face(text, cards) == face.code  # type: ignore[arg-type]


@given(st.text(max_size=8), st.none() | decks)
def test_nothing_but_a_notation_error_escapes_and_it_always_suggests(text: str, cards: object) -> None:
    try:
        code = parse_face(text, cards)  # type: ignore[arg-type]
    except NotationError as error:
        assert error.token == text
        assert error.suggestions
        if cards is not None:
            assert all(suggestion in cards for suggestion in error.suggestions)  # type: ignore[operator]
    else:
        assert parse_face(code, cards) == code  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("10H", "10H"), ("th", "10H"), ("T♥", "10H"), ("10♡", "10H"), ("♥10", "10H"), ("H10", "10H"), ("1s", "AS"),
        ("as", "AS"), ("A♠️", "AS"), ("スペードのA", "AS"), ("queen of clubs", "QC"), (" kd ", "KD"),
    ],
)  # fmt: skip
def test_playing_cards_in_all_usual_spellings(text: str, code: str) -> None:
    assert parse_face(text, deck("52D2")) == code


def test_the_deck_decides_what_a_text_means() -> None:
    assert parse_face("5s", deck("52D1")) == "5S"
    assert parse_face("5s", deck("M9D1")) == "5s"
    assert parse_face("5s") == "5s"
    assert parse_face("5c", deck("T52D1")) == "5c"
    assert parse_face("五索", deck("M9D1")) == "5s"
    assert parse_face("東") == "1z"


def test_a_lone_joker_needs_no_number() -> None:
    assert parse_face("JK", deck("53")) == parse_face("joker", deck("trading")) == parse_face("jk") == "JK1"
    assert parse_faces("JK1 JK2", deck("54")) == ("JK1", "JK2")


def test_65_cards_by_code_and_japanese_name() -> None:
    assert parse_face("judge.fed") == parse_face("裁判官.連邦軍") == parse_face("連邦軍の裁判官") == "judge.fed"
    assert parse_face("fed.judge", deck("65")) == "judge.fed"


@pytest.mark.parametrize(
    ("text", "name", "suggestion"),
    [
        ("11S", "52D1", "10S"),
        ("8Z", "M9D1", "8s"),
        ("juge.fed", "65", "judge.fed"),
        ("13a", "T52D1", "3a"),
        ("10S", "40D1", "AS"),
    ],
)
def test_errors_name_the_token_and_the_nearest_face(text: str, name: str, suggestion: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_faces(["2D" if name in ("52D1", "40D1") else deck(name).codes[0], text], deck(name))
    assert error.value.token == text
    assert suggestion in error.value.suggestions
    assert repr(text) in str(error.value) and name in str(error.value) and suggestion in str(error.value)


def test_a_text_without_end_is_refused_at_once_and_in_one_line():
    began = time.process_time()
    with pytest.raises(NotationError) as error:
        parse_face("5" * 1_000_000, deck("52D2"))
    assert len(str(error.value)) < 200
    assert error.value.suggestions
    assert time.process_time() - began < 1.0
