"""Hexa Card's best partition, against trying every way to part six cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import NotationError, deck
from companion.hands import HandError, OptionError
from companion.hands.hexa import best_partition, group, may_go_out

CODES = deck("52D1").codes
NUMBERS = {"A": 1, "J": 11, "Q": 12, "K": 13}


def number(card: str) -> int:
    return NUMBERS.get(card[:-1]) or int(card[:-1])


def naive_points(cards: tuple[str, ...], both_ends: bool) -> int | None:
    """The points of one group, or None: jewel or coin, aces, friends, diret."""
    n, numbers = len(cards), sorted(map(number, cards))
    diret = 2 if min(numbers) >= 11 else 1
    if n < 2:
        return None
    if len(set(numbers)) == 1:
        return n * n * (3 if numbers[0] == 1 else 1) * diret
    rows = [numbers, sorted(14 if x == 1 else x for x in numbers)] if both_ends else [numbers]
    if any(row == list(range(row[0], row[0] + n)) for row in rows):
        friend = len({c[-1] for c in cards}) == 1
        return (n * n if friend else n) * (2 if 1 in numbers else 1) * diret
    return None


def partings(cards: tuple[str, ...]) -> Iterator[list[tuple[str, ...]]]:
    """Every way to part the cards into groups, single cards among them."""
    if not cards:
        yield []
        return
    first, rest = cards[0], cards[1:]
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            left = tuple(c for c in rest if c not in others)
            for more in partings(left):
                yield [(first, *others), *more]


def naive_score(cards: list[str], options: dict[str, str]) -> int | None:
    both = options.get("ace_run") == "both"
    holy = 10 if options.get("holy") == "yes" else 0
    scores, some_group = [], False
    for parts in partings(tuple(cards)):
        singles = [p[0] for p in parts if len(p) == 1]
        groups = [p for p in parts if len(p) > 1]
        points = [naive_points(p, both) for p in groups]
        if None in points:
            continue
        some_group |= bool(groups)
        if len(singles) > 1:
            continue
        joins = [g for g in groups if singles and naive_points((*g, singles[0]), both) is not None]
        if options.get("amulet_voluntary") == "no" and joins:
            continue
        seen = [c for g in groups for c in g] + (singles if options.get("amulet_counts") == "yes" else [])
        times = (4 if all(number(c) > 10 for c in seen) else 1) * (2 if len({c[-1] for c in seen}) == 1 else 1)
        amulet = sum(20 if number(c) in (1, 13) else number(c) for c in singles)
        total = sum(p for p in points if p is not None)
        inside = options.get("amulet_inside") == "yes"
        scores.append((total + amulet + holy) * times if inside else total * times + amulet + holy)
    if scores:
        return max(scores)
    if len({c[-1] for c in cards}) == 1 and not (options.get("friend_park") == "strict" and some_group):
        return sum(map(number, cards)) + holy
    return None


SUITED = [code for code in CODES if code[-1] == "S"]
HIGH = [code for code in CODES if code[:-1] in ("A", "J", "Q", "K", "10")]
choices = {
    "ace_run": ["low", "both"],
    "amulet_voluntary": ["yes", "no"],
    "amulet_inside": ["no", "yes"],
    "friend_park": ["few", "strict"],
    "amulet_counts": ["no", "yes"],
    "holy": ["no", "yes"],
}
options_drawn = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in choices.items()})


@settings(max_examples=250)
@given(
    st.sampled_from([CODES, SUITED, HIGH, CODES[::4]]).flatmap(
        lambda faces: st.lists(st.sampled_from(faces), min_size=6, max_size=6, unique=True)
    ),
    options_drawn,
)
def test_87_the_best_partition_is_the_best_of_all(cards: list[str], options: dict[str, str]) -> None:
    result = best_partition(cards, options)
    expected = naive_score(cards, options)
    assert result.out == may_go_out(cards, options) == (expected is not None)
    assert result.score == (expected or 0)
    grouped = [c for g in result.groups for c in g.cards]
    if result.groups:
        assert sorted([*grouped, *([result.amulet_card] if result.amulet_card else [])]) == sorted(cards)
        assert result.base == sum(g.points for g in result.groups)


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("AS AH AD", 27),
        ("2S 3H 4D 5C", 4),
        ("2S 3S 4S 5S", 16),
        ("JS QS KS", 18),
        ("JS QH KD", 6),
        ("AS 2H 3D", 6),
        ("AS 2S", 8),
        ("KS KH", 8),
        ("9S 9H 9D 9C", 16),
        ("KS AS", None),
        ("9S 8H 6D", None),
        ("9S", None),
    ],
)
def test_90_97_groups(cards: str, points: int | None) -> None:
    made = group(cards.split())
    assert (made.points if made else None) == points


def test_ace_run_both_lets_the_ace_follow_the_king() -> None:
    made = group(["KS", "AS"], {"ace_run": "both"})
    assert made is not None and (made.cards, made.points, made.diret) == (("KS", "AS"), 8, False)
    assert group(["KS", "AS", "2S"], {"ace_run": "both"}) is None


def test_100_102_kingdom_and_park_multiply() -> None:
    kingdom = best_partition(["JS", "JH", "QS", "QH", "KS", "KH"])
    assert kingdom.kingdom and not kingdom.park and kingdom.multiplier == 4
    mixed = best_partition(["JS", "QS", "KS", "2H", "JH", "QH"])
    assert (mixed.kingdom, mixed.amulet, mixed.base, mixed.score) == (True, 2, 26, 106)
    park = best_partition(["2S", "3S", "4S", "5S", "6S", "7S"])
    assert (park.score, park.base, park.multiplier) == (72, 36, 2)


def test_7_11_kingdom_and_park_never_meet() -> None:
    # Groups cover five cards or more, and a suit has three pictures: the factor eight cannot come up.
    pictures = [code for code in CODES if code[:-1] in ("J", "Q", "K")]
    assert not any(p.kingdom and p.park for p in map(best_partition, combinations(pictures, 6)))


def test_104_110_friend_park_amulet_and_holy() -> None:
    friend = best_partition(["AS", "3S", "5S", "7S", "9S", "JS"], {"holy": True})
    assert friend.friend_park and (friend.base, friend.holy, friend.score) == (36, 10, 46)
    left = best_partition(["AS", "AH", "AD", "2C", "3S", "9H"])
    assert (left.amulet_card, left.amulet, left.score) == ("9H", 9, 38)
    assert [(g.kind, g.points) for g in left.groups] == [("coin", 2), ("jewel", 27)]
    assert not best_partition(["2S", "3H", "4D", "5C", "9S", "KH"]).out


def test_hands_and_options_that_do_not_fit_are_errors() -> None:
    with pytest.raises(HandError, match="6 cards, not 5"):
        best_partition(["AS", "AH", "AD", "2C", "3S"])
    with pytest.raises(NotationError, match="1m"):
        best_partition(["AS", "AH", "AD", "2C", "3S", "1m"])
    with pytest.raises(OptionError, match="did you mean amulet"):
        best_partition(["AS", "AH", "AD", "2C", "3S", "9H"], {"amulets": "no"})


def test_91_of_equal_partitions_the_one_of_few_large_groups_is_told():
    """2-3-4-5-6 is one coin of five, not a coin of two and a coin of three, which make as much."""
    found = best_partition(["2S", "3H", "4D", "5C", "6S", "KH"])
    assert [len(group.cards) for group in found.groups] == [5] and found.amulet_card == "KH"
