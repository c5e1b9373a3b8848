"""Three Card Showdown: everybody lays three cards, the strongest hand wins. The smallest game there is.

The hands are those of Three Card Trick Poker; clauses are line numbers of its sheet. One point for a win, one for
each of several equal winners (93); nobody with a category, nobody scores (93). Showdown after showdown the points
run on.

Zones: ``hand:<seat>``, three cards face up in front of each player.
"""

from __future__ import annotations

from companion.cards import Deck
from companion.games.common import form_first, foul, misfit, once_a_state, replace
from companion.games.contract import Game, Setup
from companion.games.fitting import Unfit
from companion.games.setup import checked_setup
from companion.games.three_card import DECKS, RANKING_OPTIONS, judge, unfit
from companion.games.three_card_showdown.state import CARDS, LAY, NEXT, State
from companion.games.three_card_showdown.view import view
from companion.games.three_card_showdown.world import Deal
from companion.games.values import UNKNOWN, Action, Msg, Prompt, Role, ScoreLine, Slot, View, Violation, Zone
from companion.games.world import Chance, World


class ThreeCardShowdown(Game[State]):
    """See the module."""

    id = "three-card-showdown"
    least_players = 2
    most_players = 8
    decks = ("52D2", *(d for d in DECKS if d != "52D2"))
    options = RANKING_OPTIONS
    endless = True

    def unfit(self, own: Deck) -> Unfit | None:
        """Any deck in which every card has a suit and a rank."""
        return unfit(own)

    def start(self, setup: Setup) -> State:
        setup = checked_setup(self, setup)
        return State(setup, judge(self, setup), (None,) * len(setup.players))

    @once_a_state
    def prompts(self, state: State) -> tuple[Prompt, ...]:
        if state.complete:
            return (Prompt(NEXT, None, label=Msg("action.three-card-showdown.next"), skipped=Action(NEXT)),)
        return tuple(
            Prompt(LAY, seat, Slot(CARDS, CARDS, target=f"hand:{seat}"), label=Msg("action.three-card-showdown.lay"))
            for seat, cards in enumerate(state.laid)
            if cards is None
        )

    @form_first
    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        misfits = misfit(self.prompts(state), action, (LAY, NEXT), len(state.laid), state.judge.deck)
        if misfits or action.kind != LAY:
            return misfits
        # 152: completely identical cards exist in decks of several sets only.
        return tuple(
            foul(
                "identical-cards", "152", (face,), copies=action.cards.count(face), holds=state.judge.deck.copies(face)
            )
            for face in dict.fromkeys(action.cards)
            if action.cards.count(face) > state.judge.deck.copies(face)
        )

    def apply(self, state: State, action: Action) -> State:
        if action.kind == NEXT and state.complete:
            return replace(state, laid=(None,) * len(state.laid), number=state.number + 1)
        seat = action.seat
        if action.kind != LAY or seat is None or not 0 <= seat < len(state.laid) or state.complete:
            return state
        cards = tuple(c for c in action.cards if c != UNKNOWN)
        laid = replace(state, laid=(*state.laid[:seat], cards, *state.laid[seat + 1 :]))
        return replace(laid, lines=laid.lines + self._points(laid))

    def _points(self, state: State) -> tuple[ScoreLine, ...]:
        key = "score.three-card-showdown." + ("win" if len(state.winners) == 1 else "shared")
        lines = []
        for seat in state.winners:
            cards = state.laid[seat] or ()
            reason = Msg.of(key, number=state.number, category=Msg(f"category.{state.judge.category(cards)}"))
            lines.append(ScoreLine(seat, 1, reason, cards))
        return tuple(lines)

    def expected_table(self, state: State) -> tuple[Zone, ...]:
        return tuple(Zone(f"hand:{seat}", cards or (), open=cards is None) for seat, cards in enumerate(state.laid))

    def scores(self, state: State) -> tuple[ScoreLine, ...]:
        return state.lines

    def view(self, state: State, role: Role) -> View:
        return view(state, self.prompts(state))

    def world(self, setup: Setup, chance: Chance) -> World[State]:
        return Deal(self.start(setup), chance)
