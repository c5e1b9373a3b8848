"""How soon the next picture is wanted of a phone and of `companion watch`; photographs over a marked table."""

import cv2
import numpy as np
import pytest

from companion.commands.watch import Client
from companion.server import Config
from companion.server.camera.calibrate import PHONE, AreaRequest
from companion.server.camera.cameras import Cameras
from companion.server.camera.pace import PHONE_PACE, PROGRAM_PACE, pace_of
from companion.server.camera.reader import OneReader
from companion.server.live.stream import Bus
from companion.vision.camera.pushed import PushSource
from companion.vision.types import Unit

from .test_cameras import BELOW, ColourReader, until

SIZE = (900.0, 675.0)
MARKED = AreaRequest(corners=((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), size=SIZE)


def sent(pixels):
    return cv2.imencode(".png", pixels)[1].tobytes()


class Watched:
    """Stands for a watch: somebody sends it pictures, and each is taken at once."""

    def __init__(self):
        self.source, self.moving, self.given, self.asked = PushSource(), True, None, []
        self.table_id, self.frame = "t", None
        self.source.wait_taken = lambda _: True
        self.source.ask = lambda pause, way: self.asked.append((pause, way))

    def stop(self):
        pass


@pytest.fixture
def cameras(tmp_path, journal):
    found = Cameras(Config(tmp_path, demo=False), journal, Bus(), OneReader(ColourReader))
    yield found
    found.close()


def test_the_program_is_asked_for_twelve_pictures_a_second_while_something_moves(cameras):
    """So many come where encoding, sending and taking one last no longer than the way of a picture may."""
    watch = Watched()
    cameras.hold("t", PHONE, watch)
    sender = Client("http://127.0.0.1", "key")._sender
    pause = cameras.push("t", sent(BELOW), sender)
    assert watch.asked == [(pause, PROGRAM_PACE.way)]
    assert 1 / (pause + PROGRAM_PACE.way) >= 12


def test_a_still_table_is_asked_for_fewer_and_a_phone_is_spared(cameras):
    watch, asked = Watched(), {}
    cameras.hold("t", PHONE, watch)
    for sender in (Client("http://127.0.0.1", "key")._sender, "0123456789abcdef01234567"):
        for watch.moving in (True, False):
            asked[pace_of(sender), watch.moving] = cameras.push("t", sent(BELOW), sender, take=True)
    assert list(asked.values()) == [PROGRAM_PACE.lively, PROGRAM_PACE.calm, PHONE_PACE.lively, PHONE_PACE.calm]
    assert PROGRAM_PACE.calm >= 0.08, "each picture costs the server, and a still table is to be cheap"


def test_photographs_over_a_marked_table_are_taken_as_they_are_and_the_marks_come_back(cameras):
    """A phone without HTTPS: one picture after the other, one of them upright."""

    def photograph(pixels):
        cameras.push("t", sent(pixels), "one", single=True, take=True)
        until(lambda: watch().frame is not None and watch().frame.pixels.shape == pixels.shape)
        until(lambda: watch().source.over)
        return watch().layout, watch().calibration

    def watch():
        return cameras._watches["t"]

    photograph(BELOW)
    cameras.calibrate("t", MARKED)
    marked = until(lambda: watch().seen.unit is Unit.MM and (watch().layout, watch().calibration))
    assert marked[0].unit is Unit.MM
    layout, through = photograph(np.rot90(BELOW).copy())
    assert (layout.unit, through) == (Unit.FRACTION, None) and cameras.marked("t")
    until(lambda: watch().seen.unit is Unit.FRACTION)
    assert photograph(BELOW) == marked
    until(lambda: watch().seen.unit is Unit.MM)
    assert watch().status.key == "ui.camera.ok"
