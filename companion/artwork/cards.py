"""Faces and backs as whole SVG documents, chosen by face code."""

from __future__ import annotations

import re
from functools import lru_cache

from companion.artwork.courts import LINE, court_svg, joker_svg
from companion.artwork.glyphs import rank_svg, suit_svg
from companion.artwork.own import own_svg
from companion.artwork.pictures import picture_svg
from companion.artwork.style import RED, STANDARD, Style
from companion.artwork.tiles import tesca_svg, tile_svg
from companion.cards import Deck, Design, Face, Kind, deck
from companion.cards.decks import PICTURE_SUITS, PICTURES
from companion.cards.ready import parts

_PIPS: dict[str, tuple[tuple[str, float], ...]] = {
    "2": (("m", 0), ("m", 1)),
    "3": (("m", 0), ("m", 0.5), ("m", 1)),
    "4": (("l", 0), ("r", 0), ("l", 1), ("r", 1)),
    "5": (("l", 0), ("r", 0), ("m", 0.5), ("l", 1), ("r", 1)),
    "6": (("l", 0), ("r", 0), ("l", 0.5), ("r", 0.5), ("l", 1), ("r", 1)),
    "7": (("l", 0), ("r", 0), ("m", 0.25), ("l", 0.5), ("r", 0.5), ("l", 1), ("r", 1)),
    "8": (("l", 0), ("r", 0), ("m", 0.25), ("l", 0.5), ("r", 0.5), ("m", 0.75), ("l", 1), ("r", 1)),
    "9": (*((c, y / 3) for y in range(4) for c in "lr"), ("m", 0.5)),
    "10": (*((c, y / 3) for y in range(4) for c in "lr"), ("m", 1 / 6), ("m", 5 / 6)),
}
_TRUMP = re.compile(r"^(A|[2-9]|10|J|Q|K)([SHDC])$")
_TILE = re.compile(r"^([1-9])([mpsz])$")
_TESCA = re.compile(r"^(1[0-2]|[0-9])([abcy])$")


def index_svg(text: str, suit: str | None, style: Style, colour: str) -> str:
    """The corner index: rank above suit, its top left 3 mm from the card's edges."""
    size = 8.6 * style.index
    x, y = 2.8 + (1.2 if len(text) == 1 else 0.0) * style.index, 3.6
    mark = (
        suit_svg(suit, 2.8 + 4.4 * style.index, y + size + 4.6 * style.index, 6.4 * style.index, colour) if suit else ""
    )
    return rank_svg(text, x, y, size, colour, style.weight) + mark


def _corners(index: str, style: Style) -> str:
    w, h = style.width, style.height
    turned = f'<g transform="rotate(180 {w / 2} {h / 2})">{index}</g>'
    if style.corners == 2:
        return index + turned
    # A four-corner deck repeats the index in the free corners, reading the same way as its neighbour.
    shift = w - 5.6 - 8.8 * style.index
    right = f'<g transform="translate({shift:.2f} 0)">{index}</g>'
    return index + right + turned + f'<g transform="rotate(180 {w / 2} {h / 2})">{right}</g>'


def _trump(rank: str, suit: str, style: Style) -> str:
    w, h = style.width, style.height
    colour = style.colours[suit]
    index = index_svg(style.letters.get(rank, rank), suit, style, colour)
    edge = 2.8 + 8.8 * style.index + 0.9  # so far the index goes, and a little more
    if rank in "JQK":
        body = court_svg(rank, suit, style) + _cut_out(edge, 3.6 + 16.4 * style.index + 0.9, style, colour)
    elif rank == "A":
        body = _ace(suit, style, colour)
    else:
        # Columns stand clear of the index, however large it is: by 3 mm, as card makers keep them.
        edge += 1.1
        top, size = 0.2 * h, min(12.5 * style.pips, (w - 2 * edge) / 3.2)
        left = max(0.3 * w, edge + size / 2)
        columns = {"l": left, "m": w / 2, "r": w - left}
        body = "".join(
            suit_svg(suit, columns[c], top + y * (h - 2 * top), size, colour, turned=y > 0.5) for c, y in _PIPS[rank]
        )
    return body + _corners(index, style)


def _ace(suit: str, style: Style, colour: str) -> str:
    """The suit large; that of spades larger, with a small one inside."""
    w, h = style.width, style.height
    if suit != "S":
        return suit_svg(suit, w / 2, h / 2, 27, colour)
    size = 34 if style.index <= 1.1 else 29
    return (
        suit_svg(suit, w / 2, h / 2, size, colour)
        + suit_svg(suit, w / 2, h / 2 - 0.4, 0.42 * size, style.paper)
        + suit_svg(suit, w / 2, h / 2 - 0.2, 0.27 * size, colour)
    )


def _cut_out(right: float, low: float, style: Style, colour: str) -> str:
    """Paper behind the indices where a large one would stand on the figure; the frame goes round it."""
    if right <= 12.6:
        return ""
    w, h = style.width, style.height
    one = f'<path d="M.4 .4H{right:g}V{low - 2:g}Q{right:g} {low:g} {right - 2:g} {low:g}H.4Z" fill="{style.paper}"/>'
    one += (
        f'<path d="M{right:g} 9V{low - 2:g}Q{right:g} {low:g} {right - 2:g} {low:g}H12" fill="none" stroke="{colour}" '
        f'stroke-width=".6"/>'
    )
    return f'{one}<g transform="rotate(180 {w / 2:g} {h / 2:g})">{one}</g>'


def _joker(number: int, style: Style) -> str:
    colour = RED if number == 1 else LINE
    letters = "".join(
        f'<text x="5.6" y="{9 + 6.2 * i}" font-size="6.4" font-family="DejaVu Sans, Arial, sans-serif" '
        f'font-weight="bold" text-anchor="middle" fill="{colour}">{c}</text>'
        for i, c in enumerate("JOKER")
    )
    return joker_svg(colour, style) + _corners(letters, Style(width=style.width, height=style.height))


def _body(code: str, style: Style) -> str:
    if found := _TRUMP.match(code):
        return _trump(found[1], found[2], style)
    if found := re.match(r"^JK([1-9])$", code):
        return _joker(int(found[1]), style)
    if found := _TILE.match(code):
        return tile_svg(int(found[1]), found[2], style)
    if found := _TESCA.match(code):
        return tesca_svg(int(found[1]), found[2], style)
    picture, _, suit = code.partition(".")
    if picture in PICTURES and suit in PICTURE_SUITS:
        english, japanese = PICTURES[picture]
        return picture_svg(picture, suit, (japanese, english), style)
    raise KeyError(f"no drawing for the face {code!r}")


def _document(inside: str, style: Style, paper: str, label: str) -> str:
    w, h = style.width, style.height
    edge = (
        f'<rect x=".15" y=".15" width="{w - 0.3:g}" height="{h - 0.3:g}" rx="3.2" '
        f'fill="{paper}" stroke="{style.border}" stroke-width=".3"/>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w:g} {h:g}" role="img" aria-label="{label}">'
        f"{edge if style.border != 'none' else ''}{inside}</svg>"
    )


@lru_cache(maxsize=512)
def _standard(code: str) -> str:
    return _document(_body(code, STANDARD), STANDARD, STANDARD.paper, code)


def face_svg(code: str, style: Style = STANDARD) -> str:
    """The face `code` as an SVG document, `style.width` x `style.height` mm.

    Raises KeyError when the project has no drawing for the code.
    """
    if style is STANDARD:
        return _standard(code)
    return _document(_body(code, style), style, style.paper, code)


def card_svg(face: Face, of: Deck, style: Style = STANDARD) -> str:
    """A card of any deck as an SVG document, also of a deck of one's own, in the size of `style`."""
    if face.kind in (Kind.CUSTOM, Kind.FLOWER):
        return _document(own_svg(face, of.design or _flowers(), style), style, style.paper, face.code)
    return face_svg(face.code, style)


@lru_cache(maxsize=1)
def _flowers() -> Design:
    """How hanafuda is drawn: the number and the plant of the month, the mark of the kind."""
    found = parts(deck("hanafuda"))
    return Design("", "hanafuda", suits=found.suits, ranks=found.ranks)


def back_svg(colour: str = "#1d3f8f", style: Style = STANDARD, bleed: float | None = None) -> str:
    """A card back: a white margin around a lattice in `colour`. `bleed`: the colour goes so far (mm) beyond the edge
    instead, with a white line inside, so that a cut that is a little off leaves no white edge."""
    w, h = style.width, style.height
    unit = min(w, 0.72 * h) / 63
    edge, tile = (4 * unit if bleed is None else 3.2 * unit), 5 * unit
    wide, high = w - 2 * edge, h - 2 * edge
    lines = "".join(
        f'<path d="M{x:.2f} {edge:.2f}L{x + high:.2f} {h - edge:.2f}M{x + high:.2f} {edge:.2f}L{x:.2f} {h - edge:.2f}"/>'
        for x in (edge - high + tile * n for n in range(int((wide + high) / tile) + 2))
    )
    beyond = bleed or 0
    around = (
        f'<rect x="{-beyond:g}" y="{-beyond:g}" width="{w + 2 * beyond:g}" height="{h + 2 * beyond:g}" fill="{colour}"/>'
        f'<rect x="{edge:g}" y="{edge:g}" width="{wide:g}" height="{high:g}" rx="{2 * unit:g}" fill="none" '
        f'stroke="#ffffff" stroke-width="{1.2 * unit:g}"/>'
        if bleed is not None
        else ""
    )
    field = f'x="{edge:g}" y="{edge:g}" width="{wide:g}" height="{high:g}" rx="{2 * unit:g}"'
    inside = (
        f'<clipPath id="b"><rect {field}/></clipPath>{around}<rect {field} fill="{colour}"/>'
        f'<g clip-path="url(#b)" stroke="#ffffff" stroke-width="{0.7 * unit:g}" opacity=".55" fill="none">{lines}</g>'
        f'<circle cx="{w / 2:g}" cy="{h / 2:g}" r="{11 * unit:g}" fill="{colour}" stroke="#ffffff" stroke-width="{unit:g}"/>'
        f'<circle cx="{w / 2:g}" cy="{h / 2:g}" r="{7 * unit:g}" fill="none" stroke="#ffffff" stroke-width="{0.8 * unit:g}"/>'
    )
    if bleed is not None:
        inside += f'<rect {field} fill="none" stroke="#ffffff" stroke-width="{1.2 * unit:g}"/>'
    return _document(inside, style, style.paper, "back")
