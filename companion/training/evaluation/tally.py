"""What is counted of followed films, and the table of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np


@dataclass(slots=True)
class Tally:
    """Counts of films. `right`: visible actions that the camera wrote without asking; `implied`: those of them that
    a later action said; `more`: what it wrote of those that cannot be seen, or not all of them; `early`: true ones that
    stood before an earlier one for a while; `spoken`: questions which of several things was done that leave the same in
    view; `waits`: seconds from letting go to the journal, of what is right;
    `frames` looked at, and the `seconds` that took."""

    films: int = 0
    actions: int = 0
    visible: int = 0
    right: int = 0
    implied: int = 0
    more: int = 0
    early: int = 0
    answered: int = 0
    tapped: int = 0
    missed: int = 0
    behind: int = 0
    wrong: int = 0
    mended: int = 0
    taken_back: int = 0
    questions: int = 0
    spoken: int = 0
    unanswerable: int = 0
    frames: int = 0
    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)

    def merge(self, other: Tally) -> None:
        """Add the counts of other films."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types, with the figures that follow from the counts."""
        counts = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in ("waits", "seconds")}
        return counts | {
            "questions per 100 actions": round(100 * self.questions / max(1, self.actions), 1),
            "let go to journal, median s": round(float(np.median(self.waits)), 2) if self.waits else None,
            "let go to journal, 90th percentile s": round(float(np.quantile(self.waits, 0.9)), 2)
            if self.waits
            else None,
            "frames looked at per s": round(self.frames / self.seconds, 1) if self.seconds else None,
        }


COLUMNS = {
    "films": "films", "actions": "actions", "visible": "seen", "right": "right", "implied": "implied", "more": "more",
    "answered": "asked", "tapped": "tapped", "missed": "missed", "behind": "behind", "early": "early",
    "wrong": "wrong", "mended": "mended", "taken_back": "taken back",
    "questions per 100 actions": "questions/100", "spoken": "of them spoken", "unanswerable": "no answer",
    "let go to journal, median s": "median s", "let go to journal, 90th percentile s": "p90 s",
    "frames looked at per s": "frames/s",
}  # fmt: skip


def table(tallies: dict[str, Tally]) -> str:
    """The figures by game, as a Markdown table."""
    return "\n".join(_lines(tallies))


def _lines(tallies: dict[str, Tally]) -> Iterator[str]:
    yield "| game | " + " | ".join(COLUMNS.values()) + " |"
    yield "|---|" + "---:|" * len(COLUMNS)
    together = {"together": total(tallies.values())} if len(tallies) > 1 else {}
    for game, tally in (tallies | together).items():
        figures = tally.to_json()
        yield f"| {game} | " + " | ".join("–" if figures[key] is None else str(figures[key]) for key in COLUMNS) + " |"


def total(tallies: Iterable[Tally]) -> Tally:
    """All of them together."""
    out = Tally()
    for tally in tallies:
        out.merge(tally)
    return out
