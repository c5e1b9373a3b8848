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

from dataclasses import dataclass
from functools import cache

from companion.cards import deck
from companion.games.aces_king.world import AcesWorld
from companion.games.common import checked_setup, foul, misfit, once_a_state, replace
from companion.games.contract import (
    Action,
    CardView,
    Game,
    Hand,
    Msg,
    Option,
    PlayerView,
    Prompt,
    Role,
    ScoreLine,
    Setup,
    Slot,
    View,
    Violation,
    Zone,
    ZoneView,
)
from companion.games.turns import DIRECTIONS, after, starter_option, starting_seat, step_of
from companion.games.world import Chance, World

PLAY, PASS, DRAW, RESHUFFLE = "play", "pass", "draw", "reshuffle"
KINDS = (PLAY, PASS, DRAW, RESHUFFLE)
CLAUSES = {PLAY: "39", PASS: "57", DRAW: "55", RESHUFFLE: "55"}
"""Kinds of action, and where the sheet speaks of them; turns are line 39."""

HAND = 8
"""Cards drawn at the start (51)."""
OPENING_DRAW, PASS_DRAW = 1, 2
"""What the first player draws (52), and who passes (57)."""
_CODES = frozenset(deck("52D1").codes)
_NUMBERS = {rank: i for i, rank in enumerate(deck("52D1").ranks, 1)}


@dataclass(frozen=True, slots=True)
class Rules:
    """The options in force, as values."""

    ace_high: bool
    out_before_draw: bool
    stock_empty: str
    open_pass: bool
    ranking: bool
    step: int
    free_lead: bool


@dataclass(frozen=True)
class State:
    """A game of Ace's King. `hands`: how many cards each seat holds; `discard`: the pile, top last; `turn`: who acts
    next; `debtor` owes `owed` drawn cards, as `why` (a line of the sheet) says; `out`: who went out, in order;
    `passes`: how many players passed in a row; `void`: the stock ran out and the game does not count."""

    rules: Rules
    players: tuple[str, ...]
    hands: tuple[int, ...]
    stock: int
    turn: int
    discard: tuple[str, ...] = ()
    debtor: int | None = None
    owed: int = 0
    why: str = ""
    out: tuple[int, ...] = ()
    passes: int = 0
    void: bool = False

    @property
    def top(self) -> str | None:
        """The card that counts; None before the first one lies."""
        return self.discard[-1] if self.discard else None

    @property
    def playing(self) -> tuple[int, ...]:
        """Seats that still hold cards."""
        return tuple([seat for seat in range(len(self.players)) if seat not in self.out])

    @property
    def over(self) -> bool:
        """Somebody has won (59); with places played out, only one is left."""
        return self.void or (bool(self.out) and (not self.rules.ranking or len(self.playing) < 2))

    @property
    def hidden(self) -> int:
        """Cards under the top card, which may become a new stock."""
        return max(0, len(self.discard) - 1) if self.rules.stock_empty == "reshuffle" else 0


class AcesKing(Game[State]):
    """The referee of Ace's King."""

    id = "aces-king"
    least_players = 2
    most_players = 5
    decks = ("52D1",)
    options = (
        starter_option("50"),
        Option("ace", ("1", "14"), "7.1"),
        Option("out_on_empty", ("after_draw", "before_draw"), "7.2"),
        Option("stock_empty", ("reshuffle", "no_draw", "game_void"), "7.3"),
        Option("open_pass", ("no", "yes"), "7.4"),
        Option("ranking", ("no", "yes"), "7.5"),
        Option("direction", DIRECTIONS, "7.6"),
        Option("all_pass", ("continue", "free_lead"), "7.7"),
    )

    def start(self, setup: Setup) -> State:
        """Eight cards each are drawn, nothing lies yet (50-51)."""
        setup = checked_setup(self, setup)
        chosen = setup.chosen(self)
        rules = Rules(
            ace_high=chosen["ace"] == "14",
            out_before_draw=chosen["out_on_empty"] == "before_draw",
            stock_empty=chosen["stock_empty"],
            open_pass=chosen["open_pass"] == "yes",
            ranking=chosen["ranking"] == "yes",
            step=step_of(chosen["direction"]),
            free_lead=chosen["all_pass"] == "free_lead",
        )
        seats = len(setup.players)
        stock = deck("52D1").size - HAND * seats
        return State(rules, setup.players, (HAND,) * seats, stock, starting_seat(self, setup))

    @once_a_state
    def prompts(self, state: State) -> tuple[Prompt, ...]:
        """The draw that is owed, and what the next player may do."""
        if state.over:
            return ()
        turn = _turn_prompts(state.turn, may_pass=bool(state.discard) or state.rules.open_pass)
        if not state.owed or state.debtor is None:
            return turn
        if not state.stock:
            return (Prompt(RESHUFFLE, None, label=Msg.of("action.aces-king.reshuffle", n=state.hidden)),)
        draw = _draw_prompt(state.debtor, min(state.owed, state.stock))
        return (draw,) if state.stock < state.owed else (draw, *turn)

    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        """Turns, the opening and the number of cards drawn: all of it is public."""
        cite = CLAUSES.get(action.kind, "39")
        violations = misfit(self.prompts(state), action, KINDS, len(state.players), _CODES, cite)
        if not violations or state.over or action.kind not in KINDS:
            return violations
        return _told(state, action) or violations

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
                return _play(state, seat, tuple([card for card in action.cards if card in _CODES]))
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
        hands = tuple(Zone(f"hand:{seat}", down=count) for seat, count in enumerate(state.hands))
        return self.expected_table(state) + hands

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
        prompts = self.prompts(state)
        return View(
            game=self.id,
            deck="52D1",
            phase=_phase(state),
            players=tuple(_player(state, seat, prompts) for seat in range(len(state.players))),
            zones=(
                ZoneView(
                    "discard",
                    Msg("zone.aces-king.discard"),
                    tuple(CardView(card) for card in state.discard),
                    kind="pile",
                ),
                ZoneView(
                    "stock",
                    Msg.of("zone.aces-king.stock", n=state.stock),
                    (CardView(None, "down"),) if state.stock else (),
                    kind="stack",
                ),
            ),
            prompts=prompts,
            results=_results(state),
            over=state.over,
        )

    def world(self, setup: Setup, chance: Chance) -> World[State]:
        """True hands for bots and tests."""
        return AcesWorld(self, setup, chance)


def number(card: str, ace_high: bool = False) -> int:
    """A card's number: the ace is 1 (25), or 14 by house rule 7.1; J, Q, K are 11 to 13 (27)."""
    rank = card[:-1]
    return 14 if ace_high and rank == "A" else _NUMBERS[rank]


# --- what is open ----------------------------------------------------------------------------------------------------


@cache
def _turn_prompts(seat: int, may_pass: bool) -> tuple[Prompt, ...]:
    slot = Slot(1, 1, None, f"hand:{seat}", "discard")
    play = Prompt(PLAY, seat, slot, label=Msg("action.aces-king.play"))
    if not may_pass:
        return (play,)
    return play, Prompt(PASS, seat, label=Msg.of("action.aces-king.pass-draws", n=PASS_DRAW))


@cache
def _draw_prompt(seat: int, count: int) -> Prompt:
    slot = Slot(count, count, None, "stock", f"hand:{seat}", "down")
    return Prompt(DRAW, seat, slot, label=Msg.of("action.aces-king.draw", n=count))


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
    top, high = state.top, state.rules.ace_high
    if top is None:
        owed, why = OPENING_DRAW, "52"
    else:
        owed, why = max(0, number(top, high) - number(cards[-1], high)), "55"
        if state.rules.free_lead and state.passes >= len(state.playing):
            owed = 0
    hands = _put(state.hands, seat, state.hands[seat] - len(cards))
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
    hands, stock = _put(state.hands, seat, state.hands[seat] + taken), state.stock - taken
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


def _put(hands: tuple[int, ...], seat: int, count: int) -> tuple[int, ...]:
    return (*hands[:seat], max(0, count), *hands[seat + 1 :])


# --- how it looks ----------------------------------------------------------------------------------------------------


def _phase(state: State) -> Msg:
    if state.over:
        return Msg("game.aces-king.phase.over")
    if state.owed and state.debtor is not None:
        return Msg.of("game.aces-king.phase.draw", player=state.debtor, n=state.owed)
    return Msg.of("game.aces-king.phase." + ("open" if state.top is None else "turn"), player=state.turn)


def _player(state: State, seat: int, prompts: tuple[Prompt, ...]) -> PlayerView:
    count = state.hands[seat]
    status = None
    if seat in state.out:
        status = Msg.of("status.aces-king.out", place=state.out.index(seat) + 1)
    elif seat == state.debtor:
        status = Msg.of("status.aces-king.draws", n=state.owed)
    elif count == 1:
        status = Msg("status.aces-king.last-card")
    return PlayerView(
        seat,
        state.players[seat],
        counters=((Msg("counter.aces-king.cards"), count),),
        hand=Hand(unknown=count),
        status=status,
        active=any(prompt.seat == seat for prompt in prompts),
    )


def _results(state: State) -> tuple[Msg, ...]:
    if state.void:
        return (Msg("result.aces-king.void"),)
    places = tuple(
        Msg.of("result.aces-king." + ("wins" if place == 1 else "place"), player=seat, place=place)
        for place, seat in enumerate(state.out, 1)
    )
    if state.over:
        return places
    last = [seat for seat in state.playing if state.hands[seat] == 1 and seat != state.debtor]
    return places + tuple(Msg.of("result.aces-king.last-card", player=seat) for seat in last)
