"""Decks as the picker and the list of decks show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.artwork import card_svg
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
    """Three cards that show which deck this is."""
    return shown_cards(find_deck(name))


def shown_cards(of: Deck) -> list[str]:
    """Three cards that show which deck this is: one as often as there are copies, then others of other suits; of short
    decks the last card before the gap, of decks with jokers a joker."""
    suits = [[face for face in of.faces if face.suit == suit] for suit in of.suits] or [list(of.faces)]
    suits = [faces for faces in suits if faces]
    middle = len(of.ranks) // 2
    picks = [faces[(len(faces) - 1, 0, middle, -2, 1)[i % 5] % len(faces)] for i, faces in enumerate(suits)]
    if of.faces[0].kind is Kind.TRUMP and of.name[:2] in ("48", "40", "36"):
        kept = [rank for rank in of.ranks if rank.isdecimal()]
        picks = [next(face for face in suits[1] if face.rank == kept[-1]), suits[0][-3], suits[2][0]]
    picks += [face for face in of.faces if not face.suit]
    if of.faces[-1].suit == "":
        picks = [picks[0], of.faces[-1], picks[1]]
    copies = min(3, max(of.counts))
    codes = [face.code for face in picks]
    return ([codes[0]] * copies + codes[1:] * 3)[:3]


def fans_svg(decks: Sequence[tuple[Deck, Sequence[str]]]) -> str:
    """The cards of these decks as fans, each a symbol ``fan-<number>`` of 126 x 96: one picture for many places."""
    fans = []
    for row, (of, codes) in enumerate(decks):
        cards = []
        for number, code in enumerate(codes):
            drawn = card_svg(of.face(code), of)
            inside = drawn[drawn.index(">") + 1 : drawn.rindex("</svg>")]
            # Several cards in one document: what they name for themselves gets a name of its own.
            inside = inside.replace('id="', f'id="{row}-{number}-').replace("url(#", f"url(#{row}-{number}-")
            turn, x = 8 * (number - 1), 7 + 28 * number
            cards.append(
                f'<g transform="translate({x} {6 + 3 * abs(number - 1)}) rotate({turn} 26 80) scale(.86)">{inside}</g>'
            )
        fans.append(f'<symbol id="fan-{row}" viewBox="0 0 126 96">{"".join(cards)}</symbol>')
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(fans)}</svg>'
