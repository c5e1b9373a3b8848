"""Trading Poker's kinds: exact cards, never two copies of one, any one of the kinds a set satisfies."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from companion.cards import NotationError, deck
from companion.hands import OptionError
from companion.hands.trading import INVENTED, cards_of, kind_codes, kinds


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("AD AH", {"one_pair"}),
        ("AD AD", set()),
        ("AD 2D", set()),
        ("9S 9H 9D", {"three"}),
        ("9S 9S 9D", set()),
        ("9S 9H 9D 9C", {"four", "two_pair"}),
        ("9S 9H 8D 8C", {"two_pair"}),
        ("AD AD AH AC", set()),
        ("AD AH AC 10H 10C", {"full_house"}),
        ("AS 2S 3S 4S 5S", {"straight_flush", "straight", "flush", "no_pair"}),
        ("6S 7S 8S 9S 10S", {"straight_flush", "straight", "flush", "no_pair"}),
        ("10S AH 2D 3C 4S", {"no_pair"}),
        ("7S 8S 9S 10S AS", {"flush", "no_pair"}),
        ("5C 5C 6C 7C 8C", set()),
        ("AS AH 2S 2H 3S 3H", {"three_pair"}),
        ("AS AH AD AC 2S 2H", {"three_pair"}),
        ("AS AH AD 2S 2H 2D", {"two_triples"}),
        ("AS 2H 4D 6C 8S", {"no_pair"}),
        ("AS AH JK1", set()),
        ("", set()),
    ],
)
def test_113_152_what_cards_may_be_claimed_as(cards: str, expected: set[str]) -> None:
    assert kinds(cards.split()) == expected


def naive(hand: tuple[str, ...]) -> set[str]:
    """Every kind once more, from pairs of number and suit."""
    numbers = sorted(11 if c[:-1] == "J" else 1 if c[0] == "A" else int(c[:-1]) for c in hand)
    suits = {c[-1] for c in hand}
    if len(set(hand)) < len(hand):
        return set()
    times = sorted(numbers.count(n) for n in set(numbers))
    run = len(hand) == 5 and numbers == list(range(numbers[0], numbers[0] + 5))
    flush = len(hand) == 5 and len(suits) == 1
    rules = {
        "one_pair": times == [2],
        "two_pair": times in ([2, 2], [4]),
        "three": times == [3],
        "four": times == [4],
        "full_house": times == [2, 3],
        "straight": run,
        "flush": flush,
        "straight_flush": run and flush,
        "no_pair": times == [1] * 5,
        "three_pair": times in ([2, 2, 2], [2, 4]),
        "two_triples": times == [3, 3],
    }
    return {kind for kind, holds in rules.items() if holds}


def test_every_hand_of_a_small_deck_is_what_a_naive_reader_says() -> None:
    small = [code for code in deck("trading").codes if code[:-1] in ("A", "2", "3", "4", "5") and code[-1] in "SHD"]
    for size in range(2, 6):
        for hand in list(combinations_with_replacement(small, size))[:: 1 if size < 5 else 7]:
            assert kinds(hand) == naive(hand), hand


def test_the_catalogue_has_eleven_kinds_nine_of_them_named_by_the_sheet() -> None:
    assert len(kind_codes()) == 11
    assert set(kind_codes()) - set(kind_codes({"catalogue": "nine"})) == INVENTED
    assert kinds(["AS", "AH", "2S", "2H", "3S", "3H"], {"catalogue": "nine"}) == set()
    assert [cards_of(kind) for kind in ("one_pair", "four", "flush", "three_pair")] == [2, 4, 5, 6]


def test_house_rules() -> None:
    run = ["3S", "4S", "5S", "6S", "7S"]
    assert kinds(run, {"no_pair": "strict"}) == {"straight_flush", "straight", "flush"}
    assert kinds(["AS", "2H", "4D"], {"no_pair_cards": 3}) == {"no_pair"}
    assert kinds(["AS", "2H", "4D", "6C", "8S"], {"no_pair_cards": 3}) == set()
    thrown_in = kinds(["9S", "9H", "9D", "2C", "9S"], {"exact_count": False})
    assert thrown_in == {"one_pair", "three"}


def test_foreign_cards_and_options_are_errors() -> None:
    with pytest.raises(NotationError, match="KS"):
        kinds(["KS", "KH"])
    with pytest.raises(OptionError, match="exact_count is yes or no"):
        kinds(["AS", "AH"], {"exact_count": "perhaps"})
