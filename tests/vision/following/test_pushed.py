"""A camera that is pushed on a bare cloth: its table is found again, or said to be lost; never silently another one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.camera.calibration import Calibration
from companion.vision.camera.source import SourceState
from companion.vision.following.watcher import Watcher
from companion.vision.images import Pixels

from .test_watcher import SIZE, TWO, Cards, picture, play, still, told

CORNERS = [(40.0, 30.0), (280.0, 30.0), (300.0, 215.0), (20.0, 215.0)]


def framed(cards: Cards, push: int = 0, number: int = 0) -> Pixels:
    """A plain cloth on a plain floor: only its edges have detail."""
    floor = np.full((SIZE[1] + 400, SIZE[0] + 400, 3), (60, 60, 75), np.uint8)
    cloth = np.array([(x + 200, y + 200) for x, y in CORNERS], np.int32)
    cv2.fillConvexPoly(floor, cloth, (70, 120, 60))
    shown = picture(cards)
    drawn = (np.abs(shown.astype(int) - (70, 120, 60)) > 60).any(axis=2)
    view = floor[200 : 200 + SIZE[1], 200 : 200 + SIZE[0]]
    view[drawn] = shown[drawn]
    pushed = np.roll(floor, (push // 3, push), axis=(0, 1))[200 : 200 + SIZE[1], 200 : 200 + SIZE[0]]
    noise = np.random.default_rng(number).normal(0, 2, pushed.shape)
    return np.clip(pushed + noise, 0, 255).astype(np.uint8)


@pytest.fixture
def watched() -> tuple[Watcher, int]:
    watcher, _, _ = told(calibration=Calibration.from_corners(CORNERS, (900, 600), SIZE))
    return watcher, play(watcher, [framed(TWO[:1], 0, n) for n in range(12)])


@pytest.mark.parametrize("push", [15, 50, -50])
def test_a_push_on_a_plain_cloth_is_mended_or_said_within_five_seconds(watched: tuple[Watcher, int], push: int) -> None:
    watcher, now = watched
    assert watcher.status.state is SourceState.OK and watcher.calibration is not None
    before = watcher.calibration
    now = play(watcher, [framed(TWO[:1], push, n) for n in range(50)], now)
    if watcher.status.key == "ui.camera.mended":
        there = watcher.calibration.to_table([(160 + push, 120 + push // 3)], SIZE)[0]
        assert np.hypot(*(np.array(there) - before.to_table([(160, 120)], SIZE)[0])) < 20
    else:
        assert (watcher.status.state, watcher.status.key) == (SourceState.BLIND, "ui.camera.pushed")
        watcher.calibrate(before)
        play(watcher, [framed(TWO[:1], push, n) for n in range(20)], now)
        assert watcher.status.state is SourceState.OK


def test_pushed_back_it_goes_on_by_itself(watched: tuple[Watcher, int]) -> None:
    watcher, now = watched
    now = play(watcher, [framed(TWO[:1], 50, n) for n in range(50)], now)
    known = watcher.table.cards if watcher.table else ()
    play(watcher, [framed(TWO[:1], 0, n) for n in range(50)], now)
    assert watcher.status.state is SourceState.OK and watcher.table is not None
    assert [c.track for c in watcher.table.cards] == [c.track for c in known]


def test_cards_dealt_and_gathered_and_a_hand_that_rests_are_no_push(watched: tuple[Watcher, int]) -> None:
    watcher, now = watched
    for cards in ([], [*TWO], [("7D", 60, 100), ("2C", 130, 60), ("KH", 210, 90)], []):
        now = play(watcher, [framed(cards, 0, n) for n in range(15)], now)
        assert watcher.status.key == "ui.camera.ok"
    arm = [framed([], 0, n) for n in range(40)]
    for shown in arm:
        cv2.rectangle(shown, (120, 60), (190, SIZE[1]), (130, 160, 215), -1)
    play(watcher, arm, now)
    assert watcher.status.key == "ui.camera.ok"


def test_without_a_marked_table_a_push_is_nothing() -> None:
    watcher, _, _ = told()
    now = play(watcher, still(TWO))
    play(watcher, [framed(TWO[:1], 50, n) for n in range(30)], now)
    assert watcher.status.state is SourceState.OK
