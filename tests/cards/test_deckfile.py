"""Decks of one's own from the text of a TOML file, and errors that say what to write instead."""

from __future__ import annotations

import tracemalloc
from inspect import cleandoc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cards import (
    DeckError,
    DeckFileError,
    Kind,
    deck,
    deck_from_toml,
    deckfile,
    keep,
    own_deck,
    parse_face,
    preview,
)
from companion.cards.decks import ORIGINAL_PICTURES
from companion.cards.ready import READY, as_toml

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
    example = cleandoc(deckfile.__doc__ or "").split("\n\n", 1)[1].split("\n\n`like`")[0]
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
        (('separator = "."', 'separator = "."\nversion = 2'), "version 2, this program reads version 1: update"),
        (('separator = "."', 'separator = "."\nversion = "1"'), "version must be 1"),
        (('separator = "."', 'separator = "."\nsize = "huge"'), "size must be poker, bridge"),
        (('separator = "."', 'separator = "."\nsize = [1, 2]'), "15 to 150 mm"),
        (('separator = "."', 'separator = "."\nshape = "disc"'), "shape must be"),
        (('separator = "."', 'separator = "."\nlike = "66"'), "like: there is no deck '66'"),
        (('colour = "blue"', 'mark = "strar"'), "perhaps 'star'"),
        (('code = "crane"', 'code = "crane"\nindex = "long"'), "1 to 3 characters"),
        (('code = "crane"', 'code = "cra/ne"'), "/ # %"),
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
        (
            "[deck]\ncopies = 16\n" + "".join(f'[[extras]]\ncode = "x{i}"\n' for i in range(25)),
            "400 cards.*at most 320",
        ),
        ('[deck]\nlike = "65"\n[[suits]]\ncode = "navy"', "the deck it is like has no 'navy'"),
    ],
)
def test_files_without_a_deck(text: str, message: str) -> None:
    with pytest.raises(DeckFileError, match=message):
        deck_from_toml(text, "mine")


@pytest.mark.parametrize("brief", [False, True])
@pytest.mark.parametrize("ready", READY)
def test_a_ready_made_deck_as_a_file_is_the_same_deck(ready: str, brief: bool) -> None:
    made, base = deck_from_toml(as_toml(ready, brief), "mine"), deck(READY[ready])
    assert made.multiset == base.multiset and made.card_size == base.card_size
    for face in base.faces:
        mine = made.face(face.code)
        assert (mine, mine.names) == (face, face.names)
    original = ready.endswith("-original")
    assert made.ranks == (ORIGINAL_PICTURES if original else base.ranks) and made.suits == base.suits


def test_the_authors_earlier_order_has_the_shepherd_below_the_staff() -> None:
    ranks = deck_from_toml(as_toml("65-original"), "mine").ranks
    assert ranks[ranks.index("arms_dealer") : ranks.index("staff") + 1] == ("arms_dealer", "shepherd", "staff")


def test_a_deck_like_another_says_only_what_differs() -> None:
    text = '[deck]\nlike = "65"\ncopies = 2\n[[suits]]\ncode = "fed"\nname = "Sky"\nmark = "sun"\n'
    made = deck_from_toml(text + '[[pictures]]\ncode = "judge"\nname = "Owl"\n', "mine")
    assert made.size == 130 and made.face("judge.fed").names["en"] == "Owl of Sky"
    assert made.face("judge.fed").kind is Kind.CUSTOM and made.face("judge.lib").kind is Kind.PICTURE
    assert made.face("sword.nomad") == deck("65").face("sword.nomad")
    assert made.design is not None and made.design.suits["fed"].mark == "sun" and made.design.like == "65"


def test_looks_are_said_and_filled_in() -> None:
    text = SMALL.replace('colour = "blue"', 'colour = "blue"\nmark = "wave"')
    text = text.replace('code = "crane"', 'code = "crane"\npicture = "鶴"\nindex = "C"')
    design = deck_from_toml(text.replace("[deck]", '[deck]\nsize = "tile"\nshape = "tile"'), "h").design
    assert design is not None and design.tile and design.size == (26.0, 35.0)
    assert (design.suits["north"].mark, design.suits["south"].mark) == ("wave", "star")
    assert (design.ranks["crane"].mark, design.ranks["crane"].index) == ("鶴", "C")


def test_a_kept_deck_is_known_by_a_name_that_changes_with_its_file() -> None:
    one, other = own_deck(SMALL, "My Harbour!"), own_deck(SMALL + "\n", "My Harbour!")
    assert one.name.startswith("my-harbour~") and one.name != other.name
    with pytest.raises(DeckError):
        deck(one.name)
    assert preview(one) is one and deck(one.name) is one
    for number in range(70):
        preview(own_deck(SMALL + f"# {number}", "x"))
    with pytest.raises(DeckError):
        deck(one.name)
    keep(one)
    assert deck(one.name) is one and own_deck(SMALL, "港").name.startswith("deck~")


codes = st.from_regex(r"[a-z]{1,6}", fullmatch=True)


@given(
    st.lists(codes, min_size=1, max_size=6, unique=True),
    st.lists(codes, min_size=1, max_size=6, unique=True),
    st.integers(1, 8),
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
