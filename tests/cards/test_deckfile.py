"""Decks of one's own from the text of a TOML file, and errors that say what to write instead."""

from __future__ import annotations

import tracemalloc
from inspect import cleandoc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cards import DeckFileError, deck_from_toml, deckfile, parse_face

SMALL = """
[deck]
name = { en = "Harbour", ja = "港" }
copies = 2
order = "strong-to-weak"
separator = "."
[[suits]]
code = "north"
name = { en = "North", ja = "北" }
colour = "blue"
[[suits]]
code = "south"
copies = 3
colour = "#aa5500"
[[pictures]]
code = "tide"
name = { en = "Tide", ja = "潮" }
[[pictures]]
code = "crane"
[[extras]]
code = "JK1"
name = "Joker"
copies = 1
"""


def test_the_file_says_suits_pictures_order_copies_names_and_colours() -> None:
    deck = deck_from_toml(SMALL, "harbour")
    assert deck.name == "harbour" and deck.names == {"en": "Harbour", "ja": "港"}
    assert deck.ranks == ("crane", "tide") and deck.suits == ("south", "north")
    assert dict(deck.multiset) == {"crane.south": 3, "tide.south": 3, "crane.north": 2, "tide.north": 2, "JK1": 1}
    assert deck.face("tide.north").names == {"en": "Tide of North", "ja": "北の潮"}
    assert (deck.face("tide.north").colour, deck.face("tide.south").ink) == ("blue", "#aa5500")
    assert parse_face("TIDE.North", deck) == "tide.north"


def test_the_example_of_the_module_is_a_deck() -> None:
    example = cleandoc(deckfile.__doc__ or "").split("\n\n", 1)[1].rsplit("\n\n", 1)[0]
    deck = deck_from_toml(example, "harbour")
    assert dict(deck.multiset) == {"tide.north": 3, "JK1": 1}


def test_extras_may_belong_to_a_suit_of_their_own_colours() -> None:
    text = SMALL + '[[extras]]\ncode = "0y"\nrank = "0"\nsuit = "y"\ncolour = "white"\n'
    deck = deck_from_toml(text, "harbour")
    face = deck.face("0y")
    assert (face.rank, face.suit, face.colour, deck.copies("0y")) == ("0", "y", "white", 2)
    assert deck.ranks[-1] == "0" and deck.suits[-1] == "y"
    with pytest.raises(DeckFileError, match="suit must be"):
        deck_from_toml(text.replace('suit = "y"', "suit = 3"), "harbour")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("[deck]", "[deck"), "no TOML"),
        (('colour = "blue"', 'color = "blue"'), r"suits.*number 1: unknown key 'color'; did you mean 'colour'"),
        (("[[extras]]", "[[extra]]"), "unknown key 'extra'; did you mean 'extras'"),
        (('colour = "blue"', 'colour = "bleu"'), "'bleu'"),
        (("copies = 3", "copies = 0"), "number 2: copies must be a number from 1 to 16, not 0"),
        (("copies = 3", "copies = true"), "not True"),
        (('code = "south"', 'code = "north"'), "'north' is taken"),
        (('code = "south"', 'code = "so uth"'), "without spaces"),
        (('code = "south"', ""), "not None"),
        (('order = "strong-to-weak"', 'order = "down"'), "weak-to-strong"),
        (('separator = "."', "separator = 3"), "separator"),
        (('name = "Joker"', "name = 3"), "name must be a text"),
        (('ja = "潮"', 'fr = "marée"'), "languages en and ja, not 'fr'"),
        (('code = "JK1"', 'code = "tide.north"'), "two cards have the code 'tide.north'"),
        (('[[pictures]]\ncode = "crane"', '[[ranks]]\ncode = "crane"'), "not both"),
        (('[[suits]]\ncode = "south"', '[suits]\ncode = "south"'), "no TOML|its own table"),
    ],
)
def test_every_mistake_is_named(change: tuple[str, str], message: str) -> None:
    assert change[0] in SMALL
    with pytest.raises(DeckFileError, match=message):
        deck_from_toml(SMALL.replace(*change, 1), "harbour")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no cards"),
        ('[[suits]]\ncode = "a"', r"\[\[ranks\]\] or \[\[pictures\]\] are missing"),
        ('[[ranks]]\ncode = "a"', r"\[\[suits\]\] are missing"),
        ("deck = 3", "as a table"),
        ("suits = 3", "its own table"),
        ('[deck]\nname = {}\n[[extras]]\ncode = "x"', "name must be"),
        ("".join(f'[[extras]]\ncode = "x{i}"\n' for i in range(251)), "251 different cards; at most 250"),
    ],
)
def test_files_without_a_deck(text: str, message: str) -> None:
    with pytest.raises(DeckFileError, match=message):
        deck_from_toml(text, "mine")


codes = st.from_regex(r"[a-z]{1,6}", fullmatch=True)


@given(
    st.lists(codes, min_size=1, max_size=6, unique=True),
    st.lists(codes, min_size=1, max_size=6, unique=True),
    st.integers(1, 16),
)
def test_any_suits_and_ranks_make_their_product(suits: list[str], ranks: list[str], copies: int) -> None:
    text = f'[deck]\nseparator = "."\ncopies = {copies}\n'
    text += "".join(f'[[suits]]\ncode = "{s}"\n' for s in suits) + "".join(f'[[ranks]]\ncode = "{r}"\n' for r in ranks)
    deck = deck_from_toml(text, "mine")
    assert deck.size == len(suits) * len(ranks) * copies
    assert set(deck.codes) == {f"{rank}.{suit}" for rank in ranks for suit in suits}


@given(st.text(max_size=200))
def test_any_text_is_a_deck_or_a_deck_file_error(text: str) -> None:
    try:
        deck_from_toml(text, "mine")
    except DeckFileError as error:
        assert str(error) and error.code


@pytest.mark.parametrize(
    "text",
    [
        "a." * 20_000 + "b = 1",
        "[" + "a." * 20_000 + "b]",
        "a = " + "[\n" * 5_000,
        "[deck]\ncopies = " + "9" * 60_000,
        "[deck]\ncopies = 0x" + "f" * 60_000,
    ],
    ids=["dots", "table", "nested", "digits", "hexadecimal"],
)
def test_a_file_that_would_cost_more_than_a_deck_is_refused_in_a_sentence(text: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(DeckFileError):
            deck_from_toml(text, "mine")
        assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    finally:
        tracemalloc.stop()
