"""Decks as the picker and the list of decks show them."""

from __future__ import annotations

from typing import Any

from companion.cards import Deck, Kind
from companion.cards import deck as find_deck
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
                "short": texts.text(f"rank.{face.rank}", lang) if face.kind is Kind.PICTURE else face.name(lang),
                "name": face.name(lang),
                "copies": deck.copies(face.code),
            }
        )
    return {
        "name": deck.name,
        "size": deck.size,
        "suits": [{"suit": suit, "name": texts.suit(suit, lang), "faces": faces} for suit, faces in groups.items()],
    }


def sample(name: str) -> list[str]:
    """Three cards that show which deck this is: the last of its first, middle and last suit."""
    found = find_deck(name)
    last = {face.suit: face.code for face in found.faces}
    codes = list(last.values())
    return [codes[0], codes[len(codes) // 2], codes[-1]]
