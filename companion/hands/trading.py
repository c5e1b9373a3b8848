"""Trading Poker: which score cards a set of cards can buy (section 4 of the rule specification).

Nothing is compared here. A set of cards is exactly as many as the kind names, never holds two copies of one card
(128-131), and may count as any one of the kinds it satisfies (113-115).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations

from companion.cards import deck as named_deck
from companion.hands.options import Given, HouseRule, resolved

HOUSE_RULES = (
    HouseRule("catalogue", ("default", "nine"), "7.1"),
    HouseRule("no_pair", ("loose", "strict"), "7.2"),
    HouseRule("no_pair_cards", ("5", "3", "4", "6"), "7.2"),
    HouseRule("exact_count", ("yes", "no"), "7.3"),
)

INVENTED = frozenset({"three_pair", "two_triples"})
"""Kinds that complete the eleven of the box; the sheet names the other nine."""

_DECK = named_deck("trading")
_NUMBER = {rank: i for i, rank in enumerate(_DECK.ranks, 1)}

Ranks = list[int]


def _counts(ranks: Ranks) -> list[int]:
    return sorted(Counter(ranks).values(), reverse=True)


def _in_a_row(ranks: Ranks) -> bool:
    return len(set(ranks)) == 5 and max(ranks) - min(ranks) == 4


_KINDS: dict[str, tuple[int, Callable[[Ranks, bool], bool]]] = {
    "one_pair": (2, lambda ranks, suited: _counts(ranks) == [2]),
    "no_pair": (5, lambda ranks, suited: len(set(ranks)) == len(ranks)),
    "two_pair": (4, lambda ranks, suited: _counts(ranks) in ([2, 2], [4])),
    "three": (3, lambda ranks, suited: _counts(ranks) == [3]),
    "straight": (5, lambda ranks, suited: _in_a_row(ranks)),
    "three_pair": (6, lambda ranks, suited: _counts(ranks) in ([2, 2, 2], [4, 2])),
    "full_house": (5, lambda ranks, suited: _counts(ranks) == [3, 2]),
    "flush": (5, lambda ranks, suited: suited),
    "four": (4, lambda ranks, suited: _counts(ranks) == [4]),
    "two_triples": (6, lambda ranks, suited: _counts(ranks) == [3, 3]),
    "straight_flush": (5, lambda ranks, suited: suited and _in_a_row(ranks)),
}
"""Kind -> number of cards, and what their numbers and common suit must be; the cards are known to be different."""


def kind_codes(options: Given | None = None) -> tuple[str, ...]:
    """The kinds of the chosen catalogue, easiest first."""
    nine = resolved(HOUSE_RULES, options or {})["catalogue"] == "nine"
    return tuple(kind for kind in _KINDS if not (nine and kind in INVENTED))


def cards_of(kind: str, options: Given | None = None) -> int:
    """How many cards a claim of this kind has."""
    return int(resolved(HOUSE_RULES, options or {})["no_pair_cards"]) if kind == "no_pair" else _KINDS[kind][0]


@cache
def _kinds_of(size: int, nine: bool, no_pair: int) -> tuple[str, ...]:
    """The kinds of so many cards, `no_pair` being the number of cards of that kind."""
    sizes = {kind: cards for kind, (cards, _) in _KINDS.items()} | {"no_pair": no_pair}
    return tuple(kind for kind in _KINDS if sizes[kind] == size and not (nine and kind in INVENTED))


def _exact(cards: Sequence[str], chosen: dict[str, str]) -> frozenset[str]:
    if len(set(cards)) != len(cards):
        return frozenset()
    faces = [_DECK.face(card) for card in cards]
    if not all(face.rank for face in faces):
        return frozenset()
    ranks = [_NUMBER[face.rank] for face in faces]
    suited = len({face.suit for face in faces}) == 1
    sized = _kinds_of(len(cards), chosen["catalogue"] == "nine", int(chosen["no_pair_cards"]))
    fits = {kind for kind in sized if _KINDS[kind][1](ranks, suited)}
    if chosen["no_pair"] == "strict" and fits & {"straight", "flush"}:
        fits.discard("no_pair")
    return frozenset(fits)


def kinds(cards: Sequence[str], options: Given | None = None) -> frozenset[str]:
    """Every kind that exactly these cards may be claimed as; empty when they make none.

    With `exact_count=no` cards may be thrown in: every kind that some of the cards make. Raises OptionError, and
    NotationError for a card that is not in the deck.
    """
    chosen = resolved(HOUSE_RULES, options or {})
    if chosen["exact_count"] == "yes":
        return _exact(cards, chosen)
    sizes = {cards_of(kind, chosen) for kind in kind_codes(chosen)}
    found: set[str] = set()
    for size in sizes:
        for part in combinations(dict.fromkeys(cards), size):
            found |= _exact(part, chosen)
    return frozenset(found)
