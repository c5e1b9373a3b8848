"""Why a hand is what it is, as data: keys and parameters for the message catalogues, never sentences."""

from __future__ import annotations

from dataclasses import dataclass

Param = str | int | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence by catalogue key with its parameters (texts, numbers, tuples of face codes)."""

    key: str
    params: tuple[tuple[str, Param], ...] = ()

    @classmethod
    def of(cls, key: str, **params: Param) -> Note:
        """``Note.of("hand.tie.picture", picture="judge")``."""
        return cls(key, tuple(params.items()))

    def to_json(self) -> dict[str, object]:
        """``{"key", "params"}``."""
        return {"key": self.key, "params": {k: list(v) if isinstance(v, tuple) else v for k, v in self.params}}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the hand is not the stronger `category`."""

    category: str
    why: Note


@dataclass(frozen=True, slots=True)
class Explanation:
    """A category and its reasons.

    `cards`: those that make it, a part of the hand; `also`: weaker categories it could count as, strong to weak;
    `refused`: every stronger category with the reason, weak to strong; `tie`: what decides against a hand of the same
    category, first things first.
    """

    category: str
    cards: tuple[str, ...]
    also: tuple[str, ...]
    refused: tuple[Refusal, ...]
    tie: tuple[Note, ...]

    def to_json(self) -> dict[str, object]:
        """The same as plain JSON data."""
        return {
            "category": self.category,
            "cards": list(self.cards),
            "also": list(self.also),
            "refused": [{"category": r.category, "why": r.why.to_json()} for r in self.refused],
            "tie": [note.to_json() for note in self.tie],
        }
