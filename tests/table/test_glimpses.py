"""What is seen of a hand just before its tip is lost tells nothing for certain: it may have reached farther."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games import Action
from companion.referee import Acted
from companion.table import Observer
from companion.table.touches import touches
from companion.table.visits import AT_STACK, Hands
from companion.vision.types import Stop, Visit
from tests.table.test_reaches import Seated
from tests.table.test_visits import SQUARES, seen

LOST = ((900.0, 250.0), 1.0, 1.0), ((600.0, 250.0), 1.08, 1.08), ((1050.0, 250.0), 1.16, 1.8)
"""A sleeve as dark as the cloth: over the stock the tip is seen, then the cuff at the table's edge is taken for it."""


def test_where_a_tip_is_lost_the_hand_was_only_glimpsed() -> None:
    (touch,) = touches(SQUARES, seen(*LOST))
    assert (touch.zone, touch.glimpse) == ("stock", True)
    slow = ((900.0, 250.0), 1.0, 1.0), ((600.0, 250.0), 1.25, 1.3), ((1050.0, 250.0), 1.6, 1.8)
    assert [(touch.zone, touch.glimpse) for touch in touches(SQUARES, seen(*slow))] == [("stock", False)]
    stays = LOST[0], ((600.0, 250.0), 1.08, 1.3), LOST[2]
    assert [(touch.zone, touch.glimpse) for touch in touches(SQUARES, seen(*stays))] == [("stock", False)]


def test_who_is_glimpsed_in_one_place_again_and_again_is_there() -> None:
    again = LOST[0], ((600.0, 250.0), 1.08, 1.08), ((1050.0, 250.0), 1.16, 1.2), ((600.0, 250.0), 1.28, 1.33), LOST[2]
    assert [(touch.zone, touch.glimpse) for touch in touches(SQUARES, seen(*again))] == [("stock", False)]


def test_a_glimpse_speaks_against_nothing_and_counts_for_nobody() -> None:
    hands = Hands(told=True, stacks=frozenset({"stock"}))
    hands.open = touches(SQUARES, seen(*LOST))
    assert hands.matched([])[0] == 0.0 and hands.people({"stock"}) == 0
    hands.open = touches(SQUARES, seen(*LOST[:1], ((600.0, 250.0), 1.3, 1.5)))
    assert hands.matched([])[0] == AT_STACK and hands.people({"stock"}) == 1


def test_who_lays_a_card_beyond_the_stock_has_not_passed_and_drawn() -> None:
    """He reaches over the stock, to and fro, and his sleeve is as dark as the cloth; nobody else came."""
    desk = Seated("aces-king")
    for seat, face in enumerate(("3H", "4C", "5D")):
        desk.play(seat, face, at=10.0 + 5 * seat)
    stock = next(shape.middle for shape in desk.table.layout.zones if shape.id == "stock")
    cuff = (1.15, 0.5)
    stops = Stop(cuff, 29.9, 29.9), Stop(stock, 29.98, 29.98), Stop(cuff, 30.06, 30.8), Stop(stock, 30.88, 30.88)
    desk.visits += (Visit(9, (1.2, 0.5), (*stops, Stop(cuff, 30.96, 31.0)), 29.9, 31.0),)
    desk.put("discard", "6S", at=30.4)
    desk.look(31.2)
    found = desk.look(34.0)
    assert desk.told[-1] == ("play", 3, ("6S",)) and found.questions == ()


def test_hands_of_what_people_told_themselves_do_nothing_more_once_their_place_counts() -> None:
    """Nobody found the back of the folded cards. The second fold that people tap makes their place count; the hands
    that came there until then have done all that they did."""
    desk = Seated("pokard-trick")
    desk.table.cards["stock"] = desk.table.cards["folded"] = []
    desk.observer = Observer(desk.table.layout)
    desk.look(1.0)
    rounds = (
        (Action("fold", 1), Action("in", 2), Action("fold", 3)),
        (Action("fold", 0),),
        (Action("deal", 1), Action("fold", 2), Action("fold", 3)),
    )
    for start, actions in zip((2.0, 16.0, 18.0), rounds, strict=True):
        for n, action in enumerate(actions):
            assert action.seat is not None
            if action.kind != "in":  # whoever deals takes the folded cards
                desk.hand(action.seat, "folded", at=start + n)
        desk.look(start + 3.5)
        for action in actions:
            desk.match = desk.match.then(Acted(action, "tap"))
        desk.look(start + 3.6)
    assert "folded" in desk.observer.memory.used
    for now in (21.7, 23.0, 25.0):
        desk.look(now)
    assert desk.told == [(action.kind, action.seat, ()) for actions in rounds for action in actions]


def test_a_stack_that_nobody_has_seen_is_looked_for_where_it_has_to_lie() -> None:
    desk = Seated("aces-king")
    stock = next(shape.polygon for shape in desk.observer.memory.shown.zones if shape.id == "stock")
    assert desk.observer.memory.unseen_stacks(desk.match.expected_table()) == []
    desk.table.cards["stock"] = []
    desk.observer = Observer(desk.table.layout)
    desk.look(6.0)
    assert desk.observer.memory.unseen_stacks(desk.match.expected_table()) == [stock]


@pytest.mark.parametrize(("ended", "stays", "glimpse"), [(0.8, 0.25, True), (0.5, 0.25, False), (0.8, 0.4, False)])
def test_a_hand_that_goes_on_where_one_from_its_side_just_was_is_only_glimpsed(
    ended: float, stays: float, glimpse: bool
) -> None:
    """Whoever dealt puts the stock down, and the camera takes him for another one: he has not drawn."""
    table = seen(((600.0, 250.0), 1.0, 1.0 + stays), ((900.0, 250.0), 2.0, 2.0), ((1050.0, 250.0), 2.1, 2.2))
    dealt = Visit(0, (1100.0, 240.0), (Stop((1000.0, 250.0), 0.1, ended),), 0.0, ended)
    found = touches(SQUARES, replace(table, visits=(dealt, *table.visits)))
    assert [(touch.zone, touch.glimpse) for touch in found] == [("stock", glimpse)]


def test_a_hand_that_is_lost_for_a_moment_on_its_way_in_again_is_not_on_its_way_out() -> None:
    """Who draws card after card is back at the stock; then his tip is not seen until it is there once more."""
    edge, near, there = (1050.0, 250.0), (800.0, 250.0), (600.0, 250.0)
    came = (edge, 1.0, 1.0), (near, 1.1, 1.1), (there, 1.2, 1.5), (near, 1.6, 1.6), (edge, 1.7, 1.7)
    again = *came, (near, 2.3, 2.3), ((640.0, 250.0), 2.4, 2.6)
    for lost in (again, (*again, ((590.0, 250.0), 3.0, 3.0))):
        assert [touch.zone for touch in touches(SQUARES, seen(*lost))] == ["stock", "stock"]


@pytest.mark.parametrize("rests", [True, False])
def test_a_tip_that_is_where_it_rested_for_a_moment_only_was_lost_over_a_hand_at_rest(rests: bool) -> None:
    found, now = [((1090.0, 250.0), 0.9, 0.9)], 1.0
    for x, stays in ((600.0, 0.7 if rests else 0.4), (450.0, 0.4), (605.0, 0.3), (450.0, 0.4)):
        found.append(((x, 250.0), now, now + stays))
        now += stays + 0.2
    zones = [touch.zone for touch in touches(SQUARES, seen(*found))]
    assert zones[2] == ("discard" if rests else "stock")


def test_who_takes_card_after_card_from_a_stack_is_there_each_time_though_he_stayed_long_the_first() -> None:
    found, now = [((1090.0, 250.0), 0.9, 0.9)], 1.0
    for x, stays in ((600.0, 0.7), (900.0, 0.2), (605.0, 0.3), (900.0, 0.2)):
        found.append(((x, 250.0), now, now + stays))
        now += stays + 0.25
    assert [touch.zone for touch in touches(SQUARES, seen(*found))] == ["stock", "stock"]


@pytest.mark.parametrize(("passes", "zone"), [(True, "stock"), (False, "discard")])
def test_a_hand_between_two_zones_is_at_the_one_where_it_stayed_not_where_it_only_passed(
    passes: bool, zone: str
) -> None:
    (touch, *_) = touches(SQUARES, seen(((480.0, 250.0), 1.0, 1.0 if passes else 1.1), ((527.0, 250.0), 1.1, 1.6)))
    assert touch.zone == zone


@pytest.mark.parametrize(("stays", "glimpse"), [(0.14, True), (0.3, False)])
def test_who_is_seen_again_at_a_stack_and_only_draws_back_may_have_put_it_down(stays: float, glimpse: bool) -> None:
    """He dealt, and nobody saw his hand come to the stock: then it left the table."""
    edge, other = (1050.0, 250.0), (900.0, 250.0)
    dealt = (edge, 1.0, 1.0), (other, 1.1, 1.4), (edge, 1.5, 1.5)
    again = ((600.0, 250.0), 4.0, 4.0 + stays), (other, 4.2 + stays, 4.2 + stays), (edge, 4.3 + stays, 4.3 + stays)
    found = touches(SQUARES, seen(*dealt, *again))
    assert [touch.glimpse for touch in found if touch.zone == "stock"] == [glimpse]
