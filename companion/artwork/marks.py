"""Marks: what tells the suits of a deck apart, as filled shapes in a box of 10 x 10, y down.

Each keeps its outline when it is a few millimetres wide or seen in bad light: one closed shape, holes at least a
tenth of its width, no line thinner than that.
"""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin

from companion.artwork.glyphs import SUITS

_STRAIGHT: dict[str, str] = {
    "spade": SUITS["S"],
    "heart": SUITS["H"],
    "diamond": SUITS["D"],
    "club": SUITS["C"],
    "arrow": "M5 0L10 5H7.2V10H2.8V5H0Z",
    "ring": "M5 0A5 5 0 1 0 5 10A5 5 0 1 0 5 0ZM5 3A2 2 0 1 1 5 7A2 2 0 1 1 5 3Z",
    "temple": "M5 0L10 3.6H0ZM.6 4.4H2.8V8.2H.6ZM3.9 4.4H6.1V8.2H3.9ZM7.2 4.4H9.4V8.2H7.2ZM0 8.8H10V10H0Z",
    "tent": "M5 .2L10 10H6.6L5 6.2L3.4 10H0Z",
    "flame": "M5.2 0C8.6 3 9.6 5 8.9 7.2C8.3 9 6.9 10 5 10C3.1 10 1.7 9 1.1 7.2C.7 5.6 1.6 4.3 2.7 3.2C3 4.6 3.6 5.2 4.2 5.3C5.1 4 4.4 2 5.2 0Z",
    "drop": "M5 0C7.2 3 8.9 4.9 8.9 6.7A3.9 3.3 0 0 1 1.1 6.7C1.1 4.9 2.8 3 5 0Z",
    "leaf": "M9.7.3C4.2 0 .4 2.6.5 8L.1 9.9L2 9.5C7.4 9.6 10 5.8 9.7.3Z",
    "moon": "M6.8.3A5 5 0 1 0 9.8 6.9A4 4 0 0 1 6.8.3Z",
    "wave": "M0 4.6C1.6 1.2 4 1.2 5 3.4C6 5.4 8 5.2 10 2.6V6C8 8.8 6 9 5 7C4 4.8 1.6 5.4 0 8.6Z",
    "mountain": "M3.6 .8L6 5.4L7.3 3.4L10 9.4H0L3.6 .8Z",
    "tree": "M5 0L8.4 4H6.9L9.4 7.6H6.1V10H3.9V7.6H.6L3.1 4H1.6Z",
    "bird": "M0 3C2.2 2.2 4 3 5 5.2C6 3 7.8 2.2 10 3C8.4 3.6 7.4 4.8 6.6 7.2L5 9L3.4 7.2C2.6 4.8 1.6 3.6 0 3Z",
    "fish": "M0 5C2 1.8 5.6 1.6 7.4 4L10 1.8V8.2L7.4 6C5.6 8.4 2 8.2 0 5ZM2.4 3.9A.7.7 0 1 0 2.4 5.3A.7.7 0 1 0 2.4 3.9Z",
    "key": "M5 0A2.9 2.9 0 0 0 4 5.6V10H8V8.3H6V7.4H7.4V5.8H6V5.6A2.9 2.9 0 0 0 5 0ZM5 1.7A1.2 1.2 0 1 1 5 4.1A1.2 1.2 0 1 1 5 1.7Z",
    "bell": "M5 0C5.8 0 6.2.5 6.2 1.1C8.2 1.7 8.6 3.6 8.6 5.2C8.6 6.8 9 7.4 9.8 8.1H.2C1 7.4 1.4 6.8 1.4 5.2C1.4 3.6 1.8 1.7 3.8 1.1C3.8.5 4.2 0 5 0ZM3.6 8.7H6.4C6.4 10.4 3.6 10.4 3.6 8.7Z",
    "shield": "M.6 .4C2.4.9 4 .7 5 0C6 .7 7.6.9 9.4.4C9.8 5.2 8.4 8.4 5 10C1.6 8.4.2 5.2.6.4Z",
    "ribbon": "M2.4 0H7.6V10L5 7.6L2.4 10Z",
    "crown": "M0 1.6L2.6 4.4L5 .4L7.4 4.4L10 1.6L9.2 7.4H.8ZM.8 8.2H9.2V9.8H.8Z",
}  # fmt: skip


def _star(points: int, inner: float) -> str:
    """A star standing on two of its points."""
    ring = [(4.95 if i % 2 == 0 else inner, pi * i / points) for i in range(2 * points)]
    at = [f"{5 + r * sin(a):.2f} {5.2 - r * cos(a):.2f}" for r, a in ring]
    return f"M{'L'.join(at)}Z"


def _petals(count: int, reach: float, width: float) -> str:
    """Round petals about a round hole."""
    found = []
    for i in range(count):
        a = 2 * pi * i / count
        x, y = 5 + reach * sin(a), 5 - reach * cos(a)
        found.append(f"M{x + width:.2f} {y:.2f}A{width:g} {width:g} 0 1 0 {x - width:.2f} {y:.2f}"
                     f"A{width:g} {width:g} 0 1 0 {x + width:.2f} {y:.2f}Z")  # fmt: skip
    return "".join(found)


def _sun() -> str:
    rays = []
    for i in range(8):
        a = pi * i / 4
        tip = (5 + 5 * sin(a), 5 - 5 * cos(a))
        left, right = ((5 + 3.5 * sin(a + d), 5 - 3.5 * cos(a + d)) for d in (-0.24, 0.24))
        rays.append(f"M{left[0]:.2f} {left[1]:.2f}L{tip[0]:.2f} {tip[1]:.2f}L{right[0]:.2f} {right[1]:.2f}Z")
    return "M5 2.2A2.8 2.8 0 1 0 5 7.8A2.8 2.8 0 1 0 5 2.2Z" + "".join(rays)


PATHS: dict[str, str] = _STRAIGHT | {"star": _star(5, 2.1), "flower": _petals(5, 2.95, 1.7), "sun": _sun()}
"""Every mark that `companion.cards.design.MARKS` names, as a path."""


@cache
def mark_path(mark: str) -> str:
    """The path of a mark. Raises KeyError."""
    return PATHS[mark]


def mark_svg(
    mark: str, cx: float, cy: float, size: float, colour: str, *, hollow: bool = False, turned: bool = False
) -> str:
    """A mark centred at (cx, cy), `size` mm wide; one or two characters are set as text. `hollow`: an outline alone,
    for a suit of white; `turned`: upside down."""
    turn = f" rotate(180 {cx:.2f} {cy:.2f})" if turned else ""
    if mark not in PATHS:
        return letters_svg(mark, cx, cy, size, colour, turned=turned)
    scale = size / 10
    ink = (
        f'fill="#fffefa" stroke="{colour}" stroke-width="1.25" stroke-linejoin="round"'
        if hollow
        else f'fill="{colour}"'
    )
    place = f"translate({cx - size / 2:.2f} {cy - size / 2:.2f}) scale({scale:.4f})"
    return f'<path d="{PATHS[mark]}" {ink} fill-rule="evenodd" transform="{(turn + " ").lstrip()}{place}"/>'


def letters_svg(text: str, cx: float, cy: float, size: float, colour: str, *, turned: bool = False) -> str:
    """One or two characters as text, centred at (cx, cy), about `size` mm wide."""
    turn = f' transform="rotate(180 {cx:.2f} {cy:.2f})"' if turned else ""
    height = size / max(1.0, 0.62 * len(text) if text.isascii() else len(text))
    family = "DejaVu Sans, Arial, sans-serif" if text.isascii() else CJK
    shown = text.replace("&", "&amp;").replace("<", "&lt;")
    return (
        f'<text x="{cx:.2f}" y="{cy + 0.36 * height:.2f}" font-size="{height:.2f}" font-family="{family}" '
        f'font-weight="bold" text-anchor="middle" fill="{colour}"{turn}>{shown}</text>'
    )


CJK = "IPAGothic, Noto Sans CJK JP, Hiragino Sans, Yu Gothic, sans-serif"
"""Fonts that have Japanese characters, best first."""
