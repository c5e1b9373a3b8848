"""Pokard Trick's best hand out of any number of cards, against trying every five."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import NotationError, deck
from companion.hands import OptionError
from companion.hands.pokard import POINTS, best

CODES = deck("54").codes
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


def naive_points(cards: list[str], ace: str = "both") -> int:
    """The points of the best hand among all subsets of two to five cards."""
    line = RANKS[:-1] if ace == "low" else RANKS[1:] if ace == "high" else RANKS
    runs = [set(line[i : i + 5]) for i in range(len(line) - 4)]
    found = 0
    usable = [card for card in cards if not card.startswith("JK")]
    for size in range(2, 6):
        for hand in combinations(usable, size):
            ranks, suits = [c[:-1] for c in hand], {c[-1] for c in hand}
            times = sorted((ranks.count(r) for r in set(ranks)), reverse=True)
            run, flush = size == 5 and set(ranks) in runs, size == 5 and len(suits) == 1
            found = max(
                found,
                6 if run and flush else 0,
                5 if times[0] == 4 else 0,
                4 if times == [3, 2] else 0,
                3 if run or flush or times[0] == 3 else 0,
                2 if times[:2] == [2, 2] else 0,
                1 if times[0] == 2 else 0,
            )
    return found


@settings(max_examples=150)
@given(st.lists(st.sampled_from(CODES), max_size=10, unique=True), st.sampled_from(["both", "low", "high"]))
def test_166_186_the_best_category_is_the_best_of_all_subsets(cards: list[str], ace: str) -> None:
    result = best(cards, {"ace_run": ace})
    assert result.points == naive_points(cards, ace) == POINTS[result.code]
    assert set(result.cards) <= set(cards) and len(result.cards) <= 5
    if result.points:
        assert naive_points(list(result.cards), ace) == result.points


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("9S 9H JK1 4S", "one_pair"),
        ("4S 8S 5H 6D 7C KD 2H 2C", "straight"),
        ("2S 6S 9S KS", "none"),
        ("2S 6S 9S KS QS", "flush"),
        ("AS 2H 3D 4C 5S", "straight"),
        ("10S JH QD KC AS", "straight"),
        ("QS KH AD 2C 3S", "none"),
        ("AH 2H 3H 4H 5H 5S 5D 5C", "straight_flush"),
        ("5H 5S 5D 5C KH KS KD", "four"),
        ("5H 5S 5D KH KS KD", "full_house"),
        ("5H 5S KH KS 9D 9C", "two_pair"),
        ("7H 7S 7D 2C JK1 JK2", "three"),
        ("JK1 JK2", "none"),
        ("", "none"),
    ],
)
def test_examples(cards: str, code: str) -> None:
    assert best(cards.split()).code == code


def test_the_cards_of_the_best_hand_are_named() -> None:
    assert best(["4S", "8S", "5H", "6D", "7C", "KD", "2H", "2C"]).cards == ("8S", "7C", "6D", "5H", "4S")
    assert best(["AS", "5H", "4H", "3D", "2C"]).cards == ("5H", "4H", "3D", "2C", "AS")
    assert best(["AS", "5H", "4H", "3D", "2C"], {"ace_run": "high"}).code == "none"


def test_any_number_of_cards_up_to_all() -> None:
    assert best(CODES) == ("straight_flush", 6, ("AS", "KS", "QS", "JS", "10S"))
    assert best(CODES[:37]).code == "straight_flush"


def test_foreign_cards_and_options_are_errors() -> None:
    with pytest.raises(NotationError, match="1m"):
        best(["1m"])
    with pytest.raises(OptionError, match="both or low or high"):
        best(["AS"], {"ace_run": "round"})
