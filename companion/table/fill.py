"""Fills what the game has open with what lies on the table: every action that the cards seen could have been.

Nothing here judges. What comes out of it is tried against the whole table by `companion.table.beam`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from typing import Any

from companion.games import UNKNOWN, Action, Game, Prompt, Slot, Zone
from companion.games.implied import is_foul
from companion.table.misfit import seen_twice
from companion.table.sight import Sight
from companion.vision.types import SeenCard, Side

MOST_CHOICES = 64
"""So many combinations of a prompt's choices are tried."""
MOST_WAYS = 24
"""So many ways of filling one slot are tried."""
MOST_MOVED_ON = 2
"""So many cards of an action may have been moved on before all of them were seen to lie together."""
MOVED_ON = 4.0
"""They were read in their new place so soon after the last one here, s: else they would have been seen to lie here."""
_NONE: Mapping[str, Collection[int]] = {}
_FACES = 3
_LEAST_CHANCE = 0.04
_RATHER = 0.5


@dataclass(frozen=True, slots=True)
class Filled:
    """An action with the cards it was read from. `price`: what it costs to read them so; `unread`: those of them that
    have no name yet, whose faces are only their likeliest candidates; `elsewhere`: the cards do not lie where the
    action put them, so another action must have moved them on; `hidden`: others lay on the card before it was seen, and
    its face only stands in for it."""

    action: Action
    cards: tuple[SeenCard, ...] = ()
    price: float = 0.0
    unread: tuple[SeenCard, ...] = ()
    elsewhere: bool = False
    hidden: bool = False

    @property
    def named(self) -> tuple[tuple[SeenCard, str], ...]:
        """The cards and what the action says that they are: of more faces the last ones, the others nobody saw."""
        return tuple(zip(self.cards, self.action.cards[-len(self.cards) :], strict=False)) if self.cards else ()


@dataclass(frozen=True, slots=True)
class Pool:
    """What a state leaves unexplained: cards that `came` to zones and faces that `left` them."""

    before: Mapping[str, Zone]
    came: Mapping[str, tuple[SeenCard, ...]]
    left: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, before: Mapping[str, Zone], sight: Sight, known: Mapping[str, Collection[int]] = _NONE) -> Pool:
        """`known`: numbers of the cards that were seen to lie in a zone as they should: as long as they lie there they
        do not come anew."""
        came, left = {}, {}
        for name, seen in sight.items():
            if not seen.resting:
                continue
            zone = before.get(name, Zone(name))
            old = known.get(name, ())
            cards = sorted(seen.cards, key=lambda card: card.track not in old)  # of two alike the known one was there
            new, gone = newcomers(zone, [card for card in cards if not card.covered or card.track not in old])
            new = tuple(card for card in new if card.side is Side.DOWN or card.track not in old)
            new = tuple(card for card in new if zone.pile or not seen_twice(card, seen.cards))
            if new:
                came[name] = new
            if gone and not zone.pile:
                left[name] = gone
        return cls(before, came, left)


def newcomers(zone: Zone, seen: Sequence[SeenCard]) -> tuple[tuple[SeenCard, ...], tuple[str, ...]]:
    """Cards that `zone` does not account for, oldest first, and faces of it that are not seen."""
    wanted = Counter(zone.cards)
    new: list[SeenCard] = []
    backs = 0
    for card in seen:
        if card.side is Side.DOWN:
            backs += 1
            if backs > (math.inf if zone.pile and zone.down else zone.down):
                new.append(card)
        elif card.face is not None and wanted[card.face] > 0:
            wanted[card.face] -= 1
        else:
            new.append(card)
    return tuple(sorted(new, key=lambda card: card.since)), tuple(wanted.elements())


def fill(prompt: Prompt, pool: Pool, sight: Sight) -> Iterator[Filled]:
    """The actions that this prompt and the cards seen make together."""
    names = [choice.name for choice in prompt.choices]
    ways = list(islice(_cards(prompt.slot, pool, sight), MOST_WAYS))
    for values in islice(product(*(choice.values for choice in prompt.choices)), MOST_CHOICES):
        chosen = dict(zip(names, values, strict=True))
        for cards, faces, price, unread in _less_chosen(ways, values, prompt.slot):
            action = Action.of(prompt.kind, prompt.seat, faces, **chosen)
            yield Filled(action, cards, price, unread, _elsewhere(cards, prompt.slot, pool))


def _elsewhere(cards: Sequence[SeenCard], slot: Slot | None, pool: Pool) -> bool:
    here = pool.came.get(slot.target or "", ()) if slot is not None else ()
    return any(card not in here for card in cards)


def _less_chosen(ways: Sequence[Way], values: Sequence[object], slot: Slot | None) -> Iterator[Way]:
    """The ways of filling a slot, less a card that is named as a choice and moves with the others."""
    for way in ways:
        cards, faces, price, unread = way
        moved = next((n for n, face in enumerate(faces) if face in values), None)
        if moved is not None and len(cards) == len(faces):
            cards, faces = cards[:moved] + cards[moved + 1 :], faces[:moved] + faces[moved + 1 :]
        if slot is None or slot.least <= len(faces) <= slot.most:
            yield cards, faces, price, unread


Way = tuple[tuple[SeenCard, ...], tuple[str, ...], float, tuple[SeenCard, ...]]


def _cards(slot: Slot | None, pool: Pool, sight: Sight) -> Iterator[Way]:
    if slot is None:
        yield (), (), 0.0, ()
        return
    stack = pool.before.get(slot.source or "")
    unseen = stack is not None and stack.pile and stack.down > 0 and slot.target not in sight  # drawn into a hand
    if slot.side == "down" or (slot.side == "any" and (unseen or _backs(slot, pool))):
        yield from _backs_laid(slot, pool, sight)
        if slot.side == "down":
            return
    if slot.least == 0:
        yield (), (), 0.0, ()
    if slot.side == "any" and slot.faces and slot.target not in sight:
        yield from _with_hidden(slot, pool)
    for cards in _groups(slot, pool, sight):
        yield from _named(cards, slot)
    for faces in _taken(slot, pool):
        yield (), faces, 0.0, ()


def _with_hidden(slot: Slot, pool: Pool) -> Iterator[Way]:
    """A card that is shown and goes elsewhere, after as many others as nobody sees."""
    came = (card for cards in pool.came.values() for card in cards if card.side is Side.UP)
    for card in came:
        for cards, faces, price, unread in _named((card,), slot) if _allowed((card,), slot) else ():
            for more in range(max(0, slot.least - 1), slot.most):
                yield cards, (*(UNKNOWN,) * more, *faces), price, unread


def _backs(slot: Slot, pool: Pool) -> list[SeenCard]:
    return [card for card in pool.came.get(slot.target or "", ()) if card.side is Side.DOWN]


def _backs_laid(slot: Slot, pool: Pool, sight: Sight) -> Iterator[Way]:
    """Cards laid face down: as many as there are new backs; where nobody can count them, as many as the slot says."""
    target = slot.target or ""
    backs = _backs(slot, pool)
    if target in sight and not pool.before.get(target, Zone(target)).pile:
        if slot.least <= len(backs) <= slot.most and backs:
            yield tuple(backs), (UNKNOWN,) * len(backs), 0.0, ()
        elif len(backs) > slot.most > 0:
            yield tuple(backs[: slot.most]), (UNKNOWN,) * slot.most, 0.0, ()
        elif slot.least == 0:
            yield (), (), 0.0, ()
        elif backs:
            yield tuple(backs), (UNKNOWN,) * slot.least, 0.0, ()  # two that touch look like one
        return
    for count in range(slot.least, slot.most + 1):
        yield tuple(backs[:count]), (UNKNOWN,) * count, 0.0, ()


def _groups(slot: Slot, pool: Pool, sight: Sight) -> Iterator[tuple[SeenCard, ...]]:
    """New cards that may fill the slot together: those in its place, all or those that came first; else those that
    appeared elsewhere (where the game itself moves the card on)."""
    here = [card for card in pool.came.get(slot.target or "", ()) if card.side is Side.UP]
    own = (slot.target or "").partition(":")[0]
    # From one player's place nothing goes to the same place of another.
    elsewhere = {name: cards for name, cards in pool.came.items() if name.partition(":")[0] != own}
    there = [card for cards in elsewhere.values() for card in cards if card.face or _likely(card)]
    if slot.target not in sight and slot.least < slot.most:
        there = []  # who knows how many more went where nobody sees them
    found: set[tuple[int, ...]] = set()
    first = min((card.since for card in here), default=math.inf)
    earlier = [card for card in there if card.since < first]  # perhaps another action, before that of those here
    pools = [here, *([there] if slot.faces is None or not here else [])]
    for cards in pools:
        for group in _subsets(cards, max(1, slot.least), slot.most + 1):
            key = tuple(card.track for card in group)
            if key not in found and (cards is here or _allowed(group, slot)):
                found.add(key)
                yield group
        if found:
            break
    if here and earlier and slot.faces is None:
        yield from (group for group in _subsets(earlier, max(1, slot.least), slot.most) if _allowed(group, slot))
    both = (*here, *there)
    if here and there and slot.least < slot.most and len(both) <= slot.most and _allowed(both, slot):
        yield both  # one of them the game puts elsewhere
    lacking = slot.least - len(here)
    if here and 0 < lacking <= MOST_MOVED_ON:
        last = max(card.since for card in here)
        soon = [card for card in there if card.since <= last + MOVED_ON]
        for moved in combinations(soon, lacking):  # they lay here, and have been moved on since
            if _allowed((*here, *moved), slot):
                yield (*here, *moved)


def _likely(nameless: SeenCard) -> bool:
    """A card without a name that looks like one face rather than anything else: a joker has no index."""
    return nameless.side is Side.UP and any(one.p >= _RATHER for one in nameless.candidates[:1])


def _subsets(cards: Sequence[SeenCard], least: int, most: int) -> Iterator[tuple[SeenCard, ...]]:
    if least <= len(cards) <= most:
        yield tuple(cards)
    named = [card for card in cards if card.face is not None]
    if len(named) < len(cards) and least <= len(named) <= most:
        yield tuple(named)  # an outline without a name may be a shadow
    found = [card for card in named if not card.covered]
    if len(found) < len(named) and least <= len(found) <= most:
        yield tuple(found)  # what was read once, and is not found again, may have been misread
    moments = sorted({card.since for card in cards})
    for moment in moments[:-1]:
        early = tuple(card for card in cards if card.since <= moment)
        if least <= len(early) <= most:
            yield early
    exact = 1 < least == most - 1
    if len(cards) == most and (exact or len(named) < most) and all(card.face or _likely(card) for card in cards):
        yield from combinations(cards, most - 1)  # one of them is none: the one that was read may be it
    if len(cards) > least == 1:
        yield from combinations(named or cards, 1)  # several people have laid one card each


def _allowed(group: Sequence[SeenCard], slot: Slot) -> bool:
    if slot.faces is None:
        return True
    return not Counter(card.face for card in group if card.face is not None) - Counter(slot.faces)


def _named(cards: tuple[SeenCard, ...], slot: Slot) -> Iterator[Way]:
    """The faces of these cards; of those that have no name, their candidates: of one alone the likeliest few."""
    unread = tuple(card for card in cards if card.face is None)
    likely = [
        [c for c in card.candidates if c.p >= _LEAST_CHANCE and (slot.faces is None or c.face in slot.faces)]
        for card in unread
    ]
    for guess in product(*(found[: _FACES if len(unread) == 1 else 1] for found in likely)):
        named = {card.track: candidate.face for card, candidate in zip(unread, guess, strict=True)}
        faces = tuple(card.face or named[card.track] for card in cards)
        yield cards, faces, sum(-math.log(candidate.p) for candidate in guess), unread


def doubt_of(card: SeenCard, face: str) -> float:
    """How likely it is that a card without a name is none of its candidates, against its being this `face`."""
    other = max(0.01, 1.0 - sum(c.p for c in card.candidates))
    chance = next((c.p for c in card.candidates if c.face == face), 0.0)
    return other / chance if chance > 0.0 else math.inf


def _taken(slot: Slot, pool: Pool) -> Iterator[tuple[str, ...]]:
    """Cards that left the visible source of a slot whose target shows nothing."""
    if slot.source is None or slot.target in pool.came:
        return
    gone = pool.left.get(slot.source, ())
    if gone and slot.least <= len(gone) <= slot.most:
        yield gone
    elif len(gone) > slot.most > 0:
        yield from combinations(gone, slot.most)


def stand_in(game: Game[Any], state: Any, prompt: Prompt, faces: Sequence[str], later: Sequence[str]) -> str | None:
    """A face for a card laid where `prompt` says that nobody has seen: one of `faces` that may be laid there, and on
    which one of the `later` cards may be, if there is one; None without faces."""
    fair = []
    for face in faces:
        action = Action.of(prompt.kind, prompt.seat, (face,))
        if is_foul(game.check(state, action)):
            continue
        after = game.apply(state, action)
        then = [p for p in game.prompts(after) if p.slot is not None and prompt.slot is not None
                and p.slot.target == prompt.slot.target]  # fmt: skip
        if any(not is_foul(game.check(after, Action.of(p.kind, p.seat, (one,)))) for p in then for one in later):
            return face
        fair.append(face)
    return next(iter(fair or faces), None)
