"""A camera in a process of its own: killed or hanging, it is missed within five seconds and started again."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

from companion.vision.camera.apart import ApartCapture, Opened
from companion.vision.camera.live import LiveSource
from companion.vision.camera.source import SourceState, SourceStatus

NAME = "0"


class Device:
    """A camera that counts its pictures."""

    def __init__(self) -> None:
        self.number = 0

    def read(self) -> tuple[bool, Any]:
        time.sleep(0.03)
        self.number += 1
        return True, np.full((48, 64, 3), self.number % 250, np.uint8)

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def release(self) -> None:
        pass


def device() -> Opened:
    return Device(), SourceStatus.of(SourceState.OK, NAME)


def nothing() -> Opened:
    return None, SourceStatus.of(SourceState.BUSY, NAME, "denied")


def broken() -> Opened:
    os._exit(3)


def until(condition: Callable[[], Any], seconds: float) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    raise AssertionError("it did not happen")


@pytest.fixture
def opened() -> Iterator[list[ApartCapture]]:
    found: list[ApartCapture] = []
    yield found
    for capture in found:
        capture.release()


def opener(kept: list[ApartCapture]) -> Opened:
    kept.append(ApartCapture(device, NAME, patience=1.0))
    return kept[-1].opened(NAME)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_killed_or_hanging_it_is_missed_and_started_again(opened: list[ApartCapture], how: signal.Signals) -> None:
    source = LiveSource(NAME, partial(opener, opened), pauses=(1.0,))
    try:
        frame = until(lambda: source.read(0.5), 60)
        assert frame.pixels.shape == (48, 64, 3) and source.status.state is SourceState.OK
        assert opened[0].process.pid is not None
        os.kill(opened[0].process.pid, how)
        until(lambda: source.status.state is SourceState.LOST, 5.0)
        source.read(0.0)
        again = until(lambda: source.read(0.5), 60)
        assert source.status.state is SourceState.OK and again.number > frame.number
        assert len(opened) == 2 and not opened[0].process.is_alive()
    finally:
        source.close()


def test_why_a_camera_does_not_open_comes_from_its_process() -> None:
    capture = ApartCapture(nothing, NAME)
    assert capture.opened(NAME) == (None, SourceStatus.of(SourceState.BUSY, NAME, "denied"))
    assert not capture.isOpened() and capture.read() == (False, None)


def test_a_driver_that_crashes_while_it_opens_is_a_camera_that_is_gone() -> None:
    capture = ApartCapture(broken, NAME)
    assert capture.opened(NAME) == (None, SourceStatus.of(SourceState.LOST, NAME))
