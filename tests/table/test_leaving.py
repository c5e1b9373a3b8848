"""Who has left the table lays no more; where nothing lay for a while nothing lies, whatever moves there then."""

from __future__ import annotations

from dataclasses import replace

from companion.games import Action
from companion.table.patience import BARE, GONE
from companion.vision.types import Stop, Visit
from tests.table.test_half_cleared import settled
from tests.table.test_reaches import Seated


def quest() -> Seated:
    """Seat 0 plays, as many cards of one suit as he likes."""
    return Seated("joker-quest", Action("turn-up", None, ("8S",)))


def laid(desk: Seated, *, leaves: float | None) -> None:
    """His hand lays a card at 10.4 s and leaves the table when that is told, if ever."""
    desk.hand(0, "road", at=10.0)
    desk.visits = (*desk.visits[:-1], replace(desk.visits[-1], ended=leaves))
    desk.put("road", "10D", at=10.4)


def test_who_has_left_the_table_lays_no_more() -> None:
    desk, before = quest(), 1
    laid(desk, leaves=11.0)
    desk.look(11.0 + GONE - 0.1)
    assert len(desk.told) == before
    desk.look(11.0 + GONE + 0.01)
    assert desk.told[-1] == ("play", 0, ("10D",))


def test_who_is_still_there_or_was_not_seen_may_lay_more() -> None:
    there, unseen = quest(), quest()
    laid(there, leaves=None)
    due = there.look(11.5).due
    assert due is not None and due < 12.2  # his hand may leave any moment
    unseen.put("road", "10D", at=10.4)
    unseen.look(11.5)
    for desk in (there, unseen):
        desk.look(13.5)
        assert len(desk.told) == 1
        desk.look(14.2)
        assert desk.told[-1] == ("play", 0, ("10D",))


def test_who_comes_back_from_the_same_side_may_lay_more() -> None:
    desk = quest()
    laid(desk, leaves=11.0)
    first = desk.visits[-1]
    again = Visit(9, first.entry, (Stop(first.entry, 11.4, 11.8), Stop(first.stops[0].point, 11.9, 12.1)), 11.4, None)
    desk.visits = (first, again)
    desk.look(12.0)
    assert len(desk.told) == 1
    desk.visits = (first, replace(again, ended=12.6))
    desk.look(12.6 + GONE + 0.01)
    assert desk.told[-1] == ("play", 0, ("10D",))


def test_once_another_player_is_anywhere_the_one_before_him_has_laid_all() -> None:
    desk = quest()
    laid(desk, leaves=None)
    desk.look(11.0)
    desk.hand(1, "stock", at=11.4)
    desk.look(11.9)
    assert desk.told[-1] == ("play", 0, ("10D",))


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
