"""People say that what the camera asks about did not happen: what it saw there troubles nobody afterwards."""

from __future__ import annotations

import math

import pytest

from companion.games import Action, Msg
from companion.referee import Acted
from companion.table import Question
from tests.table.test_following import Desk
from tests.table.test_visits import aces_king


@pytest.mark.parametrize("theirs", [None, Action.of("play", 1, ("8D",))])
def test_a_card_that_people_wave_away_is_no_news_where_the_next_one_comes(theirs: Action | None) -> None:
    """A ghost beside a played card: people wave it away, or tell what was laid in its place."""
    desk = aces_king()
    desk.hand(0, "discard", at=40.0)
    desk.put("discard", "7H", at=40.5)
    desk.look(41.2)
    desk.put("discard", "8C", at=40.5)
    desk.look(41.6)
    (question,) = desk.look(44.0).questions
    assert question.choices == (Action.of("play", 1, ("8C",)),) and desk.told[-1] == ("play", 0, ("7H",))
    desk.observer.dismiss(question.key)
    desk.look(47.0)
    if theirs is not None:
        desk.match = desk.match.then(Acted(theirs))
        desk.look(47.5)
    turn = 1 if theirs is None else 2
    desk.hand(turn, "discard", at=50.0)
    desk.put("discard", "9S", at=50.5)
    for now in (51.2, 53.0, 58.0):
        assert desk.look(now).questions == ()
    assert desk.told[-1] == ("play", turn, ("9S",))


@pytest.mark.parametrize("taken", [True, False])
def test_a_card_of_a_pile_that_was_taken_is_asked_about_where_no_hand_has_laid_it(taken: bool) -> None:
    desk = aces_king()
    (seen,) = desk.put("discard", "8C", at=44.0)
    if taken:
        desk.observer.memory.buried[seen.track] = math.inf
    desk.look(44.6)
    questions = desk.look(48.0).questions
    assert [(q.kind, q.choices) for q in questions] == [("several", (Action.of("play", 0, ("8C",)),))] * taken
    assert (desk.told[-1] == ("play", 0, ("8C",))) is not taken


def test_what_is_waved_away_after_people_told_of_its_place_speaks_against_nothing_any_more() -> None:
    """A ghost without a name lay beside the cards that people told; later it has the name of one of them."""
    desk = Desk("three-card-showdown", 4, deck="52D2")
    desk.put("hand:0", "AS", "KS", "QS", at=10.0)
    (ghost,) = desk.put("hand:0", None, at=10.0)
    desk.look(10.2, "hand:0")
    desk.match = desk.match.then(Acted(Action("lay", 0, ("AS", "KS", "QS"))))
    for now in (11.0, 14.0):
        desk.look(now)
    ghost.face, desk.table.stirred["hand:0"] = "QS", 15.0
    questions = [q for now in (16.0, 18.0, 20.0, 22.0) for q in desk.look(now).questions]
    assert {question.kind for question in questions} == {"unexplained"}
    desk.observer.dismiss(questions[-1].key)
    desk.put("hand:1", "2D", "5C", "9H", at=25.0)
    assert [desk.look(now).questions for now in (26.0, 29.0, 32.0)] == [()] * 3
    assert desk.told[-1] == ("lay", 1, ("2D", "5C", "9H"))


@pytest.mark.parametrize("there", [True, False])
def test_what_did_not_come_to_a_pile_is_nothing_only_where_it_lies_on_that_pile(there: bool) -> None:
    """A card before a player was asked about as if he had discarded it."""
    desk = Desk("hexa-card", 3)
    place = "discard" if there else "shown:0"
    (card,) = desk.put(place, "8C", at=44.0)
    desk.look(44.6)
    (seen,) = (one for one in desk.observer.memory.zones[place].cards if one.track == card.track)
    asked = Question("8C?", "several", "discard", ("8C",), Msg.of(""), (Action.of("loop", 0, ("8C",)),), odd=(seen,))
    desk.observer._asked[asked.key] = (asked, 45.0, {})
    desk.observer.dismiss(asked.key)
    assert (card.track in desk.observer.memory.named) is there
