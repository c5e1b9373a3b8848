"""Mahjong tiles and TESCA cards in card format, so that every game is drawn by the same page."""

from __future__ import annotations

from math import cos, pi, sin

from companion.artwork.glyphs import rank_svg
from companion.artwork.kanji import kanji_svg
from companion.artwork.marks import PATHS
from companion.artwork.style import Style

_NUMERALS = "一二三四五六七八九"
_HONOURS = {1: "東", 2: "南", 3: "西", 4: "北", 5: "白", 6: "發", 7: "中"}
_HONOUR_COLOURS = {5: "#5b6470", 6: "#0b7a3b", 7: "#c8102e"}
_GREEN, _BLUE, _RED, _INK = "#0b7a3b", "#1d4e9e", "#c8102e", "#14161a"
_PAPER = "#fffefa"
_SPOTS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0.5, 0.5),),
    2: ((0.5, 0.22), (0.5, 0.78)),
    3: ((0.18, 0.16), (0.5, 0.5), (0.82, 0.84)),
    4: ((0.24, 0.22), (0.76, 0.22), (0.24, 0.78), (0.76, 0.78)),
    5: ((0.2, 0.18), (0.8, 0.18), (0.5, 0.5), (0.2, 0.82), (0.8, 0.82)),
    6: ((0.26, 0.14), (0.74, 0.14), (0.26, 0.5), (0.74, 0.5), (0.26, 0.86), (0.74, 0.86)),
    7: ((0.14, 0.08), (0.5, 0.2), (0.86, 0.32), (0.26, 0.6), (0.74, 0.6), (0.26, 0.9), (0.74, 0.9)),
    8: tuple((x, y) for y in (0.1, 0.37, 0.63, 0.9) for x in (0.28, 0.72)),
    9: tuple((x, y) for y in (0.14, 0.5, 0.86) for x in (0.14, 0.5, 0.86)),
}
_STICKS: dict[int, tuple[tuple[float, float], ...]] = {
    **{n: _SPOTS[n] for n in (2, 4, 5, 6, 9)},
    3: ((0.5, 0.2), (0.24, 0.78), (0.76, 0.78)),
    7: ((0.5, 0.12), *((x, y) for y in (0.5, 0.88) for x in (0.14, 0.5, 0.86))),
    8: tuple((x, y) for y in (0.16, 0.84) for x in (0.1, 0.37, 0.63, 0.9)),
}


def _index(text: str, colour: str, style: Style) -> str:
    index = rank_svg(text, 3.5, 3.8, 8.2 * style.index, colour, style.weight)
    return index + f'<g transform="rotate(180 {style.width / 2} {style.height / 2})">{index}</g>'


def _circle(x: float, y: float, colour: str, r: float = 6.4) -> str:
    """A coin: rim, ring of dots, heart."""
    dots = "".join(
        f'<circle cx="{x + 0.66 * r * cos(pi * i / 4):.2f}" cy="{y + 0.66 * r * sin(pi * i / 4):.2f}" r="{0.1 * r:.2f}" '
        f'fill="{colour}"/>'
        for i in range(8)
    )
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:g}" fill="{_PAPER}" stroke="{colour}" stroke-width="{0.24 * r:.2f}"/>'
        f'{dots}<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.36 * r:.2f}" fill="{colour}"/>'
    )


def _stick(x: float, y: float, colour: str, height: float = 17.0) -> str:
    """A bamboo: two joints and a light line."""
    half, w = height / 2, 5.6
    return (
        f'<rect x="{x - w / 2:.2f}" y="{y - half:.2f}" width="{w:g}" height="{half - 0.3:.2f}" rx="2.2" fill="{colour}"/>'
        f'<rect x="{x - w / 2:.2f}" y="{y + 0.3:.2f}" width="{w:g}" height="{half - 0.3:.2f}" rx="2.2" fill="{colour}"/>'
        f'<path d="M{x:.2f} {y - half + 2:.2f}V{y - 2:.2f}M{x:.2f} {y + 2:.2f}V{y + half - 2:.2f}" stroke="{_PAPER}" '
        f'stroke-width=".9" stroke-linecap="round" fill="none"/>'
    )


def _peacock(x: float, y: float) -> str:
    """The one of bamboos: a bird with its tail."""
    feathers = "".join(
        f'<path d="M{x:.1f} {y + 4:.1f}L{x + 20 * sin(a):.1f} {y + 6 + 20 * cos(a):.1f}" stroke="{colour}" stroke-width="2.6" '
        f'stroke-linecap="round" fill="none"/><circle cx="{x + 20 * sin(a):.1f}" cy="{y + 6 + 20 * cos(a):.1f}" r="2.6" '
        f'fill="{colour}"/>'
        for a, colour in ((-0.75, _GREEN), (-0.38, _BLUE), (0, _RED), (0.38, _BLUE), (0.75, _GREEN))
    )
    outline = (
        (-9, -4), (-8, 8), (8, 9), (8, -3), (8, -12), (3, -11), (3, -16), (3, -23), (-7, -24), (-8, -17), (-14, -15),
        (-8, -13), (-7, -9), (-9, -8), (-9, -4),
    )  # fmt: skip
    at = [f"{x + dx:.1f} {y + dy:.1f}" for dx, dy in outline]
    body = f"M{at[0]}C{at[1]} {at[2]} {at[3]}C{at[4]} {at[5]} {at[6]}C{at[7]} {at[8]} {at[9]}L{at[10]}L{at[11]}C{' '.join(at[12:])}Z"
    return (
        f'{feathers}<path d="{body}" fill="{_GREEN}"/><circle cx="{x - 3:.1f}" cy="{y - 17.5:.1f}" r="1.6" fill="{_PAPER}"/>'
        f'<path d="M{x - 3:.1f} {y - 23:.1f}L{x:.1f} {y - 29:.1f}M{x - 1:.1f} {y - 22:.1f}L{x + 4:.1f} {y - 26:.1f}" '
        f'stroke="{_RED}" stroke-width="1.6" stroke-linecap="round" fill="none"/>'
    )


def tile_svg(number: int, suit: str, style: Style) -> str:
    """A tile: characters (m), circles (p), bamboos (s) with an Arabic index, honours (z) by their character."""
    w, h = style.width, style.height
    if suit == "z":
        colour = _HONOUR_COLOURS.get(number, _INK)
        frame = (
            f'<rect x="14" y="20" width="{w - 28:g}" height="{h - 40:g}" rx="2" fill="none" stroke="{_BLUE}" stroke-width="2.2"/>'
            f'<rect x="18" y="24" width="{w - 36:g}" height="{h - 48:g}" rx="1" fill="none" stroke="{_BLUE}" stroke-width=".8"/>'
        )
        body = frame if number == 5 else kanji_svg(_HONOURS[number], w / 2, h / 2, 40, colour)
        small = kanji_svg(_HONOURS[number], 8, 8.4, 8.6 * min(1.4, style.index), colour)
        return body + small + f'<g transform="rotate(180 {w / 2} {h / 2})">{small}</g>'
    if suit == "m":
        body = kanji_svg(_NUMERALS[number - 1], w / 2, h / 2 - 16, 26, _INK) + kanji_svg(
            "萬", w / 2, h / 2 + 18, 29, _RED
        )
        return body + _index(str(number), _RED, style)
    if suit == "p":
        colours = (_BLUE, _GREEN, _RED)
        radius = {1: 19.0, 2: 11.0, 3: 8.2, 4: 8.4, 8: 6.6}.get(number, 6.6)
        body = "".join(
            _circle(
                13 + x * (w - 26), 17 + y * (h - 34), colours[2] if (x, y) == (0.5, 0.5) else colours[i % 2], radius
            )
            for i, (x, y) in enumerate(_SPOTS[number])
        )
        return body + _index(str(number), _BLUE, style)
    if number == 1:
        return _peacock(w / 2, h / 2) + _index("1", _GREEN, style)
    tall = {2: 23.0, 3: 22.0, 4: 22.0, 8: 26.0}.get(number, 16.5)
    body = "".join(
        _stick(
            14 + x * (w - 28),
            18 + y * (h - 36),
            _RED if (x, y) == (0.5, 0.5) or (number == 7 and i == 0) else _GREEN,
            tall,
        )
        for i, (x, y) in enumerate(_STICKS[number])
    )
    return body + _index(str(number), _GREEN, style)


ELEMENTS = {"a": ("#c8102e", "flame"), "b": ("#1d4e9e", "drop"), "c": ("#0b7a3b", "leaf")}
"""Element -> its ink and its mark."""


def element_svg(suit: str, x: float, y: float, size: float, number: int) -> str:
    """The sign of a TESCA suit: an element, or yin-yang (odd white, even black, ZAT half each)."""
    if suit in ELEMENTS:
        colour, mark = ELEMENTS[suit]
        return (
            f'<path d="{PATHS[mark]}" fill="{colour}" '
            f'transform="translate({x - size / 2:g} {y - size / 2:g}) scale({size / 10:g})"/>'
        )
    r = size / 2
    edge = f'stroke="{_INK}" stroke-width="{max(0.7, 0.07 * size):.2f}"'
    if number == 0:
        big, small = f"{r:g} {r:g} 0 0 1", f"{r / 2:g} {r / 2:g} 0 0"
        half = f"M{x:g} {y - r:g}A{big} {x:g} {y + r:g}A{small} 1 {x:g} {y:g}A{small} 0 {x:g} {y - r:g}Z"
        return (
            f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{_PAPER}" {edge}/><path d="{half}" fill="{_INK}"/>'
            f'<circle cx="{x:g}" cy="{y - r / 2:g}" r="{r / 6:g}" fill="{_INK}"/>'
            f'<circle cx="{x:g}" cy="{y + r / 2:g}" r="{r / 6:g}" fill="{_PAPER}"/>'
        )
    fill, dot = (_INK, _PAPER) if number % 2 == 0 else (_PAPER, _INK)
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}" {edge}/><circle cx="{x:g}" cy="{y:g}" r="{size / 8:g}" fill="{dot}"/>'


def tesca_svg(number: int, suit: str, style: Style) -> str:
    """A TESCA card: number (0 is ZAT) over the suit's sign in two corners, the number on a large sign in the middle."""
    w, h = style.width, style.height
    colour = ELEMENTS[suit][0] if suit in ELEMENTS else _INK
    bold = style.index
    index = rank_svg(str(number), 3.4, 3.8, 8.6 * bold, colour, style.weight)
    index += element_svg(suit, 3.4 + 3.8 * bold, 3.8 + 14.2 * bold, 7 * bold, number)
    both = index + f'<g transform="rotate(180 {w / 2} {h / 2})">{index}</g>'
    return both + _emblem(number, suit, w / 2, h / 2, colour)


def _emblem(number: int, suit: str, x: float, y: float, colour: str) -> str:
    """The number on the sign: white on the elements and on black, black on white; ZAT is the sign alone."""
    text = str(number)
    if number == 0 and suit not in ELEMENTS:
        return element_svg(suit, x, y, 36, 0)
    if suit in ELEMENTS:
        mark = element_svg(suit, x, y, 42, number)
        down = {"a": 8.5, "b": 5.0, "c": 0.0}[suit]
        ink = _PAPER
    else:
        fill = _INK if number % 2 == 0 else _PAPER
        mark = f'<circle cx="{x:g}" cy="{y:g}" r="17" fill="{fill}" stroke="{colour}" stroke-width="2"/>'
        down, ink = 0.0, _PAPER if number % 2 == 0 else _INK
    size = (17.0 if len(text) == 1 else 15.0) * (0.82 if suit == "a" else 1.0)
    left = x - (0.357 * size if len(text) == 1 else 0.43 * size)
    return mark + rank_svg(text, left, y + down - size / 2, size, ink, 1.15)
