"""The zones of a table under a camera: solved for its size, moved by people, named in their language, never raw."""

import pytest

from companion.games import Setup, game, ids, places
from companion.referee import Match, Started
from companion.server.camera.zones import Layouts, ZoneError, box_of, moved, zones_json
from companion.server.show.texts import LANGUAGES, Context, Texts
from companion.server.show.zones import no_room, place_names, reduced, zone_names
from companion.table import Layout, ZoneShape
from companion.table.solve import NoRoomError, solve, typical
from companion.vision.camera.calibration import Calibration
from companion.vision.types import SeenCard, SeenTable, Side, Unit

TEXTS = Texts.load()


def match_of(name, seats):
    return Match.of([Started(name, Setup(tuple(f"P{n}" for n in range(seats)), game(name).recommended_deck(seats)))])


def measured(width, height):
    corners = [(0, 0), (1280, 0), (1280, 720), (0, 720)]
    return Calibration.from_corners(corners, (width, height), (1280, 720))


def test_a_measured_table_has_the_solved_layout_any_other_the_typical_one(tmp_path):
    match, layouts = match_of("trading-poker", 4), Layouts(tmp_path)
    printed = solve(places("trading-poker", match.setup), 4, (1000.0, 700.0)).layout
    assert layouts.find("t", match, measured(1000.0, 700.0)).layout == printed
    assert layouts.find("t", match, None).layout.unit is Unit.FRACTION
    small = layouts.find("t", match, measured(277.0, 190.0))
    assert small.layout.unit is Unit.FRACTION and small.refused is not None


def test_a_marked_table_has_zones_in_its_own_proportions(tmp_path):
    """Four corners without a size: an upright picture has its players' zones where an upright table has them."""
    match, layouts = match_of("trading-poker", 4), Layouts(tmp_path)
    for width, height in ((1280, 720), (720, 1280), (960, 720)):
        whole = layouts.find("t", match, Calibration.whole_picture(width, height)).layout
        size = (width * 1.2, height * 1.2)
        for shape in whole.for_table(Unit.MM, size).zones:
            left, top, right, bottom = box_of(shape)
            assert min(right - left, bottom - top) >= 63 and max(right - left, bottom - top) >= 88
    upright = layouts.find("t", match, Calibration.whole_picture(720, 1280)).layout
    assert upright != layouts.find("t", match, None).layout


def test_moved_zones_are_kept_with_the_table_and_forgotten(tmp_path):
    match, layouts = match_of("three-card-showdown", 2), Layouts(tmp_path)
    solved = layouts.find("t", match, None).layout
    own = moved(solved, {"hand:0": [0.1, 0.6, 0.9, 0.95]})
    layouts.keep("t", own)
    again = Layouts(tmp_path).find("t", match, measured(900.0, 600.0))
    assert again.moved and again.layout == own
    assert box_of(again.layout.for_table(Unit.MM, (900.0, 600.0)).zones[0]) == pytest.approx((90, 360, 810, 570))
    assert not layouts.find("other", match, None).moved
    layouts.forget("t")
    assert layouts.find("t", match, None).layout == solved


@pytest.mark.parametrize(
    ("boxes", "code", "zones"),
    [
        ({"hand:7": [0, 0, 1, 1]}, "zone-unknown", ("hand:7",)),
        ({"hand:0": [0.5, 0.5, 1.2, 0.9]}, "zone-outside", ("hand:0",)),
        ({"hand:0": [0.5, 0.9, 0.5, 0.95]}, "zone-small", ("hand:0",)),
        ({"hand:0": [0.0, 0.0, 1.0, 1.0]}, "zones-overlap", ("hand:0", "hand:1")),
    ],
)
def test_zones_that_cannot_be_are_refused_by_name(boxes, code, zones):
    with pytest.raises(ZoneError) as error:
        moved(typical(places("three-card-showdown", Setup(("A", "B"))), 2).layout, boxes)
    assert (error.value.code, error.value.zones) == (code, zones)


def test_zones_of_other_forms_stay():
    triangle = ZoneShape("hand:0", ((0.0, 1.0), (1.0, 1.0), (0.5, 0.5)))
    with pytest.raises(ZoneError, match="zones-fixed"):
        moved(Layout("x", Unit.FRACTION, (1.0, 1.0), (triangle,)), {})


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ids())
def test_no_zone_is_called_by_its_id(name, lang):
    for seats in range(game(name).least_players, min(8, game(name).most_players) + 1):
        match = match_of(name, seats)
        context = Context(match.setup.players, match.deck, name, zone_names(match))
        zones = {z.id for z in match.expected_table()}
        zones |= set(solve(places(name, match.setup), seats, (1600.0, 1000.0)).layout.ids)
        if name == "joker-quest":  # shown cards lie there in a solo game read as a fortune only
            zones = {zone for zone in zones if not zone.startswith("shown:")}
        for zone in zones:
            said = TEXTS.zone(zone, lang, context)
            assert said and ":" not in said and "{" not in said and not said.startswith(("zone.", "place."))
            assert said.lower() != zone or lang == "en"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_one_sentence_says_what_has_no_room_and_what_would_do(lang):
    declared = places("three-card-trick-poker", Setup(tuple("ABCDEFGH")))
    said = reduced(solve(declared, 8, (800.0, 600.0)), (800.0, 600.0), TEXTS, lang)
    assert "80 × 60 cm" in said and "100 × 70 cm" in said and "{" not in said
    assert place_names([declared[1]], TEXTS, lang) in said
    with pytest.raises(NoRoomError) as error:
        solve(places("pokard-trick", Setup(tuple("ABCDEFG"))), 7, (600.0, 450.0))
    assert "120 × 80 cm" in no_room(error.value, TEXTS, lang)


def test_what_is_read_stands_with_its_zone(tmp_path):
    match = match_of("three-card-showdown", 2)
    laid = Layouts(tmp_path).find("t", match, measured(1000.0, 700.0))
    left, top, right, bottom = box_of(next(z for z in laid.layout.zones if z.id == "hand:0"))

    def card(track, face, x, y, side=Side.UP):
        return SeenCard(
            track, face, 0.9, side, ((x - 30, y - 44), (x + 30, y - 44), (x + 30, y + 44), (x - 30, y + 44))
        )

    middle = ((left + right) / 2, (top + bottom) / 2)
    cards = (
        card(1, "AS", *middle),
        card(2, None, left + 40, middle[1]),
        card(3, None, right - 40, middle[1], Side.DOWN),
    )
    outside = card(4, "KH", 2.0, 2.0)
    seen = SeenTable(0.0, True, Unit.MM, (*cards, outside), size=(1000.0, 700.0))
    found = zones_json(laid, measured(1000.0, 700.0), seen, match, TEXTS, "en")
    told = {zone["label"]: zone["reads"] for zone in found["zones"]}
    assert told["Hand of P0"] == "? A♠, 1 card face down"
    assert told["Hand of P1"] == ""
    assert [c["zone"] for c in found["cards"]] == ["hand:0"] * 3 + [None]
    assert found["size"] == [1000.0, 700.0] and not found["fixed"]
