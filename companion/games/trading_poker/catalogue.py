"""The score cards of Trading Poker: which hands there are, how many cards of each, and their points.

The sheet has 27 score cards of 11 kinds (16, 22) whose pictures, and with them the points and two of the kinds, are
lost. So the catalogue is data: ``default`` and ``nine`` are printed here, and a table may write its own as TOML::

    end_kinds = 6          # the game ends when so few kinds are left; default: kinds - 5

    [[kind]]
    hand = "one_pair"
    points = [3, 2, 1]     # the highest lies on top (47)
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import Any

from companion.games.contract import SetupError
from companion.hands import trading

DEFAULT = (
    ("one_pair", (3, 2, 1)),
    ("no_pair", (4, 3, 2)),
    ("two_pair", (5, 4, 3)),
    ("three", (7, 6, 5)),
    ("straight", (8, 7, 6)),
    ("three_pair", (9, 8)),
    ("full_house", (10, 9)),
    ("flush", (12, 11)),
    ("four", (15, 14)),
    ("two_triples", (17, 16)),
    ("straight_flush", (22, 20)),
)
"""Eleven kinds, 27 cards; points grow with the measured difficulty, three_pair and two_triples are additions (7.1)."""

NINE = (
    ("one_pair", (3, 2, 1)),
    ("no_pair", (4, 3, 2)),
    ("two_pair", (5, 4, 3)),
    ("three", (7, 6, 5)),
    ("straight", (8, 7, 6)),
    ("full_house", (10, 9, 8)),
    ("flush", (12, 11, 10)),
    ("four", (15, 14, 13)),
    ("straight_flush", (22, 20, 18)),
)
"""The nine kinds that the sheet names, three cards of each."""

OWN_CATALOGUE = 4000
"""Most characters of a catalogue that a table writes itself."""

KINDS = trading.kind_codes()
"""Every hand that a score card can ask for."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """`kinds`: the hands; `stacks`: their points from the top; `end_kinds`: the game ends with so few kinds left."""

    kinds: tuple[str, ...]
    stacks: tuple[tuple[int, ...], ...]
    end_kinds: int


def catalogue(text: str) -> Catalogue:
    """The catalogue named ``default`` or ``nine``, or written as TOML. Raises SetupError with one sentence."""
    if text in ("default", "nine"):
        return _made(DEFAULT if text == "default" else NINE, None)
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise SetupError("the catalogue of score cards has brackets within brackets, too deep to read") from None
    except ValueError as error:  # also a number of thousands of digits
        raise SetupError(f"the catalogue of score cards is default, nine or TOML, and as TOML: {error}") from error
    rows = data.pop("kind", None)
    end = data.pop("end_kinds", None)
    if data:
        raise SetupError(f"a catalogue of score cards has no {next(iter(data))!r}, only kind and end_kinds")
    if not isinstance(rows, list) or not rows:
        raise SetupError("a catalogue of score cards needs at least one [[kind]] with hand and points")
    if end is not None and (not isinstance(end, int) or isinstance(end, bool) or not 0 <= end < len(rows)):
        raise SetupError(f"end_kinds is a number from 0 to {len(rows) - 1}, not {end!r}")
    kinds = tuple(_row(row) for row in rows)
    names = [hand for hand, _ in kinds]
    if double := next((hand for hand in names if names.count(hand) > 1), None):
        raise SetupError(f"the catalogue of score cards has {double!r} twice")
    return _made(kinds, end)


def _row(row: Any) -> tuple[str, tuple[int, ...]]:
    if not isinstance(row, dict) or set(row) != {"hand", "points"}:
        raise SetupError("every [[kind]] of a catalogue has exactly hand and points")
    hand, points = row["hand"], row["points"]
    if hand not in KINDS:
        raise SetupError(f"a score card's hand is {', '.join(KINDS)}, not {hand!r}")
    numbers = isinstance(points, list) and all(isinstance(p, int) and not isinstance(p, bool) for p in points)
    if not numbers or not points or points != sorted(points, reverse=True):
        raise SetupError(f"the points of {hand} are numbers from the highest down, not {points!r}")
    return hand, tuple(points)


def _made(rows: tuple[tuple[str, tuple[int, ...]], ...], end: int | None) -> Catalogue:
    """Without a number of its own a catalogue of k kinds ends at k - 5: six of eleven (155, 7.6)."""
    return Catalogue(
        tuple(hand for hand, _ in rows),
        tuple(points for _, points in rows),
        max(0, len(rows) - 5) if end is None else end,
    )
