"""The poker of the 65 cards: thirteen pictures, five suits, one exchange, one showdown.

Five cards each (134); in turn everybody exchanges any number once (136-138); then all declare their hand and open
it (141); the strongest hand wins, and five shepherds turn the order over (68-71). Which hand beats which is the
ranking "65" of `companion.hands`; this module is the table around it. Numbers in brackets are lines of the rule
sheet, 7.x are house rules.

Zones: ``hand:<seat>`` (face up once opened), ``discard`` and ``stock`` (face down).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache, partial
from typing import Any

from companion.cards import deck
from companion.games.common import checked_setup, foul, misfit, next_seat, once_a_state, replace
from companion.games.contract import (
    UNKNOWN,
    Action,
    CardView,
    Choice,
    Game,
    Hand,
    Msg,
    Option,
    PlayerView,
    Prompt,
    Role,
    ScoreLine,
    Setup,
    SetupError,
    Slot,
    View,
    Violation,
    Zone,
    ZoneView,
)
from companion.games.sixty_five_card_poker.world import SixtyFiveWorld
from companion.games.world import Chance, World
from companion.hands import house_rules
from companion.hands.sixty_five import SixtyFiveRanking, ranking

HAND = 5
"""Cards of a hand (134)."""
CARDS = 65
"""Cards of the deck: 13 pictures in 5 suits, one of each (24)."""

CLAUSES = {"exchange": "136", "open": "141", "drop": "7.11"}
"""Kinds of action, and where the sheet speaks of them."""

SHEPHERD_FIVE = "shepherd_five"
"""The hand that has no place in the usual order: it turns the order over (68)."""

RANKING_OPTIONS = tuple(rule.name for rule in house_rules("65"))
_CODES = frozenset(deck("65").codes)


class Phase(StrEnum):
    """The phases of the game."""

    EXCHANGE = "exchange"
    SHOWDOWN = "showdown"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Rules:
    """The options in force, as values; `ranking`: the order of the hands, `opens`: each seat's prompt to open his."""

    ranking: SixtyFiveRanking
    opens: tuple[Prompt, ...]
    most: int
    reshuffle: bool
    binding: bool
    betting: bool


@dataclass(frozen=True)
class State:
    """`exchanged`: how many cards each seat exchanged, None while his turn has not come; `opened`: the hands on the
    table; `declared`: what their owners called them; `dropped`: who left in the betting (7.11)."""

    players: tuple[str, ...]
    rules: Rules
    dealer: int
    stock: int
    exchanged: tuple[int | None, ...]
    opened: tuple[tuple[str, ...] | None, ...]
    declared: tuple[str, ...]
    dropped: tuple[bool, ...]
    discard: int = 0
    phase: Phase = Phase.EXCHANGE
    lines: tuple[ScoreLine, ...] = ()
    results: tuple[Msg, ...] = ()


class SixtyFiveCardPoker(Game[State]):
    """The referee of the 65-card poker."""

    id = "sixty-five-card-poker"
    least_players = 2
    most_players = 13
    decks = ("65",)
    options = (
        *(Option(rule.name, rule.values, rule.clause) for rule in house_rules("65")),
        Option("draw_limit", ("stock", "reshuffle"), "7.9"),
        Option("max_exchange", ("5", "3"), "7.9"),
        Option("declare", ("cards_speak", "binding"), "7.10"),
        Option("betting", ("none", "external"), "7.11"),
        Option("dealer", tuple(str(n) for n in range(1, 14)), "7.12"),
    )

    def start(self, setup: Setup) -> State:
        """Everybody holds five cards; the player left of the dealer exchanges first."""
        setup = checked_setup(self, setup)
        chosen = setup.chosen(self)
        seats, dealer = len(setup.players), int(chosen["dealer"]) - 1
        if dealer >= seats:
            raise SetupError(f"the dealer is one of the {seats} players, not player {dealer + 1}")
        return State(
            setup.players,
            _rules(tuple(chosen.items())),
            dealer,
            stock=CARDS - HAND * seats,
            exchanged=(None,) * seats,
            opened=(None,) * seats,
            declared=("",) * seats,
            dropped=(False,) * seats,
        )

    @once_a_state
    def prompts(self, state: State) -> tuple[Prompt, ...]:
        """The exchange in turn, then the showdown of all who are still in."""
        match state.phase:
            case Phase.OVER:
                return ()
            case Phase.EXCHANGE:
                waiting = [turn(state)]
                found = [_exchange_prompt(waiting[0], exchangeable(state))]
            case Phase.SHOWDOWN:
                waiting = [seat for seat in live(state) if state.opened[seat] is None]
                found = [state.rules.opens[seat] for seat in waiting]
        return (*found, *(Prompt("drop", seat) for seat in waiting)) if state.rules.betting else tuple(found)

    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        """Turn and counts; at the showdown the declared hand against the cards (141)."""
        if _too_many_drawn(state, action):
            return (foul("stock-too-small", "138", count=len(action.cards), stock=exchangeable(state)),)
        wrong = misfit(
            self.prompts(state), action, CLAUSES, len(state.players), _CODES, CLAUSES.get(action.kind, "131")
        )
        if wrong or action.kind != "open":
            return wrong
        if len(set(action.cards)) < HAND:
            double = [card for card in dict.fromkeys(action.cards) if action.cards.count(card) > 1]
            return (foul("card-twice", "24", double),)
        actual = _category(state.rules.ranking, action.cards)
        if action.arg("hand") != actual:
            return (foul("misdeclared", "141", action.cards, category=str(action.arg("hand")), hand=actual),)
        return ()

    def apply(self, state: State, action: Action) -> State:
        """The next state; a hand declared wrongly stays on the table as it lies."""
        seat = action.seat
        if seat is None or not 0 <= seat < len(state.players) or state.dropped[seat]:
            return state
        match action.kind:
            case "exchange" if state.phase is Phase.EXCHANGE and state.exchanged[seat] is None:
                return _exchange(state, seat, len(action.cards))
            case "open" if state.phase is Phase.SHOWDOWN and state.opened[seat] is None:
                return _open(state, seat, action)
            case "drop" if state.rules.betting and state.opened[seat] is None:
                return _drop(state, seat)
        return state

    def expected_table(self, state: State) -> tuple[Zone, ...]:
        """Opened hands; discards and stock face down."""
        hands = (
            Zone(f"hand:{seat}", cards or (), open=cards is None)
            for seat, cards in enumerate(state.opened)
            if not state.dropped[seat]
        )
        piles = (Zone("discard", down=state.discard, pile=True), Zone("stock", down=state.stock, pile=True))
        return (*hands, *piles)

    def whereabouts(self, state: State) -> tuple[Zone, ...]:
        """The table, with the closed hands as five unknown cards each."""
        return tuple(replace(zone, down=HAND, open=False) if zone.open else zone for zone in self.expected_table(state))

    def scores(self, state: State) -> tuple[ScoreLine, ...]:
        """One showdown is one game: a point for whoever wins it."""
        return state.lines

    def view(self, state: State, role: Role) -> View:
        """The same for everybody: closed hands are closed to the referee as well."""
        return View(
            game=self.id,
            deck="65",
            phase=Msg(f"game.{self.id}.phase.{state.phase}"),
            players=tuple(self._player(state, seat) for seat in range(len(state.players))),
            zones=_zones(state),
            prompts=self.prompts(state),
            results=state.results,
            over=state.phase is Phase.OVER,
        )

    def _player(self, state: State, seat: int) -> PlayerView:
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
            score=sum(line.points for line in state.lines if line.seat == seat),
            hand=hand,
            status=status,
            active=any(prompt.seat == seat for prompt in self.prompts(state)),
        )

    def world(self, setup: Setup, chance: Chance) -> World[State]:
        """True hands for bots and tests."""
        return SixtyFiveWorld(
            self, setup, chance, partial(_category, _rules(tuple(setup.chosen(self).items())).ranking)
        )


@lru_cache(maxsize=64)
def _rules(options: tuple[tuple[str, str], ...]) -> Rules:
    chosen = dict(options)
    order = ranking({name: chosen[name] for name in RANKING_OPTIONS})
    hands = Choice("hand", (*order.categories, SHEPHERD_FIVE))
    seats = range(SixtyFiveCardPoker.most_players)
    return Rules(
        order,
        tuple(Prompt("open", seat, Slot(HAND, HAND, target=f"hand:{seat}"), (hands,)) for seat in seats),
        most=int(chosen["max_exchange"]),
        reshuffle=chosen["draw_limit"] == "reshuffle",
        binding=chosen["declare"] == "binding",
        betting=chosen["betting"] == "external",
    )


@lru_cache(maxsize=1024)
def _category(order: SixtyFiveRanking, cards: tuple[str, ...]) -> str:
    """What a hand is: asked when it is opened, when all are compared, and for every look at the table after."""
    return order.category(cards)


@cache
def _exchange_prompt(seat: int, most: int) -> Prompt:
    return Prompt("exchange", seat, Slot(0, most, None, f"hand:{seat}", "discard", "down"))


def live(state: State) -> tuple[int, ...]:
    """Seats still in the game."""
    return tuple([seat for seat, gone in enumerate(state.dropped) if not gone])


def turn(state: State) -> int:
    """Whose exchange is due: left of the dealer first (7.12)."""
    waiting = [seat for seat, cards in enumerate(state.exchanged) if cards is None and not state.dropped[seat]]
    return next_seat(state.dealer, waiting, len(state.players))


def exchangeable(state: State) -> int:
    """How many cards may be exchanged now: never more than can be drawn (138, 7.9)."""
    return min(state.rules.most, state.stock + (state.discard if state.rules.reshuffle else 0))


def _too_many_drawn(state: State, action: Action) -> bool:
    """An exchange in turn that only the stock is too small for."""
    if action.kind != "exchange" or state.phase is not Phase.EXCHANGE:
        return False
    if not exchangeable(state) < len(action.cards) <= state.rules.most:
        return False
    return action.seat == turn(state) and all(card == UNKNOWN for card in action.cards)


def _exchange(state: State, seat: int, count: int) -> State:
    """Discard and draw (137-138); a table that plays on after a foul cannot draw what is not there."""
    stock, discard = state.stock, state.discard
    drawn = min(count, HAND, stock + discard)
    if drawn <= stock:
        stock, discard = stock - drawn, discard + drawn
    else:
        # The discards so far are shuffled into a new stock (7.9).
        stock, discard = stock + discard - drawn, drawn
    state = replace(state, stock=stock, discard=discard, exchanged=_put(state.exchanged, seat, drawn))
    return _next_phase(state)


def _next_phase(state: State) -> State:
    """On to the showdown when all have exchanged, to the end when all have opened or one is left."""
    alive = live(state)
    if len(alive) == 1:
        result = Msg.of("result.65.last", player=alive[0])
        line = ScoreLine(alive[0], 1, Msg("score.65.last"))
        return replace(state, phase=Phase.OVER, lines=(line,), results=(result,))
    if state.phase is Phase.EXCHANGE and None not in [state.exchanged[seat] for seat in alive]:
        state = replace(state, phase=Phase.SHOWDOWN)
    if state.phase is Phase.SHOWDOWN and None not in [state.opened[seat] for seat in alive]:
        return _decide(state)
    return state


def _open(state: State, seat: int, action: Action) -> State:
    cards = tuple([card for card in action.cards if card in _CODES])
    if len(cards) != HAND:
        return state
    state = replace(
        state,
        opened=_put(state.opened, seat, cards),
        declared=_put(state.declared, seat, str(action.arg("hand", ""))),
    )
    return _next_phase(state)


def _drop(state: State, seat: int) -> State:
    state = replace(state, dropped=_put(state.dropped, seat, True), discard=state.discard + HAND)
    return _next_phase(state)


def contenders(state: State) -> tuple[int, ...]:
    """Who may win: cards speak (7.10); where the declaration binds, a wrongly declared hand is dead."""
    opened = [seat for seat in live(state) if state.opened[seat] is not None]
    if not state.rules.binding:
        return tuple(opened)
    rank = state.rules.ranking
    return tuple(seat for seat in opened if _category(rank, state.opened[seat] or ()) == state.declared[seat])


def winners(state: State) -> tuple[int, ...]:
    """The strongest hands on the table; with every suit different there is one only (143-145)."""
    seats = contenders(state)
    if not seats:
        return ()
    shown = state.rules.ranking.showdown([state.opened[seat] or () for seat in seats])
    return tuple(seats[i] for i in shown.winners)


def _decide(state: State) -> State:
    rank, best = state.rules.ranking, winners(state)
    categories = [_category(rank, cards) if cards else "" for cards in state.opened]
    results: list[Msg] = []
    if SHEPHERD_FIVE in categories:
        results.append(Msg("result.65.turned-over"))
    if not best:
        results.append(Msg("result.65.nobody"))
    lines = []
    for seat in best:
        category = Msg(f"category.{categories[seat]}")
        results.append(Msg.of("result.65.winner", player=seat, hand=category))
        lines.append(ScoreLine(seat, 1, Msg.of("score.65.win", hand=category), state.opened[seat] or ()))
    return replace(state, phase=Phase.OVER, lines=tuple(lines), results=tuple(results))


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
        note = Msg(f"category.{_category(state.rules.ranking, cards)}")
        zones.append(ZoneView(f"hand:{seat}", label, shown, seat, note=note))
    for pile, count in (("discard", state.discard), ("stock", state.stock)):
        top = (CardView(None, "down"),) if count else ()
        zones.append(ZoneView(pile, Msg.of(f"zone.65.{pile}", n=count), top, kind="stack"))
    return tuple(zones)


def _put(items: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*items[:at], value, *items[at + 1 :])
