"""Which card people mean who name one that lies among others: they see the picture of a place, and read what lies on
top there."""

from __future__ import annotations

from collections.abc import Iterable

from companion.table.layout import ZoneShape
from companion.vision.types import SeenCard, Side

UNLIKELY = 0.05
"""A name that the card asked about has with less probability is another's, if another has it there."""


def meant(cards: Iterable[SeenCard], track: int, face: str) -> int:
    """The number of the card that is `face`, where people were asked about the nameless card `track`: that one, or one
    that lies over its middle, has its own middle on it, and that name, or looks most like it."""
    lying = {card.track: card for card in cards}
    asked = lying.get(track)
    if asked is None or asked.face is not None or _share(asked, face) >= UNLIKELY:
        return track
    over = (card for card in lying.values() if card is not asked and card.side is Side.UP and _is(card, face))
    near = [card for card in over if _holds(card, asked) and _holds(asked, card)]
    return min(near, key=lambda card: _apart(card, asked)).track if near else track


def _share(card: SeenCard, face: str) -> float:
    return next((one.p for one in card.candidates if one.face == face), 0.0)


def _is(card: SeenCard, face: str) -> bool:
    best = card.face if card.face is not None else next((one.face for one in card.candidates[:1]), None)
    return best == face


def _holds(card: SeenCard, other: SeenCard) -> bool:
    return ZoneShape("", card.polygon).holds(other.centre)


def _apart(card: SeenCard, other: SeenCard) -> float:
    (x, y), (a, b) = card.centre, other.centre
    return (x - a) ** 2 + (y - b) ** 2
