"""A hand that only its owner knows, weighed by the referee: can it be, and what would each open action be worth.

Nothing here is an event. The match is asked "what if", with cards it has never seen, and forgets the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from companion.games import Action, Msg, Prompt, Role, Verdict, Violation
from companion.games.implied import is_foul, judged
from companion.referee.match import Match

MOST_CHOICES = 12
"""So many combinations of choices are tried for one action."""


@dataclass(frozen=True, slots=True)
class Play:
    """An open action with cards of the hand: what the referee would say, and what the place would be worth then."""

    prompt: Prompt
    cards: tuple[str, ...]
    verdict: Verdict
    violations: tuple[Violation, ...] = ()
    note: Msg | None = None


@dataclass(frozen=True, slots=True)
class Weighed:
    """`notes`: what is wrong with the hand itself; `plays`: what its owner can do with it now."""

    notes: tuple[Violation, ...]
    plays: tuple[Play, ...]


def weigh_hand(match: Match, seat: int, cards: tuple[str, ...]) -> Weighed:
    """Weigh `cards`, all that `seat` holds in hand now. Never raises on odd cards: they get a code."""
    return Weighed(tuple(_notes(match, seat, cards)), tuple(_plays(match, seat, cards)))


def _notes(match: Match, seat: int, cards: tuple[str, ...]) -> Iterator[Violation]:
    """Cards the deck does not have, copies that lie elsewhere already, a hand of another size."""
    places = match.game.whereabouts(match.state)
    own = f"hand:{seat}"
    elsewhere = Counter(face for zone in places if zone.id != own for face in zone.cards)
    for face, count in Counter(cards).items():
        if face not in match.deck:
            yield Violation("not-in-deck", "", (face,), (("face", face), ("deck", match.deck.name)))
        elif count + elsewhere[face] > match.deck.copies(face):
            params = (("face", face), ("copies", count + elsewhere[face]), ("holds", match.deck.copies(face)))
            where = ", ".join([own] * count + [zone.id for zone in places for _ in range(zone.cards.count(face))])
            yield Violation("too-many-copies", "", (face,), (*params, ("where", where), ("seen", "")))
    held = match.view(Role("seat", seat)).players[seat].hand
    if held is not None and len(held) != len(cards):
        yield Violation("wrong-count", "", (), (("count", len(cards)), ("allowed", str(len(held)))))


def _plays(match: Match, seat: int, cards: tuple[str, ...]) -> Iterator[Play]:
    own = f"hand:{seat}"
    for prompt in match.prompts():
        slot = prompt.slot
        if prompt.seat != seat or slot is None or slot.side == "down" or slot.source not in (None, own):
            continue
        if slot.least <= len(cards) <= slot.most:
            yield _tried(match, prompt, cards, cards)
        elif slot.least <= 1 <= slot.most:
            for face in dict.fromkeys(cards):
                yield _tried(match, prompt, (face,), cards)


def _tried(match: Match, prompt: Prompt, laid: tuple[str, ...], hand: tuple[str, ...]) -> Play:
    """The best that can be said of an action, over its choices."""
    names = [choice.name for choice in prompt.choices]
    found: list[Play] = []
    for number, values in enumerate(product(*(choice.values for choice in prompt.choices))):
        if number == MOST_CHOICES or (found and found[-1].verdict is Verdict.LEGAL):
            break
        action = Action.of(prompt.kind, prompt.seat, laid, **dict(zip(names, values, strict=True)))
        found.append(_judged(match, prompt, action, hand))
    order = (Verdict.LEGAL, Verdict.UNPROVEN, Verdict.FOUL)
    return min(found, key=lambda play: order.index(play.verdict))


def _judged(match: Match, prompt: Prompt, action: Action, hand: tuple[str, ...]) -> Play:
    game = match.game
    _, state, violations = judged(game, match.state, action)
    if is_foul(violations):
        return Play(prompt, action.cards, Verdict.FOUL, violations)
    rest = Counter(hand) - Counter(action.cards)
    doubts = [_settled(match, violation, rest) for violation in violations]
    left = tuple(violation for violation in doubts if violation is not None)
    verdict = max((v.verdict for v in left), key=list(Verdict).index, default=Verdict.LEGAL)
    return Play(prompt, action.cards, verdict, left, _note(match, game.apply(state, action), prompt))


def _settled(match: Match, doubt: Violation, rest: Counter[str]) -> Violation | None:
    """A doubt about the suits in a hand, settled by the hand: a foul with the cards that make it one, or None. Any
    other doubt stays."""
    suit = dict(doubt.params).get("suit")
    if suit is None:
        return doubt
    held = tuple(face for face in rest if face in match.deck and match.deck.face(face).suit == suit)
    return replace(doubt, cards=held, verdict=Verdict.FOUL) if held else None


def _note(match: Match, after: Any, prompt: Prompt) -> Msg | None:
    """What the place is worth then, where a game says so (a hand's category)."""
    target = prompt.slot.target if prompt.slot else None
    zones = match.game.view(after, Role("seat", prompt.seat)).zones
    return next((zone.note for zone in zones if zone.id == target), None)
