"""Whether a dark picture is that of a black table or of no table at all."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.camera.health import Health
from companion.vision.camera.source import Frame

HIGH, WIDE = 360, 640


def black_cloth(cards: int) -> np.ndarray:
    """Black cloth with its weave and its folds, and white cards on it."""
    rng = np.random.default_rng(4)
    folds = cv2.resize(rng.normal(0.0, 5.0, (9, 16)), (WIDE, HIGH), interpolation=cv2.INTER_CUBIC)
    cloth = np.repeat((12.0 + folds)[:, :, None], 3, axis=2)
    for card in range(cards):
        cloth[140:230, 60 + 90 * card : 122 + 90 * card] = 235.0
    return cloth


def shown(table: np.ndarray, number: int) -> Frame:
    noise = np.random.default_rng(number).normal(0.0, 3.0, table.shape)
    return Frame(np.clip(table + noise, 0, 255).astype(np.uint8), number / 12, number)


@pytest.mark.parametrize(
    ("then", "in_order"), [("cleared", True), ("covered", False), ("light out", False), ("no picture", False)]
)
def test_a_black_table_without_cards_is_no_dark_picture(then: str, in_order: bool) -> None:
    """Of a lens that is covered nothing tells where the cloth was light and where dark."""
    health = Health(live=False)
    for number in range(30):
        assert health.feed(shown(black_cloth(3), number))
    flat = np.full((HIGH, WIDE, 3), 11.0)
    left = {"cleared": black_cloth(0), "covered": flat, "light out": black_cloth(0) * 0.1, "no picture": flat * 0}[then]
    answers = [health.feed(shown(left, number)) for number in range(30, 60)]
    assert answers == [in_order] * 30
    assert health.trouble == ("" if in_order else "dark")


def test_a_picture_that_was_dark_from_the_start_shows_nothing() -> None:
    health = Health(live=False)
    assert not any(health.feed(shown(black_cloth(0), number)) for number in range(30))
