"""What was thought of while a place moved is thought of once more when it rests, though it lies as before."""

from __future__ import annotations

from typing import Any

import pytest

from companion.table.beam import Beam
from tests.table.test_following import Desk


def test_a_name_told_while_another_place_moves_counts_there_once_that_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    thought: list[bool] = []
    weigh = Beam.weigh

    def noted(beam: Beam, sight: Any, weight: float, *, search: bool = True) -> None:
        thought.append(search)
        weigh(beam, sight, weight, search=search)

    desk = Desk("three-card-showdown", 4, deck="52D2")
    desk.put("hand:0", "AS", "KS", at=10.0)
    (unread,) = desk.put("hand:1", None, at=10.0)
    desk.look(11.0)
    monkeypatch.setattr(Beam, "weigh", noted)
    desk.observer.name(unread.track, "9H")
    desk.look(12.0, "hand:0")
    desk.look(13.0)
    desk.look(14.0)
    assert thought == [True, True, False]
