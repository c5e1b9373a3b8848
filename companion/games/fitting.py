"""Which decks of one's own a game can be played with, and why not with others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from companion.cards import Deck, Face, Kind, deck
from companion.cards.decks import HONOUR_SUIT
from companion.games.values import Msg


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why a deck does not fit: `why` for the catalogues, `sentence` the same in English, for errors."""

    why: Msg
    sentence: str


def same_cards(own: Deck, decks: Iterable[str]) -> Unfit | None:
    """None where `own` holds the same cards, in the same numbers, as one of `decks`: the rules name each of them.

    The reason counts what differs from the nearest of them."""
    lacks, more, name = min((*_difference(own, deck(name)), name) for name in decks)
    if not lacks and not more:
        return None
    sentence = f"it needs exactly the cards of the deck {name}; {lacks} of them are missing and {more} are others"
    return Unfit(Msg.of("deck.unfit.cards", like=name, lacks=lacks, more=more), sentence)


def _difference(own: Deck, wanted: Deck) -> tuple[int, int]:
    mine, needed = Counter(own.multiset), Counter(wanted.multiset)
    return (needed - mine).total(), (mine - needed).total()


def _honour(face: Face) -> bool:
    """A wind or dragon has a place of its own, which is no number."""
    return face.kind is Kind.TILE and face.suit == HONOUR_SUIT


def outside(own: Deck, what: str) -> Unfit | None:
    """The cards that belong to no suit or rank, where a game has no use for them. `what`: ``suit`` or ``rank``."""
    strange = [face.code for face in own.faces if not getattr(face, what) or (what == "rank" and _honour(face))]
    if not strange:
        return None
    shown = " ".join(strange[:6])
    return Unfit(Msg.of(f"deck.unfit.no-{what}", codes=shown), f"these cards have no {what}: {shown}")
