"""Filmed games: what lies after every action is what the game expects; hands, cards and times hang together."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from companion.games import Setup, Zone
from companion.table.forms import POKER
from companion.training.films.changes import Trace, in_order, trace, ways
from companion.training.films.director import Script, direct, played
from companion.training.films.places import Seat, most_cards, place
from companion.training.films.spec import DEVELOPMENT, GAMES, REPORTED, Accidents, Film, FilmError, Ranges
from companion.training.films.tabletop import Pose, Tabletop


@cache
def scripts() -> list[tuple[Film, Script]]:
    """A whole game of each kind."""
    films = [Film(game, 4) for game in GAMES]
    return [(film, direct(film)) for film in films]


def test_after_every_action_the_expected_cards_lie_in_the_expected_zones() -> None:
    for film, script in scripts():
        rules, _, steps = played(film)
        assert [one.action for one in script.happened] == [step.action for step in steps]
        for step, one in zip(steps, script.happened, strict=True):
            for zone in rules.expected_table(step.after):
                lying = [card.face for card in one.lying if card.zone == zone.id]
                assert Counter(lying) == Counter({**Counter(zone.cards), None: zone.down} if zone.down else zone.cards)
                if zone.pile and zone.cards and not zone.down:
                    assert lying[-1] == zone.cards[-1], (film.game, step.action)
            for card in one.lying:
                x0, y0, x1, y1 = script.places.box(card.zone)
                assert x0 < card.pose.x < x1 and y0 < card.pose.y < y1, (film.game, card)


def test_zones_hold_whole_cards_and_do_not_overlap() -> None:
    for film, script in scripts():
        boxes = [script.places.box(shape.id) for shape in script.places.layout.zones]
        for n, (x0, y0, x1, y1) in enumerate(boxes):
            assert min(x1 - x0, y1 - y0) >= POKER[0] and max(x1 - x0, y1 - y0) >= POKER[1]
            assert x0 >= 0 and y0 >= 0 and x1 <= script.places.layout.size[0] and y1 <= script.places.layout.size[1]
            for a0, b0, a1, b1 in boxes[:n]:
                assert x1 <= a0 + 0.2 or a1 <= x0 + 0.2 or y1 <= b0 + 0.2 or b1 <= y0 + 0.2, film.game


def test_a_hand_is_in_one_place_at_a_time_and_cards_are_laid_before_they_are_taken() -> None:
    for _, script in scripts():
        ends: dict[int, float] = {}
        laid: dict[int, float] = {}
        for one in script.gestures:
            assert one.start <= one.there <= one.release <= one.end <= script.length
            assert one.grab <= one.release
            assert one.start >= ends.get(one.seat, 0.0)
            ends[one.seat] = one.end
            assert all(one.grab >= laid.get(card.number, 0.0) for card in one.taken)
            laid |= {card.number: one.release for card in one.laid}
        times = [one.time for one in script.happened]
        assert times == sorted(times)


def test_a_seed_is_a_script() -> None:
    one, same, other = (direct(Film("joker-quest", seed)) for seed in (5, 5, 6))
    assert one.happened == same.happened and one.gestures == same.gestures
    assert one.happened != other.happened


def test_a_film_may_begin_in_the_middle_of_a_game() -> None:
    whole, later = direct(Film("aces-king", 6, actions=12)), direct(Film("aces-king", 6, first=5, actions=7))
    assert [one.action for one in later.happened] == [one.action for one in whole.happened[5:]]
    assert later.skipped == tuple(one.action for one in whole.happened[:5])
    lying = Counter((card.zone, card.face) for card in whole.happened[4].lying)
    assert Counter((card.zone, card.face) for card in later.begins) == lying


def test_people_look_before_the_table_is_cleared() -> None:
    """However hasty they are, between the last hand and the gathering of all there is time to see it."""
    script = direct(Film("three-card-showdown", 10_001, haste=1.0, actions=25))
    gathered = [(one, before) for before, one in pairwise(script.happened) if one.action.seat is None]
    assert len(gathered) >= 4
    for one, before in gathered:
        out = max(gesture.end for gesture in script.gestures if gesture.start <= before.time)
        assert one.start - out > 1.5


def test_accidents_happen_as_often_as_asked() -> None:
    film = Film("trading-poker", 2, actions=60, accidents=Accidents((60.0, 200.0), bumps=2, twins=0.2, excursions=0.2))
    script = direct(film)
    assert len(script.pushes) == 2 and len(script.slips) == 2
    calm = direct(Film("trading-poker", 2, actions=60))
    assert len(script.gestures) > len(calm.gestures)  # cards that left and came back
    last = {(card.zone, round(card.pose.x), round(card.pose.y)) for card in script.happened[-1].lying}
    assert len(last) < len(script.happened[-1].lying)


def test_ways_of_cards_between_two_tables() -> None:
    before = (Zone("stock", down=10, pile=True), Zone("row", ("AS", "KH")), Zone("old", ("2C", "3C")))
    after = (Zone("stock", down=8, pile=True), Zone("row", ("KH", "7D")), Zone("kept:1", ("AS",)), Zone("new", down=2))
    found = {(way.source, way.target): (way.taken, way.faces) for way in ways(before, after)}
    assert found == {
        ("row", "kept:1"): (("AS",), ("AS",)),
        ("stock", "row"): ((None,), ("7D",)),
        ("old", "new"): (("2C", "3C"), (None, None)),
        ("stock", None): ((None,), (None,)),
    }


@pytest.mark.parametrize(
    ("before", "after", "cards", "seen"),
    [
        (Zone("stock", down=9, pile=True), Zone("stock", down=8, pile=True), (), Trace.HAND),
        (Zone("stock", down=1, pile=True), Zone("stock", pile=True), (), Trace.CARDS),
        (Zone("row", ("AS",)), Zone("row", ("AS", "2S")), (), Trace.CARDS),
        (Zone("row", ("AS",)), Zone("row", ("AS",)), (), Trace.NONE),
        (Zone("old", ("AS",), pile=True), Zone("old", ("AS", "2S"), pile=True), (), Trace.CARDS),
        (Zone("old", ("AS",), pile=True), Zone("old", ("AS", "3S", "2S"), pile=True), (), Trace.PART),
        (Zone("old", pile=True), Zone("old", down=1, pile=True), ("?",), Trace.CARDS),
        (Zone("old", pile=True), Zone("old", down=2, pile=True), ("?", "?"), Trace.PART),
        (Zone("joker"), Zone("joker", ("JK1",)), ("?", "?", "JK1"), Trace.PART),
        (Zone("folded", pile=True), Zone("folded", down=5, pile=True), (), Trace.CARDS),
        (Zone("old", down=1, pile=True), Zone("old", down=3, pile=True), ("?", "?"), Trace.HAND),
    ],
)
def test_what_can_be_seen_of_an_action(before: Zone, after: Zone, cards: tuple[str, ...], seen: Trace) -> None:
    assert trace([before], [after], cards) is seen


def test_so_many_cards_lie_in_a_zone_at_most() -> None:
    tables = [[Zone("stock", down=50, pile=True), Zone("row", ("AS",) * 5)], [Zone("row", ("AS",), down=1)]]
    assert most_cards(tables) == {"stock": 50, "row": 5}


def test_a_seat_knows_its_right_and_its_way_out() -> None:
    left = Seat(0.0, 300.0, 90.0)
    assert [round(v) for v in left.at(50, 20)] == [-20, 350] and round(left.aside((100.0, 330.0))) == 30


def test_who_fills_a_gap_of_a_row_does_not_lay_the_card_where_it_cannot_be_seen() -> None:
    """Mostly it goes under the next one of the row; not where the one before lies on that already."""
    places = place("three-card-trick-poker", Setup(("A", "B")), {"exposed:0": 3})
    for first_on_top, under in ((False, True), (True, False)):
        pushed = 0
        for seed in range(20):
            table = Tabletop(places, Ranges(), np.random.default_rng(seed))
            for face in ("AS", "2S", "3S"):
                table.put(table.arrival("exposed:0", face))
            first, second, third = table.of("exposed:0")
            table.take("exposed:0", [second.face])
            if first_on_top:
                table.put(replace(first, level=third.level + 0.5))
            pushed += table.arrival("exposed:0", "4S").level < third.level
        assert (pushed > 10) is under and (pushed == 0) is not under


def test_a_pose_turns_clockwise_about_its_middle() -> None:
    corners = Pose(100, 50, 90).corners((60, 80))
    assert [tuple(round(float(v)) for v in corner) for corner in corners] == [(140, 20), (140, 80), (60, 80), (60, 20)]


def test_seeds_are_for_development_or_for_figures() -> None:
    assert Film("aces-king", DEVELOPMENT[5]).split == "development"
    assert Film("aces-king", REPORTED[5]).split == "reported"
    with pytest.raises(FilmError, match="for no film"):
        _ = Film("aces-king", 30_000).split


@pytest.mark.parametrize("wrong", [{"game": "whist"}, {"game": "aces-king", "fps": 0}])
def test_a_film_that_cannot_be_is_one_sentence(wrong: dict) -> None:
    with pytest.raises(FilmError, match=r"\.$"):
        Film(**{"seed": 1, **wrong})


def test_too_many_players_are_refused() -> None:
    with pytest.raises(FilmError, match="is for"):
        direct(Film("hexa-card", 1, players=40))


SHEPHERDS = tuple(f"shepherd.{suit}" for suit in ("fed", "lib", "free", "temple", "nomad"))


def test_cards_that_are_dealt_are_the_first_seats_hand_and_five_shepherds_are_kept() -> None:
    """Five shepherds turn the order over (68): once in eight million deals."""
    _, _, steps = played(Film("sixty-five-card-poker", 3, players=3, dealt=SHEPHERDS))
    own = [step.action for step in steps if step.action.seat == 0]
    assert [action.cards for action in own if action.kind == "exchange"] == [()]
    (opened,) = (action for action in own if action.kind == "open")
    assert set(opened.cards) == set(SHEPHERDS) and opened.arg("hand") == "shepherd_five"


def test_what_the_deck_has_not_cannot_be_dealt() -> None:
    with pytest.raises(FilmError, match=r"shepherd\.fed"):
        played(Film("sixty-five-card-poker", 3, dealt=("shepherd.fed", "shepherd.fed")))


def test_a_card_is_put_aside_before_the_one_that_is_turned_up_instead() -> None:
    before = [Zone("common", ("8C",)), Zone("stock", (), 9, pile=True)]
    after = [Zone("common", ("8C", "5C", "9C")), Zone("joker", ("JK1",), pile=True), Zone("stock", (), 6, pile=True)]
    found = in_order(ways(before, after), ("5C", "JK1", "9C"))
    assert [way.target for way in found] == ["joker", "common"]
    assert [way.target for way in in_order(ways(before, after), ("JK1", "5C", "9C"))] == ["joker", "common"]
    assert [way.target for way in in_order(ways(before, after), ("5C", "9C", "JK1"))] == ["common", "joker"]


def test_a_card_out_of_a_hand_is_none_of_the_stack_that_grows_smaller_as_well() -> None:
    before, after = [Zone("stock", (), 9, pile=True)], [Zone("penalty:1", ("4C",)), Zone("stock", (), 8, pile=True)]
    assert [(way.source, way.target) for way in ways(before, after)] == [("stock", "penalty:1")]
    assert [(way.source, way.target) for way in ways(before, after, ("4C",))] == [
        (None, "penalty:1"),
        ("stock", None),
    ]


def test_whoever_shows_a_joker_lays_him_down_before_he_draws_another_card() -> None:
    script = direct(Film("joker-quest", 2, actions=3))
    done = next(done for done in script.happened if done.action.kind == "joker")
    laid, drawn = [one for one in script.gestures if done.start <= one.start and one.release <= done.time + 1e-6]
    assert not laid.taken and [card.face for card in laid.laid] == ["JK1"]
    assert not drawn.laid and [card.zone for card in drawn.taken] == ["stock"]


def test_a_card_that_the_game_clears_away_at_once_lies_open_first() -> None:
    """The last one to turn his card up in Three Card Trick Poker ends the game: everybody looks at it first."""
    found = 0
    for film in (Film("three-card-trick-poker", seed, actions=100) for seed in range(2)):
        script, (rules, _, steps) = direct(film), played(film)
        for step, one in zip(steps, script.happened, strict=True):
            lie = [zone.id for zone in rules.expected_table(step.after) if zone.cards and "play" in zone.id]
            if step.action.kind != "reveal" or lie:
                continue
            found += 1
            laid = [g for g in script.gestures if g.release == one.time]
            assert [card.face for g in laid for card in g.laid] == list(step.action.cards)
            swept = min(g.start for g in script.gestures if g.taken and g.start > one.time)
            assert swept > one.time + 1.0
    assert found
