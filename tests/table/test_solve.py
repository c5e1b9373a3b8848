"""Layouts solved for real cards: zones apart, at their player's edge, upright for him; what does not fit is said."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from companion.games import Form, Setup, game, ids, places
from companion.table import Layout, LayoutError
from companion.table.forms import BRIDGE, CARDS, INDEX, POKER, lay
from companion.table.layout import ZoneShape
from companion.table.pack import EDGE, apart
from companion.table.seating import places_at, seatings
from companion.table.solve import MARGIN, QUIET, TABLES, TAG, NoRoomError, Plan, solve, typical
from companion.vision.types import Unit

PEOPLE = [(name, n) for name in ids() for n in range(game(name).least_players, min(8, game(name).most_players) + 1)]


def declared(name: str, seats: int):
    return places(name, Setup(tuple(f"P{n}" for n in range(seats))))


def box(shape: ZoneShape) -> tuple[float, float, float, float]:
    xs, ys = zip(*shape.polygon, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def plans(name: str, seats: int):
    for card in CARDS.values():
        for table in TABLES:
            try:
                yield solve(declared(name, seats), seats, table, card)
            except NoRoomError as error:
                assert error.needs is None or error.needs > table
                assert "cm" in str(error) and str(error).count(".") == 1


def test_every_game_fits_a_large_table_whole_and_most_fit_a_small_one() -> None:
    small = 0
    for name, seats in PEOPLE:
        assert not solve(declared(name, seats), seats, (1600.0, 1000.0)).dropped
        try:
            small += not solve(declared(name, seats), seats, (600.0, 450.0)).dropped
        except NoRoomError as error:
            assert error.needs is not None
    assert small >= 20


@pytest.mark.parametrize(("name", "seats"), PEOPLE)
def test_zones_are_apart_on_the_table_and_off_the_tags(name: str, seats: int) -> None:
    for plan in plans(name, seats):
        (width, height), found = plan.layout.size, [box(shape) for shape in plan.layout.zones]
        assert all(apart(a, b, MARGIN) for a, b in combinations(found, 2))
        assert all(min(left, top, width - right, height - low) >= EDGE - 0.1 for left, top, right, low in found)
        bar = TAG + QUIET
        for left, top, right, low in found:
            assert not ((left < bar or right > width - bar) and (top < bar or low > height - bar))


@pytest.mark.parametrize(("name", "seats"), PEOPLE)
def test_a_players_zones_lie_nearest_to_his_own_edge(name: str, seats: int) -> None:
    """The middle of all his zones lies on his side of the table; his first zone touches the edge's rim."""
    for plan in plans(name, seats):
        width, height = plan.layout.size
        for seat in range(seats):
            own = [shape for shape in plan.layout.zones if shape.id.endswith(f":{seat}")]
            if not own:
                continue
            (turn,) = {shape.turn for shape in own}
            near = {
                0: min(height - box(shape)[3] for shape in own),
                90: min(box(shape)[0] for shape in own),
                180: min(box(shape)[1] for shape in own),
                270: min(width - box(shape)[2] for shape in own),
            }[turn]
            assert near <= EDGE + MARGIN


@pytest.mark.parametrize("name", ids())
def test_places_are_declared_once_and_hold_their_usual_cards(name: str) -> None:
    for seats in range(game(name).least_players, game(name).most_players + 1):
        found = declared(name, seats)
        assert len({place.kind for place in found}) == len(found)
        assert all(0 <= place.usual <= place.most for place in found)
        assert all(place.name(0).params == ((("player", 0),) if place.own else ()) for place in found)


@pytest.mark.parametrize(
    ("seats", "size", "sides"),
    [
        (2, (1000.0, 700.0), (1, 0, 1, 0)),
        (2, (1600.0, 1000.0), (1, 0, 1, 0)),
        (4, (1000.0, 700.0), (1, 1, 1, 1)),
        (4, (1600.0, 1000.0), (2, 0, 2, 0)),
        (5, (1600.0, 1000.0), (2, 1, 2, 0)),
        (6, (1600.0, 1000.0), (2, 1, 2, 1)),
        (4, (700.0, 1200.0), (1, 1, 1, 1)),
    ],
)
def test_people_sit_along_the_long_sides_first(seats: int, size, sides) -> None:
    assert seatings(seats, size)[0] == sides


def test_seats_run_clockwise_from_the_lower_edge() -> None:
    assert places_at((1, 1, 1, 1)) == ((0,), (1,), (2,), (3,))
    assert places_at((2, 1, 2, 1)) == ((0, 1), (2,), (3, 4), (5,))
    assert places_at((3, 0, 3, 0)) == ((5, 0, 1), (), (2, 3, 4), ())
    plan = solve(declared("three-card-showdown", 6), 6, (1600.0, 1000.0))
    middles = {z.id: (sum(p[0] for p in z.polygon) / 4, sum(p[1] for p in z.polygon) / 4) for z in plan.layout.zones}
    assert middles["hand:0"][0] > middles["hand:1"][0] and middles["hand:3"][0] < middles["hand:4"][0]
    assert middles["hand:2"][0] < 800 < middles["hand:5"][0]


def fits(plan: Plan) -> None:
    for shape in plan.layout.zones:
        place, (left, top, right, low) = plan.place(shape.id), box(shape)
        size = (right - left, low - top) if shape.turn % 180 == 0 else (low - top, right - left)
        assert lay(place.form, place.most, size, plan.card) is not None, (shape.id, size)


@pytest.mark.parametrize(("name", "seats"), PEOPLE)
def test_every_zone_holds_what_it_is_declared_for(name: str, seats: int) -> None:
    for plan in plans(name, seats):
        fits(plan)


def test_too_small_a_table_names_what_goes_and_what_would_do() -> None:
    plan = solve(declared("three-card-trick-poker", 8), 8, (800.0, 600.0))
    assert plan.dropped and plan.needs == (1000.0, 700.0)
    assert all(place.spare for place in plan.dropped)
    kept = {zone.partition(":")[0] for zone in plan.layout.ids}
    assert kept == {"exposed", "play", "pot", "captured"}
    with pytest.raises(
        NoRoomError, match=r"^The zones aside, captured, trick do not fit on 60 × 45 cm; .* would do\.$"
    ):
        solve(declared("pokard-trick", 7), 7, (600.0, 450.0))


@pytest.mark.parametrize("table", [(0.0, 700.0), (200.0, 700.0), (1000.0, 9000.0)])
def test_a_table_that_cannot_be_is_refused_in_one_sentence(table) -> None:
    with pytest.raises(LayoutError, match="cannot be laid out"):
        solve(declared("aces-king", 3), 3, table)


def test_a_table_without_seats_or_zones_is_refused() -> None:
    with pytest.raises(LayoutError, match="at least one seat"):
        solve(declared("aces-king", 3), 0, (1000.0, 700.0))
    with pytest.raises(LayoutError, match="which zones"):
        solve((), 2, (1000.0, 700.0))


@pytest.mark.parametrize(("name", "seats"), PEOPLE)
def test_the_layout_of_an_unmeasured_table_holds_real_cards(name: str, seats: int) -> None:
    """In shares of the picture; on a picture that shows 160 cm of table, lying or upright, real cards fit."""
    for form, size in ((16 / 9, (1600.0, 900.0)), (4 / 3, (1600.0, 1200.0)), (0.75, (1200.0, 1600.0))):
        plan = typical(declared(name, seats), seats, form)
        assert (plan.layout.unit, plan.layout.size) == (Unit.FRACTION, (1.0, 1.0))
        assert not plan.dropped
        fits(Plan(plan.layout.for_table(Unit.MM, size), plan.places, POKER, plan.comfort))


@pytest.mark.parametrize("card", [POKER, BRIDGE])
@pytest.mark.parametrize("count", [1, 2, 3, 5, 9, 20, 40])
def test_cards_lie_as_widely_as_the_zone_allows(card, count: int) -> None:
    wide = lay(Form.ROW, count, (5000.0, 100.0), card)
    assert wide is not None and len({y for _, y in wide}) == 1
    steps = {round(b[0] - a[0], 6) for a, b in pairwise(wide)}
    assert steps <= {card[0] + 5.0}
    tight = lay(Form.FAN, count, (card[0] + 4.0 + 4 * INDEX[0], card[1] + 4.0 + 7 * INDEX[1]), card)
    assert tight is not None and len(set(tight)) == count


def test_no_more_cards_than_indices_in_sight() -> None:
    zone = (POKER[0] + 4.0 + 4 * INDEX[0], POKER[1] + 4.0)
    assert lay(Form.FAN, 5, zone, POKER) is not None
    assert lay(Form.FAN, 6, zone, POKER) is None
    assert lay(Form.PILE, 50, zone, POKER) == ((0.0, 0.0),) * 50
    assert lay(Form.PILE, 1, (60.0, 80.0), POKER) is None


def test_a_solved_layout_survives_the_text_and_other_units() -> None:
    layout = solve(declared("joker-quest", 4), 4, (1000.0, 700.0)).layout
    assert Layout.from_toml(layout.to_toml()) == layout
    shares = layout.for_table(Unit.FRACTION, (1.0, 1.0))
    assert {shape.turn for shape in shares.zones} == {0, 90, 180, 270}
    assert {shape.id: shape.turn for shape in shares.zones} == {shape.id: shape.turn for shape in layout.zones}


def test_only_what_the_camera_looks_at_takes_room_where_nobody_measured() -> None:
    """Nobody sees that layout on the table: it keeps no place free, and its zones fill the picture."""
    for name in ("trading-poker", "aces-king"):
        zones = typical(declared(name, 4), 4).layout.zones
        assert not {"box", "score"} & {shape.id for shape in zones}
        assert sum(shape.area for shape in zones) > 0.7
