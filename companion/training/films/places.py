"""Where a film's zones, cards and people are, in millimetres: the program's own layouts (`companion.table.solve`).

`place` is the one entrance. The table is as small as the game needs, or a little larger, and has the picture's form.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from companion.games import Setup, Zone
from companion.games.places import Form
from companion.games.registry import places as places_of
from companion.table import Layout
from companion.table.forms import POKER, Size, lay
from companion.table.layout import LayoutError
from companion.table.seating import places_at, seatings
from companion.table.solve import PICTURE, TURNS, Plan, solve
from companion.training.films.spec import FilmError

WIDTHS = range(640, 2000, 40)
"""Tables (mm wide) that are tried."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Where somebody sits: the middle (x, y) mm of his part of the table's edge; `turn`: how his cards lie (degrees
    clockwise, 0 at the lower edge)."""

    x: float
    y: float
    turn: float

    @property
    def right(self) -> tuple[float, float]:
        """The direction to his right."""
        return math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))

    @property
    def out(self) -> tuple[float, float]:
        """The direction towards him."""
        return -math.sin(math.radians(self.turn)), math.cos(math.radians(self.turn))

    def at(self, right: float, out: float) -> tuple[float, float]:
        """The point so many mm to the right of his middle, and out over the edge."""
        (a, b), (c, d) = self.right, self.out
        return self.x + right * a + out * c, self.y + right * b + out * d

    def aside(self, point: tuple[float, float]) -> float:
        """How far (mm) a point is to the right of him."""
        return (point[0] - self.x) * self.right[0] + (point[1] - self.y) * self.right[1]


@dataclass(frozen=True, slots=True)
class Places:
    """A solved layout; `most`: so many cards lie in a zone at most in this film; `seats` in order; `card` in mm."""

    plan: Plan
    most: Mapping[str, int]
    seats: tuple[Seat, ...]

    @property
    def layout(self) -> Layout:
        """The zones."""
        return self.plan.layout

    def stack(self, zone: str) -> bool:
        """Cards lie on one another there."""
        return self.plan.place(zone).form in (Form.PILE, Form.STACK)

    def owner(self, zone: str) -> int | None:
        """Whose zone it is."""
        seat = zone.partition(":")[2]
        return int(seat) if seat.isdigit() else None

    def turn(self, zone: str) -> float:
        """How cards lie there, degrees clockwise."""
        return float(next(shape.turn for shape in self.layout.zones if shape.id == zone))

    def box(self, zone: str) -> tuple[float, float, float, float]:
        """x0, y0, x1, y1 of a zone, mm."""
        polygon = next(shape.polygon for shape in self.layout.zones if shape.id == zone)
        xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
        return min(xs), min(ys), max(xs), max(ys)

    def slot(self, zone: str, number: int) -> tuple[float, float]:
        """Where card `number` of a row or fan lies, mm, when the zone is laid for as many as will ever lie there."""
        x0, y0, x1, y1 = self.box(zone)
        turn, spots = self.turn(zone), self._spots(zone)
        right, towards = spots[min(number, len(spots) - 1)]
        seat = Seat((x0 + x1) / 2, (y0 + y1) / 2, turn)
        return seat.at(right, towards)

    def slots(self, zone: str) -> int:
        """So many places a row or fan has."""
        return len(self._spots(zone))

    def _spots(self, zone: str) -> tuple[tuple[float, float], ...]:
        x0, y0, x1, y1 = self.box(zone)
        size = (x1 - x0, y1 - y0) if self.turn(zone) in (0, 180) else (y1 - y0, x1 - x0)
        return _spots(self.plan.place(zone).form, max(1, self.most[zone]), size, self.plan.card)


@cache
def _spots(form: Form, count: int, size: Size, card: Size) -> tuple[tuple[float, float], ...]:
    """Spots for so many cards, or for as many as the zone holds with every index in sight."""
    return next(spots for n in range(count, -1, -1) if (spots := lay(form, n, size, card)) is not None) or ((0.0, 0.0),)


def most_cards(tables: Iterable[Iterable[Zone]]) -> dict[str, int]:
    """So many cards lie in each zone at most, over all expected tables of a game."""
    most: Counter[str] = Counter()
    for zone in (zone for table in tables for zone in table):
        most[zone.id] = max(most[zone.id], len(zone.cards) + zone.down)
    return dict(most)


def place(game: str, setup: Setup, most: Mapping[str, int], roomy: float = 1.0, card: Size = POKER) -> Places:
    """Places on the smallest table that holds every zone, or one that is `roomy` times as wide.

    Raises FilmError where no table does.
    """
    declared, players = places_of(game, setup), len(setup.players)
    for width in WIDTHS:
        try:
            if solve(declared, players, _table(width), card, 0.0).dropped:
                continue
            plan = solve(declared, players, _table(round(width * roomy)), card, 0.0)
        except LayoutError:
            continue
        if not plan.dropped:
            return Places(plan, most, _seats(plan, players))
    raise FilmError(f"no table has room for {game} with {players} players.")


def _table(width: int) -> Size:
    return float(width), float(round(width / PICTURE))


def _seats(plan: Plan, players: int) -> tuple[Seat, ...]:
    """Everybody behind his own zones; where there are none, spread along the edges as the solver would."""
    width, depth = plan.layout.size
    sides = places_at(seatings(players, plan.layout.size)[0])
    found: dict[int, Seat] = {}
    for side, seats in enumerate(sides):
        for number, seat in enumerate(seats):
            share = (number + 1) / (len(seats) + 1)
            points = (
                (width * (1 - share), depth),
                (0.0, depth * (1 - share)),
                (width * share, 0.0),
                (width, depth * share),
            )
            found[seat] = Seat(*points[side], float(TURNS[side]))
    for seat in range(players):
        own = [shape for shape in plan.layout.zones if shape.id.endswith(f":{seat}")]
        if own:
            turn = float(own[0].turn)
            x = sum(p[0] for shape in own for p in shape.polygon) / sum(len(shape.polygon) for shape in own)
            y = sum(p[1] for shape in own for p in shape.polygon) / sum(len(shape.polygon) for shape in own)
            edge = {0.0: (x, depth), 90.0: (0.0, y), 180.0: (x, 0.0), 270.0: (width, y)}[turn]
            found[seat] = Seat(*edge, turn)
    return tuple(found[seat] for seat in range(players))
