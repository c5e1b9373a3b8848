"""Hands that did nothing, or something that is known: no later action is told of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games import Zone
from companion.table.parts import Part
from companion.table.sight import ZoneSeen
from companion.table.touches import Touch, touches
from companion.table.visits import AT_STACK, RESTED, Hands, Seats
from companion.vision.types import SeenTable, Stop, Unit, Visit
from tests.table.test_visits import EDGES, SQUARES, Watched, aces_king


def touch(visit: int, zone: str, began: float) -> Touch:
    return Touch(visit, 90.0, zone, began, began + 0.4)


def test_a_hand_over_a_place_that_stayed_empty_did_nothing_whatever_lies_there_later() -> None:
    hands = Hands(told=True, open=[touch(1, "folded", 10.0), touch(2, "folded", 20.0)])
    hands.idle({"folded": ZoneSeen(filled=5.0, bare=12.0, emptied=5.0)})
    assert [t.visit for t in hands.open] == [2]
    hands.idle({"folded": ZoneSeen(filled=20.2, bare=22.0, emptied=20.2)})
    assert [t.visit for t in hands.open] == [2], "it took what lay there"


def test_hands_over_an_empty_place_did_nothing_though_a_card_lies_there_by_now() -> None:
    """Cards were dealt across it before anybody laid one there."""
    desk = Watched("hexa-card", 4)
    desk.hand(2, "discard", at=6.0)
    desk.look(8.5)
    desk.hand(0, "stock", "discard", at=10.0)
    desk.put("discard", "9C", at=11.5)
    (proposal,) = [p for at in (12.5, 16.0) for p in desk.look(at).proposals]
    assert proposal.action.kind == "loop"


def test_hands_long_before_the_cards_that_are_told_do_nothing_later() -> None:
    """Nobody was seen to lay them; what others did before is known all the same."""
    hands = Hands(told=True, open=[touch(1, "folded", 10.0), touch(2, "folded", 19.0), touch(3, "folded", 19.9)])
    hands.explain([], [Part(2, frozenset({"folded"}), frozenset(), 0.15, began=20.5)])
    assert [t.visit for t in hands.open] == [3]


def test_what_is_known_of_a_hand_stays_known_at_the_next_look() -> None:
    desk = aces_king()
    desk.look(38.0)
    desk.hand(2, "discard", at=40.0)
    desk.look(41.0)
    beam = desk.observer._beam
    assert beam is not None and len(beam.hands.open) == 1
    beam.hands.idle({"discard": ZoneSeen(filled=5.0, bare=42.0, emptied=5.0)})
    desk.put("discard", "9C", at=45.0)
    desk.look(46.0)
    assert not any(t.began < 42.0 for t in beam.hands.open)


def test_what_a_hand_did_first_counts_while_it_stays() -> None:
    """Who exchanges five cards is at it for longer than a hand is remembered that has left."""
    at, beside = (450.0, 250.0), (800.0, 250.0)
    stays = Visit(1, (1100.0, 250.0), (Stop(at, 2.0, 2.6), Stop(beside, 8.0, 8.1), Stop(at, 15.0, 15.6)), 1.5, None)
    left = Visit(2, (1100.0, 250.0), (Stop(at, 2.0, 2.6),), 1.5, 3.0)
    for visit, remembered in ((stays, [2.0, 15.0]), (left, [])):
        hands = Hands(Seats.of(SQUARES))
        look = SeenTable(16.0, True, Unit.MM, size=(1000.0, 600.0), visits=(visit,))
        hands.take_in(SQUARES, look, {"discard": Zone("discard")})
        assert [touch.began for touch in hands.open] == remembered


@pytest.mark.parametrize("rested", [True, False])
def test_a_hand_that_is_seen_again_where_it_was_has_come_anew_or_only_rested(rested: bool) -> None:
    """What it did before is known; whether it has drawn now nobody knows: that it has not costs less than of others."""
    at = (450.0, 250.0)
    stops = tuple(Stop(at, began, began + 0.6) for began in (2.0, 20.0))
    hands = Hands(Seats.of(SQUARES))
    for number in (1, 2):
        own = stops[:number] if rested else stops[number - 1 : number]
        visit = Visit(1 if rested else number, (1100.0, 250.0), own, own[0].began - 0.5, None)
        look = SeenTable(stops[number - 1].ended, True, Unit.MM, size=(1000.0, 600.0), visits=(visit,))
        hands.take_in(SQUARES, look, {"discard": Zone("discard", pile=True, down=True)})
        if number == 1:
            hands.explain(hands.open)
    assert [(touch.began, touch.rested) for touch in hands.open] == [(20.0, rested)]
    drew = Part(None, frozenset({"discard"}), frozenset({"discard"}), 0.15)
    assert (hands.matched([])[0], hands.matched([drew])[0]) == (RESTED if rested else AT_STACK, 0.0)


@pytest.mark.parametrize(("x", "rested"), [(455.0, True), (600.0, False)])
def test_who_is_seen_again_elsewhere_than_where_he_was_has_not_rested(x: float, rested: bool) -> None:
    stops = Stop((450.0, 250.0), 2.0, 2.6), Stop((x, 250.0), 8.0, 8.6)
    look = SeenTable(9.0, True, Unit.MM, size=(1000.0, 600.0), visits=(Visit(1, (1100.0, 250.0), stops, 1.5, None),))
    assert [touch.rested for touch in touches(SQUARES, look)] == [False, rested]


@pytest.mark.parametrize("stays", [True, False])
def test_a_back_that_nobody_reached_for_may_be_in_the_hand_that_is_over_the_table(stays: bool) -> None:
    """An arm at rest, and a corner of what it holds; four seconds later, or once it has left, a card lies there."""
    desk = Watched("pokard-trick", 4)
    stock = next(shape.middle for shape in desk.table.layout.zones if shape.id == "stock")
    arm = Visit(1, EDGES[3], (Stop(stock, 9.0, 9.6),), 8.8, None)
    desk.visits = (arm,)
    desk.put("folded", None, at=10.0)
    for now in (10.6, 11.4, 12.6):
        desk.look(now)
        assert desk.told == []
    if stays:
        desk.look(15.0)
    else:
        desk.visits = (replace(arm, ended=12.8),)
        desk.look(13.6)
    assert [kind for kind, *_ in desk.told] == ["fold"] or desk.look(17.0).questions
