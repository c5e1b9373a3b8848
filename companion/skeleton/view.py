"""How a game of Highest Card looks on the page: a card before everybody, and how many cards and points he has."""

from __future__ import annotations

from companion.games import CardView, Hand, Msg, PlayerView, Prompt, View, ZoneView
from companion.games.common import points_of

from .state import DECK, HAND, State, round_winner

GAME = "highest-card"


def view(state: State, prompts: tuple[Prompt, ...]) -> View:
    """The whole page; nothing in it is secret."""
    phase = "over" if state.over else "lay" if state.turn is not None else "taken"
    gone = tuple(CardView(card) for card in state.gone)
    return View(
        game=GAME,
        deck=DECK,
        phase=Msg.of(f"game.{GAME}.phase.{phase}", n=state.round, rounds=HAND, player=state.turn or 0),
        players=tuple(_player(state, seat, prompts) for seat in range(len(state.players))),
        zones=(
            *(_laid(state, seat) for seat in range(len(state.players))),
            ZoneView("discard", Msg("zone.highest-card.discard"), gone, kind="pile"),
        ),
        prompts=prompts,
        results=_results(state),
        over=state.over,
    )


def _player(state: State, seat: int, prompts: tuple[Prompt, ...]) -> PlayerView:
    return PlayerView(
        seat,
        state.players[seat],
        score=points_of(state.lines, seat),
        counters=((Msg("counter.highest-card.cards"), state.hands[seat]),),
        hand=Hand(unknown=state.hands[seat]),
        active=any(prompt.seat == seat for prompt in prompts),
    )


def _laid(state: State, seat: int) -> ZoneView:
    card, marks = state.laid[seat], ("win",) if seat == round_winner(state) else ()
    cards = (CardView(card, marks=marks),) if card else ()
    return ZoneView(f"laid:{seat}", Msg.of("zone.highest-card.laid", player=seat), cards, seat)


def _results(state: State) -> tuple[Msg, ...]:
    """Who has taken the round, and in the end who has won."""
    if state.turn is not None:
        return ()
    winner = round_winner(state)
    said = [Msg("result.highest-card.tie")]
    if winner is not None:
        said = [Msg.of("result.highest-card.round", player=winner)]
    if state.over:
        points = {seat: points_of(state.lines, seat) for seat in range(len(state.players))}
        best = [seat for seat, total in points.items() if total == max(points.values())]
        key = "result.highest-card.wins" if len(best) == 1 else "result.highest-card.shares"
        said += [Msg.of(key, player=seat, points=points[seat]) for seat in best]
    return tuple(said)
