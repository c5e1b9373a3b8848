"""Finds the actions that explain what is seen: fills every open prompt with the cards that came, and compares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from companion.games import UNKNOWN, Action, Game, Prompt, Slot, Zone
from companion.games.implied import is_foul, ways_on
from companion.table.compare import difference, newcomers, up
from companion.vision.types import SeenCard, Side

Placed = Mapping[str, tuple[SeenCard, ...]]

MOST_CHOICES = 64
"""So many combinations of a prompt's choices are tried."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An action that explains what is seen.

    `cards`: the cards that came; `zones`: the visible zones that it changes; `foul`: its violations are; `leaving`:
    cards leave a visible zone by it, and none comes; `left`: how many visible zones still differ after it.
    """

    action: Action
    cards: tuple[SeenCard, ...]
    zones: tuple[str, ...]
    foul: bool
    leaving: bool
    left: int

    @property
    def evidence(self) -> tuple[str, ...]:
        """Keys of the pictures it was read from."""
        return tuple(card.crop for card in self.cards if card.crop is not None)


def explain(game: Game[Any], state: Any, placed: Placed) -> list[Proposal]:
    """All actions open in `state` after which the game expects what is seen, legal ones first.

    `placed`: the cards of every zone that can be seen. An action explains when the visible zones it changes look
    afterwards as they are seen, and did not before.
    """
    before = {zone.id: zone for zone in game.expected_table(state)}
    found: dict[Action, Proposal] = {}
    for prompt, there, early in _open(game, state):
        if early and any(not proposal.foul for proposal in found.values()):
            break
        for action, cards in _filled(prompt, before, placed):
            foul = is_foul(game.check(there, action))
            if early and (foul or not cards):
                continue
            after = {zone.id: zone for zone in game.expected_table(game.apply(there, action))}
            changed = _changed(before, after, placed)
            if changed and _fits(before, after, changed, placed, came=bool(cards)):
                leaving = not cards and any(_departed(before[z], after.get(z, Zone(z))) for z in changed if z in before)
                left = sum(bool(difference(after[z], placed[z])) for z in placed if z in after)
                found.setdefault(action, Proposal(action, cards, changed, foul, leaving, left))
    return sorted(found.values(), key=lambda p: p.foul)


def _open(game: Game[Any], state: Any) -> Iterator[tuple[Prompt, Any, bool]]:
    """The open prompts, each with the state it is open in, and whether a step is left out before it (`early`). That
    something was left out is told by new cards that are in order, and only when nothing explains them without it."""
    for skipped, there in ways_on(game, state):
        for prompt in game.prompts(there):
            yield prompt, there, bool(skipped)


def arrivals(prompt: Prompt, before: Mapping[str, Zone], placed: Placed) -> list[SeenCard]:
    """The new cards in the visible target of a prompt, on the side it asks for, in the order seen."""
    slot = prompt.slot
    if slot is None or slot.target is None or slot.target not in placed:
        return []
    expected, seen = before.get(slot.target, Zone(slot.target)), placed[slot.target]
    sides = [side for side in Side if slot.side in (side.value, "any")]
    new = [card for side in sides for card in newcomers(expected, seen, side)]
    return [card for card in seen if card in new]


def _filled(
    prompt: Prompt, before: Mapping[str, Zone], placed: Placed
) -> Iterator[tuple[Action, tuple[SeenCard, ...]]]:
    """The actions that this prompt and the cards seen make together."""
    for faces, cards in _cards(prompt, before, placed):
        for values in islice(product(*(choice.values for choice in prompt.choices)), MOST_CHOICES):
            named = dict(zip((choice.name for choice in prompt.choices), values, strict=True))
            yield Action.of(prompt.kind, prompt.seat, faces, **named), cards


def _cards(
    prompt: Prompt, before: Mapping[str, Zone], placed: Placed
) -> Iterator[tuple[tuple[str, ...], tuple[SeenCard, ...]]]:
    slot = prompt.slot
    if slot is None:
        yield (), ()
    elif slot.target is not None and slot.target in placed:
        new = arrivals(prompt, before, placed)
        if slot.side == "down" and before.get(slot.target, Zone(slot.target)).pile:
            # Nobody can count the backs of a pile: how many came has to follow from the prompt.
            new = [card for card in new[:1] for _ in range(slot.least)] if slot.least == slot.most else []
        faces = tuple(UNKNOWN if card.side is Side.DOWN else card.face for card in new)
        if new and slot.least <= len(new) <= slot.most and None not in faces:
            yield tuple(face for face in faces if face is not None), tuple(new)
    elif slot.source is not None and slot.source in placed:
        yield from ((faces, ()) for faces in _taken(slot.source, slot, before, placed[slot.source]))


def _taken(source: str, slot: Slot, before: Mapping[str, Zone], seen: Sequence[SeenCard]) -> Iterator[tuple[str, ...]]:
    """Cards that left the visible source of a slot whose target cannot be seen."""
    expected = before.get(source)
    if expected is None or expected.pile or any(card.face is None for card in up(seen)):
        return
    missing = tuple((Counter(expected.cards) - Counter(card.face for card in up(seen) if card.face)).elements())
    if missing and slot.least <= len(missing) <= slot.most:
        yield missing


def _changed(before: Mapping[str, Zone], after: Mapping[str, Zone], placed: Placed) -> tuple[str, ...]:
    """Visible zones whose expected cards differ."""
    zones = [z for z in placed if z in before or z in after]
    return tuple(z for z in zones if _claim(before.get(z, Zone(z))) != _claim(after.get(z, Zone(z))))


def _claim(zone: Zone) -> tuple[tuple[str, ...], int]:
    return tuple(sorted(zone.cards)), zone.down


def _fits(
    before: Mapping[str, Zone], after: Mapping[str, Zone], changed: Sequence[str], placed: Placed, *, came: bool
) -> bool:
    """All changed zones look as expected afterwards, and at least one did not before."""
    news = any(difference(before.get(z, Zone(z)), placed[z]) for z in changed)
    return news and all(_agrees(before.get(z, Zone(z)), after.get(z, Zone(z)), placed[z], came=came) for z in changed)


def _agrees(before: Zone, after: Zone, seen: Sequence[SeenCard], *, came: bool) -> bool:
    """A zone looks as expected after an action.

    In an open zone further cards may lie, but none that should have left. From a zone that only gives cards for
    others to come (`came`), more may be gone already: by the next action.
    """
    wrong = difference(after, seen)
    if not wrong:
        return True
    departed = _departed(before, after)
    odd = wrong.unnamed or wrong.down
    if came and departed and not _departed(after, before) and not odd and not wrong.extra:
        return True
    if not after.open or wrong.missing or wrong.down:
        return False
    return not departed or (not wrong.unnamed and not departed & Counter(wrong.extra))


def _departed(before: Zone, after: Zone) -> Counter[str]:
    return Counter(before.cards) - Counter(after.cards)
