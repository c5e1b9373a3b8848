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
from typing import Any

from companion.cards import deck
from companion.games.common import checked_setup, foul, misfit, once_a_state, replace, unproven, without
from companion.games.contract import (
    Action,
    Game,
    Msg,
    Option,
    Prompt,
    Role,
    ScoreLine,
    Setup,
    SetupError,
    Slot,
    View,
    Violation,
    Zone,
)
from companion.games.trading_poker.catalogue import OWN_CATALOGUE, catalogue
from companion.games.trading_poker.claims import claim_doubts, claim_faults, claim_prompts
from companion.games.trading_poker.faults import known_better, refill_faults
from companion.games.trading_poker.knowledge import FACES, JOKER, Knowledge
from companion.games.trading_poker.prompts import MAIN_ACTIONS, can_take, main_prompts, take_prompts
from companion.games.trading_poker.state import (
    COMMON,
    HAND,
    KEEP,
    Phase,
    Rules,
    State,
    drawable,
    ends,
    final_winner,
    half,
    in_stock,
    right_of,
    totals,
    turned_up,
)
from companion.games.trading_poker.view import view
from companion.games.trading_poker.world import TradingWorld
from companion.games.world import Chance, World
from companion.hands import trading

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
    decks = ("trading",)
    options = (
        *(
            Option(rule.name, rule.values, rule.clause, free=OWN_CATALOGUE if rule.name == "catalogue" else 0)
            for rule in trading.HOUSE_RULES
        ),
        Option("c_take", ("all", "up_to"), "7.4"),
        Option("d_empty", ("forbidden", "allowed"), "7.5"),
        Option("end_kinds", ("catalogue", *(str(n) for n in range(1, 11))), "7.6"),
        Option("end_check", ("after_action", "immediate"), "7.7"),
        Option("shuffle", ("repeat", "once_per_turn"), "7.8"),
        Option("discard", ("closed", "open"), "7.12"),
        Option("start", ("1", "2", "3", "4", "5"), "45"),
    )

    def start(self, setup: Setup) -> State:
        """Two hidden cards each; the five common cards are about to be turned up. The option `catalogue` may also
        be the TOML text of a catalogue (`_trading_catalogue`)."""
        text = dict(setup.options).get("catalogue", "default")
        plain = tuple((name, value) for name, value in setup.options if name != "catalogue")
        setup = checked_setup(self, replace(setup, options=plain))
        chosen = setup.chosen(self)
        cards = catalogue(text)
        if chosen["end_kinds"] != "catalogue":
            if int(chosen["end_kinds"]) >= len(cards.kinds):
                raise SetupError(f"end_kinds is less than the {len(cards.kinds)} kinds, not {chosen['end_kinds']}")
            cards = replace(cards, end_kinds=int(chosen["end_kinds"]))
        seats, first = len(setup.players), int(chosen["start"]) - 1
        if first >= seats:
            raise SetupError(f"one of the {seats} players starts, not player {first + 1}")
        hand_options = tuple((name, chosen[name]) for name in ("no_pair", "no_pair_cards", "exact_count"))
        rules = Rules(
            cards,
            tuple(trading.cards_of(kind, dict(hand_options)) for kind in cards.kinds),
            hand_options,
            exact_count=chosen["exact_count"] == "yes",
            take_up_to=chosen["c_take"] == "up_to",
            empty_claim=chosen["d_empty"] == "allowed",
            end_at_once=chosen["end_check"] == "immediate",
            once_per_turn=chosen["shuffle"] == "once_per_turn",
            open_pile=chosen["discard"] == "open",
        )
        return State(
            rules,
            setup.players,
            cards.stacks,
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
                return (*claim_prompts(state), Prompt("done", seat))
            case Phase.SHUFFLE:
                who = state.discarding[0]
                count = half(state.hand(who))
                return (Prompt("discard", who, Slot(count, count, None, f"hand:{who}", "discard", "down")),)
            case Phase.ONCE_MORE:
                return (Prompt("once-more", seat), Prompt("end-turn", seat))

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
                return (foul("card-elsewhere", "33", action.cards),)
            case "skip" if state.hand(state.active) >= HAND and any(state.stacks):
                return (unproven("claim-perhaps-possible", "72"),)
        return ()

    def apply(self, state: State, action: Action) -> State:
        """The next state; a fouled action counts as it lies, an action without any meaning changes nothing."""
        seat = action.seat
        if action.kind == "refill":
            return _refilled(state, action.cards)
        if state.phase is Phase.OVER or seat is None or not 0 <= seat < state.seats:
            return state
        match action.kind:
            case "take":
                return _take(state, seat, action)
            case "collect" if state.phase is Phase.MAIN:
                return _collect(state, seat)
            case "swap" if state.phase is Phase.MAIN:
                return _swap(state, seat, action)
            case "give" if state.phase is Phase.GIVE:
                return _give(state, seat)
            case "claim":
                return _claim(state, seat, action)
            case "done" | "skip" if state.phase in (Phase.MAIN, Phase.CLAIM) and seat == state.active:
                return _after_main(state)
            case "discard" if state.phase is Phase.SHUFFLE:
                return _discard(state, seat, len(action.cards))
            case "once-more" if state.phase in (Phase.ONCE_MORE, Phase.MAIN):
                return _once_more(state, seat)
            case "end-turn" if state.phase is Phase.ONCE_MORE:
                return _next_player(state)
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
        return TradingWorld(self, setup, chance)


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


# --- the main action (70-152) ----------------------------------------------------------------------------------------


def _take(state: State, seat: int, action: Action) -> State:
    """A card from the common row or the stock into the keep area (75, 83)."""
    if len(action.cards) != 1 or state.phase is Phase.SETUP:
        return state
    card, source = action.cards[0], action.arg("source")
    if source == "common" and card in state.common:
        state = replace(state, common=without(state.common, (card,)))
    elif source == "stock" and card == JOKER and state.knowledge.joker_hidden:
        return _taking(turned_up(state, JOKER), seat, 0)
    elif source == "stock" and card in FACES and state.knowledge.in_stock:
        drawn = turned_up(state, card)
        if drawn is state:
            return state
        state = drawn
    else:
        return state
    return _taking(replace(state, keeps=_put(state.keeps, seat, (*state.keeps[seat], card))), seat, 1)


def _taking(state: State, seat: int, taken: int) -> State:
    """Go on taking, or end the main action when enough is taken or nothing is left. `taken` 0: it was the Joker,
    which is replaced. In any other phase, or by another player, a card only lies where it was put."""
    if seat != state.active or state.phase not in (Phase.MAIN, Phase.TAKE):
        return state
    left = (KEEP if state.phase is Phase.MAIN else state.takes) - taken
    state = replace(state, phase=Phase.TAKE, takes=left, replacing=not taken)
    return state if left and can_take(state) else _after_main(state)


def _collect(state: State, seat: int) -> State:
    """B: all own keep cards into the hand, then one new keep card (83)."""
    state = _keep_to_hand(state, seat, state.keeps[seat], seat)
    if seat != state.active:
        return state
    state = replace(state, phase=Phase.TAKE, takes=1)
    return state if can_take(state) else _after_main(state)


def _keep_to_hand(state: State, owner: int, cards: tuple[str, ...], to: int) -> State:
    return replace(
        state,
        keeps=_put(state.keeps, owner, without(state.keeps[owner], cards)),
        knowledge=state.knowledge.hidden(cards, to),
    )


def _swap(state: State, seat: int, action: Action) -> State:
    """C: own keep cards to the other's hand, his to one's own (94-98); then he gives one card face down (99)."""
    other = action.arg("target")
    if type(other) is not int or not 0 <= other < state.seats or other == seat:
        return state
    wanted = without(state.keeps[other], without(state.keeps[other], action.cards))
    state = _keep_to_hand(state, seat, state.keeps[seat], other)
    state = _keep_to_hand(state, other, wanted, seat)
    if seat != state.active or not state.hand(other):
        return state
    return replace(state, phase=Phase.GIVE, giver=other)


def _give(state: State, seat: int) -> State:
    if not state.hand(seat) or seat == state.active:
        return state
    state = replace(state, knowledge=state.knowledge.passed(seat, state.active))
    return _after_main(replace(state, giver=-1)) if seat == state.giver else state


def _claim(state: State, seat: int, action: Action) -> State:
    """D: cards from the hand to the discards, the top score card of the kind to the player (111-117)."""
    knowledge: Knowledge | None = state.knowledge
    for card in action.cards:
        if card not in FACES or knowledge is None or not knowledge.held[seat]:
            return state
        knowledge = knowledge.seen(card, seat)
    if knowledge is None or not action.cards or state.phase is Phase.SETUP:
        return state
    state = replace(state, knowledge=knowledge, pile=state.pile + action.cards)
    kind, kinds = action.arg("hand"), state.rules.catalogue.kinds
    if kind in kinds and state.stack(kind):
        at = kinds.index(kind)
        line = ScoreLine(
            seat, state.stacks[at][0], Msg.of("score.trading.card", hand=Msg(f"category.{kind}")), action.cards
        )
        state = replace(state, stacks=_put(state.stacks, at, state.stacks[at][1:]), lines=(*state.lines, line))
    if seat != state.active or state.phase not in (Phase.MAIN, Phase.CLAIM):
        return state
    if not state.hand(seat) or (state.rules.end_at_once and _at_end(state)):
        return _after_main(state)
    return replace(state, phase=Phase.CLAIM)


# --- the rest of a turn (154-170) ------------------------------------------------------------------------------------


def _at_end(state: State) -> bool:
    return ends(state.kinds_left, state.rules.catalogue.end_kinds)


def _after_main(state: State) -> State:
    """The end check (155), then the common cards."""
    state = replace(state, takes=0, replacing=False, giver=-1)
    return _finish(state) if _at_end(state) else _refill(state)


def _refill(state: State) -> State:
    if len(state.common) < COMMON and drawable(state):
        return replace(state, phase=Phase.REFILL)
    return _shuffle(state)


def _refilled(state: State, cards: tuple[str, ...]) -> State:
    """Cards turned up into the common row (157-159); at the start five of them, before the Joker comes in (43-44)."""
    if state.phase is Phase.OVER:
        return state
    for card in cards:
        turned = state
        if state.knowledge.in_stock and (card in FACES or (card == JOKER and state.knowledge.joker_hidden)):
            turned = turned_up(state, card)
        if turned is not state and card != JOKER:
            turned = replace(turned, common=(*turned.common, card))
        state = turned
    if state.phase is Phase.SETUP and len(state.common) >= COMMON:
        return replace(state, phase=Phase.MAIN, joker_out=False, knowledge=state.knowledge.shuffled(()))
    return _refill(state) if state.phase is Phase.REFILL else state


def _shuffle(state: State) -> State:
    """If the Joker came out, everybody from the active player on discards half of his hand (161-163)."""
    if not state.joker_out or (state.shuffled and state.rules.once_per_turn):
        return _once_more_offer(state)
    order = [(state.active + step) % state.seats for step in range(state.seats)]
    due = tuple(seat for seat in order if state.hand(seat))
    state = replace(state, phase=Phase.SHUFFLE, discarding=due)
    return state if due else _merge(state)


def _discard(state: State, seat: int, count: int) -> State:
    if seat not in state.discarding:
        return state
    knowledge = state.knowledge.passed(seat, state.knowledge.stock + 1, count)
    left = tuple(other for other in state.discarding if other != seat)
    state = replace(state, knowledge=knowledge, discarding=left)
    return state if left else _merge(state)


def _merge(state: State) -> State:
    """Discards, stock and Joker become the new stock (164); then the common cards again (165)."""
    knowledge = state.knowledge.shuffled(state.pile)
    return _refill(replace(state, knowledge=knowledge, pile=(), joker_out=False, shuffled=True))


def _once_more_offer(state: State) -> State:
    if state.active == state.once_more:
        return replace(state, phase=Phase.ONCE_MORE)
    return _next_player(state)


def _once_more(state: State, seat: int) -> State:
    """Once More goes to the right neighbour, and its user has another turn (167-169)."""
    return replace(state, phase=Phase.MAIN, active=seat, once_more=right_of(seat, state.seats), shuffled=False)


def _next_player(state: State) -> State:
    """The turn goes to the left neighbour (170)."""
    return replace(state, phase=Phase.MAIN, active=(state.active + 1) % state.seats, shuffled=False)


def _finish(state: State) -> State:
    """Add up (176); one winner always (177-179)."""
    points = totals(state)
    best = final_winner(points, state.once_more)
    tied = points.count(max(points)) > 1
    key = "result.trading.tie-break" if tied else "result.trading.winner"
    result = Msg.of(key, player=best, points=points[best], owner=state.once_more)
    return replace(state, phase=Phase.OVER, results=(result,))


def _put(items: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*items[:at], value, *items[at + 1 :])
