"""Highest Card: the referee.

Five cards each from a deck of 52 (clause 1). The starter lays a card, the others follow clockwise, one card each
(clauses 2 and 3). The highest number takes a point and leads the next round (clauses 4 and 5). After five rounds most
points win (clause 6). Numbers are clauses of the rule page.

Zones: ``laid:<seat>``, ``discard`` (a pile), ``stock`` (never used), ``hand:<seat>``.
"""

from __future__ import annotations

from companion.cards import deck
from companion.games import (
    Action,
    Chance,
    Game,
    Msg,
    Prompt,
    Role,
    ScoreLine,
    Setup,
    Slot,
    View,
    Violation,
    World,
    Zone,
)
from companion.games.common import closed_hands, form_first, foul, misfit, once_a_state, put, replace
from companion.games.setup import checked_setup, chosen_seat

from .options import MOST_PLAYERS, OPTIONS, Rules
from .state import CODES, DECK, HAND, State, round_winner
from .view import view
from .world import Deal

CLAUSES = {"lay": "3", "next": "2"}
"""Kinds of action, and the clause that speaks of them."""


class HighestCard(Game[State]):
    """The referee of Highest Card."""

    id = "highest-card"
    least_players = 2
    most_players = MOST_PLAYERS
    decks = (DECK,)
    options = OPTIONS

    def start(self, setup: Setup) -> State:
        """Five cards each, nothing lies yet."""
        setup = checked_setup(self, setup)
        chosen, seats = setup.chosen(self), len(setup.players)
        return State(Rules.of(chosen), setup.players, chosen_seat(chosen, "starter", seats), (None,) * seats)

    @once_a_state
    def prompts(self, state: State) -> tuple[Prompt, ...]:
        """A card of whoever is due; between rounds the table clears away."""
        if state.over:
            return ()
        if state.turn is None:
            return (Prompt("next", None, label=Msg("action.highest-card.next")),)
        slot = Slot(1, 1, None, f"hand:{state.turn}", f"laid:{state.turn}")
        return (Prompt("lay", state.turn, slot, label=Msg("action.highest-card.lay")),)

    @form_first
    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        """Turn and number of cards, and that no card comes twice: one deck holds every card once."""
        cite = CLAUSES.get(action.kind, "3")
        wrong = misfit(self.prompts(state), action, CLAUSES, len(state.players), CODES, cite)
        if wrong or action.kind != "lay":
            return wrong
        seen = [card for card in action.cards if card in (*state.gone, *state.laid)]
        return (foul("highest-card-seen-before", "1", seen),) if seen else ()

    def apply(self, state: State, action: Action) -> State:
        """The next state; a fouled card lies where it was laid, an action without any meaning changes nothing."""
        if action.kind == "next" and state.turn is None and not state.over:
            return _next_round(state)
        seat, cards = action.seat, [card for card in action.cards if card in CODES]
        if action.kind != "lay" or seat is None or not 0 <= seat < len(state.players) or not cards:
            return state
        if state.laid[seat] is not None:
            return state
        state = replace(state, laid=put(state.laid, seat, cards[0]))
        return replace(state, lines=state.lines + _points(state))

    def expected_table(self, state: State) -> tuple[Zone, ...]:
        """A card before everybody who has laid, the cards of earlier rounds, the rest of the deck."""
        laid = tuple(Zone(f"laid:{seat}", (card,) if card else ()) for seat, card in enumerate(state.laid))
        rest = deck(DECK).size - HAND * len(state.players)
        return (*laid, Zone("discard", state.gone, pile=True), Zone("stock", down=rest, pile=True))

    def whereabouts(self, state: State) -> tuple[Zone, ...]:
        """The table and the hands, of which only the number of cards is known."""
        return self.expected_table(state) + closed_hands(state.hands)

    def scores(self, state: State) -> tuple[ScoreLine, ...]:
        """A point a round."""
        return state.lines

    def view(self, state: State, role: Role) -> View:
        """The same for everybody: the referee knows nothing that is secret."""
        return view(state, self.prompts(state))

    def world(self, setup: Setup, chance: Chance) -> World[State]:
        """True hands for bots and tests."""
        return Deal(self, setup, chance)


def _points(state: State) -> tuple[ScoreLine, ...]:
    """The point of the round, as soon as its last card lies."""
    seat = round_winner(state)
    if seat is None:
        return ()
    card = state.laid[seat] or ""
    return (ScoreLine(seat, 1, Msg.of("score.highest-card.round", n=state.round, card=card), (card,)),)


def _next_round(state: State) -> State:
    """The cards go away; the winner leads, after a tie that nobody won the leader again."""
    winner = round_winner(state)
    cards = tuple(card for seat in state.order if (card := state.laid[seat]) is not None)
    return replace(
        state,
        leader=state.leader if winner is None else winner,
        laid=(None,) * len(state.players),
        gone=state.gone + cards,
        round=state.round + 1,
    )
