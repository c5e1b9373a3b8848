"""What is known of a match of Hexa Card: the state and what can be read off it. Numbers in brackets are lines of the
rule sheet."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.cards import deck
from companion.games.common import replace
from companion.games.hexa_card.options import Rules
from companion.games.turns import after
from companion.games.values import Msg, ScoreLine
from companion.hands.hexa import Partition, may_go_out

DECK = "52D1"
HAND = 6
"""Cards in every hand (70)."""
PRESENT = 10
"""What everybody else gets for a wrong declaration (114)."""


class Phase(StrEnum):
    """`TURN`: loops and dices; `HOLY`: somebody declared at the deal, others may; `SCORED`: a game is done."""

    TURN = "turn"
    HOLY = "holy"
    SCORED = "scored"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Declared:
    """Six cards that somebody showed, and the best that can be made of them."""

    seat: int
    cards: tuple[str, ...]
    partition: Partition


@dataclass(frozen=True)
class State:
    """A match of Hexa Card. `playing`: the seats in this game (all but in a playoff); `hands`: how many cards each
    holds; `discard`: the pile, top last; `turn`: who is due; `turns`: turns of this game; `mover`: who just had his
    turn and may go out; `victim`: whom he robbed by a dice; `discards`: (seat, card) of every turn; `robberies`:
    (robbed seat, how many turns came before)."""

    rules: Rules
    players: tuple[str, ...]
    starter: int
    playing: tuple[int, ...]
    game: int = 1
    phase: Phase = Phase.TURN
    hands: tuple[int, ...] = ()
    stock: int = 0
    discard: tuple[str, ...] = ()
    turn: int = 0
    turns: int = 0
    mover: int | None = None
    victim: int | None = None
    contested: bool = False
    discards: tuple[tuple[int, str], ...] = ()
    robberies: tuple[tuple[int, int], ...] = ()
    declared: tuple[Declared, ...] = ()
    lines: tuple[ScoreLine, ...] = ()
    results: tuple[Msg, ...] = ()


def dealt(state: State) -> State:
    """Six cards for everybody who plays, the rest is the stock (70)."""
    hands = tuple(HAND if seat in state.playing else 0 for seat in range(len(state.players)))
    return replace(
        state,
        phase=Phase.TURN,
        hands=hands,
        stock=deck(DECK).size - sum(hands),
        discard=(),
        turn=state.starter,
        turns=0,
        mover=None,
        victim=None,
        contested=False,
        discards=(),
        robberies=(),
        declared=(),
        results=(),
    )


def next_player(state: State, seat: int) -> int:
    """Who comes after `seat`: the next to play, and the one a dice robs (74)."""
    return after(seat, state.playing, len(state.players), state.rules.step)


def turn_order(state: State) -> tuple[int, ...]:
    """Everybody who plays, from the starter on (69)."""
    seats = [state.starter]
    while len(seats) < len(state.playing):
        seats.append(next_player(state, seats[-1]))
    return tuple(seats)


def loop_draw(state: State) -> int:
    """Cards a loop takes from the stock: one (73), two for the robbed (76)."""
    return HAND + 1 - state.hands[state.turn]


def can_loop(state: State) -> bool:
    """There are cards enough in the stock."""
    return 0 < loop_draw(state) <= state.stock


def can_dice(state: State) -> bool:
    """The stock is not exhausted (79), and the robbed player may rob after making up his hand (7.4)."""
    lacking = HAND - state.hands[state.turn]
    if not state.stock or lacking > state.stock or (lacking and state.rules.must_loop):
        return False
    return state.hands[next_player(state, state.turn)] > 0


def complete_before(state: State, seat: int, cards: tuple[str, ...]) -> bool:
    """Whether the six cards that `seat` shows prove that he already was complete after his turn before.

    What he drew since is one of the six or the card he then discarded; whichever it was, the hand of the turn before
    must have been complete. Not provable when he was robbed in between, or had no turn before.
    """
    turns = [at for at, (who, _) in enumerate(state.discards) if who == seat]
    if len(turns) < 2 or any(robbed == seat and turns[-2] < at for robbed, at in state.robberies):
        return False
    discarded = state.discards[turns[-1]][1]
    hands = [cards, *((*cards[:at], discarded, *cards[at + 1 :]) for at in range(HAND))]
    return all(may_go_out(hand, dict(state.rules.hands)) for hand in hands)
