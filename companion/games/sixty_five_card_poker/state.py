"""What is known of a game of the 65-card poker: the state and what can be read off it. Numbers in brackets are lines of
the rule sheet, 7.x are house rules."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from companion.games.sixty_five_card_poker.options import Rules
from companion.games.turns import after
from companion.games.values import Msg, ScoreLine
from companion.hands.sixty_five import SixtyFiveRanking

CARDS = 65
"""Cards of a pack: 13 pictures in 5 suits, one of each (24)."""


class Phase(StrEnum):
    """The phases of the game."""

    EXCHANGE = "exchange"
    SHOWDOWN = "showdown"
    OVER = "over"


@dataclass(frozen=True)
class State:
    """`exchanged`: how many cards each seat exchanged, None while his turn has not come; `opened`: the hands on the
    table; `declared`: what their owners called them; `dropped`: who left in the betting (7.11)."""

    players: tuple[str, ...]
    rules: Rules
    dealer: int
    stock: int
    exchanged: tuple[int | None, ...]
    opened: tuple[tuple[str, ...] | None, ...]
    declared: tuple[str, ...]
    dropped: tuple[bool, ...]
    discard: int = 0
    phase: Phase = Phase.EXCHANGE
    lines: tuple[ScoreLine, ...] = ()
    results: tuple[Msg, ...] = ()


@lru_cache(maxsize=1024)
def category(order: SixtyFiveRanking, cards: tuple[str, ...]) -> str:
    """What a hand is: asked when it is opened, when all are compared, and for every look at the table after."""
    return order.category(cards)


def live(state: State) -> tuple[int, ...]:
    """Seats still in the game."""
    return tuple([seat for seat, gone in enumerate(state.dropped) if not gone])


def turn(state: State) -> int:
    """Whose exchange is due: left of the dealer first (7.12)."""
    waiting = [seat for seat, cards in enumerate(state.exchanged) if cards is None and not state.dropped[seat]]
    return after(state.dealer, waiting, len(state.players))


def exchangeable(state: State) -> int:
    """How many cards may be exchanged now: never more than can be drawn (138, 7.9)."""
    return min(state.rules.most, state.stock + (state.discard if state.rules.reshuffle else 0))


def contenders(state: State) -> tuple[int, ...]:
    """Who may win: cards speak (7.10); where the declaration binds, a wrongly declared hand is dead."""
    opened = [seat for seat in live(state) if state.opened[seat] is not None]
    if not state.rules.binding:
        return tuple(opened)
    rank = state.rules.ranking
    return tuple(seat for seat in opened if category(rank, state.opened[seat] or ()) == state.declared[seat])


def winners(state: State) -> tuple[int, ...]:
    """The strongest hands on the table; of one pack there is one only (143-145), of two equal hands share."""
    seats = contenders(state)
    if not seats:
        return ()
    shown = state.rules.ranking.showdown([state.opened[seat] or () for seat in seats])
    return tuple(seats[i] for i in shown.winners)
