"""The house rules of Trading Poker: what may be chosen, and what is in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.common import replace
from companion.games.contract import SetupError
from companion.games.setup import ranking_options, seat_option
from companion.games.trading_poker.catalogue import OWN_CATALOGUE, Catalogue, catalogue
from companion.games.values import Option
from companion.hands import trading

OPTIONS = (
    *ranking_options(trading.HOUSE_RULES, catalogue=OWN_CATALOGUE),
    Option("c_take", ("all", "up_to"), "7.4"),
    Option("d_empty", ("forbidden", "allowed"), "7.5"),
    Option("end_kinds", ("catalogue", *(str(n) for n in range(1, 11))), "7.6"),
    Option("end_check", ("after_action", "immediate"), "7.7"),
    Option("shuffle", ("repeat", "once_per_turn"), "7.8"),
    Option("discard", ("closed", "open"), "7.12"),
    seat_option("start", 5, "45"),
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The options in force, as values. `sizes`: how many cards buy a score card, by kind of the catalogue."""

    catalogue: Catalogue
    sizes: tuple[int, ...]
    hand_options: tuple[tuple[str, str], ...] = ()
    exact_count: bool = True
    take_up_to: bool = False
    empty_claim: bool = False
    end_at_once: bool = False
    once_per_turn: bool = False
    open_pile: bool = False

    @classmethod
    def of(cls, chosen: Mapping[str, str]) -> Rules:
        """The values for the options `chosen`; that of `catalogue` may be the TOML text of one. Raises SetupError."""
        cards = catalogue(chosen["catalogue"])
        if chosen["end_kinds"] != "catalogue":
            if int(chosen["end_kinds"]) >= len(cards.kinds):
                raise SetupError(f"end_kinds is less than the {len(cards.kinds)} kinds, not {chosen['end_kinds']}")
            cards = replace(cards, end_kinds=int(chosen["end_kinds"]))
        hand_options = tuple((name, chosen[name]) for name in ("no_pair", "no_pair_cards", "exact_count"))
        return cls(
            cards,
            tuple(trading.cards_of(kind, dict(hand_options)) for kind in cards.kinds),
            hand_options,
            exact_count=chosen["exact_count"] == "yes",
            take_up_to=chosen["c_take"] == "up_to",
            empty_claim=chosen["d_empty"] == "allowed",
            end_at_once=chosen["end_check"] == "immediate",
            once_per_turn=chosen["shuffle"] == "once_per_turn",
            open_pile=chosen["discard"] == "open",
        )
