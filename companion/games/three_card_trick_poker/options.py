"""The house rules of Three Card Trick Poker: what may be chosen, and what is in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.contract import Setup
from companion.games.three_card import RANKING_OPTIONS, Judge
from companion.games.values import Option

OPTIONS = (
    Option("end", ("M", "L", "S"), "105"),
    Option("games", ("1", "2", "3", "4", "5"), "118", free=2),
    Option("leader_fold", ("allowed", "forbidden"), "7.12"),
    Option("refill", ("ordered", "any_order"), "7.13"),
    Option("r3_out", ("compete", "fold"), "7.14"),
    Option("penalty", ("face_up", "face_down"), "7.16"),
    Option("s_pot", ("nobody", "last_winner"), "7.17"),
    Option("tie", ("shared", "turn_order"), "7.18"),
    *RANKING_OPTIONS,
)


@dataclass(frozen=True, slots=True)
class Rules:
    """What does not change during a match: set-up, judge, and the options that steer the flow."""

    setup: Setup
    judge: Judge
    end: str
    games: int
    leader_may_fold: bool
    ordered_refill: bool
    third_card_competes: bool
    penalty_side: str
    pot_to_last_winner: bool
    tie_by_turn: bool

    @classmethod
    def of(cls, setup: Setup, judge: Judge, chosen: Mapping[str, str]) -> Rules:
        """The values for the options `chosen`."""
        return cls(
            setup,
            judge,
            end=chosen["end"],
            games=int(chosen["games"]),
            leader_may_fold=chosen["leader_fold"] == "allowed",
            ordered_refill=chosen["refill"] == "ordered",
            third_card_competes=chosen["r3_out"] == "compete",
            penalty_side="up" if chosen["penalty"] == "face_up" else "down",
            pot_to_last_winner=chosen["s_pot"] == "last_winner",
            tie_by_turn=chosen["tie"] == "turn_order",
        )

    @property
    def seats(self) -> int:
        return len(self.setup.players)

    @property
    def dealt(self) -> int:
        """Cards each player is dealt (43)."""
        return self.judge.deck.size // self.seats

    @property
    def rest(self) -> int:
        """Cards that the deal leaves over, for the pot (43)."""
        return self.judge.deck.size % self.seats
