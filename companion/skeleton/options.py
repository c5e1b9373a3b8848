"""The house rules of Highest Card: what may be chosen, and what is in force. Numbers are clauses of the rule page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games import Option
from companion.games.setup import seat_option

MOST_PLAYERS = 5
OPTIONS = (
    seat_option("starter", MOST_PLAYERS, "2"),
    Option("tie", ("first", "nobody"), "5"),
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The options in force, as values."""

    tie_to_nobody: bool

    @classmethod
    def of(cls, chosen: Mapping[str, str]) -> Rules:
        """The values for the options `chosen`."""
        return cls(tie_to_nobody=chosen["tie"] == "nobody")
