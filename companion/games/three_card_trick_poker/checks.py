"""Why an action that no prompt offers is a foul, in the words of the sheet where it has any."""

from __future__ import annotations

from companion.games.common import foul, without
from companion.games.three_card_trick_poker.prompts import (
    CLAUSES,
    DRAW,
    EXPOSE,
    FOLD,
    PLAY,
    drawable,
    exposable,
    may_fold,
)
from companion.games.three_card_trick_poker.state import EXPOSED_MOST, HIDDEN_MOST, Mode, Phase, State
from companion.games.values import UNKNOWN, Action, Violation


def reasons(state: State, action: Action) -> tuple[Violation, ...]:
    """Why an action that no prompt offers is a foul, in the words of the sheet where it has any."""
    seat = action.seat
    deck = state.rules.judge.deck
    if seat is None or not 0 <= seat < state.rules.seats or any(c != UNKNOWN and c not in deck for c in action.cards):
        return ()
    if state.phase is Phase.OVER:
        return ()
    if seat in state.left and action.kind in CLAUSES:
        return (foul("has-left", "101", player=seat),)
    if state.phase not in (Phase.PLAY, Phase.SHOWDOWN):
        return ()
    leaving = state.leaving
    if leaving is not None and action.kind in (PLAY, FOLD, EXPOSE, DRAW):
        return (foul("reveal-first", "87", player=leaving),)
    match action.kind:
        case "play" | "fold" if seat in state.folded:
            return (foul("has-folded", "57", player=seat),)
        case "play" if seat == state.turn:
            return _play_reasons(state, seat, action)
        case "fold" if seat == state.turn:
            return _fold_reasons(state, seat, action)
        case "expose" | "draw":
            return _refill_reasons(state, seat, action)
    return ()


def _play_reasons(state: State, seat: int, action: Action) -> tuple[Violation, ...]:
    player, round_ = state.players[seat], state.round
    if len(action.cards) != 1:
        return ()
    side, lies = state.mode.side(round_), "down" if UNKNOWN in action.cards else "up"
    if round_ == 2:
        if not player.exposed:
            return (foul("must-fold", "89", action.cards, player=seat),)
        if lies == "up" and action.cards[0] not in player.exposed:
            return (foul("second-card-not-exposed", "76" if state.mode is Mode.SUNNY else "82", action.cards),)
    if side != lies and side != "any":
        clause = "71" if round_ == 1 else "76" if round_ == 2 else "77" if state.mode is Mode.SUNNY else "83"
        return (foul(f"card-must-lie-{side}", clause, action.cards, round=round_),)
    return ()


def _fold_reasons(state: State, seat: int, action: Action) -> tuple[Violation, ...]:
    player = state.players[seat]
    if state.round == 1:
        if not may_fold(state, seat):
            return (foul("leader-may-not-fold", "7.12", player=seat),)
        if not action.cards:
            return (foul("penalty-missing", "88", player=seat),)
        if action.arg("source") == "exposed" and (extra := without(action.cards, player.exposed)):
            return (foul("penalty-not-exposed", "88", extra),)
    elif player.down and (not action.cards or UNKNOWN in action.cards):
        return (foul("fold-face-down", "87", player=seat),)
    return ()


def _refill_reasons(state: State, seat: int, action: Action) -> tuple[Violation, ...]:
    player, refill = state.players[seat], state.refill
    if refill is None or refill.seat != seat:
        return (foul("refill-not-now", "67" if seat in state.folded else "64", player=seat),)
    if action.kind == EXPOSE:
        if len(player.exposed) + len(action.cards) > EXPOSED_MOST:
            return (foul("exposed-full", "65", action.cards, most=EXPOSED_MOST, lying=len(player.exposed)),)
        if len(action.cards) > player.hidden:
            return (foul("expose-beyond-hand", "65", action.cards, count=len(action.cards), hidden=player.hidden),)
        return (foul("refill-order", "7.13", player=seat),) if action.cards and not exposable(state, seat) else ()
    count = action.arg("count")
    if not isinstance(count, int) or isinstance(count, bool):
        return ()
    if count > player.stock:
        return (foul("refill-beyond-stock", "66", count=count, stock=player.stock),)
    if player.hidden + count > HIDDEN_MOST:
        return (foul("hidden-full", "66", most=HIDDEN_MOST, hidden=player.hidden),)
    return (foul("refill-order", "7.13", player=seat),) if count > 0 and not drawable(state, seat) else ()
