"""A hand that the camera loses on its way in may have done something that nobody saw: people are asked."""

from __future__ import annotations

import random

import pytest

from companion.games import Action, game
from companion.referee import Acted
from companion.referee.simulate import play, table_setup
from companion.table.touches import was_lost
from companion.vision.types import Stop, Visit
from tests.table.test_visits import EDGES, Watched

IN, DEEP, OUT = (0.5, 0.1), (0.5, 0.4), (0.5, -0.1)


@pytest.mark.parametrize(
    ("stops", "ended", "lost"),
    [
        ((Stop(IN, 1.0, 1.0), Stop(DEEP, 1.1, 1.1)), 1.2, True),
        ((Stop(IN, 1.0, 1.0), Stop(DEEP, 1.1, 1.1)), None, False),
        ((Stop(IN, 1.0, 1.0), Stop(DEEP, 1.1, 1.6)), 1.7, False),
        ((Stop(IN, 1.0, 1.0), Stop(DEEP, 1.1, 1.1), Stop(OUT, 1.2, 1.2)), 1.3, False),
        ((Stop(IN, 1.0, 1.0), Stop(DEEP, 3.0, 3.0)), 3.1, False),
        ((Stop(DEEP, 1.0, 1.0),), 1.1, False),
    ],
    ids=["on its way in", "still there", "stayed", "came out again", "seen anew", "seen once"],
)
def test_a_hand_is_lost_where_it_was_last_seen_on_its_way_in(
    stops: tuple[Stop, ...], ended: float | None, lost: bool
) -> None:
    assert was_lost(Visit(1, (0.5, -0.2), stops, 1.0, ended)) is lost


@pytest.mark.parametrize("lost", [True, False])
def test_whoever_was_lost_on_his_way_in_may_have_drawn_before_the_next_player_passed(lost: bool) -> None:
    rules = game("joker-quest")
    steps = [step.action for step in play(rules, table_setup(rules, 4), random.Random(2), "simple", 80)]
    played, drawn, passed = steps[11:14]
    assert (played.kind, drawn.kind, passed.kind) == ("play", "draw", "pass")
    desk = Watched("joker-quest", 4, *steps[:11])
    desk.hand(0, "road", at=10.0)
    desk.put("road", *played.cards, at=10.5)
    desk.look(11.2)
    desk.look(14.0)
    if lost:
        desk.visits += (Visit(9, EDGES[0], (Stop((0.5, 0.9), 16.0, 16.0), Stop((0.5, 0.6), 16.1, 16.1)), 16.0, 16.2),)
    desk.look(16.5)
    desk.hand(1, "penalty:1", at=18.0)
    desk.put("penalty:1", *passed.cards, at=18.5)
    found = [desk.look(now) for now in (19.2, 20.0, 22.0, 24.0)]
    told = [Action(kind, seat) for kind, seat, _ in desk.told[11:]]
    assert told == [Action("play", 0)] + [Action("pass", 1)] * (not lost)
    asked = {(action.kind, action.seat) for question in found[-1].questions for action in question.choices}
    assert (("draw", 0) in asked) is lost


@pytest.mark.parametrize("reached", [True, False])
def test_a_card_that_is_not_found_any_more_though_nobody_reached_for_it_is_asked_about(reached: bool) -> None:
    """A player folds one of his exposed cards; or a look misses it, and goes on missing it."""
    rules = game("three-card-trick-poker")
    steps = list(play(rules, table_setup(rules, 4), random.Random(3), "simple", 10))[:6]
    seat = steps[5].action.seat
    zone = next(zone for zone in rules.expected_table(steps[5].before) if zone.id == f"exposed:{seat}")
    desk = Watched("three-card-trick-poker", 4, *(step.action for step in steps[:5]))
    desk.hand(seat or 0, zone.id if reached else "stock:0", at=19.6)
    desk.look(19.8)
    desk.clear(zone.id, zone.cards[-1], at=20.0)
    found = [desk.look(now) for now in (20.7, 22.0, 24.0, 26.0)]
    assert (desk.told[5:] == [("fold", seat, zone.cards[-1:])]) is reached
    assert reached or found[-1].questions


@pytest.mark.parametrize("hand", [True, False], ids=["gone with the hand", "missing before"])
def test_a_kings_card_that_was_missing_before_is_not_told_as_attacked(hand: bool) -> None:
    """A look missed it from the turn before on; whoever plays then has not attacked it, as far as anybody knows."""
    rules = game("joker-quest")
    steps = [step.action for step in play(rules, table_setup(rules, 4), random.Random(6), "simple", 10)]
    *told, before, drawn, attack = steps[:6]
    kings = [str(dict(action.args)["king"]) for action in (before, attack)]
    desk = Watched("joker-quest", 4, *told)
    desk.look(6.0)
    desk.clear("kings", *kings[: 1 if hand else 2], at=8.0)
    desk.put("road", *before.cards, at=8.0)
    desk.match = desk.match.then(Acted(before, "tap")).then(Acted(drawn, "tap"))
    desk.look(9.0, "kings")  # a hand lies over them while people tell of it
    desk.look(10.0)
    desk.look(11.0)
    desk.hand(attack.seat or 0, *(["kings"] if hand else []), "road", at=19.6)
    desk.look(19.8)
    if hand:
        desk.clear("kings", kings[1], at=20.0)
    desk.put("road", *attack.cards, at=20.4)
    found = [desk.look(now) for now in (21.2, 22.0, 24.0, 27.0)]
    assert ([kind for kind, *_ in desk.told[5:]] == ["attack"]) is hand
    asked = {action.kind for question in found[-1].questions for action in question.choices}
    assert asked == (set() if hand else {"attack", "play"})


@pytest.mark.parametrize("another", [True, False])
def test_a_card_first_seen_once_another_player_was_there_may_be_his(another: bool) -> None:
    """He may have laid it over the second card of whoever was there before."""
    rules = game("joker-quest")
    steps = [step.action for step in play(rules, table_setup(rules, 4), random.Random(0), "simple", 80)]
    laid = steps[9]
    assert (laid.kind, laid.seat, len(laid.cards)) == ("play", 3, 2)
    desk = Watched("joker-quest", 4, *steps[:9])
    desk.hand(3, "road", at=10.0)
    desk.put("road", laid.cards[0], at=10.5)
    desk.look(11.2)
    desk.hand(0 if another else 3, "road", at=11.6)
    desk.put("road", laid.cards[1], at=12.1)
    found = [desk.look(now) for now in (12.8, 14.0, 16.0, 18.0)]
    both, told = sorted(laid.cards), [(kind, seat, sorted(cards)) for kind, seat, cards in desk.told[9:]]
    asked = [sorted(choice.cards) for question in found[-1].questions for choice in question.choices]
    assert told == ([] if another else [("play", 3, both)]) and asked == ([both] if another else [])
