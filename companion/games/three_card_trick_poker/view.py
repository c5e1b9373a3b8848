"""Three Card Trick Poker: what should lie on the table, where every known card is, and what people see."""

from __future__ import annotations

from companion.games.three_card_trick_poker.flow import totals
from companion.games.three_card_trick_poker.state import Mode, Phase, Result, State
from companion.games.values import UNKNOWN, CardView, Hand, Msg, PlayerView, Prompt, View, Zone, ZoneView

NAME = "three-card-trick-poker"


def expected_table(state: State) -> tuple[Zone, ...]:
    """The zones that lie on the table; hidden hands are held in hand."""
    zones = [_heap("pot", state.pot)]
    for seat, player in enumerate(state.players):
        known = tuple(card for card in player.played if card != UNKNOWN)
        # Before everybody has chosen, the exposed cards lie face down among the nine of the hand (44).
        zones.append(Zone(f"exposed:{seat}", player.exposed, open=state.phase is Phase.EXPOSE and not player.exposed))
        zones.append(Zone(f"play:{seat}", known, player.down))
        zones.append(Zone(f"stock:{seat}", (), player.stock, pile=True))
        zones.append(_heap(f"captured:{seat}", player.captured))
    return tuple(zones)


def _heap(zone: str, cards: Hand) -> Zone:
    """A place of face-up cards, some of which may never have been named."""
    return Zone(zone, cards.known, open=cards.unknown > 0, heap=True)


def whereabouts(state: State) -> tuple[Zone, ...]:
    """Every card of the deck: hands by their count, pot and captured piles as one heap, because after a shared win
    nobody has said which card went where."""
    zones = []
    heap, count = list(state.pot.known + state.spread), state.pot.unknown
    for seat, player in enumerate(state.players):
        known = tuple(card for card in player.played if card != UNKNOWN)
        zones.append(Zone(f"hand:{seat}", (), player.hidden))
        zones.append(Zone(f"exposed:{seat}", player.exposed))
        zones.append(Zone(f"play:{seat}", known, player.down))
        zones.append(Zone(f"stock:{seat}", (), player.stock, pile=True))
        heap += player.captured.known
        count += player.captured.unknown
    zones.append(Zone("pot+captured", tuple(heap), count - len(state.spread)))
    if state.phase is Phase.POT:
        zones.append(Zone("rest", down=state.rules.rest))
    return tuple(zones)


def view(name: str, state: State, prompts: tuple[Prompt, ...], winners: tuple[int, ...]) -> View:
    """The same for everybody: what is hidden is not known to the referee either."""
    over = not prompts
    results = [Msg.of(f"game.{NAME}.winner", player=seat) for seat in winners]
    return View(
        game=name,
        deck=state.rules.setup.deck,
        phase=_phase(state),
        players=_players(state, prompts),
        zones=_zones(state),
        prompts=prompts,
        results=(*_result(state.result), *results),
        over=over,
    )


def _phase(state: State) -> Msg:
    key = f"game.{NAME}.phase.{state.phase}"
    if state.phase is Phase.PLAY:
        mode = {Mode.OPEN: "open", Mode.SUNNY: "yo", Mode.SHADY: "in"}[state.mode]
        return Msg.of(key, bout=state.bout, round=min(3, state.round), mode=Msg(f"game.{NAME}.mode.{mode}"))
    return Msg.of(key, bout=state.bout)


def _players(state: State, prompts: tuple[Prompt, ...]) -> tuple[PlayerView, ...]:
    points = totals(state)
    waiting = {prompt.seat for prompt in prompts if prompt.kind not in ("draw",)}
    active = {state.turn} if state.phase is Phase.PLAY and state.leaving is None else waiting
    players = []
    for seat, player in enumerate(state.players):
        counters = ((Msg(f"game.{NAME}.counter.hidden"), player.hidden),)  # what lies there is seen and counted there
        status = _status(state, seat)
        hand = Hand((), player.hidden)
        name = state.rules.setup.players[seat]
        players.append(PlayerView(seat, name, points[seat], counters, hand, status, seat in active))
    return tuple(players)


def _status(state: State, seat: int) -> Msg | None:
    if seat in state.left:
        return Msg.of(f"game.{NAME}.status.left", place=state.left.index(seat) + 1)
    if seat in state.folded:
        return Msg(f"game.{NAME}.status.folded")
    return Msg(f"game.{NAME}.status.leader") if state.order[:1] == (seat,) else None


def _result(result: Result | None) -> tuple[Msg, ...]:
    """The last bout in words."""
    if result is None:
        return ()
    if not result.winners:
        return (Msg.of(f"game.{NAME}.bout.nobody", bout=result.bout),)
    categories = dict(result.categories)
    key = f"game.{NAME}.bout." + ("won" if len(result.winners) == 1 else "shared")
    return tuple(
        Msg.of(key, bout=result.bout, player=seat, category=Msg(f"category.{categories[seat]}"), cards=result.cards)
        for seat in result.winners
    )


def _zones(state: State) -> tuple[ZoneView, ...]:
    zones = [ZoneView("pot", Msg("zone.three-card.pot"), _cards(state.pot))]
    for seat, player in enumerate(state.players):
        played, note = _played(state, seat)
        exposed = tuple(CardView(card) for card in player.exposed)
        stock = (CardView(None, "down"),) * player.stock
        zones += [
            ZoneView(f"exposed:{seat}", Msg.of("zone.three-card.exposed", player=seat), exposed, seat),
            ZoneView(f"play:{seat}", Msg.of("zone.three-card.play", player=seat), played, seat, note=note),
            ZoneView(f"stock:{seat}", Msg.of("zone.three-card.stock", player=seat), stock, seat, "stack"),
            ZoneView(
                f"captured:{seat}",
                Msg.of("zone.three-card.captured", player=seat),
                _cards(player.captured),
                seat,
                "fan",
            ),
        ]
    return tuple(zones)


def _played(state: State, seat: int) -> tuple[tuple[CardView, ...], Msg | None]:
    """The seat's cards of this bout, with their category once they are open; between two bouts still those of the
    last one, so that people see what has won."""
    player, judge = state.players[seat], state.rules.judge
    result = state.result if state.fresh or state.phase is Phase.OVER else None
    if result is not None and seat in (hands := dict(result.hands)):
        marks = ("win",) if seat in result.winners else ()
        category = Msg(f"category.{dict(result.categories)[seat]}")
        return tuple(CardView(card, marks=marks) for card in hands[seat]), category
    cards = tuple(CardView(None, "down") if card == UNKNOWN else CardView(card) for card in player.played)
    open_ = state.phase is Phase.SHOWDOWN and player.played and not player.down
    return cards, Msg(f"category.{judge.category(player.played)}") if open_ else None


def _cards(heap: Hand) -> tuple[CardView, ...]:
    return tuple(CardView(card) for card in heap.known) + (CardView(None),) * heap.unknown
