"""How a game of Trading Poker looks on the page: common and keep cards, score cards, what is known of hands."""

from __future__ import annotations

from companion.games.trading_poker.knowledge import JOKER
from companion.games.trading_poker.state import Phase, State, totals
from companion.games.values import CardView, Hand, Msg, PlayerView, Prompt, Role, View, ZoneView

GAME = "trading-poker"


def view(state: State, prompts: tuple[Prompt, ...], role: Role) -> View:
    """The whole page. What is known of a hand could be seen by everybody, but remembering it is part of the game: it
    is shown to its owner and to those who keep the book."""
    points = totals(state)
    return View(
        game=GAME,
        deck="trading",
        phase=Msg.of(f"game.{GAME}.phase.{state.phase}", player=state.active, kinds=state.kinds_left),
        players=tuple(_player(state, seat, points[seat], prompts, role) for seat in range(state.seats)),
        zones=(_common(state), *(_keep(state, seat) for seat in range(state.seats)), *_piles(state), *_stacks(state)),
        prompts=prompts,
        results=state.results,
        over=state.phase is Phase.OVER,
    )


def _player(state: State, seat: int, points: int, prompts: tuple[Prompt, ...], role: Role) -> PlayerView:
    keeps_the_book = role.name in ("host", "scorekeeper") or (role.name == "seat" and role.seat == seat)
    known = state.knowledge.certain(seat) if keeps_the_book else ()
    if seat == state.once_more:
        status = Msg("status.trading.once-more")
    elif seat == state.active and state.phase is not Phase.OVER:
        status = Msg("status.trading.active")
    else:
        status = None
    return PlayerView(
        seat,
        state.players[seat],
        score=points,
        counters=(
            (Msg("counter.trading.hand"), state.hand(seat)),
            (Msg("counter.trading.won"), sum(line.seat == seat for line in state.lines)),
        ),
        hand=Hand(known, state.hand(seat) - len(known)),
        status=status,
        active=any(prompt.seat == seat for prompt in prompts),
    )


def _common(state: State) -> ZoneView:
    return ZoneView("common", Msg("zone.trading.common"), tuple(CardView(card) for card in state.common))


def _keep(state: State, seat: int) -> ZoneView:
    cards = tuple(CardView(card) for card in state.keeps[seat])
    return ZoneView(f"keep:{seat}", Msg.of("zone.trading.keep", player=seat), cards, seat)


def _piles(state: State) -> tuple[ZoneView, ...]:
    """Stock, Joker and discards; the discard pile may be looked through only by house rule (7.12)."""
    down = state.knowledge.held[-1]
    count = len(state.pile) + down
    if state.rules.open_pile:
        discards = tuple(CardView(card) for card in state.pile) + (CardView(None, "down"),) * down
        pile = ZoneView("discard", Msg.of("zone.trading.discard", n=count), discards, kind="fan")
    else:
        top = (CardView(None, "down"),) if down else tuple(CardView(card) for card in state.pile[-1:])
        pile = ZoneView("discard", Msg.of("zone.trading.discard", n=count), top, kind="pile")
    stock = (CardView(None, "down"),) if state.knowledge.in_stock else ()
    joker = (CardView(JOKER),) if state.joker_out else ()
    return (
        ZoneView("stock", Msg.of("zone.trading.stock", n=state.knowledge.in_stock), stock, kind="stack"),
        ZoneView("joker", Msg("zone.trading.joker"), joker, kind="pile"),
        pile,
    )


def _stacks(state: State) -> tuple[ZoneView, ...]:
    """The score cards as zones without playing cards: what is left of each kind, and what the top one is worth."""
    return tuple(
        ZoneView(
            f"score:{kind}",
            Msg.of("zone.trading.score", hand=Msg(f"category.{kind}")),
            kind="stack",
            note=Msg.of("zone.trading.stack", n=len(stack), points=stack[0])
            if stack
            else Msg("zone.trading.stack-empty"),
        )
        for kind, stack in zip(state.rules.catalogue.kinds, state.stacks, strict=True)
    )
