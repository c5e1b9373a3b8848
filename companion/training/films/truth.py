"""The truth of a film, read back: from a film that is painted now, or from the file that lies beside its video."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.games import Action
from companion.referee import Started, event_from_json
from companion.table import Layout
from companion.training.films.changes import Trace
from companion.vision.camera.calibration import Calibration
from companion.vision.types import Unit

if TYPE_CHECKING:
    from companion.training.films.film import Filmed


@dataclass(frozen=True, slots=True)
class TrueAction:
    """An action that truly happened: `time` (s) when its last card was let go; `cards` in view afterwards."""

    action: Action
    time: float
    trace: Trace
    cards: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Truth:
    """What a film shows: as `Filmed` tells it or its file holds it."""

    name: str
    started: Started
    skipped: tuple[Action, ...]
    actions: tuple[TrueAction, ...]
    layout: Layout
    calibration: Calibration
    fps: float
    seconds: float
    begins: tuple[dict[str, Any], ...] = ()
    hands: tuple[float, ...] = ()
    pushes: tuple[tuple[float, Calibration], ...] = ()
    """From when (s) on which calibration is the true one, once the camera has been pushed."""
    lines: tuple[dict[str, Any], ...] = field(default=(), compare=False, repr=False)
    """All of it as a file holds it."""

    @classmethod
    def of(cls, filmed: Filmed) -> Truth:
        """Of a film that is painted now."""
        lines = [filmed.header(), *(filmed.line(number) for number in range(len(filmed.happened)))]
        return cls.told(filmed.film.name, lines)

    @classmethod
    def read(cls, path: Path) -> Truth:
        """Of a film that was written: its .jsonl. Raises OSError, and ValueError for another file."""
        try:
            return cls.told(path.stem, [json.loads(line) for line in path.read_text("utf-8").splitlines()])
        except (KeyError, IndexError, TypeError, json.JSONDecodeError) as error:
            raise ValueError(f"{path} is not the truth of a film.") from error

    @classmethod
    def told(cls, name: str, lines: Sequence[dict[str, Any]]) -> Truth:
        """Of the lines of its file. Raises ValueError, KeyError, IndexError, TypeError for others."""
        header, film = lines[0], lines[0]["film"]
        layout = Layout.from_toml(header["layout"])
        started = event_from_json(header["started"])
        if not isinstance(started, Started):
            raise ValueError(f"{name} does not begin with a start.")
        actions = tuple(
            TrueAction(
                Action.from_json(line["event"]["action"]), line["time"], Trace(line["trace"]), tuple(line["cards"])
            )
            for line in lines[1:]
            if "event" in line
        )
        hands = next((tuple(line["hands"]) for line in lines if "hands" in line), ())
        return cls(
            name, started, tuple(Action.from_json(a) for a in header["skipped"]), actions, layout,
            _seen_by(header["calibrations"][0]["matrix"], layout, film), film["fps"], header["seconds"],
            tuple(header["begins"]), hands,
            tuple((float(one["from"]), _seen_by(one["matrix"], layout, film)) for one in header["calibrations"][1:]),
            tuple(lines),
        )  # fmt: skip

    def calibration_at(self, time: float) -> Calibration:
        """Where the table truly is in the picture at a time."""
        return next((found for start, found in reversed(self.pushes) if start <= time), self.calibration)

    def lying(self, time: float) -> tuple[dict[str, Any], ...]:
        """The cards in view at a time, as after the last action before it."""
        done = [one.cards for one in self.actions if one.time <= time]
        return done[-1] if done else self.begins


def _seen_by(matrix: Sequence[float], layout: Layout, film: dict[str, Any]) -> Calibration:
    return Calibration(Unit.MM, layout.size, tuple(float(v) for v in matrix), tuple(film["size"]))
