"""A deck that is held over a zone has nothing to do with the game."""

from __future__ import annotations

import pytest

from companion.games import Action
from companion.referee import Acted
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


@pytest.mark.parametrize(("hidden", "covered"), [(True, False), (True, True), (False, False), (False, True)])
def test_whether_a_card_under_a_dealers_hands_has_left_the_others_of_its_row_tell(hidden: bool, covered: bool) -> None:
    desk = Desk("hexa-card")
    row = desk.put("shown:1", "2C", "KH", "AC", "8C", "QC", "8H", at=6.0)
    for now in (7.0, 10.0):
        desk.look(now)
    assert desk.told == [("holy", 1, ("2C", "8C", "8H", "AC", "KH", "QC"))]
    desk.match = desk.match.then(Acted(Action("score")))
    row[0].hidden = hidden
    desk.look(12.0)
    row[0].hidden, row[0].covered = hidden and not covered, covered  # another was laid where the hands were
    desk.clear("shown:1", *(card.face or "" for card in row[1:]), at=14.0)
    for now in (15.0, 18.0, 22.0):
        desk.look(now)
    assert (desk.told[-1][0] == "deal") == hidden
    if hidden:
        row[0].hidden = row[0].covered = False
        assert desk.look(24.0).differences, "it lies there still"
