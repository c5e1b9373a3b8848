"""How a deal of Pokard Trick begins and ends: declaring (48-72), showing and settling (156-212), and what comes
between the deals (214-242). Numbers in brackets are lines of the rule sheet, 7.x are house rules."""

from __future__ import annotations

from companion.cards import deck
from companion.games.common import put, replace
from companion.games.pokard_trick.points import deal_scores, point_results, settlement_lines
from companion.games.pokard_trick.prompts import next_dealer
from companion.games.pokard_trick.settlement import settle
from companion.games.pokard_trick.state import ASIDE, FEE, Phase, State, declarers, turn_order
from companion.games.values import Action, Msg, ScoreLine


def seated(state: State, seat: int | None) -> bool:
    """Somebody sits there."""
    return seat is not None and 0 <= seat < len(state.players)


def declare(state: State, seat: int | None, choice: str) -> State:
    """Somebody plays or folds for a chip (58-62); when all have said, the deal goes on."""
    if state.phase is not Phase.DECLARE or not seated(state, seat) or seat is None or state.declared[seat]:
        return state
    state = replace(state, declared=put(state.declared, seat, choice), said=(*state.said, seat))
    if choice == "fold":
        line = ScoreLine(seat, -FEE, Msg.of("score.pokard.fee", deal=state.deal))
        state = replace(
            state,
            chips=put(state.chips, seat, state.chips[seat] - FEE),
            centre=state.centre + FEE,
            lines=(*state.lines, line),
        )
    if "" in state.declared:
        return state
    playing = declarers(state)
    if not playing:
        return close_deal(state, (Msg.of("result.pokard.all-folded", chips=state.centre),))
    if len(playing) == 1:
        return _solo(state, playing[0])
    return replace(state, phase=Phase.ASIDE)


def _solo(state: State, seat: int) -> State:
    """A single declarer takes the chips in the centre without a trick (70-72)."""
    line = ScoreLine(seat, state.centre, Msg.of("score.pokard.solo", deal=state.deal))
    result = Msg.of("result.pokard.solo", player=seat, chips=state.centre)
    state = replace(
        state,
        chips=put(state.chips, seat, state.chips[seat] + state.centre),
        centre=0,
        lines=(*state.lines, line) if state.centre else state.lines,
    )
    return close_deal(state, (result,))


# --- points and settlement (156-212) ---------------------------------------------------------------------------------


def show(state: State, action: Action) -> State:
    """What somebody shows of the cards laid aside (166); the last one lets the deal be settled."""
    seat = action.seat
    if state.phase is not Phase.SHOW or seat not in declarers(state) or state.shown[seat] is not None:
        return state
    cards = tuple(card for card in action.cards if card in deck("54"))[:ASIDE]
    state = replace(state, shown=put(state.shown, seat, cards))
    if any(state.shown[s] is None for s in declarers(state)):
        return state
    return _settle(state)


def _settle(state: State) -> State:
    """Points, chips and the lines of the score sheet (156-212)."""
    scores = deal_scores(state)
    done = settle(
        state.chips,
        state.centre,
        scores,
        turn_order(state),
        net=state.rules.net,
        carry_remainder=state.rules.carry_remainder,
    )
    lines = state.lines + settlement_lines(state.deal, done)
    return close_deal(replace(state, chips=done.chips, centre=done.centre, lines=lines), point_results(scores))


# --- between the deals (214-242) -------------------------------------------------------------------------------------


def close_deal(state: State, results: tuple[Msg, ...]) -> State:
    """The deal is done: whoever has no chip left is bankrupt (222); the agreed end, if it has come (232-238)."""
    broke = tuple(chips == 0 for chips in state.chips)
    new = [s for s, gone in enumerate(broke) if gone and not state.bankrupt[s]]
    results += tuple(Msg.of("result.pokard.bankrupt", player=seat) for seat in new)
    state = replace(state, bankrupt=broke, results=results, phase=Phase.SETTLED)
    return _finish(state) if _at_end(state) else state


def _at_end(state: State) -> bool:
    rules = state.rules
    if state.time_up or state.bankrupt.count(False) < 2:
        return True
    if rules.deals and state.deal >= rules.deals:
        return True
    return bool(rules.bankrupts) and state.bankrupt.count(True) >= rules.bankrupts


def winners(state: State) -> tuple[int, ...]:
    """Most chips (240); several with equal chips draw (242)."""
    return tuple(seat for seat, chips in enumerate(state.chips) if chips == max(state.chips))


def _finish(state: State) -> State:
    best = winners(state)
    names = tuple(Msg.of("result.pokard.winner", player=s, chips=state.chips[s]) for s in best)
    draw = (Msg.of("result.pokard.draw", players=len(best)),) if len(best) > 1 else ()
    return replace(state, phase=Phase.OVER, results=state.results + draw + names)


def agreed_time_over(state: State) -> State:
    """The agreed time is over: the deal being played is finished first (234)."""
    if not state.rules.timed or state.time_up:
        return state
    state = replace(state, time_up=True)
    return _finish(state) if state.phase is Phase.SETTLED else state


def next_deal(state: State) -> State:
    """Fresh declarations, and the next dealer (214)."""
    if state.phase is not Phase.SETTLED:
        return state
    seats = len(state.players)
    return replace(
        state,
        phase=Phase.DECLARE,
        deal=state.deal + 1,
        dealer=next_dealer(state),
        declared=tuple("out" if gone else "" for gone in state.bankrupt),
        said=(),
        laid=(False,) * seats,
        tricks=(),
        table=(),
        shown=(None,) * seats,
        revokes=(),
        results=(),
    )
