"""What is open in a game of Hexa Card: who may declare, and what the next player may do. Numbers in brackets are lines
of the rule sheet, 7.x are house rules."""

from __future__ import annotations

from functools import cache

from companion.games.hexa_card.state import HAND, State, turn_order
from companion.games.values import Action, Msg, Prompt, Slot


def _label(kind: str, **params: int) -> Msg:
    return Msg.of(f"action.hexa-card.{kind}", **params)


@cache
def prompt(kind: str, seat: int | None) -> Prompt:
    """A declaration of nothing but itself; what the table does goes without saying."""
    return Prompt(kind, seat, label=_label(kind), skipped=Action(kind) if seat is None else None)


@cache
def move(kind: str, seat: int, label: str, **params: int) -> Prompt:
    """A turn: one card goes to the pile."""
    return Prompt(kind, seat, Slot(1, 1, None, f"hand:{seat}", "discard"), label=_label(label, **params))


@cache
def show(kind: str, seat: int) -> Prompt:
    """A declaration that shows six cards."""
    return Prompt(kind, seat, Slot(HAND, HAND, None, f"hand:{seat}", f"shown:{seat}"), label=_label(kind))


def may_be_holy(state: State) -> tuple[int, ...]:
    """Before the first turn everybody may declare (110); once somebody has, those whose declaration still matters:
    everybody where all score, else whoever comes earlier in turn order (7.12)."""
    if state.turns:
        return ()
    order, done = turn_order(state), [declared.seat for declared in state.declared]
    if done and not state.rules.all_holy:
        order = order[: min(order.index(seat) for seat in done)]
    return tuple(seat for seat in order if seat not in done)
