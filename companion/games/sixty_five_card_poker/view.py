"""How a game of the 65-card poker looks on the page: the hands, closed or open, the discards and the stock."""

from __future__ import annotations

from companion.games.common import points_of
from companion.games.sixty_five_card_poker.options import HAND
from companion.games.sixty_five_card_poker.state import Phase, State, category, live
from companion.games.values import CardView, Hand, Msg, PlayerView, Prompt, View, ZoneView

GAME = "sixty-five-card-poker"


def view(state: State, prompts: tuple[Prompt, ...]) -> View:
    """The whole page; closed hands are closed to the referee as well."""
    return View(
        game=GAME,
        deck=state.rules.ranking.deck.name,
        phase=Msg(f"game.{GAME}.phase.{state.phase}"),
        players=tuple(_player(state, seat, prompts) for seat in range(len(state.players))),
        zones=_zones(state),
        prompts=prompts,
        results=state.results,
        over=state.phase is Phase.OVER,
    )


def _player(state: State, seat: int, prompts: tuple[Prompt, ...]) -> PlayerView:
    exchanged = state.exchanged[seat]
    status = None
    if state.dropped[seat]:
        status = Msg("status.65.dropped")
    elif exchanged is not None:
        status = Msg.of("status.65.exchanged", n=exchanged)
    opened = state.opened[seat]
    hand = Hand(unknown=0 if state.dropped[seat] else HAND) if opened is None else Hand(opened)
    return PlayerView(
        seat,
        state.players[seat],
        score=points_of(state.lines, seat),
        hand=hand,
        status=status,
        active=any(prompt.seat == seat for prompt in prompts),
    )


def _zones(state: State) -> tuple[ZoneView, ...]:
    best = {line.seat for line in state.lines}
    zones = []
    for seat in live(state):
        cards = state.opened[seat]
        label = Msg.of("zone.65.hand", player=seat)
        if cards is None:
            zones.append(ZoneView(f"hand:{seat}", label, (CardView(None, "down"),) * HAND, seat, "fan"))
            continue
        shown = tuple(CardView(card, marks=("win",) if seat in best else ()) for card in cards)
        note = Msg(f"category.{category(state.rules.ranking, cards)}")
        zones.append(ZoneView(f"hand:{seat}", label, shown, seat, note=note))
    for pile, count in (("discard", state.discard), ("stock", state.stock)):
        top = (CardView(None, "down"),) if count else ()
        zones.append(ZoneView(pile, Msg.of(f"zone.65.{pile}", n=count), top, kind="stack"))
    return tuple(zones)
