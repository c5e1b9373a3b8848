"""Standard five-card poker against two independent libraries, and five of a kind where decks are mixed."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cards import deck
from companion.hands import HandError, OptionError, ranking
from companion.hands.five import RANK_VALUES, every_hand, rank_multisets
from companion.hands.five_card import CATEGORIES, FiveCardRanking
from companion.hands.five_card import ranking as five_card

CODES = deck("52D1").codes
SPELLINGS = [code.replace("10", "T")[0] + code[-1].lower() for code in CODES]
ALL = every_hand(52, 5)


@pytest.fixture(scope="module")
def places() -> np.ndarray:
    return five_card().places_of(ALL)


def test_all_hands_agree_with_treys(places: np.ndarray) -> None:
    treys = pytest.importorskip("treys")
    cards = [treys.Card.new(text) for text in SPELLINGS]
    # `_five` is what treys' `evaluate` calls for five cards; 1 is its best result, 7462 its worst.
    judge = treys.Evaluator()._five
    theirs = np.fromiter((judge(hand) for hand in combinations(cards, 5)), np.int32, len(ALL))
    assert np.array_equal(places, 7462 - theirs)


def test_all_hands_agree_with_eval7(places: np.ndarray) -> None:
    eval7 = pytest.importorskip("eval7")
    cards = [eval7.Card(text) for text in SPELLINGS]
    theirs = np.fromiter((eval7.evaluate(hand) for hand in combinations(cards, 5)), np.int64, len(ALL))
    # Their numbers have gaps, ours are places: equal orders means one number of theirs for each of ours, ascending.
    first = np.full(7462, -1, np.int64)
    first[places] = theirs
    assert np.array_equal(first[places], theirs)
    assert (np.diff(first) > 0).all()


def test_categories_of_all_hands_are_the_textbook_numbers() -> None:
    counts = np.bincount(five_card().categories_of(ALL))
    expected = (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40)
    assert tuple(counts) == expected
    assert five_card().counts() == dict(zip(CATEGORIES[:-1], expected, strict=True))


def test_no_two_multisets_of_five_ranks_share_a_sum() -> None:
    sums = [place for _, place in rank_multisets()]
    assert len(sums) == len(set(sums)) == 6188
    assert max(sums) < 1 << 19
    assert tuple(sorted(RANK_VALUES)) == RANK_VALUES


def naive(hand: tuple[str, ...]) -> tuple[int, list[int]]:
    """Poker once more, as one would explain it: for hands of several decks, too."""
    ranks = sorted(("23456789TJQKA".index(c.replace("10", "T")[0]) for c in hand), reverse=True)
    flush = len({c[-1] for c in hand}) == 1
    by_count = sorted(set(ranks), key=lambda r: (ranks.count(r), r), reverse=True)
    pattern = [ranks.count(r) for r in by_count]
    wheel = ranks == [12, 3, 2, 1, 0]
    run = wheel or ranks == list(range(ranks[0], ranks[0] - 5, -1))
    top = [3] if wheel else [ranks[0]]
    tests = [
        (pattern == [5], by_count),
        (run and flush, top),
        (pattern == [4, 1], by_count),
        (pattern == [3, 2], by_count),
        (flush, ranks),
        (run, top),
        (pattern == [3, 1, 1], by_count),
        (pattern == [2, 2, 1], by_count),
        (pattern == [2, 1, 1, 1], by_count),
        (True, ranks),
    ]
    return next((9 - i, tie) for i, (holds, tie) in enumerate(tests) if holds)


@pytest.mark.parametrize("name", ["52D2", "52D3"])
def test_hands_of_several_decks_are_what_a_naive_reader_says(name: str) -> None:
    ranked = five_card({"deck": name})
    copies = deck(name).counts[0]
    # Two suits of eight ranks hold every pattern of ranks, mixed and suited, and aces low and high.
    faces = [code for code in CODES if code[-1] in "SD" and code[0] in "A2345KQJ"]
    hands = [h for h in combinations_with_replacement(faces, 5) if max(Counter(h).values()) <= copies]
    encoded = np.array([ranked.encode(hand) for hand in hands], np.uint8)
    keys, categories = ranked.keys_of(encoded), ranked.categories_of(encoded)
    theirs = [naive(hand) for hand in hands]
    assert [ranked.codes[c] for c in categories] == [CATEGORIES[t[0]] for t in theirs]
    assert_same_order(keys.tolist(), theirs)


def assert_same_order(keys: list[int], theirs: list[tuple[int, list[int]]]) -> None:
    """Sorted by their judgement, our keys never fall, and rise exactly when theirs do."""
    pairs = sorted(zip(theirs, keys, strict=True))
    for (their, key), (their_next, key_next) in pairwise(pairs):
        assert (key == key_next) if their == their_next else (key < key_next), (their, their_next)


def test_five_of_a_kind_beats_a_straight_flush_and_needs_several_decks() -> None:
    ranked = five_card({"deck": "52D2"})
    five, royal = ["7S", "7S", "7H", "7D", "7C"], ["AS", "KS", "QS", "JS", "10S"]
    assert ranked.category(five) == "five"
    assert ranked.compare(five, royal) == 1
    assert "five" not in five_card().categories
    assert ranked.category(["AS", "AS", "KS", "KS", "QS"]) == "flush"
    assert ranked.category(["AS", "AS", "AS", "AH", "KS"]) == "four"


def test_odds_of_two_decks_count_every_card_as_its_own() -> None:
    counts = five_card({"deck": "52D2"}).counts()
    assert sum(counts.values()) == 91_962_520
    assert counts["five"] == 13 * 56  # eight cards of a rank, five of them
    assert counts["straight_flush"] == 10 * 4 * 2**5


@given(st.data(), st.sampled_from(["52D1", "52D2", "52D3"]))
def test_one_hand_and_arrays_agree_in_any_order_of_cards(data: st.DataObject, name: str) -> None:
    ranked = five_card({"deck": name})
    cards = list(deck(name))
    hand = [cards[i] for i in data.draw(st.lists(st.integers(0, len(cards) - 1), min_size=5, max_size=5, unique=True))]
    turned = data.draw(st.permutations(hand))
    array = np.array([ranked.encode(turned)], np.uint8)
    assert ranked.key(hand) == int(ranked.keys_of(array)[0]) == int(ranked.places_of(array)[0])
    assert ranked.category(hand) == ranked.codes[int(ranked.categories_of(array)[0])]


def test_blocks_of_a_large_array_fit_together(places: np.ndarray) -> None:
    picked = np.random.default_rng(5).integers(0, len(ALL), 50_001)
    assert np.array_equal(five_card().places_of(ALL[picked]), places[picked])
    assert five_card().places_of(ALL[:0]).shape == (0,)


def test_the_general_entry_and_its_errors() -> None:
    assert isinstance(ranking("Five-Card", deck="52D3"), FiveCardRanking)
    with pytest.raises(HandError, match="5 cards, not 3"):
        five_card().category(["AS", "KS", "QS"])
    with pytest.raises(OptionError, match="52D1 or 52D2 or 52D3"):
        five_card({"deck": "54"})
