"""Who has left the table lays no more; where nothing lay for a while nothing lies, whatever moves there then."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from companion.games import Action, game
from companion.referee.simulate import play, table_setup
from companion.table.decide import CARRIED
from companion.table.patience import BARE, GONE
from companion.vision.types import Candidate, Stop, Visit
from tests.table.open_ended import GAME, up_to_two
from tests.table.test_half_cleared import settled
from tests.table.test_reaches import Seated

ACTIONS, SEAT, FACE = up_to_two()
EXPOSED = "expose", SEAT, (FACE,)


def filling() -> Seated:
    """A player fills up his open row, with one card or two."""
    return Seated(GAME, *ACTIONS)


def laid(desk: Seated, *, leaves: float | None) -> None:
    """His hand lays a card at 10.4 s and leaves the table when that is told, if ever."""
    desk.hand(SEAT, f"exposed:{SEAT}", at=10.0)
    desk.visits = (*desk.visits[:-1], replace(desk.visits[-1], ended=leaves))
    desk.put(f"exposed:{SEAT}", FACE, at=10.4)


def test_who_has_left_the_table_lays_no_more() -> None:
    desk = filling()
    laid(desk, leaves=11.0)
    desk.look(12.0)
    assert len(desk.told) == len(ACTIONS), "he may be back a second later"
    desk.look(11.0 + GONE - 0.1)
    assert len(desk.told) == len(ACTIONS)
    desk.look(11.0 + GONE + 0.01)
    assert desk.told[-1] == EXPOSED


def test_who_is_still_there_or_was_not_seen_may_lay_more() -> None:
    there, unseen = filling(), filling()
    laid(there, leaves=None)
    due = there.look(11.5).due
    assert due is not None and due < 12.2  # his hand may leave any moment
    unseen.put(f"exposed:{SEAT}", FACE, at=10.4)
    unseen.look(11.5)
    for desk in (there, unseen):
        desk.look(13.5)
        assert len(desk.told) == len(ACTIONS)
        desk.look(14.2)
        assert desk.told[-1] == EXPOSED


def test_who_comes_back_from_the_same_side_may_lay_more() -> None:
    desk = filling()
    laid(desk, leaves=11.0)
    first = desk.visits[-1]
    again = Visit(9, first.entry, (Stop(first.entry, 11.4, 11.8), Stop(first.stops[0].point, 11.9, 12.1)), 11.4, None)
    desk.visits = (first, again)
    desk.look(12.0)
    assert len(desk.told) == len(ACTIONS)
    desk.visits = (first, replace(again, ended=12.6))
    desk.look(12.6 + GONE + 0.01)
    assert desk.told[-1] == EXPOSED


def test_once_another_player_is_anywhere_the_one_before_him_has_laid_all() -> None:
    desk = filling()
    laid(desk, leaves=None)
    desk.look(11.0)
    desk.hand((SEAT + 1) % 4, f"stock:{(SEAT + 1) % 4}", at=11.4)
    desk.look(11.9)
    assert desk.told[-1] == EXPOSED


def test_what_was_seen_empty_for_a_while_is_cleared_whatever_flies_over_it_then() -> None:
    """The dealer has gathered all hands, and deals at once."""
    for seen_for, told in ((BARE - 0.2, False), (BARE + 0.1, True)):
        desk = settled()
        before = len(desk.told)
        zones = [zone for zone, cards in desk.table.cards.items() if cards and zone != "stock"]
        for zone in zones:
            desk.clear(zone, at=20.0)
        desk.look(20.3)
        desk.look(20.3 + seen_for)
        covered = zones[1:]
        for zone in covered:
            desk.table.stirred[zone] = 20.4 + seen_for
        for now in (20.6, 21.0, 21.4, 21.8):
            for zone in covered:
                desk.table.stirred[zone] = now
            desk.look(now, *covered)
        assert ([kind for kind, *_ in desk.told[before:]] == ["deal"]) is told


def swapping() -> tuple[Seated, Action]:
    """Two cards lie before everybody, and somebody is about to exchange his for another's: that action."""
    rules, actions = game("trading-poker"), list[Action]()
    for step in play(rules, table_setup(rules, 4), Random(0), "simple", 60):
        if step.action.kind == "swap":
            return Seated("trading-poker", *actions), step.action
        actions.append(step.action)
    raise AssertionError("nobody has exchanged his cards")


def test_what_a_hand_left_elsewhere_is_read_once_it_is_off_the_table() -> None:
    """Its tip was lost on its way out: until then nobody sees whether it took those cards, too."""
    desk, swap = swapping()
    seat, other = swap.seat or 0, f"keep:{swap.arg('target')}"
    before = len(desk.told)
    desk.hand(seat, f"keep:{seat}", at=10.0)
    desk.clear(f"keep:{seat}", at=10.4)
    desk.look(10.9)
    desk.hand(seat, other, at=11.2)  # until 11.6
    for now in (11.5, 12.25, 11.6 + CARRIED, 12.2 + CARRIED - 0.05):
        desk.visits = (*desk.visits[:-1], replace(desk.visits[-1], ended=12.2 if now > 12.2 else None))
        desk.look(now, *([other] if now < 12.0 else []))
        assert len(desk.told) == before
    desk.clear(other, *swap.cards, at=13.2)
    desk.look(13.8)
    desk.look(15.0)
    assert desk.told[before:] == [("swap", seat, tuple(sorted(swap.cards)))]


def test_what_a_card_without_a_name_may_have_been_proves_nothing_of_a_row_that_a_hand_is_at() -> None:
    """Of the other's two cards one is gone: that a card that is not read any more was exchanged for it explains as much
    as that whoever took his own up takes these, too."""
    desk, swap = swapping()
    seat, own, other = swap.seat or 0, f"keep:{swap.seat}", f"keep:{swap.arg('target')}"
    before = len(desk.told)
    unread = desk.table.cards["common"][0]
    unread.shown, unread.until = (None, (Candidate(unread.face or "", 0.71),)), 99.0
    for now in (9.0, 12.0, 16.0):
        for question in desk.look(now).questions:
            desk.observer.dismiss(question.key)
    desk.hand(seat, own, at=20.0)
    desk.clear(own, at=20.8)
    desk.look(20.9)
    desk.hand(seat, other, at=21.2)
    desk.clear(other, desk.table.cards[other][0].face or "", at=21.9)
    desk.look(21.6, other)
    desk.look(22.3)
    desk.hand(seat, other, at=22.8)
    for now in (22.9, 23.1, 23.3, 23.5):
        desk.look(now, other)
        assert len(desk.told) == before
    desk.clear(other, *swap.cards, at=23.6)
    for now in (24.2, 25.4):
        desk.look(now)
    assert desk.told[before:] == [("swap", seat, tuple(sorted(swap.cards)))]
