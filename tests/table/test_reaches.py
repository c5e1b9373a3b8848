"""How often a hand was at a stack tells how many cards it took there, at least."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.games import Action, Zone, game
from companion.referee import Acted
from companion.referee.simulate import play, table_setup
from companion.table import Observer, ZoneShape
from companion.table.decide import _has
from companion.table.fill import Filled
from companion.table.hypotheses import Hypothesis, Step, to_be_seen
from companion.table.parts import Part
from companion.table.sight import ZoneSeen
from companion.table.touches import direction, touches
from companion.table.visits import Hands, Seats
from companion.vision.types import SeenTable, Stop, Unit, Visit
from tests.table.test_visits import EDGES, SQUARES, Watched, aces_king

STOCK = (600.0, 250.0)
EDGE = (600.0, 620.0)


class Seated(Watched):
    """Everybody's hands come from a side of his own."""

    def __init__(self, game: str, *actions: Action) -> None:
        super().__init__(game, 4, *actions)
        seats = Seats()
        for seat, edge in EDGES.items():
            for _ in range(3):
                seats.learn(seat, direction(self.table.layout, edge))
        beam = self.observer._beam
        assert beam is not None
        beam.hands.seats = seats

    def hand(self, seat: int, *zones: str, at: float) -> None:
        super().hand(seat, *zones, at=at)
        self.visits = (*self.visits[:-1], replace(self.visits[-1], entry=EDGES[seat]))


def robbed() -> Seated:
    """Seat 1 has one card less: he draws two cards and lays one down, or draws one and takes one from seat 2."""
    return Seated("hexa-card", Action("dice", 0, ("3C",)))


def test_whoever_comes_to_the_stock_twice_has_drawn_two_cards() -> None:
    desk = robbed()
    desk.hand(1, "stock", at=8.0)
    desk.hand(1, "stock", "discard", at=10.0)
    desk.put("discard", "9C", at=11.5)
    desk.look(12.5)
    assert desk.look(16.0).questions == ()
    assert desk.told[-1] == ("loop", 1, ("9C",))


@pytest.mark.parametrize(("backs_are_found", "tapped", "asked"), [(True, 0, 0), (False, 1, 1), (False, 2, 0)])
def test_a_stack_whose_back_is_not_found_lies_there_once_people_took_from_it(
    backs_are_found: bool, tapped: int, asked: int
) -> None:
    """Twice is no chance: from then on hands there count."""
    desk = robbed()
    if not backs_are_found:
        desk.table.cards["stock"] = []
        desk.observer = Observer(desk.table.layout)
        desk.look(6.0)
    turns = [(1, "9C"), (2, "4C")][:tapped]
    for seat, face in turns:
        at = 10.0 * seat
        desk.hand(seat, "stock", at=at)
        desk.hand(seat, "stock", "discard", at=at + 2.0)
        desk.put("discard", face, at=at + 3.5)
        desk.look(at + 4.0)
        desk.match = desk.match.then(Acted(Action("loop", seat, (face,)), "tap"))
        desk.look(at + 4.5)
        desk.look(at + 9.0)
    seat = tapped + 1
    desk.hand(seat, "stock", at=40.0)
    desk.hand(seat, "stock", "discard", at=42.0)
    desk.put("discard", "8C", at=43.5)
    desk.look(44.5)
    assert len(desk.look(48.0).questions) == asked
    assert (desk.told[-1] == ("loop", seat, ("8C",))) is not bool(asked)


@pytest.mark.parametrize(("back", "until", "over"), [(None, None, 10.5), (12.0, None, 14.0), (12.0, 12.6, 12.6)])
def test_whoever_has_come_again_may_draw_on_while_he_is_there(
    back: float | None, until: float | None, over: float
) -> None:
    """His tip was not seen at the stock; one that rests there since before, or another player's, is not he."""
    desk = Seated("aces-king")
    desk.hand(1, "stock", at=10.0)
    drew = replace(desk.visits[-1], stops=(replace(desk.visits[-1].stops[0], ended=10.5),), ended=11.0)
    others = (
        Visit(7, EDGES[1], (Stop((0.1, 0.5), 5.0, 5.1),), 5.0, None),
        Visit(8, EDGES[3], (Stop((0.9, 0.5), 12.0, 12.1),), 12.0, None),
    )
    again = () if back is None else (Visit(9, EDGES[1], (Stop((0.1, 0.5), back, back + 0.1),), back, until),)
    hands, seen = Hands(), replace(desk.table.seen(14.0), visits=(drew, *others, *again))
    stock = Zone("stock", down=9, pile=True)
    hands.take_in(desk.table.layout, seen, {"stock": stock})
    own = [hand for hand in hands.open if hand.zone == "stock"]
    assert len(own) == 1 and max(own[0].ended, hands.back_until(own)) == pytest.approx(over)


@pytest.mark.parametrize("back", [False, True])
def test_a_draw_is_not_over_while_whoever_draws_is_back(back: bool) -> None:
    rules = game("joker-quest")
    steps = [step.action for step in play(rules, table_setup(rules, 4), random.Random(2), "simple", 20)]
    at = next(n for n, action in enumerate(steps) if action.kind == "draw")
    desk, seat = Seated("joker-quest", *steps[:at]), steps[at].seat or 0
    desk.look(9.0)
    for n in range(len(steps[at].cards)):
        desk.hand(seat, "stock", at=10.0 + n)
    last = desk.visits[-1]
    if back:
        again = Stop((0.5, 0.5), last.stops[0].ended + 0.7, last.stops[0].ended + 0.8)
        desk.visits += (Visit(30, last.entry, (again,), again.began, None),)
    for wait in (1.0, 2.0, 2.6):
        found = desk.look(last.stops[0].ended + wait)
    assert bool(desk.told[at:] or found.questions) is not back


def test_whoever_comes_once_may_have_drawn_one_card_or_two() -> None:
    desk = robbed()
    desk.hand(1, "stock", "discard", at=10.0)
    desk.put("discard", "9C", at=11.5)
    desk.look(12.5)
    (question,) = desk.look(16.0).questions
    assert {action.kind for action in question.choices} == {"loop", "dice"}
    desk.hand(1, "stock", at=16.5)
    assert [q.key for q in desk.look(17.5).questions] == [question.key], "long after his card lies he begins anew"


def test_whoever_plays_first_may_have_drawn_just_after_the_deal() -> None:
    """His hand at the stock was taken for one that deals: that nobody saw him there proves nothing."""
    desk = Watched("hexa-card", 4)
    stock = next(shape.middle for shape in desk.table.layout.zones if shape.id == "stock")
    for number, at in enumerate((6.0, 6.5, 7.0, 7.5, 8.2)):
        stop = Stop(stock, at, at + 0.3)
        desk.visits += (Visit(number + 1, EDGES[number % 4], (stop,), at - 0.3, at + 0.6),)
    desk.look(9.5)
    desk.hand(0, "discard", at=16.0)
    desk.put("discard", "9C", at=16.5)
    desk.look(17.5)
    (question,) = desk.look(22.0).questions
    assert desk.told == [] and {action.kind for action in question.choices} == {"loop", "dice"}


def test_how_many_cards_went_down_unseen_were_as_many_as_hands_or_more() -> None:
    desk = Seated("sixty-five-card-poker")
    for at in (10.0, 12.0, 14.0):
        desk.hand(1, "discard", at=at)
    desk.put("discard", None, at=10.5)
    desk.look(15.0)
    desk.hand(1, "stock", at=16.0)
    desk.look(17.5)
    (question,) = desk.look(22.0).questions
    assert [len(action.cards) for action in question.choices] == [3, 4, 5]


def test_an_exchange_is_not_over_before_the_new_cards_are_taken() -> None:
    """Five hands brought five cards, which nobody saw; nobody was at the stock yet."""
    desk = Seated("sixty-five-card-poker")
    for n in range(5):
        desk.hand(1, "discard", at=10.0 + 1.2 * n)
    desk.put("discard", None, at=10.5)
    desk.look(15.5)
    assert desk.look(17.0).questions == () and desk.told == []
    for n in range(5):
        desk.hand(1, "stock", at=17.2 + 1.2 * n)
        assert desk.look(17.9 + 1.2 * n).questions == ()
    (question,) = desk.look(27.0).questions
    assert desk.told == [] and [len(action.cards) for action in question.choices] == [3, 4, 5]


def visit(*stops: tuple[tuple[float, float], float, float], number: int = 1) -> Visit:
    return Visit(number, EDGE, tuple(Stop(*stop) for stop in stops), stops[0][1], stops[-1][2])


def reaches(*visits: Visit) -> int:
    return len(touches(SQUARES, SeenTable(9.0, True, Unit.MM, size=(1000.0, 600.0), visits=visits)))


@pytest.mark.parametrize(
    ("away", "gap", "count"),
    [((600.0, 560.0), 0.5, 2), ((600.0, 560.0), 0.3, 1), ((600.0, 350.0), 0.5, 1), ((600.0, 350.0), 0.8, 2)],
)
def test_a_hand_has_reached_twice_if_it_drew_back_between_or_was_away_for_long(away, gap, count) -> None:
    """No hand goes and comes within 0.4 s: there its tip was not found."""
    assert reaches(visit((STOCK, 2.0, 2.4), (away, 2.4 + gap / 3, 2.4 + gap / 2), (STOCK, 2.4 + gap, 3.6))) == count


@pytest.mark.parametrize(("gone", "zones"), [(0.08, ["stock"]), (0.2, ["stock", "nearer", "stock"])])
def test_what_is_seen_of_an_arm_while_its_tip_rests_unseen_is_no_reach(gone: float, zones: list[str]) -> None:
    """It would have been there and back faster than any hand: a deck nearer to the player gave no card."""
    nearer = ZoneShape("nearer", ((550.0, 500.0), (650.0, 500.0), (650.0, 580.0), (550.0, 580.0)))
    layout = replace(SQUARES, zones=(*SQUARES.zones, nearer))
    seen = visit((STOCK, 2.0, 2.2), ((600.0, 540.0), 2.2 + gone, 2.4 + gone), (STOCK, 2.4 + 2 * gone, 3.0))
    table = SeenTable(9.0, True, Unit.MM, size=(1000.0, 600.0), visits=(seen,))
    assert [touch.zone for touch in touches(layout, table)] == zones


@pytest.mark.parametrize(("rests", "count"), [((600.0, 560.0), 1), ((600.0, 275.0), 0), (None, 0)])
def test_a_hand_from_under_one_at_rest_has_come_to_where_it_is_first_seen(
    rests: tuple[float, float] | None, count: int
) -> None:
    """The arm is hidden; it is seen for a moment at the stock and on its way back. A hand at rest only trembles, and
    one that was never seen to come only leaves."""
    before = () if rests is None else ((rests, 2.0, 2.1),)
    assert reaches(visit(*before, (STOCK, 7.0, 7.08), ((600.0, 340.0), 7.16, 7.16))) == count


def test_a_hand_that_is_lost_for_a_moment_is_one_hand() -> None:
    first, second = visit((STOCK, 2.0, 2.4)), visit((STOCK, 2.6, 3.0), number=2)
    assert reaches(first, second) == 1
    assert reaches(first, visit((STOCK, 3.4, 3.8), number=2)) == 2


def test_a_stack_to_which_cards_came_is_not_waited_for() -> None:
    """Nothing has left that may come back."""
    desk = Watched("pokard-trick", 4, Action("in", 1))
    desk.hand(2, "folded", at=8.4)
    desk.put("folded", None, at=8.9)
    desk.look(9.3)
    assert desk.told == [("in", 1, ()), ("fold", 2, ())]


# --- when he was there -----------------------------------------------------------------------------------------------


def test_whoever_lays_a_joker_and_then_takes_a_card_had_him_in_his_hand() -> None:
    desk = Seated("joker-quest")
    desk.hand(2, "joker", "stock", at=10.0)
    desk.put("joker", "JK1", at=10.5)
    desk.look(12.0)
    desk.look(14.0)
    assert desk.told == [("joker", 2, ("JK1",))]


@pytest.mark.parametrize(
    ("zones", "told"), [(("stock", "joker"), ("turn-up", None)), (("joker", "stock"), ("joker", 2))]
)
def test_a_joker_was_turned_up_or_shown_as_the_hand_was_at_the_stock_before_or_after(
    zones: tuple[str, ...], told: tuple[str, int | None]
) -> None:
    """For one that was shown another card is drawn."""
    desk = Seated("joker-quest")
    desk.hand(2, *zones, at=10.0)
    desk.put("joker", "JK1", at=10.5 + zones.index("joker"))
    desk.look(12.5)
    desk.look(16.0)
    assert desk.told == [(*told, ("JK1",))]


def test_a_joker_just_after_a_hand_at_the_stock_may_have_been_turned_up_or_shown() -> None:
    """While that was there, and nowhere else, it came to lie."""
    desk = Seated("joker-quest")
    desk.hand(2, "stock", at=10.0)
    desk.put("joker", "JK1", at=10.3)
    desk.look(12.5)
    (question,) = desk.look(16.0).questions
    assert {(action.kind, action.seat) for action in question.choices} >= {("turn-up", None), ("joker", 2)}
    assert desk.told == []


def test_who_has_dealt_and_lays_a_joker_may_have_turned_it_up_or_shown_it() -> None:
    """His hand was at the stock all the time, and puts it down."""
    desk = Seated("joker-quest")
    desk.hand(2, "stock", "penalty:2", "stock", "joker", at=10.0)
    desk.put("joker", "JK1", at=13.4)
    desk.look(14.5)
    assert desk.told == []
    (question,) = desk.look(17.0).questions
    assert {(action.kind, action.seat) for action in question.choices} >= {("turn-up", None), ("joker", 2)}


def test_a_step_of_which_only_hands_tell_is_to_be_seen_while_its_zones_do_not_rest() -> None:
    """A hand that is still over the discards may lay a card there: it did not surely shuffle them."""
    shuffle = Step(Filled(Action("reshuffle")), ("stock",), None, False, True, None, 0.0)
    assert to_be_seen(shuffle, {"stock": ZoneSeen(resting=False)})
    assert not to_be_seen(shuffle, {"stock": ZoneSeen()})
    assert not to_be_seen(replace(shuffle, seen=False), {"stock": ZoneSeen(resting=False)})


def test_what_came_with_the_cards_just_told_was_laid_by_a_hand_that_was_seen() -> None:
    """A corner of a card far below, read as a six, came to lie on the pile with the card that a hand laid there."""
    hands = Hands(told=True)
    assert not hands.told_already(20.0), "nothing is told"
    hands.explain([], [Part(0, frozenset({"discard"}), frozenset(), 0.0, since=20.0)])
    assert hands.told_already(20.0) and hands.told_already(18.0)
    assert not hands.told_already(20.1) and not hands.told_already(None)
    hands.told = False
    assert not hands.told_already(20.0), "the camera tells of no hands"


def test_a_hand_between_two_zones_reached_for_the_one_that_it_was_in() -> None:
    """It goes a little too far with the card that it lays: it was not at the stock."""
    stops = (Stop((526.0, 250.0), 1.0, 1.2), Stop((490.0, 250.0), 1.3, 1.6), Stop((0.0, 250.0), 1.8, 1.8))
    lays = Visit(1, (-100.0, 250.0), stops, 0.0, 9.0)
    seen = SeenTable(10.0, True, Unit.MM, size=(1000.0, 600.0), visits=(lays,))
    assert {touch.zone for touch in touches(SQUARES, seen)} == {"discard"}
    nearer = Stop((520.0, 250.0), 1.0, 1.2)
    beside = replace(seen, visits=(replace(lays, stops=(nearer,)),))
    assert [touch.zone for touch in touches(SQUARES, beside)] == ["discard"], "the nearer one"


def test_who_takes_card_after_card_from_a_stack_has_drawn_once_he_stays_away() -> None:
    desk = aces_king()
    desk.play(0, "2C", at=40.0)
    for at in (46.0, 47.7, 49.4):
        desk.hand(0, "stock", at=at)
        for now in (at + 0.2, at + 0.6, at + 1.4):
            desk.look(now)
            assert desk.told[-1][0] == "play"
    desk.look(51.5)
    assert desk.told[-1] == ("draw", 0, ("?",) * 4)


def test_two_cards_that_one_player_took_are_told_though_nobody_knows_which_came_first() -> None:
    """A dealer's hands covered his place; the one order leads to the same table as the other."""
    rules = game("trading-poker")
    steps = [step.action for step in play(rules, table_setup(rules, 4), random.Random(2), "simple", 80)]
    pairs = (n for n in range(len(steps) - 1) if all(step.kind == "take" for step in steps[n : n + 2]))
    both = (n for n in pairs if steps[n].seat == steps[n + 1].seat and steps[n].args == steps[n + 1].args)
    at = next(n for n in both if dict(steps[n].args)["source"] == "stock")
    desk, seat = Seated("trading-poker", *steps[:at]), steps[at].seat or 0
    desk.look(9.0)
    desk.hand(seat, "stock", at=10.0)
    desk.hand(seat, "stock", at=12.0)
    desk.put(f"keep:{seat}", *steps[at].cards, *steps[at + 1].cards, at=14.0)
    found = [desk.look(now) for now in (15.0, 18.0, 22.0)]
    assert sorted(cards for *_, cards in desk.told[at:]) == sorted(step.cards for step in steps[at : at + 2])
    assert not any(one.questions for one in found)


@pytest.mark.parametrize("ways", [("stock", "discard"), ("discard", "stock")])
def test_a_stack_that_a_hand_only_reached_for_after_its_card_lay_gave_none_before(ways: tuple[str, str]) -> None:
    """Whoever loops draws, then discards: a hand that lingers at the stock on its way out has thrown after dice."""
    desk = Seated("hexa-card")
    desk.look(9.0)
    desk.hand(0, *ways, at=10.0)
    desk.put("discard", "9C", at=11.2 if ways[0] == "stock" else 10.3)
    desk.look(12.0)
    found = desk.look(16.0)
    told = [kind for kind, *_ in desk.told]
    assert told == ["loop"] if ways[0] == "stock" else "loop" not in told and (told or found.questions)


def test_in_which_order_one_player_laid_cards_on_a_pile_makes_a_difference() -> None:
    desk = aces_king()
    beam = desk.observer._beam
    assert beam is not None
    first, then = (Action("play", 0, (face,)) for face in ("2C", "9C"))
    steps = {one: Step(Filled(one), ("discard",), None, False, True, None, 0.0) for one in (first, then)}
    ways = []
    for order in ((first, then), (then, first)):
        state, told = desk.match.state, []
        for action in order:
            state = desk.match.game.apply(state, action)
            told.append(replace(steps[action], after=state))
        ways.append(Hypothesis(state, {}, tuple(told)))
    assert not _has(beam, ways[1], ways[0], 0) and _has(beam, ways[0], ways[0], 0)
