"""The 65-card deck: a naive second reading of every hand, ties, the Shepherd's revolution, the three proposals."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cards import deck
from companion.hands import HandError, OptionError, ranking
from companion.hands.five import every_hand
from companion.hands.sixty_five import ALL_CODES, PRINTED
from companion.hands.sixty_five import ranking as sixty_five

# Strong to weak, as the sheet prints them (33, 43).
PICTURES = [
    *("judge", "sword", "revolution", "staff", "arms_dealer", "sniper", "exile"),
    *("cruiser", "moon_earth", "undertaker", "prayer", "end", "shepherd"),
]
AS_PACKED = [*PICTURES[:4], "shepherd", *PICTURES[4:12]]
"""The order in which the cards lay in their box (36)."""
SUITS = ["fed", "lib", "free", "temple", "nomad"]
DECK = deck("65")


def naive(hand: tuple[str, ...], options: dict[str, str]) -> tuple[str, tuple[object, ...]]:
    """Category and tie-break (bigger wins) as the specification tells them, written down a second time."""
    order = AS_PACKED if options.get("pictures") == "original" else PICTURES
    cards = sorted(hand, key=lambda c: (order.index(c.split(".")[0]), SUITS.index(c.split(".")[1])))
    pictures = [c.split(".")[0] for c in cards]
    suits = [c.split(".")[1] for c in cards]
    sheep = pictures.count("shepherd")
    strength = {p: 13 - i for i, p in enumerate(order)}
    suit_strength = {s: 5 - i for i, s in enumerate(SUITS)}

    def tie(category: str, minus: int, by: list[str], forming: list[str]) -> tuple[str, tuple[object, ...]]:
        ours = [suit_strength[s] for p in forming for q, s in zip(pictures, suits, strict=True) if p == q]
        values: object = sum(ours) if options.get("suits") == "sum" else tuple(ours)
        return category, (-minus, tuple(strength[p] for p in by), values)

    flush = len(set(suits)) == 1
    top_set = pictures == ["judge", "sword", "revolution", "staff", "shepherd"]
    if sheep == 5:
        return "shepherd_five", (0, (), ())
    if top_set and set(suits) == {"fed"}:
        return tie("royal", 0, [], pictures)
    proposal = options.get("straights", "1")
    in_a_row = pictures in [order[i : i + 5] for i in range(9)] and not top_set
    is_top = top_set and (proposal == "2" or (proposal == "3" and options.get("top_straight") != "no"))
    if is_top or (proposal == "3" and in_a_row):
        minus = sheep if options.get("straight_shepherd") == "penalty" else 0
        name, (_, _, forming) = tie("straight_flush" if flush else "straight", 0, [], pictures)
        return name, (-minus, (99,) if is_top else (strength[pictures[0]],), forming)
    if flush:
        return tie("flush", sheep, pictures, pictures)
    times = {p: pictures.count(p) for p in pictures if p != "shepherd"}
    fours, threes, twos = ([p for p in dict.fromkeys(pictures) if times.get(p) == n] for n in (4, 3, 2))
    if 5 in times.values():
        return tie("five", 0, pictures[:1], pictures[:1])
    if fours:
        return tie("four", sheep, fours, fours)
    if threes and twos:
        return tie("full_house", sheep, [threes[0], twos[0]], [threes[0], twos[0]])
    if threes:
        return tie("three", sheep, threes, threes)
    if twos:
        return tie("two_pair" if len(twos) == 2 else "one_pair", sheep, twos, twos)
    if options.get("no_pair") == "best_card":
        return tie("no_pair", sheep, pictures[:1], pictures[:1])
    return tie("no_pair", sheep, pictures, list(dict.fromkeys(pictures)))


OPTIONS = [
    {"straights": "1"},
    {"straights": "2"},
    {"straights": "3"},
    {"straights": "3", "top_straight": "no"},
    {"straights": "3", "straight_shepherd": "penalty", "suits": "sum"},
    {"straights": "1", "no_pair": "best_card"},
    {"straights": "3", "pictures": "original"},
    {"straights": "3", "pictures": "original", "top_straight": "no", "straight_shepherd": "penalty"},
    {"straights": "2", "pictures": "original", "no_pair": "best_card"},
]
# Sixteen cards that hold every category: two pictures in all suits, three more in two.
SMALL_DECKS = {
    "top": (("judge", "shepherd"), ("sword", "revolution", "staff")),
    "middle": (("staff", "shepherd"), ("arms_dealer", "sniper", "exile")),
    "bottom": (("moon_earth", "shepherd"), ("undertaker", "prayer", "end")),
}


def hands_of(kind: str) -> np.ndarray:
    if kind == "sample":
        return every_hand(65, 5)[::1511]
    all_suits, two_suits = SMALL_DECKS[kind]
    codes = [f"{p}.{s}" for p in all_suits for s in SUITS] + [f"{p}.{s}" for p in two_suits for s in SUITS[:2]]
    return np.array([DECK.index(code) for code in codes], np.uint8)[every_hand(16, 5)]


def test_the_small_decks_hold_every_category() -> None:
    found = {
        naive(tuple(DECK.codes[i] for i in hand), {"straights": straights})[0]
        for straights in "13"
        for kind in SMALL_DECKS
        for hand in hands_of(kind).tolist()
    }
    assert found == set(ALL_CODES)


# Every option is read on two small decks in full and on a sample of the whole deck.
READINGS = [(kind, options) for options in OPTIONS for kind in SMALL_DECKS] + [("sample", o) for o in OPTIONS]


@pytest.mark.parametrize(("kind", "options"), READINGS, ids=str)
def test_hands_are_what_a_naive_reader_says_and_order_the_same(kind: str, options: dict[str, str]) -> None:
    ranked = sixty_five(options)
    hands = hands_of(kind)
    theirs = [naive(tuple(DECK.codes[i] for i in hand), options) for hand in hands.tolist()]
    assert [ALL_CODES[i] for i in ranked.categories_of(hands)] == [code for code, _ in theirs]
    order = (*ranked.categories[:-1], "shepherd_five", "royal")
    pairs = sorted(
        ((order.index(code), tie), key) for (code, tie), key in zip(theirs, ranked.keys_of(hands).tolist(), strict=True)
    )
    for (their, key), (their_next, key_next) in pairwise(pairs):
        assert (key == key_next) if their == their_next else (key < key_next), (their, their_next)


def test_36_the_first_order_of_the_pictures_has_one_straight_less() -> None:
    """With the Shepherd between two pictures Judge to Staff and Shepherd is a row like any other, and End is lowest."""
    revised, original = (
        sixty_five({"straights": "3", "pictures": order}).counts() for order in ("revised", "original")
    )
    assert (revised["straight"], revised["straight_flush"]) == (10 * (5**5 - 5), 10 * 5 - 1)
    assert (original["straight"], original["straight_flush"]) == (9 * (5**5 - 5), 9 * 5 - 1)
    packed = sixty_five({"straights": "3", "pictures": "original"})
    middle = ("staff.fed", "shepherd.lib", "arms_dealer.fed", "sniper.fed", "exile.fed")
    assert packed.category(middle) == "straight" and sixty_five({"straights": "3"}).category(middle) == "no_pair"
    lowest = ("moon_earth.fed", "undertaker.lib", "prayer.fed", "end.fed", "shepherd.fed")
    assert packed.category(lowest) == "no_pair" and sixty_five({"straights": "3"}).category(lowest) == "straight"


def test_counts_of_all_hands_follow_from_multisets_of_pictures() -> None:
    sheepless = sixty_five().counts()
    assert sheepless["five"] == 12
    assert sheepless["four"] == 12 * 5 * 60
    assert sheepless["full_house"] == 12 * 10 * 11 * 10
    assert sheepless["three"] == 12 * 10 * (comb(60, 2) - 11 * 10)
    assert sheepless["flush"] + 1 == 5 * comb(13, 5)
    assert sheepless["two_pair"] == comb(12, 2) * 10 * 10 * (65 - 10)
    assert sum(sheepless.values()) == comb(65, 5) == 8_259_888


def test_110_proposal_2_has_the_numbers_of_the_sheet() -> None:
    counts = sixty_five({"straights": 2}).counts()
    assert (counts["straight_flush"], counts["straight"]) == (4, 3120)
    # The sheet's 3,900 fours forget that shepherds never make a four.
    assert counts["four"] == 3600 and counts["four"] + 5 * 60 == 3900


def test_every_single_hand_of_the_deck_counts_once() -> None:
    hands = every_hand(65, 5)
    for straights in "123":
        ranked = sixty_five({"straights": straights})
        counted = np.bincount(ranked.categories_of(hands), minlength=len(ALL_CODES))
        assert dict(zip(ALL_CODES, counted.tolist(), strict=True)) == ranked.counts()


def cards(text: str) -> list[str]:
    return text.split()


def test_52_the_royal_is_federal_and_one_of_a_kind() -> None:
    royal = cards("judge.fed sword.fed revolution.fed staff.fed shepherd.fed")
    other = [card.replace("fed", "lib") for card in royal]
    for straights, second in (("1", "flush"), ("2", "straight_flush"), ("3", "straight_flush")):
        assert sixty_five({"straights": straights}).category(royal) == "royal"
        assert sixty_five({"straights": straights}).category(other) == second
        assert sixty_five({"straights": straights}).counts()["royal"] == 1


def test_74_78_shepherds_never_pair() -> None:
    ranked = sixty_five()
    assert ranked.category(cards("judge.fed judge.lib shepherd.fed shepherd.lib end.nomad")) == "one_pair"
    assert ranked.category(cards("judge.fed shepherd.free shepherd.fed shepherd.lib shepherd.nomad")) == "no_pair"
    assert ranked.category(cards("judge.fed judge.lib judge.free shepherd.fed shepherd.lib")) == "three"


def test_147_the_triple_decides_full_houses() -> None:
    a = cards("prayer.fed prayer.lib prayer.free moon_earth.fed moon_earth.lib")
    b = cards("end.fed end.lib end.free judge.fed judge.lib")
    assert sixty_five().compare(a, b) == 1


def test_68_71_the_shepherd_five_turns_the_order_over() -> None:
    ranked = sixty_five()
    sheep = [f"shepherd.{suit}" for suit in SUITS]
    no_pair = cards("judge.fed end.lib prayer.free exile.temple cruiser.nomad")
    pair = cards("sword.fed sword.lib prayer.lib exile.fed cruiser.fed")
    five = [f"staff.{suit}" for suit in SUITS]
    assert ranked.showdown([no_pair, sheep, pair, five]).winners == (0,)
    assert ranked.showdown([sheep, pair, five]).winners == (0,)
    assert ranked.showdown([sheep, pair]).turned_over
    assert ranked.showdown([no_pair, pair, five]).winners == (2,)
    assert not ranked.showdown([no_pair, pair, five]).turned_over
    worse = cards("sniper.fed sniper.lib end.fed undertaker.fed end.temple")
    assert ranked.showdown([pair, worse, sheep]).winners == (2,)
    better_tie = cards("sword.free sword.temple end.fed undertaker.fed moon_earth.lib")
    assert ranked.compare(pair, better_tie) == 1


def test_7_5_the_revolution_may_turn_ties_too() -> None:
    sheep = [f"shepherd.{suit}" for suit in SUITS]
    high = cards("judge.fed end.lib prayer.free exile.temple cruiser.nomad")
    low = cards("sniper.fed end.fed prayer.fed exile.fed cruiser.lib")
    assert sixty_five().showdown([high, low, sheep]).winners == (0,)
    assert sixty_five({"revolution": "full"}).showdown([high, low, sheep]).winners == (1,)


def test_orders_by_proposal_and_by_rarity() -> None:
    for straights, printed in PRINTED.items():
        ranked = sixty_five({"straights": straights})
        assert ranked.categories == printed
        rare = sixty_five({"straights": straights, "order": "rarity"}).categories
        assert sorted(rare) == sorted(printed)
        assert rare.index("flush") > rare.index("full_house")
        counts = ranked.counts()
        assert all(counts[a] >= counts[b] for a, b in pairwise(rare))


@given(st.sampled_from(OPTIONS), st.data())
def test_one_hand_and_arrays_agree_in_any_order_of_cards(options: dict[str, str], data: st.DataObject) -> None:
    ranked = sixty_five(options)
    hand = data.draw(st.lists(st.sampled_from(DECK.codes), min_size=5, max_size=5, unique=True))
    turned = data.draw(st.permutations(hand))
    array = np.array([ranked.encode(turned)], np.uint8)
    assert ranked.key(hand) == ranked.key(turned) == int(ranked.keys_of(array)[0])
    assert ranked.category(hand) == ALL_CODES[int(ranked.categories_of(array)[0])] == naive(tuple(hand), options)[0]


@given(st.data())
def test_144_only_cards_that_do_not_form_the_hand_can_leave_a_tie(data: st.DataObject) -> None:
    drawn = data.draw(st.lists(st.sampled_from(DECK.codes), min_size=10, max_size=10, unique=True))
    ranked = sixty_five()
    one, other = drawn[:5], drawn[5:]
    assert ranked.key(one) != ranked.key(other)  # two hands of one table never tie
    assert ranked.compare(one, other) == -ranked.compare(other, one) != 0


def test_every_pair_of_disjoint_small_hands_has_a_winner() -> None:
    ranked = sixty_five()
    faces = [f"{p}.{s}" for p in ("judge", "end", "shepherd") for s in SUITS]
    for one in list(combinations(faces, 5))[::97]:
        rest = [face for face in faces if face not in one]
        for other in list(combinations(rest, 5))[::31]:
            assert ranked.showdown([one, other]).winners in ((0,), (1,))


def test_the_general_entry_and_its_errors() -> None:
    assert ranking("65", straights=2) is sixty_five({"straights": "2"})
    with pytest.raises(HandError, match="5 cards, not 1"):
        sixty_five().category(["judge.fed"])
    with pytest.raises(OptionError, match="straights is 1 or 2 or 3, not '4'"):
        ranking("65", straights=4)
