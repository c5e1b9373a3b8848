"""What is open in a Joker Quest. Numbers in brackets are lines of the rule sheet, 7.x are house rules."""

from __future__ import annotations

from functools import cache

from companion.games.joker_quest.state import HIGHEST, JOKER, State, draw_count, open_kings, owes
from companion.games.values import Action, Choice, Msg, Prompt, Slot


def label(kind: str, **params: int) -> Msg:
    """What the page writes on the button for `kind`."""
    return Msg.of(f"action.joker-quest.{kind}", **params)


def joker_prompts(state: State) -> tuple[Prompt, ...]:
    """Anybody may turn out to hold the joker."""
    if state.joker_out:
        return ()
    return tuple([_joker_prompt(seat) for seat in state.alive])


@cache
def _joker_prompt(seat: int) -> Prompt:
    return Prompt("joker", seat, Slot(1, 1, (JOKER,), f"hand:{seat}", "joker"), label=label("joker"))


@cache
def _from_hand(kind: str, seat: int, most: int, target: str) -> Prompt:
    ordered = kind in ("play", "attack")
    slot = Slot(1, most, None, f"hand:{seat}", target, ordered=ordered)
    return Prompt(kind, seat, slot, label=label(f"{kind}-order" if ordered else kind))


def turn_prompts(state: State) -> tuple[Prompt, ...]:
    """What may be done with the road, the guardians and the joker, or a pass (130-132, 148-154)."""
    seat = state.turn
    most = min(HIGHEST, len(state.hands[seat]))
    found = []
    if not (state.joker_out and state.rules.kings_only):
        found.append(_from_hand("play", seat, most, "road"))
    if state.kings:
        attack = _from_hand("attack", seat, most, "road")
        found.append(Prompt("attack", seat, attack.slot, (Choice("king", open_kings(state)),), attack.label))
    elif state.joker_out:
        found.append(_from_hand("strike", seat, 1, "joker"))
    found.append(_from_hand("pass", seat, 1, f"penalty:{seat}"))
    return tuple(found)


def draw_prompts(state: State) -> tuple[Prompt, ...]:
    """Cards face down, and the joker when he comes; a new stock first, when there is none (7.6)."""
    most, seat = draw_count(state), state.turn
    least = 1 if state.forced and most else 0
    faces, side = ((), "down") if state.joker_out else ((JOKER,), "any")
    slot = Slot(least, most, faces, "stock", f"hand:{seat}", side)
    kind = "draw-n" if state.forced else "draw-up-to"
    skipped = None if state.forced else Action("draw", seat)
    draw = Prompt("draw", seat, slot, label=label(kind, n=most), skipped=skipped)
    if most:
        return (draw,)
    reshuffle = Prompt("reshuffle", None, label=label("reshuffle", n=state.hidden))
    return (reshuffle,) if state.forced else (reshuffle, draw)


def pay_prompt(state: State, seat: int) -> Prompt:
    """What `seat` gives up for his penalties."""
    count = owes(state, seat)
    slot = Slot(count, count, None, f"hand:{seat}", f"paid:{seat}", "any")
    return Prompt("pay", seat, slot, label=label("pay", n=count))
