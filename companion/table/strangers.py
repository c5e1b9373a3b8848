"""What says nothing of what was done, and is left out of what is compared: backs that lie where the game has none and
none may come, the deck in a dealer's hand above all; and open cards that his hands hide, which may have left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from companion.games import Prompt, Zone
from companion.table.sight import Sight
from companion.vision.types import Side

STRANGE = 2.0
"""A back that nothing explains is a stranger after so long, s."""


def _backs_come(prompts: Iterable[Prompt]) -> frozenset[str]:
    """Zones to which a card may come face down just now."""
    slots = (prompt.slot for prompt in prompts)
    return frozenset(
        slot.target for slot in slots if slot is not None and slot.side != "up" and slot.target is not None
    )


@dataclass(slots=True)
class Strangers:
    """Remembers them by their numbers while they lie there."""

    known: set[int] = field(default_factory=set)
    hidden: dict[int, tuple[str, str]] = field(default_factory=dict)
    """Open cards that something at rest hides, where they should lie, until they are seen again: zone and face."""
    _since: dict[int, float] = field(default_factory=dict)

    def look(
        self,
        sight: Sight,
        zones: Mapping[str, Zone],
        prompts: Iterable[Prompt],
        own: Mapping[str, Collection[int]],
        now: float,
    ) -> bool:
        """Take in a look (`now`, s); True when there is a new one. `zones`: as the game expects them, and its open
        `prompts`; `own`: numbers of the cards that were seen to lie in a zone as they should."""
        may_come = _backs_come(prompts)
        odd = {
            card.track
            for name, seen in sight.items()
            if name in zones and not zones[name].pile and name not in may_come
            for card in seen.cards
            if card.side is Side.DOWN and (not zones[name].down or card.track not in own.get(name, ()))
        }
        backs = {card.track for seen in sight.values() for card in seen.cards if card.side is Side.DOWN}
        self._since = {track: self._since.get(track, now) for track in odd}
        self.known &= backs
        new = {track for track, since in self._since.items() if now - since >= STRANGE} - self.known
        self.known |= new
        return bool(new)

    def without(self, sight: Sight, zones: Mapping[str, Zone]) -> Sight:
        """What is in sight less the strangers, as far as a zone shows more backs than it should, and what is hidden."""
        sight = self._less_hidden(sight, zones)
        if not self.known:
            return sight
        found = dict(sight)
        for name, seen in sight.items():
            zone = zones.get(name, Zone(name))
            spare = sum(card.side is Side.DOWN for card in seen.cards) - zone.down
            strange = [card for card in seen.cards if card.side is Side.DOWN and card.track in self.known][
                : max(0, spare)
            ]
            if strange and not zone.pile:
                found[name] = replace(seen, cards=tuple(card for card in seen.cards if card not in strange))
        return found

    def unshown(self, told: Mapping[str, Counter[str]]) -> dict[str, Counter[str]]:
        """The faces of each zone that it may have and does not show: what people `told` of, and what is hidden."""
        found = {name: Counter(faces) for name, faces in told.items()}
        for name, face in self.hidden.values():
            found.setdefault(name, Counter())[face] += 1
        return found

    def _less_hidden(self, sight: Sight, zones: Mapping[str, Zone]) -> Sight:
        before, self.hidden = self.hidden, {}
        for name, seen in sight.items():
            zone = zones.get(name, Zone(name))
            for card in seen.cards:
                lay = card.face in zone.cards or card.track in before
                away = card.hidden or (card.covered and card.track in before)
                if away and card.face is not None and lay and not zone.pile:
                    self.hidden[card.track] = name, card.face
        if not self.hidden:
            return sight
        less = (tuple(card for card in seen.cards if card.track not in self.hidden) for seen in sight.values())
        return {
            name: seen if len(cards) == len(seen.cards) else replace(seen, cards=cards)
            for (name, seen), cards in zip(sight.items(), less, strict=True)
        }
