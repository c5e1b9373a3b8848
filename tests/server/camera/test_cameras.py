"""The camera at a table: what it sees is written like a tap, what it doubts is asked, what it loses is said."""

import time

import cv2
import numpy as np
import pytest

from companion.games import Setup, places
from companion.referee import TookBack
from companion.server import Config
from companion.server.camera.cameras import Cameras
from companion.server.camera.offers import CameraError
from companion.server.camera.reader import OneReader
from companion.server.camera.table import Answer, Watch
from companion.server.live.stream import Bus
from companion.server.show.texts import Context, Texts
from companion.table.solve import typical
from companion.vision.camera.source import Frame, Source, SourceState, SourceStatus
from companion.vision.types import Candidate, CardRead, ReadResult, Side

SIZE = (480, 360)
LAYOUT = typical(places("three-card-showdown", Setup(("Anna", "Ben"))), 2).layout
INKS = {
    "AS": (200, 40, 40), "KS": (40, 40, 200), "QS": (40, 160, 40),
    "2H": (200, 40, 200), "2D": (40, 200, 200), "9C": (200, 200, 40),
}  # fmt: skip
SURE, UNSURE = 0.97, 0.3


def picture(*cards):
    """A felt with cards of 40 × 56 px (face, left, top), each with a patch of its own colour."""
    canvas = np.full((SIZE[1], SIZE[0], 3), (70, 120, 60), np.uint8)
    for face, x, y in cards:
        cv2.rectangle(canvas, (x, y), (x + 39, y + 55), (235, 235, 235), -1)
        cv2.rectangle(canvas, (x + 10, y + 14), (x + 29, y + 41), INKS[face], -1)
    return canvas


EMPTY = picture()
BELOW = picture(("AS", 60, 260), ("KS", 160, 260), ("QS", 260, 260))
BOTH = picture(("AS", 60, 260), ("KS", 160, 260), ("QS", 260, 260), ("2H", 60, 40), ("2D", 160, 40), ("9C", 260, 40))


class ColourReader:
    """Reads the invented cards of `picture` from the pixels; `doubts` are faces it cannot make out."""

    def __init__(self, *doubts):
        self.doubts = doubts

    def read(self, image, deck=None, letters=(), where=None, parts=()):
        found = []
        for face, ink in INKS.items():
            mask = (np.abs(image.astype(int) - ink).max(axis=2) < 30).astype(np.uint8)
            count, _, stats, _ = cv2.connectedComponentsWithStats(mask)
            for x, y, w, h, area in stats[1:count]:
                if area > 350:
                    found.append(self._card(face, x, y, w, h))
        return ReadResult(image.shape[1], image.shape[0], 1.0, tuple(found))

    def _card(self, face, x, y, w, h):
        quad = ((x - 10, y - 14), (x + w + 10, y - 14), (x + w + 10, y + h + 14), (x - 10, y + h + 14))
        if face in self.doubts:
            return CardRead(None, UNSURE, Side.UP, quad, (Candidate(face, UNSURE), Candidate("4H", 0.2)))
        return CardRead(face, SURE, Side.UP, quad, (Candidate(face, SURE),))


class Film(Source):
    """Pictures shown one after the other; the last one stays."""

    def __init__(self, *pictures, each=30):
        super().__init__("film")
        self._pictures, self._each, self._number = list(pictures), each, 0

    def show(self, pixels):
        self._pictures.append(pixels)

    def read(self, timeout=0.5):
        at = min(self._number // self._each, len(self._pictures) - 1)
        self._number += 1
        if at == len(self._pictures) - 1:
            self._number = min(self._number, at * self._each + 1)
        time.sleep(0.002)
        self._shown = getattr(self, "_shown", 0) + 1
        return Frame(self._pictures[at], self._shown / 10, self._shown)

    def close(self):
        self._status = SourceStatus.of(SourceState.ENDED, self.name)


def until(condition, patience=60.0):
    """Wait for `condition` to give something true, and give it back."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    raise AssertionError("it did not happen")


@pytest.fixture
def watching(journal):
    """Starts a watch over the table; everything is stopped at the end."""
    started = []

    def start(film, reader, named=None):
        def write(event, seq):
            return journal.append("t", event, expected_seq=seq)

        watch = Watch("t", film, reader, LAYOUT, journal, write, lambda: None, named=named)
        started.append(watch)
        watch.start()
        return watch

    yield start
    for watch in started:
        watch.stop()


def laid(journal):
    return [entry.action.cards for entry in journal.match("t").entries if entry.action and entry.standing]


def test_cards_on_the_table_become_actions_with_their_picture(journal, watching):
    watching(Film(EMPTY, BELOW, BOTH), ColourReader())
    until(lambda: len(laid(journal)) == 2)
    entries = journal.match("t").entries
    assert {tuple(sorted(cards)) for cards in laid(journal)} == {("AS", "KS", "QS"), ("2D", "2H", "9C")}
    for entry in entries[1:]:
        assert entry.event.source == "camera"
        body, mime = journal.evidence(entry.event.evidence)
        assert mime == "image/jpeg"
        assert cv2.imdecode(np.frombuffer(body, np.uint8), cv2.IMREAD_COLOR) is not None


def test_a_doubt_is_asked_and_one_tap_settles_it(journal, watching):
    watch = watching(Film(EMPTY, BELOW), ColourReader("KS"))
    texts, context = Texts.load(), Context(("Anna", "Ben"), journal.match("t").deck, "three-card-showdown")
    (question,) = until(lambda: watch.questions(texts, "ja", context))
    assert question["kind"] == "card"
    assert "Anna" in question["text"]
    assert [option["cards"] for option in question["options"]] == [["KS"], ["4H"]]
    assert journal.evidence(question["crop"])[1] == "image/jpeg"
    assert laid(journal) == []
    assert watch.answer(question["id"], Answer(option=0))
    assert [sorted(cards) for cards in until(lambda: laid(journal))] == [["AS", "KS", "QS"]]
    assert not watch.answer(question["id"], Answer(option=0))


def test_a_card_nobody_thought_of_can_be_named(journal, watching):
    watch = watching(Film(EMPTY, BELOW), ColourReader("KS"))
    texts, context = Texts.load(), Context(("Anna", "Ben"), journal.match("t").deck)
    (question,) = until(lambda: watch.questions(texts, "en", context))
    watch.answer(question["id"], Answer(face="10C"))
    assert [sorted(cards) for cards in until(lambda: laid(journal))] == [["10C", "AS", "QS"]]


def test_who_learns_cards_hears_which_card_was_named_and_where_it_lies(journal, watching):
    heard = []
    watch = watching(Film(EMPTY, BELOW), ColourReader("KS"), lambda *told: heard.append(told))
    texts, context = Texts.load(), Context(("Anna", "Ben"), journal.match("t").deck)
    (question,) = until(lambda: watch.questions(texts, "en", context))
    watch.answer(question["id"], Answer(face="10C"))
    ((picture, outline, face),) = until(lambda: heard)
    assert face == "10C"
    (left, top), (right, bottom) = np.min(outline, axis=0), np.max(outline, axis=0)
    assert (left, top, right, bottom) == pytest.approx((160, 260, 200, 316), abs=3)
    assert picture.shape == (SIZE[1], SIZE[0], 3)


def test_what_people_take_back_is_not_proposed_again(journal, watching):
    watch = watching(Film(EMPTY, BELOW), ColourReader())
    until(lambda: laid(journal))
    journal.append("t", TookBack(2))
    for _ in range(20):
        watch.look_again()
        time.sleep(0.01)
    assert laid(journal) == []


@pytest.fixture
def cameras(tmp_path, journal):
    found = Cameras(Config(tmp_path, demo=False), journal, Bus(), OneReader(ColourReader))
    yield found
    found.close()


def state(cameras, journal, lang="en"):
    return cameras.state("t", Texts.load(), lang, journal.match("t"))


def test_a_table_without_camera_says_so(cameras, journal):
    assert state(cameras, journal)["state"] == "off"
    assert cameras.picture("t") is None


def test_a_camera_that_is_not_there_is_waited_for(cameras, journal):
    cameras.choose("t", "97")
    found = until(lambda: (s := state(cameras, journal, "ja"))["state"] == "missing" and s)
    assert "97" in found["text"]
    cameras.choose("t", None)
    assert state(cameras, journal)["state"] == "off"


def test_a_source_that_can_never_work_is_refused_in_one_sentence(cameras, journal, tmp_path):
    (tmp_path / "text.jpg").write_text("no picture")
    for spec in (str(tmp_path / "nowhere.mp4"), str(tmp_path / "text.jpg")):
        with pytest.raises(CameraError):
            cameras.choose("t", spec)
        assert state(cameras, journal)["state"] == "failed"


def test_a_reader_that_cannot_start_leaves_the_table_to_taps(tmp_path, journal):
    def broken():
        raise RuntimeError("no weights")

    cameras = Cameras(Config(tmp_path, demo=False), journal, Bus(), OneReader(broken))
    with pytest.raises(CameraError, match="no weights"):
        cameras.choose("t", "97")
    assert "no weights" in state(cameras, journal)["text"]


def test_the_choice_of_camera_outlives_the_server(tmp_path, journal, cameras):
    cameras.choose("t", "97")
    cameras.close()
    again = Cameras(Config(tmp_path, demo=False), journal, Bus(), OneReader(ColourReader))
    again.start()
    assert until(lambda: state(again, journal)["state"] == "missing")
    again.close()


def test_only_offered_cameras_can_be_chosen_from_elsewhere(client, table):
    answer = client.post(f"/api/tables/{table}/camera", json={"camera": "/etc/passwd"})
    assert answer.status_code == 422
    assert answer.get_json()["error"]["code"] == "bad-camera"
    assert client.post(f"/api/tables/{table}/camera", json={"camera": 3}).status_code == 400
    assert client.get(f"/api/tables/{table}/camera/picture").status_code == 404
    assert client.post(f"/api/tables/{table}/questions/none", json={}).status_code == 404
