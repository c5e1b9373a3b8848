"""Pokard Trick: the best hand among any number of captured cards (sheet lines 166-186).

Only the single best category scores and only its points compare, so the search asks from the top whether the cards
hold a hand, never trying combinations. Jokers are no part of any hand (184).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from companion.cards import deck as named_deck
from companion.hands.options import Given, HouseRule, resolved

POINTS = {
    "straight_flush": 6,
    "four": 5,
    "full_house": 4,
    "flush": 3,
    "straight": 3,
    "three": 3,
    "two_pair": 2,
    "one_pair": 1,
    "none": 0,
}
"""Points by category, in the order in which hands of equal points are named."""

HOUSE_RULES = (HouseRule("ace_run", ("both", "low", "high"), "7.2"),)

_DECK = named_deck("54")
_HEIGHT = {rank: i for i, rank in enumerate(("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"), 2)}


class Best(NamedTuple):
    """The best hand: its category, its points, and the cards that make it (none for ``none``)."""

    code: str
    points: int
    cards: tuple[str, ...]


def _straight(by_height: dict[int, str], ace_run: str) -> tuple[str, ...]:
    """The highest five in a row, from cards by height (2 to 14, the ace 14), or nothing."""
    heights = dict(by_height)
    if 14 in heights and ace_run != "high":
        heights[1] = heights[14]
    if ace_run == "low":
        heights.pop(14, None)
    for top in range(14, 4, -1):
        if all(top - i in heights for i in range(5)):
            return tuple(heights[top - i] for i in range(5))
    return ()


def _candidates(cards: list[str], ace_run: str) -> dict[str, tuple[str, ...]]:
    by_suit: dict[str, dict[int, str]] = defaultdict(dict)
    by_rank: dict[int, list[str]] = defaultdict(list)
    for card in sorted(cards, key=lambda c: -_HEIGHT[_DECK.face(c).rank]):
        face = _DECK.face(card)
        by_suit[face.suit][_HEIGHT[face.rank]] = card
        by_rank[_HEIGHT[face.rank]].append(card)
    same = sorted(by_rank.values(), key=lambda group: -len(group))
    threes = [group for group in same if len(group) >= 3]
    pairs = [group for group in same if len(group) >= 2]
    suited = max(by_suit.values(), key=len, default={})
    return {
        "straight_flush": next((run for suit in by_suit.values() if (run := _straight(suit, ace_run))), ()),
        "four": tuple(same[0]) if same and len(same[0]) == 4 else (),
        "full_house": (*threes[0][:3], *pairs[1][:2]) if threes and len(pairs) > 1 else (),
        "flush": tuple(suited.values())[:5] if len(suited) >= 5 else (),
        "straight": _straight({height: group[0] for height, group in by_rank.items()}, ace_run),
        "three": tuple(threes[0][:3]) if threes else (),
        "two_pair": (*pairs[0][:2], *pairs[1][:2]) if len(pairs) > 1 else (),
        "one_pair": tuple(pairs[0][:2]) if pairs else (),
    }


def best(cards: Iterable[str], options: Given | None = None) -> Best:
    """The best hand of at most five out of any number of cards of the 54-card deck.

    Option `ace_run`: ``both`` (default), ``low``, ``high``. Raises OptionError, and NotationError for foreign cards.
    Copies of one card count once: the deck has a single one of each.
    """
    ace_run = resolved(HOUSE_RULES, options or {})["ace_run"]
    usable = [card for card in Counter(cards) if _DECK.face(card).rank]
    for code, made in _candidates(usable, ace_run).items():
        if made:
            return Best(code, POINTS[code], made)
    return Best("none", 0, ())
