"""Five cards by one addition: what the evaluators of five-card hands share.

Every face gets a number so that the sum over five cards tells which ranks they have and how many cards each suit
holds: the low bits hold a sum that no two multisets of ranks share, the high bits a count for each suit. A flush
moves the sum into a second (or, for one chosen suit, third) part of the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from companion.cards import Deck
from companion.hands.base import Hands

RANK_VALUES = (0, 1, 6, 31, 108, 366, 926, 2286, 5733, 12905, 27316, 44676, 94545)
"""Thirteen numbers of which no two multisets of five have one sum: each is the smallest that keeps this true."""

_RANK_BITS = 19
_SUIT_BITS = 3
_BLOCK = 16_384
"""Rows at a time, so that the intermediate arrays stay in the processor's cache."""

RANK_SUMS = 1 << _RANK_BITS


class FiveSums:
    """From five cards to a place in tables of ``parts * RANK_SUMS`` entries.

    The place of a hand is ``sum of RANK_VALUES + part * RANK_SUMS`` with part 0 for mixed suits, 1 for a flush and, if
    a `crown` suit is named, 2 for a flush of that suit.
    """

    def __init__(self, deck: Deck, rank_order: Iterable[str], crown: str | None = None) -> None:
        order = list(rank_order)
        suits = list(deck.suits)
        ranks = [order.index(face.rank) for face in deck.faces]
        self.ranks = np.array(ranks, np.uint8)
        self.suits = np.array([suits.index(face.suit) for face in deck.faces], np.uint8)
        # Four counts suffice for five suits: five cards of the last suit are none of the others.
        shifts = [_RANK_BITS + _SUIT_BITS * s if s < 4 else 32 for s in range(len(suits))]
        pairs = zip(ranks, self.suits.tolist(), strict=True)
        self._list = [RANK_VALUES[r] + ((1 << shifts[s]) & 0xFFFFFFFF) for r, s in pairs]
        self._values = np.array(self._list, np.uint32)
        self.parts = 3 if crown else 2
        self._part = np.zeros(1 << 4 * _SUIT_BITS, np.uint32)
        for suit, shift in zip(suits, shifts, strict=True):
            five = 5 << (shift - _RANK_BITS) if shift < 32 else 0
            self._part[five] = RANK_SUMS * (2 if suit == crown else 1)
        if len(suits) < 5:
            self._part[0] = 0
        self._parts_list: list[int] = self._part.tolist()

    def place(self, faces: Iterable[int]) -> int:
        """The place of one hand of five."""
        values = self._list
        total: int = sum([values[face] for face in faces])
        return (total & RANK_SUMS - 1) + self._parts_list[total >> _RANK_BITS]

    def places(self, hands: Hands) -> Iterator[tuple[slice, NDArray[np.uint32]]]:
        """The places of ``(n, 5) uint8`` hands, block by block: (rows, ``(m,) uint32``)."""
        for start in range(0, len(hands), _BLOCK):
            rows = slice(start, min(start + _BLOCK, len(hands)))
            block = hands[rows]
            total = self._values[block[:, 0]]
            for column in range(1, 5):
                total += self._values[block[:, column]]
            yield rows, self.from_sums(total)

    def from_sums(self, total: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """The places of hands whose values are already added up."""
        places: NDArray[np.uint32] = self._part[total >> _RANK_BITS]
        places += total & (RANK_SUMS - 1)
        return places

    @property
    def values(self) -> NDArray[np.uint32]:
        """Each face's number, by its place in `Deck.faces`."""
        return self._values


def rank_multisets(ranks: int = 13) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every multiset of five ranks, highest first, with its place: 6,188 of them for thirteen ranks."""
    for ascending in combinations_with_replacement(range(ranks), 5):
        yield ascending[::-1], sum([RANK_VALUES[rank] for rank in ascending])


def every_hand(cards: int, size: int) -> Hands:
    """All combinations of `size` out of `cards` places in lexicographic order, ``(C(cards, size), size) uint8``."""
    rows = np.arange(cards, dtype=np.uint8)[:, None]
    for _ in range(size - 1):
        starts = rows[:, -1].astype(np.int32) + 1
        more = cards - starts
        first = np.repeat(np.cumsum(more) - more, more).astype(np.int32)
        last = np.repeat(starts, more) + np.arange(len(first), dtype=np.int32) - first
        rows = np.column_stack((np.repeat(rows, more, axis=0), last.astype(np.uint8)))
    return rows


def look_up(table: NDArray[np.generic], sums: FiveSums, hands: Hands) -> NDArray[np.generic]:
    """``table[place]`` for every row of ``(n, 5) uint8`` hands."""
    out = np.empty(len(hands), table.dtype)
    for rows, places in sums.places(hands):
        out[rows] = table[places]
    return out
