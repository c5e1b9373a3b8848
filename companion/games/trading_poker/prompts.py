"""What may begin a main action of Trading Poker (70-101), and what may be taken (75, 83)."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.common import replace
from companion.games.trading_poker.claims import claim_prompts
from companion.games.trading_poker.state import State, drawable
from companion.games.values import Action, Choice, Prompt, Slot


def main_prompts(state: State) -> tuple[Prompt, ...]:
    """Exactly one of A, B, C, D; no pass (71-72)."""
    found = tuple(prompt for family in MAIN_ACTIONS.values() for prompt in family(state))
    if len(found) == 1 and found[0].kind == "skip":
        return (replace(found[0], skipped=Action("skip", state.active)),)
    return found


def _collect_prompts(state: State) -> tuple[Prompt, ...]:
    return (Prompt("collect", state.active),) if state.keeps[state.active] else ()


def _swap_prompts(state: State) -> tuple[Prompt, ...]:
    if not state.keeps[state.active]:
        return ()
    others = [seat for seat in range(state.seats) if seat != state.active and state.keeps[seat]]
    return tuple(_swap_prompt(state, other) for other in others)


def _done_prompts(state: State) -> tuple[Prompt, ...]:
    return (Prompt("done", state.active),) if state.rules.empty_claim else ()


def _skip_prompts(state: State) -> tuple[Prompt, ...]:
    """Nothing to take and nothing kept: whoever cannot claim either is passed over (7.10)."""
    return () if state.keeps[state.active] or can_take(state) else (Prompt("skip", state.active),)


def can_take(state: State) -> bool:
    """Is there a card to take?"""
    return bool(state.common) or drawable(state)


def take_prompts(state: State) -> tuple[Prompt, ...]:
    """From the common cards or from the stock (75); a Joker from the stock is replaced from there, if it can be."""
    seat, found = state.active, []
    stock = drawable(state)
    if state.common and not (state.replacing and stock):
        slot = Slot(1, 1, state.common, "common", f"keep:{seat}")
        found.append(Prompt("take", seat, slot, (Choice("source", ("common",)),)))
    if stock:
        slot = Slot(1, 1, None, "stock", f"keep:{seat}")
        found.append(Prompt("take", seat, slot, (Choice("source", ("stock",)),)))
    return tuple(found)


def _swap_prompt(state: State, other: int) -> Prompt:
    """All own keep cards against as many of the other's, as far as he has them (94-97)."""
    theirs = state.keeps[other]
    count = min(len(state.keeps[state.active]), len(theirs))
    least = 0 if state.rules.take_up_to else count
    slot = Slot(least, count, theirs, f"keep:{other}", f"hand:{state.active}")
    return Prompt("swap", state.active, slot, (Choice("target", (other,)),))


MAIN_ACTIONS: dict[str, Callable[[State], tuple[Prompt, ...]]] = {
    "take": take_prompts,
    "collect": _collect_prompts,
    "swap": _swap_prompts,
    "claim": claim_prompts,
    "done": _done_prompts,
    "skip": _skip_prompts,
}
"""What a main action can begin with, by kind."""
