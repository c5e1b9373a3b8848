"""Hanafuda's twelve plants in a box of 40 x 40, and what a card's kind adds: a sun, a bird, a ribbon."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from companion.artwork.marks import PATHS

_LINE, _PAPER = "#2b2320", "#fffefa"
_GREEN, _DEEP, _RED, _PINK, _PURPLE, _GOLD, _BROWN = (
    "#4d9a55", "#14532d", "#c8102e", "#f0a3ae", "#7b4fa6", "#f2b705", "#6d4c2f",
)  # fmt: skip


def _path(d: str, fill: str = "none", stroke: str = _LINE, width: float = 0.9) -> str:
    return (
        f'<path d="{d}" fill="{fill}" stroke="{stroke}" stroke-width="{width:g}" stroke-linecap="round" '
        f'stroke-linejoin="round"/>'
    )


def _ball(x: float, y: float, r: float, fill: str) -> str:
    return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{r:g}" fill="{fill}" stroke="{_LINE}" stroke-width=".8"/>'


def _round(
    count: int, x: float, y: float, reach: float, r: float, fill: str, heart: str = _GOLD, turn: float = 0
) -> str:
    """A blossom of round petals."""
    turns = [turn + 2 * pi * i / count for i in range(count)]
    petals = "".join(_ball(x + reach * sin(a), y - reach * cos(a), r, fill) for a in turns)
    return petals + _ball(x, y, 0.5 * r, heart)


def _leaves(count: int, x: float, y: float, length: float, width: float, fill: str, first: float, step: float) -> str:
    """Pointed leaves or petals from one point, at angles (radians, clockwise from above)."""
    found = []
    for i in range(count):
        a = first + step * i
        tip = (x + length * sin(a), y - length * cos(a))
        side = [
            (x + 0.55 * length * sin(a) + s * width * cos(a), y - 0.55 * length * cos(a) + s * width * sin(a))
            for s in (1, -1)
        ]
        points = [f"{px:.2f} {py:.2f}" for px, py in (side[0], tip, side[1])]
        found.append(_path(f"M{x:g} {y:g}Q{points[0]} {points[1]}Q{points[2]} {x:g} {y:g}Z", fill))
    return "".join(found)


def _pine() -> str:
    fans = [(20, 22), (9, 31), (31, 31)]
    needles = "".join(_path(f"M{x:g} {y:g}L{x + 11 * sin(a / 5):.2f} {y - 11 * cos(a / 5):.2f}", stroke=_DEEP, width=1.5)
                      for x, y in fans for a in range(-6, 7))  # fmt: skip
    return _path("M20 39V22M20 36L9 31M20 36L31 31", stroke=_BROWN, width=2.6) + needles


def _cherry() -> str:
    petals = []
    for x, y, size in ((14, 14, 1.0), (28, 25, 0.9), (10, 31, 0.7)):
        for i in range(5):
            turn = f"translate({x} {y}) rotate({72 * i}) scale({size})"
            petals.append(
                f'<g transform="{turn}">{_path("M0 0C-5 -3 -5 -9 -2 -10.5L0 -8.6L2 -10.5C5 -9 5 -3 0 0Z", _PINK)}</g>'
            )
        petals.append(_ball(x, y, 1.8 * size, _GOLD))
    return _path("M2 39C12 30 20 24 38 4", stroke=_BROWN, width=2.2) + "".join(petals)


def _wisteria() -> str:
    rows = [(5, 9), (4, 14.5), (4, 20), (3, 25.5), (2, 30.5), (1, 35.5)]
    balls = "".join(
        _ball(20 + 5.6 * (i - (n - 1) / 2), y, 3.1, _PURPLE if (i + n) % 2 else "#b79ad6")
        for n, y in rows
        for i in range(n)
    )
    return (
        _path("M4 4C14 1 26 1 36 4", stroke=_BROWN, width=2.2) + _leaves(4, 20, 4, 13, 3.2, _GREEN, -2.2, 1.45) + balls
    )


def _iris() -> str:
    return (
        _leaves(3, 20, 39, 34, 3.4, _GREEN, -0.42, 0.42)
        + _leaves(1, 20, 20, 18, 6, "#9a78c8", 0, 0)
        + _leaves(2, 20, 19, 16, 6, _PURPLE, -1.95, 3.9)
        + _leaves(1, 20, 18, 12, 4.4, _PURPLE, pi, 0)
        + _ball(20, 19, 2, _GOLD)
    )


def _clover() -> str:
    out = [_path("M20 39C18 28 12 18 5 12M20 39C21 26 26 16 35 9M20 39V16", stroke=_DEEP, width=1.3)]
    for x, y in ((7, 14), (12, 22), (33, 12), (28, 20), (20, 18), (17, 30), (24, 29)):
        out.append(_leaves(3, x, y, 7, 2.6, _GREEN, -2.1, 2.1))
    out += [_ball(x, y, 1.7, _PINK) for x, y in ((4, 9), (36, 6), (20, 10), (14, 14), (27, 12))]
    return "".join(out)


def _pampas() -> str:
    stems = "".join(
        _path(f"M20 39Q{20 + dx / 3:g} 20 {20 + dx:g} {12 + abs(dx) / 2:g}", stroke=_DEEP, width=1.2)
        for dx in (-15, -8, 0, 8, 15)
    )
    plumes = "".join(
        _leaves(1, 20 + dx, 14 + abs(dx) / 2, 12, 2.8, "#e8d9a8", dx / 30, 0) for dx in (-15, -8, 0, 8, 15)
    )
    return stems + plumes + _path("M0 39.5C8 32 32 32 40 39.5Z", _DEEP)


def _maple() -> str:
    return _path("M20 39V24", stroke=_BROWN, width=2) + _leaves(7, 20, 25, 22, 3.6, _RED, -1.95, 0.65)


def _willow() -> str:
    strands = "".join(
        _path(f"M{20 + dx / 3:g} 3Q{20 + dx:g} 8 {20 + dx:g} {36 - abs(dx) / 2:g}", stroke=_DEEP, width=1.2)
        for dx in (-15, -9, -3, 3, 9, 15)
    )
    leaves = "".join(
        _leaves(2, 20 + dx, y, 5, 1.4, _GREEN, 2.3, 1.7)
        for dx in (-15, -9, -3, 3, 9, 15)
        for y in range(11, int(33 - abs(dx) / 2), 5)
    )
    return strands + leaves + _path("M8 3H32", stroke=_BROWN, width=3)


def _paulownia() -> str:
    spikes = "".join(
        _ball(x, y, 2.3, "#9a78c8")
        for x, low, n in ((20, 20, 5), (9, 22, 3), (31, 22, 3))
        for y in (low - 4 * i for i in range(n))
    )
    stems = _path("M20 26V3M20 28L9 22V12M20 28L31 22V12", stroke=_BROWN, width=1.4)
    return stems + spikes + _leaves(3, 20, 25, 17, 7.5, _GREEN, 1.85, 1.29)


PLANTS: dict[str, Callable[[], str]] = {
    "pine": _pine,
    "plum": lambda: _path("M3 38C12 28 26 22 37 3M16 27L10 14", stroke=_BROWN, width=2.4)
    + _round(5, 12, 14, 4.8, 3.9, _RED) + _round(5, 28, 20, 4.2, 3.4, _RED, turn=0.5) + _ball(33, 9, 2.4, _RED),
    "cherry": _cherry,
    "wisteria": _wisteria,
    "iris": _iris,
    "peony": lambda: _leaves(4, 20, 24, 20, 5, _GREEN, 0.9, 1.45) + _round(8, 20, 19, 9, 5.4, _RED)
    + _round(6, 20, 19, 4.4, 3.4, _PINK),
    "clover": _clover,
    "pampas": _pampas,
    "chrysanthemum": lambda: _leaves(3, 20, 28, 13, 4, _GREEN, 2.2, 0.95) + _leaves(14, 20, 18, 17, 2.6, _GOLD, 0, pi / 7)
    + _ball(20, 18, 3.2, "#d9731a"),
    "maple": _maple,
    "willow": _willow,
    "paulownia": _paulownia,
}  # fmt: skip
"""Month -> its plant."""


def flower_svg(month: str, kind: str, cx: float, cy: float, size: float) -> str:
    """A month's plant and what the kind adds, centred at (cx, cy), `size` mm wide. Raises KeyError."""
    before = f'<circle cx="29" cy="10" r="9" fill="{_RED}"/>' if kind == "bright" else ""
    after = ""
    if kind == "ribbon":
        after = _path("M15.5 9H24.5V37L20 33.4L15.5 37Z", _RED) + _path("M20 12V30", stroke=_PAPER, width=1)
    if kind == "animal":
        bird = f'<path d="{PATHS["bird"]}" fill="#d9731a" stroke="{_LINE}" stroke-width=".5"/>'
        after = f'<g transform="translate(20 1) scale(1.9)">{bird}</g>'
    place = f"translate({cx - size / 2:.2f} {cy - size / 2:.2f}) scale({size / 40:.4f})"
    return f'<g transform="{place}">{before}{PLANTS[month]()}{after}</g>'
