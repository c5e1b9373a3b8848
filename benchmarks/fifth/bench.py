"""Measures what numbers do, and keeps what was measured in a file."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fifth.numbers import EXTREMES, ROOT, Parameter, moved, scaled, way_of
from fifth.ways import Figures, Filmed, Recording, Remembered, Scenes, digest

PATIENCE = 4
"""A measurement that takes so many times as long as without a change is given up."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """TimeoutError after so much time of the processor, however busy the machine is."""

    def late(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


class Bench:
    """Measures, and keeps what was measured."""

    def __init__(self, kept: Path, count: int) -> None:
        self.kept, self.count = kept, count
        self.rows: dict[tuple[str, str], dict[str, Any]] = {}
        self.wide: dict[str, list[dict[str, Any]]] = {}  # of more scenes, by number
        self._scenes: Scenes | None = None
        self._recording: Recording | None = None
        self._filmed: Filmed | None = None
        self._plain: dict[str, tuple[Figures, float]] = {}
        if kept.is_file():
            for line in kept.read_text("utf-8").splitlines():
                row = json.loads(line)
                if row["scenes"] == count:
                    self.rows[row["key"], row["change"]] = row
                elif row["change"] != "none" and row.get("differ"):
                    self.wide.setdefault(row["key"], []).append(row)

    def measure(self, parameter: Parameter, change: str, by: float) -> dict[str, Any]:
        """The row of one number and one change; from the file where it stands there."""
        value = scaled(parameter.value, by)
        row = self.rows.get((parameter.key, change))
        if row is not None and row["value"] == repr(parameter.value):
            return row
        way = way_of(parameter)
        plain, seconds = self.plain(way)
        row = {"key": parameter.key, "change": change, "value": repr(parameter.value), "scenes": self.count}
        row["plain"] = f"{way} {plain.right} right, {plain.wrong} wrong, {plain.questions} questions"
        try:
            with moved(parameter, value), patience(PATIENCE * seconds + 5):
                figures = self._figures(way, detecting=parameter.storey in ("", "reading"))
            row |= {name: getattr(figures, name) - getattr(plain, name) for name in ("right", "wrong", "questions")}
            longest = max(len(figures.answers), len(plain.answers))
            same = sum(a == b for a, b in zip(figures.answers, plain.answers, strict=False))
            row["differ"] = longest - same
        except TimeoutError:
            row["fails"] = "takes too long"
        except Exception as error:  # a rule without its number may divide by nothing: that is worth knowing
            row["fails"] = type(error).__name__
        self._keep(row)
        return row

    def tested(self, parameter: Parameter) -> None:
        """Which test of its storey fails without the rule: the first one, or "" where none does."""
        row = self.rows.get((parameter.key, "tests"))
        if row is not None and row["value"] == repr(parameter.value):
            return
        name = ""
        for by in EXTREMES.values():
            name = name or failing(parameter, scaled(parameter.value, by))
        row = {"key": parameter.key, "change": "tests", "value": repr(parameter.value), "scenes": self.count}
        self._keep(row | {"test": name})
        print(f"{parameter.key:36} {name or 'no test'}", flush=True)

    def plain(self, way: str) -> tuple[Figures, float]:
        """The figures without a change, and how long they took, s."""
        if way not in self._plain:
            Remembered.keep = True
            self._figures(way, detecting=True)
            began = time.process_time()
            figures = self._figures(way, detecting=True)
            self._plain[way] = figures, time.process_time() - began
            Remembered.keep = False
            row = {"key": way, "change": "none", "value": "", "scenes": self.count, "differ": 0}
            row |= {name: getattr(figures, name) for name in ("right", "wrong", "questions")}
            row["answers"] = digest(list(figures.answers))
            before = self.rows.get((way, "none"))
            if before is None:
                self._keep(row)
            elif before["answers"] != row["answers"]:
                raise SystemExit(f"{self.kept} was measured with other code or weights: move it away and begin anew.")
        return self._plain[way]

    def _figures(self, way: str, *, detecting: bool) -> Figures:
        if way == "recording":
            self._recording = self._recording or Recording()
            return self._recording.measure()
        if way == "films":
            self._filmed = self._filmed or Filmed()
            return self._filmed.measure()
        self._scenes = self._scenes or Scenes(self.count)
        return self._scenes.measure(twice=way == "two passes", detecting=detecting)

    def _keep(self, row: dict[str, Any]) -> None:
        self.rows[row["key"], row["change"]] = row
        self.kept.parent.mkdir(parents=True, exist_ok=True)
        with self.kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def failing(parameter: Parameter, value: Any) -> str:
    """The first test of its storey that fails while it has that value; "" where all pass."""
    code = (
        f"import {parameter.module.__name__} as storey, pytest, sys;"
        f"storey.{parameter.name} = {value!r};"
        "sys.exit(pytest.main(sys.argv[1:]))"
    )
    tests = [ROOT / "tests" / "vision" / parameter.storey]
    if parameter.name.startswith("BUMP_"):
        tests.append(ROOT / "tests" / "vision" / "following" / "test_pushed.py")
    try:
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, tests), "-q", "-x", "-p", "no:cacheprovider", "-p", "no:randomly"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=180,
        )
    except subprocess.TimeoutExpired:
        return "one that never ends"
    found = re.search(r"^(?:FAILED|ERROR) \S+::(\w+)", done.stdout, re.MULTILINE)
    return found.group(1) if found else ""
