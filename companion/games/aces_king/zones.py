"""Ace's King: what lies on the table."""

from __future__ import annotations

from companion.games.contract import Setup
from companion.games.places import BOX, Form, Place, Shows, stock

PLACES = (Place("discard", Form.PILE, Shows.TOP, 52, 52, "place.pile"), stock(), BOX)


def places(setup: Setup) -> tuple[Place, ...]:
    """The pile and the stock."""
    return PLACES
