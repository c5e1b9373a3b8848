"""Exact odds: how many hands of a deck make each category, and where the printed order is not the order of rarity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.hands.base import NONE, Ranking
from companion.hands.options import Given, as_text
from companion.hands.registry import ranking


@dataclass(frozen=True, slots=True)
class Odds:
    """The counts of a ranking.

    `hands`: how many different deals of one hand there are, copies told apart; `counts`: by code, weak to strong,
    ``none`` first where hands can be nothing; `order_by_rarity`: the categories that occur, frequent to rare (which is
    weak to strong, were rarity the order); `disagreements`: pairs (weaker, stronger) of the order in force in which
    the stronger is the more frequent one.
    """

    ranking: str
    options: Mapping[str, str]
    hands: int
    counts: Mapping[str, int]
    order_by_rarity: tuple[str, ...]
    disagreements: tuple[tuple[str, str], ...]

    def probability(self, code: str) -> float:
        """The share of hands that are of this category, 0 to 1. Raises KeyError for an unknown code."""
        return self.counts[code] / self.hands

    def to_json(self) -> dict[str, object]:
        """``{"ranking", "options", "hands", "counts", "order_by_rarity", "disagreements"}`` as plain data."""
        return {
            "ranking": self.ranking,
            "options": dict(self.options),
            "hands": self.hands,
            "counts": dict(self.counts),
            "order_by_rarity": list(self.order_by_rarity),
            "disagreements": [list(pair) for pair in self.disagreements],
        }


def disagreements(order: Sequence[str], counts: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    """The pairs (weaker, stronger) of `order` (weak to strong) in which the stronger is the more frequent."""
    return tuple((a, b) for i, a in enumerate(order) for b in order[i + 1 :] if counts[a] < counts[b])


def odds_of(ranked: Ranking, options: Mapping[str, str]) -> Odds:
    """The odds of a ranking that is there already; `options` are echoed."""
    counts = ranked.counts()
    occurring = [code for code in counts if counts[code] and code != NONE]
    rarity = tuple(sorted(occurring, key=lambda code: -counts[code]))
    return Odds(ranked.name, options, sum(counts.values()), counts, rarity, disagreements(ranked.categories, counts))


def odds(name: str, options: Given | None = None) -> Odds:
    """The exact odds of the ranking of that name (``52D2``, ``65``, ``five-card``) under the given house rules.

    Computed anew each time, a fraction of a second: three cards by multisets of faces, the 65 deck by going through
    all its 8,259,888 hands, standard five cards by multisets of ranks. Raises RankingError, OptionError.
    """
    given = {key: as_text(value) for key, value in (options or {}).items()}
    return odds_of(ranking(name, **given), given)
