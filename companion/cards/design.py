"""What a deck of one's own looks like: its marks, pictures, size and shape, beside which cards there are (`Deck`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

MARKS = (
    *("star", "arrow", "ring", "temple", "tent", "spade", "heart", "diamond", "club", "flame", "drop", "leaf"),
    *("sun", "moon", "wave", "mountain", "tree", "flower", "bird", "fish", "key", "bell", "shield", "crown", "ribbon"),
)
"""Marks that can be drawn for a suit, in the order in which suits get one where the file names none."""

EMBLEMS = (
    *("shepherd", "end", "prayer", "undertaker", "moon_earth", "cruiser", "exile", "sniper", "arms_dealer"),
    *("staff", "revolution", "sword", "judge"),
)
"""Pictures that can be drawn for a card beside the marks."""

SIZES: Mapping[str, tuple[float, float]] = {
    "poker": (63.0, 88.0),
    "bridge": (58.0, 88.0),
    "tarot": (70.0, 120.0),
    "mini": (44.0, 63.0),
    "square": (70.0, 70.0),
    "tile": (26.0, 35.0),
}
"""Sizes of cards and tiles by name: width and height, mm."""

LEAST_SIDE, MOST_SIDE = 15.0, 150.0
"""Sides of a card, mm."""


@dataclass(frozen=True, slots=True)
class Part:
    """A suit, a rank or picture, or a card outside them.

    `colour`: the word or ``#rrggbb`` of the file, which rules may ask for; `ink`: what it is drawn with; `mark`: a
    name of `MARKS` or `EMBLEMS`, or one or two characters; `index`: what stands in the corner (ranks and extras).
    """

    code: str
    names: Mapping[str, str]
    colour: str = "black"
    ink: str = "#14161a"
    mark: str = ""
    index: str = ""


@dataclass(frozen=True, slots=True)
class Design:
    """Everything a deck file says of how its cards look.

    `text`: the file; `like`: the ready-made deck it starts from, or ""; `size`: width and height of a card, mm;
    `tile`: a thick tile, no card; `suits`, `ranks`, `extras`: by code, weak to strong.
    """

    text: str
    like: str = ""
    size: tuple[float, float] = SIZES["poker"]
    tile: bool = False
    suits: Mapping[str, Part] = field(default_factory=dict)
    ranks: Mapping[str, Part] = field(default_factory=dict)
    extras: Mapping[str, Part] = field(default_factory=dict)
