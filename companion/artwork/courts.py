"""Invented court figures and jokers: half a figure, drawn twice, each turned against the other.

Nobody's copyrighted courts. What a figure wears tells its rank (king: crown, beard and ermine; queen: tiara, long hair
and pearls; jack: feathered cap and ruff), what it holds and the colours it wears tell the suit (sword, rose, coin,
sceptre).
"""

from __future__ import annotations

from companion.artwork.glyphs import suit_svg
from companion.artwork.style import Style

GOLD, SKIN, LINE, PAPER = "#f2b705", "#f7dcc0", "#14161a", "#fffefa"
STEEL, BLUSH = "#c4ccd4", "#e8a08c"
ROBES = {
    "S": ("#1f3a5f", "#8fb3dc", "#c8102e"),
    "H": ("#c8102e", "#f6b3a8", "#1f3a5f"),
    "D": ("#d9731a", "#ffd9a8", "#7a1d4a"),
    "C": ("#14532d", "#a9d8b4", "#c8102e"),
}
"""Suit -> robe, its light, its trimming."""
HAIR = {"S": "#2c2118", "H": "#b5762a", "D": "#d9b64a", "C": "#5a3517"}
GREY = {"S": "#d7d9dd", "H": "#7a4a22", "D": "#e8dcc0", "C": "#3b2a1a"}
"""Suit -> the king's beard."""

_INK = f'stroke="{LINE}" stroke-width=".55" stroke-linejoin="round" stroke-linecap="round"'


def _path(d: str, fill: str) -> str:
    return f'<path d="{d}" fill="{fill}" {_INK}/>'


def _line(d: str, colour: str = LINE, width: float = 0.6) -> str:
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round" stroke-linejoin="round"/>'


def _dots(points: tuple[tuple[float, float], ...], r: float, colour: str) -> str:
    return "".join(f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{colour}"/>' for x, y in points)


def _face(rank: str) -> str:
    """A face turned a little aside: queen and jack to the left, the king straight on."""
    aside = 0.0 if rank == "K" else -0.9
    eyes = "".join(
        f'<ellipse cx="{x + aside:g}" cy="20.2" rx="1.25" ry=".85" fill="{PAPER}" stroke="{LINE}" stroke-width=".3"/>'
        f'<circle cx="{x + 1.3 * aside:g}" cy="20.25" r=".62" fill="{LINE}"/>'
        for x in (28.7, 34.3)
    )
    x = 31.5 + 1.4 * aside
    return (
        _path("M28.6 26V31.5H34.4V26Z", SKIN)
        + _path("M25.6 16.5C25 23.5 27.8 29.2 31.5 29.2C35.2 29.2 38 23.5 37.4 16.5Z", SKIN)
        + f'<circle cx="27.4" cy="23.6" r="1.2" fill="{BLUSH}"/><circle cx="35.6" cy="23.6" r="1.2" fill="{BLUSH}"/>'
        + eyes
        + _line(
            f"M{27.2 + aside:g} 18.4Q{28.8 + aside:g} 17.5 {30.2 + aside:g} 18.3M{32.9 + aside:g} 18.3Q{34.3 + aside:g} 17.5 {35.9 + aside:g} 18.4"
        )
        + _line(f"M{x:g} 20.5L{x - 0.8:g} 23.6L{x + 0.5:g} 23.9", width=0.5)
        + _line(f"M{x - 1.5:g} 26.1Q{x:g} 27.1 {x + 1.5:g} 26.1", "#a3332a", 0.9)
    )


def _king(suit: str) -> tuple[str, str]:
    """What lies behind and before the face of a king."""
    _, _, trim = ROBES[suit]
    hair, beard = HAIR[suit], GREY[suit]
    behind = _path("M24 15C21.5 19 21.8 26 24.5 29.5H38.5C41.2 26 41.5 19 39 15Z", hair)
    before = (
        _path(
            "M25.5 20.5C24.6 28.5 27 36.2 31.5 36.2C36 36.2 38.4 28.5 37.5 20.5C36.6 24.4 35 25.2 33.4 24.6C32.2 24.2 30.8 24.2 29.6 24.6C28 25.2 26.4 24.4 25.5 20.5Z",
            beard,
        )
        + _line("M28.2 29C28.6 31.5 29.4 33.4 30.2 34.4M31.5 29V35M34.8 29C34.4 31.5 33.6 33.4 32.8 34.4", width=0.35)
        + _line("M30 26.6Q31.5 27.6 33 26.6", "#a3332a", 1.0)
        + _path("M23.4 16.6L21.4 6.6L26.7 11.2L31.5 4.6L36.3 11.2L41.6 6.6L39.6 16.6Z", GOLD)
        + _path("M23.2 14.4C28 13 35 13 39.8 14.4V17.4C35 16 28 16 23.2 17.4Z", trim)
        + _dots(((21.4, 6.4), (31.5, 4.2), (41.6, 6.4)), 1.3, trim)
        + _dots(((27.2, 15.2), (31.5, 14.9), (35.8, 15.2)), 0.7, GOLD)
    )
    return behind, before


def _queen(suit: str) -> tuple[str, str]:
    """What lies behind and before the face of a queen."""
    _, light, trim = ROBES[suit]
    hair = HAIR[suit]
    behind = _path(
        "M23.6 15.5C18.6 22 22.6 30 18.6 36.5C24 38 27 35 27.4 31H35.6C36 35 39 38 44.4 36.5C40.4 30 44.4 22 39.4 15.5Z",
        hair,
    )
    before = (
        _path(
            "M25.2 20C24.4 15 28 13.6 31.5 13.6C35 13.6 38.6 15 37.8 20C36.6 17.4 34.4 16.6 31.5 16.6C28.6 16.6 26.4 17.4 25.2 20Z",
            hair,
        )
        + _line("M22.6 24C23.4 27 22.4 30 22.8 33M40.4 24C39.6 27 40.6 30 40.2 33", light, 0.5)
        + _path(
            "M25 15.4L23.6 9L27.6 12L29.6 7.4L31.5 11.4L33.4 7.4L35.4 12L39.4 9L38 15.4C34 13.8 29 13.8 25 15.4Z", GOLD
        )
        + _dots(((23.6, 8.8), (29.6, 7), (33.4, 7), (39.4, 8.8)), 0.9, trim)
        + _dots(((28.2, 13), (31.5, 12.8), (34.8, 13)), 0.6, trim)
        + _dots(((26.8, 31.6), (28.6, 33), (30.5, 33.8), (32.5, 33.8), (34.4, 33), (36.2, 31.6)), 0.75, PAPER)
    )
    return behind, before


def _jack(suit: str) -> tuple[str, str]:
    """What lies behind and before the face of a jack."""
    robe, light, trim = ROBES[suit]
    hair = HAIR[suit]
    behind = _path(
        "M24.4 15C21.6 20 22 27 23.4 29.6C25.6 30 27 28.4 27 26H36C36 28.4 37.4 30 39.6 29.6C41 27 41.4 20 38.6 15Z",
        hair,
    )
    before = (
        _path("M25.4 19.6C25.6 16.4 28 15.6 30 16.4C32 15.4 36.6 15.6 37.6 19.6L38.4 15H24.6Z", hair)
        + _path("M20.6 15.8C20.4 7.4 40 4.4 42.6 14.6L43.4 16.2C36 13.8 27 14 20.6 15.8Z", robe)
        + _path("M20.2 16.8C27 14.4 36 14.2 43.6 16.8L43 14.6C36 12.4 27 12.6 20.6 14.6Z", light)
        + _path("M38.4 11.6C44 11.8 48.4 8.4 46.8 3.4C44.6 6.4 40.4 5.6 38.4 11.6Z", trim)
        + _line("M38.8 11C41.4 8.6 43.8 6.8 46 4.8", PAPER, 0.5)
    )
    return behind, before


def _held(suit: str, rank: str) -> str:
    """What the right hand holds, x about 46: a sword, a rose, a coin, a sceptre."""
    hand = f'<circle cx="45.8" cy="37.4" r="2.5" fill="{SKIN}" {_INK}/>'
    if suit == "S":
        tip = {"K": 11.0, "Q": 15.0, "J": 13.0}[rank]
        return (
            _path(f"M45.8 {tip:g}L47.6 {tip + 3:g}V32H44V{tip + 3:g}Z", STEEL)
            + _line(f"M45.8 {tip + 3:g}V31")
            + _path("M42 31.6H49.6V33.6H42Z", GOLD)
            + _path("M44.8 33.6H46.8V41H44.8Z", "#7a4a22")
            + hand
        )
    if suit == "H":
        return (
            _line("M45.8 44C46.6 38 45 32 45.8 25.5", "#14532d", 1.3)
            + _path("M45.6 33C42.6 32.8 41.8 30.6 42 29C44.4 29 45.6 30.8 45.6 33Z", "#2f8a57")
            + _path(
                "M45.8 26C42.4 26 40.8 23.2 41.6 20.4C43 21.2 43.6 21 44 19.6C45 18.6 46.6 18.6 47.6 19.6C48 21 48.6 21.2 50 20.4C50.8 23.2 49.2 26 45.8 26Z",
                "#e2505c",
            )
            + _line("M45.8 21.4C44.4 21.6 44.2 23.4 45.8 23.8C47.4 23.4 47.2 21.6 45.8 21.4", width=0.4)
            + hand
        )
    if suit == "D":
        return (
            hand
            + f'<circle cx="45.8" cy="29.6" r="5.2" fill="{GOLD}" {_INK}/>'
            + f'<circle cx="45.8" cy="29.6" r="3.7" fill="none" stroke="{LINE}" stroke-width=".4"/>'
            + _path("M45.8 26.8L47.6 29.6L45.8 32.4L44 29.6Z", "#d9731a")
        )
    return (
        _line("M45.8 44V22", "#7a4a22", 1.7)
        + f'<g {_INK} fill="{GOLD}"><circle cx="45.8" cy="16.4" r="2.3"/><circle cx="43.4" cy="19.6" r="2.3"/>'
        f'<circle cx="48.2" cy="19.6" r="2.3"/></g>' + hand
    )


def _robe(rank: str, suit: str) -> str:
    """Shoulders, sleeves and breast."""
    robe, light, trim = ROBES[suit]
    breast = {"K": trim, "Q": light, "J": PAPER}[rank]
    out = [
        _path("M12.5 44V38.4C14 33 20 31.4 25.6 30.2L31.5 34.5L37.4 30.2C43 31.4 49 33 50.5 38.4V44Z", robe),
        _path("M26.2 30.6L31.5 34.6L36.8 30.6L39.4 44H23.6Z", breast),
        _line("M26 37.4H37.4M25.2 40.6H38.2", robe if rank != "K" else GOLD, 0.8),
        _dots(((31.5, 36.2), (31.5, 39), (31.5, 41.9)), 0.75, GOLD if rank != "Q" else trim),
        _line("M16.4 44C17 39.6 19.4 36 23 33.4M46.6 44C46 39.6 43.6 36 40 33.4", GOLD, 1.3),
        _line("M13.6 41.2C15.4 40.4 16.2 40.6 17 41.4M49.4 41.2C47.6 40.4 46.8 40.6 46 41.4", light, 0.9),
    ]
    if rank == "K":
        out.append(_path("M21.4 31.2C25 36.8 38 36.8 41.6 31.2L43.8 33.4C39 40.6 24 40.6 19.2 33.4Z", PAPER))
        out.append(_dots(((22.6, 34), (26, 36.6), (30, 37.8), (33, 37.8), (37, 36.6), (40.4, 34)), 0.55, LINE))
    if rank == "J":
        teeth = "L".join(f"{x:g} {36.6 if i % 2 else 33.8:g}" for i, x in enumerate(range(23, 42, 2)))
        out.append(_path(f"M{teeth}L38.4 29.8C35 32 28 32 24.6 29.8Z", PAPER))
    return "".join(out)


def _half(rank: str, suit: str, colour: str, style: Style) -> str:
    behind, before = {"K": _king, "Q": _queen, "J": _jack}[rank](suit)
    pip = suit_svg(suit, 17.8, 14.6, 7.6, colour) if style.index <= 1.1 else ""  # a large index stands there
    return f"{behind}{_robe(rank, suit)}{_face(rank)}{before}{_held(suit, rank)}{pip}"


def court_svg(rank: str, suit: str, style: Style) -> str:
    """The framed double figure of K, Q or J."""
    w, h = style.width, style.height
    colour = style.colours[suit]
    half = _half(rank, suit, colour, style)
    dx = (w - 63) / 2
    belt = f'<path d="M12.2 {h / 2 - 1.3:g}H50.8V{h / 2 + 1.3:g}H12.2Z" fill="{GOLD}" {_INK}/>' + _dots(
        tuple((14.5 + 3.4 * n, h / 2) for n in range(11)), 0.7, ROBES[suit][2]
    )
    return (
        f'<rect x="12" y="9" width="{w - 24:g}" height="{h - 18:g}" rx="1" fill="none" stroke="{colour}" stroke-width=".6"/>'
        f'<g transform="translate({dx:g} 0)">{half}<g transform="rotate(180 31.5 {h / 2:g})">{half}</g>{belt}</g>'
    )


def joker_svg(colour: str, style: Style) -> str:
    """A jester with a three-pointed cap, a ruff and his marotte; the first joker in colour, the second in black."""
    w, h = style.width, style.height
    other = GOLD if colour != LINE else "#8a8f98"
    third = "#1f3a5f" if colour != LINE else "#c9ced6"
    teeth = "L".join(f"{12 + 3.25 * i:g} {66 if i % 2 else 58:g}" for i in range(13))
    return (
        f'<g transform="translate({w / 2 - 31.5} {h / 2 - 44})">'
        + _path("M14 84C15 72 22 62 31.5 62C41 62 48 72 49 84Z", third)
        + _path("M31.5 62C26 68 25 76 25.4 84H14C15 72 22 62 31.5 62Z", colour)
        + _path("M19 38C10 34 8 24 14 19C21 19 25 26 26 31Z", colour)
        + _path("M44 38C53 34 55 24 49 19C42 19 38 26 37 31Z", third)
        + _path("M22 34C21 20 27 14 31.5 8C36 14 42 20 41 34Z", other)
        + f'<g {_INK} fill="{GOLD}"><circle cx="13.6" cy="18.4" r="2.6"/><circle cx="49.4" cy="18.4" r="2.6"/>'
        '<circle cx="31.5" cy="7.6" r="2.6"/></g>'
        + f'<ellipse cx="31.5" cy="43.5" rx="11.2" ry="12.4" fill="{SKIN}" {_INK}/>'
        + _path("M18.6 36.4C26 30.6 37 30.6 44.4 36.4L42.6 40C36 35.6 27 35.6 20.4 40Z", other)
        + f'<ellipse cx="27.2" cy="42" rx="1.9" ry="1.4" fill="{PAPER}" {_INK}/><ellipse cx="35.8" cy="42" rx="1.9" ry="1.4" fill="{PAPER}" {_INK}/>'
        + _dots(((27.6, 42.1), (36.2, 42.1)), 0.9, LINE)
        + _line("M24.6 39.6Q27 37.8 29.2 39.2M33.8 39.2Q36 37.8 38.4 39.6")
        + f'<circle cx="31.5" cy="45.8" r="1.9" fill="{colour}" {_INK}/>'
        + _dots(((24.4, 46.4), (38.6, 46.4)), 1.5, BLUSH)
        + _path("M24.8 48.4Q31.5 51.4 38.2 48.4Q36.6 54 31.5 54Q26.4 54 24.8 48.4Z", PAPER)
        + _path(f"M{teeth}L51 58C44 54.6 40 55.6 31.5 55.6C23 55.6 19 54.6 12 58Z", other)
        + _dots(tuple((15.25 + 6.5 * i, 66.6) for i in range(6)), 1.2, GOLD)
        + "</g>"
    )
