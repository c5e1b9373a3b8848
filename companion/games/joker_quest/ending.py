"""How a Joker Quest ends: penalties, the score and the reading of a solo game (157-173). Numbers in brackets are lines
of the rule sheet, 7.x are house rules."""

from __future__ import annotations

from companion.games.common import put, replace, take
from companion.games.joker_quest.fortune import told
from companion.games.joker_quest.state import Phase, State, hold, unpaid, value
from companion.games.values import Hand, Msg, ScoreLine


def failed(state: State) -> State:
    """Everybody's game is over: nobody wins (7.12)."""
    hard = (Msg("result.joker-quest.fortune.hard"),) if state.rules.fortune and len(state.players) == 1 else ()
    return replace(state, phase=Phase.OVER, results=(Msg("result.joker-quest.failed"), *hard))


def final(state: State) -> State:
    """The quest is finished: penalties are paid (158)."""
    return replace(state, phase=Phase.FINAL) if unpaid(state) else _closed(state)


def pay(state: State, seat: int, cards: tuple[str, ...]) -> State:
    """Cards given up for the penalties lying before their player (158)."""
    state = hold(state, seat, take(state.hands[seat], cards))
    state = replace(state, paid=put(state.paid, seat, cards))
    return state if unpaid(state) else _closed(state)


def _closed(state: State) -> State:
    """The score: cards in hand when the quest ended, less the penalties; none left is game over (157-162)."""
    lines: list[ScoreLine] = []
    for seat in state.alive:
        left = len(state.hands[seat]) + len(state.paid[seat] or ())
        if left:
            lines.append(ScoreLine(seat, left, Msg("score.joker-quest.cards")))
        for card in state.penalty[seat]:
            cost = min(left, value(card))
            lines.append(ScoreLine(seat, -cost, Msg.of("score.joker-quest.penalty", n=value(card)), (card,)))
            left -= cost
    empty = tuple(seat for seat in state.alive if not state.hands[seat])
    state = replace(state, lines=tuple(lines), out=state.out + empty, phase=Phase.OVER)
    if not state.alive:
        return failed(state)
    return replace(state, phase=Phase.READING) if _read(state) else replace(state, results=_results(state))


def _read(state: State) -> bool:
    """A solo game that is asked what it means (164)."""
    return state.rules.fortune and len(state.players) == 1


def _results(state: State) -> tuple[Msg, ...]:
    """Who has most cards; alone, they are the score (161-162)."""
    counts = {seat: len(state.hands[seat]) + (len(state.shown) if seat == 0 else 0) for seat in state.alive}
    best = [seat for seat, count in counts.items() if count == max(counts.values())]
    if len(state.players) == 1:
        return (Msg.of("result.joker-quest.solo", player=best[0], n=counts[best[0]]),)
    key = "winner" if len(best) == 1 else "shared"
    return tuple(Msg.of(f"result.joker-quest.{key}", player=seat, n=counts[seat]) for seat in best)


def reveal(state: State, cards: tuple[str, ...]) -> State:
    """The final hand is shown and read (169-172)."""
    state = replace(hold(state, 0, Hand()), shown=cards, phase=Phase.OVER)
    return replace(state, results=_results(state) + told(cards, state.overcome))
