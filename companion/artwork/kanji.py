"""The characters of the mahjong tiles as strokes in a box of 10 x 10: a tile looks the same without any font."""

from __future__ import annotations

STROKES: dict[str, str] = {
    "一": "M.8 5.2C3 4.6 7 4.6 9.2 5.2",
    "二": "M2 2.6H8M.8 7.8H9.2",
    "三": "M1.6 1.6H8.4M2.2 4.9H7.8M.8 8.6H9.2",
    "四": "M1 1.8H9V9H1ZM3.8 1.8V4.2C3.8 5.8 3 6.4 1.8 6.8M6.2 1.8V5.2C6.2 6.2 6.8 6.4 8.6 6.2",
    "五": "M1.4 1.4H8.6M4.8 1.4L3.6 8.8M2 4.8H7.4V8.8M.6 8.8H9.4",
    "六": "M5 .4V2.6M.8 3.2H9.2M3.6 5L1 9.6M6.4 5L9 9.6",
    "七": "M.8 5.2L9.2 3.4M4.2 .6V7.4C4.2 9 4.8 9.2 9 9.2V7.4",
    "八": "M3.8 1.6C3.6 5 2.4 7.6 .6 9.4M5.8 1C6.2 5.4 7.6 7.8 9.6 9.4",
    "九": "M4 .6C4 5 3.4 7.6 .6 9.6M1 3.4H6.8V7.8C6.8 9.2 7.4 9.2 9.6 9V7",
    "萬": "M.6 1.4H9.4M3.2 .3V2.5M6.8 .3V2.5M2.2 3.2H7.8V6H2.2ZM5 3.2V8.4M2.2 4.6H7.8M1 9.8V7.2H9V9.4L7.8 9.7M3 8.9L6.6 8.4M6.2 7.9L7.2 9",
    "東": "M.6 1.9H9.4M5 .2V9.8M2 3.3H8V6.7H2ZM2 5H8M4.6 6.9L.6 9.4M5.4 6.9L9.4 9.4",
    "南": "M.6 1.8H9.4M5 .2V3.4M1.2 9.8V3.4H8.8V9.4L7.6 9.7M3.5 4.3L4.2 5.5M6.5 4.3L5.8 5.5M2.8 6H7.2M2.6 7.7H7.4M5 6V9.6",
    "西": "M.6 1.3H9.4M1.2 3.6H8.8V9.6H1.2ZM3.8 1.3V4.4C3.8 6 3 6.8 1.8 7.2M6.2 1.3V5.6C6.2 6.8 6.8 6.9 8.4 6.8M1.2 9H8.8",
    "北": "M3.6 .6V9.4M.6 3.4H3.6M.4 8.4L3.6 7.2M6.4 .6V7.8C6.4 9.2 7 9.3 9.5 9.1V7.2M9.2 2.6L6.4 4.4",
    "白": "M5 .2L4.2 2.2M1.6 2.2H8.4V9.6H1.6ZM1.6 5.8H8.4",
    "發": "M1.2 1.2H4.2C3.6 3 2.2 4.4 .4 5.2M1.8 2.6L2.8 3.4M8.2 .4L6.6 1.8M9.2 2.2L7.4 3.2M5.4 .4C6 2.6 7.4 4.4 9.6 5.2M1.4 5.8H4.2V7.2H1.8L1.5 8.5H4.3V9.5L3.2 9.8M5.9 5.6H8.2V6.9H9.2M5.9 5.6C5.9 6.6 5.6 7 5 7.3M5.6 8H8.4C8 9 6.8 9.6 5.2 9.9M6.2 8.3L9.4 9.9",
    "中": "M1.2 2.4H8.8V6.6H1.2ZM5 .2V9.8",
}  # fmt: skip

_BOLD = {"萬": 0.86, "東": 0.98, "南": 0.9, "西": 0.98, "發": 0.78}


def kanji_svg(char: str, cx: float, cy: float, size: float, colour: str) -> str:
    """A character centred at (cx, cy), `size` mm high and wide. Raises KeyError."""
    width = _BOLD.get(char, 1.3)
    return (
        f'<path d="{STROKES[char]}" fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round" '
        f'stroke-linejoin="round" transform="translate({cx - size / 2:.2f} {cy - size / 2:.2f}) scale({size / 10:.4f})"/>'
    )
