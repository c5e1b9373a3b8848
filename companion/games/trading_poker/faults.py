"""What may be wrong with an action of Trading Poker, said more exactly than that it does not fit; claims apart."""

from __future__ import annotations

from companion.games.common import foul
from companion.games.trading_poker.knowledge import JOKER
from companion.games.trading_poker.state import COMMON, Phase, State, drawable, half, in_stock, places, turned_up
from companion.games.values import Action, Violation


def known_better(state: State, action: Action) -> tuple[Violation, ...]:
    """Keep areas without cards (83, 91-92), passing (72), a discard that is not half (162), Once More (167)."""
    if state.phase is Phase.MAIN and action.seat == state.active:
        mine, target = state.keeps[state.active], action.arg("target")
        if action.kind in ("collect", "swap") and not mine:
            return (foul("no-keep-cards", "83" if action.kind == "collect" else "91", seat=state.active),)
        others = type(target) is int and 0 <= target < state.seats and target != action.seat
        if action.kind == "swap" and others and not state.keeps[target]:
            return (foul("no-keep-cards", "92", seat=target),)
        if action.kind == "done" and not state.rules.empty_claim:
            return (foul("no-pass", "72"),)
    if state.phase is Phase.SHUFFLE and action.kind == "discard" and action.seat == state.discarding[0]:
        due = half(state.hand(action.seat))
        if len(action.cards) != due:
            return (foul("not-half", "162", seat=action.seat, count=len(action.cards), due=due),)
    from_row = action.kind == "take" and action.arg("source") == "common"
    if from_row and action.seat == state.active and state.replacing and drawable(state):
        return (foul("joker-replaced-from-stock", "75", action.cards),)
    seated = action.seat is not None and 0 <= action.seat < state.seats
    if action.kind == "once-more" and seated and state.phase is not Phase.OVER and action.seat != state.once_more:
        return (foul("once-more-elsewhere", "167", owner=state.once_more),)
    return ()


def refill_faults(state: State, cards: tuple[str, ...]) -> tuple[Violation, ...]:
    """Five common cards (157), every one of which can have come from the stock."""
    missing = COMMON - len(state.common)
    fresh = [card for card in cards if card != JOKER]
    if len(fresh) > missing:
        return (foul("too-many-common", "157", fresh, count=len(state.common) + len(fresh)),)
    strange = []
    for card in cards:
        if in_stock(state, card):
            state = turned_up(state, card)
        else:
            strange.append(card)
    return (foul("card-elsewhere", "33", strange, where=places(state, strange)),) if strange else ()
