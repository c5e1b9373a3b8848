"""What one look at the table means for the game."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from companion.games import Action, Prompt
from companion.table.ask import Question
from companion.table.compare import Difference
from companion.table.hypotheses import Step
from companion.table.mend import Correction
from companion.table.touches import Touch
from companion.vision.types import SeenCard


@dataclass(frozen=True, slots=True)
class Proposal:
    """An action that surely happened, of which cards, the zones it changes, when its hand was seen to come, s, and what
    those of its cards that have no name were taken for."""

    action: Action
    cards: tuple[SeenCard, ...] = ()
    zones: tuple[str, ...] = ()
    hand: float = math.inf
    guesses: tuple[tuple[SeenCard, str], ...] = ()

    @classmethod
    def of(cls, step: Step, did: Sequence[Touch] = ()) -> Proposal:
        hand = min((hand.began for hand in did), default=math.inf)
        return cls(step.action, step.cards, step.zones, hand, step.guesses)

    @property
    def evidence(self) -> tuple[str, ...]:
        """Keys of the pictures it was read from."""
        return tuple(card.crop for card in self.cards if card.crop is not None)


@dataclass(frozen=True, slots=True)
class Observation:
    """What one look at the table means: actions that surely happened (in order); what the camera wrote and takes back
    or corrects; actions that are probably happening (`tentative`); questions; where table and game still differ when
    those actions are done; prompts of which only a tap can tell (`waits`), when the game waits for nothing else; and
    when to look again although nothing moves (`due`, s of the camera's clock)."""

    proposals: tuple[Proposal, ...] = ()
    questions: tuple[Question, ...] = ()
    differences: tuple[Difference, ...] = ()
    corrections: tuple[Correction, ...] = ()
    tentative: tuple[Action, ...] = ()
    waits: tuple[Prompt, ...] = ()
    due: float | None = None

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions alone."""
        return tuple(p.action for p in self.proposals)

    @property
    def evidence(self) -> tuple[tuple[str, ...], ...]:
        """For each action the keys of the pictures it was read from."""
        return tuple(p.evidence for p in self.proposals)
