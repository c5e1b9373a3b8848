"""Layouts: seats round the table, zones that do not overlap, TOML there and back."""

from __future__ import annotations

import pytest

from companion import resources
from companion.table import Layout, LayoutError, ZoneShape
from companion.vision.camera.calibration import CameraProfile
from companion.vision.types import SeenCard, Side, Unit


def card(track: int, x: float, y: float) -> SeenCard:
    quad = ((x - 0.02, y - 0.03), (x + 0.02, y - 0.03), (x + 0.02, y + 0.03), (x - 0.02, y + 0.03))
    return SeenCard(track, "AS", 1.0, Side.UP, quad)


@pytest.mark.parametrize(
    ("seats", "points"),
    [
        (2, {0: (0.5, 0.9), 1: (0.5, 0.1)}),
        (3, {0: (0.5, 0.9), 1: (0.1, 0.2), 2: (0.9, 0.2)}),
        (4, {0: (0.5, 0.9), 1: (0.1, 0.5), 2: (0.5, 0.1), 3: (0.9, 0.5)}),
        (6, {0: (0.5, 0.9), 1: (0.05, 0.75), 2: (0.05, 0.25), 3: (0.5, 0.1), 4: (0.95, 0.25), 5: (0.95, 0.75)}),
        (8, {0: (0.5, 0.9), 2: (0.1, 0.5), 4: (0.5, 0.1), 6: (0.9, 0.5)}),
    ],
)
def test_seats_follow_clockwise_from_the_lower_edge(seats: int, points: dict[int, tuple[float, float]]) -> None:
    layout = Layout.for_seats(seats)
    assert {seat: layout.zone_of(point) for seat, point in points.items()} == {s: f"hand:{s}" for s in points}
    assert layout.zone_of((0.5, 0.5)) == "common"


@pytest.mark.parametrize("seats", range(1, 9))
@pytest.mark.parametrize("zones", [("hand:",), ("keep:", "exposed:", "common", "stock", "discard")])
def test_zones_cover_the_table_once(seats: int, zones: tuple[str, ...]) -> None:
    layout = Layout.for_seats(seats, zones)
    grid = [((x + 0.37) / 40, (y + 0.41) / 40) for x in range(40) for y in range(40)]
    holding = [sum(zone.holds(point) for zone in layout.zones) for point in grid]
    assert max(holding) == 1 or seats == 1
    assert holding.count(0) <= 2
    assert sum(z.area for z in layout.zones) == pytest.approx(1.0, abs=1e-3) or seats == 1


def test_own_zones_lie_from_the_edge_inwards() -> None:
    layout = Layout.for_seats(4, ("keep:", "exposed:", "common"))
    assert [layout.zone_of((0.5, y)) for y in (0.95, 0.72, 0.5)] == ["keep:0", "exposed:0", "common"]


def test_zones_of_a_game_serve_as_names() -> None:
    names = ("hand:0", "hand:1", "hand:2", "stock", "discard")
    layout = Layout.for_seats(3, names)
    assert layout.ids == frozenset(names)


def test_size_and_unit() -> None:
    layout = Layout.for_seats(4, size=(900, 600), unit=Unit.MM)
    assert layout.unit is Unit.MM
    assert layout.zone_of((450, 590)) == "hand:0" and layout.zone_of((0.5, 0.9)) != "hand:0"


def test_a_layout_serves_tables_in_other_units() -> None:
    fractions = Layout.for_seats(4)
    metric = fractions.for_table(Unit.MM, (900, 600))
    assert (metric.unit, metric.size, metric.zone_of((450, 590))) == (Unit.MM, (900, 600), "hand:0")
    assert metric.for_table(Unit.MM, (1200, 800)) is metric
    assert metric.for_table(Unit.FRACTION, (1.0, 1.0)).zone_of((0.5, 0.95)) == "hand:0"
    assert fractions.for_table(Unit.FRACTION, (1.0, 1.0)) is fractions


def test_cards_are_placed_by_their_centres_from_left_to_right() -> None:
    placed = Layout.for_seats(2, ("hand:",)).place([card(1, 0.8, 0.8), card(2, 0.2, 0.9), card(3, 0.5, 0.2)])
    assert {zone: [c.track for c in cards] for zone, cards in placed.items()} == {"hand:0": [2, 1], "hand:1": [3]}


def test_the_smallest_of_nested_zones_wins_and_outside_is_nowhere() -> None:
    big = ZoneShape("big", ((0, 0), (1, 0), (1, 1), (0, 1)))
    small = ZoneShape("small", ((0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6)))
    layout = Layout("x", Unit.FRACTION, (1.0, 1.0), (big, small))
    assert [layout.zone_of(p) for p in ((0.5, 0.5), (0.1, 0.1), (1.5, 0.5))] == ["small", "big", None]


@pytest.mark.parametrize("seats", [2, 5])
def test_toml_round_trip(seats: int) -> None:
    layout = Layout.for_seats(seats, ("hand:", "pot", "stock"), (900, 600), Unit.MM)
    assert Layout.from_toml(layout.to_toml()) == layout


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("name = ", "TOML"),
        ('name = "a"', "lacks"),
        ('name = "a"\nunit = "mm"\nsize = [1]\n[zones]\n', "does not fit"),
        ('name = "a"\nunit = "inch"\nsize = [1, 1]\n[zones]\na = [[0,0],[1,0],[1,1]]', "does not fit"),
        ('name = "a"\nunit = "mm"\nsize = [1, 1]\n[zones]\n', "no zones"),
        ('name = "a"\nunit = "mm"\nsize = [1, 1]\nzones = 3', "does not fit"),
        ('name = "a"\nunit = "mm"\nsize = [1, 1]\n[zones]\na = [[0,0],[1,1]]', "no area"),
        ('name = "a"\nunit = "mm"\nsize = [1, 1]\n[zones]\na = [[0,0],[1],[1,1]]', "does not fit"),
    ],
)
def test_a_broken_layout_is_one_sentence(text: str, word: str) -> None:
    with pytest.raises(LayoutError, match=word):
        Layout.from_toml(text)


def test_a_table_without_seats_is_refused() -> None:
    with pytest.raises(LayoutError):
        Layout.for_seats(0)


def test_shipped_layouts_are_what_the_program_builds() -> None:
    shipped = sorted((resources.calibration() / "layouts").glob("*.toml"))
    assert [path.stem for path in shipped] == [f"showdown-{n}" for n in range(2, 9)]
    for path in shipped:
        seats = int(path.stem.rpartition("-")[2])
        assert Layout.from_toml(path.read_text(encoding="utf-8")).zones == Layout.for_seats(seats, ("hand:",)).zones


def test_the_examples_in_the_readme_can_be_read() -> None:
    text = (resources.calibration() / "README.md").read_text(encoding="utf-8")
    profile, layout = (part.partition("```")[0] for part in text.split("```toml\n")[1:])
    assert CameraProfile.from_toml(profile).calibration.size == (400.0, 277.0)
    assert Layout.from_toml(layout).zone_of((0.5, 0.5)) == "common"
    assert [shape.turn for shape in Layout.from_toml(layout).zones] == [0, 180, 0]
