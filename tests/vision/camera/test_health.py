"""Whether pictures show a table: a black one or none at all, one that stands still, few of them, photographs."""

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


def table(number: int, high: int = HIGH, wide: int = WIDE) -> np.ndarray:
    """A table as a sensor shows it; the picture of a number is always the same one."""
    rng = np.random.default_rng(number)
    return np.clip(rng.normal(0.0, 3.0, (high, wide, 3)) + 120.0, 0, 255).astype(np.uint8)


def sent(number: int, time: float, lag: float = -0.1, *, single: bool = False) -> Frame:
    return Frame(table(number), time, number, lag, single)


def test_the_same_picture_sent_for_long_stands_still_and_another_one_ends_it() -> None:
    health = Health(live=True)
    assert [health.feed(sent(1, 0.4 * n)) for n in range(12)] == [True] * 8 + [False] * 4
    assert health.trouble == "frozen"
    assert health.feed(sent(2, 5.0)) and health.trouble == ""


def test_who_was_away_and_sends_what_he_sent_before_does_not_stand_still_yet() -> None:
    health = Health(live=True)
    assert [health.feed(sent(1, time)) for time in (0.0, 2.0, 60.0, 61.0, 62.5, 63.5)] == [True] * 5 + [False]


def test_the_last_picture_that_was_sent_may_be_shown_once_more() -> None:
    health = Health(live=True)
    health.feed(sent(1, 0.0))
    assert all(health.feed(Frame(table(1), 0.5 * number, number)) for number in range(1, 12)) and not health.slow
    assert health.feed(sent(2, 0.4)) and not health.slow


def test_a_photograph_may_stay_for_ever_and_have_any_shape() -> None:
    health = Health(live=True)
    for number in range(12):
        assert health.feed(sent(1, 0.5 * number, single=True))
    assert all(health.feed(Frame(table(1), 6.0 + number, number)) for number in range(12)), "shown once more"
    health.silent(60.0)
    upright = Frame(table(3, WIDE, HIGH), 20.0, 30, 0.0, single=True)
    assert health.feed(upright) and health.trouble == "" and not health.slow


def test_silence_of_who_sends_pictures_is_told_by_their_source() -> None:
    sends, gives = Health(live=True), Health(live=True)
    sends.feed(sent(1, 0.0))
    gives.feed(Frame(table(1), 0.0, 1))
    for health in (sends, gives):
        health.silent(3.5)
    assert (sends.trouble, gives.trouble) == ("", "frozen")


@pytest.mark.parametrize(("fps", "slow"), [(0.5, True), (1, True), (2, True), (5, True), (7.5, True), (9, False)])
def test_a_device_that_gives_few_pictures_is_slow_within_five_seconds(fps: float, slow: bool) -> None:
    health = Health(live=True)
    for number in range(int(5 * fps) + 1):
        health.feed(Frame(table(number), number / fps, number))
    assert health.slow is slow


def test_pictures_that_come_as_they_are_asked_for_are_not_slow_however_few() -> None:
    health = Health(live=True)
    for number in range(30):
        health.feed(sent(number, 0.5 * number, lag=-0.05))
        assert not health.slow
    for number in range(30, 42):
        health.feed(sent(number, 0.5 * number, lag=0.2))
    assert health.slow
