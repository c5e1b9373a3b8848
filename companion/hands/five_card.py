"""Standard five-card poker, with five of a kind where several decks allow it.

Order: no pair < one pair < two pair < three < straight < flush < full house < four < straight flush < five. Cards of
equal categories compare by rank, the forming cards first; suits never count. The ace runs high and low.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from companion.cards import deck as named_deck
from companion.hands.base import Hands, Ranking
from companion.hands.explanation import Explanation, Note
from companion.hands.five import RANK_SUMS, FiveSums, look_up, rank_multisets
from companion.hands.five_reasons import Five, explain, satisfied
from companion.hands.options import Given, HouseRule, as_text, resolved

CATEGORIES = (
    "no_pair",
    "one_pair",
    "two_pair",
    "three",
    "straight",
    "flush",
    "full_house",
    "four",
    "straight_flush",
    "five",
)
HOUSE_RULES = (HouseRule("deck", ("52D1", "52D2", "52D3"), "deck"),)

RANK_ORDER = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_ACE = 12
_WHOLE = ("no_pair", "straight", "flush", "full_house", "straight_flush", "five")
_BY_COUNTS = {
    (5,): "five",
    (4, 1): "four",
    (3, 2): "full_house",
    (3, 1, 1): "three",
    (2, 2, 1): "two_pair",
    (2, 1, 1, 1): "one_pair",
    (1, 1, 1, 1, 1): "no_pair",
}


def groups_of(ranks: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """How many cards each rank has, most first, and those ranks, higher ones first among equals."""
    counted = sorted(Counter(ranks).items(), key=lambda pair: (-pair[1], -pair[0]))
    return tuple(n for _, n in counted), tuple(rank for rank, _ in counted)


def straight_top(ranks: Sequence[int]) -> int | None:
    """The highest rank of five in a row, 3 (the five) for A-2-3-4-5, otherwise None. `ranks` descending."""
    if len(set(ranks)) == 5:
        if ranks[0] - ranks[4] == 4:
            return ranks[0]
        if tuple(ranks) == (_ACE, 3, 2, 1, 0):
            return 3
    return None


def judge(ranks: Sequence[int], flush: bool) -> tuple[str, tuple[int, ...]]:
    """Category and tie-break of five ranks (0 is the two, 12 the ace; descending)."""
    counts, grouped = groups_of(ranks)
    code = _BY_COUNTS[counts]
    top = straight_top(ranks)
    if top is not None:
        return ("straight_flush" if flush else "straight"), (top,)
    if flush and CATEGORIES.index(code) < CATEGORIES.index("flush"):
        return "flush", tuple(ranks)
    return code, grouped


class FiveCardRanking(Ranking):
    """Standard five-card poker over one to three 52-card decks. Keys are places among all different results."""

    __slots__ = ("_category", "_code", "_key", "_sums")

    def __init__(self, options: Mapping[str, str]) -> None:
        self.name = "five-card"
        self.deck = named_deck(options["deck"])
        self.size = 5
        self.options = options
        most = 4 * self.deck.counts[0]
        self.categories = CATEGORIES if most > 4 else CATEGORIES[:-1]
        self.codes = self.categories
        self._sums = FiveSums(self.deck, RANK_ORDER)
        results: dict[int, tuple[int, tuple[int, ...]]] = {}
        for ranks, place in rank_multisets():
            for part in (0, 1):
                # A flush needs a copy of its suit for every equal rank.
                if max(Counter(ranks).values()) <= (most if part == 0 else self.deck.counts[0]):
                    code, tie = judge(ranks, part == 1)
                    results[place + part * RANK_SUMS] = (CATEGORIES.index(code), tie)
        order = {result: i for i, result in enumerate(sorted(set(results.values())))}
        self._key = np.zeros(2 * RANK_SUMS, np.uint16)
        self._category = np.zeros(2 * RANK_SUMS, np.uint8)
        for place, result in results.items():
            self._key[place] = order[result]
            self._category[place] = result[0]

    def category(self, cards: Sequence[str]) -> str:
        """The category of five cards."""
        return self.codes[int(self._category[self._sums.place(self.encode(cards))])]

    def key(self, cards: Sequence[str]) -> int:
        """The hand's place among all different results, 0 the worst (7-5-4-3-2 of mixed suits)."""
        return int(self._key[self._sums.place(self.encode(cards))])

    def categories_of(self, hands: Hands) -> NDArray[np.uint8]:
        """Places in `codes` for ``(n, 5) uint8`` hands: ``(n,) uint8``."""
        return look_up(self._category, self._sums, hands).astype(np.uint8, copy=False)

    def keys_of(self, hands: Hands) -> NDArray[np.int64]:
        """Keys for ``(n, 5) uint8`` hands: ``(n,) int64``."""
        return self.places_of(hands).astype(np.int64)

    def places_of(self, hands: Hands) -> NDArray[np.uint16]:
        """Keys for ``(n, 5) uint8`` hands in their narrow form, ``(n,) uint16``: the fastest answer."""
        return look_up(self._key, self._sums, hands).astype(np.uint16, copy=False)

    def counts(self) -> dict[str, int]:
        """How many hands of five make each category, by multisets of ranks: no hand is dealt twice."""
        total = dict.fromkeys(self.codes, 0)
        copies = self.deck.counts[0]
        for ranks, place in rank_multisets():
            same = Counter(ranks).values()
            suited = 4 * prod(comb(copies, n) for n in same)
            mixed = prod(comb(4 * copies, n) for n in same) - suited
            for part, ways in ((0, mixed), (1, suited)):
                if ways:
                    total[self.codes[int(self._category[place + part * RANK_SUMS])]] += ways
        return total

    def explain(self, cards: Sequence[str]) -> Explanation:
        """The category with its cards, what else would hold, and what is missing for more."""
        category = self.category(cards)
        ranks = [int(self._sums.ranks[self.deck.index(card)]) for card in cards]
        flush = len({self.deck.face(card).suit for card in cards}) == 1
        ordered = sorted(ranks, reverse=True)
        top = straight_top(ordered)
        five = Five(tuple(cards), tuple(ranks), 0, top is not None, flush)
        counted = Counter(ranks)
        # Forming cards first: by how many there are of the rank, then by rank; the ace of A-2-3-4-5 is low.
        low = top is not None and top < ordered[0]
        weight = {rank: (counted[rank], -1 if low and rank == _ACE else rank) for rank in counted}
        by_weight = tuple(cards[i] for i in sorted(range(5), key=lambda i: weight[ranks[i]], reverse=True))
        whole = category in _WHOLE
        makers = by_weight if whole else tuple(c for c in by_weight if counted[ranks[list(cards).index(c)]] > 1)
        tie = (Note.of("hand.tie.ranks", cards=by_weight), Note.of("hand.tie.suits-never"))
        return explain(category, makers, five, self.categories, satisfied(five), tie)


@lru_cache(maxsize=8)
def _ranking(options: frozenset[tuple[str, str]]) -> FiveCardRanking:
    return FiveCardRanking(resolved(HOUSE_RULES, dict(options)))


def ranking(options: Given | None = None) -> FiveCardRanking:
    """Standard five-card poker; option `deck` is ``52D1`` (default), ``52D2`` or ``52D3``. Raises OptionError."""
    return _ranking(frozenset((k, as_text(v)) for k, v in (options or {}).items()))
