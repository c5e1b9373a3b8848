"""Draws every card the project knows: faces, backs, tiles, as SVG made of paths.

What lives here: one drawing for the page, for print and for the scenes that readers are trained on. Ranks and suits
are paths of our own, and so are pictures, marks and the characters of the mahjong tiles: a card looks the same on an
old tablet without fonts, in print and in a training picture; only names are text. What may come in: faces of `companion.cards`.
What never does: game rules, pictures taken of other people's cards, files.

All drawings use millimetres as units: 63 x 88 for poker cards, 58 x 88 for bridge cards.
"""

from __future__ import annotations

from companion.artwork.cards import back_svg, card_svg, face_svg
from companion.artwork.small import small_svg
from companion.artwork.style import BRIDGE, JUMBO, STANDARD, Style

__all__ = ["BRIDGE", "JUMBO", "STANDARD", "Style", "back_svg", "card_svg", "face_svg", "small_svg"]
