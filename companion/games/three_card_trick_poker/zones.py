"""Three Card Trick Poker: what lies on the table.

Captured cards and the pot are heaps too large to spread: how many lie there is known, which ones is not looked at.
"""

from __future__ import annotations

from companion.cards import deck
from companion.games.contract import Setup
from companion.games.places import BOX, Form, Place, Shows

EXPOSED = Place("exposed", Form.ROW, Shows.ALL, 3, 3, "place.three-card.exposed", own=True)
PLAY = Place("play", Form.ROW, Shows.ALL, 3, 3, "place.three-card.play", own=True)


def places(setup: Setup) -> tuple[Place, ...]:
    """Before every player his exposed cards beside his stock, and what he plays beside what he has captured; the pot
    in the middle."""
    cards = deck(setup.deck).size
    own = Place("stock", Form.STACK, Shows.COUNT, cards, cards, "place.three-card.stock", own=True, spare=2)
    captured = Place("captured", Form.PILE, Shows.COUNT, cards, cards, "place.three-card.captured", own=True, spare=3)
    pot = Place("pot", Form.PILE, Shows.COUNT, cards, cards, "place.three-card.pot")
    return (EXPOSED, own, PLAY, captured, pot, BOX)
