"""The house rules of Ace's King: what may be chosen, and what is in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from companion.cards import Deck
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

    deck: Deck
    codes: frozenset[str]
    numbers: Mapping[str, int] = field(hash=False, compare=False)
    ace_high: bool
    out_before_draw: bool
    stock_empty: str
    open_pass: bool
    ranking: bool
    step: int
    free_lead: bool

    @classmethod
    def of(cls, chosen: Mapping[str, str], cards: Deck) -> Rules:
        """The values for the options `chosen`; `cards`: the deck that is played with."""
        high = chosen["ace"] == "14"
        return cls(
            deck=cards,
            codes=frozenset(cards.codes),
            numbers=numbers(cards, high),
            ace_high=high,
            out_before_draw=chosen["out_on_empty"] == "before_draw",
            stock_empty=chosen["stock_empty"],
            open_pass=chosen["open_pass"] == "yes",
            ranking=chosen["ranking"] == "yes",
            step=step_of(chosen["direction"]),
            free_lead=chosen["all_pass"] == "free_lead",
        )


@lru_cache(maxsize=64)
def numbers(cards: Deck, ace_high: bool = False) -> dict[str, int]:
    """Every card's number: the place of its rank. The ace is 1 (25), or 14 by house rule 7.1; J, Q, K are 11 to 13
    (27)."""
    places = {rank: place for place, rank in enumerate(cards.ranks, 1)}
    return {face.code: 14 if face.rank == "A" and ace_high else places[face.rank] for face in cards.faces}
