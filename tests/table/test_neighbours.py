"""Whose hand it was, and what it did: two players on one side of the table, a hand that comes to the stock later."""

from __future__ import annotations

from companion.table import Layout, ZoneShape
from companion.table.parts import Part
from companion.table.touches import Touch, came_from
from companion.table.visits import Hands, Seats
from companion.vision.types import Unit


def test_who_of_two_neighbours_reaches_slantwise_to_the_middle_is_told_by_his_arm() -> None:
    """His arm comes over the edge nearer to the place of the other one than to his own."""
    places = [("penalty:0", 275), ("penalty:1", 725)]
    zones = [ZoneShape(name, ((x - 50, 500), (x + 50, 500), (x + 50, 580), (x - 50, 580))) for name, x in places]
    stock = ZoneShape("stock", ((150, 250), (250, 250), (250, 350), (150, 350)))
    layout = Layout("side by side", Unit.MM, (1000.0, 600.0), (*zones, stock))
    seats = Seats.of(layout)
    at = came_from(layout, (450.0, 650.0), stock.middle)
    assert seats.cost(1, at) + 1.0 < seats.cost(0, at)
    assert seats.cost(0, came_from(layout, (275.0, 650.0), zones[0].middle)) < 0.1


def test_a_hand_does_not_go_on_with_what_is_known_once_another_has_acted_or_where_it_is_the_neighbours() -> None:
    seats = Seats()
    for seat, where in ((0, 65.0), (1, 115.0)):
        for _ in range(3):
            seats.learn(seat, where)
    known = Touch(13, 80.0, "stock", 15.4, 16.1)

    def goes_on(where: float, *others: Touch) -> bool:
        return Hands(seats=seats, open=list(others), told=True, _last=known)._goes_on(
            Touch(15, where, "stock", 18.6, 19.2)
        )

    assert goes_on(82.0)
    assert not goes_on(105.0), "the neighbour's"
    assert not goes_on(82.0, Touch(14, 110.0, "road", 16.8, 17.5)), "somebody else has laid a card since"


def test_a_card_is_not_given_by_a_stack_that_was_reached_for_after_it_was_laid() -> None:
    """A joker from a hand, then a card for it from the stock, is none that was turned up."""
    lays, draws = Touch(1, 90.0, "joker", 6.3, 6.8), Touch(1, 90.0, "stock", 7.3, 7.8)
    turned_up = Part(
        None, frozenset({"stock", "joker"}), frozenset({"stock"}), 0.15, 7.1, 7.1, most={"stock": 1}, given="stock"
    )
    assert len(Hands(open=[lays, draws], told=True).matched([turned_up])[1][0]) < 2
    first = Touch(1, 90.0, "stock", 5.0, 5.6)
    assert Hands(open=[first, lays], told=True).matched([turned_up])[1] == ((first, lays),)
