"""Ace's King: what lies on the table."""

from __future__ import annotations

from companion.cards import deck
from companion.games.contract import Setup
from companion.games.places import BOX, Form, Place, Shows, stock


def places(setup: Setup) -> tuple[Place, ...]:
    """The pile and the stock."""
    cards = deck(setup.deck).size
    return (Place("discard", Form.PILE, Shows.TOP, cards, cards, "place.pile"), stock(most=cards), BOX)
