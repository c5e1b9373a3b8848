"""Invented court figures and jokers: half a figure, drawn twice, each turned against the other.

Nobody's copyrighted courts: a bust of simple shapes whose head-dress tells the rank (king: crown, queen: coronet
over long hair, jack: feathered cap) and whose coat wears the suit.
"""

from __future__ import annotations

from companion.artwork.glyphs import suit_svg
from companion.artwork.style import Style

GOLD, SKIN, LINE = "#f2b705", "#f6d7b8", "#14161a"
COATS = {
    "S": ("#1f3a5f", "#c8102e"),
    "H": ("#c8102e", "#1f3a5f"),
    "D": ("#d9731a", "#1f3a5f"),
    "C": ("#14532d", "#c8102e"),
}
HAIR = {"S": "#3b2a1a", "H": "#c98b2b", "D": "#e8c65a", "C": "#5a3517"}


def _head_dress(rank: str, coat: str) -> str:
    if rank == "K":
        return (
            f'<path d="M22 16L20 6L26 11L31.5 4L37 11L43 6L41 16Z" fill="{GOLD}" stroke="{LINE}" stroke-width=".5"/>'
            f'<circle cx="31.5" cy="4" r="1.6" fill="{coat}"/><path d="M25.5 27C26 34 37 34 37.5 27L34 29H29Z" fill="#7a5a3a"/>'
        )
    if rank == "Q":
        return (
            f'<path d="M24 15L22.5 9L27 12L31.5 8L36 12L40.5 9L39 15Z" fill="{GOLD}" stroke="{LINE}" stroke-width=".5"/>'
            f'<circle cx="31.5" cy="7.5" r="1.2" fill="{coat}"/>'
        )
    return (
        f'<path d="M22 16C22 8 41 8 41 16L44 14L43 17.5H20.5Z" fill="{coat}" stroke="{LINE}" stroke-width=".5"/>'
        f'<path d="M40 14C48 12 48 5 44 3C46 8 42 9 38.5 11Z" fill="{GOLD}" stroke="{LINE}" stroke-width=".4"/>'
    )


def _half(rank: str, suit: str, colour: str) -> str:
    coat, trim = COATS[suit]
    hair = HAIR[suit]
    long_hair = f'<path d="M23 16C19 24 22 33 20 36H43C41 33 44 24 40 16Z" fill="{hair}"/>' if rank == "Q" else ""
    short_hair = f'<path d="M24 16C22 22 24 26 23 28H40C39 26 41 22 39 16Z" fill="{hair}"/>' if rank != "Q" else ""
    held = {
        "K": f'<path d="M13.5 44V14M11 18H16" stroke="{LINE}" stroke-width="1.6"/><circle cx="13.5" cy="13" r="1.8" fill="{GOLD}"/>',
        "Q": f'<path d="M14 44C15 36 13 32 14 27" stroke="#14532d" stroke-width="1.2" fill="none"/>'
        f'<circle cx="14" cy="25" r="3" fill="{trim}"/><circle cx="14" cy="25" r="1.2" fill="{GOLD}"/>',
        "J": f'<path d="M13.5 44V16" stroke="#7a5a3a" stroke-width="1.4"/><path d="M13.5 11L16 18H11Z" fill="#9aa3ad" stroke="{LINE}" stroke-width=".4"/>',
    }[rank]
    return (
        f"{long_hair}{short_hair}"
        f'<path d="M12.5 44C13 36 22 33 26 31H37C41 33 50 36 50.5 44Z" fill="{coat}" stroke="{LINE}" stroke-width=".6"/>'
        f'<path d="M27 31L31.5 44L36 31Z" fill="{GOLD}"/><path d="M18 37L24 44M45 37L39 44" stroke="{trim}" stroke-width="2.2"/>'
        f'<rect x="25" y="15" width="13" height="15" rx="6" fill="{SKIN}" stroke="{LINE}" stroke-width=".5"/>'
        f'<circle cx="28.8" cy="20.5" r=".7"/><circle cx="34.2" cy="20.5" r=".7"/>'
        f'<path d="M31.5 21V24M29.6 26.5Q31.5 27.8 33.4 26.5" stroke="{LINE}" stroke-width=".5" fill="none"/>'
        f"{_head_dress(rank, coat)}{held}{suit_svg(suit, 18.5, 14, 7, colour) if rank == 'Q' else suit_svg(suit, 20, 24, 7, colour)}"
    )


def court_svg(rank: str, suit: str, style: Style) -> str:
    """The framed double figure of K, Q or J."""
    w, h = style.width, style.height
    half = _half(rank, suit, style.colours[suit])
    dx = (w - 63) / 2
    return (
        f'<rect x="12" y="9" width="{w - 24}" height="{h - 18}" fill="none" stroke="{style.colours[suit]}" stroke-width=".5"/>'
        f'<g transform="translate({dx} 0)">{half}<g transform="rotate(180 31.5 {h / 2})">{half}</g>'
        f'<path d="M12.5 {h / 2}H50.5" stroke="{LINE}" stroke-width=".5"/></g>'
    )


def joker_svg(colour: str, style: Style) -> str:
    """A jester with a three-pointed cap; the first joker in colour, the second in black."""
    w, h = style.width, style.height
    other = GOLD if colour != LINE else "#8a8f98"
    return (
        f'<g transform="translate({w / 2 - 31.5} {h / 2 - 44})" stroke="{LINE}" stroke-width=".6">'
        f'<path d="M19 38C10 34 8 24 14 20C20 20 24 26 25 31Z" fill="{colour}"/>'
        f'<path d="M44 38C53 34 55 24 49 20C43 20 39 26 38 31Z" fill="{colour}"/>'
        f'<path d="M22 34C22 20 28 14 31.5 10C35 14 41 20 41 34Z" fill="{other}"/>'
        f'<circle cx="14" cy="19" r="2.4" fill="{GOLD}"/><circle cx="49" cy="19" r="2.4" fill="{GOLD}"/>'
        f'<circle cx="31.5" cy="9" r="2.4" fill="{GOLD}"/><ellipse cx="31.5" cy="43" rx="11" ry="12" fill="{SKIN}"/>'
        f'<path d="M18 36C26 31 37 31 45 36L43 39C36 35 27 35 20 39Z" fill="{other}"/>'
        f'<circle cx="27.5" cy="42" r="1.1" fill="{LINE}"/><circle cx="35.5" cy="42" r="1.1" fill="{LINE}"/>'
        f'<circle cx="31.5" cy="45.5" r="1.7" fill="{colour}"/><path d="M25 48Q31.5 54 38 48" fill="none" stroke-width="1"/>'
        f'<path d="M14 72L18 58L24 62L31.5 56L39 62L45 58L49 72Z" fill="{colour}"/>'
        f'<path d="M18 58L22 68L31.5 60L41 68L45 58" fill="none" stroke="{GOLD}" stroke-width="1.6"/></g>'
    )
