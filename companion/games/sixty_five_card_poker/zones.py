"""65-card poker: what lies on the table."""

from __future__ import annotations

from companion.games.contract import Setup
from companion.games.places import BOX, Form, Place, Shows, stock

PLACES = (
    Place("hand", Form.ROW, Shows.ALL, 5, 5, "place.65.hand", own=True),
    Place("discard", Form.STACK, Shows.COUNT, 65, 65, "place.discard", spare=3),
    stock(most=65),
    BOX,
)


def places(setup: Setup) -> tuple[Place, ...]:
    """Five cards before every player; stock and discards in the middle."""
    return PLACES
