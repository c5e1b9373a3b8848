"""A row of which one card cannot be seen is asked about, and told once people have named that card."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games import Action
from companion.referee import Acted
from companion.table import Observation
from companion.table.ask import Question
from companion.vision.types import Candidate
from tests.table.test_following import Desk

THREE = ("AH", "8S", "7C")
LIKE_A_FIVE = Candidate("5D", 0.7), Candidate("5H", 0.1)


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


def test_two_that_nobody_sees_are_asked_for_one_after_the_other() -> None:
    """They lie exactly under the third one."""
    desk = Desk("three-card-showdown", 3)
    desk.put("hand:0", "AH", at=10.0)
    early = desk.look(11.0)
    assert early.questions == () and early.due is not None
    numbers = []
    for now, face in ((early.due, "8S"), (early.due + 1.0, "7C")):
        (question,) = desk.look(now).questions
        assert question.text.key == "question.lacking" and question.track is not None and desk.told == []
        numbers.append(question.track)
        desk.observer.name(question.track, face)
        desk.observer.dismiss(question.key)
    assert len({*numbers}) == 2
    desk.look(early.due + 2.0)
    desk.look(early.due + 5.0)
    assert desk.told == [("lay", 0, tuple(sorted(THREE)))]


def test_of_three_cards_that_nobody_sees_people_tell_themselves() -> None:
    """Whoever lays his cards one after the other has only begun."""
    desk = Desk("sixty-five-card-poker", 4, *(Action("exchange", seat, ("?",) * 5) for seat in (1, 2, 3, 0)))
    desk.put("hand:1", "undertaker.temple", "arms_dealer.nomad", at=10.0)
    desk.look(11.0)
    assert all(question.text.key != "question.lacking" for question in desk.look(30.0).questions)


def test_of_two_seen_the_nameless_one_is_asked_about_first() -> None:
    desk = Desk("three-card-showdown", 3)
    unread, _ = desk.put("hand:0", "AH", "8S", at=10.0)
    unread.shown, unread.until = (None, LIKE_A_FIVE), 99.0
    desk.look(11.0)
    assert desk.look(14.0).questions == ()
    (first,) = desk.look(18.0).questions
    assert first.track == unread.track and first.text.key == "question.card"
    desk.observer.name(unread.track, "AH")
    desk.observer.dismiss(first.key)
    desk.look(19.0)
    (last,) = desk.look(25.0).questions
    assert last.text.key == "question.lacking" and desk.told == []


def test_a_row_that_is_complete_lacks_nothing() -> None:
    desk = Desk("three-card-showdown", 3, Action("lay", 0, THREE))
    desk.look(6.0)
    assert desk.look(30.0).questions == ()


class Tight(Desk):
    """Two decks; the nameless `unread` lies in a tight row, its outline almost where that of its neighbour is."""

    def __init__(self, *candidates: Candidate, overlap: bool = True) -> None:
        super().__init__("three-card-showdown", 3, deck="52D2")
        self.unread, self.neighbour, _ = self.put("hand:0", "5D", "AH", "8S", at=10.0)
        self.unread.shown, self.unread.until, self.overlap = (None, candidates), 999.0, overlap

    def look(self, now: float, *hands: str) -> Observation:
        seen = self.table.seen(now, hands)
        over = next((card for card in seen.cards if card.face == "AH"), None)
        if over is not None and self.overlap:
            on = tuple((x, y + 0.001) for x, y in over.polygon)
            cards = (replace(c, polygon=on) if c.track == self.unread.track else c for c in seen.cards)
            seen = replace(seen, cards=tuple(cards))
        found = self.observer.look(self.match, seen)
        for proposal in found.proposals:
            self.match = self.match.then(Acted(proposal.action, "camera"))
        return found

    def ask(self, start: float) -> Question:
        """The question about the nameless card, as soon as it is asked."""
        for tenth in range(100):
            if questions := self.look(start + tenth / 10).questions:
                (question,) = questions
                assert question.kind == "card" and question.zone == "hand:0"
                return question
        raise AssertionError("nothing was asked")


def test_who_names_the_card_that_lies_over_the_nameless_one_is_asked_once_more() -> None:
    """People read the card on top; the row has no second copy of it."""
    desk = Tight(*LIKE_A_FIVE)
    desk.look(11.0)
    first = desk.ask(12.0)
    assert first.track == desk.unread.track and first.text.key == "question.card"
    assert desk.observer.name(desk.unread.track, "AH") == desk.neighbour.track
    desk.observer.dismiss(first.key)
    again = desk.ask(20.0)
    assert again.track == -desk.unread.track and again.text.key == "question.lacking" and desk.told == []
    desk.observer.name(-desk.unread.track, "5D")
    desk.observer.dismiss(again.key)
    desk.look(30.0)
    assert desk.told == [("lay", 0, ("5D", "8S", "AH"))]


def test_a_true_second_copy_is_believed_when_it_is_named_once_more() -> None:
    desk = Tight(*LIKE_A_FIVE)
    desk.look(11.0)
    for start, track in ((12.0, desk.unread.track), (20.0, -desk.unread.track)):
        question = desk.ask(start)
        desk.observer.name(track, "AH")
        desk.observer.dismiss(question.key)
    desk.look(30.0)
    assert desk.told == [("lay", 0, ("8S", "AH", "AH"))]


@pytest.mark.parametrize(
    ("overlap", "candidates"), [(False, LIKE_A_FIVE), (True, (Candidate("AH", 0.6), Candidate("AD", 0.2)))]
)
def test_a_second_copy_that_looks_like_it_or_lies_apart_is_believed_at_once(
    overlap: bool, candidates: tuple[Candidate, ...]
) -> None:
    desk = Tight(*candidates, overlap=overlap)
    desk.look(11.0)
    question = desk.ask(12.0)
    assert desk.observer.name(desk.unread.track, "AH") == desk.unread.track
    desk.observer.dismiss(question.key)
    desk.look(20.0)
    assert desk.told == [("lay", 0, ("8S", "AH", "AH"))]
