"""No card leaves a place where nothing moved, and no card is read by reading another one of its face."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.cards import deck
from companion.games import Action, Zone
from companion.referee import Acted
from companion.table.against import also_another, may_have_lain, risen_alone, under_others, unreached
from companion.table.fill import Filled
from companion.table.hypotheses import VANISHED, Hypothesis, Step, done_with, leaves_unmoved, overlooked, vanished
from companion.table.sight import UNMOVED, ZoneSeen
from companion.table.surmised import read_since
from companion.table.touches import Touch
from companion.vision.types import Candidate, SeenCard, Side
from tests.table.test_following import Desk
from tests.table.test_visits import Watched

PLACE = ((0.0, 0.0), (63.0, 0.0), (63.0, 88.0), (0.0, 88.0))
ROW = Zone("common", ("3D", "7D", "AH"))
LESS = Zone("common", ("3D", "AH"))


def card(track: int, face: str | None) -> SeenCard:
    candidates = () if face else (Candidate("JC", 0.2),)
    return SeenCard(track, face, 0.9, Side.UP, PLACE, candidates)


def seen(*faces: str, stirred: float, since: float) -> ZoneSeen:
    return ZoneSeen(tuple(card(n, face) for n, face in enumerate(faces)), since, stirred=stirred)


def leaves(zone: ZoneSeen) -> bool:
    return leaves_unmoved({"common": ROW}, {"common": LESS}, ["common"], {"common": zone})


def test_a_card_that_goes_out_of_sight_where_nothing_moved_was_not_taken() -> None:
    still = seen("3D", "AH", stirred=10.0, since=10.5 + UNMOVED)
    assert leaves(still) and overlooked("common", ROW, still, hands=True)
    assert not leaves_unmoved({"common": LESS}, {"common": ROW}, ["common"], {"common": still})  # one may have come


def test_where_something_moved_or_nobody_knows_it_may_have_been() -> None:
    for stirred in (13.0, float("-inf")):
        zone = seen("3D", "AH", stirred=stirred, since=13.5)
        assert not leaves(zone) and not overlooked("common", ROW, zone, hands=True)


def test_a_back_that_was_turned_over_has_not_gone_though_its_name_comes_later() -> None:
    late = {"play:1": seen("3C", "KC", "3C", stirred=10.0, since=10.5 + UNMOVED)}
    lay, turned = Zone("play:1", ("KC", "3C"), down=1), Zone("play:1", ("KC", "3C", "3C"))
    assert not leaves_unmoved({"play:1": lay}, {"play:1": turned}, ["play:1"], late)
    assert leaves_unmoved({"play:1": lay}, {"play:1": replace(lay, down=0)}, ["play:1"], late)


def test_a_stack_tells_by_vanishing_once_it_was_seen_since_all_was_certain() -> None:
    zones, gone = {"stock": Zone("stock", down=1, pile=True)}, ZoneSeen((), 9.0, True, 9.0, emptied=8.5)
    assert vanished(zones, {"stock": gone}, 5.0) == VANISHED
    assert vanished({"stock": Zone("stock", pile=True)}, {"stock": gone}, 5.0) == 0.0, "it should be gone"
    assert vanished(zones, {"stock": gone}, 8.9) == 0.0, "it was not found before, either"
    assert vanished(zones, {"stock": replace(gone, resting=False)}, 5.0) == 0.0


def test_the_same_is_not_done_twice_with_one_card() -> None:
    four = card(27, "4D")
    fold = Step(Filled(Action("fold", 0, ("4D",)), (four,)), ("pot",), None, False, True, 6.0, 0.0)
    assert done_with([fold], "fold", [four]) and not done_with([fold], "play", [four])
    assert not done_with([fold], "fold", [card(28, "4D")]) and not done_with([fold], "fold", [])


def test_a_strange_card_in_a_place_where_nothing_moved_is_still_odd() -> None:
    assert not overlooked("common", ROW, seen("3D", "KS", stirred=10.0, since=20.0), hands=True)


def test_an_unread_card_is_not_read_by_another_one_of_the_face_it_is_taken_for() -> None:
    best: Any = Hypothesis(None, {"exposed:2": Zone("exposed:2", ("3H", "JC", "JC"))})
    unread, lying = card(14, None), (card(12, "3H"), card(13, "JC"))
    assert not read_since(unread, "JC", best, {"exposed:2": ZoneSeen((*lying, unread))})
    assert read_since(unread, "JC", best, {"exposed:2": ZoneSeen((*lying, card(14, "JC")))})
    assert read_since(unread, "JC", best, {"exposed:2": ZoneSeen((*lying, card(20, "JC")))})  # found anew


def test_nor_by_its_twin_that_lies_elsewhere() -> None:
    desk = Desk("three-card-showdown", 2, Action("lay", 0, ("5S", "JH", "QS")), deck="52D2")
    desk.look(8.0)
    *_, last = desk.put("hand:1", "2S", "5D", "6S", at=10.0)
    last.shown, last.until = (None, (Candidate("QS", 0.48), Candidate("6S", 0.01))), 11.0
    assert desk.look(10.6).proposals == ()
    assert [p.action.cards for p in desk.look(12.0).proposals] == [("2S", "5D", "6S")]


def test_a_card_that_is_not_found_again_is_waited_for() -> None:
    desk = Desk("three-card-showdown", 3)
    *_, last = desk.put("hand:1", "AH", "10C", "6D", at=10.0)
    last.covered = True
    assert desk.look(10.6).proposals == ()
    last.covered = False
    (proposal,) = desk.look(11.0).proposals
    assert proposal.action.seat == 1


def test_what_speaks_against_an_action_still_does_while_a_hand_lies_over_it() -> None:
    """The Joker went with the fifth card, which nobody has read: four are not all."""
    desk = Desk("trading-poker", 4)
    desk.put("common", "AH", "8S", "4D", "AC", at=10.0)
    desk.clear("joker", at=10.0)
    desk.look(10.6)
    for now in (11.0, 12.0, 14.0, 16.0, 18.0):
        assert desk.look(now, "joker").proposals == ()


def test_a_card_that_nobody_saw_lie_with_the_others_is_not_told_to_have_lain_there() -> None:
    """The fifth card of a row was never read; the next one drawn is none of the row."""
    desk = Desk("trading-poker", 4)
    desk.put("common", "AH", "8S", "4D", "AC", at=10.0)
    desk.clear("joker", at=10.0)
    desk.look(10.6)
    desk.put("keep:0", "5C", at=12.0)
    for now in (12.7, 14.0, 18.0):
        assert desk.look(now).proposals == ()
    assert desk.observer.look(desk.match, desk.table.seen(19.0)).questions


@pytest.mark.parametrize("covered", [False, True])
def test_a_card_under_another_is_not_told_as_taken_where_nobody_saw_it_go(covered: bool) -> None:
    """Hands were there, and it lies exactly under its neighbour."""
    desk = Watched("trading-poker", 4, Action.of("refill", None, ("4D", "4H", "8S", "AC", "AH")))
    taken = desk.match.then(Acted(Action.of("take", 0, ("4H",), source="common")))
    row = [card(n, face) for n, face in enumerate(("4D", "4H", "8S", "AC", "AH"))]
    row[1] = replace(row[1], covered=covered)
    beam = desk.observer._beam
    assert beam is not None
    step = Step(
        Filled(Action.of("take", 0, ("4H",), source="common")), ("common",), taken.state, False, True, None, 0.0
    )
    best = Hypothesis(taken.state, {zone.id: zone for zone in taken.expected_table()}, (step,))
    assert under_others(beam, best, 0, {"common": ZoneSeen(tuple(row), 8.0)}) is covered


@pytest.mark.parametrize(("sees", "copies", "asked"), [(False, 2, True), (False, 1, False), (True, 2, False)])
def test_of_a_row_that_is_out_of_sight_no_card_is_told_as_taken_where_one_like_it_is_seen(
    sees: bool, copies: int, asked: bool
) -> None:
    """Two decks: a hand lies over the whole row, and a card like one of it came from the stock."""
    desk = Watched("trading-poker", 4, Action.of("refill", None, ("4D", "4H", "8S", "AC", "AH")))
    take = Action.of("take", 0, ("4H",), source="common")
    taken = desk.match.then(Acted(take))
    beam = desk.observer._beam
    assert beam is not None
    beam.deck = deck(f"52D{copies}")
    assert list(beam.deck).count("4H") == copies
    row = [replace(card(n, face), covered=not sees or n == 1) for n, face in enumerate(("4D", "4H", "8S", "AC", "AH"))]
    step = Step(Filled(take, (card(9, "4H"),)), ("common", "keep:0"), taken.state, False, True, 8.0, 0.0)
    best = Hypothesis(taken.state, {zone.id: zone for zone in taken.expected_table()}, (step,))
    assert under_others(beam, best, 0, {"common": ZoneSeen(tuple(row), 8.0)}) is asked


def test_whose_card_from_the_stock_is_like_one_of_a_row_under_a_hand_has_not_taken_that_one() -> None:
    desk = Watched("trading-poker", 4, Action.of("refill", None, ("4D", "4H", "8S", "AC", "AH")))
    desk.look(6.0)
    beam = desk.observer._beam
    assert beam is not None
    beam.deck = deck("52D2")
    desk.hand(0, "common", "keep:0", at=9.6)
    desk.put("keep:0", "4H", at=11.0)
    for now in (11.7, 13.0):
        seen = replace(desk.table.seen(now, ()), visits=desk.visits)
        row = {card.track for card in desk.table.cards["common"]}
        cards = tuple(replace(card, covered=card.track in row) for card in seen.cards)
        assert sum(c.covered for c in cards) == 5
        assert desk.observer.look(desk.match, replace(seen, cards=cards)).proposals == ()


@pytest.mark.parametrize("lies", [False, True])
def test_a_card_seen_elsewhere_may_be_the_equal_one_that_has_gone_from_its_row(lies: bool) -> None:
    """Two decks: what is gathered shows a queen; another one was to be turned up just then."""
    desk = Watched("trading-poker", 4, Action.of("refill", None, ("4D", "4H", "8S", "AC", "AH")))
    beam = desk.observer._beam
    assert beam is not None
    row = [card(n, face) for n, face in enumerate(("4D", "4H", "8S", "AC", "AH")) if lies or face != "4H"]
    elsewhere = Filled(Action.of("show", 0, ("4H",)), (card(9, "4H"),), elsewhere=True)
    best = Hypothesis(desk.match.state, {}, (Step(elsewhere, (), desk.match.state, False, True, None, 0.0),))
    assert may_have_lain(beam, best, 0, {"common": ZoneSeen(tuple(row), 8.0)}) is not lies


@pytest.mark.parametrize(("hand", "risen", "asked"), [
    (None, {9}, True), ("stock", {9}, True), ("discard", {9}, False), (None, {8}, False),
])  # fmt: skip
def test_a_card_that_was_taken_from_below_does_not_come_back_without_a_hand(
    hand: str | None, risen: set[int], asked: bool
) -> None:
    """The pile was shuffled; the camera takes a strip of the new one for a card of the old one."""
    desk = Watched("aces-king", 4)
    beam = desk.observer._beam
    assert beam is not None
    beam.lain.risen = risen
    step = Step(Filled(Action.of("play", 0, ("10S",)), (card(9, "10S"),)), ("discard",), None, False, True, 8.0, 0.0)
    did = () if hand is None else (Touch(1, 90.0, hand, 7.0, 7.5),)
    best = Hypothesis(None, {}, (step,), did=(did,))
    assert risen_alone(beam, best, 0, {"discard": ZoneSeen((card(9, "10S"),), 8.0)}) is asked


@pytest.mark.parametrize(("other", "track", "asked"), [(2, 9, True), (2, 8, False), (1, 9, False)])
def test_one_card_does_not_tell_of_two_players(other: int, track: int, asked: bool) -> None:
    """Somebody reveals a card; another one had laid a card that could not be read."""
    fold = Step(
        Filled(Action.of("fold", 1, ("4H",)), (card(9, "4H"),), elsewhere=True), (), None, False, True, 8.0, 0.0
    )
    reveal = Step(Filled(Action.of("reveal", other, ("4H",)), (card(track, "4H"),)), (), None, False, True, 9.0, 0.0)
    assert also_another(Hypothesis(None, {}, (fold, reveal)), 0) is asked
    assert not also_another(Hypothesis(None, {}, (fold, reveal)), 1)


@pytest.mark.parametrize(
    ("zone", "came", "missed"), [("common", 6.0, False), ("common", 4.0, True), ("stock", 6.0, True), ("", 0.0, True)]
)
def test_who_did_what_is_known_may_have_taken_what_lay_there_since_with_the_same_hand(
    zone: str, came: float, missed: bool
) -> None:
    """A hand that is back at the same place soon only goes on with what is known: what is gone was not missed."""
    desk = Watched("trading-poker", 4, Action.of("refill", None, ("4D", "4H", "8S", "AC", "AH")))
    desk.look(5.0)
    take = Action.of("take", 0, ("4H",), source="common")
    taken = desk.match.then(Acted(take))
    beam = desk.observer._beam
    assert beam is not None and beam.lain.began == 5.0
    beam.hands.told, beam.hands._last = True, Touch(1, 90.0, zone, came, 9.0) if zone else None
    step = Step(Filled(take), ("common",), taken.state, False, True, None, 0.0)
    best = Hypothesis(taken.state, {lies.id: lies for lies in taken.expected_table()}, (step,), did=((),))
    row = tuple(card(n, face) for n, face in enumerate(("4D", "8S", "AC", "AH")))
    assert unreached(beam, best, 0, {"common": ZoneSeen(row, 8.0)}) is missed
