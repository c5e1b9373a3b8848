"""The house rules of Pokard Trick: what may be chosen, and what is in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.setup import seat_option
from companion.games.values import Option

ENDS = ("deals", "time", "bankrupts")
"""Conditions of the end; when several are agreed on, whichever comes first (232-238)."""

OPTIONS = (
    Option("end", (*ENDS, "deals_time", "deals_bankrupts", "time_bankrupts", "all"), "232"),
    Option("deals", ("5", "1", "2", "3", "4", "6", "7", "8", "10", "12", "15", "20"), "236"),
    Option("bankrupts", ("1", "2", "3", "4", "5", "6"), "238"),
    seat_option("dealer", 7, "50"),
    Option("ace_trick", ("high", "low"), "7.1"),
    Option("ace_run", ("both", "low", "high"), "7.2"),
    Option("all_fold", ("fees_stay", "dealer_plays"), "7.3"),
    Option("fee_remainder", ("top", "carry"), "7.4"),
    Option("revoke", ("warn", "zero_points", "deal_void"), "7.6"),
    Option("settle", ("differences", "net"), "7.7"),
    Option("aside", ("if_used", "always_shown"), "7.8"),
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The options in force, as values."""

    ace_high: bool = True
    ace_run: str = "both"
    dealer_plays: bool = False
    carry_remainder: bool = False
    revoke: str = "warn"
    net: bool = False
    aside_shown: bool = False
    deals: int = 0
    bankrupts: int = 0
    timed: bool = False

    @classmethod
    def of(cls, chosen: Mapping[str, str]) -> Rules:
        """The values for the options `chosen`; a limit of 0 is none."""
        agreed = ENDS if chosen["end"] == "all" else chosen["end"].split("_")
        return cls(
            ace_high=chosen["ace_trick"] == "high",
            ace_run=chosen["ace_run"],
            dealer_plays=chosen["all_fold"] == "dealer_plays",
            carry_remainder=chosen["fee_remainder"] == "carry",
            revoke=chosen["revoke"],
            net=chosen["settle"] == "net",
            aside_shown=chosen["aside"] == "always_shown",
            deals=int(chosen["deals"]) if "deals" in agreed else 0,
            bankrupts=int(chosen["bankrupts"]) if "bankrupts" in agreed else 0,
            timed="time" in agreed,
        )
