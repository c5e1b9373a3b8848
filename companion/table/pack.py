"""Packs zones into shelves, shelves before players and into the middle, and lets them grow into what stays free.

Rectangles are (left, top, right, bottom) in mm, y downwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from companion.games.places import Place
from companion.table.forms import Comfort, Size, sizes

Rect = tuple[float, float, float, float]

EDGE = 8.0
"""Between a zone and the edge of the table, mm."""

MOST_BLOCKS = 8
"""So many shapes of a block are tried."""


@dataclass(frozen=True, slots=True)
class Block:
    """Zones packed together. `size`: width and depth (mm) as their owner sees them; `parts`: each zone's rectangle
    in it, from the far left corner, in the order of the places."""

    size: Size
    parts: tuple[Rect, ...]


@lru_cache(maxsize=4096)
def blocks(places: tuple[Place, ...], card: Size, comfort: Comfort) -> tuple[Block, ...]:
    """Ways to pack zones in shelves, the first shelf nearest to their owner; none is larger than another both ways."""
    if not places:
        return (Block((0.0, 0.0), ()),)
    shapes = [sizes(place, card, comfort)[:6] for place in places]
    best: dict[Size, Block] = {}
    for shelves in _partitions(len(places)):
        for chosen in product(*shapes):
            block = _shelved(chosen, shelves, comfort.margin)
            best.setdefault(block.size, block)
    kept: list[Block] = []
    for size in sorted(best):
        if not kept or size[1] < kept[-1].size[1]:
            kept.append(best[size])
    return tuple(kept)


def _partitions(count: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Ways to cut 0..count-1 into consecutive shelves."""
    for cuts in product((False, True), repeat=count - 1):
        shelves, shelf = [], [0]
        for n, cut in enumerate(cuts, 1):
            if cut:
                shelves.append(tuple(shelf))
                shelf = []
            shelf.append(n)
        yield (*shelves, tuple(shelf))


def _shelved(chosen: Sequence[Size], shelves: Sequence[Sequence[int]], margin: float) -> Block:
    depths = [max(chosen[n][1] for n in shelf) for shelf in shelves]
    widths = [sum(chosen[n][0] for n in shelf) + margin * (len(shelf) - 1) for shelf in shelves]
    width, depth = max(widths), sum(depths) + margin * (len(shelves) - 1)
    parts: dict[int, Rect] = {}
    bottom = depth
    for shelf, across, deep in zip(shelves, widths, depths, strict=True):
        left = (width - across) / 2
        for n in shelf:
            parts[n] = (left, bottom - deep, left + chosen[n][0], bottom)
            left += chosen[n][0] + margin
        bottom -= deep + margin
    return Block((width, depth), tuple(parts[n] for n in range(len(chosen))))


def spread(blocks: Sequence[Block], limit: int = MOST_BLOCKS) -> Sequence[Block]:
    """At most `limit` of the blocks, from narrow to wide."""
    if len(blocks) <= limit:
        return blocks
    return [blocks[round(n * (len(blocks) - 1) / (limit - 1))] for n in range(limit)]


def turned(part: Rect, block: Size, corner: tuple[float, float], turn: int) -> Rect:
    """A part of a block on the table. `corner`: the left top of the block's place there; `turn`: degrees clockwise
    from upright for the lower edge."""
    left, top, right, bottom = part
    width, depth = block
    x, y = corner
    match turn:
        case 0:
            return x + left, y + top, x + right, y + bottom
        case 180:
            return x + width - right, y + depth - bottom, x + width - left, y + depth - top
        case 90:  # the owner sits at the left: his right hand is at the lower end of his side
            return x + depth - bottom, y + left, x + depth - top, y + right
        case _:  # the owner sits at the right
            return x + top, y + width - right, x + bottom, y + width - left


def apart(one: Rect, other: Rect, margin: float) -> bool:
    """At least `margin` lies between them."""
    return (
        one[2] + margin <= other[0] + 1e-6
        or other[2] + margin <= one[0] + 1e-6
        or one[3] + margin <= other[1] + 1e-6
        or other[3] + margin <= one[1] + 1e-6
    )


def free_spot(size: Size, taken: Sequence[Rect], table: Size, margin: float, *, far: bool = False) -> Rect | None:
    """The place nearest to the middle of the table (`far`: farthest from it) that keeps `margin` from all taken."""
    width, height = size
    xs = {(table[0] - width) / 2, EDGE, table[0] - EDGE - width}
    ys = {(table[1] - height) / 2, EDGE, table[1] - EDGE - height}
    for left, top, right, bottom in taken:
        xs |= {right + margin, left - margin - width}
        ys |= {bottom + margin, top - margin - height}
    spots = [
        (x, y, x + width, y + height)
        for x in xs
        for y in ys
        if EDGE - 1e-6 <= x <= table[0] - EDGE - width + 1e-6 and EDGE - 1e-6 <= y <= table[1] - EDGE - height + 1e-6
    ]
    way = -1 if far else 1
    spots.sort(key=lambda r: (way * ((r[0] + r[2] - table[0]) ** 2 + (r[1] + r[3] - table[1]) ** 2), r))
    return next((spot for spot in spots if all(apart(spot, other, margin) for other in taken)), None)


def grown(
    rects: Sequence[Rect], most: Sequence[Size], barred: Sequence[Rect], table: Size, margin: float
) -> list[Rect]:
    """The rectangles, each stretched into free room, in turn, no further than `most`."""
    found = list(rects)
    for step in (40.0, 10.0, 2.0):
        moving = True
        while moving:
            moving = False
            for n in range(len(found)):
                for side in range(4):
                    wider = _stretched(found[n], side, step)
                    others = [*found[:n], *found[n + 1 :]]
                    if _within(wider, most[n], table) and all(apart(wider, other, margin) for other in others):
                        clear = all(apart(wider, bar, 0.0) for bar in barred)
                        if clear:
                            found[n], moving = wider, True
    return found


def _stretched(rect: Rect, side: int, step: float) -> Rect:
    left, top, right, bottom = rect
    return (
        left - step if side == 0 else left,
        top - step if side == 1 else top,
        right + step if side == 2 else right,
        bottom + step if side == 3 else bottom,
    )


def _within(rect: Rect, most: Size, table: Size) -> bool:
    left, top, right, bottom = rect
    inside = left >= EDGE and top >= EDGE and right <= table[0] - EDGE and bottom <= table[1] - EDGE
    return inside and right - left <= most[0] and bottom - top <= most[1]
