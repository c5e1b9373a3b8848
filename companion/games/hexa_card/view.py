"""How a match of Hexa Card looks on the page: totals, the pile, and hands once they are shown."""

from __future__ import annotations

from companion.games.common import points_of
from companion.games.hexa_card.state import HAND, Declared, Phase, State
from companion.games.values import CardView, Hand, Msg, PlayerView, Prompt, View, ZoneView

GAME = "hexa-card"


def view(state: State, prompts: tuple[Prompt, ...]) -> View:
    """The whole page; nothing in it is secret."""
    games = 2 * len(state.players)
    phase = Msg.of(f"game.{GAME}.phase.{state.phase}", game=state.game, games=games, player=state.turn)
    pile = tuple(CardView(card) for card in state.discard)
    stock = (CardView(None, "down"),) if state.stock else ()
    return View(
        game=GAME,
        deck="52D1",
        phase=phase,
        players=tuple(_player(state, seat, prompts) for seat in range(len(state.players))),
        zones=(
            ZoneView("discard", Msg("zone.hexa-card.discard"), pile, kind="pile"),
            ZoneView("stock", Msg.of("zone.hexa-card.stock", n=state.stock), stock, kind="stack"),
            *(_shown(declared) for declared in state.declared),
        ),
        prompts=prompts,
        results=state.results,
        over=state.phase is Phase.OVER,
    )


def _player(state: State, seat: int, prompts: tuple[Prompt, ...]) -> PlayerView:
    count = state.hands[seat]
    return PlayerView(
        seat,
        state.players[seat],
        score=points_of(state.lines, seat),
        counters=((Msg("counter.hexa-card.cards"), count),),
        hand=Hand(unknown=count),
        status=_status(state, seat),
        active=any(prompt.seat == seat and prompt.kind in ("loop", "dice") for prompt in prompts),
    )


def _status(state: State, seat: int) -> Msg | None:
    if seat not in state.playing:
        return Msg("status.hexa-card.watches")
    declared = next((one for one in state.declared if one.seat == seat), None)
    if declared is not None:
        return Msg("status.hexa-card." + ("out" if declared.partition.out else "false-out"))
    if state.phase is Phase.TURN and state.hands[seat] < HAND:
        return Msg.of("status.hexa-card.robbed", n=HAND - state.hands[seat])
    return Msg("status.hexa-card.starter") if seat == state.starter and not state.turns else None


def _shown(declared: Declared) -> ZoneView:
    """The six cards, those of groups first, and what they are worth."""
    partition = declared.partition
    grouped = [card for group in partition.groups for card in group.cards]
    rest = [card for card in declared.cards if card not in grouped]
    mark = ("win",) if partition.out else ("foul",)
    cards = tuple(CardView(card, marks=mark) for card in grouped) + tuple(
        CardView(card, marks=mark if partition.friend_park or not partition.out else ()) for card in rest
    )
    key = "points" if partition.out else "no-hand"
    note = Msg.of(f"zone.hexa-card.{key}", points=partition.score)
    seat = declared.seat
    return ZoneView(f"shown:{seat}", Msg.of("zone.hexa-card.shown", player=seat), cards, seat, note=note)
