"""Decks as the picker and the list of decks show them."""

from __future__ import annotations

from typing import Any

from companion.cards import Deck, Face, Kind
from companion.cards import deck as find_deck
from companion.games import game, ids
from companion.games.fitting import Unfit
from companion.server.show.texts import Texts


def deck_json(deck: Deck, texts: Texts, lang: str) -> dict[str, Any]:
    """A deck for the picker: its faces by suit in printed order, with names and number of copies."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for face in deck.faces:
        suit = face.suit or ""
        groups.setdefault(suit, []).append(
            {
                "code": face.code,
                "rank": face.rank or face.glyph,
                "kind": str(face.kind),
                "glyph": face.glyph,
                "ink": face.ink,
                "short": _short(deck, face, texts, lang),
                "name": face.name(lang),
                "copies": deck.copies(face.code),
            }
        )
    return {
        "name": deck.name,
        "size": deck.size,
        "suits": [
            {"suit": suit, "name": suit_name(deck, suit, texts, lang), "faces": faces} for suit, faces in groups.items()
        ],
    }


def _short(deck: Deck, face: Face, texts: Texts, lang: str) -> str:
    """A face below the heading of its suit: the picture alone."""
    part = deck.design.ranks.get(face.rank) if deck.design else None
    if part is not None and face.suit:
        return part.names[lang]
    return texts.text(f"rank.{face.rank}", lang) if face.kind is Kind.PICTURE else face.name(lang)


def games_of(own: Deck) -> dict[str, Unfit | None]:
    """Every game with the reason why it is not played with the deck, None where it is."""
    return {name: None if own.name in game(name).decks else game(name).unfit(own) for name in ids()}


def suit_name(deck: Deck, suit: str, texts: Texts, lang: str) -> str:
    """What a suit is called: by the file of a deck of one's own, else by the catalogues."""
    part = deck.design.suits.get(suit) if deck.design else None
    return part.names[lang] if part else texts.suit(suit, lang)


def sample(name: str) -> list[str]:
    """Three cards that show which deck this is: the last of its first, middle and last suit."""
    found = find_deck(name)
    last = {face.suit: face.code for face in found.faces}
    codes = list(last.values())
    return [codes[0], codes[len(codes) // 2], codes[-1]]
