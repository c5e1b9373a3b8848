"""Which part of the table is which zone: polygons in table coordinates, solved (`companion.table.solve`) or read from
TOML."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass

from companion.vision.types import Point, SeenCard, Unit


class LayoutError(ValueError):
    """A layout that cannot be; one sentence says why."""


@dataclass(frozen=True, slots=True)
class ZoneShape:
    """The place of a zone: a polygon of at least three points, table coordinates, in order round the place. `turn`:
    how cards lie there to be upright for whoever they belong to, degrees clockwise from the lower edge."""

    id: str
    polygon: tuple[Point, ...]
    turn: int = 0

    def holds(self, point: Point) -> bool:
        """True when the point lies inside (even-odd rule)."""
        x, y = point
        inside = False
        for (ax, ay), (bx, by) in zip(self.polygon, (*self.polygon[1:], self.polygon[0]), strict=True):
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                inside = not inside
        return inside

    @property
    def middle(self) -> Point:
        """The mean of the corners."""
        return (
            sum(x for x, _ in self.polygon) / len(self.polygon),
            sum(y for _, y in self.polygon) / len(self.polygon),
        )

    @property
    def area(self) -> float:
        """Area in square table units."""
        corners = zip(self.polygon, (*self.polygon[1:], self.polygon[0]), strict=True)
        return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in corners)) / 2


@dataclass(frozen=True, slots=True)
class Layout:
    """The zones of a table of `size` (width, height) in `unit`. A zone that is not listed cannot be seen.

    `loose`: every zone is one seat's only one, and nobody marked them on the table: a card belongs to the seat in whose
    direction it lies from the table's middle, inside the zone's outline or not.
    """

    name: str
    unit: Unit
    size: tuple[float, float]
    zones: tuple[ZoneShape, ...]
    loose: bool = False

    @classmethod
    def from_toml(cls, text: str) -> Layout:
        """Read a layout: ``name``, ``unit``, ``size``, a table ``[zones]`` of id = list of points, and a table
        ``[turns]`` of id = degrees where cards lie for another edge than the lower one.

        Raises LayoutError with one sentence.
        """
        try:
            data = tomllib.loads(text)
            width, height = (float(v) for v in data["size"])
            turns = data.get("turns", {})
            zones = tuple(
                ZoneShape(str(name), tuple((float(x), float(y)) for x, y in points), int(turns.get(name, 0)))
                for name, points in data["zones"].items()
            )
            layout = cls(str(data["name"]), Unit(data["unit"]), (width, height), zones, data.get("loose") is True)
        except tomllib.TOMLDecodeError as error:
            raise LayoutError(f"The layout is not valid TOML: {error}.") from error
        except KeyError as error:
            raise LayoutError(f"The layout lacks {error.args[0]!r}.") from error
        except (AttributeError, TypeError, ValueError, OverflowError, RecursionError) as error:
            raise LayoutError(f"The layout has a value that does not fit: {error}.") from error
        for zone in layout.zones:
            if len(zone.polygon) < 3 or not zone.area > 0 or not math.isfinite(zone.area):
                raise LayoutError(f"The zone {zone.id!r} of the layout has no area.")
        if not layout.zones or min(layout.size) <= 0:
            raise LayoutError("The layout has no zones or no size.")
        return layout

    def to_toml(self) -> str:
        """Reverse of `from_toml`."""
        lines = [
            f"name = {json.dumps(self.name, ensure_ascii=False)}",
            f'unit = "{self.unit.value}"',
            f"size = [{self.size[0]!r}, {self.size[1]!r}]",
            *(["loose = true"] if self.loose else []),
            "",
            "[zones]",
        ]
        for zone in self.zones:
            points = ", ".join(f"[{x!r}, {y!r}]" for x, y in zone.polygon)
            lines.append(f"{json.dumps(zone.id)} = [{points}]")
        turned = [f"{json.dumps(zone.id)} = {zone.turn}" for zone in self.zones if zone.turn]
        lines += ["", "[turns]", *turned] if turned else []
        return "\n".join(lines) + "\n"

    def for_table(self, unit: Unit, size: tuple[float, float]) -> Layout:
        """This layout for a table seen in `unit` with `size`: a layout in fractions fits every table, one in mm is
        taken as it is, and as shares of its own size where nothing is calibrated."""
        if unit is self.unit and (unit is Unit.MM or size == self.size):
            return self
        x, y = size[0] / self.size[0], size[1] / self.size[1]
        zones = tuple(ZoneShape(z.id, tuple((px * x, py * y) for px, py in z.polygon), z.turn) for z in self.zones)
        return Layout(self.name, unit, size, zones, self.loose)

    @property
    def ids(self) -> frozenset[str]:
        """The zones that can be seen."""
        return frozenset(zone.id for zone in self.zones)

    def zone_of(self, point: Point) -> str | None:
        """The zone at a point; of several, the smallest."""
        if self.loose:
            return min(self.zones, key=lambda zone: _between(self._direction(zone.middle), self._direction(point))).id
        holding = [zone for zone in self.zones if zone.holds(point)]
        return min(holding, key=lambda zone: zone.area).id if holding else None

    def _direction(self, point: Point) -> float:
        """Where a point lies from the table's middle, degrees; the table taken as a square."""
        return math.degrees(math.atan2(point[1] / self.size[1] - 0.5, point[0] / self.size[0] - 0.5))

    def place(self, cards: Sequence[SeenCard]) -> dict[str, tuple[SeenCard, ...]]:
        """The cards of every zone (by their centres), from left to right; cards outside all zones are left out."""
        placed: dict[str, list[SeenCard]] = {zone.id: [] for zone in self.zones}
        for card in sorted(cards, key=lambda c: (c.centre, c.track)):
            zone = self.zone_of(card.centre)
            if zone is not None:
                placed[zone].append(card)
        return {zone: tuple(found) for zone, found in placed.items()}


def _between(one: float, other: float) -> float:
    """The angle between two directions, 0 to 180 degrees."""
    return abs((one - other + 180.0) % 360.0 - 180.0)
