"""The main actions of Trading Poker (70-152): take, collect, swap and give, claim. Numbers in brackets are lines of the
rule sheet, 7.x are house rules."""

from __future__ import annotations

from companion.games.common import put, replace, without
from companion.games.trading_poker.knowledge import FACES, JOKER, Knowledge
from companion.games.trading_poker.phases import after_main, at_end
from companion.games.trading_poker.prompts import can_take
from companion.games.trading_poker.state import KEEP, Phase, State, turned_up
from companion.games.values import Action, Msg, ScoreLine


def take(state: State, seat: int, action: Action) -> State:
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
    return _taking(replace(state, keeps=put(state.keeps, seat, (*state.keeps[seat], card))), seat, 1)


def _taking(state: State, seat: int, taken: int) -> State:
    """Go on taking, or end the main action when enough is taken or nothing is left. `taken` 0: it was the Joker,
    which is replaced. In any other phase, or by another player, a card only lies where it was put."""
    if seat != state.active or state.phase not in (Phase.MAIN, Phase.TAKE):
        return state
    left = (KEEP if state.phase is Phase.MAIN else state.takes) - taken
    state = replace(state, phase=Phase.TAKE, takes=left, replacing=not taken)
    return state if left and can_take(state) else after_main(state)


def collect(state: State, seat: int) -> State:
    """B: all own keep cards into the hand, then one new keep card (83)."""
    state = _keep_to_hand(state, seat, state.keeps[seat], seat)
    if seat != state.active:
        return state
    state = replace(state, phase=Phase.TAKE, takes=1)
    return state if can_take(state) else after_main(state)


def _keep_to_hand(state: State, owner: int, cards: tuple[str, ...], to: int) -> State:
    return replace(
        state,
        keeps=put(state.keeps, owner, without(state.keeps[owner], cards)),
        knowledge=state.knowledge.hidden(cards, to),
    )


def swap(state: State, seat: int, action: Action) -> State:
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


def give(state: State, seat: int) -> State:
    """The card owed for a swap goes over, face down (99)."""
    if not state.hand(seat) or seat == state.active:
        return state
    state = replace(state, knowledge=state.knowledge.passed(seat, state.active))
    return after_main(replace(state, giver=-1)) if seat == state.giver else state


def claim(state: State, seat: int, action: Action) -> State:
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
        state = replace(state, stacks=put(state.stacks, at, state.stacks[at][1:]), lines=(*state.lines, line))
    if seat != state.active or state.phase not in (Phase.MAIN, Phase.CLAIM):
        return state
    if not state.hand(seat) or (state.rules.end_at_once and at_end(state)):
        return after_main(state)
    return replace(state, phase=Phase.CLAIM)
