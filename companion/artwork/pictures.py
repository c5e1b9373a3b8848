"""The 65-card deck: thirteen pictures in five suits, each suit a colour and a mark of its own.

The pictures are emblems in a 40 x 40 box, drawn in one hand: a body in the suit's colour, dark parts, white parts and
round lines, so that each keeps its outline from 7 mm in a corner to 36 mm in the middle. In two corners stand the small
picture and the mark below it: what a fan of cards shows.
"""

from __future__ import annotations

from companion.artwork.marks import CJK, mark_svg
from companion.artwork.style import Style

# Suit -> ink, body, tint of the field, mark.
SUIT_LOOKS = {
    "fed": ("#46505c", "#aab3bf", "#e9ecf0", "star"),
    "lib": ("#123f8c", "#4a86e8", "#e2ecfb", "arrow"),
    "free": ("#083d22", "#2f8a57", "#dff0e6", "ring"),
    "temple": ("#1b1c20", "#ffffff", "#fffefa", "temple"),
    "nomad": ("#8d0f1b", "#e2505c", "#fce6e7", "tent"),
}


def _ball(x: float, y: float, r: float) -> str:
    return f"M{x - r:g} {y:g}A{r:g} {r:g} 0 1 0 {x + r:g} {y:g}A{r:g} {r:g} 0 1 0 {x - r:g} {y:g}Z"


# Picture -> its layers, lowest first. b: body in the suit's colour, d: dark, w: white, l: dark line, t: thin dark line,
# k: white line.
EMBLEMS: dict[str, tuple[tuple[str, str], ...]] = {
    "judge": (
        ("t", "M7.5 11L2.8 24M7.5 11L12.2 24M32.5 11L27.8 24M32.5 11L37.2 24"),
        ("l", "M6 11.5C13 7.5 27 7.5 34 11.5M20 6V33"),
        ("b", "M1 23.5H14C14 31.5 1 31.5 1 23.5ZM26 23.5H39C39 31.5 26 31.5 26 23.5Z"),
        ("d", f"M15.5 32H24.5L26.5 35.5H30V39H10V35.5H13.5Z{_ball(20, 5, 3)}"),
    ),
    "sword": (
        ("b", "M20 .8L24.6 7.5V25.5H15.4V7.5Z"),
        ("k", "M20 8V23"),
        ("d", f"M8.5 25C8.5 22.6 11.5 22.6 11.8 25H28.2C28.5 22.6 31.5 22.6 31.5 25V29.4H8.5ZM17.8 29.4H22.2V34.5H17.8Z{_ball(20, 36.4, 3.2)}"),
    ),
    "revolution": (
        ("b", "M9 3.5C17 -.5 24 9 37 4.5V22.5C24 27 17 17.5 9 21.5Z"),
        ("w", "M22.5 7.5L24.3 11.4L28.4 11.8L25.3 14.7L26.2 18.8L22.5 16.7L18.8 18.8L19.7 14.7L16.6 11.8L20.7 11.4Z"),
        ("l", "M9 3V36"),
        ("d", f"M1.5 39L9 31.5L16.5 39Z{_ball(9, 2.6, 2.3)}"),
    ),
    "staff": (
        ("l", "M20 19V38.5M20 18.5C5.5 18.5 6 3.5 20 3.5C34 3.5 34.5 18.5 20 18.5"),
        ("t", f"{_ball(8.6, 19.2, 3.1)}{_ball(31.4, 19.2, 3.1)}{_ball(13.6, 22.8, 2.6)}{_ball(26.4, 22.8, 2.6)}"),
        ("b", "M20 7.2C23.4 10 23.4 13 20 15.4C16.6 13 16.6 10 20 7.2Z"),
        ("d", "M20 -.4L23.4 4.6H16.6ZM17.2 19H22.8V23H17.2ZM17.6 36H22.4V39.6H17.6Z"),
    ),
    "arms_dealer": (
        ("b", "M7 18.5V10C7 5.8 9.6 4.4 11 1.2C12.4 4.4 15 5.8 15 10V18.5ZM16 18.5V10C16 5.8 18.6 4.4 20 1.2C21.4 4.4 24 5.8 24 10V18.5ZM25 18.5V10C25 5.8 27.6 4.4 29 1.2C30.4 4.4 33 5.8 33 10V18.5Z"),
        ("d", "M3 18.5H37V39H3Z"),
        ("k", "M6.4 24.5H33.6M6.4 33H33.6M11 24.5V33M29 24.5V33"),
    ),
    "sniper": (
        ("b", f"{_ball(20, 15.4, 4.6)}M10.4 29.6C10.4 20.4 29.6 20.4 29.6 29.6C27 32 24 33 20 33C16 33 13 32 10.4 29.6Z"),
        ("l", f"{_ball(20, 20, 14.6)}M20 1V9M20 31V39M1 20H9M31 20H39"),
        ("d", _ball(20, 20, 1.7)),
    ),
    "exile": (
        ("l", f"{_ball(6.4, 7, 4.4)}"),
        ("l", "M10.4 9.4L13.4 11.6M16.6 14L19.6 16.4"),
        ("t", f"{_ball(12.6, 11.4, 2.7)}{_ball(17, 15.2, 2.7)}{_ball(20.6, 19.6, 2.7)}"),
        ("b", _ball(26.5, 28, 10.6)),
        ("k", "M19.6 28C19.6 24 22.4 21.2 26 21"),
    ),
    "cruiser": (
        ("b", "M10 18H27.5V25H10ZM14.5 10.5H23V18H14.5Z"),
        ("l", "M18.7 2.5V10.5M18.7 5H25M28 21H37"),
        ("d", "M.8 25H39.2L34 33.5H7Z"),
        ("w", f"{_ball(12.5, 29.2, 1.2)}{_ball(18.5, 29.2, 1.2)}{_ball(24.5, 29.2, 1.2)}"),
        ("l", "M2 38C5 35.4 8 35.4 11 38C14 40.4 17 40.4 20 38C23 35.4 26 35.4 29 38C32 40.4 35 40.4 38 38"),
    ),
    "moon_earth": (
        ("b", _ball(15.5, 25, 13.4)),
        ("k", "M3.4 25H27.6M15.5 12.8C8.5 19 8.5 31 15.5 37.2C22.5 31 22.5 19 15.5 12.8M5.6 18.4C11 21 20 21 25.4 18.4M5.6 31.6C11 29 20 29 25.4 31.6"),
        ("d", "M30.6 1.4A8.6 8.6 0 1 0 38.8 13.6A9.4 9.4 0 0 1 30.6 1.4Z"),
    ),
    "undertaker": (
        ("b", "M13 1.5H27L34.5 12.5L28.5 38.8H11.5L5.5 12.5Z"),
        ("t", "M14.6 5H25.4L30.6 13L26 35.4H14L9.4 13Z"),
        ("d", "M18 9.5H22V14.5H26.5V18.3H22V30H18V18.3H13.5V14.5H18Z"),
    ),
    "prayer": (
        ("w", "M15 19.5C15 17 25 17 25 19.5V34H15Z"),
        ("b", "M20 1.2C25.4 7 26 10.4 24.2 13.4C22.6 16 17.4 16 15.8 13.4C14 10.4 14.6 7 20 1.2Z"),
        ("l", "M20 14V18M8.6 6.4L11.4 8.6M31.4 6.4L28.6 8.6M6 14.6H9.6M34 14.6H30.4"),
        ("d", "M8 33H32L29.6 36.4H36V39H4V36.4H10.4Z"),
    ),
    "end": (
        ("w", "M9.5 5H30.5C30.5 14.5 23 16.6 23 20C23 23.4 30.5 25.5 30.5 35H9.5C9.5 25.5 17 23.4 17 20C17 16.6 9.5 14.5 9.5 5Z"),
        ("b", "M13.4 11.4H26.6C25.4 15 21 16.4 20 20C19 16.4 14.6 15 13.4 11.4ZM12 34.4C13 28.6 20 28 20 23.4C20 28 27 28.6 28 34.4Z"),
        ("d", "M6 1H34V5.4H6ZM6 34.6H34V39H6Z"),
    ),
    "shepherd": (
        ("l", "M32 39V11.6C32 2.4 39.6 2.6 38.4 9.4C37.8 13 33.8 12.6 34 9.8M10.6 31V38M20.4 31V38"),
        ("w", "M9 19.6C4.6 18.6 3 24.4 6 26.4C3.6 30 8 34.4 11.4 32.4C13.4 35.6 18.6 35.6 20.4 32.4C24.6 34 28 29.6 25.6 26.6C29 23.6 26 18.6 22 19.8C20.6 15.8 15.6 15.2 14 18.4C12.6 16.8 9.4 17.2 9 19.6Z"),
        ("b", "M9.6 19.6C5.6 16.8 1.2 20 1.8 25C2.2 28.8 4 31 6.2 31C8.8 31 11 26.8 11.2 23Z"),
        ("d", f"{_ball(5.4, 23.4, 1.2)}"),
    ),
}  # fmt: skip


def emblem_svg(picture: str, cx: float, cy: float, size: float, ink: str, fill: str = "#fffefa") -> str:
    """A picture alone, centred at (cx, cy), `size` mm wide: dark parts in `ink`, its body in `fill`. Raises KeyError."""
    bold = 1.0 if size > 16 else 1.35  # small ones need stronger lines
    around = f'stroke="{ink}" stroke-linecap="round" stroke-linejoin="round"'
    looks = {
        "b": f'fill="{fill}" {around} stroke-width="{1.5 * bold:g}"',
        "d": f'fill="{ink}" {around} stroke-width=".6"',
        "w": f'fill="#fffefa" {around} stroke-width="{1.5 * bold:g}"',
        "l": f'fill="none" {around} stroke-width="{2.6 * bold:g}"',
        "t": f'fill="none" {around} stroke-width="{1.5 * bold:g}"',
        "k": f'fill="none" stroke="#fffefa" stroke-width="{1.5 * bold:g}" stroke-linecap="round" stroke-linejoin="round"',
    }
    if fill.lower() in ("#ffffff", "#fffefa"):
        looks["k"] = looks["t"]
    layers = "".join(f'<path d="{path}" {looks[kind]} fill-rule="evenodd"/>' for kind, path in EMBLEMS[picture])
    place = f"translate({cx - size / 2:.2f} {cy - size / 2:.2f}) scale({size / 40:.4f})"
    return f'<g transform="{place}">{layers}</g>'


def corner_svg(picture: str, suit: str, style: Style) -> str:
    """The index: the picture small, the suit's mark below it."""
    ink, body, _, mark = SUIT_LOOKS[suit]
    size = 9.6 * min(1.15, style.index)
    x = 3.4 + size / 2
    small = emblem_svg(picture, x, 3.6 + size / 2, size, ink, body)
    return small + mark_svg(mark, x, 5 + 1.45 * size, 0.84 * size, ink, hollow=suit == "temple")


def picture_svg(picture: str, suit: str, names: tuple[str, str], style: Style) -> str:
    """A card of the 65 deck: small picture and mark in two corners, the picture on a field of the suit's tint, its
    Japanese and English name (`names`).

    Raises KeyError for an unknown picture or suit.
    """
    ink, body, tint, mark = SUIT_LOOKS[suit]
    w, h = style.width, style.height
    left = 5.2 + 9.6 * min(1.15, style.index)
    wide, top = w - 2 * left, 6.5
    size = min(36.0, wide - 2.5)
    field = (
        f'<rect x="{left:g}" y="{top:g}" width="{wide:g}" height="{h - 2 * top:g}" rx="2.4" fill="{tint}" '
        f'stroke="{ink}" stroke-width=".7"/>'
    )
    crest = mark_svg(mark, w / 2, top + 8, 7.5, ink, hollow=suit == "temple")
    japanese, english = names
    words = (
        f'<text x="{w / 2:g}" y="{h - top - 9.2:g}" font-size="{min(7.0, (wide - 3) / max(3, len(japanese))):.2f}" '
        f'font-family="{CJK}" text-anchor="middle" fill="{ink}" font-weight="bold">{japanese}</text>'
        f'<text x="{w / 2:g}" y="{h - top - 3.6:g}" font-size="{min(4.4, (wide - 2) / (0.56 * len(english))):.2f}" '
        f'font-family="DejaVu Sans, Arial, sans-serif" text-anchor="middle" fill="{ink}">{english}</text>'
    )
    corner = corner_svg(picture, suit, style)
    turned = f'<g transform="rotate(180 {w / 2:g} {h / 2:g})">{corner}</g>'
    return f"{field}{crest}{emblem_svg(picture, w / 2, h / 2 - 2, size, ink, body)}{words}{corner}{turned}"
