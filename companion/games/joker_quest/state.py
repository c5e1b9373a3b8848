"""What is known of a Joker Quest: the state and what can be read off it. Numbers in brackets are lines of the rule
sheet."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.cards import deck
from companion.games.common import put, replace
from companion.games.joker_quest.options import Rules
from companion.games.values import Hand, Msg, ScoreLine

DECK, JOKER = "53", "JK1"
HAND = 4
"""Cards drawn at the start (124)."""
KINGS = 4
"""Guardians of the joker (146)."""
_VALUES = {rank: i for i, rank in enumerate(deck("52D1").ranks, 1)}
HIGHEST = 13


class Phase(StrEnum):
    """`DEALT`: a joker in a first hand is shown, the first road is turned up; `KINGS`: the joker has appeared and four
    cards are laid on him; `DRAW`, `RECLAIM`: what an action still brings; `FINAL`: penalties are paid after the
    quest; `READING`: the hand of a solo game is shown to be read."""

    DEALT = "dealt"
    KINGS = "kings"
    TURN = "turn"
    DRAW = "draw"
    RECLAIM = "reclaim"
    FINAL = "final"
    READING = "reading"
    OVER = "over"


@dataclass(frozen=True)
class State:
    """A quest. `pile`: the discard pile, its top is the road; `hands`: what is known of them; `penalty`: cards in
    front of each seat; `paid`: cards each seat gave up for his penalties, None before; `joker_out`: he has appeared,
    `relative`: from whose first hand; `struck`: the card that beat him; `turn`: who acts, or acted and still draws;
    `allowance`: how many cards he may draw (`forced`: has to), `passed`: for a pass; `out`: whose game is over;
    `resumes`: what goes on after the guardians of a joker that came late;
    `overcome`: roads, guardians and joker beaten so far; `shown`: the hand of a reading."""

    rules: Rules
    players: tuple[str, ...]
    turn: int
    hands: tuple[Hand, ...]
    stock: int
    penalty: tuple[tuple[str, ...], ...]
    paid: tuple[tuple[str, ...] | None, ...]
    phase: Phase = Phase.DEALT
    pile: tuple[str, ...] = ()
    kings: tuple[str, ...] = ()
    joker_out: bool = False
    relative: int | None = None
    struck: str | None = None
    allowance: int = 0
    forced: bool = False
    passed: bool = False
    resumes: Phase | None = None
    out: tuple[int, ...] = ()
    overcome: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    lines: tuple[ScoreLine, ...] = ()
    results: tuple[Msg, ...] = ()

    @property
    def road(self) -> str:
        """The card to overcome; "" before the first one."""
        return self.pile[-1] if self.pile else ""

    @property
    def alive(self) -> tuple[int, ...]:
        """Seats whose game is not over."""
        return tuple([seat for seat in range(len(self.players)) if seat not in self.out])

    @property
    def hidden(self) -> int:
        """Cards under the road that may become a new stock (7.6)."""
        return max(0, len(self.pile) - 1) if self.rules.reshuffle else 0


def value(card: str) -> int:
    """A card's number: ace 1, J, Q, K 11 to 13 (25, 27)."""
    return _VALUES[card[:-1]]


def suit(card: str) -> str:
    """The suit letter."""
    return card[-1]


def kings_to_lay(state: State) -> int:
    """Four, or as many as the stock holds (146, 7.5)."""
    return min(KINGS, state.stock)


def open_kings(state: State) -> tuple[str, ...]:
    """The guardians that may be attacked now (7.4)."""
    match state.rules.king_order:
        case "first":
            return state.kings[:1]
        case "last":
            return state.kings[-1:]
    return state.kings


def draw_count(state: State) -> int:
    """How many cards can be drawn at once now."""
    return min(state.allowance, state.stock)


def owes(state: State, seat: int) -> int:
    """Cards that `seat` has to give up for his penalties, as far as he has them (158)."""
    return min(len(state.hands[seat]), sum(value(card) for card in state.penalty[seat]))


def unpaid(state: State) -> tuple[int, ...]:
    """Seats that still have to pay."""
    return tuple(seat for seat in state.alive if state.paid[seat] is None and owes(state, seat))


def sought(state: State) -> bool:
    """The stock is used up and the joker has not appeared: somebody holds him."""
    return not state.joker_out and state.stock == 0


def hold(state: State, seat: int, hand: Hand) -> State:
    """The state with one hand changed."""
    return replace(state, hands=put(state.hands, seat, hand))
