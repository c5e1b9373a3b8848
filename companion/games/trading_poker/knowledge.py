"""Where every card of Trading Poker may be, as far as anybody who watches the table can know.

Cards enter hands through the open keep areas, so a hand is known as far as its cards were seen there. A card passed
face down, and the half of every hand that the shuffle step takes, blur that knowledge: the card may then be in
either place. For each of the 80 cards (two copies of a face are interchangeable) and the Joker this module keeps
the set of hidden places where it may lie, as a bit mask; 0 is a card that lies open on the table. The sets are never
too small; counting keeps them from being too large: a hand with as many certain cards as it has cards holds
nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.cards import deck
from companion.games.common import replace

JOKER = "JK1"
FACES = tuple(code for code in deck("trading").codes if code != JOKER)
_INDEX = {face: i for i, face in enumerate(FACES)}
_JOKER_AT = 2 * len(FACES)
CARDS = 2 * len(FACES)
"""Cards without the Joker: two decks, four suits, ace to ten (33)."""


@dataclass(frozen=True)
class Knowledge:
    """`where`: a mask for each copy of each face, and one for the Joker; `held`: how many cards lie in each hidden
    place: the seats' hands, then the stock, then the discards laid face down."""

    where: tuple[int, ...]
    held: tuple[int, ...]

    @classmethod
    def dealt(cls, seats: int, each: int) -> Knowledge:
        """Everybody holds `each` unseen cards, the rest is the stock; the Joker lies aside."""
        anywhere = (1 << (seats + 1)) - 1
        return cls((anywhere,) * CARDS + (0,), (each,) * seats + (CARDS - each * seats, 0))

    @property
    def stock(self) -> int:
        """The place of the stock; the hand of seat s is place s, face-down discards are the place after the stock."""
        return len(self.held) - 2

    @property
    def in_stock(self) -> int:
        """Cards in the stock, the Joker included."""
        return self.held[-2]

    @property
    def joker_hidden(self) -> bool:
        """The Joker is in the stock."""
        return self.where[_JOKER_AT] != 0

    def can(self, face: str, place: int) -> bool:
        """May a card of this face lie in the hidden place `place`?"""
        at, bit = 2 * _INDEX[face], 1 << place
        return self.held[place] > 0 and bool((self.where[at] | self.where[at + 1]) & bit)

    def certain(self, place: int) -> tuple[str, ...]:
        """Faces that certainly lie in `place`, the Joker left out."""
        bit = 1 << place
        return tuple([FACES[i // 2] for i, mask in enumerate(self.where[:_JOKER_AT]) if mask == bit])

    def possible(self, place: int) -> tuple[str, ...]:
        """Every face that may lie in `place`, each once."""
        if not self.held[place]:
            return ()
        bit, where = 1 << place, self.where
        return tuple([face for i, face in enumerate(FACES) if (where[2 * i] | where[2 * i + 1]) & bit])

    def seen(self, face: str, place: int) -> Knowledge | None:
        """A card of this face came out of `place` into the open. None if no hidden copy of it is left at all, or no
        card but the Joker in the place."""
        at, bit = 2 * _INDEX[face], 1 << place
        first, second = self.where[at], self.where[at + 1]
        only_joker = place == self.stock and self.joker_hidden and self.in_stock == 1
        if (not first and not second) or not self.held[place] or only_joker:
            return None
        known: Knowledge = self
        if not (first | second) & bit:
            # The table plays on with a card that could not be there: something known before was wrong.
            known = self._forgotten()
            first, second = known.where[at], known.where[at + 1]
        # If either copy may have come, the other is wherever one of them might have been.
        either = first & second & bit
        left = first | second if either else second if first & bit else first
        return known._with({at: 0, at + 1: left}, {place: -1})

    def hidden(self, faces: Iterable[str], place: int) -> Knowledge:
        """Open cards of these faces go into the hidden place."""
        changed: dict[int, int] = {}
        count = 0
        for face in faces:
            at = 2 * _INDEX[face]
            # The open copy: mask 0, and not one that this very move has hidden already.
            copy = next(c for c in (at, at + 1) if self.where[c] == 0 and c not in changed)
            changed[copy] = 1 << place
            count += 1
        return self._with(changed, {place: count})

    def passed(self, giver: int, taker: int, count: int = 1) -> Knowledge:
        """Cards go face down from one hidden place to another: each card of the giver may be among them."""
        count = min(count, self.held[giver])
        if not count:
            return self
        bit, more = 1 << giver, 1 << taker
        where = tuple(mask | more if mask & bit else mask for mask in self.where)
        return replace(self, where=where)._with({}, {giver: -count, taker: count})

    def joker_out(self) -> Knowledge:
        """The Joker came out of the stock."""
        return self._with({_JOKER_AT: 0}, {self.stock: -1})

    def shuffled(self, pile: Iterable[str]) -> Knowledge:
        """Open discards, face-down discards and the Joker become part of the stock (164)."""
        known = self.hidden(pile, self.stock)
        stock, down = 1 << self.stock, 1 << (self.stock + 1)
        where = tuple(mask & ~down | stock if mask & down else mask for mask in known.where)
        known = replace(known, where=where)
        into = known.held[-1]
        joker = 0 if known.joker_hidden else 1
        return known._with({_JOKER_AT: stock}, {self.stock: into + joker, self.stock + 1: -into})

    def _with(self, changed: dict[int, int], moved: dict[int, int]) -> Knowledge:
        where, held = list(self.where), list(self.held)
        for at, mask in changed.items():
            where[at] = mask
        for place, count in moved.items():
            held[place] = max(0, held[place] + count)
        tidy, certain = _tidied(tuple(where), held)
        known = Knowledge(tidy, tuple(held))
        if any(certain.get(1 << place, 0) > count for place, count in enumerate(held)):
            # More certain cards than a place has: a foul stood, and something known before was wrong.
            known = known._forgotten()
        return known

    def _forgotten(self) -> Knowledge:
        """Every hidden card may be in every hidden place that has cards."""
        room = list(self.held)
        room[self.stock] -= self.joker_hidden
        anywhere = sum(1 << place for place, count in enumerate(room) if count > 0)
        return replace(self, where=tuple(anywhere if mask else 0 for mask in self.where[:_JOKER_AT]) + self.where[-1:])


def _tidied(where: tuple[int, ...], held: Sequence[int]) -> tuple[tuple[int, ...], Counter[int]]:
    """A place that is full of certain cards (or empty) holds no other card; repeated until nothing changes. Also how
    often every mask is there."""
    masks, again = Counter(where), True
    while again:
        again = False
        unsure = _union(masks)
        for place, count in enumerate(held):
            bit = 1 << place
            if not unsure & bit or masks.get(bit, 0) < count:
                continue
            # Never clears the last place of a card: after a foul that stood, counts and cards may disagree.
            where = tuple([mask & ~bit if mask & bit and mask != bit else mask for mask in where])
            masks, again = Counter(where), True
            unsure = _union(masks)
    return where, masks


def _union(masks: Iterable[int]) -> int:
    """The places of all cards that may lie in more than one."""
    union = 0
    for mask in masks:
        if mask & mask - 1:
            union |= mask
    return union
