"""The house rules of the 65-card poker: what may be chosen, and what is in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from companion.games.setup import ranking_options, seat_option
from companion.games.values import Choice, Option, Prompt, Slot
from companion.hands import house_rules
from companion.hands.sixty_five import SixtyFiveRanking, ranking

MOST_PLAYERS = 13
"""More hands of five cards the deck does not give."""
HAND = 5
"""Cards of a hand (134)."""
SHEPHERD_FIVE = "shepherd_five"
"""The hand that has no place in the usual order: it turns the order over (68)."""
RANKING_OPTIONS = tuple(rule.name for rule in house_rules("65"))

OPTIONS = (
    *ranking_options(house_rules("65")),
    Option("draw_limit", ("stock", "reshuffle"), "7.9"),
    Option("max_exchange", ("5", "3"), "7.9"),
    Option("declare", ("cards_speak", "binding"), "7.10"),
    Option("betting", ("none", "external"), "7.11"),
    seat_option("dealer", MOST_PLAYERS, "7.12"),
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The options in force, as values; `ranking`: the order of the hands, `opens`: each seat's prompt to open his."""

    ranking: SixtyFiveRanking
    codes: frozenset[str]
    opens: tuple[Prompt, ...]
    most: int
    reshuffle: bool
    binding: bool
    betting: bool

    @classmethod
    def of(cls, chosen: Mapping[str, str], cards: str = "65") -> Rules:
        """The values for the options `chosen`, over the deck of that name."""
        return _rules(tuple(chosen.items()), cards)


@lru_cache(maxsize=64)
def _rules(options: tuple[tuple[str, str], ...], cards: str) -> Rules:
    """Made once: the prompts to open carry every name of a hand."""
    chosen = dict(options)
    order = ranking({name: chosen[name] for name in RANKING_OPTIONS}, cards)
    hands = Choice("hand", (*order.categories, SHEPHERD_FIVE))
    return Rules(
        order,
        frozenset(order.deck.codes),
        tuple(Prompt("open", seat, Slot(HAND, HAND, target=f"hand:{seat}"), (hands,)) for seat in range(MOST_PLAYERS)),
        most=int(chosen["max_exchange"]),
        reshuffle=chosen["draw_limit"] == "reshuffle",
        binding=chosen["declare"] == "binding",
        betting=chosen["betting"] == "external",
    )
