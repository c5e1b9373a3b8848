"""Cards without a name that can hardly be anything else are told, and remembered as told; a deal is told whole."""

from __future__ import annotations

import random

import pytest

from companion.games import Action, game
from companion.referee import Acted
from companion.referee.simulate import play, table_setup
from companion.table.decide import decide
from companion.table.lain import READ_AGAIN, Lain
from companion.table.sight import ZoneSeen
from companion.table.surmised import LIKELY, NEARLY, may_be_none
from companion.vision.types import Candidate, SeenCard, Side
from tests.table.bed_cards import Card
from tests.table.test_following import Desk
from tests.table.test_visits import Watched

FIVE = ("AH", "8S", "4D", "AC", "7C")


def nameless(card: Card, face: str, chance: float) -> None:
    """The reader leans towards `face`, and never names the card."""
    card.shown, card.until = (None, (Candidate(face, chance),)), 99.0


def five(chance: float) -> Desk:
    """A row of five is dealt, of which one card is never read; then the joker goes into the stock."""
    desk = Desk("trading-poker")
    nameless(desk.put("common", *FIVE, at=10.0)[0], "AH", chance)
    desk.clear("joker", at=10.2)
    return desk


def begun() -> Desk:
    """Two of the five lie."""
    desk = Desk("trading-poker")
    desk.put("common", "AH", "8S", at=10.0)
    return desk


def dealt() -> Desk:
    """The row lies, and the joker is in the stock."""
    desk = Desk("trading-poker")
    desk.put("common", *FIVE, at=5.5)
    desk.clear("joker", at=6.0)
    for at in (6.6, 9.0):
        desk.look(at)
    assert [told[0] for told in desk.told] == ["refill"]
    return desk


def test_one_card_of_a_full_row_is_what_it_looks_like() -> None:
    desk = five(LIKELY)
    questions = [question for at in (10.6, 12.0, 14.5, 16.0) for question in desk.look(at).questions]
    assert questions == [] and desk.told == [("refill", None, tuple(sorted(FIVE)))]


def test_one_card_of_a_full_row_that_looks_like_little_is_asked_about() -> None:
    desk = five(LIKELY - 0.1)
    questions = [question for at in (10.6, 12.0, 14.5, 16.0) for question in desk.look(at).questions]
    assert {(question.kind, question.zone) for question in questions} == {("card", "common")} and desk.told == []


@pytest.mark.parametrize(("looks", "told"), [("8S", False), ("7C", True)])
def test_what_looks_like_its_neighbour_may_be_that_card_seen_a_second_time(looks: str, told: bool) -> None:
    """With two decks a row may hold a card twice; the third one is only just being laid."""
    desk = Desk("three-card-showdown", 3, deck="52D2")
    nameless(desk.put("hand:0", "AH", "8S", looks, at=10.0)[2], looks, 0.8)
    for now in (11.0, 13.0, 16.0):
        found = desk.look(now)
    assert bool(desk.told) is told and bool(found.questions) is not told


@pytest.mark.parametrize(
    ("aside", "covered", "none"), [(15.0, None, True), (50.0, None, False), (15.0, "it", False), (15.0, "other", False)]
)
def test_what_has_its_middle_on_a_card_that_lies_on_nothing_may_be_none(
    aside: float, covered: str | None, none: bool
) -> None:
    """A name was read across two cards of a row, where one lies a little on the other; one of a fan is a card."""
    place = ((0.0, 0.0), (63.0, 0.0), (63.0, 88.0), (0.0, 88.0))
    a, b, c, d = ((x, y + aside) for x, y in place)
    king = SeenCard(1, "KS", 0.99, Side.UP, place, covered=covered == "other")
    unread = SeenCard(2, None, 0.7, Side.UP, (a, b, c, d), (Candidate("8D", 0.7),), covered=covered == "it")
    assert may_be_none(unread, "8D", {"shown:3": ZoneSeen((king, unread))}) is none


def test_while_one_more_is_awaited_nobody_is_asked_about_a_card_that_will_be_told() -> None:
    """Something odd lies elsewhere for a while, and puts off what is told."""
    desk = five(LIKELY)
    desk.put("joker", "JK1", at=9.5)
    assert [
        question for at in (10.6, 12.0, 13.8) for question in desk.look(at).questions if question.kind == "card"
    ] == []


def test_a_card_counts_as_what_it_was_told_to_be() -> None:
    """A second one of its face comes from the stock: the first has not been moved."""
    desk = five(LIKELY)
    for at in (10.6, 12.0, 14.5):
        desk.look(at)
    desk.put("keep:0", "AH", at=20.0)
    questions = [question for at in (20.6, 22.0, 25.0, 28.0) for question in desk.look(at).questions]
    assert questions == [] and desk.match.actions[-1] == Action.of("take", 0, ("AH",), source="stock")


def test_what_people_say_of_a_card_goes_before_what_it_was_told_to_be() -> None:
    desk = five(LIKELY)
    for at in (10.6, 12.0, 14.5):
        desk.look(at)
    unread = desk.table.cards["common"][0].track
    desk.observer.name(unread, "AD")
    desk.look(15.0)
    lying = {card.track: card.face for card in desk.observer.memory.zones["common"].cards}
    assert lying[unread] == "AD"


def test_a_joker_without_a_name_is_no_part_of_a_full_row() -> None:
    """It lies there while the row is dealt, and goes into the stock."""
    desk = Desk("trading-poker")
    desk.clear("joker", at=6.0)
    desk.look(6.6)
    nameless(desk.put("joker", "JK1", at=7.0)[0], "AS", 0.12)
    desk.look(9.0)
    desk.put("common", *FIVE, at=10.0)
    questions = [*desk.look(10.6).questions, *desk.look(11.2).questions]
    desk.clear("joker", at=12.0)
    questions += [question for at in (12.6, 15.0, 18.0) for question in desk.look(at).questions]
    assert questions == [] and desk.told == [("refill", None, tuple(sorted(FIVE)))]


@pytest.mark.parametrize("name", [None, "JK1"])
def test_a_deal_is_over_once_the_joker_has_been_put_away(name: str | None) -> None:
    """Five cards lie, and the joker beside them for a moment more: it goes into the stock before anybody plays."""
    desk = Desk("trading-poker")
    if name is None:
        nameless(desk.table.cards["joker"][0], "AS", 0.08)
    desk.look(6.0)
    desk.put("common", *FIVE, at=10.0)
    desk.look(10.6)
    assert desk.told == []
    desk.clear("joker", at=11.2)
    desk.look(11.8)
    assert [told[0] for told in desk.told] == ["refill"]


def test_a_card_without_a_name_that_came_before_a_late_word_is_still_asked_about_first() -> None:
    """What was taken is told only after a joker was drawn; then the next card is."""
    desk = dealt()
    desk.put("keep:0", "9S", at=10.0)
    nameless(desk.put("joker", "JK1", at=11.0)[0], "AS", 0.12)
    desk.match = desk.match.then(Acted(Action.of("take", 0, ("9S",), source="stock"), "camera"))
    before = len(desk.told)
    desk.look(12.6)
    desk.look(14.0)
    desk.put("keep:0", "AD", at=16.0)
    for at in (16.6, 18.0, 20.0):
        found = desk.look(at)
    assert len(desk.told) == before
    assert [(question.kind, question.zone) for question in found.questions] == [("card", "joker")]


def test_a_card_that_appears_elsewhere_before_the_next_one_lies_is_told_first() -> None:
    desk = dealt()
    desk.put("joker", "JK1", at=10.0)
    desk.put("keep:0", "AD", at=12.0)
    for at in (12.6, 14.0, 18.0, 22.0):
        desk.look(at)
    assert [told for told in desk.told if told[0] == "take"] == [("take", 0, ("JK1",)), ("take", 0, ("AD",))]


@pytest.mark.parametrize("said", [None, "JK1"])
def test_a_joker_without_a_name_may_be_the_one_drawn_among_others(said: str | None) -> None:
    """How many others were drawn is asked, with his name at the end, also once people have given it to him."""
    desk = Watched("joker-quest", 4, Action("turn-up", None, ("5S",)), Action("play", 0, ("10D",)))
    desk.hand(0, "stock", "joker", at=10.0)
    (joker,) = desk.put("joker", "JK1", at=11.5)
    nameless(joker, "JK1", 0.85)
    desk.look(13.0)
    if said is not None:
        desk.observer.name(joker.track, said)
        desk.look(13.5)
    (question,) = desk.look(18.0).questions
    assert question.kind == "several" and all(action.cards[-1] == "JK1" for action in question.choices)
    assert sorted(len(action.cards) for action in question.choices) == [1, 2, 3, 4, 5]


def test_a_deal_is_not_over_while_nothing_is_open_but_that_more_is_dealt() -> None:
    desk = begun()
    for at in (10.6, 16.0, 40.0):
        assert [action.cards for action in desk.look(at).tentative] == [("AH", "8S")]
    assert desk.told == []


def test_of_a_deal_of_which_one_card_is_not_seen_people_say_which_it_is() -> None:
    desk = begun()
    desk.put("common", "4D", "AC", at=11.5)
    desk.clear("joker", at=11.5)
    desk.look(12.1)
    (question,) = desk.look(17.0).questions
    assert (question.kind, question.zone) == ("card", "common") and question.track is not None
    desk.observer.name(question.track, "7C")
    for at in (17.5, 20.0):
        desk.look(at)
    assert desk.told == [("refill", None, ("4D", "7C", "8S", "AC", "AH"))]


def test_nobody_is_asked_about_a_card_that_was_sure_enough_a_moment_ago() -> None:
    """While the next card is laid beside it the likeliest steps change to and fro."""
    lain = Lain()
    assert set(lain.still_sure({7}, 10.0)) == {7}
    assert set(lain.still_sure(set(), 10.0 + 0.9 * READ_AGAIN)) == {7}
    until = lain.still_sure({8}, 10.0 + 1.1 * READ_AGAIN)
    assert until == {8: pytest.approx(10.0 + 2.1 * READ_AGAIN)}


@pytest.mark.parametrize(
    ("face", "chance", "other", "sure"),
    [("JK1", NEARLY, 0.0, True), ("JK1", NEARLY - 0.1, 0.0, False), ("JK1", NEARLY, 0.1, False),
     ("AS", NEARLY, 0.0, False)],
)  # fmt: skip
def test_a_joker_of_a_print_without_an_index_is_told_where_it_looks_like_nothing_else(
    face: str, chance: float, other: float, sure: bool
) -> None:
    rules = game("pokard-trick")
    actions = [step.action for step in play(rules, table_setup(rules, 4), random.Random(1), "simple", 10)]
    before = next(n for n, action in enumerate(actions) if action.kind == "play")
    desk = Watched("pokard-trick", 4, *actions[:before])
    seat = actions[before].seat or 0
    desk.hand(seat, "trick", at=9.5)
    (card,) = desk.put("trick", face, at=10.0)
    nameless(card, face, chance)
    if other:
        card.shown = (None, (Candidate(face, chance), Candidate("QH", other)))
    questions = [question.kind for now in (10.6, 11.5, 14.0, 16.0) for question in desk.look(now).questions]
    assert (desk.told[before:] == [("play", seat, (face,))]) is sure
    assert bool(questions) is not sure


@pytest.mark.parametrize(("chance", "told"), [(0.74, False), (0.2, True)])
def test_beside_a_card_without_a_name_that_is_half_a_face_no_other_two_are_told_for_a_pair(
    chance: float, told: bool
) -> None:
    """Three cards lie where two may: a name may have been read across two of them. It is asked about, also where what
    else it may be has been given up, as much else was odd meanwhile."""
    rules = game("pokard-trick")
    actions = [step.action for step in play(rules, table_setup(rules, 4), random.Random(1), "simple", 60)]
    at = next(n for n, action in enumerate(actions) if action.kind == "show" and len(action.cards) == 2)
    show, zone = actions[at], f"aside:{actions[at].seat}"
    desk = Watched("pokard-trick", 4, *actions[:at])
    desk.hand(show.seat or 0, zone, at=9.5)
    desk.clear(zone, at=10.0)
    desk.put(zone, *show.cards, at=10.0)
    nameless(desk.put(zone, "6D", at=10.0)[0], "6D", chance)
    desk.look(10.6)
    beam = desk.observer._beam
    assert beam is not None
    beam.hypotheses = [one for one in beam.hypotheses if [step.action for step in one.steps] in ([], [show])]
    assert len(beam.hypotheses) == 2
    found = decide(beam, beam._sight, 16.0, {})
    assert ([step.action for step in found.taken] == [show]) is told and bool(found.doubt) is not told
