"""How a game of Pokard Trick looks on the page: players with chips and tricks, the trick, captured cards."""

from __future__ import annotations

from companion.games.pokard_trick.state import (
    ASIDE,
    CARDS,
    HAND,
    Phase,
    State,
    captured,
    complete,
    in_hand,
    leader,
    starter,
    trick_winner,
)
from companion.games.values import CardView, Hand, Msg, PlayerView, Prompt, View, ZoneView

GAME = "pokard-trick"


def view(state: State, prompts: tuple[Prompt, ...]) -> View:
    """The whole page; nothing in it is secret."""
    return View(
        game=GAME,
        deck="54",
        phase=Msg.of(f"game.{GAME}.phase.{state.phase}", deal=state.deal, trick=len(state.tricks) + 1),
        players=tuple(_player(state, seat, prompts) for seat in range(len(state.players))),
        zones=tuple(_zones(state)),
        prompts=prompts,
        results=state.results,
        over=state.phase is Phase.OVER,
    )


def _player(state: State, seat: int, prompts: tuple[Prompt, ...]) -> PlayerView:
    tricks = sum(trick.taker == seat for trick in state.tricks)
    counters = (
        (Msg("counter.pokard.chips"), state.chips[seat]),
        (Msg("counter.pokard.tricks"), tricks),
        (Msg("counter.pokard.cards"), in_hand(state, seat)),
    )
    return PlayerView(
        seat,
        state.players[seat],
        score=state.chips[seat],
        counters=counters,
        hand=Hand(unknown=in_hand(state, seat)),
        status=_status(state, seat),
        active=any(prompt.seat == seat for prompt in prompts),
    )


def _status(state: State, seat: int) -> Msg | None:
    if state.declared[seat] == "in" and state.phase is Phase.TRICK and leader(state) == seat:
        return Msg("status.pokard.leader")
    if state.declared[seat] == "in" and state.phase is Phase.ASIDE and starter(state) == seat:
        return Msg("status.pokard.starter")
    if state.declared[seat]:
        return Msg(f"status.pokard.{state.declared[seat]}")
    return Msg("status.pokard.dealer") if seat == state.dealer else None


def _zones(state: State) -> list[ZoneView]:
    best = trick_winner(state.table, state.rules.ace_high) if complete(state) else None
    revoked = {card for revoke in state.revokes for card in (revoke.card, revoke.later)}

    def marks(card: str, won: bool = False) -> tuple[str, ...]:
        return (("win",) if won else ()) + (("foul",) if card in revoked else ())

    zones = [
        ZoneView(
            "trick",
            Msg.of("zone.pokard.trick", chips=state.centre),
            tuple(CardView(play.card, marks=marks(play.card, play is best)) for play in state.table),
            note=Msg.of("zone.pokard.centre", chips=state.centre),
        )
    ]
    for seat in range(len(state.players)):
        if state.declared[seat] != "in":
            continue
        taken = tuple(CardView(card, marks=marks(card)) for card in captured(state, seat))
        zones.append(ZoneView(f"captured:{seat}", Msg.of("zone.pokard.captured", player=seat), taken, seat))
        if state.laid[seat]:
            shown = state.shown[seat] or ()
            cards = tuple(CardView(card) for card in shown) + (CardView(None, "down"),) * (ASIDE - len(shown))
            zones.append(ZoneView(f"aside:{seat}", Msg.of("zone.pokard.aside", player=seat), cards, seat))
    zones.append(_pile("folded", HAND * state.declared.count("fold")))
    zones.append(_pile("stock", CARDS - HAND * (len(state.players) - state.declared.count("out"))))
    return zones


def _pile(zone: str, count: int) -> ZoneView:
    cards = (CardView(None, "down"),) if count else ()
    return ZoneView(zone, Msg.of(f"zone.pokard.{zone}", n=count), cards, kind="stack")
