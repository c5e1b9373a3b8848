"""Hexa Card: what lies on the table."""

from __future__ import annotations

from companion.games.contract import Setup
from companion.games.places import BOX, Form, Place, Shows, stock

PLACES = (
    Place("shown", Form.ROW, Shows.ALL, 6, 6, "place.hexa-card.shown", own=True),
    Place("discard", Form.PILE, Shows.TOP, 53, 53, "place.discard"),
    stock(),
    BOX,
)


def places(setup: Setup) -> tuple[Place, ...]:
    """Six cards shown before every player who declares; pile and stock in the middle."""
    return PLACES
