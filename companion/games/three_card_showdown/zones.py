"""Three-card showdown: what lies on the table."""

from __future__ import annotations

from companion.games.contract import Setup
from companion.games.places import BOX, Form, Place, Shows

HAND = Place("hand", Form.ROW, Shows.ALL, 3, 3, "place.three-card.hand", own=True)


def places(setup: Setup) -> tuple[Place, ...]:
    """Three cards before every player."""
    return (HAND, BOX)
