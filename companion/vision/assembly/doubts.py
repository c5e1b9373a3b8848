"""What was clearly seen and no reported card explains stays on the table without a name, so that somebody asks.

A card that goes unseen in silence is worse than a question: nobody looks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

import numpy as np

from companion.vision.assembly.cards import Thing
from companion.vision.assembly.marks import mean_size, nearest_print, row_gaps
from companion.vision.assembly.seen import Look, Seen
from companion.vision.assembly.twins import Rows
from companion.vision.geometry import Array, axes, contains, iou, lengths, meeting, spot_on_card
from companion.vision.reading.reader import FACES, Tuning, Verdict, combine
from companion.vision.types import Side

_CLEAR_OUTLINE, _ELSEWHERE = 0.6, 0.5
"""An outline from the first score on is of a card that lies there if it shares less than the second (IoU) with all."""

_OWN_PLACE = 0.3
"""An index is another one than those read when it is farther from them than this share of its height."""

_AT_CORNER_MM = 8.0
"""So near to where a card's index lies an index is that card's, if it shows none there."""

_ROW = 5
"""So many indices make a row, at least."""

_PARALLEL = 0.9945
"""Two indices beside each other on one card read the same way but for some degrees (cosine of six): 98 of 100 do."""

_GROWN = 0.1
"""Outlines are inexact by this share of the way to their middle."""


def unexplained(reported: Sequence[Seen], seen: Sequence[Seen], spare: Sequence[Look], tuning: Tuning) -> list[Seen]:
    """Cards without a name: clear outlines and indices among what was seen that no reported card accounts for.

    `seen`: the things before doubles went; `spare`: looks at what seems an index and belongs to none of them.
    """
    lying, own = [one.thing.outline for one in reported], {id(one.thing) for one in reported}
    out = [
        Seen(one.thing, (), None, one.verdict.doubted(tuning))
        for one in seen
        if id(one.thing) not in own
        and one.thing.whole and one.thing.side is Side.UP and one.thing.score >= _CLEAR_OUTLINE
        and all(iou(one.thing.outline, lying[n]) < _ELSEWHERE for n in meeting(one.thing.outline, lying))
        and one.thing.plane.sized(one.thing.outline)
    ]  # fmt: skip
    out += [_second(one, look, tuning) for one, look in _level_twins(reported)]
    shown = {look for one in reported for look in one.looks}
    taken = [look.place.mean(axis=0) for look in shown]
    lost = [look for one in seen for look in one.looks if look.quad is not None and look.clear and look not in shown]
    for look in [*spare, *lost]:
        if seen and not _read(look, taken) and not any(_explains(one, look, tuning) for one in [*reported, *out]):
            out.append(_second(seen[0], look, tuning))
            taken.append(look.place.mean(axis=0))
    return out + _missing(reported, seen)


def _missing(reported: Sequence[Seen], seen: Sequence[Seen]) -> list[Seen]:
    """Cards of evenly laid rows where no index was seen, nor a back, and the next one lies two steps farther."""
    looks = [look for one in reported for look in one.looks if look.readable and look.quad is not None]
    if len(looks) < _ROW:
        return []
    plane, backs = seen[0].thing.plane, [one.thing.outline for one in seen if one.thing.side is Side.DOWN]
    out = []
    for one, other in row_gaps(plane.marks([look.place for look in looks])):
        place = (looks[one].place + looks[other].place) / 2
        if not any(contains(back, place.mean(axis=0)) for back in backs):
            thing = Thing(plane.card([place])[0], Side.UP, 0.5, plane, whole=False)
            out.append(Seen(thing, (), None, Verdict((), 0.0)))
    return out


def _level_twins(reported: Sequence[Seen]) -> list[tuple[Seen, Look]]:
    """Cards that may be two equal ones of a row, and the index that may be the second's.

    Two indices beside each other are one card's if its print has four corners. That is proven by a card that shows
    three of them, or two beside each other in an outline that was seen. Those of one card also read the same way. Three
    or four are two cards' as well, where the outline was not clearly seen, or those beside each other are in step with
    other cards of a row.
    """
    doubtful, level, proofs = [], [], []
    rows = cache(partial(Rows.of, reported))
    for one in reported:
        looks = [look for look in one.looks if look.readable]
        downs = [axes(look.place)[1] for look in looks]
        beside, many = len(looks) == 2 and float(downs[0] @ downs[1]) > 0, len(looks) > 2
        outlined = one.thing.score >= _CLEAR_OUTLINE
        askew = beside and one.thing.plane.marks([look.place for look in looks]).steps[1][0, 1] < _PARALLEL
        if askew or (many and not (outlined and not rows().repeated_by(one))):
            doubtful.append((one, looks[1]))
        elif many or (beside and outlined):
            proofs.append(one)
        elif beside:
            level.append((one, looks[1]))
    proven = {_print_of(one) for one in proofs} if level else set()
    return doubtful + [(one, look) for one, look in level if _print_of(one) not in proven]


def _print_of(one: Seen) -> int:
    """The number of its print among those of the table."""
    plane = one.thing.plane
    return int(nearest_print(plane.prints, mean_size(plane.marks(one.readable_places).sizes)))


def _second(one: Seen, look: Look, tuning: Tuning) -> Seen:
    """A card without a name where an index lies, on the table of another."""
    plane = one.thing.plane
    thing = Thing(plane.card([look.place])[0], Side.UP, 0.5, plane, whole=False)
    return Seen(thing, (look,), None, combine([look.evidence], None, tuning).doubted(tuning))


def _read(look: Look, taken: Sequence[Array]) -> bool:
    """True for an index that some card has: `taken` are the middles (2,) of those."""
    reach = _OWN_PLACE * float(np.linalg.norm(axes(look.place)[1]))
    return bool((lengths(np.reshape(taken, (-1, 2)) - look.place.mean(axis=0)) < reach).any())


def _explains(one: Seen, look: Look, tuning: Tuning) -> bool:
    """True where an index may be one of this card: it says the same, or lies at a corner where none was read.

    Not so where it was read beyond doubt, and the card is a back, or surely another one.
    """
    outline = one.thing.outline
    sure = one.clear or tuning.accepts(one.verdict)
    if look.clear and (one.thing.side is Side.DOWN or (sure and one.name != FACES[look.name])):
        return False
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
