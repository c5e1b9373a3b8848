"""Hands tell what no card does: who acted, that something was drawn, that a card lies under another."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from companion.games import Action
from companion.referee import Acted
from companion.table import Layout, Observation, ZoneShape
from companion.table.parts import Part
from companion.table.touches import Touch, touches
from companion.table.visits import Hands, Seats
from companion.vision.types import Point, SeenTable, Stop, Unit, Visit
from tests.table.test_following import Desk

EDGES = {0: (0.5, 1.2), 1: (-0.2, 0.5), 2: (0.5, -0.2), 3: (1.2, 0.5)}
"""Where the hands of the seats come in."""


def edge(place: Point) -> Point:
    """The point of the edge of a table of size 1 that is nearest to a place."""
    x, y = place
    return min(((0.0, y), (1.0, y), (x, 0.0), (x, 1.0)), key=lambda at: math.dist(at, place))


class Watched(Desk):
    """A desk whose camera tells of hands."""

    visits: tuple[Visit, ...] = ()
    unseen = -math.inf

    def hand(self, seat: int, *zones: str, at: float) -> None:
        """A hand of this seat is at these zones, one after the other, 0.4 s at each; it comes from where his own zone
        lies, if he has any."""
        places = {shape.id: shape.middle for shape in self.table.layout.zones}
        own = next((edge(places[zone]) for zone in places if zone.endswith(f":{seat}")), EDGES[seat])
        stops = tuple(Stop(places[zone], at + n, at + n + 0.4) for n, zone in enumerate(zones))
        number = len(self.visits) + 1
        self.visits += (Visit(number, own, stops, at - 0.5, at + len(zones)),)

    def look(self, now: float, *hands: str) -> Observation:
        seen = replace(self.table.seen(now, hands), visits=self.visits, unseen=self.unseen)
        found = self.observer.look(self.match, seen)
        for proposal in found.proposals:
            self.match = self.match.then(Acted(proposal.action, "camera"))
        return found

    def play(self, seat: int, face: str, at: float) -> None:
        self.hand(seat, "discard", at=at)
        self.put("discard", face, at=at + 0.5)
        self.look(at + 1.2)
        self.look(at + 4.0)


def aces_king() -> Watched:
    desk = Watched("aces-king", 4)
    for seat, face in enumerate(("3H", "4C", "5D", "6S")):
        desk.play(seat, face, at=10.0 + 5 * seat)
    assert [kind for kind, *_ in desk.told] == ["play"] * 4
    return desk


# --- who acted, and how often ----------------------------------------------------------------------------------------


def test_a_card_that_another_covered_before_it_was_seen_is_asked_for_and_nothing_is_written() -> None:
    desk = aces_king()
    desk.hand(0, "discard", at=40.0)
    desk.hand(1, "discard", at=41.0)
    desk.put("discard", "9C", at=41.5)
    before = desk.told
    desk.look(42.0)
    (question,) = desk.look(44.0).questions
    assert desk.told == before and question.kind == "hidden"
    assert question.with_face("8H") == Action("play", 0, ("8H",))
    desk.match = desk.match.then(Acted(Action("play", 0, ("8H",)), "camera"))
    desk.look(45.0)
    desk.look(48.0)
    assert desk.told[-2:] == [("play", 0, ("8H",)), ("play", 1, ("9C",))]


def test_two_cards_of_two_hands_are_two_plays_and_none_lies_under_them() -> None:
    """Nobody knows yet from where whose hands come."""
    desk = Watched("aces-king", 4)
    desk.hand(0, "discard", at=40.0)
    desk.hand(1, "discard", at=41.0)
    desk.put("discard", "9C", at=40.5)
    desk.put("discard", "10D", at=41.5)
    desk.look(42.2)
    assert desk.look(45.0).questions == ()
    assert desk.told[-2:] == [("play", 0, ("9C",)), ("play", 1, ("10D",))]


def test_a_hand_that_comes_after_a_card_was_seen_has_not_laid_it_on_another() -> None:
    """The next player goes to the stock, or lays his own card: what lies there is the card of the one before."""
    desk = aces_king()
    desk.hand(0, "discard", at=40.0)
    desk.put("discard", "9C", at=40.5)
    desk.look(40.7)
    desk.hand(1, "discard", at=41.0)
    desk.look(41.2)
    assert desk.look(43.0).questions == () and desk.told[-1] == ("play", 0, ("9C",))


def test_a_card_that_was_read_and_is_covered_by_now_was_played() -> None:
    """No hand was seen for the second one: two cards came, so two were played."""
    desk = aces_king()
    desk.hand(0, "discard", at=40.0)
    (first,) = desk.put("discard", "9C", at=40.5)
    first.covered = True
    desk.put("discard", "10D", at=41.5)
    desk.look(42.2)
    desk.look(45.0)
    assert desk.told[-2:] == [("play", 0, ("9C",)), ("play", 1, ("10D",))]


def test_a_stack_that_nobody_reached_for_has_not_gone_though_the_camera_loses_it() -> None:
    desk = aces_king()
    desk.look(38.0)
    desk.clear("stock", at=39.0)
    desk.hand(0, "discard", at=40.0)
    desk.put("discard", "9C", at=40.5)
    desk.look(41.2)
    assert desk.look(45.0).questions == () and desk.told[-1] == ("play", 0, ("9C",))


def test_the_stock_has_not_gone_though_the_camera_loses_it_when_somebody_has_drawn() -> None:
    """Nobody draws forty cards: the camera does not find the stock again after a hand was there."""
    desk = aces_king()
    desk.look(38.0)
    desk.hand(2, "stock", at=38.5)
    desk.clear("stock", at=39.0)
    desk.hand(0, "discard", at=40.0)
    desk.put("discard", "9C", at=40.5)
    desk.look(41.2)
    desk.look(45.0)
    assert desk.told[-1] == ("play", 0, ("9C",))


def test_one_hand_and_one_card_are_one_play() -> None:
    desk = aces_king()
    desk.play(0, "9C", at=40.0)
    assert desk.told[-1] == ("play", 0, ("9C",))


def test_a_player_who_straightens_the_pile_after_his_play_has_done_nothing_more() -> None:
    desk = aces_king()
    desk.play(0, "9C", at=40.0)
    desk.hand(0, "discard", at=42.0)
    found = desk.look(46.0)
    assert found.actions == () and found.questions == ()


# --- what was drawn --------------------------------------------------------------------------------------------------


def test_a_hand_at_the_stock_is_the_draw_that_is_owed() -> None:
    desk = aces_king()
    desk.play(0, "2C", at=40.0)
    desk.hand(0, "stock", at=46.0)
    desk.look(47.0)
    desk.look(50.0)
    assert desk.told[-1] == ("draw", 0, ("?",) * 4)


def test_nobody_has_drawn_while_no_hand_was_at_the_stock() -> None:
    desk = aces_king()
    desk.play(0, "2C", at=40.0)
    found = desk.look(60.0)
    assert found.actions == () and desk.told[-1] == ("play", 0, ("2C",))


def test_a_hand_at_the_stock_tells_a_loop_from_a_dice() -> None:
    desk = Watched("hexa-card", 4)
    desk.hand(0, "stock", "discard", at=10.0)
    desk.put("discard", "9C", at=11.5)
    desk.look(12.5)
    desk.look(16.0)
    assert desk.told == [("loop", 0, ("9C",))]


@pytest.mark.parametrize("missed", [True, False])
def test_where_a_hand_may_have_been_missed_people_are_asked(missed: bool) -> None:
    """Who was watched all the time and was not at the stock has not drawn."""
    desk = Watched("hexa-card", 4)
    desk.unseen = 6.0 if missed else -math.inf
    desk.hand(0, "discard", at=10.0)
    desk.put("discard", "9C", at=10.5)
    desk.look(11.5)
    asked = [{action.kind for action in question.choices} for question in desk.look(16.0).questions]
    assert (desk.told, asked) == (([], [{"loop", "dice"}]) if missed else ([("dice", 0, ("9C",))], []))


def test_a_question_stays_open_while_the_next_player_reaches_for_the_stock() -> None:
    """Whoever was robbed takes from the stock at his turn, whatever he does then."""
    desk = Watched("hexa-card", 4, Action("dice", 0, ("3C",)))
    desk.hand(1, "stock", "discard", at=10.0)
    desk.put("discard", "9C", at=11.5)
    desk.look(12.5)
    (question,) = desk.look(16.0).questions
    assert {action.kind for action in question.choices} == {"loop", "dice"}
    desk.hand(2, "stock", at=16.5)
    assert [q.key for q in desk.look(17.5).questions] == [question.key]
    desk.match = desk.match.then(Acted(question.choices[0], "tap"))
    assert all(q.key != question.key for q in desk.look(18.0).questions)


def test_how_many_cards_went_down_unseen_is_one_question_with_all_answers() -> None:
    desk = Watched("sixty-five-card-poker", 3)
    desk.hand(1, "discard", "stock", at=10.0)
    desk.put("discard", None, at=10.5)
    desk.look(12.5)
    (question,) = desk.look(18.0).questions
    assert desk.told == [] and [len(action.cards) for action in question.choices] == [1, 2, 3, 4, 5]


def test_how_many_is_not_asked_while_something_still_moves_there_though_no_hand_is_told() -> None:
    desk = Desk("sixty-five-card-poker", 3)
    desk.put("discard", None, at=10.5)
    desk.look(12.5)
    desk.table.stirred["discard"] = 16.0
    assert desk.look(17.0).questions == desk.look(18.0).questions == ()
    (question,) = desk.look(20.5).questions
    assert [len(action.cards) for action in question.choices] == [1, 2, 3, 4, 5]


def test_who_waves_a_hand_away_says_nothing_of_what_came_while_he_thought() -> None:
    desk = Watched("sixty-five-card-poker", 3)
    desk.put("stock", None, at=1.0)
    desk.look(3.0)
    desk.hand(1, "stock", at=10.0)
    desk.look(11.5)
    (question,) = desk.look(18.0).questions
    assert question.kind == "did"
    desk.hand(1, "discard", at=18.1)
    desk.put("discard", None, at=18.6)
    desk.look(19.5)
    desk.observer.dismiss(question.key)
    found = desk.look(20.5)
    assert [(action.kind, action.seat) for action in found.tentative] == [("exchange", 1)] and desk.told == []
    beam = desk.observer._beam
    assert beam is not None and [hand.zone for hand in beam.hands.open] == ["discard"]


def test_a_joker_drawn_among_others_is_one_question_with_all_answers() -> None:
    desk = Watched("joker-quest", 4, Action("turn-up", None, ("5S",)), Action("play", 0, ("10D",)))
    desk.hand(0, "stock", "joker", at=10.0)
    desk.put("joker", "JK1", at=11.5)
    desk.look(13.0)
    (question,) = desk.look(18.0).questions
    assert question.kind == "several" and all(action.cards[-1] == "JK1" for action in question.choices)
    assert desk.told[-1] == ("play", 0, ("10D",))


# --- cards that are not found any more -------------------------------------------------------------------------------


def test_a_card_taken_from_an_overlapping_row_leaves_no_second_one_behind() -> None:
    desk = Watched("trading-poker", 4, Action("refill", None, ("AH", "8S", "4D", "AC", "7C")))
    stale = next(card for card in desk.table.cards["common"] if card.face == "8S")
    desk.hand(0, "common", "keep:0", at=10.0)
    desk.put("keep:0", "8S", at=11.5)
    seen = replace(desk.table.seen(13.0, ()), visits=desk.visits)
    cards = tuple(replace(card, covered=card.track == stale.track) for card in seen.cards)
    found = desk.observer.look(desk.match, replace(seen, cards=cards))
    later = desk.observer.look(desk.match, replace(seen, cards=cards, time=16.0))
    assert (found.actions + later.actions)[0] == Action.of("take", 0, ("8S",), source="common")


def test_a_card_under_a_resting_hand_is_not_taken_for_gone() -> None:
    desk = Watched("trading-poker", 4, Action("refill", None, ("AH", "8S", "4D", "AC", "7C")),
                   Action.of("take", 0, ("8S",), source="common"))  # fmt: skip
    seen = desk.table.seen(13.0, ())
    cards = tuple(replace(card, covered=card.face == "8S") for card in seen.cards)
    for time in (13.0, 20.0, 40.0):
        found = desk.observer.look(desk.match, replace(seen, cards=cards, time=time, settled=True, stirs=()))
        assert found.actions == () and found.questions == ()


# --- hands by themselves ---------------------------------------------------------------------------------------------

SQUARES = Layout("two", Unit.MM, (1000.0, 600.0), (
    ZoneShape("discard", ((400.0, 200.0), (500.0, 200.0), (500.0, 300.0), (400.0, 300.0))),
    ZoneShape("stock", ((550.0, 200.0), (650.0, 200.0), (650.0, 300.0), (550.0, 300.0))),
))  # fmt: skip


def seen(*stops: tuple[tuple[float, float], float, float]) -> SeenTable:
    visit = Visit(1, (1100.0, 250.0), tuple(Stop(*stop) for stop in stops), 0.0, 9.0)
    return SeenTable(10.0, True, Unit.MM, size=(1000.0, 600.0), visits=(visit,))


def test_a_hand_touches_where_it_stays_or_turns_back_not_where_it_passes() -> None:
    through = seen(((600.0, 250.0), 1.0, 1.08), ((450.0, 250.0), 1.2, 1.3), ((600.0, 250.0), 1.5, 1.7))
    assert [touch.zone for touch in touches(SQUARES, through)] == ["discard"]
    again = seen(((800.0, 250.0), 0.9, 0.9), ((450.0, 250.0), 1.0, 1.1), ((1000.0, 250.0), 1.6, 1.6),
                 ((600.0, 250.0), 1.8, 1.9), ((900.0, 250.0), 2.1, 2.1))  # fmt: skip
    assert [touch.zone for touch in touches(SQUARES, again)] == ["discard", "stock"]
    both = seen(((600.0, 250.0), 1.0, 1.4), ((450.0, 250.0), 1.6, 1.7))
    assert [touch.zone for touch in touches(SQUARES, both)] == ["stock", "discard"]


def test_what_only_leaves_does_not_touch_where_it_was_first_seen() -> None:
    """A card that is dealt flies outwards, and a hand that was not told from another one before goes home."""
    dealt = seen(((450.0, 250.0), 1.0, 1.1), ((600.0, 250.0), 1.2, 1.2), ((900.0, 250.0), 1.3, 1.3))
    next_one = seen(((900.0, 250.0), 1.0, 1.0), ((600.0, 250.0), 1.5, 1.6), ((900.0, 250.0), 1.7, 1.7))
    assert touches(SQUARES, dealt) == touches(SQUARES, next_one) == []
    stays = seen(((450.0, 250.0), 1.0, 1.3), ((900.0, 250.0), 1.4, 1.4))
    assert [touch.zone for touch in touches(SQUARES, stays)] == ["discard"]


def test_a_hand_just_beside_a_zone_reaches_for_it() -> None:
    assert [touch.zone for touch in touches(SQUARES, seen(((510.0, 250.0), 1.0, 1.5)))] == ["discard"]
    assert touches(SQUARES, seen(((450.0, 450.0), 1.0, 1.5))) == []


def test_seats_are_known_by_their_zones_and_learnt_from_what_is_certain() -> None:
    seats = Seats()
    assert seats.cost(0, 90.0) == seats.cost(1, 90.0)
    seats.learn(0, 90.0)
    seats.learn(0, 90.0)
    assert seats.cost(0, 95.0) < 0.1 < seats.cost(1, 90.0) < seats.cost(0, 180.0)
    assert seats.cost(1, 180.0) < seats.cost(1, 90.0)


def test_every_hand_is_given_to_the_action_that_it_can_have_done() -> None:
    hands = Hands(told=True, stacks=frozenset({"stock"}))
    hands.open = touches(SQUARES, seen(((600.0, 250.0), 1.0, 1.4), ((450.0, 250.0), 1.6, 1.7)))
    play = Part(0, frozenset({"discard"}), frozenset(), 0.1)
    draw = Part(0, frozenset({"stock"}), frozenset({"stock"}), 3.0)
    cost, (drawn, played) = hands.matched([draw, play])
    assert [touch.zone for touch in (*drawn, *played)] == ["stock", "discard"]
    assert cost < hands.matched([play, draw])[0] and cost < hands.matched([play])[0]


def test_of_two_who_take_from_the_stock_and_lay_on_one_pile_the_first_may_have_laid_what_is_covered() -> None:
    """Stock and pile lie side by side: the hand is seen at one of them only."""
    desk = Watched("hexa-card", 4)
    desk.hand(0, "stock", "discard", at=10.0)
    desk.put("discard", "9C", at=11.5)
    desk.look(12.5)
    desk.look(16.0)
    stock = next(shape.middle for shape in desk.table.layout.zones if shape.id == "stock")
    for number, seat in ((2, 1), (3, 2)):
        at = 18.0 + number
        desk.visits += (Visit(number, EDGES[seat], (Stop(stock, at, at + 0.5),), at - 0.5, at + 1.0),)
    desk.put("discard", "4D", at=22.0)
    desk.look(22.5)
    (question,) = desk.look(25.0).questions
    assert desk.told == [("loop", 0, ("9C",))] and question.kind == "hidden"


@pytest.mark.parametrize(("every", "stays"), [(0.25, 0.5), (0.5, 0.2)])
def test_hands_from_all_sides_at_the_stock_at_about_the_same_time_are_the_deal(every: float, stays: float) -> None:
    desk = Watched("aces-king", 4)
    stock = next(shape.middle for shape in desk.table.layout.zones if shape.id == "stock")
    for n in range(round(3 / every)):
        at = 5.5 + every * n
        desk.visits += (Visit(n + 1, EDGES[n % 4], (Stop(stock, at, at + stays),), at - 0.3, at + stays + 0.3),)
    found = desk.look(9.5)
    assert found.actions == () and found.questions == () and desk.observer._beam.hands.open == []
    desk.visits = (Visit(13, EDGES[0], (Stop(stock, 9.8, 10.4),), 9.5, 10.8),)
    desk.look(11.0)
    assert [hand.visit for hand in desk.observer._beam.hands.open] == [13]  # one hand alone draws


def test_a_hand_that_was_there_before_a_play_is_not_the_draw_after_it() -> None:
    """Somebody dealt, then a card was played: nobody has drawn for it yet."""
    desk = Watched("aces-king", 4)
    desk.hand(1, "stock", at=6.0)
    desk.hand(1, "stock", at=8.0)
    desk.play(0, "3H", at=12.0)
    found = desk.look(20.0)
    assert desk.told == [("play", 0, ("3H",))] and found.actions == ()


def test_hands_that_passed_before_a_stack_began_did_not_begin_it() -> None:
    """While cards are dealt, hands pass the place of the folded cards; nobody else has folded because of them."""
    desk = Watched("pokard-trick", 4, Action("in", 1))
    desk.hand(2, "folded", at=3.0)
    desk.hand(0, "folded", at=5.0)
    desk.look(7.0)
    desk.hand(2, "folded", at=8.4)
    desk.put("folded", None, at=9.2)
    desk.look(9.6)
    for now in (11.0, 14.0, 18.0):
        assert desk.look(now).questions == ()
    assert desk.told == [("in", 1, ()), ("fold", 2, ())]


def test_a_hand_that_began_after_a_card_was_seen_to_lie_has_not_laid_it() -> None:
    hands = Hands(told=True, stacks=frozenset({"stock"}))
    hands.open = [Touch(1, 180.0, "pile", 5.2, 5.9), Touch(2, -90.0, "stock", 6.8, 7.1)]
    assert hands.people({"pile", "stock"}, until=6.6) == 1
    assert hands.people({"pile", "stock"}, until=6.9) == 2
