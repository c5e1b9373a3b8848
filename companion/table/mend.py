"""When what lies there no longer goes with what the camera wrote: the one earlier reading that explains it better.

Only what the camera itself wrote, and nobody confirmed, corrected or took back, is ever put in question.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.games import UNKNOWN, Action, Game
from companion.games.implied import is_foul, judged, open_prompts
from companion.referee import Acted, Corrected, Match, TookBack
from companion.referee.match import Entry
from companion.table.beam import Beam
from companion.table.fill import Filled, Pool, fill
from companion.table.hypotheses import Hypothesis, content
from companion.table.misfit import EXTRA
from companion.table.sight import Sight
from companion.vision.types import SeenCard

FARTHEST = 4
"""So many actions back something is looked for."""
PRICE = 1.0
WHOLE = 2.6
"""And so little may it leave unexplained, its own price included."""
CERTAIN = 2.5
"""So much better the corrected story has to be."""


@dataclass(frozen=True, slots=True)
class Correction:
    """Entry `seq` was not what the camera wrote: it was `action`, read from `filled`."""

    seq: int
    action: Action
    filled: Filled

    @property
    def event(self) -> Corrected:
        """What to write."""
        return Corrected(self.seq, self.action, "camera")


def mend(match: Match, beam: Beam, sight: Sight, odd: Mapping[str, float]) -> Correction | None:
    """The one correction that explains the `odd` zones (with what they cost now) and spoils no other, if there is
    exactly one."""
    found: dict[Any, tuple[float, Correction]] = {}
    now = _misfits(match.game, beam, match.state)
    for at, entry in own(match):
        before = match.entries[at - 1].state
        later = [e.action for e in match.entries[at + 1 :] if e.standing and e.action is not None]
        for correction, price in _others(match.game, beam, before, entry, sight):
            state = _replayed(match.game, before, [correction.action, *later])
            if state is None or state == match.state or _covered(match.game, match.state, state, beam.places):
                continue
            if _since_bare(correction.filled.cards, sight, beam.lain.began):
                continue
            if not correction.filled.cards and _named(entry):
                continue  # its cards were seen: that they have gone does not say that they were not
            then = _misfits(match.game, beam, state)
            total = price + sum(max(0.0, cost - (0.0 if z in odd else now.get(z, 0.0))) for z, cost in then.items())
            if state not in found or total < found[state][0]:
                found[state] = total, correction
    order = sorted(found.values(), key=lambda pair: pair[0])
    if not order or sum(odd.values()) - order[0][0] < CERTAIN or order[0][0] > WHOLE:
        return None
    alone = len(order) == 1 or order[1][0] - order[0][0] >= CERTAIN / 2
    return order[0][1] if alone else None


def _since_bare(cards: Collection[SeenCard], sight: Sight, began: float) -> bool:
    """Some of these cards came after their place was seen bare, and that after the last certain action (`began`, s):
    they are what was done next, not what was done then."""
    numbers = {card.track for card in cards}
    lying = ((zone, card) for zone in sight.values() for card in zone.cards if card.track in numbers)
    return any(began <= zone.bare < card.since for zone, card in lying)


def _named(entry: Entry) -> bool:
    """Cards of this entry had a name."""
    return entry.action is not None and any(face != UNKNOWN for face in entry.action.cards)


def _covered(game: Game[Any], one: Any, other: Any, places: Sight) -> bool:
    """Something moves where the tables of two states differ: nobody can tell yet which of them is true."""
    before, after = [{zone.id: zone for zone in game.expected_table(state)} for state in (one, other)]
    apart = (name for name in {*before, *after} if before.get(name) != after.get(name))
    return any(name in places and not places[name].resting for name in apart)


def _misfits(game: Game[Any], beam: Beam, state: Any) -> dict[str, float]:
    return beam.misfits(Hypothesis(state, {zone.id: zone for zone in game.expected_table(state)}))


def own(match: Match) -> Iterator[tuple[int, Entry]]:
    """The last actions that the camera alone has said, newest first, with their places among the entries."""
    touched = {
        event.seq
        for event in match.events
        if isinstance(event, Corrected | TookBack) and event.source != "camera"
    }  # fmt: skip
    actions = [(at, e) for at, e in enumerate(match.entries) if isinstance(e.event, Acted) and e.standing and at]
    for at, entry in reversed(actions[-FARTHEST:]):
        assert isinstance(entry.event, Acted)
        if entry.event.source == "camera" and entry.seq not in touched:
            yield at, entry


def _others(game: Game[Any], beam: Beam, before: Any, entry: Entry, sight: Sight) -> Iterator[tuple[Correction, float]]:
    """What may have happened instead of an entry, and its price."""
    assert entry.action is not None
    pool = Pool.of({zone.id: zone for zone in game.expected_table(before)}, sight)
    for prompt in open_prompts(game, before):
        for filled in fill(prompt, pool, sight):
            other = filled.action
            _, _, violations = judged(game, before, other)
            if not is_foul(violations) and content(other) != content(entry.action) and not filled.unread:
                yield Correction(entry.seq, other, filled), PRICE + (0.0 if filled.cards else EXTRA / 2)


def _replayed(game: Game[Any], state: Any, actions: list[Action]) -> Any:
    """The state after these actions; None when one of them is against the rules then."""
    for action in actions:
        _, there, violations = judged(game, state, action)
        if is_foul(violations):
            return None
        state = game.apply(there, action)
    return state


def gone(match: Match, seq: int) -> bool:
    """Entry `seq` no longer stands."""
    entry = match.entries[seq - 1] if seq <= len(match.entries) else None
    return entry is not None and not entry.standing


def superseded(match: Match, seq: int) -> bool:
    """The same seat did the same kind of thing again later, and that stands."""
    action = match.entries[seq - 1].action
    assert action is not None
    return any(
        e.standing and e.action is not None and isinstance(e.event, Acted)
        and (e.action.kind, e.action.seat) == (action.kind, action.seat)
        for e in match.entries[seq:]
    )  # fmt: skip
