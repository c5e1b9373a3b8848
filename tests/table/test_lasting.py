"""A place beside hands that are never still rests once what lies there has looked the same for a second."""

from __future__ import annotations

from dataclasses import replace

from companion.referee import Acted
from companion.table import Observation
from companion.vision.types import Stir
from tests.table.test_following import Desk


def beside(desk: Desk, now: float, *, lasting: bool = True) -> Observation:
    """A look in which something moves in the first player's place, and has for long."""
    seen = desk.table.seen(now, [])
    area = next(shape.polygon for shape in desk.table.layout.zones if shape.id == "hand:0")
    a, b, c, d = area
    stir = Stir((a, b, c, d), now, lasting)
    found = desk.observer.look(desk.match, replace(seen, settled=False, stirs=(*seen.stirs, stir)))
    desk.take(found)
    return found


class Busy(Desk):
    def take(self, found: Observation) -> None:
        for proposal in found.proposals:
            self.match = self.match.then(Acted(proposal.action, "camera"))


def test_cards_beside_hands_that_are_never_still_count_after_a_second() -> None:
    desk = Busy("three-card-showdown", 4, deck="52D2")
    desk.put("hand:0", "AS", "KS", "QS", at=10.0)
    beside(desk, 10.5)
    beside(desk, 11.0)
    assert desk.told == []
    beside(desk, 11.6)
    assert desk.told == [("lay", 0, ("AS", "KS", "QS"))]


def test_where_a_hand_has_just_come_they_do_not() -> None:
    desk = Busy("three-card-showdown", 4, deck="52D2")
    desk.put("hand:0", "AS", "KS", "QS", at=10.0)
    for now in (10.5, 11.0, 11.6, 11.9):
        beside(desk, now, lasting=False)
    assert desk.told == []


def test_what_leaves_there_has_left() -> None:
    desk = Busy("three-card-showdown", 2, deck="52D2")
    desk.put("hand:0", "AS", "KS", "QS", at=10.0)
    desk.put("hand:1", "2S", "4S", "9H", at=10.0)
    desk.look(12.0)
    assert len(desk.told) == 2
    desk.clear("hand:0", at=20.0)
    desk.clear("hand:1", at=20.0)
    for now in (20.5, 21.0, 21.6, 22.6, 24.0):
        beside(desk, now)
    assert desk.told[-1][0] == "next"
