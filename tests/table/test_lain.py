"""Cards that lay there for a while are accounted for, also when they are gone; and the one of a whole hand that could
not be read, but can only be one face."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from companion.games import Action, Zone
from companion.table import ask
from companion.table.decide import ASK_CARD
from companion.table.fill import Filled
from companion.table.hypotheses import Step
from companion.table.lain import Lain
from companion.table.sight import LONG, ZoneSeen
from companion.table.surmised import LIKELY, NEARLY, UNLIKELY
from companion.vision.types import Candidate
from tests.table.lying import at
from tests.table.test_following import Desk


def seen(*faces: str, since: float) -> ZoneSeen:
    cards = tuple(replace(at(0.1 * n, 0.5, n, face), since=since) for n, face in enumerate(faces, 1))
    return ZoneSeen(cards, since)


def test_what_lay_and_is_gone_has_to_be_spoken_of() -> None:
    lain = Lain()
    lain.look("a", {}, {}, 0.0)
    lain.look("a", {}, {"shown:1": seen("AS", "2S", since=1.0)}, 1.0 + LONG)
    gone, there = {"shown:1": ZoneSeen()}, {"shown:1": seen("AS", since=1.0)}
    assert lain.unaccounted([Action("score")], gone)
    assert not lain.unaccounted([Action("score")], there), "as long as it lies there it is odd anyway"
    assert not lain.unaccounted([Action("holy", 1, ("AS", "2S")), Action("score")], gone)
    lain.look("b", {}, gone, 9.0)
    assert not lain.unaccounted([Action("score")], gone), "what is certain now has been told or tapped"


@pytest.mark.parametrize("faces", [("AS",), ("AS", "2S")])
def test_one_card_may_be_misread_and_what_should_lie_there_is_nothing_new(faces: tuple[str, ...]) -> None:
    lain = Lain()
    lain.look("a", {}, {}, 0.0)
    lain.look("a", {"shown:1": Zone("shown:1", faces[1:])}, {"shown:1": seen(*faces, since=1.0)}, 9.0)
    assert not lain.unaccounted([Action("score")], {})


def test_cards_put_down_in_passing_are_nothing() -> None:
    lain = Lain()
    lain.look("a", {}, {}, 0.0)
    lain.look("a", {}, {"shown:1": seen("AS", "2S", since=1.0)}, 1.0 + LONG / 2)
    assert not lain.unaccounted([Action("score")], {})


def test_what_is_odd_is_so_since_nothing_explains_it_and_not_since_it_lies_there() -> None:
    lain, still, moving = Lain(), {"kings": seen("AS", since=1.0)}, {"kings": ZoneSeen(resting=False)}
    assert lain.odd_since([], still, 8.0) == {}
    assert lain.odd_since(["kings"], still, 9.0) == {"kings": 9.0}
    assert lain.odd_since([], moving, 9.5) == {"kings": 9.0}
    late, due = ask.lain({"kings": 3.0}, {"kings": 9.0}, still, 9.5)
    assert late == {} and due == 9.0 + ask.FLEETING and 1.0 + ASK_CARD < 9.0
    assert ask.lain({"kings": 3.0}, {"kings": 9.0}, still, due) == ({"kings": 3.0}, None)
    assert lain.odd_since([], still, 12.0) == {}
    assert lain.odd_since(["kings"], still, 13.0) == {"kings": 13.0}
    assert Lain().odd_since(["kings"], still, 13.0) == {"kings": -math.inf}


HANDS = ("5D QC 6C 3H 6D 4C", "10D 3S 3H JD AS QC", "7C 5C AC 6S 4S 5D")
OUT = "5D QS 4D JH 8S 6H"


def hexa() -> tuple[Desk, Action]:
    """A round of Hexa Card in which two players show their six cards, just before the second one does."""
    first, second, third = (Action("holy", seat, tuple(cards.split())) for seat, cards in enumerate(HANDS))
    turns = Action("loop", 1, ("QD",)), Action("loop", 2, ("4H",)), Action("out", 2, tuple(OUT.split()))
    return Desk("hexa-card", 4, first, Action("deal"), *turns, Action("deal"), second), third


def lay(desk: Desk, holy: Action, chance: float, other: float = 0.0) -> int:
    """The cards are laid down at 10 s; the last of them has no name. Returns its number."""
    zone = next(p.slot.target for p in desk.match.prompts() if (p.kind, p.seat) == (holy.kind, holy.seat) and p.slot)
    assert zone is not None
    last = desk.put(zone, *holy.cards, at=10.0)[-1]
    rival = next(code for code in desk.match.deck.codes if code not in holy.cards)
    rivals = (Candidate(rival, other),) if other else ()
    last.shown, last.until = (None, (Candidate(str(last.face), chance), *rivals)), 99.0
    for now in (10.6, 12.0, 13.0):
        desk.look(now)
    return last.track


@pytest.mark.parametrize(
    ("chance", "other", "told"),
    [(LIKELY, 0.0, True), (LIKELY - 0.1, 0.0, False), (LIKELY, UNLIKELY + 0.1, False)],
)
def test_the_last_of_six_cards_that_can_only_be_one_face_is_that_face(chance: float, other: float, told: bool) -> None:
    desk, holy = hexa()
    before = len(desk.match.actions)
    lay(desk, holy, chance, other)
    written = desk.match.actions[before:]
    assert [(a.kind, a.seat, sorted(a.cards)) for a in written] == (
        [(holy.kind, holy.seat, sorted(holy.cards))] if told else []
    )


def test_all_that_a_step_takes_may_be_told_without_names_by_how_it_looks_now() -> None:
    desk, holy = hexa()
    before = len(desk.match.actions)
    zone = next(p.slot.target for p in desk.match.prompts() if (p.kind, p.seat) == (holy.kind, holy.seat) and p.slot)
    cards = desk.put(str(zone), *holy.cards, at=10.0)[-2:]
    for card, chance in zip(cards, (0.2, 0.9), strict=True):
        card.shown, card.until = (None, (Candidate(str(card.face), chance),)), 99.0
    desk.look(10.6)
    desk.look(12.0)
    assert desk.match.actions[before:] == ()
    cards[0].shown = (None, (Candidate(str(cards[0].face), LIKELY),))  # it is read better by and by
    for now in (12.5, 13.0, 14.0):
        desk.look(now)
    assert [(a.kind, a.seat, sorted(a.cards)) for a in desk.match.actions[before:]] == [
        (holy.kind, holy.seat, sorted(holy.cards))
    ]


@pytest.mark.parametrize(("chance", "sure"), [(NEARLY, True), (NEARLY - 0.1, False)])
def test_where_only_one_face_may_lie_what_looks_like_nothing_else_is_it(chance: float, sure: bool) -> None:
    """What is left to ask is who laid it."""
    desk = Desk("joker-quest", 4, deck="53")
    (joker,) = desk.put("joker", "JK1", at=10.0)
    joker.shown, joker.until = (None, (Candidate("JK1", chance),)), 99.0
    for now in (10.6, 11.5, 14.0):
        found = desk.look(now)
    assert [question.kind for question in found.questions] == ["several" if sure else "card"]


def test_who_laid_a_card_is_asked_about_once_people_have_named_it() -> None:
    desk = Desk("joker-quest", 4, deck="53")
    (joker,) = desk.put("joker", "JK1", at=10.0)
    joker.shown, joker.until = (None, (Candidate("JK1", 0.3),)), 99.0
    for now in (10.6, 11.5, 14.0):
        found = desk.look(now)
    assert [question.kind for question in found.questions] == ["card"]
    desk.observer.name(joker.track, "JK1")
    for now in (14.5, 17.0, 20.0):
        found = desk.look(now)
    assert [question.kind for question in found.questions] == ["several"]
    assert {action.seat for action in found.questions[0].choices} >= {0, 1, 2, 3}


@pytest.mark.parametrize(("likely", "noted"), [("JK1", False), ("QH", True)])
def test_a_card_without_a_name_that_looks_like_the_one_that_should_lie_there_is_that_one(
    likely: str, noted: bool
) -> None:
    lain = Lain()
    lain.look("a", {}, {}, 0.0)
    (unread,) = seen("?", since=1.0).cards
    there = ZoneSeen((replace(unread, face=None, candidates=(Candidate(likely, 0.2),)),), 1.0)
    lain.look("a", {"joker": Zone("joker", ("JK1",), pile=True)}, {"joker": there}, 9.0)
    assert lain.passed_over((), {"joker": ZoneSeen()}, {}) is noted


@pytest.mark.parametrize(("bare", "passed_over"), [(2.0, True), (-math.inf, False)])
def test_a_card_without_a_name_that_came_to_a_bare_place_belongs_to_what_comes_next_however_late_the_rest_was_told(
    bare: float, passed_over: bool
) -> None:
    """A trick was collected, and the next one was led before that was told."""
    lain = Lain()
    lain.look("a", {}, {}, 0.0)
    (unread,) = seen("?", since=3.0).cards
    there = {"trick": ZoneSeen((replace(unread, face=None, candidates=(Candidate("AC", 0.4),)),), 3.0, bare=bare)}
    lain.look("b", {}, there, 3.2)
    lain.look("b", {}, there, 4.0)
    assert lain.passed_over((), {"trick": ZoneSeen()}, {}) is passed_over


def test_what_was_shown_and_waved_away_is_not_passed_over() -> None:
    """Five of six cards were read; before anybody answers which the sixth is they are gathered, and the answer is that
    there is none. That the round is over is then no more certain than what was shown."""
    desk, holy = hexa()
    before = len(desk.match.actions)
    track = lay(desk, holy, 0.3)
    desk.look(14.5)
    for zone in list(desk.table.cards):
        if zone.startswith("shown"):
            desk.clear(zone, at=15.0)
    desk.look(15.6)
    desk.observer.name(track, None)
    for now in (16.0, 17.0, 19.0, 22.0):
        desk.look(now)
    assert desk.match.actions[before:] == ()


@pytest.mark.parametrize(("likely", "told"), [("QH", False), ("8S", True)])
def test_a_card_without_a_name_that_another_covers_is_not_passed_over(likely: str, told: bool) -> None:
    """What is turned up is not the card that came after one that nobody could read, unless that may be the same."""
    desk = Desk("joker-quest", 4, deck="53")
    (unread,) = desk.put("road", likely, at=10.0)
    unread.shown, unread.until = (None, (Candidate(likely, 0.18), Candidate("JH", 0.08))), 99.0
    desk.look(10.5)
    desk.look(10.9)
    desk.clear("road", likely, at=12.0)
    desk.put("road", "8S", at=12.0)
    desk.look(12.6)
    desk.look(13.0)
    assert (desk.told == [("turn-up", None, ("8S",))]) is told
    assert told or desk.look(16.0).questions


@pytest.mark.parametrize(
    ("came", "lies", "told", "doubtful"),
    [(3.0, False, False, True), (0.5, False, False, False), (3.0, True, False, False), (3.0, False, True, False)],
)
def test_a_card_seen_for_a_moment_between_two_hands_is_accounted_for_before_what_was_laid_after_it(
    came: float, lies: bool, told: bool, doubtful: bool
) -> None:
    """The next one laid his card and the winner took the first away before the trick was at rest."""
    jack, five = replace(at(0.1, 0.5, 1, "JD"), since=came), replace(at(0.2, 0.5, 2, "5D"), since=6.0)
    step = Step(Filled(Action("play", 2, ("5D",)), (five,)), ("trick",), None, False, True, 6.0, 0.0)
    lain = Lain()
    lain.look("a", {}, {}, 1.0)
    lain.glimpsed = {jack.track: ("trick", jack)}
    sight = {"trick": ZoneSeen((five, jack) if lies else (five,), 6.0, True, 6.0)}
    said = [Action("play", 0, ("JD",))] if told else []
    assert lain.unaccounted([*said, step.action], sight, step) is doubtful
    assert not lain.unaccounted([step.action], sight, replace(step, zones=("discard",)))


@pytest.mark.parametrize(("told", "doubtful"), [([], True), (["collect"], True), (["collect", "play"], False)])
def test_a_card_glimpsed_before_something_earlier_was_told_is_still_to_be_spoken_of(
    told: list[str], doubtful: bool
) -> None:
    """The trick before it was told late, as hands were always there: what lay since then was nothing of that trick."""
    ace, four = replace(at(0.1, 0.5, 1, "AS"), since=3.0), replace(at(0.2, 0.5, 2, "4S"), since=6.0)
    step = Step(Filled(Action("play", 2, ("4S",)), (four,)), ("trick",), None, False, True, 6.0, 0.0)
    actions = {"collect": Action("collect", 1), "play": Action("play", 2, ("AS",))}
    lain = Lain()
    lain.look("a", {}, {}, 1.0)
    lain.glimpsed = {ace.track: ("trick", ace)}
    sight = {"trick": ZoneSeen((four,), 6.0, True, 6.0)}
    for number in range(len(told)):
        lain.look(told[: number + 1], {}, sight, 7.0 + number, told=[actions[kind] for kind in told[: number + 1]])
    assert lain.unaccounted([step.action], sight, step) is doubtful


@pytest.mark.parametrize(("stayed", "late", "doubtful"), [(True, 0.0, True), (False, 0.0, False), (True, 3.5, False)])
def test_of_two_cards_that_lay_together_for_a_while_the_one_that_is_gone_is_still_to_be_spoken_of(
    stayed: bool, late: float, doubtful: bool
) -> None:
    """Both were first seen as something earlier was told; which was laid first, nobody knew. What came before that
    state, and is gone, is nothing new."""
    ace, joker = (replace(at(0.1 * n, 0.5, n, face), since=4.0) for n, face in ((1, "AC"), (2, "JK2")))
    step = Step(Filled(Action("play", 0, ("JK2",)), (joker,)), ("trick",), None, False, True, 4.0, 0.0)
    lain = Lain()
    for number, now in enumerate((1.0, 1.0 + late, 4.1 + late)):
        lain.look(number, {}, {}, now)
    lain.glimpsed, lain.stayed = {ace.track: ("trick", ace)}, {ace.track} if stayed else set()
    sight = {"trick": ZoneSeen((joker,), 4.0, True, 6.0)}
    assert lain.unaccounted([step.action], sight, step) is doubtful


@pytest.mark.parametrize(("people", "doubtful"), [(1, False), (2, True)])
def test_of_two_cards_first_seen_together_the_one_that_is_gone_was_laid_where_two_people_were(
    people: int, doubtful: bool
) -> None:
    """Of one person's it may only be a misreading."""
    jack, five = (replace(at(0.1 * n, 0.5, n, face), since=6.0) for n, face in ((1, "JD"), (2, "5D")))
    step = Step(Filled(Action("play", 2, ("5D",)), (five,)), ("trick",), None, False, True, 6.0, 0.0)
    lain = Lain()
    lain.look("a", {}, {}, 1.0)
    lain.glimpsed = {jack.track: ("trick", jack)}
    sight = {"trick": ZoneSeen((five,), 6.0, True, 6.0)}
    assert lain.unaccounted([step.action], sight, step, people) is doubtful


def test_cards_that_lie_elsewhere_by_now_were_laid_when_they_were_first_seen_where_they_were_laid() -> None:
    jack, five = (replace(at(0.1 * n, 0.5, n, face), since=6.0 + n) for n, face in ((1, "JD"), (2, "5D")))
    lain = Lain()
    lain.look("a", {}, {}, 5.0)
    lain.glimpsed = {1: ("trick", jack), 2: ("discard", five), 3: ("trick", replace(five, track=3, since=4.0))}
    now = replace(jack, track=8, since=9.0), replace(five, track=9, since=9.0)
    assert [card.since for card in lain.as_laid(now, "trick")] == [7.0, 9.0]


@pytest.mark.parametrize("laid", [1, 3])
def test_what_another_lays_is_not_told_before_several_cards_that_hands_are_still_at(laid: int) -> None:
    desk = Desk("hexa-card")
    desk.put("shown:1", *("2C", "KH", "AC", "8C", "QC", "8H")[:laid], at=6.0)
    desk.put("shown:0", "4C", "3C", "7C", "5H", "JH", "JC", at=6.2)
    for now in (6.4, 7.0, 8.0, 9.5):
        desk.look(now, "shown:1")
    assert [seat for _, seat, _ in desk.told] == ([0] if laid == 1 else [])
    if laid > 1:
        desk.put("shown:1", "8C", "QC", "8H", at=10.0)
        desk.look(11.0)
        desk.look(14.0)
        assert [seat for _, seat, _ in desk.told] == [1, 0]


@pytest.mark.parametrize(("under", "passed"), [("2D", True), ("KC", False)])
def test_a_card_without_a_name_on_the_top_of_a_pile_told_late_belongs_to_what_comes_next(
    under: str, passed: bool
) -> None:
    """Where the top is not seen under it, it may be the top."""
    top, nameless = replace(at(0.1, 0.5, 1, under), since=2.0, covered=True), at(0.1, 0.5, 2, None)
    nameless = replace(nameless, since=5.0, candidates=(Candidate("3S", 0.4), Candidate("5S", 0.001)))
    lies, road = {"road": ZoneSeen((top, nameless), 5.0)}, {"road": Zone("road", ("KC", "2D"), pile=True)}
    lain = Lain()
    lain.look("before", road, {"road": ZoneSeen((replace(top, covered=False),), 2.0)}, 4.0)
    for now in (5.1, 7.0):
        lain.look("after", road, lies, now)
    four = replace(at(0.1, 0.5, 3, "4H"), since=8.0)
    sight = {"road": ZoneSeen((top, replace(nameless, covered=True), four), 8.0)}
    assert lain.passed_over([four], sight, {}) is passed
