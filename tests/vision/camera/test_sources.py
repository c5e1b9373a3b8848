"""Sources: every kind opens, plays, ends, fails and comes back without a traceback."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.camera import live, parameters
from companion.vision.camera.live import LiveSource, cameras
from companion.vision.camera.pushed import PushSource
from companion.vision.camera.recorded import PictureSource, VideoSource
from companion.vision.camera.source import Frame, Source, SourceError, SourceState, SourceStatus
from companion.vision.camera.sources import open_source
from companion.vision.images import PictureError


def picture(shade: int, width: int = 64, height: int = 48) -> np.ndarray:
    return np.full((height, width, 3), shade, np.uint8)


def jpeg(shade: int) -> bytes:
    return cv2.imencode(".jpg", picture(shade))[1].tobytes()


def frames(source: Source, most: int = 500) -> list[Frame]:
    """Read until the source ends."""
    found = []
    for _ in range(most):
        frame = source.read(0.01)
        if frame is not None:
            found.append(frame)
        elif source.status.state is SourceState.ENDED:
            break
    return found


def wait_for(source: Source, state: SourceState, seconds: float = 60.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        source.read(0.02)
        if source.status.state is state:
            return True
    return False


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240))
    noise = np.random.default_rng(1).integers(0, 10, (240, 320, 3), np.uint8)
    for number in range(12):
        writer.write(picture(10 + number * 20, 320, 240) + noise)
    writer.release()
    return path


def test_a_picture_is_shown_long_enough_to_settle_and_then_ends(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(jpeg(200))
    shown = frames(open_source(str(tmp_path / "a.jpg"), realtime=False))
    assert len(shown) >= 8
    assert [f.number for f in shown] == list(range(len(shown)))
    assert all(f.pixels.shape == (48, 64, 3) for f in shown)
    assert shown[1].time > shown[0].time


def test_a_looped_picture_never_ends(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(jpeg(200))
    source = open_source(str(tmp_path / "a.jpg"), realtime=False, loop=True)
    assert len(frames(source, 100)) == 100
    assert source.status.state is SourceState.OK


def test_a_folder_skips_what_it_cannot_decode(tmp_path: Path) -> None:
    (tmp_path / "1.jpg").write_bytes(jpeg(10))
    (tmp_path / "2.jpg").write_text("this is no picture")
    (tmp_path / "3.png").write_bytes(b"")
    cv2.imwrite(str(tmp_path / "4.png"), picture(90, 1, 1))
    (tmp_path / "5.jpg").write_bytes(jpeg(250))
    (tmp_path / "notes.txt").write_text("not looked at")
    source = open_source(str(tmp_path), realtime=False)
    assert isinstance(source, PictureSource)
    shades = {int(f.pixels.mean()) for f in frames(source)}
    assert shades == {10, 250}
    assert [Path(text.split(" ")[0]).name for text in source.skipped] == ["2.jpg", "3.png", "4.png"]


def test_a_folder_of_rubbish_in_a_loop_stops(tmp_path: Path) -> None:
    (tmp_path / "1.jpg").write_bytes(jpeg(10))
    (tmp_path / "2.jpg").write_bytes(jpeg(99))
    source = open_source(str(tmp_path), realtime=False, loop=True)
    for name in ("1.jpg", "2.jpg"):
        (tmp_path / name).write_bytes(b"")
    assert len(frames(source)) < 100
    assert source.status.state is SourceState.ENDED


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("text.jpg", b"these are words"),
        ("empty.jpg", b""),
        ("empty.mp4", b""),
        ("text.mp4", b"these are words, too"),
        ("half.png", b"\x89PNG\r\n\x1a\n\x00\x00"),
    ],
)
def test_a_file_that_shows_nothing_is_one_sentence(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError) as caught:
        open_source(str(tmp_path / name))
    assert name in str(caught.value) and str(caught.value).endswith(".") and "\n" not in str(caught.value)


def test_no_such_file_and_an_empty_folder_are_sentences(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="nowhere"):
        open_source(str(tmp_path / "nowhere.mp4"))
    with pytest.raises(SourceError, match="no pictures"):
        open_source(str(tmp_path))


def test_a_huge_picture_is_shrunk(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "wide.jpg"), np.full((300, 12_000, 3), 77, np.uint8))
    frame = open_source(str(tmp_path / "wide.jpg"), realtime=False).read()
    assert frame is not None and frame.pixels.shape == (48, parameters.LONGEST_FRAME, 3)


def test_a_video_gives_every_frame_once_and_ends(video: Path) -> None:
    source = open_source(str(video), realtime=False)
    shown = frames(source)
    assert [f.number for f in shown] == list(range(12))
    assert [round(f.time, 3) for f in shown] == [round(n / 10, 3) for n in range(12)]
    assert np.all(np.diff([float(f.pixels.mean()) for f in shown]) > 10)
    assert source.status == SourceStatus.of(SourceState.ENDED, str(video))


def test_a_looped_video_starts_again_and_its_time_runs_on(video: Path) -> None:
    shown = frames(open_source(str(video), realtime=False, loop=True), 30)
    assert len(shown) == 30
    assert abs(float(shown[12].pixels.mean()) - float(shown[0].pixels.mean())) < 3
    assert shown[29].time == pytest.approx(2.9)


@pytest.mark.parametrize("loop", [False, True])
def test_a_video_cut_in_the_middle_ends_where_it_is_cut(video: Path, loop: bool) -> None:
    video.write_bytes(video.read_bytes()[: video.stat().st_size // 2])
    source = open_source(str(video), realtime=False, loop=loop)
    shown = frames(source, 40)
    assert (len(shown) == 40) if loop else (1 <= len(shown) < 12)


def test_in_real_time_a_late_reader_loses_frames_as_with_a_camera(video: Path) -> None:
    now = 100.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    source = VideoSource(video, realtime=True, clock=lambda: now, sleep=sleep)
    assert [f.number for f in (source.read(), source.read()) if f] == [0, 1]
    now += 0.55  # somebody thought for half a second
    late = source.read()
    assert late is not None and late.number == 6
    following = source.read()
    assert following is not None and following.number == 7
    now += 3600  # the lid was closed
    woken = source.read()
    assert woken is not None and woken.number == 8


def test_pushed_frames_come_out_newest_first_and_silence_is_noticed() -> None:
    now = 0.0
    source = PushSource(clock=lambda: now)
    assert source.status == SourceStatus(SourceState.MISSING, "ui.camera.waiting", (("name", "push"),))
    assert source.read(0.0) is None
    source.push(jpeg(10))
    source.push(jpeg(200))
    frame = source.read(0.0)
    assert frame is not None and frame.number == 1 and frame.pixels.mean() > 190
    assert source.read(0.0) is None
    assert source.status.state is SourceState.OK
    now = 60.0
    assert source.status.state is SourceState.LOST
    with pytest.raises(PictureError):
        source.push(b"no picture")
    source.close()
    assert source.status.state is SourceState.ENDED and source.read(0.0) is None


def test_a_single_pushed_picture_stays_in_view_and_its_sender_may_be_silent() -> None:
    now = 0.0
    source = PushSource(shown=3, clock=lambda: now)
    assert source.silent == float("inf")
    source.push(jpeg(10), single=True)
    assert not source.wait_taken(0.0)
    shown = [source.read(0.0) for _ in range(4)]
    assert [frame and frame.number for frame in shown] == [0, 1, 2, None]
    assert source.wait_taken(0.0)
    now = 600.0
    assert source.silent == 600.0 and source.status.state is SourceState.OK
    source.push(jpeg(10))
    assert not source.wait_taken(0.0) and source.read(0.0) is not None and source.wait_taken(0.0)
    now = 620.0
    assert source.status.state is SourceState.LOST


def test_a_stream_that_is_sent_is_live_and_a_photograph_is_not() -> None:
    source = PushSource()
    assert source.live
    for single in (True, False):
        source.push(jpeg(10), single=single)
        frame = source.read(0.0)
        assert frame is not None and frame.single is single
        assert source.live is not single


@pytest.mark.parametrize(
    ("pause", "way", "after", "late"),
    [(0.4, 0.2, 0.5, False), (0.4, 0.2, 0.7, True), (0.03, 0.05, 0.1, False), (0.03, 0.05, 0.2, True)],
)
def test_how_late_a_picture_is_is_measured_from_when_it_was_wanted(
    pause: float, way: float, after: float, late: bool
) -> None:
    """Nobody has to be quicker than eight pictures a second, nor than he is asked."""
    now = 0.0
    source = PushSource(clock=lambda: now)
    source.push(jpeg(10))
    first = source.read(0.0)
    assert first is not None and first.lag == 0.0
    now = 7.0  # the reader was busy
    source.ask(pause, way)
    now += after
    source.push(jpeg(10))
    frame = source.read(0.0)
    assert frame is not None and frame.lag == pytest.approx(after - max(pause + way, 0.125))
    assert (frame.lag > 0) is late


def test_smaller_pictures_of_a_sender_that_adapts_are_as_large_as_those_before() -> None:
    source = PushSource()

    def size(width: int, height: int, *, adapts: bool = True) -> tuple[int, ...]:
        data = cv2.imencode(".png", np.zeros((height, width, 3), np.uint8))[1].tobytes()
        return source.push(data, adapts=adapts).shape[1::-1]

    assert [size(640, 360), size(480, 270), size(361, 203)] == [(640, 360)] * 3
    assert size(480, 270, adapts=False) == (480, 270), "another camera"
    assert [size(360, 640), size(270, 480), size(720, 1280)] == [(360, 640), (360, 640), (720, 1280)]


class FakeCapture:
    """A camera that gives `count` frames and is then unplugged."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802
        return self.count > 0

    def read(self) -> tuple[bool, np.ndarray | None]:
        time.sleep(0.002)
        self.count -= 1
        return (True, picture(self.count % 200)) if self.count >= 0 else (False, None)

    def release(self) -> None:
        self.released = True


def test_a_camera_that_is_unplugged_is_found_again() -> None:
    name = "7"
    missing = (None, SourceStatus.of(SourceState.MISSING, name))
    first, second = FakeCapture(5), FakeCapture(100_000)
    plugged = threading.Event()
    answers = iter([missing, (first, None)])

    def opener() -> tuple[FakeCapture | None, SourceStatus]:
        answer = next(answers, None)
        if answer is None:
            answer = (second, None) if plugged.is_set() else missing
        return answer[0], answer[1] or SourceStatus.of(SourceState.OK, name)

    source = LiveSource(name, opener, pauses=(0.05,))  # type: ignore[arg-type]
    assert wait_for(source, SourceState.LOST), "unplugged"
    assert first.released
    plugged.set()
    assert wait_for(source, SourceState.OK), "plugged in again"
    source.close()
    assert source.status.state is SourceState.ENDED
    assert second.released


def test_a_camera_that_is_not_there_says_so_and_stops_cleanly() -> None:
    source = open_source("63")
    assert wait_for(source, SourceState.MISSING)
    assert source.status.key in ("ui.camera.missing", "ui.camera.waiting")
    source.close()


def test_why_a_camera_does_not_open(tmp_path: Path) -> None:
    assert live._why_no_camera(0, "0", tmp_path / "video0").state is SourceState.MISSING
    (tmp_path / "video0").touch()
    assert live._why_no_camera(0, "0", tmp_path / "video0").state is SourceState.BUSY


def test_cameras_lists_capture_nodes_only(tmp_path: Path) -> None:
    for number, index, name in ((0, "0", "Webcam C270"), (1, "1", "Webcam C270"), (10, "0", "Other")):
        node = tmp_path / f"sys/class/video4linux/video{number}"
        node.mkdir(parents=True)
        (node / "name").write_text(name + "\n")
        (node / "index").write_text(index)
        (tmp_path / "dev").mkdir(exist_ok=True)
        (tmp_path / f"dev/video{number}").touch()
    assert [(c.index, c.name) for c in cameras(tmp_path)] == [(0, "Webcam C270"), (10, "Other")]
    assert cameras(tmp_path / "sys") == []


class Mjpeg(BaseHTTPRequestHandler):
    """Serves a few hundred JPEG pictures as one multipart answer."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        try:
            for number in range(300):
                data = jpeg(number % 200)
                self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n")
                self.wfile.write(f"Content-Length: {len(data)}\r\n\r\n".encode() + data + b"\r\n")
                time.sleep(0.01)
        except OSError:
            return

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def mjpeg_url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Mjpeg)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://me:secret@127.0.0.1:{server.server_port}/video"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("apart", [False, True])
def test_a_stream_is_played_and_its_password_is_not_shown(mjpeg_url: str, apart: bool) -> None:
    source = open_source(mjpeg_url, apart=apart)
    assert "secret" not in source.name and "secret" not in str(source.status)
    assert wait_for(source, SourceState.OK)
    source.close()


def test_an_address_where_nobody_answers_is_missing() -> None:
    source = open_source("http://127.0.0.1:9/video")
    assert wait_for(source, SourceState.MISSING)
    source.close()
