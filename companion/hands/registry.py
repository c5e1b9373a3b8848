"""Every ranking by its name: a row of the three-card game, ``65``, or ``five-card``."""

from __future__ import annotations

from companion.hands import five_card, sixty_five, three_card
from companion.hands.base import Ranking, RankingError
from companion.hands.options import HouseRule
from companion.hands.rows import ROWS


def ranking_names() -> tuple[str, ...]:
    """All names `ranking` takes: the thirty rows as printed, then the others."""
    return (*ROWS, "65", "five-card")


def house_rules(name: str) -> tuple[HouseRule, ...]:
    """The options of that ranking. Raises RankingError."""
    match name.lower():
        case "65":
            return sixty_five.HOUSE_RULES
        case "five-card":
            return five_card.HOUSE_RULES
    if name.upper() not in ROWS:
        raise RankingError(name, ranking_names())
    return three_card.HOUSE_RULES


def ranking(name: str, /, **options: str | int | bool) -> Ranking:
    """The ranking of that name (letter case ignored) under the given house rules: ``ranking("65", straights=2)``.

    Raises RankingError with the nearest names, OptionError with the possible values.
    """
    match name.lower():
        case "65":
            return sixty_five.ranking(options)
        case "five-card":
            return five_card.ranking(options)
    if name.upper() not in ROWS:
        raise RankingError(name, ranking_names())
    return three_card.ranking(name, options)
