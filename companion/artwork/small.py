"""Cards as small as a fingernail: what tells them apart as large as the card allows, and nothing else."""

from __future__ import annotations

import re

from companion.artwork.flowers import flower_svg
from companion.artwork.glyphs import STROKES, SUITS, rank_svg, suit_svg
from companion.artwork.kanji import kanji_svg
from companion.artwork.marks import letters_svg, mark_svg
from companion.artwork.pictures import EMBLEMS, SUIT_LOOKS, emblem_svg
from companion.artwork.style import Style
from companion.artwork.tiles import ELEMENTS, element_svg
from companion.cards import Deck, Face, Kind, deck
from companion.cards.ready import parts

_NUMERALS = "一二三四五六七八九"
_HONOURS = "東南西北白發中"
_INK = "#14161a"


def small_svg(face: Face, of: Deck, style: Style) -> str:
    """A card of any deck in a box of 63 x 88, readable from 24 px of width on; "" where its usual drawing is as good."""
    inside = _inside(face, of, style)
    if not inside:
        return ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63 88">'
        f'<rect x=".5" y=".5" width="62" height="87" rx="5" fill="{style.paper}" stroke="{style.border}"/>{inside}</svg>'
    )


def _rank(text: str, colour: str, top: float = 6, height: float = 34) -> str:
    return rank_svg(text, 6.0 if len(text) == 1 else 3.5, top, height, colour, 1.15)


def _inside(face: Face, of: Deck, style: Style) -> str:
    match face.kind:
        case Kind.TRUMP if face.suit in SUITS:
            colour = style.colours[face.suit]
            return _rank(style.letters.get(face.rank, face.rank), colour) + suit_svg(face.suit, 37, 64, 34, colour)
        case Kind.PICTURE:
            ink, body, tint, mark = SUIT_LOOKS[face.suit]
            field = f'<rect x="2.5" y="2.5" width="58" height="83" rx="4" fill="{tint}"/>'
            hollow = face.suit == "temple"
            return f"{field}{emblem_svg(face.rank, 31.5, 29, 47, ink, body)}{mark_svg(mark, 31.5, 70, 25, ink, hollow=hollow)}"
        case Kind.TESCA:
            colour = ELEMENTS[face.suit][0] if face.suit in ELEMENTS else _INK
            return _rank(face.rank, colour) + element_svg(face.suit, 37, 64, 33, int(face.rank))
        case Kind.TILE if face.suit == "z":
            if face.rank == "5":
                return (
                    '<rect x="12" y="16" width="39" height="56" rx="3" fill="none" stroke="#1d4e9e" stroke-width="6"/>'
                )
            return kanji_svg(_HONOURS[int(face.rank) - 1], 31.5, 44, 52, face.ink)
        case Kind.TILE if face.suit == "m":
            return kanji_svg(_NUMERALS[int(face.rank) - 1], 31.5, 23, 36, _INK) + kanji_svg(
                "萬", 31.5, 64, 38, face.ink
            )
        case Kind.TILE:
            mark = mark_svg("ring", 37, 64, 32, face.ink) if face.suit == "p" else _sticks(face.ink)
            return _rank(face.rank, face.ink) + mark
        case Kind.CUSTOM | Kind.FLOWER if of.design is not None:
            return _own(face, of)
        case Kind.FLOWER:
            return _flower(face)
    return ""


def _sticks(colour: str) -> str:
    """Bamboo: three sticks."""
    return "".join(
        f'<rect x="{x}" y="{y}" width="7.5" height="15" rx="3" fill="{colour}"/>'
        for x in (22, 33, 44)
        for y in (48, 65)
    )


def _flower(face: Face) -> str:
    """Hanafuda: the number of the month and the mark of the kind over the plant."""
    found = parts(deck("hanafuda"))
    number, mark = found.ranks[face.rank].index, found.suits[face.suit].mark
    plant = flower_svg(face.rank, face.suit, 31.5, 60, 47)
    return f"{plant}{_rank(number, face.ink, 5, 26)}{mark_svg(mark, 48, 18, 17, face.ink)}"


def _own(face: Face, of: Deck) -> str:
    """The index or picture of a deck of one's own over its mark."""
    assert of.design is not None
    suit = of.design.suits.get(face.suit)
    rank = of.design.extras.get(face.code) or of.design.ranks.get(face.rank)
    mark = mark_svg(suit.mark, 31.5, 69, 28, face.ink, hollow=suit.colour == "white") if suit else ""
    picture = "" if rank is None else rank.mark or (rank.code if rank.code in EMBLEMS else "")
    if picture in EMBLEMS:
        return emblem_svg(picture, 31.5, 29, 46, face.ink) + mark
    if picture:
        return mark_svg(picture, 31.5, 28, 42, face.ink) + mark
    text = (rank.index if rank else "") or face.rank or face.code
    if re.fullmatch(f"[{''.join(STROKES)}9]{{1,2}}", text):
        return _rank(text, face.ink, 5, 38) + mark
    return letters_svg(text[:3], 31.5, 28, 40, face.ink) + mark
