"""The house rules of Hexa Card: what may be chosen, and what is in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.setup import seat_option
from companion.games.turns import DIRECTIONS, step_of
from companion.games.values import Option

_HAND_RULES = ("ace_run", "amulet_voluntary", "amulet_inside", "friend_park", "amulet_counts")
"""Those of them that shape hands: `companion.hands.hexa` knows them by the same names."""

OPTIONS = (
    seat_option("starter", 5, "69"),
    Option("direction", DIRECTIONS, "7.1"),
    Option("dice", ("blind", "victim_chooses"), "7.2"),
    Option("dice_return", ("no", "yes"), "7.3"),
    Option("robbed", ("draw_first", "must_loop"), "7.4"),
    Option("out", ("declared", "auto"), "7.5"),
    Option("ace_run", ("low", "both"), "7.6"),
    Option("amulet_voluntary", ("yes", "no"), "7.7"),
    Option("amulet_inside", ("no", "yes"), "7.8"),
    Option("friend_park", ("few", "strict"), "7.9"),
    Option("amulet_counts", ("no", "yes"), "7.10"),
    Option("holy", ("first", "all_score"), "7.12"),
    Option("tie", ("shared", "playoff"), "7.15"),
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The options in force, as values; `hands`: those of `companion.hands.hexa`."""

    step: int
    victim_chooses: bool
    may_return: bool
    must_loop: bool
    auto_out: bool
    all_holy: bool
    playoff: bool
    hands: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, chosen: Mapping[str, str]) -> Rules:
        """The values for the options `chosen`."""
        return cls(
            step=step_of(chosen["direction"]),
            victim_chooses=chosen["dice"] == "victim_chooses",
            may_return=chosen["dice_return"] == "yes",
            must_loop=chosen["robbed"] == "must_loop",
            auto_out=chosen["out"] == "auto",
            all_holy=chosen["holy"] == "all_score",
            playoff=chosen["tie"] == "playoff",
            hands=tuple((name, chosen[name]) for name in _HAND_RULES),
        )
