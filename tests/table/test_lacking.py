"""A row of which one card cannot be seen is asked about, and told once people have named that card."""

from __future__ import annotations

from companion.games import Action
from companion.table.ask import Question
from tests.table.test_following import Desk

THREE = ("AH", "8S", "7C")


def dealt() -> Desk:
    """Two of three cards lie there; something lies over the third one."""
    desk = Desk("three-card-showdown", 3)
    desk.put("hand:0", *THREE[:2], at=10.0)
    desk.look(11.0)
    return desk


def test_the_card_that_nobody_sees_is_asked_for_once_the_others_have_lain_for_long() -> None:
    desk = dealt()
    early = desk.look(13.0)
    assert early.questions == () and early.due is not None
    (question,) = desk.look(early.due + 4.0).questions
    assert question.kind == "card" and question.zone == "hand:0" and question.text.key == "question.lacking"
    assert question.track is not None and desk.told == []
    desk.observer.name(question.track, "7C")
    desk.observer.dismiss(question.key)
    desk.look(18.0)
    desk.look(21.0)
    assert desk.told == [("lay", 0, tuple(sorted(THREE)))]


def test_what_lacks_is_asked_for_rather_than_whether_what_came_next_happened() -> None:
    """The hand that lacks a card holds back the next one; once that card is named both are told."""
    drawn = (Action("exchange", seat, ("?",) * 5) for seat in (1, 2, 3, 0))
    desk, now = Desk("sixty-five-card-poker", 4, *drawn), 11.5
    lacks = ["undertaker.temple", "arms_dealer.nomad", "arms_dealer.fed", "moon_earth.fed"]
    desk.put("hand:1", *lacks, at=10.0)
    desk.look(11.0)
    desk.put("hand:3", "sniper.fed", "shepherd.nomad", "cruiser.temple", "sniper.temple", "staff.free", at=now)
    questions: list[Question] = []
    while now < 14.5 and not questions:
        now += 0.5
        questions = list(desk.look(now).questions)
    (question,) = questions
    assert question.kind == "card" and question.zone == "hand:1" and question.track is not None
    desk.observer.name(question.track, "prayer.free")
    desk.observer.dismiss(question.key)
    desk.look(now + 0.5)
    desk.look(now + 4.0)
    assert [(kind, seat) for kind, seat, _ in desk.told[4:]] in ([("open", 1), ("open", 3)], [("open", 3), ("open", 1)])


def test_when_it_is_seen_after_all_nothing_is_asked_and_nothing_comes_twice() -> None:
    desk = dealt()
    (question,) = desk.look(18.0).questions
    assert question.track is not None
    desk.observer.name(question.track, "7C")
    desk.observer.dismiss(question.key)
    desk.look(19.0)
    desk.put("hand:0", "7C", at=20.0)
    desk.look(21.0)
    found = desk.look(26.0)
    assert desk.told == [("lay", 0, tuple(sorted(THREE)))] and found.questions == () and found.differences == ()


def test_who_says_that_there_is_none_is_not_asked_again() -> None:
    desk = dealt()
    (question,) = desk.look(18.0).questions
    assert question.track is not None
    desk.observer.name(question.track, None)
    desk.observer.dismiss(question.key)
    assert desk.look(19.0).questions == () and desk.look(30.0).questions == () and desk.told == []


def test_two_that_are_not_seen_are_not_asked_for() -> None:
    desk = Desk("three-card-showdown", 3)
    desk.put("hand:0", "AH", at=10.0)
    desk.look(11.0)
    assert all(question.text.key != "question.lacking" for question in desk.look(30.0).questions)


def test_a_row_that_is_complete_lacks_nothing() -> None:
    desk = Desk("three-card-showdown", 3, Action("lay", 0, THREE))
    desk.look(6.0)
    assert desk.look(30.0).questions == ()
