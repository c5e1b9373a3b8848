"""A camera that is black, covered, frozen, unplugged, resized, turned, carried, slow or very large: the page says so in
both languages within five seconds, nothing is written meanwhile, and the game goes on by itself.

The whole way is real, from a device's pictures to the journal, but for the device, the reader of drawn cards and the
network: a webcam of the server, the page of a phone, `companion watch` elsewhere; with the table marked and not.
"""

import threading
import time
from contextlib import suppress
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.commands import watch as command
from companion.games import Action
from companion.referee import Acted
from companion.server import Config
from companion.server.camera import offers
from companion.server.camera.asking import Answer
from companion.server.camera.calibrate import PHONE, AreaRequest
from companion.server.camera.cameras import Cameras, NotTheCameraError
from companion.server.camera.in_view import cut_zones
from companion.server.camera.reader import OneReader
from companion.server.live.stream import Bus
from companion.server.show.texts import Texts
from companion.vision.camera.calibration import Calibration
from companion.vision.camera.live import LiveSource
from companion.vision.camera.source import SourceState, SourceStatus
from companion.vision.types import Unit

from .test_cameras import BELOW, BOTH, EMPTY, SIZE, ColourReader, laid, picture, until

CLOTH = (EMPTY * np.where(np.indices(EMPTY.shape[:2]).sum(axis=0)[..., None] // 20 % 2, 1.0, 0.55)).astype(np.uint8)
NOISE = np.random.default_rng(1).normal(0, 2, EMPTY.shape).astype(np.float32)
FLOOR = np.kron(np.random.default_rng(2).integers(60, 180, (18, 24, 3), np.uint8), np.ones((20, 20, 1), np.uint8))
OTHERS = picture(("2H", 60, 40), ("2D", 160, 40), ("9C", 260, 40))
WITHIN = 5.0
MARKED = AreaRequest(corners=((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), size=(900.0, 675.0))
WAYS = ("webcam", "phone, marked", "watch, marked")


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
        self.table, self.trouble, self.number, self.slow = CLOTH, "", 0, 0.2
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
        time.sleep(self.slow if self.trouble == "slow" else 0.06)
        if self.trouble == "unplugged":
            return False, None
        if self.trouble == "hangs":
            self._free.wait(30)
        if self.trouble == "frozen":
            self._kept = self._kept if self._kept is not None else noisy(self.table, self.number)
            return True, self._kept
        return True, self._seen(noisy(self.table, self.number))

    def _seen(self, shown):
        if self.trouble == "dark":
            return noisy(np.full_like(shown, 6), self.number)
        if self.trouble == "covered":
            return noisy(np.full_like(shown, (60, 70, 160)), self.number)
        if self.trouble == "carried":
            return np.roll(FLOOR, (11 * self.number, 17 * self.number), axis=(0, 1))
        if self.trouble == "resized":
            return shown[:, : -40 if self.number // 10 % 2 else -80].copy()
        if self.trouble == "4k":
            return cv2.resize(shown, (3840, 2880))
        if self.trouble == "turned":
            return np.rot90(shown).copy()
        return shown


def sent(pixels):
    return cv2.imencode(".png", pixels, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()


class Near(command.Client):
    """`companion watch` beside the server, without a network."""

    def __init__(self, cameras):
        super().__init__("http://127.0.0.1", "key")
        self._cameras = cameras

    def join(self):
        return "t"

    def send(self, pixels, *, take):
        return self._cameras.push("t", sent(pixels), self._sender, take=take)


def phone(cameras, device, over):
    """What the page of a phone does: a picture, and the next one when the server wants it."""
    take = True
    while not over.is_set():
        found, pixels = device.read()
        if found:
            over.wait(cameras.push("t", sent(pixels), "abc", take=take))
            take = False


def begun(way, cameras, device, over):
    """Watch the table with a device; what sends its pictures ends when it is `over`."""
    if way == "webcam":
        cameras.choose("t", "0")
        return
    cameras.choose("t", PHONE)
    if way == "watch":
        source = LiveSource("0", device.open)
        send, args = command._watch, (Near(cameras), source, lambda _: None)
        threading.Thread(target=lambda: over.wait() and source.close(), daemon=True).start()
    else:
        send, args = phone, (cameras, device, over)

    def sending():
        with suppress(NotTheCameraError):  # the table has none any more
            send(*args)

    threading.Thread(target=sending, daemon=True).start()


@pytest.fixture(params=WAYS)
def watched(request, tmp_path, journal, monkeypatch):
    """A table under a device, calm and seen; with what the page is told of it."""
    way, _, marked = request.param.partition(", ")
    device, over = Device(), threading.Event()
    device.slow = 0.5 if way == "phone" else 0.2
    cameras, texts = Cameras(Config(tmp_path, demo=False), journal, Bus(), OneReader(SmallReader)), Texts.load()
    opened = offers.open_source
    monkeypatch.setattr(
        offers, "open_source", lambda spec, **_: opened(spec) if spec == PHONE else LiveSource("0", device.open)
    )

    def page(lang="en"):
        return cameras.state("t", texts, lang, journal.match("t"))

    begun(way, cameras, device, over)
    until(lambda: page()["state"] == "ok" and cameras.seen("t") == 0)
    if marked:
        watch, _ = cameras.watched("t")
        cameras.calibrate("t", MARKED)
        until(lambda: watch._watcher.table is not None and watch._watcher.table.unit is Unit.MM)
    yield device, page, cameras
    over.set()
    device.mend()
    cameras.close()


def said(page, texts_of, within=WITHIN):
    """Wait until the page says one of these, at most so many seconds."""
    texts, shown = Texts.load(), page()
    names = {lang: texts.text("ui.camera.phone", lang) if shown["phone"] else "0" for lang in ("en", "ja")}
    keys = {lang: texts.text(f"ui.camera.{texts_of}", lang, name=name) for lang, name in names.items()}
    end = time.monotonic() + within
    while any(page(lang)["text"] != text for lang, text in keys.items()):
        assert time.monotonic() < end, f"the page says: {page()['text']}"
        time.sleep(0.02)
    return page()


@pytest.mark.parametrize("watched", [*WAYS, "webcam, marked"], indirect=True)
@pytest.mark.parametrize(
    ("trouble", "key"),
    [("dark", "dark"), ("covered", "covered"), ("frozen", "frozen"), ("hangs", "frozen"), ("unplugged", "lost"),
     ("carried", "carried"), ("resized", "resized")],
)  # fmt: skip
def test_what_is_wrong_is_said_nothing_is_written_and_it_goes_on_by_itself(journal, watched, trouble, key):
    device, page, _ = watched
    if trouble == "hangs" and page()["phone"]:
        key = "lost"  # nobody sends anything any more
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


@pytest.mark.parametrize("watched", [*WAYS[1:], "webcam, marked"], indirect=True)
def test_a_marked_table_whose_picture_was_turned_is_read_again_when_it_is_turned_back(journal, watched):
    """Its zones are those that it was marked with, in millimetres, before and after."""
    device, page, cameras = watched
    watch, _ = cameras.watched("t")
    layout, through = watch.layout, watch.calibration
    device.trouble, device.table = "turned", on_cloth(OTHERS)
    shown = said(page, "turned")
    assert (shown["state"], shown["marked"]) == ("blind", True)
    assert not shown["questions"] and not shown["tentative"] and shown["waits"] is None
    time.sleep(1.5)
    assert len(journal.match("t").entries) == 1
    assert (watch.layout, watch.calibration) == (layout, through)
    device.table = on_cloth(BELOW)
    device.mend()
    assert [sorted(cards) for cards in until(lambda: laid(journal), 30)] == [["AS", "KS", "QS"]]
    assert page()["state"] == "ok" and watch.seen.unit is Unit.MM
    assert (watch.layout, watch.calibration) == (layout, through)


@pytest.mark.parametrize("watched", ["phone", "watch"], indirect=True)
def test_an_unmarked_table_whose_picture_was_turned_is_looked_at_afresh(watched):
    device, page, _ = watched
    device.trouble = "turned"
    assert said(page, "resized")["state"] == "blind"
    said(page, "ok")


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


def test_few_pictures_a_second_are_said_and_followed(journal, watched):
    device, page, _ = watched
    device.trouble = "slow"
    assert said(page, "slow")["state"] == "ok"
    time.sleep(1.0)
    assert said(page, "slow")["state"] == "ok"
    device.table = on_cloth(BELOW)
    assert [sorted(cards) for cards in until(lambda: laid(journal), 30)] == [["AS", "KS", "QS"]]
    device.mend()
    said(page, "ok", 30.0)  # what a busy machine sends may be few pictures, too


def test_pictures_of_four_thousand_px_are_made_smaller_and_followed(journal, watched):
    device, page, cameras = watched
    device.trouble = "4k"
    said(page, "resized")
    device.table = on_cloth(BELOW)
    assert [sorted(cards) for cards in until(lambda: laid(journal), 60)] == [["AS", "KS", "QS"]]
    assert max(cameras.watched("t")[1].shape) == 1920
    assert page()["state"] == "ok"


def test_a_hand_over_half_the_table_is_no_trouble(journal, watched):
    device, page, _ = watched
    for step in range(40):
        shown = on_cloth(BELOW)
        cv2.circle(shown, (40 + 8 * (step % 20), 130), 110, (130, 160, 215), -1)
        device.table = shown
        time.sleep(0.1)
        assert page()["state"] == "ok"


@pytest.mark.parametrize("watched", ["webcam"], indirect=True)
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
    until(lambda: watch._observer.cut)
    assert watch._observer.cut == cut_zones(watch.layout, watch.calibration)
