"""What is told, or asked about, in time: before the next player's cards hide it, or the table is cleared."""

from __future__ import annotations

import random

import pytest

from companion.games import Action, Setup, game
from companion.referee import Acted
from companion.referee.simulate import play
from companion.vision.types import Candidate
from tests.table.test_lain import hexa
from tests.table.test_visits import Watched, aces_king


def test_two_who_laid_cards_that_nobody_saw_are_asked_about_one_after_the_other() -> None:
    """Both lie under the same cards."""
    desk = aces_king()
    for seat in (0, 1, 2):
        desk.hand(seat, "discard", at=40.0 + seat)
    desk.put("discard", "9C", at=42.5)
    desk.look(43.0)
    (first,) = desk.look(45.0).questions
    assert first.with_face("8H") == Action("play", 0, ("8H",))
    desk.match = desk.match.then(Acted(Action("play", 0, ("8H",)), "tap"))
    desk.observer.answered(first.key, len(desk.match.entries))
    desk.look(46.0)
    (second,) = desk.look(48.5).questions
    assert second.kind == "hidden" and second.with_face("8D") == Action("play", 1, ("8D",))


def test_who_may_lay_one_card_alone_lays_no_more_though_nobody_saw_his_hand() -> None:
    steps = list(play(game("trading-poker"), Setup(("Aki", "Ben", "Chie", "Dan")), random.Random(3), limit=60))
    at = next(n for n, step in enumerate(steps) if step.action.kind == "discard")
    desk = Watched("trading-poker", 4, *(step.action for step in steps[:at]))
    desk.hand(3, "stock", at=5.5)  # the camera tells of hands
    desk.look(7.0)
    before = len(desk.told)
    desk.put("discard", None, at=20.0)
    desk.look(20.6)
    assert [kind for kind, *_ in desk.told[before:]] == ["discard"]


def test_of_several_who_lay_backs_on_one_pile_none_is_told_before_his_turn() -> None:
    """Nobody sees whose they are. Who plays on says that all have laid theirs."""
    steps = list(play(game("trading-poker"), Setup(("Aki", "Ben", "Chie", "Dan")), random.Random(3), limit=80))
    at = next(n for n, step in enumerate(steps) if step.action.kind == "discard")
    due = [step.action.seat for step in steps[at : at + 4] if step.action.kind == "discard"]
    desk = Watched("trading-poker", 4, *(step.action for step in steps[:at]))
    desk.hand(3, "stock", at=5.5)
    desk.look(7.0)
    before = len(desk.told)
    desk.hand(due[0], "discard", at=19.5)
    desk.put("discard", None, at=20.0)
    desk.look(20.6)
    for seat, when in zip((*due[1:], due[1]), (21.5, 22.5, 23.5, 24.5), strict=False):
        desk.hand(seat, "discard", at=when)
    for when in (25.0, 26.0, 30.0):
        desk.look(when)
    assert [seat for kind, seat, *_ in desk.told[before:] if kind == "discard"] == due[:1]


def test_what_lies_on_a_card_by_now_puts_off_no_question_about_it() -> None:
    """Loop or dice? Somebody may have been at the stock; the next ones lay their cards every two seconds."""
    desk = Watched("hexa-card", 4)
    desk.unseen = 6.0
    asked: list[float] = []
    for seat, face in enumerate(("9C", "4D", "KH")):
        at = 10.0 + 1.9 * seat
        desk.hand(seat, "discard", at=at)
        desk.put("discard", face, at=at + 0.4)
        for later in (0.9, 1.3, 1.7):
            asked += [at + later for question in desk.look(at + later).questions if question.kind == "several"]
    assert asked and asked[0] < 14.0


def test_a_name_that_is_asked_for_is_asked_for_before_what_came_after_it_is_cleared() -> None:
    """It is not sure enough, and waited for; the next one's card, laid two seconds later, starts no new wait."""
    desk = Watched("aces-king", 4)
    desk.hand(0, "discard", at=10.0)
    (first,) = desk.put("discard", "9C", at=10.4)
    first.shown, first.until = (None, (Candidate("9C", 0.5), Candidate("9S", 0.03))), 99.0
    desk.look(11.5)
    desk.hand(1, "discard", at=12.6)
    desk.put("discard", "9H", at=13.0)
    asked = [at for at in (12.7, 13.4, 13.8, 14.6, 15.5) for q in desk.look(at).questions if q.kind == "card"]
    assert asked and asked[0] < 15.0 and desk.told == []


LEGAL, FOUL = "another card of the deck", "a card that lies there already"


@pytest.mark.parametrize(
    ("chance", "other", "waits"),
    [(0.95, LEGAL, False), (0.82, "", False), (0.82, FOUL, False), (0.82, LEGAL, True)],
)
def test_a_name_that_can_only_be_that_one_is_not_waited_for(chance: float, other: str, waits: bool) -> None:
    """Six cards are shown, and six lie there: the one that is less sure may be another one only if the rules let it."""
    desk, holy = hexa()
    zone = next(p.slot.target for p in desk.match.prompts() if (p.kind, p.seat) == (holy.kind, holy.seat) and p.slot)
    assert zone is not None
    before = len(desk.told)
    last = desk.put(zone, *holy.cards, at=10.0)[-1]
    face = holy.cards[-1]
    unlike = {"": None, FOUL: holy.cards[0], LEGAL: holy.cards[-1][:-1] + ("H" if face[-1] != "H" else "S")}[other]
    more = () if unlike is None else (Candidate(unlike, 0.1),)
    last.shown, last.until = (face, (Candidate(face, chance), *more)), 99.0
    desk.look(11.0)
    assert (len(desk.told) == before) is waits
    desk.look(14.0)
    assert len(desk.told) == before + 1


@pytest.mark.parametrize("true", ["8H", "7H", "9C"])
def test_a_card_without_a_sure_name_that_others_lie_on_is_asked_about_at_once(true: str) -> None:
    """No later look will show it; what people say counts, whatever it was taken for."""
    desk = aces_king()
    (unread,) = desk.put("discard", "8H", at=40.0)
    unread.shown, unread.until = (None, (Candidate("8H", 0.78), Candidate("7H", 0.03))), 99.0
    desk.look(40.6)
    desk.clear("discard", "8H", at=44.5)
    desk.put("discard", "9H", at=44.5)
    (question,) = desk.look(45.1).questions or desk.look(45.6).questions
    assert question.track == unread.track
    desk.observer.name(unread.track, true)
    desk.observer.dismiss(question.key)
    desk.look(46.0)
    desk.look(49.0)
    assert desk.told[-2:] == [("play", 0, (true,)), ("play", 1, ("9H",))]
