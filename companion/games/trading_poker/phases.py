"""The rest of a turn of Trading Poker (154-179): the end check, the common cards, the shuffle, Once More, the end.
Numbers in brackets are lines of the rule sheet, 7.x are house rules."""

from __future__ import annotations

from companion.games.common import replace
from companion.games.trading_poker.knowledge import FACES, JOKER
from companion.games.trading_poker.state import (
    COMMON,
    Phase,
    State,
    drawable,
    ends,
    final_winner,
    right_of,
    totals,
    turned_up,
)
from companion.games.values import Msg


def at_end(state: State) -> bool:
    """So few kinds of score cards are left that the game ends (155)."""
    return ends(state.kinds_left, state.rules.catalogue.end_kinds)


def after_main(state: State) -> State:
    """The end check (155), then the common cards."""
    state = replace(state, takes=0, replacing=False, giver=-1)
    return _finish(state) if at_end(state) else _refill(state)


def _refill(state: State) -> State:
    if len(state.common) < COMMON and drawable(state):
        return replace(state, phase=Phase.REFILL)
    return _shuffle(state)


def refilled(state: State, cards: tuple[str, ...]) -> State:
    """Cards turned up into the common row (157-159); at the start five of them, before the Joker comes in (43-44)."""
    if state.phase is Phase.OVER:
        return state
    for card in cards:
        turned = state
        if state.knowledge.in_stock and (card in FACES or (card == JOKER and state.knowledge.joker_hidden)):
            turned = turned_up(state, card)
        if turned is not state and card != JOKER:
            turned = replace(turned, common=(*turned.common, card))
        state = turned
    if state.phase is Phase.SETUP and len(state.common) >= COMMON:
        return replace(state, phase=Phase.MAIN, joker_out=False, knowledge=state.knowledge.shuffled(()))
    return _refill(state) if state.phase is Phase.REFILL else state


def _shuffle(state: State) -> State:
    """If the Joker came out, everybody from the active player on discards half of his hand (161-163)."""
    if not state.joker_out or (state.shuffled and state.rules.once_per_turn):
        return _once_more_offer(state)
    order = [(state.active + step) % state.seats for step in range(state.seats)]
    due = tuple(seat for seat in order if state.hand(seat))
    state = replace(state, phase=Phase.SHUFFLE, discarding=due)
    return state if due else _merge(state)


def discard(state: State, seat: int, count: int) -> State:
    """Somebody lays half of his hand on the discards, face down (162); the last one lets the stock be shuffled."""
    if seat not in state.discarding:
        return state
    knowledge = state.knowledge.passed(seat, state.knowledge.stock + 1, count)
    left = tuple(other for other in state.discarding if other != seat)
    state = replace(state, knowledge=knowledge, discarding=left)
    return state if left else _merge(state)


def _merge(state: State) -> State:
    """Discards, stock and Joker become the new stock (164); then the common cards again (165)."""
    knowledge = state.knowledge.shuffled(state.pile)
    return _refill(replace(state, knowledge=knowledge, pile=(), joker_out=False, shuffled=True))


def _once_more_offer(state: State) -> State:
    if state.active == state.once_more:
        return replace(state, phase=Phase.ONCE_MORE)
    return next_player(state)


def use_once_more(state: State, seat: int) -> State:
    """Once More goes to the right neighbour, and its user has another turn (167-169)."""
    return replace(state, phase=Phase.MAIN, active=seat, once_more=right_of(seat, state.seats), shuffled=False)


def next_player(state: State) -> State:
    """The turn goes to the left neighbour (170)."""
    return replace(state, phase=Phase.MAIN, active=(state.active + 1) % state.seats, shuffled=False)


def _finish(state: State) -> State:
    """Add up (176); one winner always (177-179)."""
    points = totals(state)
    best = final_winner(points, state.once_more)
    tied = points.count(max(points)) > 1
    key = "result.trading.winner"
    if tied:
        key = "result.trading.tie-once-more" if best == state.once_more else "result.trading.tie-break"
    result = Msg.of(key, player=best, points=points[best], owner=state.once_more)
    return replace(state, phase=Phase.OVER, results=(result,))
