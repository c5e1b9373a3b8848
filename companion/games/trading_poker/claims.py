"""Action D of Trading Poker: which score cards may be claimed, and what is wrong with a claim (110-152)."""

from __future__ import annotations

from functools import lru_cache

from companion.games.common import foul
from companion.games.trading_poker.knowledge import FACES, JOKER, Knowledge
from companion.games.trading_poker.state import Phase, State, places
from companion.games.values import Action, Choice, Prompt, Slot, Violation
from companion.hands import trading

MOST_CARDS = 10
"""Where more cards than needed may be thrown in (7.3): so many in one claim, however many the hand has."""


def claim_prompts(state: State) -> tuple[Prompt, ...]:
    """One prompt for each number of cards that buys something; the kind is chosen with the cards."""
    seat, held = state.active, state.hand(state.active)
    open_kinds: dict[int, list[str]] = {}
    for kind, size, stack in zip(state.rules.catalogue.kinds, state.rules.sizes, state.stacks, strict=True):
        if stack and size <= held:
            open_kinds.setdefault(size, []).append(kind)
    if not open_kinds:
        return ()
    exact = state.rules.exact_count
    faces = state.knowledge.possible(seat) if exact else None
    found = []
    for size, kinds in sorted(open_kinds.items()):
        slot = Slot(size, size if exact else max(size, min(held, MOST_CARDS)), faces, f"hand:{seat}", "discard")
        found.append(Prompt("claim", seat, slot, (Choice("hand", tuple(kinds)),)))
    return tuple(found)


def claim_doubts(state: State, action: Action) -> tuple[Violation, ...]:
    """What a claim in turn lacks before its cards are looked at as a hand: its stack, different cards (118, 128)."""
    if state.phase not in (Phase.MAIN, Phase.CLAIM) or action.seat != state.active:
        return ()
    kind, found = action.arg("hand"), []
    if kind in state.rules.catalogue.kinds and not state.stack(kind):
        found.append(foul("stack-empty", "118", category=kind))
    elif (needs := dict(zip(state.rules.catalogue.kinds, state.rules.sizes, strict=True)).get(kind, 0)) > (
        holds := state.hand(state.active)
    ):
        found.append(foul("hand-too-small", "111", seat=state.active, category=kind, needs=needs, holds=holds))
    double = [card for card in dict.fromkeys(action.cards) if card in FACES and action.cards.count(card) > 1]
    if double and state.rules.exact_count:
        found.append(foul("same-card-twice", "128", double))
    elsewhere = _not_in_hand(state.knowledge, state.active, action.cards)
    if elsewhere and not found and state.hand(state.active) >= len(action.cards):
        found.append(foul("card-elsewhere", "33", elsewhere, where=places(state, elsewhere)))
    return tuple(found)


def claim_faults(state: State, action: Action) -> tuple[Violation, ...]:
    """The cards of a claim that fits a prompt have to make the kind (111-115)."""
    kind = action.arg("hand")
    if kind not in kinds_of(action.cards, state.rules.hand_options):
        return (foul("not-the-hand", "111", action.cards, category=kind),)
    return ()


@lru_cache(maxsize=8192)
def kinds_of(cards: tuple[str, ...], options: tuple[tuple[str, str], ...]) -> frozenset[str]:
    """What these cards may be claimed as, under `Rules.hand_options`."""
    return trading.kinds(cards, dict(options))


def _not_in_hand(knowledge: Knowledge, seat: int, cards: tuple[str, ...]) -> tuple[str, ...]:
    """Those of `cards` that cannot all have been in this hand: every copy is known to be elsewhere."""
    strange = []
    known: Knowledge | None = knowledge
    for card in cards:
        if card in FACES and known is not None and known.can(card, seat):
            known = known.seen(card, seat)
        elif card in FACES or card == JOKER:  # the Joker is in no hand: the stock's, or put aside
            strange.append(card)
    return tuple(strange)
