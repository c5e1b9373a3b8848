"""While the camera was pushed, covered or gone nobody watched: more may have come than what is seen of it."""

from __future__ import annotations

import pytest

from companion.games import Action
from companion.referee import Acted
from companion.table import Observer
from tests.table.test_following import Desk


def played() -> Desk:
    desk = Desk("aces-king", 4)
    desk.put("discard", "8H", at=10.0)
    desk.look(10.6)
    desk.look(14.0)
    assert desk.told == [("play", 0, ("8H",))]
    return desk


@pytest.mark.parametrize("anew", [False, True], ids=["goes on", "marked anew"])
def test_a_card_that_came_while_nobody_watched_is_asked_about(anew: bool) -> None:
    """Another one may lie under it."""
    desk = played()
    if anew:
        desk.observer = Observer(desk.table.layout)
    desk.observer.memory.lapse()
    desk.put("discard", "9C", at=20.0)
    found = [desk.look(now) for now in (20.6, 24.0)][-1]
    assert desk.told == [("play", 0, ("8H",))]
    (question,) = found.questions
    assert Action("play", 1, ("9C",)) in question.choices
    desk.match = desk.match.then(Acted(Action("play", 1, ("9C",))))
    desk.observer.answered(question.key, desk.match.entries[-1].seq)
    desk.look(26.0)
    desk.put("discard", "QD", at=30.0)
    desk.look(30.6)
    desk.look(34.0)
    assert desk.told[1:] == [("play", 1, ("9C",)), ("play", 2, ("QD",))]


def test_what_comes_once_its_place_has_been_seen_again_is_told() -> None:
    desk = played()
    desk.observer.memory.lapse()
    for now in (15.0, 15.5, 16.1):
        assert not desk.look(now).questions
    desk.put("discard", "9C", at=20.0)
    desk.look(20.6)
    desk.look(24.0)
    assert desk.told[-1] == ("play", 1, ("9C",))


def test_a_place_under_a_hand_is_seen_again_only_when_it_has_left() -> None:
    desk = played()
    desk.observer.memory.lapse()
    for now in (15.0, 15.5, 18.0):
        desk.look(now, "discard")
    desk.put("discard", "9C", at=20.0)
    desk.look(20.6)
    assert desk.look(24.0).questions and desk.told == [("play", 0, ("8H",))]
