"""Layouts: which zone a card lies in, other units, TOML there and back."""

from __future__ import annotations

import pytest

from companion import resources
from companion.games import Setup, places
from companion.table import Layout, LayoutError, ZoneShape
from companion.table.solve import typical
from companion.vision.camera.calibration import CameraProfile
from companion.vision.types import SeenCard, Side, Unit


def card(track: int, x: float, y: float) -> SeenCard:
    quad = ((x - 0.02, y - 0.03), (x + 0.02, y - 0.03), (x + 0.02, y + 0.03), (x - 0.02, y + 0.03))
    return SeenCard(track, "AS", 1.0, Side.UP, quad)


def hands(seats: int) -> Layout:
    """The zones of a showdown."""
    return typical(places("three-card-showdown", Setup(tuple(f"P{n}" for n in range(seats)))), seats).layout


def test_a_layout_serves_tables_in_other_units() -> None:
    fractions = hands(4)
    metric = fractions.for_table(Unit.MM, (900, 600))
    assert (metric.unit, metric.size, metric.zone_of((450, 560))) == (Unit.MM, (900, 600), "hand:0")
    assert metric.for_table(Unit.MM, (1200, 800)) is metric
    assert metric.for_table(Unit.FRACTION, (1.0, 1.0)).zone_of((0.5, 0.95)) == "hand:0"
    assert fractions.for_table(Unit.FRACTION, (1.0, 1.0)) is fractions


def test_where_nobody_marked_anything_a_hand_is_whose_side_it_lies_on() -> None:
    """A row at the side reaches over the next zone's outline; a table that was measured goes by outlines."""
    loose = hands(4)
    assert [loose.zone_of(at) for at in ((0.1, 0.42), (0.19, 0.49), (0.27, 0.57))] == ["hand:1"] * 3
    assert [loose.zone_of(at) for at in ((0.9, 0.41), (0.81, 0.49), (0.73, 0.58))] == ["hand:3"] * 3
    assert [loose.zone_of(at) for at in ((0.39, 0.86), (0.61, 0.85), (0.5, 0.15))] == ["hand:0", "hand:0", "hand:2"]
    measured = Layout("measured", loose.unit, loose.size, loose.zones)
    assert measured.zone_of((0.27, 0.57)) == "hand:0"
    shared = typical(places("aces-king", Setup(("A", "B", "C", "D"))), 4).layout
    assert not shared.loose


def test_cards_are_placed_by_their_centres_from_left_to_right() -> None:
    placed = hands(2).place([card(1, 0.8, 0.8), card(2, 0.2, 0.9), card(3, 0.5, 0.2)])
    assert {zone: [c.track for c in cards] for zone, cards in placed.items()} == {"hand:0": [2, 1], "hand:1": [3]}


def test_the_smallest_of_nested_zones_wins_and_outside_is_nowhere() -> None:
    big = ZoneShape("big", ((0, 0), (1, 0), (1, 1), (0, 1)))
    small = ZoneShape("small", ((0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6)))
    layout = Layout("x", Unit.FRACTION, (1.0, 1.0), (big, small))
    assert [layout.zone_of(p) for p in ((0.5, 0.5), (0.1, 0.1), (1.5, 0.5))] == ["small", "big", None]


@pytest.mark.parametrize("seats", [2, 5])
def test_toml_round_trip(seats: int) -> None:
    layout = hands(seats).for_table(Unit.MM, (900, 600))
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


def test_the_examples_in_the_readme_can_be_read() -> None:
    text = (resources.calibration() / "README.md").read_text(encoding="utf-8")
    profile, layout = (part.partition("```")[0] for part in text.split("```toml\n")[1:])
    assert CameraProfile.from_toml(profile).calibration.size == (400.0, 277.0)
    assert Layout.from_toml(layout).zone_of((0.5, 0.5)) == "common"
    assert [shape.turn for shape in Layout.from_toml(layout).zones] == [0, 180, 0]


def test_a_number_beyond_all_numbers_is_refused_in_a_sentence():
    with pytest.raises(LayoutError, match="does not fit"):
        Layout.from_toml(f'name = "x"\nunit = "mm"\nsize = [{"1" * 400}, 9]\n[zones]\n')
