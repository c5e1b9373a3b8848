"""How a game of Ace's King looks on the page: the pile, the stock, and how many cards everybody holds."""

from __future__ import annotations

from companion.games.aces_king.state import State
from companion.games.values import CardView, Hand, Msg, PlayerView, Prompt, View, ZoneView

GAME = "aces-king"


def view(state: State, prompts: tuple[Prompt, ...]) -> View:
    """The whole page; nothing in it is secret."""
    return View(
        game=GAME,
        deck=state.rules.deck.name,
        phase=_phase(state),
        players=tuple(_player(state, seat, prompts) for seat in range(len(state.players))),
        zones=(
            ZoneView(
                "discard",
                Msg("zone.aces-king.discard"),
                tuple(CardView(card) for card in state.discard),
                kind="pile",
            ),
            ZoneView(
                "stock",
                Msg.of("zone.aces-king.stock", n=state.stock),
                (CardView(None, "down"),) if state.stock else (),
                kind="stack",
            ),
        ),
        prompts=prompts,
        results=_results(state),
        over=state.over,
    )


def _phase(state: State) -> Msg:
    if state.over:
        return Msg("game.aces-king.phase.over")
    if state.owed and state.debtor is not None:
        return Msg.of("game.aces-king.phase.draw", player=state.debtor, n=state.owed)
    return Msg.of("game.aces-king.phase." + ("open" if state.top is None else "turn"), player=state.turn)


def _player(state: State, seat: int, prompts: tuple[Prompt, ...]) -> PlayerView:
    count = state.hands[seat]
    status = None
    if seat in state.out:
        status = Msg.of("status.aces-king.out", place=state.out.index(seat) + 1)
    elif seat == state.debtor:
        status = Msg.of("status.aces-king.draws", n=state.owed)
    elif count == 1:
        status = Msg("status.aces-king.last-card")
    return PlayerView(
        seat,
        state.players[seat],
        counters=((Msg("counter.aces-king.cards"), count),),
        hand=Hand(unknown=count),
        status=status,
        active=any(prompt.seat == seat for prompt in prompts),
    )


def _results(state: State) -> tuple[Msg, ...]:
    if state.void:
        return (Msg("result.aces-king.void"),)
    places = tuple(
        Msg.of("result.aces-king." + ("wins" if place == 1 else "place"), player=seat, place=place)
        for place, seat in enumerate(state.out, 1)
    )
    if state.over:
        return places
    last = [seat for seat in state.playing if state.hands[seat] == 1 and seat != state.debtor]
    return places + tuple(Msg.of("result.aces-king.last-card", player=seat) for seat in last)
