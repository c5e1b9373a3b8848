"""The 65-card deck: thirteen pictures in five suits, each suit a colour and a mark of its own.

The pictures are emblems in a 40 x 40 box. Large coloured corners make the suits tell apart at a glance, for people
and for cameras.
"""

from __future__ import annotations

from companion.artwork.style import Style

# Suit -> ink, corner fill: federation silver, liberation blue, free cities deep green, temple white, nomads red.
SUIT_COLOURS = {
    "fed": ("#59626e", "#c3c9d1"),
    "lib": ("#12469b", "#2f6fd6"),
    "free": ("#0a4a2a", "#14653b"),
    "temple": ("#1b1c20", "#ffffff"),
    "nomad": ("#a3121f", "#d7263d"),
}

_MARKS = {
    "fed": "M5 .5L6.5 3.5 9.8 4 7.4 6.3 8 9.6 5 8 2 9.6 2.6 6.3.2 4 3.5 3.5Z",
    "lib": "M5 0L10 4 8 4 8 10 2 10 2 4 0 4Z",
    "free": "M5 0A5 5 0 1 0 5 10A5 5 0 1 0 5 0M5 3A2 2 0 1 1 5 7A2 2 0 1 1 5 3",
    "temple": "M5 0L10 3.5H0ZM.8 4.2H2.6V9H.8ZM4 4.2H6V9H4ZM7.4 4.2H9.2V9H7.4ZM0 9.2H10V10H0Z",
    "nomad": "M0 10L5 0L10 10H6.5L5 6L3.5 10Z",
}

# Picture -> English name, Japanese name, fill path, stroke path (40 x 40 box).
PICTURES: dict[str, tuple[str, str, str, str]] = {
    "judge": ("Judge", "裁判官", "M6 24H18L12 32ZM22 24H34L28 32ZM14 36H26V39H14Z", "M20 4V36M8 10H32M12 10L6 24M12 10L18 24M28 10L22 24M28 10L34 24"),
    "sword": ("Sword", "ソード", "M20 1L23 6V25H17V6ZM18 29H22V38H18Z", "M11 27H29M20 6V24"),
    "revolution": ("Revolution", "革命", "M10 4C18 0 24 10 34 5V20C24 25 18 15 10 19Z", "M10 3V39M6 39H14"),
    "staff": ("Staff", "錫杖", "M18.5 14H21.5V39H18.5Z", "M20 14A6 6 0 1 1 20.1 14M12 8A4 4 0 1 0 12.1 16M28 8A4 4 0 1 1 27.9 16"),
    "arms_dealer": ("Arms dealer", "武器商人", "M4 20H36V36H4ZM12 14H28V20H12Z", "M8 4L32 12M32 4L8 12M4 27H36"),
    "sniper": ("Sniper", "狙撃手", "M20 17A3 3 0 1 0 20.1 23A3 3 0 1 0 20 17", "M20 6A14 14 0 1 0 20.1 34A14 14 0 1 0 20 6M20 1V13M20 27V39M1 20H13M27 20H39"),
    "exile": ("Exile", "流刑囚", "M27 23A7.5 7.5 0 1 0 27.1 38A7.5 7.5 0 1 0 27 23", "M8 3A5 4 0 1 0 8.1 11ZM13 9A5 4 0 1 1 13.1 17M17 15A5 4 0 1 1 17.1 23M22 20L25 24"),
    "cruiser": ("Cruiser", "巡洋艇", "M2 27H38L33 36H8ZM12 19H26V26H12ZM18 10H22V19H18Z", "M26 22H36M2 39C8 36 12 42 18 39S28 36 38 39"),
    "moon_earth": ("Moon and Earth", "月と地球", "M30 4A7 7 0 1 0 36 14A8 8 0 0 1 30 4", "M15 14A12 12 0 1 0 15.1 38A12 12 0 1 0 15 14M3 26H27M15 14C8 20 8 32 15 38C22 32 22 20 15 14"),
    "undertaker": ("Undertaker", "死体処理人", "M14 3H26L32 13L27 38H13L8 13Z", "M20 8V26M14 14H26"),
    "prayer": ("Prayer", "祈り", "M20 3C24 8 24 11 20 13C16 11 16 8 20 3ZM16 16H24V34H16Z", "M9 38C9 33 31 33 31 38ZM20 13V16"),
    "end": ("The End", "終焉", "M9 5H31C31 14 22 16 22 20C22 24 31 26 31 35H9C9 26 18 24 18 20C18 16 9 14 9 5Z", "M6 3H34M6 37H34"),
    "shepherd": ("Shepherd", "羊飼い", "M14 26A7 5 0 1 0 14.1 36A7 5 0 1 0 14 26M5 27A3 3 0 1 0 5.1 33A3 3 0 1 0 5 27", "M28 39V13C28 3 38 3 37 12C36.5 16 33 15 33 13M10 35V39M17 35V39"),
}  # fmt: skip


def _mark(suit: str, x: float, y: float, size: float) -> str:
    ink, fill = SUIT_COLOURS[suit]
    return (
        f'<path d="{_MARKS[suit]}" fill="{fill}" stroke="{ink}" stroke-width=".7" fill-rule="evenodd" '
        f'transform="translate({x:g} {y:g}) scale({size / 10:g})"/>'
    )


def picture_svg(picture: str, suit: str, style: Style) -> str:
    """A card of the 65 deck: coloured corners with the suit's mark, the picture, its Japanese and English name.

    Raises KeyError for an unknown picture or suit.
    """
    english, japanese, fill_path, line_path = PICTURES[picture]
    ink, fill = SUIT_COLOURS[suit]
    w, h = style.width, style.height
    corner = (
        f'<path d="M.3 3.4A3.1 3.1 0 0 1 3.4 .3H24L.3 24Z" fill="{fill}" stroke="{ink}" stroke-width=".5"/>'
        f'<circle cx="8.2" cy="8.2" r="6" fill="#fffefa" stroke="{ink}" stroke-width=".5"/>{_mark(suit, 4, 4, 8.4)}'
    )
    names = (
        f'<text x="{w / 2:g}" y="{h - 15:g}" font-size="6.4" font-family="IPAGothic, Noto Sans CJK JP, Yu Gothic, sans-serif" '
        f'text-anchor="middle" fill="{ink}" font-weight="bold">{japanese}</text>'
        f'<text x="{w / 2:g}" y="{h - 8.5:g}" font-size="{3.9 if len(english) > 11 else 4.6}" font-family="DejaVu Sans, Arial, sans-serif" '
        f'text-anchor="middle" fill="{ink}">{english}</text>'
    )
    emblem = (
        f'<g transform="translate({w / 2 - 20:g} 19)"><path d="{fill_path}" fill="{fill}" stroke="{ink}" stroke-width=".6"/>'
        f'<path d="{line_path}" fill="none" stroke="{ink}" stroke-width="2.2" stroke-linecap="round" '
        f'stroke-linejoin="round"/></g>'
    )
    turned = f'<g transform="rotate(180 {w / 2:g} {h / 2:g})">{corner}</g>'
    return (
        f'<rect x="6" y="6" width="{w - 12:g}" height="{h - 12:g}" rx="2" fill="none" stroke="{ink}" stroke-width=".4"/>'
        f"{emblem}{names}{corner}{turned}"
    )


def emblem_svg(picture: str, cx: float, cy: float, size: float, ink: str, fill: str = "#fffefa") -> str:
    """A picture alone, centred at (cx, cy), `size` mm wide. Raises KeyError."""
    _, _, fill_path, line_path = PICTURES[picture]
    return (
        f'<g transform="translate({cx - size / 2:.2f} {cy - size / 2:.2f}) scale({size / 40:.4f})">'
        f'<path d="{fill_path}" fill="{fill}" stroke="{ink}" stroke-width="1.6"/>'
        f'<path d="{line_path}" fill="none" stroke="{ink}" stroke-width="2.6" stroke-linecap="round" '
        f'stroke-linejoin="round"/></g>'
    )
