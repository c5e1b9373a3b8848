"""What is known of a game of Highest Card: the state and what can be read off it. Hands are secret to the referee; it
counts them."""

from __future__ import annotations

from dataclasses import dataclass

from companion.cards import deck
from companion.games import ScoreLine

from .options import Rules

DECK = "52D1"
HAND = 5
"""Cards dealt to everybody, and rounds that are played (clause 1)."""
CODES = frozenset(deck(DECK).codes)
_NUMBERS = {rank: i for i, rank in enumerate(("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"), 2)}


@dataclass(frozen=True)
class State:
    """`leader` begins the round; `laid`: each seat's card of the round, None before he lays; `gone`: the cards of
    earlier rounds; `lines`: the points so far, those of a round as soon as its last card lies."""

    rules: Rules
    players: tuple[str, ...]
    leader: int
    laid: tuple[str | None, ...]
    gone: tuple[str, ...] = ()
    round: int = 1
    lines: tuple[ScoreLine, ...] = ()

    @property
    def order(self) -> tuple[int, ...]:
        """The seats from the leader on, clockwise (clause 2)."""
        seats = len(self.players)
        return tuple((self.leader + step) % seats for step in range(seats))

    @property
    def turn(self) -> int | None:
        """Whose turn it is; None when everybody has laid."""
        return next((seat for seat in self.order if self.laid[seat] is None), None)

    @property
    def over(self) -> bool:
        """The last card of the last round lies (clause 6)."""
        return self.round == HAND and self.turn is None

    @property
    def hands(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(HAND - self.round + (card is None) for card in self.laid)


def number(card: str) -> int:
    """A card's number: 2 to 10, jack 11, queen 12, king 13, ace 14 (clause 4)."""
    return _NUMBERS[card[:-1]]


def round_winner(state: State) -> int | None:
    """Who has the highest card of the round; of several the first who laid it, or nobody (clauses 4 and 5). None also
    while somebody still has to lay."""
    cards = {seat: card for seat in state.order if (card := state.laid[seat]) is not None}
    if state.turn is not None:
        return None
    best = max(number(card) for card in cards.values())
    seats = [seat for seat, card in cards.items() if number(card) == best]
    return None if len(seats) > 1 and state.rules.tie_to_nobody else seats[0]
