"""Cards without a name in the outlines that a learned score chooses of all that the detector saw (`assembly.sights`):
what the reader makes of them is right where cards have indices, and keeps too few where they have none."""

from __future__ import annotations

from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class Sighted:
    """What is seen of a picture's cards: those that were read, with a name as they are, without one in the outline that
    was chosen; `further` ones that lie face up, of which nothing is known; and other outlines (4, 2) px that may be a
    card's."""

    cards: list[CardRead]
    further: list[CardRead]
    outlines: list[Array]


def sighted(result: ReadResult, picture: Pixels, trees: Trees | None = None) -> Sighted:
    """The cards of a (height, width, 3) BGR picture in the outlines that `trees` (those shipped, where None) choose."""
    if not result.sights:
        return Sighted(list(result.cards), [], [as_quad(outline) for outline in result.outlines])
    named = [card for card in result.cards if card.face is not None]
    left = [card for card in result.cards if card.face is None]
    sights = Sights(result.sights, left, edges.min_channel(picture))
    for card in named:
        sights.accept(as_quad(card.polygon))
    seen = [*(one.side for one in result.sights), *(card.side for card in left)]
    numbers, others = chosen(sights, trees or shipped())
    read, further = [*named], list[CardRead]()
    for number, chance in numbers:
        outline, side = sights.outlines[number], seen[number % len(seen)]
        shares = [iou(outline, as_quad(card.polygon)) for card in left]
        at = int(np.argmax(shares)) if shares else 0
        if shares and shares[at] > parameters.READ_SIGHT:
            read.append(replace(left.pop(at), polygon=as_polygon(outline)))
        elif side is Side.UP:  # nothing on a back says that it is one: those that look alike are found by that
            further.append(CardRead(None, 0.0, side, as_polygon(outline), own=round(chance, 4)))
    return Sighted(list(in_reading_order(read, result.height)), further, [sights.outlines[number] for number in others])
