"""What shows more of a face than the deck holds is less likely than what is only against the rules."""

from __future__ import annotations

import pytest

from companion.games import Action
from companion.table.beam import FOUL, TOO_MANY
from companion.table.hypotheses import Hypothesis
from tests.table.test_visits import Watched

BEGUN = (
    Action("turn-up", None, ("8H",)),
    Action("play", 0, ("KS",)),
    Action("draw", 0, ("JK1",)),
    Action("kings", None, ("6H", "QH", "3D", "JH")),
)


@pytest.mark.parametrize(("laid", "cost"), [("3D", TOO_MANY), ("9C", FOUL)])
def test_a_second_card_of_a_face_costs_more_than_a_foul(laid: str, cost: float) -> None:
    """A king lies on the road, and a card on it: nobody laid another three of diamonds before."""
    desk = Watched("joker-quest", 4, *BEGUN)
    desk.hand(1, "road", at=10.0)
    desk.put("road", laid, at=10.4)
    desk.look(11.5)
    assert desk.observer._beam is not None
    fouls = [h for h in desk.observer._beam.hypotheses if any(step.foul for step in h.steps)]

    def lays(one: Hypothesis) -> bool:
        return [step.action.cards for step in one.steps] == [(laid,)]

    assert fouls and all(cost <= one.cost < cost + 1.0 for one in fouls if lays(one)) and any(map(lays, fouls))


def test_who_attacks_a_king_has_not_laid_another_card_of_its_face() -> None:
    """The next player's hand is there at once: two attacks would explain it, the first with a card that lies there."""
    desk = Watched("joker-quest", 4, *BEGUN)
    desk.hand(1, "kings", "road", at=10.0)
    desk.clear("kings", "3D", at=11.0)
    desk.put("road", "3D", at=11.5)
    desk.look(12.4)
    desk.hand(1, "road", at=13.0)
    desk.put("road", "JD", at=13.4)
    desk.hand(2, "kings", at=14.0)
    desk.look(14.3, "kings")
    desk.look(15.5)
    desk.look(19.0)
    assert desk.told[-1] == ("attack", 1, ("JD",)) and desk.match.actions[-1].arg("king") == "3D"
