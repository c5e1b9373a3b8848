"""Points of a deal of Pokard Trick, and the lines of the score sheet that its settlement makes (156-212)."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.pokard_trick.settlement import DealScore, Settlement
from companion.games.pokard_trick.state import State, captured, is_joker, turn_order
from companion.games.values import Msg, ScoreLine
from companion.hands import pokard


def deal_scores(state: State) -> tuple[DealScore, ...]:
    """Points of every declarer: his tricks, and the best hand of captured and shown cards (160-190)."""
    found = []
    for seat in turn_order(state):
        mine = [trick for trick in state.tricks if trick.taker == seat]
        jokers = sum(any(is_joker(play.card) for play in trick.plays) for trick in mine)
        code, points, _ = pokard.best(
            captured(state, seat) + (state.shown[seat] or ()), {"ace_run": state.rules.ace_run}
        )
        voided = state.rules.revoke == "zero_points" and any(r.seat == seat for r in state.revokes)
        found.append(DealScore(seat, len(mine), jokers, code, points, voided))
    return tuple(found)


def settlement_lines(deal: int, done: Settlement) -> tuple[ScoreLine, ...]:
    """Every chip that moves, once for who pays and once for who gets it."""
    lines: list[ScoreLine] = []
    for move in done.transfers:
        payer = move.payer
        if move.chips == 0:
            continue
        if payer is None:
            lines.append(ScoreLine(move.payee, move.chips, Msg.of(f"score.pokard.{move.reason}", deal=deal)))
            continue
        pays = Msg.of("score.pokard.pays", deal=deal, player=move.payee, owed=move.owed)
        receives = Msg.of("score.pokard.receives", deal=deal, player=payer, owed=move.owed)
        lines += (ScoreLine(payer, -move.chips, pays), ScoreLine(move.payee, move.chips, receives))
    return tuple(lines)


def point_results(scores: Iterable[DealScore]) -> tuple[Msg, ...]:
    """What every declarer made of the deal (190)."""
    return tuple(
        Msg.of(
            "result.pokard.points",
            player=score.seat,
            tricks=score.trick_points,
            hand=Msg(f"category.{score.poker}"),
            poker=0 if score.voided else score.poker_points,
            total=score.total,
        )
        for score in scores
    )
