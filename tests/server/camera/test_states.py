"""A camera that is black, covered, frozen, unplugged, resized, carried, slow or very large: the page says so in both
languages within five seconds, nothing is written meanwhile, and the game goes on by itself.

The whole way is real, from a device's pictures to the journal, but for the device and the reader of drawn cards.
"""

import threading
import time
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.games import Action, Setup
from companion.journal import Journal
from companion.referee import Acted, Started
from companion.server import Config
from companion.server.camera import offers
from companion.server.camera.asking import Answer
from companion.server.camera.cameras import Cameras
from companion.server.camera.reader import OneReader
from companion.server.live.stream import Bus
from companion.server.show.texts import Texts
from companion.vision.camera.calibration import Calibration
from companion.vision.camera.live import LiveSource
from companion.vision.camera.source import SourceState, SourceStatus

from .test_cameras import BELOW, BOTH, EMPTY, SIZE, ColourReader, laid, picture, until

CLOTH = (EMPTY * np.where(np.indices(EMPTY.shape[:2]).sum(axis=0)[..., None] // 20 % 2, 1.0, 0.55)).astype(np.uint8)
NOISE = np.random.default_rng(1).normal(0, 2, EMPTY.shape).astype(np.float32)
OTHERS = picture(("2H", 60, 40), ("2D", 160, 40), ("9C", 260, 40))
WITHIN = 5.0


def on_cloth(cards):
    """Drawn cards on a checked cloth."""
    return np.where((cards == EMPTY).all(axis=2, keepdims=True), CLOTH, cards)


def noisy(pixels, number):
    return np.clip(pixels + np.roll(NOISE, 7 * number, axis=0), 0, 255).astype(np.uint8)


class SmallReader(ColourReader):
    """Reads pictures of any size as one of the drawn size."""

    def read(self, image, deck=None, letters=(), where=None, parts=()):
        height, width = image.shape[:2]
        found = super().read(cv2.resize(image, SIZE, interpolation=cv2.INTER_AREA), deck, letters)
        grow = (width / SIZE[0], height / SIZE[1])
        cards = tuple(replace(c, polygon=tuple((x * grow[0], y * grow[1]) for x, y in c.polygon)) for c in found.cards)
        return replace(found, width=width, height=height, cards=cards)


class Device:
    """A camera over a drawn table, as OpenCV would open it. `trouble` names what is wrong with it."""

    def __init__(self):
        self.table, self.trouble, self.number = CLOTH, "", 0
        self._kept = None
        self._free = threading.Event()

    def open(self):
        if self.trouble == "unplugged":
            return None, SourceStatus.of(SourceState.MISSING, "0")
        return self, SourceStatus.of(SourceState.OK, "0")

    def isOpened(self):  # noqa: N802
        return self.trouble != "unplugged"

    def release(self):
        pass

    def mend(self):
        self.trouble, self._kept = "", None
        self._free.set()

    def read(self):
        self.number += 1
        time.sleep(0.2 if self.trouble == "slow" else 0.06)
        if self.trouble == "unplugged":
            return False, None
        if self.trouble == "hangs":
            self._free.wait(30)
        if self.trouble == "frozen":
            self._kept = self._kept if self._kept is not None else noisy(self.table, self.number)
            return True, self._kept
        return True, self._with_noise(self._seen())

    def _with_noise(self, shown):
        return noisy(shown, self.number) if shown.shape == NOISE.shape else shown

    def _seen(self):
        shown = self.table
        if self.trouble == "dark":
            return np.full_like(shown, 6)
        if self.trouble == "covered":
            return np.full_like(shown, (60, 70, 160))
        if self.trouble == "carried":
            return np.roll(shown, (11 * self.number, 17 * self.number), axis=(0, 1))
        if self.trouble == "resized":
            return shown[:, : -40 if self.number // 10 % 2 else -80].copy()
        if self.trouble == "4k":
            return cv2.resize(shown, (3840, 2880))
        return shown


@pytest.fixture
def journal(tmp_path):
    found = Journal(f"sqlite:///{tmp_path / 'journal.db'}")
    found.create("t", Started("three-card-showdown", Setup(("Anna", "Ben"), "52D1")))
    yield found
    found.close()


@pytest.fixture
def watched(tmp_path, journal, monkeypatch):
    """A table under a device, calm and seen; with what the page is told of it."""
    device = Device()
    monkeypatch.setattr(offers, "open_source", lambda spec, **_: LiveSource("0", device.open))
    cameras, texts = Cameras(Config(tmp_path, demo=False), journal, Bus(), OneReader(SmallReader)), Texts.load()

    def page(lang="en"):
        return cameras.state("t", texts, lang, journal.match("t"))

    cameras.choose("t", "0")
    until(lambda: page()["state"] == "ok" and cameras.seen("t") == 0)
    yield device, page, cameras
    device.mend()
    cameras.close()


def said(page, texts_of):
    """Wait until the page says one of these, at most the five seconds."""
    keys = {lang: Texts.load().text(f"ui.camera.{texts_of}", lang, name="0") for lang in ("en", "ja")}
    return until(lambda: all(page(lang)["text"] == text for lang, text in keys.items()) and page(), WITHIN)


@pytest.mark.parametrize(
    ("trouble", "key"),
    [("dark", "dark"), ("covered", "covered"), ("frozen", "frozen"), ("hangs", "frozen"), ("unplugged", "lost"),
     ("carried", "carried"), ("resized", "resized")],
)  # fmt: skip
def test_what_is_wrong_is_said_nothing_is_written_and_it_goes_on_by_itself(journal, watched, trouble, key):
    device, page, _ = watched
    device.trouble = trouble
    if trouble != "resized":
        time.sleep(0.3)
        device.table = on_cloth(OTHERS)
    shown = said(page, key)
    assert shown["state"] in ("blind", "lost")
    assert not shown["questions"] and not shown["tentative"] and shown["waits"] is None
    time.sleep(1.5)  # long enough for the zones to rest, if anybody looked
    assert len(journal.match("t").entries) == 1
    device.table = on_cloth(BELOW)
    device.mend()
    assert [sorted(cards) for cards in until(lambda: laid(journal), 30)] == [["AS", "KS", "QS"]]
    assert page()["state"] == "ok"


def test_what_lies_still_does_not_become_an_action_while_the_lens_is_covered(journal, watched):
    device, page, _ = watched
    device.table = on_cloth(picture(("AS", 60, 260), ("KS", 160, 260)))
    time.sleep(1.5)
    device.trouble = "covered"
    said(page, "covered")
    time.sleep(2.0)
    assert len(journal.match("t").entries) == 1
    device.table = on_cloth(BELOW)
    device.mend()
    assert [sorted(cards) for cards in until(lambda: laid(journal), 30)] == [["AS", "KS", "QS"]]


def test_what_was_laid_while_the_lens_was_covered_is_asked_about_once_a_game_has_begun(journal, watched):
    """Nobody watched: more may have come and gone than what is seen of it."""
    device, page, cameras = watched
    device.table = on_cloth(BELOW)
    until(lambda: laid(journal), 30)
    device.trouble = "covered"
    said(page, "covered")
    device.table = on_cloth(BOTH)
    device.mend()
    (question,) = until(lambda: page()["questions"], 30)
    assert [sorted(cards) for cards in laid(journal)] == [["AS", "KS", "QS"]]
    watch, _ = cameras.watched("t")
    assert watch.answer(question["id"], Answer(option=0))
    assert sorted(until(lambda: laid(journal)[1:], 30)[0]) == ["2D", "2H", "9C"]


def test_what_lies_there_when_the_camera_comes_in_the_middle_of_a_game_is_asked_about(tmp_path, journal, monkeypatch):
    """The server began anew: what was laid meanwhile nobody watched."""
    device = Device()
    device.table = on_cloth(BOTH)
    journal.append("t", Acted(Action("lay", 0, ("AS", "KS", "QS"))))
    monkeypatch.setattr(offers, "open_source", lambda spec, **_: LiveSource("0", device.open))
    cameras, texts = Cameras(Config(tmp_path, demo=False), journal, Bus(), OneReader(SmallReader)), Texts.load()
    try:
        cameras.choose("t", "0")
        (question,) = until(lambda: cameras.state("t", texts, "en", journal.match("t"))["questions"], 30)
        assert question["text"].startswith("Did this happen?") and len(laid(journal)) == 1
        watch, _ = cameras.watched("t")
        watch.use(watch.layout)  # somebody moves a zone, or marks the table anew
        time.sleep(4.0)
        assert cameras.state("t", texts, "en", journal.match("t"))["questions"] and len(laid(journal)) == 1
    finally:
        device.mend()
        cameras.close()


def test_five_pictures_a_second_are_said_and_followed(journal, watched):
    device, page, _ = watched
    device.trouble = "slow"
    assert said(page, "slow")["state"] == "ok"
    device.table = on_cloth(BELOW)
    assert [sorted(cards) for cards in until(lambda: laid(journal), 30)] == [["AS", "KS", "QS"]]
    device.mend()
    said(page, "ok")


def test_pictures_of_four_thousand_px_are_made_smaller_and_followed(journal, watched):
    device, page, cameras = watched
    device.trouble = "4k"
    device.table = on_cloth(BELOW)
    assert [sorted(cards) for cards in until(lambda: laid(journal), 60)] == [["AS", "KS", "QS"]]
    assert max(cameras.watched("t")[1].shape) == 1920
    assert page()["state"] in ("ok", "blind")  # without noise a drawn picture stands still


def test_a_hand_over_half_the_table_is_no_trouble(journal, watched):
    device, page, _ = watched
    for step in range(40):
        shown = on_cloth(BELOW)
        cv2.circle(shown, (40 + 8 * (step % 20), 130), 110, (130, 160, 215), -1)
        device.table = shown
        time.sleep(0.1)
        assert page()["state"] == "ok"


def test_zones_out_of_the_picture_are_named_in_the_players_language(watched):
    """A camera that looks past the left half of the table."""
    _, page, cameras = watched
    assert page()["cut"] == ""
    wide, high = SIZE
    corners = [(-wide / 2, 0), (wide, 0), (wide, high), (-wide / 2, high)]
    watch, _ = cameras.watched("t")
    watch.use(replace(watch.layout, loose=False))
    watch.calibrate(Calibration.from_corners(corners, (900.0, 600.0), SIZE))
    until(lambda: page()["cut"])
    assert page()["cut"].startswith("Not whole in the picture: ") and "hand:" not in page()["cut"]
    assert page("ja")["cut"].startswith("画面からはみ出ている場所：")
