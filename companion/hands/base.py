"""What every ranking is: an order of categories, and an answer for one hand and for arrays of hands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.cards import Deck
from companion.cards.errors import nearest
from companion.hands.explanation import Explanation

NONE = "none"
"""The category of a hand that makes nothing."""

Hands = NDArray[np.uint8]
"""Hands as an array ``(n, k)``: each row k places in `Deck.faces`, in any order."""


class HandError(ValueError):
    """A hand with too few or too many cards."""

    def __init__(self, count: int, size: int) -> None:
        self.count = count
        self.size = size
        super().__init__(f"a hand of this ranking has {size} cards, not {count}")


class RankingError(KeyError):
    """A name that no ranking has. `name` is the name, `suggestions` the nearest ones."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        self.name = name
        self.suggestions = nearest(name, known)
        super().__init__(f"there is no ranking {name!r}; did you mean {' or '.join(self.suggestions)}?")

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class Showdown:
    """Hands compared: the category of each, the winners' places in the list, and whether the order was turned over."""

    categories: tuple[str, ...]
    winners: tuple[int, ...]
    turned_over: bool = False


class Ranking(ABC):
    """An order of categories over a deck.

    `categories` are the codes weak to strong; `codes` are all codes the array evaluators may answer, `none` first
    where hands can be nothing. `options` holds every house rule with its value.
    """

    __slots__ = ("categories", "codes", "deck", "name", "options", "size")

    name: str
    deck: Deck
    size: int
    options: Mapping[str, str]
    categories: tuple[str, ...]
    codes: tuple[str, ...]

    @abstractmethod
    def category(self, cards: Sequence[str]) -> str:
        """The strongest category the cards make, or ``none``.

        Raises HandError for a wrong number of cards, NotationError for a card of another deck.
        """

    @abstractmethod
    def key(self, cards: Sequence[str]) -> Any:
        """What hands are compared by: bigger wins, equal ties. Errors as `category`."""

    @abstractmethod
    def explain(self, cards: Sequence[str]) -> Explanation:
        """Why the hand is what it is, and nothing better. Errors as `category`."""

    @abstractmethod
    def categories_of(self, hands: Hands) -> NDArray[np.uint8]:
        """For each row of ``(n, k) uint8`` the place of its category in `codes`: ``(n,) uint8``."""

    @abstractmethod
    def keys_of(self, hands: Hands) -> NDArray[np.int64]:
        """For each row of ``(n, k) uint8`` a number that orders hands as `key` does: ``(n,) int64``."""

    @abstractmethod
    def counts(self) -> dict[str, int]:
        """How many of all hands of the deck are of each code, copies told apart; codes weak to strong."""

    def encode(self, cards: Sequence[str]) -> tuple[int, ...]:
        """The cards as places in `deck.faces`. Errors as `category`."""
        if len(cards) != self.size:
            raise HandError(len(cards), self.size)
        index = self.deck.index
        return tuple([index(card) for card in cards])

    def strength(self, cards: Sequence[str]) -> int:
        """The category's place in the order, 1 the weakest; 0 for nothing."""
        category = self.category(cards)
        return 0 if category == NONE else self.categories.index(category) + 1

    def showdown(self, hands: Sequence[Sequence[str]]) -> Showdown:
        """Compare the hands on the table. Equal best hands win together; a hand that is nothing never wins."""
        categories = tuple(self.category(hand) for hand in hands)
        keys = {i: self.key(hand) for i, hand in enumerate(hands) if categories[i] != NONE}
        best = max(keys.values(), default=None)
        return Showdown(categories, tuple(i for i, key in keys.items() if key == best))

    def compare(self, one: Sequence[str], other: Sequence[str]) -> int:
        """1 when `one` beats `other`, -1 when it loses, 0 when they tie."""
        winners = self.showdown((one, other)).winners
        return 0 if len(winners) != 1 else 1 if winners == (0,) else -1
