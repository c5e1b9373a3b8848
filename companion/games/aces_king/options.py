"""The house rules of Ace's King: what may be chosen, and what is in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.setup import seat_option
from companion.games.turns import DIRECTIONS, step_of
from companion.games.values import Option

OPTIONS = (
    seat_option("starter", 5, "50"),
    Option("ace", ("1", "14"), "7.1"),
    Option("out_on_empty", ("after_draw", "before_draw"), "7.2"),
    Option("stock_empty", ("reshuffle", "no_draw", "game_void"), "7.3"),
    Option("open_pass", ("no", "yes"), "7.4"),
    Option("ranking", ("no", "yes"), "7.5"),
    Option("direction", DIRECTIONS, "7.6"),
    Option("all_pass", ("continue", "free_lead"), "7.7"),
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The options in force, as values."""

    ace_high: bool
    out_before_draw: bool
    stock_empty: str
    open_pass: bool
    ranking: bool
    step: int
    free_lead: bool

    @classmethod
    def of(cls, chosen: Mapping[str, str]) -> Rules:
        """The values for the options `chosen`."""
        return cls(
            ace_high=chosen["ace"] == "14",
            out_before_draw=chosen["out_on_empty"] == "before_draw",
            stock_empty=chosen["stock_empty"],
            open_pass=chosen["open_pass"] == "yes",
            ranking=chosen["ranking"] == "yes",
            step=step_of(chosen["direction"]),
            free_lead=chosen["all_pass"] == "free_lead",
        )
