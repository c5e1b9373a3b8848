"""Highest Card: what lies on the table."""

from __future__ import annotations

from companion.games import Form, Place, Setup, Shows
from companion.games.places import BOX, stock

PLACES = (
    Place("laid", Form.ROW, Shows.ALL, 1, 1, "place.highest-card.laid", own=True),
    Place("discard", Form.PILE, Shows.TOP, 52, 52, "place.discard"),
    stock(),
    BOX,
)


def places(setup: Setup) -> tuple[Place, ...]:
    """A card before every player; the cards of earlier rounds and the rest of the deck in the middle."""
    return PLACES
