"""The poker of the 65 cards: thirteen pictures, five suits, one exchange, one showdown.

Five cards each (134); in turn everybody exchanges any number once (136-138); then all declare their hand and open
it (141); the strongest hand wins, and five shepherds turn the order over (68-71). Which hand beats which is the
ranking "65" of `companion.hands`; this module is the table around it. Numbers in brackets are lines of the rule
sheet, 7.x are house rules.

Zones: ``hand:<seat>`` (face up once opened), ``discard`` and ``stock`` (face down).
"""

from __future__ import annotations

from functools import cache

from companion.cards import Deck
from companion.games.common import form_first, foul, misfit, once_a_state, put, replace
from companion.games.contract import Game, Setup
from companion.games.fitting import Unfit, outside
from companion.games.setup import checked_setup, chosen_seat
from companion.games.sixty_five_card_poker.options import HAND, MOST_PLAYERS, OPTIONS, SHEPHERD_FIVE, Rules
from companion.games.sixty_five_card_poker.state import (
    CARDS,
    Phase,
    State,
    category,
    contenders,
    exchangeable,
    live,
    turn,
    winners,
)
from companion.games.sixty_five_card_poker.view import view
from companion.games.sixty_five_card_poker.world import Deal
from companion.games.values import UNKNOWN, Action, Msg, Prompt, Role, ScoreLine, Slot, View, Violation, Zone
from companion.games.world import Chance, World

CLAUSES = {"exchange": "136", "open": "141", "drop": "7.11"}
"""Kinds of action, and where the sheet speaks of them."""


class SixtyFiveCardPoker(Game[State]):
    """The referee of the 65-card poker."""

    id = "sixty-five-card-poker"
    least_players = 2
    most_players = MOST_PLAYERS
    decks = ("65",)
    options = OPTIONS

    def unfit(self, own: Deck) -> Unfit | None:
        """Thirteen pictures in five suits, one of each (24) or two packs mixed, whatever they are called; the
        picture with the code ``shepherd``, or else the weakest one, is the Shepherd."""
        suits, pictures = len(own.suits), len(own.ranks)
        if (suits, pictures) != (5, 13) or own.counts not in ((1,) * CARDS, (2,) * CARDS):
            sentence = f"it needs 13 pictures in 5 suits, one or two of each card; this deck has {pictures} in {suits}"
            return Unfit(Msg.of("deck.unfit.65", pictures=pictures, suits=suits, n=own.size), sentence)
        if "shepherd" in own.ranks and own.ranks.index("shepherd") not in (0, 8):
            sentence = "the shepherd is the weakest picture, or the ninth, above the arms dealer"
            return Unfit(Msg("deck.unfit.65-shepherd"), sentence)
        return outside(own, "suit")

    def start(self, setup: Setup) -> State:
        """Everybody holds five cards; the player left of the dealer exchanges first."""
        setup = checked_setup(self, setup)
        chosen, seats = setup.chosen(self), len(setup.players)
        rules = Rules.of(chosen, setup.deck)
        return State(
            setup.players,
            rules,
            chosen_seat(chosen, "dealer", seats),
            stock=rules.ranking.deck.size - HAND * seats,
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

    @form_first
    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        """Turn and counts; at the showdown the declared hand against the cards (141)."""
        if _too_many_drawn(state, action):
            return (foul("stock-too-small", "138", count=len(action.cards), stock=exchangeable(state)),)
        wrong = misfit(
            self.prompts(state), action, CLAUSES, len(state.players), state.rules.codes, CLAUSES.get(action.kind, "131")
        )
        if wrong or action.kind != "open":
            return wrong
        copies = state.rules.ranking.deck.copies
        double = [card for card in dict.fromkeys(action.cards) if action.cards.count(card) > copies(card)]
        if double:
            return (foul("card-twice", "24", double),)
        actual = category(state.rules.ranking, action.cards)
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
        return view(state, self.prompts(state))

    def world(self, setup: Setup, chance: Chance) -> World[State]:
        """True hands for bots and tests."""
        return Deal(self, setup, chance)


@cache
def _exchange_prompt(seat: int, most: int) -> Prompt:
    return Prompt("exchange", seat, Slot(0, most, None, f"hand:{seat}", "discard", "down"))


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
    state = replace(state, stock=stock, discard=discard, exchanged=put(state.exchanged, seat, drawn))
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
    cards = tuple([card for card in action.cards if card in state.rules.codes])
    if len(cards) != HAND:
        return state
    state = replace(
        state,
        opened=put(state.opened, seat, cards),
        declared=put(state.declared, seat, str(action.arg("hand", ""))),
    )
    return _next_phase(state)


def _drop(state: State, seat: int) -> State:
    state = replace(state, dropped=put(state.dropped, seat, True), discard=state.discard + HAND)
    return _next_phase(state)


def _decide(state: State) -> State:
    rank, best = state.rules.ranking, winners(state)
    categories = [category(rank, cards) if cards else "" for cards in state.opened]
    results: list[Msg] = []
    # A hand that is dead because it was called something else turns nothing over (7.10).
    if SHEPHERD_FIVE in [categories[seat] for seat in contenders(state)]:
        results.append(Msg("result.65.turned-over"))
    if not best:
        results.append(Msg("result.65.nobody"))
    lines = []
    for seat in best:
        hand = Msg(f"category.{categories[seat]}")
        results.append(Msg.of("result.65.winner", player=seat, hand=hand))
        lines.append(ScoreLine(seat, 1, Msg.of("score.65.win", hand=hand), state.opened[seat] or ()))
    return replace(state, phase=Phase.OVER, lines=tuple(lines), results=tuple(results))
