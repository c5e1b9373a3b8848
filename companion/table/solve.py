"""Layouts for real cards, solved in millimetres from what a game declares (`companion.games.places`).

Every seat gets the same block of zones at its edge; what belongs to the table goes into the middle, or where it finds
room. The most comfortable measures that fit are taken; then zones grow into what is free, so that a card laid a little
aside still lies in one. Where not even the tightest fit, zones that a game can spare go, the sparest first; the plan
says which, and which table would hold them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from companion.games.places import Form, Place, Shows
from companion.table.forms import COMFORTS, MARGIN, POKER, Comfort, Size
from companion.table.layout import Layout, LayoutError, ZoneShape
from companion.table.pack import EDGE, Block, Rect, apart, blocks, free_spot, grown, spread, turned
from companion.table.seating import Sides, places_at, seatings
from companion.vision.types import Unit

TABLES: tuple[Size, ...] = (
    (600.0, 450.0), (800.0, 600.0), (1000.0, 700.0), (1200.0, 800.0), (1400.0, 900.0), (1600.0, 1000.0),
)  # fmt: skip
"""Tables (mm) that are proposed where one is too small."""

LEAST_TABLE, MOST_TABLE = 250.0, 4000.0
"""Sides (mm) of tables that are laid out."""

TAG = 60.0
"""Side (mm) of the tags in the corners of a measured table: those of mats, and those to cut out (``tags-a4``)."""

QUIET = 6.0
"""White (mm) round a tag."""

TURNS = (0, 90, 180, 270)
"""How cards lie for the lower, left, upper and right edge: degrees clockwise."""

SEATINGS = 6
"""So many ways to sit are tried."""

PICTURE = 16 / 9
"""Width over height of a camera's picture."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A solved layout. `card`: the cards' size in mm; `comfort`: how generous its zones are; `dropped`: places for
    which there is no room; `needs`: the smallest of `TABLES` (mm) that would hold everything, if one does."""

    layout: Layout
    places: tuple[Place, ...]
    card: Size
    comfort: str
    dropped: tuple[Place, ...] = ()
    needs: Size | None = None

    def place(self, zone: str) -> Place:
        """What lies in a zone of the layout."""
        kind = zone.partition(":")[0]
        return next(place for place in self.places if place.kind == kind)


class NoRoomError(LayoutError):
    """No layout at all: `zones` cannot go and do not fit; `needs` would hold them, if a table of `TABLES` does."""

    def __init__(self, zones: Sequence[Place], table: Size, needs: Size | None) -> None:
        names = ", ".join(place.kind for place in zones)
        hint = f"{needs[0] / 10:g} × {needs[1] / 10:g} cm would do" if needs else "no usual table holds them"
        super().__init__(f"The zones {names} do not fit on {table[0] / 10:g} × {table[1] / 10:g} cm; {hint}.")
        self.zones, self.table, self.needs = tuple(zones), table, needs


@lru_cache(maxsize=256)
def solve(places: tuple[Place, ...], seats: int, table: Size, card: Size = POKER, tag: float = TAG) -> Plan:
    """The layout of a table of `table` mm for `seats` people. `tag`: side of the tags in the corners, 0 for none.

    Raises LayoutError for a table or a number of seats that cannot be, NoRoomError where nothing fits.
    """
    if not places:
        raise LayoutError("The game does not say which zones it uses.")
    if seats < 1:
        raise LayoutError(f"A table has at least one seat, not {seats}.")
    if not all(LEAST_TABLE <= side <= MOST_TABLE for side in table):
        raise LayoutError(
            f"A table of {table[0] / 10:g} × {table[1] / 10:g} cm cannot be laid out: its sides measure "
            f"{LEAST_TABLE / 10:g} to {MOST_TABLE / 10:g} cm."
        )
    for kept in _reductions(places):
        found = _fitted(kept, seats, table, card, tag)
        if found is not None:
            layout, comfort = found
            dropped = tuple(place for place in places if place not in kept)
            needs = _needed(places, seats, table, card, tag) if dropped else None
            return Plan(layout, places, card, comfort, dropped, needs)
    must = tuple(place for place in places if not place.spare)
    raise NoRoomError(must, table, _needed(must, seats, table, card, tag))


@lru_cache(maxsize=256)
def typical(places: tuple[Place, ...], seats: int, form: float = PICTURE, card: Size = POKER) -> Plan:
    """The layout for a table that nobody measured, in shares of a picture whose width is `form` times its height: that
    of the smallest table of this form that holds everything, so that real cards fit wherever the camera sees at least
    so much. Nothing is kept free that is no zone: nobody sees such a layout on the table. So where every seat has one
    zone and nothing else lies there, a card counts for the seat in whose direction it lies."""
    plans: list[Plan] = []
    places = tuple(place for place in places if place.shows is not Shows.NOTHING)
    for short in range(450, 1351, 50):
        size = (round(short * form, 1), float(short)) if form >= 1 else (float(short), round(short / form, 1))
        try:
            plans.append(solve(places, seats, size, card, 0.0))
        except NoRoomError:
            continue
        if not plans[-1].dropped and plans[-1].comfort != COMFORTS[-1].name:
            break
    if not plans:
        raise NoRoomError([place for place in places if not place.spare], size, None)
    best = min(plans, key=lambda plan: (len(plan.dropped), plan.comfort == COMFORTS[-1].name))
    shares = best.layout.for_table(Unit.FRACTION, (1.0, 1.0))
    own = [zone.id for zone in shares.zones if ":" in zone.id]
    shares = replace(shares, loose=len(own) == len(shares.zones) == seats)
    return Plan(shares, best.places, card, best.comfort, best.dropped, best.needs)


def _reductions(places: tuple[Place, ...]) -> Iterator[tuple[Place, ...]]:
    """All places, then ever fewer of those that can be spared."""
    kept = list(places)
    yield tuple(kept)
    for place in sorted((p for p in places if p.spare), key=lambda p: p.spare):
        kept.remove(place)
        if kept:
            yield tuple(kept)


def _needed(places: tuple[Place, ...], seats: int, table: Size, card: Size, tag: float) -> Size | None:
    larger = [size for size in TABLES if size[0] >= table[0] or size[1] >= table[1]]
    return next((size for size in larger if _fitted(places, seats, size, card, tag) is not None), None)


@lru_cache(maxsize=1024)
def _fitted(places: tuple[Place, ...], seats: int, table: Size, card: Size, tag: float) -> tuple[Layout, str] | None:
    """The most comfortable layout of exactly these places: first for people who sit well, then closer together."""
    corners = _corners(table, tag + QUIET) if tag else ()
    ways = seatings(seats, table)[:SEATINGS]
    for comforts in (COMFORTS[:-1], COMFORTS[-1:]):
        for sides, comfort in product(ways, comforts):
            rects = _placed(places, sides, table, card, comfort, corners)
            if rects is not None:
                return _layout(places, rects, sides, table, comfort, corners), comfort.name
    return None


Placed = dict[tuple[Place, int | None], Rect]


def _placed(
    places: tuple[Place, ...], sides: Sides, table: Size, card: Size, comfort: Comfort, corners: tuple[Rect, ...]
) -> Placed | None:
    """Every zone's rectangle, or None."""
    own = tuple(place for place in places if place.own)
    shared = tuple(place for place in places if not place.own)
    mine = spread(blocks(own, card, comfort))
    pairs = product(mine, mine if sides[1] or sides[3] else mine[:1])
    # The shallower the blocks, the nearer every zone is to its player.
    shallow = sorted(pairs, key=lambda pair: (pair[0].size[1] + pair[1].size[1], pair[0].size, pair[1].size))
    seated = [_seated(own, *pair, sides, table, comfort, corners) if own else {} for pair in shallow]
    for together in (True, False):
        for found in seated:
            if found is None:
                continue
            middle = _middle(found, shared, table, card, comfort, corners, together)
            if middle is not None:
                return found | middle
    return None


def _seated(
    own: tuple[Place, ...], across: Block, down: Block, sides: Sides, table: Size, comfort: Comfort,
    corners: tuple[Rect, ...],
) -> Placed | None:  # fmt: skip
    """The seats' blocks along the edges: `across` at the lower and upper, `down` at the left and right one. Where
    corners clash, one pair of sides keeps between the depths of the other."""
    corner = max((bar[2] - bar[0] for bar in corners[:1]), default=0.0) + EDGE
    deep, wide = across.size[1] + EDGE + comfort.margin, down.size[1] + EDGE + comfort.margin
    for inset_x, inset_y in ((corner, corner), (corner, max(corner, deep)), (max(corner, wide), corner)):
        found: Placed = {}
        for side, seats in enumerate(places_at(sides)):
            block = across if side in (0, 2) else down
            spots = _along(side, len(seats), block.size, table, inset_y if side in (1, 3) else inset_x, comfort.margin)
            if spots is None:
                break
            for seat, spot in zip(seats, spots, strict=True):
                for place, part in zip(own, block.parts, strict=True):
                    found[place, seat] = turned(part, block.size, spot, TURNS[side])
        else:
            if _clear(list(found.values()), corners, comfort.margin):
                return found
    return None


def _along(
    side: int, count: int, block: Size, table: Size, inset: float, margin: float
) -> list[tuple[float, float]] | None:
    """Left top corners of `count` blocks along a side, clockwise, each in the middle of its share."""
    length = (table[0] if side in (0, 2) else table[1]) - 2 * inset
    if count and (count * block[0] + (count - 1) * margin > length or block[1] + 2 * EDGE > min(table)):
        return None
    share = length / count if count else 0.0
    starts = [inset + share * n + (share - block[0]) / 2 for n in range(count)]
    if share < block[0] + margin:  # pushed apart to the ends
        step = (length - block[0]) / (count - 1) if count > 1 else 0.0
        starts = [inset + step * n for n in range(count)] if count > 1 else starts
    far_x, far_y = table[0] - EDGE - block[1], table[1] - EDGE - block[1]
    match side:
        case 0:
            return [(x, far_y) for x in reversed(starts)]
        case 1:
            return [(EDGE, y) for y in reversed(starts)]
        case 2:
            return [(x, EDGE) for x in starts]
        case _:
            return [(far_x, y) for y in starts]


def _middle(
    seated: Placed, shared: tuple[Place, ...], table: Size, card: Size, comfort: Comfort, corners: tuple[Rect, ...],
    together: bool,
) -> Placed | None:  # fmt: skip
    """What belongs to the table: in the middle as one block (`together`), or one by one where room is, and what is only
    kept free far from it; None where there is no room."""
    taken = [*seated.values(), *corners]
    found: Placed = {}
    main = tuple(place for place in shared if place.shows is not Shows.NOTHING)
    groups = [main] if together and main else sorted(((place,) for place in main), key=lambda g: -g[0].usual)
    for group in (*groups, *((place,) for place in shared if place not in main)):
        best = sorted(blocks(group, card, comfort), key=lambda b: max(b.size[0] / table[0], b.size[1] / table[1]))
        spots = ((b, free_spot(b.size, taken, table, comfort.margin, far=group[0] not in main)) for b in best)
        block, spot = next(((b, spot) for b, spot in spots if spot is not None), (None, None))
        if block is None or spot is None:
            return None
        for place, part in zip(group, block.parts, strict=True):
            found[place, None] = turned(part, block.size, (spot[0], spot[1]), 0)
        taken.append(spot)
    return found


def _clear(rects: Sequence[Rect], corners: Sequence[Rect], margin: float) -> bool:
    pairs = ((a, b) for n, a in enumerate(rects) for b in rects[n + 1 :])
    return all(apart(a, b, margin) for a, b in pairs) and all(apart(a, b, 0.0) for a in rects for b in corners)


def _corners(table: Size, side: float) -> tuple[Rect, ...]:
    right, low = table[0] - side, table[1] - side
    return (
        (0.0, 0.0, side, side), (right, 0.0, table[0], side),
        (right, low, table[0], table[1]), (0.0, low, side, table[1]),
    )  # fmt: skip


def _layout(
    places: tuple[Place, ...], rects: Placed, sides: Sides, table: Size, comfort: Comfort, corners: tuple[Rect, ...]
) -> Layout:
    """The zones, grown into what is free: those of the players without bounds, piles by a third; on a table without
    tags, where no mat shows them, all without bounds."""
    turns = {seat: TURNS[side] for side, seats in enumerate(places_at(sides)) for seat in seats}
    keys = [(place, seat) for place in places for seat in (range(sum(sides)) if place.own else (None,))]
    most = [_most(key[0], rects[key]) if corners else (1e9, 1e9) for key in keys]
    margin = max(MARGIN, comfort.margin)
    shapes = []
    for (place, seat), rect in zip(
        keys, grown([rects[key] for key in keys], most, corners, table, margin), strict=True
    ):
        left, top, right, bottom = (round(v, 1) for v in rect)
        polygon = ((left, top), (right, top), (right, bottom), (left, bottom))
        shapes.append(ZoneShape(place.id(seat), polygon, turns[seat] if seat is not None else 0))
    return Layout(f"{sum(sides)}-seats", Unit.MM, table, tuple(shapes))


def _most(place: Place, rect: Rect) -> Size:
    width, height = rect[2] - rect[0], rect[3] - rect[1]
    if place.shows is Shows.NOTHING or place.form in (Form.PILE, Form.STACK):
        return (1.35 * width, 1.35 * height)
    return (1e9, 1e9) if place.own else (1.5 * width, 1.5 * height)
