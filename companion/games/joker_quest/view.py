"""How a Joker Quest looks on the page: the road, the joker and his guardians, penalties, and what a reading says."""

from __future__ import annotations

from companion.games.common import points_of
from companion.games.joker_quest.state import JOKER, Phase, State, value
from companion.games.values import UNKNOWN, CardView, Msg, PlayerView, Prompt, View, ZoneView

GAME = "joker-quest"
_DOWN = CardView(None, "down")


def view(state: State, prompts: tuple[Prompt, ...]) -> View:
    """The whole page; nothing in it is secret."""
    key, params = f"game.{GAME}.phase.{state.phase}", {"player": state.turn}
    return View(
        game=GAME,
        deck="53",
        phase=Msg.of(key, **params),
        players=tuple(_player(state, seat, prompts) for seat in range(len(state.players))),
        zones=tuple(_zones(state)),
        prompts=prompts,
        results=state.results + _announced(state),
        over=state.phase is Phase.OVER,
    )


def _announced(state: State) -> tuple[Msg, ...]:
    """What the table should hear now."""
    said = []
    if state.phase is Phase.KINGS:
        said.append(Msg("result.joker-quest.joker-appears"))
    if state.phase is not Phase.OVER:
        said += [Msg.of("result.joker-quest.game-over", player=seat) for seat in state.out]
    return tuple(said)


def _player(state: State, seat: int, prompts: tuple[Prompt, ...]) -> PlayerView:
    hand = state.hands[seat]
    score = points_of(state.lines, seat) if state.phase is Phase.OVER else None
    return PlayerView(
        seat,
        state.players[seat],
        score=score,
        counters=(
            (Msg("counter.joker-quest.cards"), len(hand)),
            (Msg("counter.joker-quest.penalty"), sum(value(card) for card in state.penalty[seat])),
        ),
        hand=hand,
        status=_status(state, seat),
        active=any(prompt.seat == seat and prompt.kind != "joker" for prompt in prompts),
    )


def _status(state: State, seat: int) -> Msg | None:
    if seat in state.out:
        return Msg("status.joker-quest.game-over")
    if seat == state.turn and state.phase is Phase.DRAW:
        key = "must-draw" if state.forced else "may-draw"
        return Msg.of(f"status.joker-quest.{key}", n=state.allowance)
    return Msg("status.joker-quest.relative") if seat == state.relative else None


def _zones(state: State) -> list[ZoneView]:
    zones = [
        ZoneView("road", Msg("zone.joker-quest.road"), tuple(CardView(card) for card in state.pile), kind="pile"),
        ZoneView("stock", Msg.of("zone.joker-quest.stock", n=state.stock), (_DOWN,) * (state.stock > 0), kind="stack"),
    ]
    if state.joker_out:
        struck = (CardView(state.struck, marks=("win",)),) if state.struck else ()
        zones.append(ZoneView("joker", Msg("zone.joker-quest.joker"), (CardView(JOKER), *struck)))
        if state.kings:
            kings = tuple(CardView(card) for card in state.kings)
            zones.append(ZoneView("kings", Msg.of("zone.joker-quest.kings", n=len(kings)), kings))
    for seat in range(len(state.players)):
        for zone, cards in (("penalty", state.penalty[seat]), ("paid", state.paid[seat]), ("shown", state.shown)):
            if cards and (zone != "shown" or seat == 0):
                drawn = tuple(_DOWN if card == UNKNOWN else CardView(card) for card in cards)
                zones.append(ZoneView(f"{zone}:{seat}", Msg.of(f"zone.joker-quest.{zone}", player=seat), drawn, seat))
    return zones
