"""What a reader may know of a match, and what of it is his to change.

The referee remembers what was taken up before everybody's eyes; where remembering is part of the game, a reader's view
does not show it, and then nothing else does: no line of events, no ruling, no score, no picture, no hint of a picker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.games import UNKNOWN, Action, Msg, Role, Ruling, ScoreLine, Verdict, View, Violation
from companion.referee import Acted, Entry, Match, Started
from companion.server.access import Access


@dataclass(frozen=True, slots=True)
class Mask:
    """`hidden`: faces that the referee knows to be in hands that the reader may not see."""

    hidden: frozenset[str] = frozenset()

    @classmethod
    def of(cls, match: Match, view: View) -> Mask:
        """What `view` does not show of the hands that the host sees; nothing when the game is over."""
        if view.over:
            return cls()
        known = (Counter(p.hand.known if p.hand else ()) for p in match.view(Role("host")).players)
        shown = (Counter(p.hand.known if p.hand else ()) for p in view.players)
        return cls(frozenset(face for whole, mine in zip(known, shown, strict=True) for face in whole - mine))

    def faces(self, faces: Sequence[str]) -> tuple[str, ...]:
        """Cards, hidden ones face down."""
        return tuple(UNKNOWN if face in self.hidden else face for face in faces)

    def value(self, value: Any) -> Any:
        """A parameter of a sentence, or an argument of an action."""
        if isinstance(value, Msg):
            return replace(value, params=self._params(value.params))
        if isinstance(value, tuple):
            return self.faces(value)
        return UNKNOWN if isinstance(value, str) and value in self.hidden else value

    def _params(self, params: Sequence[tuple[str, Any]]) -> tuple[tuple[str, Any], ...]:
        return tuple((name, self.value(value)) for name, value in params)

    def action(self, action: Action) -> Action:
        """An action as the reader may know it."""
        return replace(action, cards=self.faces(action.cards), args=self._params(action.args))

    def violation(self, violation: Violation) -> Violation:
        """A broken rule as the reader may know it."""
        return replace(violation, cards=self.faces(violation.cards), params=self._params(violation.params))

    def ruling(self, ruling: Ruling) -> Ruling:
        """A ruling as the reader may know it."""
        broken = tuple(self.violation(v) for v in ruling.violations)
        return replace(ruling, violations=broken, proven=tuple(self.violation(v) for v in ruling.proven))

    def score(self, line: ScoreLine) -> ScoreLine:
        """A line of the score sheet as the reader may know it."""
        return replace(line, reason=self.value(line.reason), cards=self.faces(line.cards))

    def tellable(self, violations: Sequence[Violation]) -> list[Violation]:
        """Those that say nothing of another hand."""
        return [v for v in violations if self.violation(v) == v]

    def verdict(self, violations: Sequence[Violation], verdict: Verdict) -> Verdict:
        """What the tellable ones come to."""
        told = self.tellable(violations)
        if len(told) == len(violations):
            return verdict
        foul = any(v.verdict is Verdict.FOUL for v in told)
        return Verdict.FOUL if foul else Verdict.UNPROVEN if told else Verdict.LEGAL


def may_revise(entry: Entry, access: Access) -> bool:
    """May this device take the entry back, or correct it? A seat what is its own; who keeps the game everything."""
    event = entry.event
    if isinstance(event, Started) or not access.acts:
        return False
    if access.keeps:
        return True
    return isinstance(event, Acted) and (entry.action or event.action).seat == access.role.seat
