"""A table drawn for a rule page: cards of our own artwork as they lie, face up or down, chips, and who sits where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from companion.artwork import back_svg, card_svg
from companion.artwork.marks import CJK
from companion.cards import Deck

WIDTH, HEIGHT = 420, 270
"""Of the felt, in its own units."""
SCALE = 0.6
"""Of a card of 63 x 88."""
DOWN = "?"


@dataclass(frozen=True, slots=True)
class Scene:
    """What lies on a table. `cards`: code (`DOWN`: face down), middle x, y, and turn in degrees; `chips`: x, y;
    `labels`: text, x, y; `about`: the picture in words; `told`: what is said below it."""

    cards: tuple[tuple[str, float, float, float], ...]
    chips: tuple[tuple[float, float], ...]
    labels: tuple[tuple[str, float, float], ...]
    about: str
    told: str

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Scene:
        """From the table of a rule file. Raises ValueError, TypeError, KeyError for another shape."""
        cards = tuple((str(code), float(x), float(y), float(turn)) for code, x, y, turn in data["cards"])
        chips = tuple((float(x), float(y)) for x, y in data.get("chips", ()))
        labels = tuple((str(text), float(x), float(y)) for text, x, y in data.get("labels", ()))
        return cls(cards, chips, labels, str(data["about"]), str(data["told"]))


def scene_svg(scene: Scene, deck: Deck) -> str:
    """The scene as an SVG element to stand in a page. Raises NotationError for a card that the deck has not."""
    parts = [
        _placed(_inside(back_svg()) if code == DOWN else _face(code, deck), x, y, turn)
        for code, x, y, turn in scene.cards
    ]
    parts += [_chip(x, y) for x, y in scene.chips]
    parts += [_label(text, x, y) for text, x, y in scene.labels]
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(scene.about)}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="14" fill="#1c6150"/>{_once(parts)}</svg>'
    )


def _once(parts: Sequence[str]) -> str:
    """The pieces; the clip of a card's back is named once for all of them."""
    return "".join(parts).replace('id="b"', 'id="back-clip"').replace("url(#b)", "url(#back-clip)")


def _face(code: str, deck: Deck) -> str:
    return _inside(card_svg(deck.face(code), deck))


def _inside(svg: str) -> str:
    return svg[svg.index(">") + 1 : svg.rindex("</svg>")]


def _placed(card: str, x: float, y: float, turn: float) -> str:
    return f'<g transform="translate({x:g} {y:g}) rotate({turn:g}) scale({SCALE}) translate(-31.5 -44)">{card}</g>'


def _chip(x: float, y: float) -> str:
    return (
        f'<g transform="translate({x:g} {y:g})"><circle r="8" fill="#f2b705" stroke="#8a6a00"/>'
        '<circle r="5.4" fill="none" stroke="#fffefa" stroke-width="1.4"/></g>'
    )


def _label(text: str, x: float, y: float) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="11" font-family="{CJK}" text-anchor="middle" fill="#fffefa">'
        f"{escape(text)}</text>"
    )
