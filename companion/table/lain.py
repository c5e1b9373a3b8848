"""Cards that lay open for a while where nothing certain had put them: whatever is told next has to account for them,
also once they are gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games import Action, Zone
from companion.table.sight import Sight
from companion.vision.types import Side

LONG = 1.0
"""Who lies so long (s) at rest was not only put down in passing."""
FEW = 1
"""So many cards may be misread, or laid down by mistake."""


@dataclass(slots=True)
class Lain:
    """What lay at rest since the certain state began, beyond what it says."""

    faces: dict[str, Counter[str]] = field(default_factory=dict)
    began: float = 0.0
    """Since when the state is the certain one, s."""
    _state: Any = None

    def look(self, state: Any, zones: Mapping[str, Zone], sight: Sight, now: float) -> None:
        """Note what lies `now` (s) beside the `zones` of the certain `state`."""
        if state != self._state:
            self.faces, self._state, self.began = {}, state, now
        for name, seen in sight.items():
            if not seen.resting or now < seen.since + LONG:
                continue
            came = (c.face for c in seen.cards if c.side is Side.UP and not c.covered and c.since > self.began)
            spare = Counter(face for face in came if face is not None) - Counter(zones.get(name, Zone(name)).cards)
            if spare.total() > FEW:
                self.faces[name] = spare

    def unaccounted(self, actions: Iterable[Action], sight: Sight) -> bool:
        """Whether more lay, in some zone from which all that is gone, than these actions speak of."""
        said = {face for action in actions for face in action.cards}
        for name, spare in self.faces.items():
            lies = {card.face for card in sight[name].cards} if name in sight else set()
            if not lies & spare.keys() and sum(face not in said for face in spare.elements()) > FEW:
                return True
        return False
