"""Where every zone of a game lies, in millimetres: room for as many cards as will ever lie there.

A simple placement: people sit along the two long edges, each with a part of it; their own zones lie in rows from the
edge inwards, shared ones in the middle. `place` is the one entrance, so that another layout can take its place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.games import Zone
from companion.table import Layout, ZoneShape
from companion.training.films.spec import FilmError
from companion.vision.types import Unit

CARD = (63.0, 88.0)
AIR = 9.0
"""Free space round the cards of a zone, mm."""

TABLES = tuple((float(w), round(w * 0.53)) for w in range(720, 1700, 60))
"""Tables that are tried, from the smallest: width and depth in mm."""


@dataclass(frozen=True, slots=True)
class Room:
    """What a zone has to hold: `most` cards beside each other; a stack needs the room of one."""

    id: str
    most: int
    stack: bool

    @property
    def seat(self) -> int | None:
        """Whose it is."""
        owner = self.id.partition(":")[2]
        return int(owner) if owner.isdigit() else None

    def width(self, step: float) -> float:
        """Its width in mm, at `step` mm from card to card."""
        return CARD[0] + 2 * AIR + (0 if self.stack else (max(1, self.most) - 1) * step)


@dataclass(frozen=True, slots=True)
class Places:
    """A layout with its rooms. `edges`: for every seat where its hands come in (x, y mm, on the table's edge)."""

    layout: Layout
    rooms: Mapping[str, Room]
    edges: tuple[tuple[float, float], ...]

    def turn(self, zone: str) -> float:
        """By how many degrees cards in this zone are turned: 0 for who sits at the lower edge, 180 opposite."""
        seat = self.rooms[zone].seat
        return 0.0 if seat is None or self.edges[seat][1] > self.layout.size[1] / 2 else 180.0

    def box(self, zone: str) -> tuple[float, float, float, float]:
        """x0, y0, x1, y1 of a zone, mm."""
        polygon = next(shape.polygon for shape in self.layout.zones if shape.id == zone)
        xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
        return min(xs), min(ys), max(xs), max(ys)


def rooms_of(tables: Iterable[Iterable[Zone]]) -> dict[str, Room]:
    """What the zones of a game have to hold, from all its expected tables."""
    most: dict[str, int] = {}
    piles: dict[str, bool] = {}
    for zone in (zone for table in tables for zone in table):
        most[zone.id] = max(most.get(zone.id, 0), len(zone.cards) + zone.down)
        piles[zone.id] = piles.get(zone.id, False) or zone.pile
    return {name: Room(name, n, piles[name]) for name, n in most.items()}


def place(rooms: Mapping[str, Room], players: int, step: float, least: float = 0.0) -> Places:
    """Places for all `rooms`, on the smallest table, at least `least` mm wide, that holds them with about `step` mm
    from card to card.

    Raises FilmError where no table does.
    """
    for narrower in (1.0, 0.85, 0.7, 0.6):
        for size in TABLES:
            if size[0] < min(least, 1100.0):
                continue
            if size[0] > 1150 and narrower > 0.6:
                break
            found = _placed(rooms, players, max(13.0, step * narrower), size)
            if found is not None:
                return found
    raise FilmError(f"no table has room for {len(rooms)} zones of {players} players.")


def _placed(rooms: Mapping[str, Room], players: int, step: float, size: tuple[float, float]) -> Places | None:
    width, depth = size
    near = math.ceil(players / 2)
    shapes: list[ZoneShape] = []
    edges: list[tuple[float, float]] = []
    reach = [0.0, 0.0]
    for seat in range(players):
        far = seat >= near
        count, at = (players - near, seat - near) if far else (near, near - 1 - seat)
        left, part = width * at / count, width / count
        edges.append((left + part / 2, 0.0 if far else depth))
        rows = _rows([room for room in rooms.values() if room.seat == seat], part, step)
        if rows is None:
            return None
        reach[far] = max(reach[far], len(rows) * _tall())
        for number, row in enumerate(rows):
            y0 = number * _tall() if far else depth - (number + 1) * _tall()
            shapes += _row(row, left, part, y0, step)
    shared = _rows([room for room in rooms.values() if room.seat is None], width * 0.94, step)
    middle = depth - sum(reach)
    if shared is None or middle < len(shared) * _tall():
        return None
    gap = (middle - len(shared) * _tall()) / (len(shared) + 1)
    for number, row in enumerate(shared):
        y0 = reach[1] + gap + number * (_tall() + gap)
        shapes += _row(row, width * 0.03, width * 0.94, y0, step)
    order = {name: n for n, name in enumerate(rooms)}
    shapes.sort(key=lambda shape: order[shape.id])
    layout = Layout("filmed", Unit.MM, size, tuple(shapes))
    return Places(layout, dict(rooms), tuple(edges))


def _tall() -> float:
    return CARD[1] + 2 * AIR


def _rows(rooms: Sequence[Room], width: float, step: float) -> list[list[Room]] | None:
    """The rooms in rows of at most `width` mm, wide ones first; None where one is too wide."""
    rows: list[list[Room]] = []
    for room in sorted(rooms, key=lambda room: -room.width(step)):
        if room.width(step) > width:
            return None
        row = next((row for row in rows if sum(r.width(step) for r in row) + room.width(step) <= width), None)
        if row is None:
            rows.append([room])
        else:
            row.append(room)
    return rows


def _row(row: Sequence[Room], left: float, width: float, y0: float, step: float) -> list[ZoneShape]:
    """The shapes of one row, free space shared out between them; rows of cards get some of it to grow wider."""
    spare = width - sum(room.width(step) for room in row)
    most = [0.0 if room.stack else max(0, room.most - 1) * (CARD[0] * 1.12 - step) for room in row]
    grow = [max(0.0, min(0.5 * spare / len(row), wider)) for wider in most]
    gap = (spare - sum(grow)) / (len(row) + 1)
    shapes, x = [], left + gap
    for room, more in zip(row, grow, strict=True):
        wide = room.width(step) + more
        corners = ((x, y0), (x + wide, y0), (x + wide, y0 + _tall()), (x, y0 + _tall()))
        shapes.append(ZoneShape(room.id, tuple((round(a, 1), round(b, 1)) for a, b in corners)))
        x += wide + gap
    return shapes
