"""Faces, decks and their notation: the ground that everything else stands on.

What lives here: what is printed on a card (`Face`), how many cards are printed so (`Deck`), every deck of the games
by its name (`deck("52D2")`), decks of one's own from a deck file's text and what they look like (`Design`), what such a
file may start from (`ready`), how codes are read, and the sheets' table of recommended decks. What may come in: plain
text. What never does: game rules, drawing, files, NumPy.

Outside this room a face is its code, a short text: codes are equal when cards are copies, so a set of cards is a
`collections.Counter` of codes, and "more copies than the deck holds" is one comparison (`Deck.surplus`).
"""

from __future__ import annotations

from companion.cards.deckfile import deck_from_toml, own_deck
from companion.cards.decks import NAMES, deck, keep, preview
from companion.cards.design import Design, Part
from companion.cards.errors import DeckError, DeckFileError, NotationError
from companion.cards.faces import Deck, Face, Kind, Surplus
from companion.cards.notation import format_faces, parse_face, parse_faces
from companion.cards.recommended import RECOMMENDED, Recommendation, deal, recommended

__all__ = [
    "NAMES",
    "RECOMMENDED",
    "Deck",
    "DeckError",
    "DeckFileError",
    "Design",
    "Face",
    "Kind",
    "NotationError",
    "Part",
    "Recommendation",
    "Surplus",
    "deal",
    "deck",
    "deck_from_toml",
    "format_faces",
    "keep",
    "own_deck",
    "parse_face",
    "parse_faces",
    "preview",
    "recommended",
]
