"""Before anything is known, and once all was gathered, cards are dealt: they slide over the table, and hands come from
everywhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games import Zone
from companion.table.dealt import slides
from companion.table.parts import Part
from companion.table.touches import Touch
from companion.table.visits import Hands
from companion.vision.types import Stop, Visit
from tests.table.test_reaches import Seated
from tests.table.test_visits import EDGES, SQUARES, Watched, seen


def pass_by(desk: Watched, seat: int, zone: str, at: float, stay: float = 0.2) -> None:
    """A card slides from this side over a zone, or a hand comes for one."""
    place = next(shape.middle for shape in desk.table.layout.zones if shape.id == zone)
    stop = Stop(place, at, at + stay)
    desk.visits += (Visit(len(desk.visits) + 1, EDGES[seat], (stop,), at - 0.2, at + stay),)


def test_cards_that_slide_to_the_players_over_the_discards_are_no_exchange() -> None:
    desk = Seated("sixty-five-card-poker")
    for seat, zone, at in ((1, "discard", 2.0), (1, "stock", 2.4), (0, "hand:0", 3.5), (2, "hand:2", 4.2)):
        pass_by(desk, seat, zone, at)
    assert [desk.look(4.6 + n).questions for n in range(5)] == [()] * 5 and desk.told == []


def test_a_lone_hand_at_the_discards_is_asked_about() -> None:
    desk = Seated("sixty-five-card-poker")
    pass_by(desk, 1, "discard", 3.9, stay=0.5)
    pass_by(desk, 1, "stock", 5.0, stay=0.5)
    assert any(question.kind == "did" for n in range(8) for question in desk.look(6.0 + n).questions)


def test_who_is_dealt_to_from_three_sides_laid_nothing_on_the_pile_that_he_passed() -> None:
    """The first card that is seen there is the first player's."""
    desk = Watched("aces-king", 4)
    for seat, at in ((0, 3.8), (1, 4.1), (3, 4.3)):
        pass_by(desk, seat, "discard", at, stay=0.9)
    desk.play(0, "9C", at=8.0)
    desk.hand(0, "stock", at=14.0)
    desk.look(16.0)
    desk.play(1, "9D", at=18.0)
    assert [(kind, seat) for kind, seat, *_ in desk.told][:2] == [("play", 0), ("draw", 0)]


def test_who_lays_what_he_drew_and_draws_again_does_not_go_on() -> None:
    drew = Touch(13, 80.0, "stock", 30.2, 30.7)
    laid = Touch(14, 80.0, "keep:2", 31.0, 31.2)
    again = Touch(14, 80.0, "stock", 31.7, 32.4)
    assert Hands(told=True, open=[], _last=drew)._goes_on(again, {"keep:2"}), "he takes more of them"
    assert not Hands(told=True, open=[laid], _last=drew)._goes_on(again, {"keep:2"})
    assert Hands(told=True, open=[laid], _last=drew)._goes_on(again), "his hand of cards, face down"


@pytest.mark.parametrize(("drawn", "kind"), [(True, "loop"), (False, "dice")])
def test_what_comes_over_the_stock_just_after_the_deal_is_a_draw_only_where_it_stays(drawn: bool, kind: str) -> None:
    desk = Watched("hexa-card", 4)
    for seat, zone, at in ((3, "shown:3", 6.6), (1, "shown:1", 7.0), (2, "shown:2", 7.3)):
        pass_by(desk, seat, zone, at)
    if drawn:
        desk.hand(0, "stock", at=8.2)
    else:
        pass_by(desk, 0, "stock", 8.2)
    desk.look(9.0)
    desk.hand(0, "discard", at=10.0)
    desk.put("discard", "9C", at=10.5)
    questions = [desk.look(at).questions for at in (11.2, 14.0, 17.0)]
    assert [told for told, *_ in desk.told] == [kind] and questions == [()] * 3


@pytest.mark.parametrize(("same", "kind"), [(True, "loop"), (False, "dice")])
def test_who_goes_on_from_the_stock_to_the_discards_was_not_dealt_to(same: bool, kind: str) -> None:
    """He was there as shortly as a card that slides, while others were still dealt to."""
    desk = Watched("hexa-card", 4)
    for seat, zone, at in ((3, "shown:3", 6.6), (1, "shown:1", 7.0), (2, "shown:2", 7.3)):
        pass_by(desk, seat, zone, at)
    pass_by(desk, 0, "stock", 8.2)
    desk.hand(0, "discard", at=10.0)
    if same:
        slid, laid = desk.visits[-2:]
        stops = (*slid.stops, *laid.stops)
        desk.visits = (*desk.visits[:-2], replace(laid, stops=stops, began=slid.began, number=slid.number))
    desk.put("discard", "9C", at=10.5)
    questions = [desk.look(at).questions for at in (11.2, 14.0, 17.0)]
    assert [told for told, *_ in desk.told] == [kind] and questions == [()] * 3


@pytest.mark.parametrize("between", [True, False])
def test_who_comes_after_somebody_else_did_what_is_known_does_not_go_on(between: bool) -> None:
    """He laid a card; another one gathered it, told by the cards alone; what he does then is his next one."""
    laid = Touch(10, 90.0, "trick", 21.7, 22.1)
    gathers = Touch(11, -28.0, "trick", 23.1, 23.8)
    hands = Hands(told=True, open=[gathers] if between else [], _last=laid)
    hands.explain((), [Part(0, frozenset({"trick"}), frozenset(), 0.0)])
    hands.open = []  # the trick was bare before he came and after he left
    assert hands._goes_on(Touch(12, 95.0, "trick", 24.7, 25.1)) is not between


@pytest.mark.parametrize(("ended", "sides", "slid"), [(8.4, 2, True), (9.0, 2, False), (9.0, 3, True)])
def test_several_cards_that_slide_over_a_stack_one_after_the_other_are_known_by_three_other_sides(
    ended: float, sides: int, slid: bool
) -> None:
    touch = Touch(1, 10.0, "stock", 8.2, ended)
    others = [Touch(2 + n, side, "shown:1", 8.1, 8.3) for n, side in enumerate((174.0, -80.0, 92.0)[:sides])]
    assert slides(touch, [touch, *others], {"stock"}) is slid


@pytest.mark.parametrize("gathers", [True, False])
def test_what_slides_over_the_stock_as_a_new_round_is_dealt_draws_nothing(gathers: bool) -> None:
    """All that lay there was gathered with what is known last."""
    lay, bare = {"box": Zone("box", ("AS", "2H", "3D"))}, {"box": Zone("box")}
    hands = Hands(told=True, _known=5.0)
    stops = {1: (1200.0, 250.0), 2: (600.0, -200.0), 3: (600.0, 700.0)}
    flying = tuple(
        Visit(n, entry, (Stop(entry, 8.0, 8.1), Stop((600.0, 250.0), 8.2, 8.3)), 8.0, 8.4) for n, entry in stops.items()
    )
    table = replace(seen(), time=9.0, visits=flying)
    stock = {"stock": Zone("stock", down=20, pile=True)}
    hands.take_in(SQUARES, replace(table, visits=()), stock | lay)
    hands.take_in(SQUARES, table, stock | (bare if gathers else lay))
    assert bool(hands.open) is not gathers
