"""A deck that is held over a zone has nothing to do with the game."""

from __future__ import annotations

from companion.games import Action
from companion.table.strangers import STRANGE
from tests.table.test_following import Desk


def test_a_deck_that_is_held_over_a_players_zone_does_not_stop_his_lay() -> None:
    desk = Desk("three-card-showdown")
    desk.put("hand:1", None, at=6.0)
    desk.look(7.0)
    assert desk.look(7.5 + STRANGE).questions == ()
    desk.put("hand:1", "4D", "10H", "9C", at=12.0)
    found = desk.look(13.0)
    found = found if found.actions else desk.look(16.0)
    assert desk.told == [("lay", 1, ("10H", "4D", "9C"))] and found.questions == ()


def test_backs_that_the_game_waits_for_are_no_strangers_however_long_they_lie() -> None:
    desk = Desk("pokard-trick", 4, *(Action("in", seat) for seat in (1, 2, 3, 0)))
    desk.put("aside:1", None, at=6.0)
    desk.look(7.0)
    desk.look(8.0 + 2 * STRANGE)
    desk.put("aside:1", None, at=14.0)
    desk.look(15.0)
    desk.look(18.0)
    assert desk.told[-1] == ("aside", 1, ("?", "?"))
