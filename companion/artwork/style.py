"""How a deck is printed: everything that differs between decks without changing what a card is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

RED, BLACK = "#c8102e", "#14161a"
FOUR_COLOURS = {"S": BLACK, "H": RED, "D": "#0a58ca", "C": "#0b7a3b"}
TWO_COLOURS = {"S": BLACK, "H": RED, "D": RED, "C": BLACK}


@dataclass(frozen=True, slots=True)
class Style:
    """A print. Lengths in mm. `letters` replaces rank letters (French ``{"J": "V", "Q": "D", "K": "R"}`` …);
    `corners` is 2 (top left, bottom right) or 4; `index` scales the index, `weight` its strokes."""

    width: float = 63.0
    height: float = 88.0
    paper: str = "#fffefa"
    border: str = "#b9b5a8"
    colours: dict[str, str] = field(default_factory=lambda: dict(TWO_COLOURS))
    letters: dict[str, str] = field(default_factory=dict)
    corners: int = 2
    index: float = 1.0
    weight: float = 1.0
    pips: float = 1.0

    def sized(self, width: float, height: float) -> Style:
        """This print for cards of `width` × `height` mm, to be scaled to them: what is smaller than a playing card is one
        made smaller, so that the drawings count on its corners."""
        scale = min(1.0, width / BRIDGE.width, height / BRIDGE.height)
        return replace(self, width=width / scale, height=height / scale)


STANDARD = Style()
BRIDGE = Style(width=58.0)
JUMBO = Style(index=1.7, weight=1.2, pips=0.85)
