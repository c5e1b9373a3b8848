"""What the camera told of a film, kept without its pictures: the looks as they are handed to the table.

`record` lets the server's own watcher look at a film, and nobody else: no table, no people. `Recorded` hands the same
looks to a table again, at the same moments of the film, in a hundredth of the time: what remains to be looked at is
what the table makes of them.
"""

from __future__ import annotations

import json
import lzma
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from companion.training.films.spec import FilmError
from companion.training.films.truth import Truth
from companion.vision.camera.source import Frame, Source, SourceState, SourceStatus
from companion.vision.following.watcher import Watcher
from companion.vision.types import Candidate, SeenCard, SeenTable, Side, Stir, Stop, Unit, Visit

SUFFIX = ".looks.xz"
BLANK = np.zeros((1, 1, 3), np.uint8)
"""The picture of a frame of which only the look is kept."""


@dataclass(frozen=True, slots=True)
class Look:
    """At a `time` (s of the film): the table as the watcher would tell it then (None: nothing was read yet), and
    whether it told it by itself (`told`)."""

    time: float
    told: bool
    table: SeenTable | None


@dataclass(frozen=True, slots=True)
class Recording:
    """A film's truth, and a look for every frame of it."""

    truth: Truth
    looks: tuple[Look, ...]

    def write(self, folder: Path) -> Path:
        """Write NAME.looks.xz: JSON, every part that stays the same only once, lengths to 0.1, times to 0.0001 s.
        Raises OSError."""
        parts: dict[str, int] = {}

        def number(part: Any) -> int:
            return parts.setdefault(json.dumps(part, separators=(",", ":")), len(parts))

        looks = [[_s(one.time), int(one.told), *_table_json(one.table, number)] for one in self.looks]
        whole = {"truth": self.truth.lines, "parts": [json.loads(part) for part in parts], "looks": looks}
        target = folder / f"{self.truth.name}{SUFFIX}"
        target.write_bytes(lzma.compress(json.dumps(whole, separators=(",", ":")).encode(), preset=9))
        return target

    @classmethod
    def read(cls, path: Path) -> Recording:
        """Raises OSError, and FilmError for another file."""
        try:
            whole = json.loads(lzma.decompress(path.read_bytes()))
            parts = whole["parts"]
            looks = tuple(Look(time, bool(told), _table(rest, parts)) for time, told, *rest in whole["looks"])
            return cls(Truth.told(path.name.removesuffix(SUFFIX), whole["truth"]), looks)
        except (lzma.LZMAError, ValueError, KeyError, IndexError, TypeError) as error:
            raise FilmError(f"{path} is not a recording of a film's looks.") from error

    @classmethod
    def below(cls, folder: Path) -> list[Recording]:
        """All recordings of a folder. Raises FilmError where there is none."""
        found = sorted(folder.glob(f"*{SUFFIX}"))
        if not found:
            raise FilmError(f"{folder} holds no recording ({SUFFIX}).")
        return [cls.read(path) for path in found]


def record(
    truth: Truth, frames: Iterable[Frame], watching: Callable[[Callable[[SeenTable], None]], Watcher]
) -> Recording:
    """The looks of these frames. `watching`: makes the watcher, given who hears what it tells."""
    told: list[SeenTable] = []
    watcher = watching(told.append)
    looks = []
    for frame in frames:
        told.clear()
        watcher.feed(frame)
        looks.append(Look(frame.time, bool(told), watcher.now()))
    watcher.stop()
    return Recording(truth, tuple(looks))


class Recorded(Watcher):
    """A watcher that tells what was recorded: frame `number` is the look of that number. What people say of a card is
    for the table to remember; no picture is kept."""

    def __init__(self, looks: Sequence[Look], source: Source, *given: Any, **choices: Any) -> None:
        super().__init__(source, *given, **choices)
        self._looks, self._hears = looks, choices.get("on_table")

    @property
    def status(self) -> SourceStatus:
        return SourceStatus.of(SourceState.OK, self.source.name)

    def feed(self, frame: Frame) -> None:
        look = self._looks[frame.number]
        self._frame, self._table = frame, look.table
        if look.told and look.table is not None and self._hears is not None:
            self._hears(look.table)

    def now(self) -> SeenTable | None:
        return self._table


# --- as JSON ----------------------------------------------------------------------------------------------------------


def _s(time: float | None) -> float | None:
    return None if time is None else round(time, 4)


def _mm(points: Iterable[tuple[float, float]]) -> list[float]:
    return [round(value, 1) for point in points for value in point]


def _table_json(table: SeenTable | None, number: Callable[[Any], int]) -> list[Any]:
    if table is None:
        return []
    cards = [
        number([c.track, c.face, round(c.confidence, 4), c.side, _mm(c.polygon),
                [[one.face, round(one.p, 4)] for one in c.candidates], c.crop, _s(c.since), c.covered,
                *([True] if c.hidden else [])])
        for c in table.cards
    ]  # fmt: skip
    stirs = [number([_mm(one.area), _s(one.time), int(one.lasting)]) for one in table.stirs]
    visits = [
        number([v.number, _mm([v.entry]), [[*_mm([s.point]), _s(s.began), _s(s.ended)] for s in v.stops],
                _s(v.began), _s(v.ended)])
        for v in table.visits
    ]  # fmt: skip
    whole = number([table.unit, list(table.size)])
    return [
        _s(table.time),
        table.settled,
        table.frame,
        whole,
        _s(table.unseen),
        number(cards),
        number(stirs),
        number(visits),
        number([_s(moment) for moment in table.astray]),
    ]


def _points(values: Sequence[float]) -> Any:
    return tuple(zip(values[::2], values[1::2], strict=True))


def _table(found: Sequence[Any], parts: Sequence[Any]) -> SeenTable | None:
    if not found:
        return None
    time, settled, frame, whole, unseen, *listed = found
    cards, stirs, visits = ([parts[n] for n in parts[numbers]] for numbers in listed[:3])
    began, until = parts[listed[3]] if listed[3:] else (-math.inf, -math.inf)  # older recordings do not tell
    unit, size = parts[whole]
    return SeenTable(
        time, settled, Unit(unit),
        tuple(SeenCard(track, face, sure, Side(side), _points(polygon), tuple(Candidate(*one) for one in candidates),
                       crop, since, covered, any(hidden))
              for track, face, sure, side, polygon, candidates, crop, since, covered, *hidden in cards),
        frame, tuple(size),
        tuple(Stir(_points(area), at, any(lasting)) for area, at, *lasting in stirs),
        tuple(Visit(number, (entry[0], entry[1]), tuple(Stop((x, y), since, until) for x, y, since, until in stops),
                    began, ended)
              for number, entry, stops, began, ended in visits),
        unseen, (began, until),
    )  # fmt: skip
