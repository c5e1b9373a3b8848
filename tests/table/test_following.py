"""What one look at a table tempts to: each case was told wrongly, or stopped the game, when looks were judged one by
one. The clock here is the camera's."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from companion.games import Action, Setup, game
from companion.referee import Acted, Corrected, Match, Started, TookBack
from companion.referee.simulate import play
from companion.table import Observation, Observer
from companion.vision.types import Candidate
from tests.table.bed_cards import Card, Table, Trouble


class Desk:
    """A match, its table and an observer; cards are put where the test wants them, moments (s) go by."""

    def __init__(self, game: str, players: int = 4, *actions: Action, deck: str = "") -> None:
        names = tuple(["Aki", "Ben", "Chie", "Dan"][:players])
        self.match = Match.of([Started(game, Setup(names, deck)), *(Acted(action) for action in actions)])
        start = self.match.game.expected_table(Match.of([Started(game, Setup(names, deck))]).state)
        self.table = Table([zone.id for zone in start], random.Random(1), Trouble(), self.match.deck.codes)
        self.table.become({zone.id: zone for zone in self.match.expected_table()}, 0.0)
        self.observer = Observer(self.table.layout)
        self.look(5.0)

    def put(self, zone: str, *faces: str | None, at: float) -> list[Card]:
        cards = [Card(next(self.table.numbers), face, at) for face in faces]
        self.table.cards[zone] += cards
        self.table.stirred[zone] = at
        return cards

    def clear(self, zone: str, *faces: str, at: float) -> None:
        cards = self.table.cards[zone]
        self.table.cards[zone] = [c for c in cards if faces and c.face not in faces]
        self.table.stirred[zone] = at

    def look(self, now: float, *hands: str) -> Observation:
        """One look; what surely happened is written down."""
        found = self.observer.look(self.match, self.table.seen(now, hands))
        for proposal in found.proposals:
            self.match = self.match.then(Acted(proposal.action, "camera"))
        return found

    @property
    def told(self) -> list[tuple[Any, ...]]:
        return [(a.kind, a.seat, tuple(sorted(a.cards))) for a in self.match.actions]


def refill() -> Desk:
    desk = Desk("trading-poker")
    desk.put("common", "AH", "8S", at=10.0)
    return desk


# --- (a) what may take more cards is not over at the first rest ------------------------------------------------------


def test_cards_laid_one_by_one_into_an_open_ended_place_are_one_action() -> None:
    desk = refill()
    found = desk.look(10.6)
    assert found.actions == () and found.questions == ()
    assert [a.kind for a in found.tentative] == ["refill"]
    desk.put("common", "4D", "AC", "7C", at=11.5)
    desk.clear("joker", at=11.5)
    desk.look(12.1)
    desk.look(15.0)
    assert desk.told == [("refill", None, ("4D", "7C", "8S", "AC", "AH"))]


@pytest.mark.parametrize(("face", "sure"), [("9D", True), ("JK", False)])
def test_a_place_that_is_full_is_not_waited_for(face: str, sure: bool) -> None:
    taken = Action.of("take", 0, ("9S",), source="stock"), Action.of("take", 0, ("AH",), source="common")
    desk = Desk("trading-poker", 4, Action.of("refill", None, ("4D", "7C", "8S", "AC", "AH")), *taken)
    (slot,) = (prompt.slot for prompt in desk.match.prompts())
    assert slot is not None and slot.most == 2, "a Joker may come on top"
    desk.put("common", face, at=10.0)
    assert bool(desk.look(10.6).proposals) is sure, "after a Joker another card follows"


def test_a_card_that_was_taken_from_the_middle_is_told_when_it_lies_before_the_player() -> None:
    desk = Desk("trading-poker", 4, Action.of("refill", None, ("4D", "7C", "8S", "AC", "AH")))
    zone = next(p.slot.target for p in desk.match.prompts() if p.kind == "take" and p.slot is not None)
    assert zone is not None
    desk.clear("common", "AC", at=10.0)
    assert desk.look(10.6, zone).proposals == (), "it is picked up"
    desk.put(zone, "AC", at=11.0)
    (proposal,) = desk.look(11.6).proposals
    assert proposal.action.arg("source") == "common" and [card.face for card in proposal.cards] == ["AC"]


# --- (b) what people took back is compared zone by zone --------------------------------------------------------------


def test_the_same_cards_in_other_places_are_news() -> None:
    cards = ("AH", "8S", "4D", "AC", "7C")
    desk = Desk("trading-poker", 4, Action("refill", None, cards))
    desk.clear("common", "8S", at=10.0)
    desk.put("keep:0", "8S", at=10.0)
    desk.look(11.0)
    assert desk.told[-1] == ("take", 0, ("8S",))
    desk.match = desk.match.then(TookBack(desk.match.next_seq - 1))
    assert desk.look(12.0).actions == () and desk.look(20.0).actions == ()
    desk.clear("common", "4D", at=21.0)
    desk.clear("keep:0", at=21.0)
    desk.put("common", "8S", at=21.0)
    desk.put("keep:0", "4D", at=21.0)
    desk.look(22.0)
    assert desk.told[-1] == ("take", 0, ("4D",))


def test_what_people_took_back_is_not_written_with_other_cards_of_the_same_lay() -> None:
    """One of the cards is misread: whichever of them the camera takes together, it is as wrong."""
    desk = refill()
    desk.put("common", "4D", "AC", at=10.0)
    desk.put("common", "7C", at=11.0)
    desk.clear("joker", at=11.0)
    desk.look(12.0)
    assert [kind for kind, *_ in desk.told] == ["refill"]
    desk.match = desk.match.then(TookBack(desk.match.next_seq - 1))
    assert desk.look(13.0).actions == () and desk.look(20.0).actions == ()
    desk.clear("common", "7C", at=21.0)
    desk.put("common", "7D", at=21.0)
    desk.look(22.0)
    (question,) = desk.look(26.0).questions
    assert desk.told == [] and set(question.choices[0].cards) == {"4D", "7D", "8S", "AC", "AH"}


# --- (c) two plays on one pile between two looks ---------------------------------------------------------------------


def test_two_cards_on_one_pile_are_two_players_in_the_order_they_came() -> None:
    desk = Desk("aces-king", 3)
    desk.put("discard", "5H", at=10.0)
    desk.put("discard", "9C", at=11.0)
    desk.look(12.0)
    desk.look(20.0)
    assert desk.told == [("play", 0, ("5H",)), ("play", 1, ("9C",))]


def test_where_nobody_can_tell_the_order_people_are_asked() -> None:
    desk = Desk("aces-king", 3)
    desk.put("discard", "5H", "9C", at=10.0)
    desk.look(11.0)
    (question,) = desk.look(20.0).questions
    assert desk.told == [] and question.kind == "several"
    assert {choice.cards for choice in question.choices} == {("5H",), ("9C",)}


@pytest.mark.parametrize(("unseen", "told"), [(11.0, []), (2.0, [("play", 0, ("9C",))])])
def test_a_card_that_came_to_a_pile_while_frames_were_far_apart_may_hide_another(
    unseen: float, told: list[tuple[Any, ...]]
) -> None:
    desk = Desk("aces-king", 3)
    desk.put("discard", "9C", at=11.0)
    found = [desk.observer.look(desk.match, replace(desk.table.seen(at), unseen=unseen)) for at in (12.0, 20.0)]
    assert [(a.kind, a.seat, a.cards) for look in found[:1] for a in look.actions] == told
    assert [choice.cards for q in found[0].questions for choice in q.choices] == ([] if told else [("9C",)])


def test_a_pile_that_rested_after_a_gap_and_before_a_card_came_hides_none() -> None:
    desk = Desk("aces-king", 3)
    desk.match = desk.match.then(Acted(Action("play", 0, ("3H",))))
    desk.put("discard", "3H", at=6.0)
    desk.look(7.0)
    desk.observer.look(desk.match, replace(desk.table.seen(11.5), unseen=11.0))
    desk.put("discard", "9C", at=12.0)
    looks = [desk.observer.look(desk.match, replace(desk.table.seen(at), unseen=11.0)) for at in (13.0, 20.0)]
    assert [a.cards for look in looks[:1] for a in look.actions] == [("9C",)] and not looks[0].questions


def test_a_card_of_a_gap_that_is_named_later_may_hide_another_all_the_same() -> None:
    desk = Desk("aces-king", 3)
    desk.match = desk.match.then(Acted(Action("play", 0, ("3H",))))
    desk.put("discard", "3H", at=6.0)
    desk.look(7.0)
    (card,) = desk.put("discard", None, at=11.0)
    for at in (12.0, 12.5):
        desk.observer.look(desk.match, replace(desk.table.seen(at), unseen=11.0))
    card.face = "9C"
    looks = [desk.observer.look(desk.match, replace(desk.table.seen(at), unseen=11.0)) for at in (13.0, 14.0)]
    assert not any(look.actions for look in looks)
    assert [choice.cards for question in looks[-1].questions for choice in question.choices] == [("9C",)]


# --- (d) an action that other zones contradict -----------------------------------------------------------------------


def test_a_lay_that_the_rest_of_the_table_contradicts_is_asked_not_written() -> None:
    hands = {0: ("AS", "KS", "QS"), 1: ("7H", "7D", "2C"), 2: ("9C", "4D", "JH")}
    desk = Desk("three-card-showdown", 4, *(Action("lay", seat, cards) for seat, cards in hands.items()), deck="52D2")
    for seat in hands:
        desk.clear(f"hand:{seat}", at=10.0)
    desk.put("hand:1", "5D", "5C", "6D", at=13.0)
    desk.put("hand:3", "2H", "3C", "4C", at=13.0)
    desk.look(14.0)
    found = desk.look(30.0)
    assert len(desk.told) == 3
    assert any(choice.kind == "lay" and choice.seat == 3 for q in found.questions for choice in q.choices)


def test_what_a_hand_covers_may_decide_where_a_card_came_from() -> None:
    desk = Desk("trading-poker", 4, Action("refill", None, ("AH", "8S", "4D", "AC", "7C")))
    desk.look(6.0)
    desk.clear("common", "8S", at=10.0)
    desk.put("keep:0", "8S", at=10.0)
    for now in (11.0, 13.0, 18.0):
        found = desk.look(now, "common")
        assert found.actions == () and found.questions == ()
    desk.look(19.0)
    assert desk.told[-1] == ("take", 0, ("8S",)) and desk.match.actions[-1].arg("source") == "common"


# --- (e) every zone rests for itself ---------------------------------------------------------------------------------


def test_a_hand_that_stays_somewhere_does_not_stop_the_game() -> None:
    desk = Desk("three-card-showdown", 4, deck="52D2")
    desk.put("hand:0", "AS", "KS", "QS", at=10.0)
    seen = desk.table.seen(11.0, ["hand:2"])
    assert not seen.settled
    desk.look(11.0, "hand:2")
    assert desk.told == [("lay", 0, ("AS", "KS", "QS"))]
    desk.put("hand:2", "9C", "4D", "JH", at=12.0)
    desk.look(13.0, "hand:2")
    assert len(desk.told) == 1
    desk.look(14.0)
    assert desk.told[1:] == [("lay", 2, ("4D", "9C", "JH"))]


def test_a_table_that_moves_as_a_whole_means_nothing() -> None:
    desk = Desk("three-card-showdown", 4, deck="52D2")
    desk.put("hand:0", "AS", "KS", "QS", at=10.0)
    moving = replace(desk.table.seen(11.0, ["hand:2"]), stirs=())
    assert desk.observer.look(desk.match, moving).actions == ()


# --- (f) an outline without a name is no card ------------------------------------------------------------------------


def test_an_outline_over_a_full_hand_neither_stops_it_nor_asks() -> None:
    desk = Desk("three-card-showdown", 4, deck="52D2")
    desk.put("hand:0", "AS", "KS", "QS", at=10.0)
    (shadow,) = desk.put("hand:0", None, at=10.0)
    shadow.phantom, shadow.shown, shadow.until = True, (None, (Candidate("6H", 0.2),)), 99.0
    found = desk.look(11.0)
    assert desk.told == [("lay", 0, ("AS", "KS", "QS"))] and found.questions == ()
    assert desk.look(30.0).questions == ()


# --- second thoughts -------------------------------------------------------------------------------------------------


def misread() -> Desk:
    """A hand whose first card reads wrongly until 14 s."""
    desk = Desk("three-card-showdown", 4, deck="52D2")
    wrong, *_ = desk.put("hand:0", "AS", "KS", "QS", at=10.0)
    wrong.shown, wrong.until = ("4S", (Candidate("4S", 0.9), Candidate("AS", 0.1))), 14.0
    desk.look(11.0)
    assert desk.told == [("lay", 0, ("4S", "KS", "QS"))]
    return desk


def test_what_later_looks_refute_the_camera_corrects_itself() -> None:
    desk = misread()
    assert desk.look(14.5).corrections == ()
    (correction,) = desk.look(17.0).corrections
    assert correction.event.source == "camera"
    desk.match = desk.match.then(correction.event)
    assert desk.told == [("lay", 0, ("AS", "KS", "QS"))]
    assert desk.look(18.0).questions == () and desk.look(30.0).corrections == ()


def test_what_people_corrected_it_never_touches() -> None:
    desk = misread()
    desk.match = desk.match.then(Corrected(2, Action("lay", 0, ("4S", "KS", "QS"))))
    assert all(desk.look(now).corrections == () for now in (14.5, 17.0, 30.0))


@pytest.mark.parametrize(("bare", "corrected"), [(True, False), (False, True)])
def test_what_came_after_a_place_was_bare_is_no_correction(bare: bool, corrected: bool) -> None:
    """The cards of the next round are none of what was laid in this one."""
    desk = misread()
    desk.clear("hand:0", at=15.0)
    if bare:
        desk.look(16.0)
    desk.put("hand:0", "AS", "KS", "QS", at=17.0)
    found = [desk.look(now) for now in (18.0, 21.0, 25.0)]
    assert any(one.corrections for one in found) is corrected


@pytest.mark.parametrize("source", ["tap", "record"])
def test_what_people_said_it_never_touches(source: str) -> None:
    desk = Desk("three-card-showdown", 4, deck="52D2")
    desk.match = desk.match.then(Acted(Action("lay", 0, ("4S", "KS", "QS")), source))
    desk.put("hand:0", "AS", "KS", "QS", at=10.0)
    assert all(desk.look(now).corrections == () for now in (11.0, 14.5, 30.0))


def test_no_more_copies_than_the_deck_has() -> None:
    """A card that is read as one that lies elsewhere already is no other one."""
    desk = Desk("three-card-showdown", 4, Action("lay", 1, ("6H", "7D", "2C")), deck="52D1")
    unread, *_ = desk.put("hand:0", None, "KS", "QS", at=10.0)
    unread.phantom = True
    unread.shown, unread.until = (None, (Candidate("6H", 0.6), Candidate("9H", 0.39))), 99.0
    desk.look(11.0)
    assert desk.look(30.0).tentative == () or all("6H" not in a.cards for a in desk.look(31.0).tentative)


def test_what_people_say_of_a_card_counts_at_once() -> None:
    desk = Desk("three-card-showdown", 4, deck="52D2")
    unread, *_ = desk.put("hand:0", "AS", "KS", "QS", at=10.0)
    unread.shown, unread.until = (None, (Candidate("AS", 0.6), Candidate("4S", 0.3))), 99.0
    desk.look(11.0)
    (question,) = desk.look(15.0).questions
    assert question.kind == "card" and question.track == unread.track
    desk.observer.name(unread.track, "9S")
    desk.look(18.0)
    assert desk.told == [("lay", 0, ("9S", "KS", "QS"))]


def test_when_only_a_tap_can_tell_the_page_says_so() -> None:
    desk = Desk("pokard-trick", 4)
    assert {prompt.kind for prompt in desk.look(6.0).waits} == {"in", "fold"}
    assert Desk("three-card-showdown", 4).look(6.0).waits == ()


# --- the table is cleared before the last word is written ------------------------------------------------------------


def test_what_was_shown_counts_although_the_dealer_gathers_the_cards_already() -> None:
    rules, setup = game("pokard-trick"), Setup(("Aki", "Ben", "Chie"))
    for seed in range(40):
        steps = list(play(rules, setup, random.Random(seed), limit=60))
        last = next((n for n, step in enumerate(steps[:-1]) if steps[n + 1].action.kind == "deal"), 0)
        if steps[last].action.kind == "show" and steps[last].action.cards:
            break
    shown = steps[last].action
    desk = Desk("pokard-trick", 3, *(step.action for step in steps[:last]))
    desk.clear(f"aside:{shown.seat}", at=20.0)
    desk.put(f"aside:{shown.seat}", *shown.cards, at=20.0)
    desk.clear(f"captured:{shown.seat}", at=20.6)
    desk.look(21.0)
    desk.look(21.6)
    assert desk.match.actions[-1].kind == "show"
    assert sorted(desk.match.actions[-1].cards) == sorted(shown.cards)


# --- what people say did not happen ----------------------------------------------------------------------------------


def test_what_people_wave_away_is_not_written_afterwards() -> None:
    desk = Desk("aces-king", 3)
    desk.put("discard", "5H", "9C", at=10.0)
    desk.look(11.0)
    (question,) = desk.look(20.0).questions
    desk.observer.dismiss(question.key)
    for now in (20.2, 22.0, 30.0):
        assert desk.look(now).actions == ()
    assert desk.told == []


def test_a_question_stays_while_a_hand_only_reaches_over_its_cards() -> None:
    desk = Desk("aces-king", 3)
    desk.put("discard", "5H", "9C", at=10.0)
    desk.look(11.0)
    asked = desk.look(20.0).questions
    assert len(asked) == 1
    assert desk.look(21.0, "discard").questions == asked
    assert desk.look(24.0).questions == asked


def test_a_card_that_people_only_told_of_is_not_seen_to_leave() -> None:
    desk = Desk("trading-poker", 4)
    desk.put("common", "AH", "8S", "4D", "AC", at=10.0)
    desk.match = desk.match.then(Acted(Action("refill", None, ("AH", "8S", "4D", "AC", "4D")), "tap"))
    for now in (11.0, 14.0, 20.0):
        assert desk.look(now).actions == ()
    desk.put("keep:0", "9C", at=21.0)
    desk.look(22.0)
    desk.look(25.0)
    assert desk.told[-1] == ("take", 0, ("9C",))
