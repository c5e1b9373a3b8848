"""The learning rate over a training's time."""

from __future__ import annotations

import pytest

from companion.training.networks import schedule


def test_rate_rises_then_falls() -> None:
    """A short rise to the top, then down to the floor, never below, also past the end."""
    assert schedule.learning_rate_share(0) < 0.1
    assert schedule.learning_rate_share(schedule.WARM) == pytest.approx(1)
    falling = [schedule.learning_rate_share(p / 20) for p in range(1, 21)]
    assert falling == sorted(falling, reverse=True)
    assert schedule.learning_rate_share(1) == pytest.approx(0.01)
    assert schedule.learning_rate_share(1.5) == pytest.approx(0.01)
