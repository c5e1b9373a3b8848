"""Ace's King (エースのキング) by Morimiya Teru: get rid of eight cards, and pay for every lower one.

Two to five players, 52 cards (45-46). The first player lays any card and draws one (52). Then everybody in turn lays
a card of the same or a higher number for free, or a lower one and draws the difference (54-56), or passes and draws
two (57). Who has no card left is out and has won (59). Numbers in brackets are lines of the rule sheet, 7.x are house
rules.

A draw that is owed is announced and has its own action (`draw`), so that a wrong number of cards is seen. Its number
is forced: when the next player acts before anybody said ``draw``, it is taken as done. Only a stock that is too short
must be seen to first, with `draw` of what there is and `reshuffle`.

Zones: ``discard`` (a pile, its top counts), ``stock``, ``hand:<seat>``.
"""

from __future__ import annotations

from companion.cards import Deck, deck
from companion.games.aces_king.options import OPTIONS, Rules
from companion.games.aces_king.prompts import (
    DRAW,
    OPENING_DRAW,
    PASS,
    PASS_DRAW,
    PLAY,
    RESHUFFLE,
    draw_prompt,
    turn_prompts,
)
from companion.games.aces_king.state import DECK, HAND, State
from companion.games.aces_king.view import view
from companion.games.aces_king.world import Deal
from companion.games.common import closed_hands, form_first, foul, misfit, once_a_state, put, replace
from companion.games.contract import Game, Setup, SetupError
from companion.games.fitting import Unfit, outside
from companion.games.setup import checked_setup, chosen_seat
from companion.games.turns import after
from companion.games.values import UNKNOWN, Action, Msg, Prompt, Role, ScoreLine, View, Violation, Zone
from companion.games.world import Chance, World

KINDS = (PLAY, PASS, DRAW, RESHUFFLE)

CLAUSES = {PLAY: "39", PASS: "57", DRAW: "55", RESHUFFLE: "55"}
"""Kinds of action, and where the sheet speaks of them; turns are line 39."""


class AcesKing(Game[State]):
    """The referee of Ace's King."""

    id = "aces-king"
    least_players = 2
    most_players = 5
    decks = (DECK,)
    options = OPTIONS

    def unfit(self, own: Deck) -> Unfit | None:
        """Any deck will do whose every card has a rank, weak to strong: a rank's place is the number (25-27)."""
        if own.size <= HAND * self.least_players:
            needs = HAND * self.least_players + 1
            return Unfit(Msg.of("deck.unfit.few", needs=needs), f"it needs at least {needs} cards")
        return outside(own, "rank")

    def start(self, setup: Setup) -> State:
        """Eight cards each are drawn, nothing lies yet (50-51)."""
        setup = checked_setup(self, setup)
        chosen, seats = setup.chosen(self), len(setup.players)
        cards = deck(setup.deck)
        stock = cards.size - HAND * seats
        if stock < 1:
            raise SetupError(f"{setup.deck} has {cards.size} cards, too few for {seats} players with {HAND} each")
        return State(
            Rules.of(chosen, cards), setup.players, (HAND,) * seats, stock, chosen_seat(chosen, "starter", seats)
        )

    @once_a_state
    def prompts(self, state: State) -> tuple[Prompt, ...]:
        """The draw that is owed, and what the next player may do."""
        if state.over:
            return ()
        turn = turn_prompts(state.turn, may_pass=bool(state.discard) or state.rules.open_pass)
        if not state.owed or state.debtor is None:
            return turn
        if not state.stock:
            return (Prompt(RESHUFFLE, None, label=Msg.of("action.aces-king.reshuffle", n=state.hidden)),)
        draw = draw_prompt(state.debtor, min(state.owed, state.stock))
        return (draw,) if state.stock < state.owed else (draw, *turn)

    @form_first
    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        """Turns, the opening and the number of cards drawn: all of it is public."""
        cite = CLAUSES.get(action.kind, "39")
        violations = misfit(self.prompts(state), action, KINDS, len(state.players), state.rules.codes, cite)
        if not violations or state.over or action.kind not in KINDS:
            return violations
        return _told(state, action) or violations

    def implies(self, state: State, action: Action) -> tuple[Action, ...]:
        """Whoever acts next takes the draw that is owed as done (54-57)."""
        if not state.owed or state.debtor is None or action.kind not in (PLAY, PASS):
            return ()
        return (Action(DRAW, state.debtor, (UNKNOWN,) * min(state.owed, state.stock)),)

    def apply(self, state: State, action: Action) -> State:
        """The next state; a fouled action counts as it lies, an action without any meaning changes nothing."""
        if state.over:
            return state
        seat = action.seat
        if action.kind == RESHUFFLE:
            return _reshuffled(state) if seat is None else state
        if seat is None or not 0 <= seat < len(state.players) or seat in state.out:
            return state
        match action.kind:
            case "play":
                return _play(state, seat, tuple([card for card in action.cards if card in state.rules.codes]))
            case "pass":
                return _pass(state, seat)
            case "draw":
                return _draw(state, seat, len(action.cards))
        return state

    def expected_table(self, state: State) -> tuple[Zone, ...]:
        """The pile and the stock."""
        return (Zone("discard", state.discard, pile=True), Zone("stock", down=state.stock, pile=True))

    def whereabouts(self, state: State) -> tuple[Zone, ...]:
        """The table and the hands, of which only the number of cards is known."""
        return self.expected_table(state) + closed_hands(state.hands)

    def scores(self, state: State) -> tuple[ScoreLine, ...]:
        """One point for going out first (59); with places played out, a point for every player left behind."""
        if not state.rules.ranking:
            return tuple(ScoreLine(seat, 1, Msg("score.aces-king.out")) for seat in state.out[:1])
        left = len(state.players)
        return tuple(
            ScoreLine(seat, left - place, Msg.of("score.aces-king.place", place=place))
            for place, seat in enumerate(state.out, 1)
        )

    def winners(self, state: State) -> tuple[int, ...]:
        """Who went out first; nobody when the game is void (7.3)."""
        return state.out[:1] if state.over and not state.void else ()

    def view(self, state: State, role: Role) -> View:
        """The same for everybody: the referee knows nothing that is secret."""
        return view(state, self.prompts(state))

    def world(self, setup: Setup, chance: Chance) -> World[State]:
        """True hands for bots and tests."""
        return Deal(self, setup, chance)


def _told(state: State, action: Action) -> tuple[Violation, ...]:
    """The reasons of this game, where they say more than that the action does not fit."""
    seat = action.seat
    if action.kind == PASS and seat == state.turn and state.top is None and not state.rules.open_pass:
        return (foul("opening-pass", "52", seat=state.turn),)
    if not state.owed or state.debtor is None:
        return (foul("no-draw-owed", "54", seat=-1 if seat is None else seat),) if action.kind == DRAW else ()
    due = min(state.owed, state.stock)
    if action.kind == DRAW and seat == state.debtor and state.stock:
        if len(action.cards) == due:
            return ()
        return (foul("draw-count", state.why, seat=seat, count=len(action.cards), owed=due),)
    blocked = state.stock < state.owed and action.kind in (PLAY, PASS)
    return (foul("draw-first", state.why, seat=state.debtor, owed=state.owed),) if blocked else ()


# --- what happens ----------------------------------------------------------------------------------------------------


def _play(state: State, seat: int, cards: tuple[str, ...]) -> State:
    """Cards laid: the difference from the old top to the new one is owed (54-56)."""
    if not cards:
        return state
    state = _settled(state)
    if state.over:
        return state
    top, number = state.top, state.rules.numbers
    if top is None:
        owed, why = OPENING_DRAW, "52"
    else:
        owed, why = max(0, number[top] - number[cards[-1]]), "55"
        if state.rules.free_lead and state.passes >= len(state.playing):
            owed = 0
    hands = put(state.hands, seat, max(0, state.hands[seat] - len(cards)))
    state = replace(state, hands=hands, discard=state.discard + cards, passes=0)
    if state.rules.out_before_draw and not state.hands[seat]:
        owed = 0
    return _owe(state, seat, owed, why)


def _pass(state: State, seat: int) -> State:
    state = _settled(state)
    if state.over:
        return state
    return _owe(replace(state, passes=state.passes + 1), seat, PASS_DRAW, "57")


def _owe(state: State, seat: int, owed: int, why: str) -> State:
    """`seat` owes that many cards, as far as there are any, and the turn passes on (58)."""
    if owed > state.stock and state.rules.stock_empty == "game_void":
        return replace(state, void=True)
    owed = min(owed, state.stock + state.hidden)
    turn = after(seat, state.playing, len(state.players), state.rules.step)
    state = replace(state, debtor=seat if owed else None, owed=owed, why=why if owed else "", turn=turn)
    return state if owed else _gone_out(state, seat)


def _gone_out(state: State, seat: int) -> State:
    """Out, if no card is left after the draw (59, 7.2)."""
    return state if state.hands[seat] else replace(state, out=(*state.out, seat))


def _draw(state: State, seat: int, count: int) -> State:
    """Cards drawn. Fewer than owed, let stand, settle the debt; the stock's last cards leave the rest owed."""
    taken = min(count, state.stock)
    rest = state.owed
    if seat == state.debtor:
        rest = max(0, rest - taken) if taken == state.stock else 0
    hands, stock = put(state.hands, seat, state.hands[seat] + taken), state.stock - taken
    rest = min(rest, stock + state.hidden)
    if rest or state.debtor is None:
        return replace(state, hands=hands, stock=stock, owed=rest)
    return _gone_out(replace(state, hands=hands, stock=stock, debtor=None, owed=0, why=""), state.debtor)


def _settled(state: State) -> State:
    """Whoever acts next takes the draw that is owed as done."""
    while state.owed and state.debtor is not None:
        state = _draw(state, state.debtor, min(state.owed, state.stock)) if state.stock else _reshuffled(state)
    return state


def _reshuffled(state: State) -> State:
    """Everything under the top card becomes the new stock (7.3); nobody knows its order."""
    if not state.owed or state.stock or not state.hidden:
        return state
    return replace(state, stock=state.hidden, discard=state.discard[-1:])
