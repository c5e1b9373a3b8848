"""Pokard Trick: what lies on the table."""

from __future__ import annotations

from companion.games.contract import Setup
from companion.games.places import BOX, Form, Place, Shows, stock
from companion.games.pokard_trick.state import ASIDE, CARDS, TRICKS


def places(setup: Setup) -> tuple[Place, ...]:
    """Before every player his captured cards and the two laid aside; the trick, folded cards and the rest in the
    middle."""
    seats = len(setup.players)
    return (
        Place("aside", Form.ROW, Shows.ALL, ASIDE, ASIDE, "place.pokard.aside", own=True),
        Place("captured", Form.FAN, Shows.ALL, 2 * seats, TRICKS * seats, "place.pokard.captured", own=True),
        Place("trick", Form.ROW, Shows.ALL, seats, seats, "place.pokard.trick"),
        Place("folded", Form.STACK, Shows.COUNT, CARDS, CARDS, "place.pokard.folded", spare=3),
        stock(most=CARDS),
        BOX,
    )
