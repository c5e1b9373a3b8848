"""How a Three Card Showdown looks on the page: three cards before everybody, and what they are."""

from __future__ import annotations

from companion.games.common import points_of
from companion.games.three_card_showdown.state import State
from companion.games.values import CardView, Msg, PlayerView, Prompt, View, ZoneView

GAME = "three-card-showdown"


def view(state: State, prompts: tuple[Prompt, ...]) -> View:
    """The whole page; nothing in it is secret."""
    winners = state.winners
    return View(
        game=GAME,
        deck=state.setup.deck,
        phase=Msg(f"game.{GAME}.phase." + ("shown" if state.complete else "lay")),
        players=tuple(
            PlayerView(
                seat,
                name,
                score=points_of(state.lines, seat),
                active=state.laid[seat] is None,
            )
            for seat, name in enumerate(state.setup.players)
        ),
        zones=tuple(_zone_view(state, seat, seat in winners) for seat in range(len(state.laid))),
        prompts=prompts,
        results=_results(state) if state.complete else (),
    )


def _zone_view(state: State, seat: int, won: bool) -> ZoneView:
    cards = state.laid[seat]
    marks = ("win",) if won else ()
    return ZoneView(
        f"hand:{seat}",
        Msg.of("zone.three-card.hand", player=seat),
        tuple(CardView(card, marks=marks) for card in cards or ()),
        seat,
        note=Msg(f"category.{state.judge.category(cards)}") if cards is not None else None,
    )


def _results(state: State) -> tuple[Msg, ...]:
    winners = state.winners
    if not winners:
        return (Msg("game.three-card-showdown.nobody"),)
    key = "game.three-card-showdown." + ("winner" if len(winners) == 1 else "shared")
    return tuple(
        Msg.of(
            key,
            player=seat,
            category=Msg(f"category.{state.judge.category(state.laid[seat] or ())}"),
        )
        for seat in winners
    )
