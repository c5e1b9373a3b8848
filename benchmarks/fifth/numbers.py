"""The numbers that decide, as they stand in the files, what moves them, and what each is measured on."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
STOREYS = ("", "camera", "reading", "decks", "assembly", "pipeline", "following")
CHANGES = {"-20 %": 0.8, "+20 %": 1.2}
EXTREMES = {"next to 0": 1e-3, "next to endless": 1e3}
TWO_PASS = ("SAME_CARD_REACH", "SURE_ALONE", "SURE_CARD", "PASSING_BACK")
FILMED = (
    "STILL_S", "ARM_LEAST", "SAME_ARM_PX", "TIP_PX", "STOP_PX", "ARM_GONE_S", "UNSEEN_S", "PRINT_GONE",
    "PRINT_SURELY_GONE", "PAPER", "ABSENT_LOOKS", "ARM_MOST", "MOST_STOPS", "VISIT_S", "FAR_APART", "ON_THE_WAY",
    "BY_HAND", "ASTRAY_CARDS", "ASTRAY_S", "STAYED_S",
)  # fmt: skip
"""Numbers of following that hands show, and so films, not the recording."""
UNMEASURED = {
    "camera": "No scene tells what these do: they are limits of devices, time outs and checks of what people give.",
    "decks": "Not moved here: what custom decks are measured on is another set of scenes (`docs/custom-decks.md`).",
}
"""Storeys of which only values are shown, and why."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number of a storey: its value as the code has it, and what its docstring says."""

    storey: str
    name: str
    value: Any
    meaning: str
    unit: str
    found: str
    guard: str

    @property
    def module(self) -> Any:
        """The module that holds it."""
        return importlib.import_module(
            ".".join(["companion.vision", *([self.storey] if self.storey else []), "parameters"])
        )

    @property
    def key(self) -> str:
        """Storey and name."""
        return f"{self.storey or 'vision'}.{self.name}"


def parameters() -> list[Parameter]:
    """All numbers, storey by storey, as they stand in the files."""
    out = []
    for storey in STOREYS:
        path = ROOT / "companion" / "vision" / storey / "parameters.py"
        body = ast.parse(path.read_text("utf-8")).body
        for node, after in pairwise(body):
            if isinstance(node, ast.Assign) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                said = " ".join(str(after.value.value).split())
                meaning, unit, found = re.match(r"(.*?)\. Unit: (.*?)\. Found: (.*)\.$", said).groups()  # type: ignore[union-attr]
                found, _, guard = found.partition(". Guard: ")
                name = node.targets[0].id  # type: ignore[attr-defined]
                out.append(Parameter(storey, name, ast.literal_eval(node.value), meaning, unit, found, guard))
    return out


def scaled(value: Any, by: float) -> Any:
    """The value times `by`, of a tuple each; whole numbers move by one at least, and stay above none."""
    if isinstance(value, tuple):
        return tuple(scaled(one, by) for one in value)
    if isinstance(value, int):
        return max(1, min(round(value * by), value - 1) if by < 1 else max(round(value * by), value + 1))
    return value * by


@contextmanager
def moved(parameter: Parameter, value: Any) -> Iterator[None]:
    """The number with another value, for a while."""
    setattr(parameter.module, parameter.name, value)
    try:
        yield
    finally:
        setattr(parameter.module, parameter.name, parameter.value)


def enrolled(parameter: Parameter) -> bool:
    """A rule for cards of enrolled decks alone."""
    files = (ROOT / "companion" / "vision" / parameter.storey).glob("*.py")
    uses = [file.name for file in files if re.search(rf"\bparameters\.{parameter.name}\b", file.read_text("utf-8"))]
    return uses == ["enrolled.py"]


def way_of(parameter: Parameter) -> str:
    """On what a number is measured; "" where no picture tells."""
    if parameter.storey in UNMEASURED or enrolled(parameter):
        return ""
    if parameter.storey == "following":
        return "films" if parameter.name in FILMED else "recording"
    return "two passes" if parameter.name in TWO_PASS else "one pass"


def shown(value: Any) -> str:
    """A value in a table."""
    return ", ".join(map(shown, value)) if isinstance(value, tuple) else f"{value:g}"
