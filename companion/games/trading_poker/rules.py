"""Trading Poker (トレーディング ポーカー) by TOSAKA GAMES: cards pass through open keep areas into hands, hands buy
score cards.

Three to five players, two decks from ace to ten with one Joker (33). A turn is one main action (A keep two cards,
B collect one's keep cards, C swap them with somebody, D claim score cards), the end check, filling up the common
cards, a shuffle if the Joker came out, and perhaps Once More. Numbers in brackets are lines of the rule sheet, 7.x
are house rules.

Zones: ``common``, ``keep:<seat>``, ``discard`` (pile), ``stock`` (face down), ``joker`` (the Joker put aside),
``hand:<seat>``.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from companion.cards import deck
from companion.games.common import form_first, foul, misfit, once_a_state, replace, unproven
from companion.games.contract import Game, Setup
from companion.games.setup import checked_setup, chosen_seat
from companion.games.trading_poker.actions import claim, collect, give, swap, take
from companion.games.trading_poker.claims import claim_doubts, claim_faults, claim_prompts
from companion.games.trading_poker.faults import known_better, refill_faults
from companion.games.trading_poker.knowledge import JOKER, Knowledge
from companion.games.trading_poker.options import OPTIONS, Rules
from companion.games.trading_poker.phases import after_main, discard, next_player, refilled, use_once_more
from companion.games.trading_poker.prompts import MAIN_ACTIONS, main_prompts, take_prompts
from companion.games.trading_poker.state import (
    COMMON,
    HAND,
    Phase,
    State,
    final_winner,
    half,
    in_stock,
    places,
    right_of,
    totals,
)
from companion.games.trading_poker.view import view
from companion.games.trading_poker.world import Deal
from companion.games.values import UNKNOWN, Action, Prompt, Role, ScoreLine, Slot, View, Violation, Zone
from companion.games.world import Chance, World

CLAUSES = {
    "take": "75",
    "collect": "83",
    "swap": "91",
    "give": "99",
    "claim": "111",
    "done": "117",
    "skip": "72",
    "refill": "157",
    "discard": "162",
    "once-more": "168",
    "end-turn": "170",
}
"""Kinds of action, and where the sheet speaks of them."""


class TradingPoker(Game[State]):
    """The referee of Trading Poker."""

    id = "trading-poker"
    least_players = 3
    most_players = 5
    unseen = MappingProxyType({"discard": 99.0})  # backs on a pile tell neither whose they are nor how many
    decks = ("trading",)
    options = OPTIONS

    def start(self, setup: Setup) -> State:
        """Two hidden cards each; the five common cards are about to be turned up. The option `catalogue` may also
        be the TOML text of a catalogue (`catalogue`)."""
        text = dict(setup.options).get("catalogue", "default")
        plain = tuple((name, value) for name, value in setup.options if name != "catalogue")
        setup = checked_setup(self, replace(setup, options=plain))
        chosen, seats = setup.chosen(self), len(setup.players)
        rules = Rules.of({**chosen, "catalogue": text})
        first = chosen_seat(chosen, "start", seats)
        return State(
            rules,
            setup.players,
            rules.catalogue.stacks,
            Knowledge.dealt(seats, HAND),
            keeps=((),) * seats,
            active=first,
            once_more=right_of(first, seats),
        )

    @once_a_state
    def prompts(self, state: State) -> tuple[Prompt, ...]:
        """What is open in the phase."""
        seat = state.active
        match state.phase:
            case Phase.OVER:
                return ()
            case Phase.SETUP | Phase.REFILL:
                # A Joker among the new cards is put aside and replaced, so it may come on top of the missing ones.
                most = COMMON - len(state.common) + (1 if state.knowledge.joker_hidden else 0)
                most = min(most, state.knowledge.in_stock)
                return (Prompt("refill", None, Slot(1, most, None, "stock", "common")),)
            case Phase.MAIN:
                return main_prompts(state)
            case Phase.TAKE:
                return take_prompts(state)
            case Phase.GIVE:
                slot = Slot(1, 1, None, f"hand:{state.giver}", f"hand:{seat}", "down")
                return (Prompt("give", state.giver, slot),)
            case Phase.CLAIM:
                return (*claim_prompts(state), Prompt("done", seat, skipped=Action("done", seat)))
            case Phase.SHUFFLE:
                who = state.discarding[0]
                count = half(state.hand(who))
                slot = Slot(count, count, None, f"hand:{who}", "discard", "down")
                # How many is the rule's, and which nobody sees: whoever plays on says that it was done.
                return (Prompt("discard", who, slot, skipped=Action("discard", who, (UNKNOWN,) * count)),)
            case Phase.ONCE_MORE:
                return (Prompt("once-more", seat), Prompt("end-turn", seat, skipped=Action("end-turn", seat)))

    @form_first
    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        """Turn and phase, keep areas, counts, where a card can come from, and the hand that a claim shows."""
        known = claim_doubts(state, action) if action.kind == "claim" else known_better(state, action)
        if known:
            return known
        prompts = _meant(state, action, self.prompts)
        wrong = misfit(prompts, action, CLAUSES, state.seats, deck("trading"), _clause)
        if wrong:
            return wrong
        match action.kind:
            case "claim":
                return claim_faults(state, action)
            case "refill":
                return refill_faults(state, action.cards)
            case "take" if action.arg("source") == "stock" and not in_stock(state, action.cards[0]):
                return (foul("card-elsewhere", "33", action.cards, where=places(state, action.cards)),)
            case "skip" if state.hand(state.active) >= HAND and any(state.stacks):
                return (unproven("claim-perhaps-possible", "72"),)
        return ()

    def full(self, state: State, action: Action) -> bool:
        """Only a Joker among the new cards brings one more."""
        missing = COMMON - len(state.common)
        return action.kind == "refill" and len(action.cards) >= missing and JOKER not in action.cards

    def apply(self, state: State, action: Action) -> State:
        """The next state; a fouled action counts as it lies, an action without any meaning changes nothing."""
        seat = action.seat
        if action.kind == "refill":
            return refilled(state, action.cards)
        if state.phase is Phase.OVER or seat is None or not 0 <= seat < state.seats:
            return state
        match action.kind:
            case "take":
                return take(state, seat, action)
            case "collect" if state.phase is Phase.MAIN:
                return collect(state, seat)
            case "swap" if state.phase is Phase.MAIN:
                return swap(state, seat, action)
            case "give" if state.phase is Phase.GIVE:
                return give(state, seat)
            case "claim":
                return claim(state, seat, action)
            case "done" | "skip" if state.phase in (Phase.MAIN, Phase.CLAIM) and seat == state.active:
                return after_main(state)
            case "discard" if state.phase is Phase.SHUFFLE:
                return discard(state, seat, len(action.cards))
            case "once-more" if state.phase in (Phase.ONCE_MORE, Phase.MAIN):
                return use_once_more(state, seat)
            case "end-turn" if state.phase is Phase.ONCE_MORE:
                return next_player(state)
        return state

    def expected_table(self, state: State) -> tuple[Zone, ...]:
        """Common and keep cards face up, the Joker when it is aside, two piles."""
        down = state.knowledge.held[-1]
        keeps = tuple(Zone(f"keep:{seat}", cards) for seat, cards in enumerate(state.keeps))
        return (
            Zone("common", state.common),
            *keeps,
            Zone("joker", (JOKER,) if state.joker_out else ()),
            Zone("discard", state.pile, down, pile=True, open=True),
            Zone("stock", down=state.knowledge.in_stock, pile=True),
        )

    def whereabouts(self, state: State) -> tuple[Zone, ...]:
        """The table and the hands: the cards certainly there, and how many more."""
        hands = []
        for seat in range(state.seats):
            known = state.knowledge.certain(seat)
            hands.append(Zone(f"hand:{seat}", known, state.hand(seat) - len(known)))
        table = (replace(zone, open=False) for zone in self.expected_table(state))
        return (*table, *hands)

    def scores(self, state: State) -> tuple[ScoreLine, ...]:
        """One line for each score card won."""
        return state.lines

    def winners(self, state: State) -> tuple[int, ...]:
        """Always exactly one (177-179)."""
        return (final_winner(totals(state), state.once_more),) if state.phase is Phase.OVER else ()

    def view(self, state: State, role: Role) -> View:
        """Won cards may be looked at at any time (184); what is known of hands, by their owners and book-keepers."""
        return view(state, self.prompts(state), role)

    def world(self, setup: Setup, chance: Chance) -> World[State]:
        """True hands and a true stock for bots and tests."""
        return Deal(self, setup, chance)


def _clause(kind: str) -> str:
    return CLAUSES.get(kind, "71")


def _meant(state: State, action: Action, every: Callable[[State], tuple[Prompt, ...]]) -> tuple[Prompt, ...]:
    """The prompts of the action's own choice (that source, that target, that hand), if there are any, else `every`
    prompt: what is wrong is then said about those. A main action looks at its own kind first, which is quick where it
    is no claim."""
    own = MAIN_ACTIONS.get(action.kind) if state.phase is Phase.MAIN and action.kind != "claim" else None
    prompts = (own(state) if own else ()) or every(state)
    meant = tuple(
        prompt
        for prompt in prompts
        if (prompt.kind, prompt.seat) == (action.kind, action.seat)
        and all(action.arg(choice.name) in choice.values for choice in prompt.choices)
    )
    return meant or prompts
