"""Every ranking by its name: a row of the three-card game, ``65``, or ``five-card``."""

from __future__ import annotations

from contextlib import suppress

from companion.cards import Deck, DeckError, deck
from companion.hands import five_card, sixty_five, three_card
from companion.hands.base import Ranking, RankingError
from companion.hands.options import HouseRule
from companion.hands.rows import ROWS
from companion.hands.three_card_own import ranking_for


def ranking_names() -> tuple[str, ...]:
    """All names `ranking` takes: the thirty rows as printed, then the others. A deck of one's own has its name, too."""
    return (*ROWS, "hanafuda", "65", "five-card")


def house_rules(name: str) -> tuple[HouseRule, ...]:
    """The options of that ranking. Raises RankingError."""
    match name.lower():
        case "65":
            return sixty_five.HOUSE_RULES
        case "five-card":
            return five_card.HOUSE_RULES
    if name.upper() not in ROWS and _deck_of(name) is None:
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
    if name.upper() in ROWS:
        return ranking_for(deck(name.upper()), options)
    if (own := _deck_of(name)) is None:
        raise RankingError(name, ranking_names())
    return ranking_for(own, options)


def _deck_of(name: str) -> Deck | None:
    """Hanafuda, or a deck of one's own, with the hands of the three-card game."""
    if "~" not in name and name != "hanafuda":
        return None
    with suppress(DeckError):
        return deck(name)
    return None
