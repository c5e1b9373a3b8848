"""A game of Trading Poker as the table sees it: keep areas, common cards, score cards, and what is known of hands.

Numbers in brackets are lines of the rule sheet, 7.x are house rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.games.common import points_of, replace
from companion.games.trading_poker.knowledge import JOKER, Knowledge
from companion.games.trading_poker.options import Rules
from companion.games.values import Msg, ScoreLine

HAND = 2
"""Cards dealt to each player (41)."""
COMMON = 5
"""Common cards (43, 157)."""
KEEP = 2
"""Cards taken with action A (75); after action B it is one (83)."""


class Phase(StrEnum):
    """Where in a turn the game is, in the order of the sheet."""

    SETUP = "setup"
    MAIN = "main"
    TAKE = "take"
    GIVE = "give"
    CLAIM = "claim"
    REFILL = "refill"
    SHUFFLE = "shuffle"
    ONCE_MORE = "once-more"
    OVER = "over"


@dataclass(frozen=True)
class State:
    """`stacks`: points of the score cards left, by kind, from the top; `pile`: claimed cards on the discard pile;
    `knowledge`: where every other card may be, and how many cards hands and stock hold; `joker_out`: it lies aside;
    `once_more`: who has the Once More card; `takes`: cards still to be taken; `replacing`: a Joker from the stock
    is being replaced; `giver`: who owes a card for a swap; `discarding`: whose half is still due."""

    rules: Rules
    players: tuple[str, ...]
    stacks: tuple[tuple[int, ...], ...]
    knowledge: Knowledge
    keeps: tuple[tuple[str, ...], ...]
    active: int
    once_more: int
    phase: Phase = Phase.SETUP
    common: tuple[str, ...] = ()
    pile: tuple[str, ...] = ()
    joker_out: bool = True
    takes: int = 0
    replacing: bool = False
    giver: int = -1
    discarding: tuple[int, ...] = ()
    shuffled: bool = False
    lines: tuple[ScoreLine, ...] = ()
    results: tuple[Msg, ...] = ()

    @property
    def seats(self) -> int:
        """How many players there are."""
        return len(self.players)

    def hand(self, seat: int) -> int:
        """How many cards this seat holds."""
        return self.knowledge.held[seat]

    @property
    def kinds_left(self) -> int:
        """Kinds of score cards of which at least one is left (155)."""
        return sum(bool(stack) for stack in self.stacks)

    def stack(self, kind: str) -> tuple[int, ...]:
        """The points left of a kind, from the top; nothing for a kind that is not in this game."""
        kinds = self.rules.catalogue.kinds
        return self.stacks[kinds.index(kind)] if kind in kinds else ()


def half(cards: int) -> int:
    """What the shuffle step takes of a hand: half, rounded up (162)."""
    return (cards + 1) // 2


def ends(kinds_left: int, end_kinds: int) -> bool:
    """The game is over with six kinds or fewer (155)."""
    return kinds_left <= end_kinds


def right_of(seat: int, seats: int) -> int:
    """The right neighbour: counter-clockwise, against the turn (185)."""
    return (seat - 1) % seats


def final_winner(points: Sequence[int], once_more: int) -> int:
    """Most points (177); tied, whoever holds Once More (178), else the nearest to its right (179)."""
    seats = len(points)
    tied = [seat for seat in range(seats) if points[seat] == max(points)]
    return min(tied, key=lambda seat: (once_more - seat) % seats)


def drawable(state: State) -> bool:
    """Is there anything to draw from the stock? A Joker alone in it counts only if its shuffle would bring cards."""
    knowledge = state.knowledge
    if not knowledge.in_stock or not (knowledge.joker_hidden and knowledge.in_stock == 1):
        return knowledge.in_stock > 0
    return bool(state.pile or any(knowledge.held[: state.seats]))


def totals(state: State) -> list[int]:
    """Points of each seat's score cards."""
    return [points_of(state.lines, seat) for seat in range(state.seats)]


def in_stock(state: State, face: str) -> bool:
    """May this card, or the Joker, be the next of the stock?"""
    if face == JOKER:
        return state.knowledge.joker_hidden
    return state.knowledge.can(face, state.knowledge.stock)


def places(state: State, cards: Iterable[str]) -> str:
    """Where these cards are known to be, as zone ids."""
    zones = {"common": state.common, "discard": state.pile, "joker": (JOKER,) if state.joker_out else ()}
    zones |= {f"keep:{seat}": kept for seat, kept in enumerate(state.keeps)}
    zones |= {f"hand:{seat}": state.knowledge.certain(seat) for seat in range(state.seats)}
    zones["stock"] = (JOKER,) if state.knowledge.joker_hidden else ()
    wanted = set(cards)
    return ", ".join(zone for zone, lying in zones.items() if wanted.intersection(lying)) or "hidden"


def turned_up(state: State, card: str) -> State:
    """A card leaves the stock; the Joker is put aside (75, 159). The same state if no such card is hidden at all."""
    knowledge = state.knowledge
    if card == JOKER:
        return replace(state, knowledge=knowledge.joker_out(), joker_out=True)
    seen = knowledge.seen(card, knowledge.stock)
    return state if seen is None else replace(state, knowledge=seen)
