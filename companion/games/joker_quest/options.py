"""The house rules of Joker Quest: what may be chosen, and what is in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.setup import seat_option
from companion.games.turns import DIRECTIONS, step_of
from companion.games.values import Option

OPTIONS = (
    seat_option("starter", 5, "130"),
    Option("direction", DIRECTIONS, "132"),
    Option("relative", ("none", "starts"), "7.1"),
    Option("kings", ("free", "only"), "7.3"),
    Option("king_order", ("any", "first", "last"), "7.4"),
    Option("stock_empty", ("no_draw", "reshuffle"), "7.6"),
    Option("overkill", ("not_allowed", "game_over"), "7.7"),
    Option("pass_last", ("draws", "game_over"), "7.8"),
    Option("draw", ("up_to", "exact"), "7.9"),
    Option("king_fail", ("not_allowed", "lost_cards"), "7.10"),
    Option("pass_joker", ("no_replacement", "replace"), "7.14"),
    Option("same_suit", ("not_allowed", "allowed"), "7.15"),
    Option("fortune", ("no", "yes"), "164"),
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The options in force, as values."""

    relative_starts: bool = False
    kings_only: bool = False
    king_order: str = "any"
    reshuffle: bool = False
    overkill: bool = False
    pass_last_over: bool = False
    draw_exact: bool = False
    lost_cards: bool = False
    pass_joker_replace: bool = False
    same_suit: bool = False
    step: int = 1
    fortune: bool = False

    @classmethod
    def of(cls, chosen: Mapping[str, str]) -> Rules:
        """The values for the options `chosen`."""
        return cls(
            relative_starts=chosen["relative"] == "starts",
            kings_only=chosen["kings"] == "only",
            king_order=chosen["king_order"],
            reshuffle=chosen["stock_empty"] == "reshuffle",
            overkill=chosen["overkill"] == "game_over",
            pass_last_over=chosen["pass_last"] == "game_over",
            draw_exact=chosen["draw"] == "exact",
            lost_cards=chosen["king_fail"] == "lost_cards",
            pass_joker_replace=chosen["pass_joker"] == "replace",
            same_suit=chosen["same_suit"] == "allowed",
            step=step_of(chosen["direction"]),
            fortune=chosen["fortune"] == "yes",
        )
