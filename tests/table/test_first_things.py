"""A card that came first and has no name is spoken of before what came after it."""

from __future__ import annotations

import random

from companion.games import Action, Setup, game
from companion.referee.simulate import play
from companion.vision.types import Candidate
from tests.table.test_following import Desk

KNOWN = (
    Action.of("refill", None, ("4D", "7C", "8S", "AC", "AH")),
    Action.of("take", 0, ("9S",), source="stock"),
)


def turn(chance: float) -> Desk:
    """A joker that looks a little like an ace comes from the stock, and the card that is taken instead after it."""
    desk = Desk("trading-poker", 4, *KNOWN)
    (joker,) = desk.put("joker", "JK1", at=10.0)
    joker.shown, joker.until = (None, (Candidate("AH", chance),)), 99.0
    desk.look(10.6)
    desk.look(11.2)
    desk.put("keep:0", "AD", at=13.0)
    return desk


def test_what_came_after_a_card_without_a_name_waits_until_people_say_what_that_is() -> None:
    desk = turn(0.14)
    before = len(desk.told)
    found = [desk.look(at) for at in (13.6, 14.5, 16.0)]
    assert len(desk.told) == before
    (question,) = found[-1].questions
    assert (question.kind, question.zone) == ("card", "joker")
    assert question.track is not None
    desk.observer.name(question.track, None)
    for at in (16.5, 17.5, 21.0):
        desk.look(at)
    assert desk.told[-1] == ("take", 0, ("AD",))


def test_what_hardly_looks_like_a_card_holds_nothing_back() -> None:
    desk = turn(0.04)
    desk.look(13.6)
    desk.look(14.5)
    assert desk.told[-1] == ("take", 0, ("AD",))


def test_it_waits_as_well_while_a_hand_is_over_that_card() -> None:
    desk = turn(0.14)
    before = len(desk.told)
    for at in (13.6, 14.5, 16.0):
        desk.look(at, "joker")
    assert len(desk.told) == before


def test_what_came_after_a_card_that_people_are_asked_about_waits_too() -> None:
    """It lies where a card may be laid just now, and looks like none."""
    desk = Desk("joker-quest", 4, Action("turn-up", None, ("7C",)), Action("play", 0, ("7D",)))
    (passed,) = desk.put("penalty:1", "3S", at=10.0)
    passed.shown, passed.until = (None, (Candidate("3S", 0.01),)), 99.0
    before = len(desk.told)
    for at in (10.6, 12.0, 13.0):
        desk.look(at)
    desk.put("road", "KD", at=14.0)
    found = [desk.look(at) for at in (14.6, 15.5, 18.0)]
    assert len(desk.told) == before
    question = next(q for q in found[-1].questions if q.kind == "card")
    assert question.zone == "penalty:1" and question.track is not None
    desk.observer.name(question.track, "3S")
    for at in (18.5, 19.5, 23.0):
        desk.look(at)
    assert desk.told[before:][:1] == [("pass", 1, ("3S",))]


def test_a_card_without_a_name_is_said_first_where_its_player_can_lay_none_once_the_next_one_has() -> None:
    setup, rules = Setup(("Aki", "Ben", "Chie", "Dan")), game("three-card-trick-poker")
    actions = [step.action for step in play(rules, setup, random.Random(5), limit=80)]
    first = next(n for n, action in enumerate(actions) if (action.kind, action.cards) == ("expose", ("4H",)))
    expose, _, following = actions[first : first + 3]
    desk = Desk("three-card-trick-poker", 4, *actions[:first])
    (exposed,) = desk.put(f"exposed:{expose.seat}", "4H", at=10.0)
    exposed.shown, exposed.until = (None, (Candidate("4H", 0.3),)), 99.0
    before = len(desk.told)
    desk.look(11.0)
    desk.clear(f"exposed:{following.seat}", "4D", at=12.9)
    desk.put(f"play:{following.seat}", "4D", at=13.0)
    for at in (13.6, 14.0):
        assert desk.look(at).proposals == ()
    (question,) = desk.look(17.5).questions
    assert (question.kind, question.zone, len(desk.told)) == ("card", f"exposed:{expose.seat}", before)
    assert question.track is not None
    desk.observer.name(question.track, "4H")
    for at in (18.0, 19.0, 22.0):
        desk.look(at)
    assert desk.told[before:] == [("expose", expose.seat, ("4H",)), ("play", following.seat, ("4D",))]
