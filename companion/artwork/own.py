"""Cards of a deck of one's own: the index over the mark in two corners, the picture large, its name below it."""

from __future__ import annotations

from companion.artwork.flowers import flower_svg
from companion.artwork.glyphs import STROKES, rank_svg
from companion.artwork.marks import CJK, letters_svg, mark_svg
from companion.artwork.pictures import EMBLEMS, emblem_svg
from companion.artwork.style import Style
from companion.cards import Design, Face, Kind, Part


def own_svg(face: Face, design: Design, style: Style) -> str:
    """The inside of a card of a deck of one's own, `style.width` x `style.height` mm."""
    w, h = style.width, style.height
    unit = min(w, 0.72 * h) / 63
    extra = design.extras.get(face.code)
    suit = design.suits.get(face.suit)
    rank = extra or design.ranks.get(face.rank)
    ink, hollow = face.ink, (suit.colour if suit else face.colour) == "white"
    index = _index(rank, face, unit, ink)
    below = 17.4 if index else 8.2
    corner = index + (mark_svg(suit.mark, 7.6 * unit, below * unit, 8 * unit, ink, hollow=hollow) if suit else "")
    name = face.names["ja"] if rank is None else rank.names["ja"]
    if face.kind is Kind.FLOWER:
        body = flower_svg(face.rank, face.suit, w / 2, h / 2 - 3 * unit, 40 * unit)
    else:
        body = _body(rank, suit, w, h, unit, ink, hollow)
    words = _words(name, w, h, unit, ink)
    frame = (
        f'<rect x="{3.2 * unit:g}" y="{3.2 * unit:g}" width="{w - 6.4 * unit:g}" height="{h - 6.4 * unit:g}" '
        f'rx="{2 * unit:g}" fill="none" stroke="{ink}" stroke-width="{0.35 * unit:g}" opacity=".55"/>'
        if suit and not index
        else ""
    )
    return f'{frame}{body}{words}{corner}<g transform="rotate(180 {w / 2:g} {h / 2:g})">{corner}</g>'


def _index(rank: Part | None, face: Face, unit: float, ink: str) -> str:
    """The text of the corner; a small picture where the card has no short text."""
    text = (rank.index if rank else "") or (face.rank if len(face.rank) <= 2 else "")
    if text and all(letter in (*STROKES, "9") for letter in text) and len(text) <= 2:
        return rank_svg(text, (4.2 if len(text) == 1 else 3.0) * unit, 3.6 * unit, 8.6 * unit, ink)
    if text:
        return letters_svg(text, 7.6 * unit, 7.8 * unit, 8.4 * unit, ink)
    mark = _picture(rank)
    return _drawn(mark, 7.6 * unit, 8 * unit, 8.6 * unit, ink) if mark else ""


def _picture(part: Part | None) -> str:
    """What the file says is to be seen, or what is called like a picture."""
    return "" if part is None else part.mark or (part.code if part.code in EMBLEMS else "")


def _drawn(mark: str, cx: float, cy: float, size: float, ink: str) -> str:
    """A picture, a mark or characters, centred."""
    if mark in EMBLEMS:
        return emblem_svg(mark, cx, cy, size, ink)
    return mark_svg(mark, cx, cy, size, ink)


def _body(rank: Part | None, suit: Part | None, w: float, h: float, unit: float, ink: str, hollow: bool) -> str:
    cy = h / 2 - 3 * unit
    if mark := _picture(rank):
        return _drawn(mark, w / 2, cy, 34 * unit, ink)
    if suit is not None:
        return mark_svg(suit.mark, w / 2, cy, 26 * unit, ink, hollow=hollow)
    return mark_svg("crown", w / 2, cy, 26 * unit, ink)


def _words(name: str, w: float, h: float, unit: float, ink: str) -> str:
    shown = name.replace("&", "&amp;").replace("<", "&lt;")
    size = min(6.0 * unit, 0.62 * w / max(1.0, sum(1.0 if ord(c) > 255 else 0.58 for c in name)))
    return (
        f'<text x="{w / 2:g}" y="{h - 9 * unit:.2f}" font-size="{size:.2f}" font-family="{CJK}" font-weight="bold" '
        f'text-anchor="middle" fill="{ink}">{shown}</text>'
    )
