"""Three Card Trick Poker (UD Battle Poker, Rev. 0.9 of 2021-11-25), whole.

Reads like the sheet, top to bottom; numbers in brackets are its lines, 7.x the gaps of the formal reading, each of
which is an option. What follows by itself (forced refills, leaving, shares, the end) is in `flow`.

Actions
    ``pot`` (table): the cards the deal leaves over, face up (43). ``expose`` (seat): three cards at the beginning
    (44), later hidden cards moved to the exposed row (65). ``leader`` (table, leader=n): who begins (46).
    ``play`` (seat): one card, `UNKNOWN` when it lies face down (71 to 83). ``fold`` (seat): in the first round
    with a card as penalty and ``source`` hidden or exposed (88), later with the face-down card turned up (87).
    ``draw`` (seat, count=n): cards from the stock to the hidden hand (66). ``reveal`` (seat): face-down cards
    turned up, at the showdown (93) or when he drops out of cards in mid-bout (101). ``next-game`` (table).

Zones
    ``pot``; ``hand:<seat>`` hidden cards, held in hand; ``exposed:<seat>``; ``stock:<seat>``; ``play:<seat>`` cards
    of this bout; ``captured:<seat>``.
"""

from __future__ import annotations

from types import MappingProxyType

from companion.cards import RECOMMENDED, Deck, Recommendation, recommended
from companion.games.common import form_first, misfit, once_a_state, replace, unproven
from companion.games.contract import Game, Setup, SetupError
from companion.games.fitting import Unfit
from companion.games.setup import checked_setup
from companion.games.three_card import DECKS, judge, unfit
from companion.games.three_card_trick_poker import view as drawing
from companion.games.three_card_trick_poker.checks import reasons
from companion.games.three_card_trick_poker.flow import proceed, totals, winners
from companion.games.three_card_trick_poker.moves import by_table, dealt, draw, expose, fold, play, reveal
from companion.games.three_card_trick_poker.options import OPTIONS, Rules
from companion.games.three_card_trick_poker.prompts import (
    CLAUSES,
    EXPOSE,
    LEADER,
    NEXT_GAME,
    POT,
    prompt,
    refill_prompts,
    reveal_prompt,
    turn_prompts,
)
from companion.games.three_card_trick_poker.state import EXPOSED_MOST, HAND, Phase, State
from companion.games.three_card_trick_poker.world import Deal
from companion.games.values import (
    UNKNOWN,
    Action,
    Choice,
    Prompt,
    Role,
    ScoreLine,
    Slot,
    Verdict,
    View,
    Violation,
    Zone,
)
from companion.games.world import Chance, World

MOST_GAMES = 99
"""So many games may be played in a row (118)."""


class ThreeCardTrickPoker(Game[State]):
    """See the module."""

    id = "three-card-trick-poker"
    least_players = 2
    most_players = 8
    decks = DECKS
    options = OPTIONS
    patience = MappingProxyType({"fold": 2.5})  # exposed cards go with his last hidden one, and may lie there first

    def recommended_deck(self, players: int) -> str:
        """The middle column of the table for playing cards (124 to 130)."""
        return recommended(players)["mid"].deck if 2 <= players <= 8 else self.decks[0]

    def recommended_decks(self, players: int) -> tuple[Recommendation, ...]:
        """The tables for playing cards, mahjong tiles and TESCA (120 to 130, 208 to 218, 236 to 246)."""
        return tuple(row for row in RECOMMENDED if row.players == players)

    # --- preparation (43 to 46) -----------------------------------------------------------------------------------

    def unfit(self, own: Deck) -> Unfit | None:
        """Any deck in which every card has a suit and a rank."""
        return unfit(own)

    def start(self, setup: Setup) -> State:
        games = dict(setup.options).get("games", "1")
        if not (games.isascii() and games.isdecimal() and 1 <= int(games) <= MOST_GAMES):
            raise SetupError(f"option games of {self.id} is a number from 1 to {MOST_GAMES}, not {games!r}")
        plain = tuple((name, value) for name, value in setup.options if name != "games")
        checked = checked_setup(self, replace(setup, options=plain))
        setup = replace(checked, options=setup.options)
        rules = Rules.of(setup, judge(self, setup), setup.chosen(self))
        if rules.dealt < HAND:
            raise SetupError(
                f"{setup.deck} deals {rules.dealt} cards to each of {rules.seats} players, but a hand is {HAND}; "
                f"{self.recommended_deck(rules.seats)} would do"
            )
        return dealt(rules)

    # --- what is open now ---------------------------------------------------------------------------------------------

    @once_a_state
    def prompts(self, state: State) -> tuple[Prompt, ...]:
        match state.phase:
            case Phase.POT:
                rest = state.rules.rest
                return (prompt(POT, None, Slot(rest, rest, target="pot")),)
            case Phase.EXPOSE:
                return tuple(
                    prompt(EXPOSE, seat, Slot(EXPOSED_MOST, EXPOSED_MOST, None, f"hand:{seat}", f"exposed:{seat}"))
                    for seat, player in enumerate(state.players)
                    if player.hidden == HAND
                )
            case Phase.LEADER:
                return (prompt(LEADER, None, None, Choice("leader", tuple(range(state.rules.seats)))),)
            case Phase.PLAY:
                if state.leaving is not None:
                    return (reveal_prompt(state, state.leaving),)
                return (*turn_prompts(state), *refill_prompts(state))
            case Phase.SHOWDOWN:
                reveals = [reveal_prompt(state, seat) for seat in state.standing if state.players[seat].down]
                return (*reveals, *refill_prompts(state))
        if state.number < state.rules.games:
            return (replace(prompt(NEXT_GAME, None), skipped=Action(NEXT_GAME)),)
        return ()

    # --- judging ------------------------------------------------------------------------------------------------------

    @form_first
    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        prompts = self.prompts(state)
        deck = state.rules.judge.deck
        misfits = misfit(prompts, action, CLAUSES, state.rules.seats, deck, CLAUSES.get(action.kind, ""))
        if misfits:
            return reasons(state, action) or misfits
        if UNKNOWN in action.cards and action.seat is not None:
            return (unproven("face-down", "87", player=action.seat, number=state.number, bout=state.bout),)
        return ()

    def decides(self, state: State, doubt: Violation) -> Verdict | None:
        """A card that lay face down has been seen when it is turned up, at the end of its bout at the latest (93)."""
        what = dict(doubt.params)
        if doubt.code != "face-down":
            return None
        same = (state.number, state.bout) == (what["number"], what["bout"]) and state.phase is not Phase.OVER
        return None if same and state.players[int(what["player"])].down else Verdict.LEGAL

    # --- doing --------------------------------------------------------------------------------------------------------

    def apply(self, state: State, action: Action) -> State:
        seat = action.seat
        if seat is None:
            return proceed(by_table(state, action))
        if not 0 <= seat < state.rules.seats or seat in state.left:
            return state
        match action.kind:
            case "expose":
                state = expose(state, seat, action.cards)
            case "play":
                state = play(state, seat, action.cards)
            case "fold":
                state = fold(state, seat, action)
            case "draw":
                state = draw(state, seat, action.arg("count"))
            case "reveal":
                state = reveal(state, seat, action.cards)
        return proceed(state)

    # --- looking ------------------------------------------------------------------------------------------------------

    def expected_table(self, state: State) -> tuple[Zone, ...]:
        return drawing.expected_table(state)

    def whereabouts(self, state: State) -> tuple[Zone, ...]:
        return drawing.whereabouts(state)

    def scores(self, state: State) -> tuple[ScoreLine, ...]:
        return state.lines

    def totals(self, state: State) -> dict[int, int]:
        return totals(state)

    def winners(self, state: State) -> tuple[int, ...]:
        return winners(state) if not self.prompts(state) else ()

    def view(self, state: State, role: Role) -> View:
        return drawing.view(self.id, state, self.prompts(state), self.winners(state))

    def world(self, setup: Setup, chance: Chance) -> World[State]:
        return Deal(self, self.start(setup), chance)
