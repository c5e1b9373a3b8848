"""What is open in a deal of Pokard Trick, phase by phase. Numbers in brackets are lines of the rule sheet, 7.x are
house rules."""

from __future__ import annotations

from companion.games.pokard_trick.state import (
    ASIDE,
    Phase,
    State,
    complete,
    to_declare,
    to_play,
    trick_winner,
    turn_order,
)
from companion.games.turns import after
from companion.games.values import Action, Prompt, Slot


def open_prompts(state: State) -> tuple[Prompt, ...]:
    """The prompts of the phase."""
    match state.phase:
        case Phase.DECLARE:
            seat = to_declare(state)
            fold = () if must_play(state, seat) else (Prompt("fold", seat),)
            return (Prompt("in", seat), *fold)
        case Phase.ASIDE:
            return tuple(
                Prompt("aside", seat, Slot(ASIDE, ASIDE, None, f"hand:{seat}", f"aside:{seat}", "down"))
                for seat in turn_order(state)
                if not state.laid[seat]
            )
        case Phase.TRICK if complete(state):
            taker = trick_winner(state.table, state.rules.ace_high).seat
            return (Prompt("collect", taker, skipped=Action("collect", taker)),)
        case Phase.TRICK:
            seat = to_play(state)
            return (Prompt("play", seat, Slot(1, 1, None, f"hand:{seat}", "trick")),)
        case Phase.SHOW:
            least = ASIDE if state.rules.aside_shown else 0
            return tuple(
                Prompt(
                    "show",
                    seat,
                    Slot(least, ASIDE, None, f"aside:{seat}", f"aside:{seat}"),
                    skipped=None if least else Action("show", seat),
                )
                for seat in turn_order(state)
                if state.shown[seat] is None
            )
        case _:
            dealer = next_dealer(state)
            return (Prompt("deal", dealer, skipped=Action("deal", dealer)),)


def must_play(state: State, seat: int | None) -> bool:
    """House rule 7.3: when all others folded, the dealer plays."""
    if not state.rules.dealer_plays or state.phase is not Phase.DECLARE or seat != state.dealer:
        return False
    others = [said for at, said in enumerate(state.declared) if at != seat]
    return all(said in ("fold", "out") for said in others)


def next_dealer(state: State) -> int:
    """The dealer moves left (214); seats of bankrupts are skipped (7.11)."""
    solvent = [seat for seat, gone in enumerate(state.bankrupt) if not gone]
    return after(state.dealer, solvent, len(state.players))
