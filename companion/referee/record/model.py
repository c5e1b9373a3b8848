"""What a record holds: a start, and lines of events, totals and remarks, each with the ruling that is stated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games import Ruling, Verdict
from companion.referee.events import Event, Started

MARKS = {"!": Verdict.FOUL, "~": Verdict.UNPROVEN}
"""The sign behind an action, and the verdict it states."""
PROVEN = "^"
TABLE = "table"


class RecordError(ValueError):
    """A record that cannot be read: one sentence, with the line."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Expected:
    """The ruling that a record states: verdict, codes of the violations, codes of what is proven."""

    verdict: Verdict = Verdict.LEGAL
    codes: tuple[str, ...] = ()
    proven: tuple[str, ...] = ()

    @classmethod
    def of(cls, ruling: Ruling) -> Expected:
        return cls.from_json(ruling.to_json())

    @classmethod
    def from_json(cls, ruling: Mapping[str, Any]) -> Expected:
        """From a ruling as it is written down (`Ruling.to_json`)."""
        codes, proven = ([found["code"] for found in ruling.get(key, ())] for key in ("violations", "proven"))
        return cls(Verdict(ruling["verdict"]), tuple(sorted(codes)), tuple(sorted(proven)))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a record: an event with the ruling it should get, or a player's total at this point (`seat`,
    `total`), or a remark of its own (neither). `number`: in the file, 1-based."""

    event: Event | None = None
    expected: Expected | None = None
    seat: int | None = None
    total: int = 0
    remark: str = ""
    number: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Record:
    """A game as text: remarks at the top, the start, the lines."""

    started: Started
    lines: tuple[Line, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, the start first."""
        return (self.started, *(line.event for line in self.lines if line.event))
