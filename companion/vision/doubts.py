"""What was clearly seen and no reported card explains stays on the table without a name, so that somebody asks.

A card that goes unseen in silence is worse than a question: nobody looks for it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.vision.assembly import Thing
from companion.vision.geometry import axes, contains, iou, spot_on_card
from companion.vision.marks import nearest_print
from companion.vision.reader import FACES, Tuning, combine
from companion.vision.seen import Look, Seen
from companion.vision.types import Side

_CLEAR_OUTLINE, _ELSEWHERE = 0.6, 0.5
"""An outline from the first score on is of a card that lies there if it shares less than the second (IoU) with all."""

_OWN_PLACE = 0.3
"""An index is another one than those read when it is farther from them than this share of its height."""

_AT_CORNER_MM = 8.0
"""So near to where a card's index lies an index is that card's, if it shows none there."""

_GROWN = 0.1
"""Outlines are inexact by this share of the way to their middle."""


def unexplained(reported: Sequence[Seen], seen: Sequence[Seen], spare: Sequence[Look], tuning: Tuning) -> list[Seen]:
    """Cards without a name: clear outlines and indices among what was seen that no reported card accounts for.

    `seen`: the things before doubles went; `spare`: looks at what seems an index and belongs to none of them.
    """
    out = [
        Seen(one.thing, (), None, one.verdict.doubted(tuning))
        for one in seen
        if one.thing.whole and one.thing.side is Side.UP and one.thing.score >= _CLEAR_OUTLINE
        and one.thing.plane.sized(one.thing.outline)
        and all(iou(one.thing.outline, other.thing.outline) < _ELSEWHERE for other in reported)
    ]  # fmt: skip
    taken = [look for one in reported for look in one.looks]
    for look in spare:
        if seen and not _read(look, taken) and not any(_explains(one, look) for one in [*reported, *out]):
            plane = seen[0].thing.plane
            thing = Thing(plane.card([look.place])[0], Side.UP, 0.5, plane, whole=False)
            out.append(Seen(thing, (look,), None, combine([look.evidence], None, tuning).doubted(tuning)))
            taken.append(look)
    return out


def _read(look: Look, taken: Sequence[Look]) -> bool:
    """True for an index that some card has."""
    reach = _OWN_PLACE * float(np.linalg.norm(axes(look.place)[1]))
    centre = look.place.mean(axis=0)
    return any(float(np.linalg.norm(centre - other.place.mean(axis=0))) < reach for other in taken)


def _explains(one: Seen, look: Look) -> bool:
    """True where an index may be one of this card: it says the same, or lies at a corner where none was read."""
    outline = one.thing.outline
    if one.name == FACES[look.name] and contains(
        outline + _GROWN * (outline - outline.mean(axis=0)), look.place.mean(axis=0)
    ):
        return True
    spot, plane = spot_on_card(outline, look.place), one.thing.plane
    if spot is None or spot.error > _AT_CORNER_MM:
        return False
    kind = int(nearest_print(plane.prints, plane.marks([look.place]).sizes)[0])
    if spot.corner % 2 and not plane.prints[kind].four_cornered:
        return False
    own = [spot_on_card(outline, other.place) for other in one.looks if other.readable]
    return all(other is None or other.corner != spot.corner for other in own)
