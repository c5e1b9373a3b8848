"""Cards that lay open for a while where nothing certain had put them: whatever is told next has to account for them,
also once they are gone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games import Action, Game, Zone
from companion.games.implied import open_prompts
from companion.table.hypotheses import Step
from companion.table.misfit import seen_twice
from companion.table.sight import LONG, Memory, Sight
from companion.table.touches import Touch
from companion.vision.types import SeenCard, Side

FEW = 1
"""So many cards may be misread, or laid down by mistake."""
SHORT = 0.5
"""A nameless outline that was seen at rest for so long (s) is no card in a hand."""
PATIENCE = 2.5
"""Of what came so long (s) after a nameless card that one was not a part; it may have been a shadow before."""
READ_AGAIN = 1.2
"""So long after something has moved over a card it has been read again, s."""
LIKE_A_CARD, UNLIKELY = 0.05, 0.02
"""A nameless outline is a card where one face is so likely, and one of another face where that one is so unlikely."""


@dataclass(slots=True)
class Lain:
    """What lay at rest since the certain state began, beyond what it says."""

    faces: dict[str, Counter[str]] = field(default_factory=dict)
    nameless: dict[str, tuple[SeenCard, ...]] = field(default_factory=dict)
    """By zone: cards without a name that lay there so; none of them is among `faces`."""
    glimpsed: Mapping[int, tuple[str, SeenCard]] = field(default_factory=dict)
    """Cards with a name that were seen where something moved, and their zones, by number."""
    stayed: Collection[int] = ()
    """Numbers of those of them that had lain there for a while."""
    risen: Collection[int] = ()
    """Numbers of the cards that were taken from below others, and are seen again."""
    began: float = 0.0
    """Since when the state is the certain one, s."""
    unwatched: Collection[int] = ()
    """Numbers of the cards that came while nobody watched."""
    odd: dict[str, float] | None = None
    """Zones that the likeliest hypothesis does not explain: since when, s."""
    _sure: dict[int, float] = field(default_factory=dict)
    """Numbers of cards without a name that a step was taken to be surely enough: when last, s."""
    _state: Any = None
    _told: int = 0
    _earlier: float = math.inf
    """Since when the state before the certain one was that, s."""
    _spoken: Collection[str] = ()
    """Faces that lie there in the certain state, or that what led to it speaks of."""
    _before: set[int] = field(default_factory=set)
    """Numbers of those cards without a name that came before, where more lie than the certain state says: what it says
    was told late."""
    _left: set[int] = field(default_factory=set)
    """Those of them that may be left over from what it says: their place was not seen bare before they came."""

    def odd_since(self, odd: Collection[str], sight: Sight, now: float) -> Mapping[str, float]:
        """Since when (s) those are `odd` that are it `now`, and others that move and may still be it. What was odd at
        the first look has always been."""
        began, before = (-math.inf, {}) if self.odd is None else (now, self.odd)
        still = {name: at for name, at in before.items() if name in odd or name not in sight or not sight[name].resting}
        self.odd = dict.fromkeys(odd, began) | still
        return self.odd

    def still_sure(self, sure: Collection[int], now: float) -> dict[int, float]:
        """Cards without a name of which it is `sure` enough `now` (s) what they are, and those of which it was just so:
        until when (s) nobody has to be asked."""
        known = self._sure | dict.fromkeys(sure, now)
        self._sure = {track: at for track, at in known.items() if now < at + READ_AGAIN}
        return {track: at + READ_AGAIN for track, at in self._sure.items()}

    def look(self, state: Any, zones: Mapping[str, Zone], sight: Sight, now: float,
             memory: Memory | None = None, told: Sequence[Action] = ()) -> None:  # fmt: skip
        """Note what lies `now` (s) beside the `zones` of the certain `state`. `memory`: of cards that came while nobody
        watched, were glimpsed, or are back; `told`: all that the game knows of."""
        if memory is not None:
            self.unwatched, self.glimpsed, self.stayed = memory.unwatched, memory.glimpsed, memory.stayed
            self.risen = {track for track, when in memory.buried.items() if when < math.inf}
        if state != self._state:
            if self._state is not None:
                many = list(self._too_many(zones, sight))
                self._before = {card.track for card, _ in many}
                self._left = {card.track for card, left in many if left}
                said = {face for zone in zones.values() for face in zone.cards}
                for action in told[self._told :]:
                    said |= {*action.cards, *(value for _, value in action.args if isinstance(value, str))}
                self._earlier, self._spoken = self.began, said
            self._told = len(told)
            self.faces, self.nameless, self._state, self.began = {}, {}, state, now
        for name, seen in sight.items():
            if not seen.resting:
                continue
            came = [c for c in seen.cards if c.side is Side.UP and not c.covered and self._came(c)]
            zone = zones.get(name, Zone(name))
            nameless = (c for c in came if c.face is None and now >= c.since + SHORT)
            lacks = Counter(zone.cards) - Counter(c.face for c in seen.cards if c.face is not None)
            nameless = (c for c in nameless if zone.pile or not seen_twice(c, seen.cards))
            if unread := tuple(c for c in nameless if _is_a_card(c) and c.candidates[0].face not in lacks):
                self.nameless[name] = unread
            if now < seen.since + LONG:
                continue
            spare = Counter(c.face for c in came if c.face is not None) - Counter(zone.cards)
            if spare.total() > FEW:
                self.faces[name] = spare

    def _owed(self, card: SeenCard) -> bool:
        """It came while the state before the certain one was, and that knows nothing of it: it was told late."""
        return card.since > self._earlier and card.face not in self._spoken

    def _came(self, card: SeenCard) -> bool:
        return card.since > self.began or card.track in self._before

    def _too_many(self, zones: Mapping[str, Zone], sight: Sight) -> Iterator[tuple[SeenCard, bool]]:
        """Cards without a name that came, in zones that hold more open cards than they should, or on a pile of which
        the top is seen beside them; and whether each may be left over from what the certain state says."""
        for name, seen in sight.items():
            lying = [card for card in seen.cards if card.side is Side.UP and not card.covered]
            nameless = [card for card in lying if card.face is None and self._came(card)]
            zone = zones.get(name, Zone(name))
            if zone.pile and zone.cards:
                top = zone.cards[-1]
                if sum(card.face == top for card in seen.cards) >= zone.cards.count(top):
                    yield from ((card, False) for card in nameless)
            elif not zone.pile and len(lying) > len(zone.cards):
                yield from ((card, not self.began < seen.bare < card.since) for card in nameless)

    def unaccounted(self, actions: Iterable[Action], sight: Sight, step: Step | None = None, people: int = 1) -> bool:
        """Whether more lay, in some zone from which all that is gone, than these actions speak of; or one card, seen
        for a moment between two hands, where a `step` has laid its own after it, or both were first seen together once
        several `people` had been there; or several that came before it where hands are still at it."""
        said = {face for action in actions for face in action.cards}
        if step is not None and step.since is not None:
            known = {card.track for zone in sight.values() for card in zone.cards}
            gone = (card for name, card in self.glimpsed.values() if name in step.zones and card.track not in known)
            before = step.since if people <= FEW else math.nextafter(step.since, math.inf)
            late = (card for card in gone if card.since > self.began or self._owed(card))
            lay = (c for c in late if c.since < before or (c.track in self.stayed and c.since <= step.since))
            if any(card.face not in said for card in lay):
                return True
            others = (card for name, card in self.glimpsed.values() if name not in sight or not sight[name].resting)
            others = (card for card in others if self.began < card.since <= step.since and card.track not in known)
            if sum(card.face not in said for card in others) > FEW:
                return True
        for name, spare in self.faces.items():
            lies = {card.face for card in sight[name].cards} if name in sight else set()
            if not lies & spare.keys() and sum(face not in said for face in spare.elements()) > FEW:
                return True
        return False

    def as_laid(self, cards: Iterable[SeenCard], target: str | None) -> tuple[SeenCard, ...]:
        """Cards that lie elsewhere by now, since when they lay where they were laid, as far as they were seen there."""
        there = [card for name, card in self.glimpsed.values() if name == target and card.since > self.began]
        first = {card.face: card.since for card in sorted(there, key=lambda card: -card.since)}
        return tuple(replace(card, since=min(card.since, first.get(card.face, math.inf))) for card in cards)

    def passed_over(self, read: Sequence[SeenCard], sight: Sight, named: Mapping[int, str | None]) -> bool:
        """Whether a nameless card that lay there, and is seen no more, is none of those that actions were `read` from,
        nor one of their faces, nor what people `named` no card."""
        known = {card.track for card in read} | {track for track, face in named.items() if face is None} | self._left
        known |= {card.track for zone in sight.values() for card in zone.cards if not card.covered}
        said = {card.face for card in read}
        lay = (card for name in self.nameless if name in sight for card in self.nameless[name])
        likely = ({one.face for one in card.candidates if one.p >= UNLIKELY} for card in lay if card.track not in known)
        return any(not said & faces for faces in likely)

    def comes_first(
        self, step: Step, read: Iterable[SeenCard], sight: Sight, odd: Collection[str], game: Game[Any], before: Any
    ) -> tuple[SeenCard, str] | None:
        """A nameless card, and its zone, one of those that are `odd` and no other player's, or where nobody can lay any
        more after a step, though somebody could `before` it: one that came well before the cards of the step, and is
        none of those that actions were `read` from. What it is has to be said first."""
        closed = _targets(game, before) - _targets(game, step.after)
        known, since = {card.track for card in read}, -math.inf if step.since is None else step.since - PATIENCE
        lies = {card.track for zone in sight.values() for card in zone.cards if card.face is None and not card.covered}
        whose = "", str(step.action.seat)
        own = (n for n in self.nameless if n in odd and (n in closed or n.partition(":")[2] in whose))
        waiting = ((card, name) for name in own for card in self.nameless[name])
        return next((one for one in waiting if one[0].since < since and one[0].track in lies - known), None)


def drawn_open(
    hands: Sequence[Touch], seat: int | None, sight: Sight, odd: Collection[str]
) -> tuple[SeenCard, str] | None:
    """A card without a name, and its zone, one of those that are `odd` and no other player's, that came to lie there
    since these hands were at a stack: it may be what was drawn."""
    began = min((hand.began for hand in hands), default=math.inf)
    places = (name for name in odd if name.partition(":")[2] in ("", str(seat)))
    lies = ((card, name) for name in places for card in sight[name].cards if card.face is None and not card.covered)
    return next((one for one in lies if one[0].side is Side.UP and one[0].since > began), None)


def _targets(game: Game[Any], state: Any) -> set[str]:
    """Where somebody can lay cards."""
    slots = (prompt.slot for prompt in open_prompts(game, state))
    return {slot.target for slot in slots if slot is not None and slot.target is not None}


def _is_a_card(nameless: SeenCard) -> bool:
    return bool(nameless.candidates) and nameless.candidates[0].p >= LIKE_A_CARD
