"""A hand as somebody typed it: its category, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from companion.cards import Deck, Kind, NotationError, parse_face
from companion.cards import deck as named_deck
from companion.hands.base import NONE, Ranking
from companion.hands.explanation import Explanation
from companion.hands.options import Given
from companion.hands.registry import ranking

_CLAUSE = "4"
"""Both rule specifications say in section 4 how many cards a hand has and which copies can exist."""


_FULL = {Kind.TRUMP: "54", Kind.TILE: "M9D1", Kind.TESCA: "T52D1"}
"""The deck that knows every card of a family, also those a short deck has removed."""


def _read(text: str, deck: Deck) -> str:
    """The code of a card, of another deck if need be. Raises NotationError with the nearest faces of `deck`."""
    family = _FULL.get(deck.faces[0].kind)
    known = (deck, named_deck(family) if family else None, None)
    for candidates in known:
        with suppress(NotationError):
            return parse_face(text, candidates)
    return parse_face(text, deck)


def _violation(code: str, cards: Iterable[str], **params: str | int) -> dict[str, object]:
    return {"code": code, "clause": _CLAUSE, "cards": list(cards), "params": params, "verdict": "foul"}


def _violations(ranked: Ranking, codes: tuple[str, ...]) -> list[dict[str, object]]:
    found = []
    if len(codes) != ranked.size:
        found.append(_violation("wrong-count", codes, count=len(codes), least=ranked.size, most=ranked.size))
    for surplus in ranked.deck.surplus(codes):
        if surplus.holds:
            face, copies, holds = surplus.face, surplus.copies, surplus.holds
            found.append(_violation("too-many-copies", [face], face=face, copies=copies, holds=holds))
        else:
            found.append(_violation("not-in-deck", [surplus.face], face=surplus.face, deck=ranked.deck.name))
    return found


def hand_report(name: str, options: Given, cards: Iterable[str]) -> dict[str, object]:
    """``{"category", "cards", "violations"}`` of a hand, cards in any notation.

    A hand with a violation (a wrong number of cards, a card that is not in the deck, more copies than the deck holds:
    `face`, `copies`, `holds`) is no hand: its category is ``none``. Raises NotationError for a text that names no card
    at all, RankingError, OptionError.
    """
    ranked = ranking(name, **options)
    codes = tuple(_read(card, ranked.deck) for card in cards)
    violations = _violations(ranked, codes)
    category = NONE if violations else ranked.category(codes)
    return {"category": category, "cards": list(codes), "violations": violations}


def explain_hand(name: str, options: Given, cards: Iterable[str]) -> Explanation:
    """Why the hand is what it is. Raises as `hand_report`, and HandError for a wrong number of cards."""
    ranked = ranking(name, **options)
    return ranked.explain(tuple(parse_face(card, ranked.deck) for card in cards))
