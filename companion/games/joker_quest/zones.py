"""Joker Quest: what lies on the table."""

from __future__ import annotations

from companion.games.contract import Setup
from companion.games.places import BOX, Form, Place, Shows, stock

COMMON = (
    Place("road", Form.PILE, Shows.TOP, 53, 53, "place.joker-quest.road"),
    stock(),
    Place("joker", Form.ROW, Shows.ALL, 2, 2, "place.joker"),
    Place("kings", Form.ROW, Shows.ALL, 4, 4, "place.joker-quest.kings"),
    BOX,
)
PENALTY = Place("penalty", Form.FAN, Shows.ALL, 6, 52, "place.joker-quest.penalty", own=True)
PAID = Place("paid", Form.FAN, Shows.ALL, 6, 44, "place.joker-quest.paid", own=True, spare=4)
SHOWN = Place("shown", Form.FAN, Shows.ALL, 6, 52, "place.joker-quest.shown", own=True, spare=4)


def places(setup: Setup) -> tuple[Place, ...]:
    """Penalties and what is paid for them before every player, in the middle the road and the joker with his
    guardians; a solo game read as a fortune shows the last hand too."""
    fortune = dict(setup.options).get("fortune") == "yes" and len(setup.players) == 1
    return (PENALTY, PAID, *((SHOWN,) if fortune else ()), *COMMON)
