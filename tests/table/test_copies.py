"""What shows more of a face than the deck holds is less likely than what is only against the rules."""

from __future__ import annotations

from companion.games import Action
from tests.table.test_visits import Watched

BEGUN = (
    Action("turn-up", None, ("8H",)),
    Action("play", 0, ("KS",)),
    Action("draw", 0, ("JK1",)),
    Action("kings", None, ("6H", "QH", "3D", "JH")),
)


def cheapest_foul(laid: str) -> float:
    """What it costs to think that this card was just laid on the road, against the rules."""
    desk = Watched("joker-quest", 4, *BEGUN)
    desk.hand(1, "road", at=10.0)
    desk.put("road", laid, at=10.4)
    desk.look(11.5)
    assert desk.observer._beam is not None
    lays = (h for h in desk.observer._beam.hypotheses if [step.action.cards for step in h.steps] == [(laid,)])
    return min(h.cost for h in lays if h.steps[0].foul)


def test_a_second_card_of_a_face_costs_more_than_a_foul() -> None:
    """The three of diamonds lies there as a king; a nine of clubs may only not be laid."""
    assert cheapest_foul("3D") > cheapest_foul("9C") + 1.0
