"""Ranks and suits as paths: a small stroke alphabet of our own and four suit shapes.

A rank is drawn in a box 10 wide and 14 high with round strokes; a suit fills a box of 10 x 10. Both have their
origin at the box's top left, y down.
"""

from __future__ import annotations

_ZERO = "M5 0C9.4 0 9.8 4 9.8 7S9.4 14 5 14 .2 10 .2 7 .6 0 5 0Z"
_SIX = "M8.8 1.7C6.4-1.1.3-.4.3 8c0 8.2 9.5 7.6 9.5 1.5C9.8 3.9 1.6 4 .5 9"

STROKES: dict[str, str] = {
    "0": _ZERO,
    "1": "M2 2.6L5.4 0V14M2.2 14H8.6",
    "2": "M.5 3.8C.5-1.2 9.4-1.2 9.4 3.8 9.4 7.4 2.6 9.6.5 14H9.7",
    "3": "M.7 2.4C2.2-.9 9.2-.8 9.2 3.4 9.2 6.6 5.4 6.7 4 6.7 6 6.7 9.8 7 9.8 10.3 9.8 15 1.5 15 .2 11.3",
    "4": "M7.4 14V0L.2 9.9H10",
    "5": "M9 0H1.8L1.1 6.3C3.2 4.6 9.7 4.5 9.7 9.3 9.7 15 1.8 15 .2 11.6",
    "6": _SIX,
    "7": "M.3 0H9.7C6 4.4 4 9 3.6 14",
    "8": "M5 0C9.9 0 9.9 6.5 5 6.5S.1 0 5 0ZM5 6.5C11.2 6.5 11.2 14 5 14S-1.2 6.5 5 6.5Z",
    "A": "M0 14L5 0L10 14M1.9 9.2H8.1",
    "B": "M1 0V14M1 0H4.6C9.6 0 9.6 6.6 4.6 6.6H1M4.6 6.6C11 6.6 11 14 4.6 14H1",
    "D": "M1 0V14H3.6C12 14 12 0 3.6 0Z",
    "H": "M1 0V14M9 0V14M1 7H9",
    "J": "M5 0H10M8 0V10C8 15.2 .9 15.2 .4 10.4",
    "K": "M1 0V14M9.6 0L1 8.4M4.2 5.6L9.8 14",
    "Q": "M5 0C9.4 0 9.8 4 9.8 7S9.4 14 5 14 .2 10 .2 7 .6 0 5 0ZM5.6 9.6L10 14.8",
    "R": "M1 14V0H5C9.8 0 9.8 7 5 7H1M5.2 7L9.8 14",
    "V": "M0 0L5 14L10 0",
    "W": "M-1 0L2 14L5 3L8 14L11 0",
}

SUITS: dict[str, str] = {
    "H": "M5 9.8C4 8.3.2 5.9.2 3A2.5 2.5 0 0 1 5 1.9 2.5 2.5 0 0 1 9.8 3C9.8 5.9 6 8.3 5 9.8Z",
    "D": "M5 0C6.2 2 7.6 3.7 9 5 7.6 6.3 6.2 8 5 10 3.8 8 2.4 6.3 1 5 2.4 3.7 3.8 2 5 0Z",
    "S": "M5 .2C6 1.9 9.8 3.9 9.8 6.4A2.3 2.3 0 0 1 5.6 7.8C5.7 8.8 6.2 9.6 7 9.9H3C3.8 9.6 4.3 8.8 4.4 7.8"
    "A2.3 2.3 0 0 1 .2 6.4C.2 3.9 4 1.9 5 .2Z",
    "C": "M5 .2A2.4 2.4 0 0 1 6.8 4.2 2.4 2.4 0 1 1 5.6 7.4C5.7 8.6 6.1 9.6 7 9.9H3C3.9 9.6 4.3 8.6 4.4 7.4"
    "A2.4 2.4 0 1 1 3.2 4.2 2.4 2.4 0 0 1 5 .2Z",
}

_NINE_TURN = "rotate(180 5 7)"


def _character(char: str) -> str:
    if char == "9":
        return f'<path d="{_SIX}" transform="{_NINE_TURN}"/>'
    return f'<path d="{STROKES[char]}"/>'


def rank_svg(text: str, x: float, y: float, height: float, colour: str, weight: float = 1.0) -> str:
    """A rank (``"10"``, ``"Q"``) with its top left at (x, y), `height` mm high; at most 0.8 x height wide.

    Raises KeyError for a character the alphabet does not have.
    """
    scale = height / 14
    step = 12.0 if len(text) == 1 else 10.6
    squeeze = 1.0 if len(text) == 1 else 0.62
    parts = [f'<g transform="translate({i * step} 0)">{_character(c)}</g>' for i, c in enumerate(text)]
    return (
        f'<g transform="translate({x:.2f} {y:.2f}) scale({scale * squeeze:.4f} {scale:.4f})" fill="none" '
        f'stroke="{colour}" stroke-width="{2.1 * weight:.2f}" stroke-linecap="round" stroke-linejoin="round">'
        f"{''.join(parts)}</g>"
    )


def suit_svg(suit: str, cx: float, cy: float, size: float, colour: str, turned: bool = False) -> str:
    """A suit mark centred at (cx, cy), `size` mm wide, upside down when `turned`."""
    turn = " rotate(180 5 5)" if turned else ""
    scale = size / 10
    return (
        f'<path d="{SUITS[suit]}" fill="{colour}" '
        f'transform="translate({cx - size / 2:.2f} {cy - size / 2:.2f}) scale({scale:.4f}){turn}"/>'
    )
