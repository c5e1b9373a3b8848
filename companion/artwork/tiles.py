"""Mahjong tiles and TESCA cards in card format, so that every game is drawn by the same page."""

from __future__ import annotations

from companion.artwork.glyphs import rank_svg
from companion.artwork.style import Style

_NUMERALS = "一二三四五六七八九"
_HONOURS = {1: "東", 2: "南", 3: "西", 4: "北", 5: "白", 6: "發", 7: "中"}
_HONOUR_COLOURS = {5: "#5b6470", 6: "#0b7a3b", 7: "#c8102e"}
_CJK = "IPAGothic, Noto Sans CJK JP, Hiragino Sans, Yu Gothic, sans-serif"
_GREEN, _BLUE, _RED, _INK = "#0b7a3b", "#1d4e9e", "#c8102e", "#14161a"
_SPOTS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0.5, 0.5),),
    2: ((0.5, 0.25), (0.5, 0.75)),
    3: ((0.25, 0.2), (0.5, 0.5), (0.75, 0.8)),
    4: ((0.3, 0.25), (0.7, 0.25), (0.3, 0.75), (0.7, 0.75)),
    5: ((0.25, 0.2), (0.75, 0.2), (0.5, 0.5), (0.25, 0.8), (0.75, 0.8)),
    6: ((0.3, 0.2), (0.7, 0.2), (0.3, 0.5), (0.7, 0.5), (0.3, 0.8), (0.7, 0.8)),
    7: ((0.22, 0.12), (0.5, 0.2), (0.78, 0.28), (0.3, 0.58), (0.7, 0.58), (0.3, 0.86), (0.7, 0.86)),
    8: tuple((x, y) for y in (0.14, 0.38, 0.62, 0.86) for x in (0.32, 0.68)),
    9: tuple((x, y) for y in (0.18, 0.5, 0.82) for x in (0.2, 0.5, 0.8)),
}


def _text(char: str, x: float, y: float, size: float, colour: str) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-family="{_CJK}" font-weight="bold" '
        f'text-anchor="middle" fill="{colour}">{char}</text>'
    )


def _index(text: str, colour: str, style: Style) -> str:
    index = rank_svg(text, 3.5, 3.8, 8.2, colour)
    return index + f'<g transform="rotate(180 {style.width / 2} {style.height / 2})">{index}</g>'


def _spot(suit: str, x: float, y: float, colour: str) -> str:
    if suit == "p":
        return (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6.2" fill="none" stroke="{colour}" stroke-width="1.8"/>'
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}"/>'
        )
    return (
        f'<rect x="{x - 2:.1f}" y="{y - 7:.1f}" width="4" height="14" rx="2" fill="{colour}"/>'
        f'<path d="M{x - 2.6:.1f} {y:.1f}h5.2" stroke="#fffefa" stroke-width="1"/>'
    )


def tile_svg(number: int, suit: str, style: Style) -> str:
    """A tile: characters (m), circles (p), bamboos (s) with an Arabic index, honours (z) by their character."""
    w, h = style.width, style.height
    if suit == "z":
        colour = _HONOUR_COLOURS.get(number, _INK)
        frame = f'<rect x="13" y="20" width="{w - 26:g}" height="{h - 40:g}" fill="none" stroke="{colour}" stroke-width="1.6"/>'
        body = frame if number == 5 else _text(_HONOURS[number], w / 2, h / 2 + 14, 40, colour)
        small = _text(_HONOURS[number], 8, 12, 9, colour)
        return body + small + f'<g transform="rotate(180 {w / 2} {h / 2})">{small}</g>'
    if suit == "m":
        body = _text(_NUMERALS[number - 1], w / 2, h / 2 - 2, 30, _INK) + _text("萬", w / 2, h / 2 + 30, 30, _RED)
        return body + _index(str(number), _RED, style)
    colours = (_BLUE, _GREEN, _RED) if suit == "p" else (_GREEN, _GREEN, _RED)
    body = "".join(
        _spot(suit, 13 + x * (w - 26), 17 + y * (h - 34), colours[2] if (x, y) == (0.5, 0.5) else colours[i % 2])
        for i, (x, y) in enumerate(_SPOTS[number])
    )
    return body + _index(str(number), _BLUE if suit == "p" else _GREEN, style)


_ELEMENTS = {
    "a": (
        "#c8102e",
        "M5 0C8 3 9.5 5 8.6 7.6 7.6 10.4 2.4 10.4 1.4 7.6 .8 5.8 2 4.6 3 3.6 3.2 5 4 5.4 4.4 5.4 5.4 4 4 2 5 0Z",
    ),
    "b": ("#1d4e9e", "M5 0C7.5 3.5 9 5.5 9 7A4 3.4 0 0 1 1 7C1 5.5 2.5 3.5 5 0Z"),
    "c": ("#0b7a3b", "M9.5 .5C4 .5 .5 3 .8 9.5 6 9.5 9.5 7 9.5 .5Z"),
}


def _element(suit: str, x: float, y: float, size: float, black: bool) -> str:
    if suit == "y":
        fill = "#14161a" if black else "#fffefa"
        dot = "#fffefa" if black else "#14161a"
        return (
            f'<circle cx="{x:g}" cy="{y:g}" r="{size / 2:g}" fill="{fill}" stroke="#14161a" stroke-width=".8"/>'
            f'<circle cx="{x:g}" cy="{y:g}" r="{size / 8:g}" fill="{dot}"/>'
        )
    colour, path = _ELEMENTS[suit]
    return f'<path d="{path}" fill="{colour}" transform="translate({x - size / 2:g} {y - size / 2:g}) scale({size / 10:g})"/>'


def tesca_svg(number: int, suit: str, style: Style) -> str:
    """A TESCA card: number (0 is ZAT), one of three elements, or yin-yang (odd white, even black, ZAT half each)."""
    w, h = style.width, style.height
    colour = _ELEMENTS[suit][0] if suit in _ELEMENTS else "#14161a"
    index = rank_svg(str(number), 3.4, 3.8, 8.6, colour) + _element(suit, 7.2, 18, 7, number % 2 == 0)
    both = index + f'<g transform="rotate(180 {w / 2} {h / 2})">{index}</g>'
    size = 18.0
    big = rank_svg(str(number), w / 2 - (6 if number < 10 else 8), h / 2 - 24, 18, colour)
    return both + big + _element(suit, w / 2, h / 2 + 14, size, number % 2 == 0)
