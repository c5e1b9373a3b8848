"""Where pictures come from: a webcam, a picture, a folder, a recording, a stream, a phone's browser.

`open_source` turns what a person wrote into a `Source`. A source never raises while it runs: `read` gives the next
frame or None, and `status` says what is the matter (a message key, never a sentence). A webcam or stream that goes
away is looked for again with growing pauses; only what can never work, such as a file that is no picture, raises
`SourceError` when it is opened.
"""

from __future__ import annotations

import errno
import math
import os
import re
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import cv2
import numpy as np

from companion.vision import images
from companion.vision.images import PictureError, Pixels

LONGEST = 1920
"""Frames are shrunk to this longer side (px): more pixels cost time and show nothing new on a table."""

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
RETRY_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Pauses (s) between attempts to open a camera or stream again; the last one repeats."""

_URL = re.compile(r"^[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_STALLED = 5.0
_GIVE_UP = 1.0
_LONG_AWAY = 5.0
_STILL_FPS = 10.0


class SourceError(ValueError):
    """A source that can never work. The message is one sentence for the person who named it."""


class SourceState(StrEnum):
    """How a source is doing. `MISSING`: not there (yet); `BUSY`: there, but not ours; `LOST`: went away."""

    OK = "ok"
    MISSING = "missing"
    BUSY = "busy"
    LOST = "lost"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """State with its sentence: a catalogue key (``ui.camera.…``) and parameters, among them always `name`."""

    state: SourceState
    key: str
    params: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, state: SourceState, name: str, key: str = "", **params: str) -> SourceStatus:
        """The usual key is ``ui.camera.<state>``; `key` replaces its last part."""
        return cls(state, f"ui.camera.{key or state.value}", (("name", name), *params.items()))


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: (height, width, 3) BGR pixels, `time` in s on the source's own clock, `number` from 0."""

    pixels: Pixels
    time: float
    number: int


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera that is plugged in: its index for `open_source` and the name it gives itself."""

    index: int
    name: str


class Source(ABC):
    """A stream of frames. `name` is what the user called it. One reader; `close` may come from any thread."""

    def __init__(self, name: str, status: SourceStatus | None = None) -> None:
        self.name = name
        self._status = status or SourceStatus.of(SourceState.OK, name)

    @property
    def status(self) -> SourceStatus:
        """How the source is doing now."""
        return self._status

    @abstractmethod
    def read(self, timeout: float = 0.5) -> Frame | None:
        """The next frame, or None when there is none within `timeout` seconds. Never raises."""

    @abstractmethod
    def close(self) -> None:
        """Release the camera or file. A closed source gives no more frames."""


def open_source(spec: str | int, *, loop: bool = False, realtime: bool = True) -> Source:
    """Open what `spec` names: camera number, picture, folder of pictures, recording, URL, or "push".

    `loop` starts pictures and recordings again at their end. `realtime` plays a recording at its own speed and
    drops frames when the reader is late, as a camera would; without it every frame comes as fast as it is asked for.
    Raises SourceError for a file that is missing or shows nothing; never for a camera that is not there yet.
    """
    _quiet()
    text = str(spec).strip()
    if text.isdecimal():
        return webcam(int(text))
    if text == "push":
        return PushSource()
    if _URL.match(text):
        return stream(text)
    path = Path(text).expanduser()
    if path.is_dir():
        files = sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURE_SUFFIXES)
        if not files:
            raise SourceError(f"The folder {path} holds no pictures (JPEG, PNG, WebP, TIFF or BMP).")
        return PictureSource(text, files, loop=loop, realtime=realtime)
    if not path.exists():
        raise SourceError(f"There is no camera, file, folder or address called {text!r}.")
    if path.suffix.lower() in PICTURE_SUFFIXES:
        return PictureSource(text, [path], loop=loop, realtime=realtime)
    return VideoSource(path, loop=loop, realtime=realtime)


def cameras(root: Path = Path("/")) -> list[Camera]:
    """Cameras plugged in now. On Linux they are listed without being opened; elsewhere the first four are tried.

    `root` is the folder that holds ``dev`` and ``sys``.
    """
    if not sys.platform.startswith("linux"):  # pragma: no cover
        return [Camera(i, f"{i}") for i in range(4) if _opens(i)]
    nodes = sorted(root.glob("sys/class/video4linux/video*"), key=lambda p: int(p.name[5:] or 0))
    return [
        Camera(int(node.name[5:]), _text(node / "name", node.name))
        for node in nodes
        # A camera has several nodes; the first captures pictures, the others carry metadata.
        if _text(node / "index", "0") == "0" and (root / "dev" / node.name).exists()
    ]


class PictureSource(Source):
    """Pictures shown one after the other, each for `shown` frames so that a table has time to settle.

    A picture that cannot be decoded is skipped and named in `skipped`. Raises SourceError when none can be.
    """

    def __init__(self, name: str, files: Sequence[Path], *, loop: bool = False, realtime: bool = True,
                 shown: int = 12) -> None:  # fmt: skip
        super().__init__(name)
        self.skipped: list[str] = []
        self._files, self._shown, self._loop = list(files), shown, loop
        self._pause = 1.0 / _STILL_FPS if realtime else 0.0
        self._at, self._left, self._number = -1, 0, 0
        self._pixels: Pixels | None = None
        self._closed = False
        if not self._advance():
            raise SourceError(" ".join(self.skipped[:1]) or f"{name} shows nothing.")

    def read(self, timeout: float = 0.5) -> Frame | None:
        if self._closed or (self._left == 0 and not self._advance()) or self._pixels is None:
            self._status = SourceStatus.of(SourceState.ENDED, self.name)
            return None
        time.sleep(min(self._pause, timeout))
        self._left -= 1
        self._number += 1
        return Frame(self._pixels, (self._number - 1) / _STILL_FPS, self._number - 1)

    def close(self) -> None:
        self._closed = True

    def _advance(self) -> bool:
        """Decode the next picture that can be decoded; False when there is none."""
        for _ in range(len(self._files)):
            self._at += 1
            if self._at >= len(self._files):
                if not self._loop:
                    return False
                self._at = 0
            if self._pixels is not None and len(self._files) == 1:
                self._left = self._shown
                return True
            try:
                self._pixels = images.fit(images.load(self._files[self._at]), LONGEST)[0]
            except PictureError as error:
                if str(error) not in self.skipped:
                    self.skipped.append(str(error))
                continue
            self._left = self._shown
            return True
        return False


class VideoSource(Source):
    """A recording. One that is cut in the middle ends (or starts again) where it is cut."""

    def __init__(
        self,
        path: Path,
        *,
        loop: bool = False,
        realtime: bool = True,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(str(path))
        self._path, self._loop, self._realtime = path, loop, realtime
        self._clock, self._sleep = clock, sleep
        self._number, self._since_start = 0, 0
        self._lock = threading.Lock()
        self._capture = self._open()
        fps = float(self._capture.get(cv2.CAP_PROP_FPS))
        self.fps = fps if 1.0 <= fps <= 240.0 else 25.0
        self._started = clock()

    def read(self, timeout: float = 0.5) -> Frame | None:
        if self._status.state is SourceState.ENDED:
            return None
        if self._realtime:
            due = self._started + self._number / self.fps
            early = due - self._clock()
            if early > timeout:
                self._sleep(timeout)
                return None
            if early > 0:
                self._sleep(early)
        with self._lock:
            pixels = self._next()
        if pixels is None:
            self._status = SourceStatus.of(SourceState.ENDED, self.name)
            return None
        self._number += 1
        return Frame(images.fit(pixels, LONGEST)[0], (self._number - 1) / self.fps, self._number - 1)

    def close(self) -> None:
        with self._lock:
            self._capture.release()
        self._status = SourceStatus.of(SourceState.ENDED, self.name)

    def _open(self) -> cv2.VideoCapture:
        if self._path.stat().st_size == 0:
            raise SourceError(f"{self._path} is empty (0 bytes).")
        capture = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        if not capture.isOpened() or not capture.grab():
            capture.release()
            raise SourceError(f"{self._path} cannot be played: it is neither a picture nor a complete video.")
        capture.release()
        return cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)

    def _next(self) -> Pixels | None:
        if self._realtime:
            self._drop_late()
        found, pixels = self._capture.read()
        if not found and self._loop and self._since_start:
            self._capture.release()
            self._capture = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
            self._since_start = 0
            found, pixels = self._capture.read()
        self._since_start += 1
        return images.as_bgr(np.asarray(pixels)) if found else None

    def _drop_late(self) -> None:
        """Skip what a camera would have shown while nobody looked."""
        late = int((self._clock() - self._started) * self.fps) - self._number
        if late > _LONG_AWAY * self.fps:  # the machine slept: play on from here instead of rushing after the clock
            self._started += late / self.fps
            return
        for _ in range(late):
            if not self._capture.grab():
                return
            self._number += 1
            self._since_start += 1


class PushSource(Source):
    """Frames that somebody else sends, such as the browser of a phone. `push` may be called from any thread."""

    def __init__(
        self,
        name: str = "push",
        *,
        patience: float = 10.0,
        shown: int = 12,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`patience`: so long (s) may the sender be silent. `shown`: so often is a single picture shown, for the table
        to settle."""
        super().__init__(name)
        self._waiting = SourceStatus.of(SourceState.MISSING, name, "waiting")
        self._patience, self._shown, self._clock = patience, shown, clock
        self._fresh, self._taken = threading.Condition(), threading.Event()
        self._pixels: Pixels | None = None
        self._left = 0
        self._last: float | None = None
        self._number = 0
        self._single = False
        self._closed = False

    @property
    def status(self) -> SourceStatus:
        if self._closed:
            return SourceStatus.of(SourceState.ENDED, self.name)
        if self._last is None:
            return self._waiting
        late = self.silent > self._patience and not self._single
        return SourceStatus.of(SourceState.LOST if late else SourceState.OK, self.name)

    @property
    def silent(self) -> float:
        """For so long (s) no picture has come; infinite before the first one."""
        return math.inf if self._last is None else self._clock() - self._last

    def push(self, data: bytes, *, single: bool = False) -> None:
        """Take one encoded picture; one that has not been read yet is dropped for it. `single`: no other one follows
        soon, so it stays in view. Raises PictureError (one sentence) when it cannot be decoded."""
        pixels = images.fit(images.decode(data, "The picture sent"), LONGEST)[0]
        with self._fresh:
            self._number += self._pixels is not None
            self._last, self._single = self._clock(), single
            self._pixels, self._left = pixels, self._shown if single else 1
            self._taken.clear()
            self._fresh.notify()

    def wait_taken(self, timeout: float) -> bool:
        """Wait until the reader wants the next picture, at most `timeout` s; False when it still has one to read."""
        return self._taken.wait(timeout) or self._closed

    def read(self, timeout: float = 0.5) -> Frame | None:
        with self._fresh:
            if self._pixels is None and not self._closed:
                self._fresh.wait(timeout)
            if self._pixels is None or self._closed:
                return None
            frame = Frame(self._pixels, self._clock(), self._number)
            self._number += 1
            self._left -= 1
            if self._left == 0:
                self._pixels = None
                self._taken.set()
        if self._single:
            time.sleep(min(timeout, 1.0 / _STILL_FPS))
        return frame

    def close(self) -> None:
        with self._fresh:
            self._closed = True
            self._taken.set()
            self._fresh.notify()


Opened = tuple[cv2.VideoCapture | None, SourceStatus]


class LiveSource(Source):
    """A camera or stream, read by a thread of its own: the reader always gets the newest frame, and a device that
    blocks, fails or vanishes never blocks anybody else. `opener` gives a capture, or None with the reason why not.
    """

    def __init__(self, name: str, opener: Callable[[], Opened], *, pauses: Sequence[float] = RETRY_PAUSES) -> None:
        super().__init__(name, SourceStatus.of(SourceState.MISSING, name, "waiting"))
        self._opener, self._pauses = opener, tuple(pauses)
        self._stop = threading.Event()
        self._fresh = threading.Condition()
        self._frame: Frame | None = None
        self._number = 0
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()

    def read(self, timeout: float = 0.5) -> Frame | None:
        with self._fresh:
            if self._frame is None:
                self._fresh.wait(timeout)
            frame, self._frame = self._frame, None
            return frame

    def close(self) -> None:
        self._stop.set()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=2.0)
        self._status = SourceStatus.of(SourceState.ENDED, self.name)

    def _run(self) -> None:
        attempt, had_picture = 0, False
        while not self._stop.is_set():
            capture, status = self._opener()
            if capture is not None:
                shown = self._play(capture)
                capture.release()
                attempt = 0 if shown else attempt
                had_picture = had_picture or shown > 0
                status = SourceStatus.of(SourceState.LOST, self.name)
            elif had_picture and status.state is SourceState.MISSING:
                status = SourceStatus.of(SourceState.LOST, self.name)
            if not self._stop.is_set():
                self._status = status
            self._stop.wait(self._pauses[min(attempt, len(self._pauses) - 1)])
            attempt += 1

    def _play(self, capture: cv2.VideoCapture) -> int:
        """Hand on frames until they stop coming; returns how many came."""
        shown, failed_since = 0, 0.0
        while not self._stop.is_set():
            try:
                found, raw = capture.read()
                pixels = images.fit(images.as_bgr(np.asarray(raw)), LONGEST)[0] if found else None
            except cv2.error:  # a half-sent picture
                pixels = None
            now = time.monotonic()
            if pixels is None:
                failed_since = failed_since or now
                if now - failed_since > _GIVE_UP or not capture.isOpened():
                    break
                self._stop.wait(0.05)
                continue
            failed_since = 0.0
            shown += 1
            with self._fresh:
                self._frame = Frame(pixels, now, self._number)
                self._number += 1
                self._fresh.notify()
            self._status = SourceStatus.of(SourceState.OK, self.name)
        return shown


def webcam(index: int, *, width: int = 1280, height: int = 720) -> LiveSource:
    """The camera with this number, asked for `width` × `height` px (it may answer with another size)."""
    name = str(index)

    def opener() -> Opened:
        capture = cv2.VideoCapture(index)
        if not capture.isOpened():
            capture.release()
            return None, _why_no_camera(index, name)
        # MJPEG: most USB cameras give 720p at full rate only compressed.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return capture, SourceStatus.of(SourceState.OK, name)

    return LiveSource(name, opener)


def stream(url: str) -> LiveSource:
    """An RTSP or HTTP (MJPEG) address. Its name leaves out user name and password."""
    name = re.sub(r"//[^/@]*@", "//", url)
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, int(_STALLED * 1000)]

    def opener() -> Opened:
        capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits)
        if capture.isOpened():
            return capture, SourceStatus.of(SourceState.OK, name)
        capture.release()
        return None, SourceStatus.of(SourceState.MISSING, name)

    return LiveSource(name, opener)


def _why_no_camera(index: int, name: str, device: Path | None = None) -> SourceStatus:
    """Missing, taken by another program, or forbidden: as far as the system tells."""
    device = device or Path(f"/dev/video{index}")
    if not device.exists():
        return SourceStatus.of(SourceState.MISSING, name)
    try:
        os.close(os.open(device, os.O_RDWR | os.O_NONBLOCK))
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM):
            return SourceStatus.of(SourceState.BUSY, name, "denied")
        if error.errno in (errno.ENODEV, errno.ENXIO, errno.ENOENT):
            return SourceStatus.of(SourceState.MISSING, name)
    return SourceStatus.of(SourceState.BUSY, name)


def _quiet() -> None:
    """Keep OpenCV's and FFmpeg's own complaints off the terminal: `status` says what matters."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    logging = getattr(getattr(cv2, "utils", None), "logging", None)
    if logging is not None:
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)


def _opens(index: int) -> bool:  # pragma: no cover
    capture = cv2.VideoCapture(index)
    opened = bool(capture.isOpened())
    capture.release()
    return opened


def _text(path: Path, default: str) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip() or default
    except OSError:
        return default
