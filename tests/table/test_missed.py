"""A look may miss a card and go on missing it: that nobody sees it does not say that it was taken."""

from __future__ import annotations

import pytest

from companion.games import Action
from tests.table.test_following import Desk

SHOWN = [Action("expose", 0, ("JH", "4C", "KD")), Action("expose", 1, ("2H", "KC", "KS"))]


@pytest.mark.parametrize("reached", [False, True])
def test_a_card_that_is_missed_since_long_before_it_could_be_taken_is_asked_about(reached: bool) -> None:
    """Its owner may give up by taking it: that is asked, also where a hand was since, as it may only have passed."""
    desk = Desk("three-card-trick-poker", 2, *SHOWN, Action.of("leader", leader=0))
    desk.table.stirred["exposed:1"] = 7.0
    desk.clear("exposed:1", "KC", at=7.0)
    for at in (9.0, 20.0):
        desk.look(at)
    desk.put("play:0", "6H", at=30.0)
    if reached:
        desk.table.stirred["exposed:1"] = 30.0
    asked = [question for at in (31.0, 33.0, 36.0, 41.0, 45.0) for question in desk.look(at).questions]
    assert desk.told[3][:2] == ("play", 0)
    assert asked and ("fold", 1, ("KC",)) not in desk.told


def test_a_card_that_lay_until_a_hand_came_is_told_as_taken() -> None:
    desk = Desk("three-card-trick-poker", 2, *SHOWN, Action.of("leader", leader=0))
    for at in (9.0, 20.0):
        desk.look(at)
    desk.put("play:0", "6H", at=30.0)
    desk.look(31.0)
    desk.clear("exposed:1", "KC", at=33.0)
    asked = [question for at in (34.0, 36.0, 41.0, 45.0) for question in desk.look(at).questions]
    assert not asked and ("fold", 1, ("KC",)) in desk.told
