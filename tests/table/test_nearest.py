"""Of two cards that came at once each is told as that player's whose hand was nearest to it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games import Action
from companion.table.decide import MARGIN
from companion.table.parts import AT_ONCE, NEARER, Part, among
from companion.table.sight import ZoneSeen
from companion.vision.types import Quad, SeenCard, SeenTable, Side, Stop, Unit, Visit
from tests.table.lying import at
from tests.table.test_reaches import Seated

PART = Part(1, frozenset({"trick"}), frozenset(), 0.15)


def card_at(x: float, y: float, wide: float, high: float) -> Quad:
    return (x - wide, y - high), (x + wide, y - high), (x + wide, y + high), (x - wide, y + high)


def lying(*came: float) -> tuple[SeenCard, ...]:
    """Cards 120 mm apart, as long as a poker card; `came`: when, s."""
    faces = enumerate(("AH", "8H", "JH"))
    return tuple(
        replace(at(0, 0, n, face), since=since, polygon=card_at(120.0 * n, 50.0, 31.5, 44.0))
        for (n, face), since in zip(faces, came, strict=False)
    )


def test_a_hand_that_was_nearer_to_another_card_that_came_then_did_not_lay_this_one() -> None:
    ace, eight = lying(10.0, 10.0)
    part = among(PART, [ace], "trick", {"trick": ZoneSeen((ace, eight))})
    assert part.nearer_to_others([(10.0, 20.0)]) == part.nearer_to_others([(60.0, 50.0)]) == 0.0
    assert 0.0 < part.nearer_to_others([(70.0, 50.0)]) < part.nearer_to_others([(80.0, 50.0)]) < NEARER
    assert part.nearer_to_others([(110.0, 50.0)]) == NEARER == MARGIN
    assert part.nearer_to_others([(110.0, 50.0), (0.0, 50.0)]) == 0.0, "it was at both"
    assert part.nearer_to_others([]) == part.nearer_to_others([(190.0, 50.0)]) == 0.0, "where it was nobody saw"


@pytest.mark.parametrize("apart", [AT_ONCE, AT_ONCE + 0.1])
def test_cards_that_came_before_or_after_it_say_nothing_of_whose_it_is(apart: float) -> None:
    ace, eight, jack = lying(10.0, 10.0 + apart, 10.0)
    down, elsewhere = replace(jack, side=Side.DOWN, face=None), replace(ace, track=9)
    sight = {"trick": ZoneSeen((ace, eight, down))}
    part = among(PART, [ace], "trick", sight)
    assert part.others == ((eight,) if apart <= AT_ONCE else ())
    under = replace(eight, covered=True)
    assert among(PART, [ace], "trick", {"trick": ZoneSeen((ace, under))}) == PART, "it lies under others"
    for cards, place in (([elsewhere], "trick"), ([ace, eight], "trick"), ([ace], "stock"), ([down], "trick")):
        assert among(PART, cards, place, sight) == PART


@pytest.mark.parametrize("crossed", [False, True])
def test_two_cards_laid_in_haste_are_told_by_where_the_hands_were(crossed: bool) -> None:
    """Both were first seen when both hands had left; either player may have laid either."""
    joined = [Action("in", 1), Action("fold", 2), Action("fold", 3), Action("in", 0)]
    desk = Seated("pokard-trick", *joined, *(Action("aside", seat, ("?", "?")) for seat in (0, 1)))
    (zone,) = (shape for shape in desk.table.layout.zones if shape.id == "trick")
    (left, _), (right, _) = zone.polygon[0], zone.polygon[1]
    near = (left + 0.2 * (right - left), 0.5), (left + 0.8 * (right - left), 0.5)
    desk.put("trick", "QC", "JH", at=12.0)
    wide = (right - left) / 10

    def seen(now: float) -> SeenTable:
        found = desk.table.seen(now, [])
        place = {"QC": card_at(*near[0], wide, 1.4 * wide), "JH": card_at(*near[1], wide, 1.4 * wide)}
        cards = tuple(replace(card, polygon=place.get(card.face or "", card.polygon)) for card in found.cards)
        return replace(found, cards=cards, visits=desk.visits, unit=Unit.FRACTION)

    for number, (seat, tip) in enumerate(zip((1, 0), reversed(near) if crossed else near, strict=True)):
        desk.hand(seat, "trick", at=10.0 + number)
        last: Visit = desk.visits[-1]
        desk.visits = (*desk.visits[:-1], replace(last, stops=(Stop(tip, 10.0 + number, 10.4 + number),)))
    found = desk.observer.look(desk.match, seen(12.8))
    laid = [(action.seat, action.cards) for action in found.actions]
    assert laid == ([(1, ("JH",)), (0, ("QC",))] if crossed else [(1, ("QC",)), (0, ("JH",))])
