"""What comes of six cards that somebody shows: points or presents (77-114), and the end of a game and of the match
(81). Numbers in brackets are lines of the rule sheet, 7.x are house rules."""

from __future__ import annotations

from companion.games.common import points_of, replace
from companion.games.hexa_card.prompts import may_be_holy
from companion.games.hexa_card.score import score_lines
from companion.games.hexa_card.state import HAND, PRESENT, Declared, Phase, State, dealt, turn_order
from companion.games.turns import after
from companion.games.values import Msg, ScoreLine
from companion.hands.hexa import best_partition


def declare(state: State, seat: int, holy: bool, cards: tuple[str, ...]) -> State:
    """Six cards shown: a hand that is out, or a present for the others."""
    if len(cards) != HAND or len(set(cards)) != HAND or any(seat == declared.seat for declared in state.declared):
        return state
    holy = holy and not state.turns
    partition = best_partition(cards, {**dict(state.rules.hands), "holy": "yes" if holy else "no"})
    hands = (*state.hands[:seat], max(0, state.hands[seat] - HAND), *state.hands[seat + 1 :])
    state = replace(state, hands=hands, declared=(*state.declared, Declared(seat, cards, partition)))
    if holy and may_be_holy(state):
        return replace(state, phase=Phase.HOLY)
    return scored(state)


def scored(state: State) -> State:
    """The declarations count: all of them, or the first in turn order (7.12)."""
    order = turn_order(state)
    declared = sorted(state.declared, key=lambda d: order.index(d.seat))
    if not state.rules.all_holy:
        declared = declared[:1]
    lines, results = list(state.lines), []
    for one in declared:
        if one.partition.out:
            lines += score_lines(state.game, one, state.rules)
            key = "holy" if one.partition.holy else "out"
            points = one.partition.score
            results.append(Msg.of(f"result.hexa-card.{key}", player=one.seat, points=points, cards=one.cards))
        else:
            reason = Msg.of("score.hexa-card.present", game=state.game, player=one.seat)
            lines += [ScoreLine(seat, PRESENT, reason) for seat in state.playing if seat != one.seat]
            results.append(Msg.of("result.hexa-card.present", player=one.seat, points=PRESENT))
    return closed(replace(state, lines=tuple(lines), results=tuple(results)))


# --- between the games (81) ------------------------------------------------------------------------------------------


def closed(state: State) -> State:
    """A game is done; after the last one the match is, unless a tie is to be played off (7.15)."""
    last = state.game >= 2 * len(state.players)
    if not last or (state.rules.playoff and len(leaders(state)) > 1):
        return replace(state, phase=Phase.SCORED)
    best = leaders(state)
    key = "winner" if len(best) == 1 else "shared"
    totals = {seat: points_of(state.lines, seat) for seat in best}
    names = tuple(Msg.of(f"result.hexa-card.{key}", player=seat, points=totals[seat]) for seat in best)
    return replace(state, phase=Phase.OVER, results=state.results + names)


def next_game(state: State) -> State:
    """Fresh cards; the start passes on to the next player, so that everybody begins twice."""
    playing = leaders(state) if state.game >= 2 * len(state.players) else state.playing
    starter = after(state.starter, playing, len(state.players), state.rules.step)
    return dealt(replace(state, game=state.game + 1, starter=starter, playing=playing))


def leaders(state: State) -> tuple[int, ...]:
    """The seats with the highest total so far; of those still playing, after a tie (7.15)."""
    totals = {seat: points_of(state.lines, seat) for seat in state.playing}
    return tuple(seat for seat, total in totals.items() if total == max(totals.values()))
