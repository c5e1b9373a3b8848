"""Trading Poker: what lies on the table. The score cards are no cards to be read: their place is kept free."""

from __future__ import annotations

from companion.games.contract import Setup
from companion.games.places import BOX, Form, Place, Shows, stock

PLACES = (
    Place("keep", Form.ROW, Shows.ALL, 4, 24, "place.trading.keep", own=True),
    Place("common", Form.ROW, Shows.ALL, 5, 5, "place.trading.common"),
    stock(most=81, spare=3),
    Place("discard", Form.PILE, Shows.TOP, 81, 81, "place.discard", spare=3),
    Place("joker", Form.PILE, Shows.ALL, 1, 1, "place.joker"),
    Place("score", Form.ROW, Shows.NOTHING, 9, 9, "place.trading.score", spare=2),
    BOX,
)


def places(setup: Setup) -> tuple[Place, ...]:
    """Keep cards before every player; common cards, piles and score cards in the middle."""
    return PLACES
