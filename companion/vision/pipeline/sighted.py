"""Cards without a name in the outlines that a learned score chooses of all that the detector saw (`assembly.sights`):
what the reader makes of them is right where cards have indices, and keeps too few where they have none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from companion import resources
from companion.vision.assembly import edges, parameters
from companion.vision.assembly.sights import Sights, chosen
from companion.vision.assembly.trees import Trees
from companion.vision.geometry import Array, as_quad, iou
from companion.vision.images import Pixels
from companion.vision.pipeline.report import as_polygon
from companion.vision.types import CardRead, ReadResult, Side, in_reading_order


@cache
def shipped() -> Trees:
    """The score. Raises PartError where it is missing or damaged."""
    path = resources.models() / "decks" / "sights.json"
    try:
        return Trees.load(path)
    except FileNotFoundError as error:
        raise resources.PartError(f"the weights {path} are missing: {resources.AGAIN}") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise resources.PartError(f"{path} is damaged: {resources.AGAIN}") from error


def sighted(
    result: ReadResult, picture: Pixels, trees: Trees | None = None
) -> tuple[tuple[CardRead, ...], list[Array]]:
    """The cards of a (height, width, 3) BGR picture, in reading order: those with a name as they are, the others as
    `trees` (those shipped, where None) choose their outlines. And further outlines (4, 2) px that may be a card's."""
    if not result.sights:
        return result.cards, [as_quad(outline) for outline in result.outlines]
    named = [card for card in result.cards if card.face is not None]
    left = [card for card in result.cards if card.face is None]
    sights = Sights(result.sights, left, edges.min_channel(picture))
    for card in named:
        sights.accept(as_quad(card.polygon))
    seen = [*(one.side for one in result.sights), *(card.side for card in left)]
    numbers, rest = chosen(sights, trees or shipped())
    found = [(sights.outlines[number], seen[number % len(seen)], chance) for number, chance in numbers]
    cards = in_reading_order([*named, *_in_place(found, left)], result.height)
    return cards, [sights.outlines[number] for number in rest]


def _in_place(found: Sequence[tuple[Array, Side, float]], cards: Sequence[CardRead]) -> list[CardRead]:
    """Cards in the outlines found: what was read there, each once, with its outline; else a card of which nothing is
    known but the side."""
    left, out = list(cards), []
    for outline, side, chance in found:
        polygon, sure = as_polygon(outline), round(chance, 4)
        shares = [iou(outline, as_quad(card.polygon)) for card in left]
        at = int(np.argmax(shares)) if shares else 0
        if shares and shares[at] > parameters.READ_SIGHT:
            out.append(replace(left.pop(at), polygon=polygon))
        else:
            out.append(CardRead(None, sure if side is Side.DOWN else 0.0, side, polygon, own=sure))
    return out
