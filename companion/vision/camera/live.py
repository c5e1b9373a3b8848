"""Cameras and streams, read by a thread of their own.

One that goes away is looked for again with growing pauses.
"""

from __future__ import annotations

import errno
import os
import re
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from companion.vision import images
from companion.vision.camera import parameters
from companion.vision.camera.apart import ApartCapture, Capture, Opened, Opener
from companion.vision.camera.source import Frame, Source, SourceState, SourceStatus


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera that is plugged in: its index for `open_source` and the name it gives itself."""

    index: int
    name: str


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


class LiveSource(Source):
    """A camera or stream, read by a thread of its own: the reader always gets the newest frame, and a device that
    blocks, fails or vanishes never blocks anybody else. `opener` gives a capture, or None with the reason why not.
    """

    def __init__(self, name: str, opener: Opener, *, pauses: Sequence[float] = parameters.RETRY_PAUSES_S) -> None:
        super().__init__(name, SourceStatus.of(SourceState.MISSING, name, "waiting"))
        self._opener, self._pauses = opener, tuple(pauses)
        self._stop = threading.Event()
        self._fresh = threading.Condition()
        self._frame: Frame | None = None
        self._number = 0
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()

    @property
    def live(self) -> bool:
        return True

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

    def _play(self, capture: Capture) -> int:
        """Hand on frames until they stop coming; returns how many came."""
        shown, failed_since = 0, 0.0
        while not self._stop.is_set():
            try:
                found, raw = capture.read()
                pixels = images.fit(images.as_bgr(np.asarray(raw)), parameters.LONGEST_FRAME)[0] if found else None
            except cv2.error:  # a half-sent picture
                pixels = None
            now = time.monotonic()
            if pixels is None:
                failed_since = failed_since or now
                if now - failed_since > parameters.GIVE_UP_S or not capture.isOpened():
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


def webcam(index: int, *, width: int = 1280, height: int = 720, apart: bool = False) -> LiveSource:
    """The camera with this number, asked for `width` × `height` px (it may answer with another size). `apart`: in a
    process of its own."""
    opener = partial(_webcam, index, width, height)
    return LiveSource(str(index), partial(_apart, opener, str(index)) if apart else opener)


def stream(url: str, *, apart: bool = False) -> LiveSource:
    """An RTSP or HTTP (MJPEG) address. Its name leaves out user name and password. `apart`: in a process of its own."""
    name = re.sub(r"//[^/@]*@", "//", url)
    opener = partial(_stream, url, name)
    return LiveSource(name, partial(_apart, opener, name) if apart else opener)


def _apart(opener: Opener, name: str) -> Opened:
    return ApartCapture(opener, name).opened(name)


def _webcam(index: int, width: int, height: int) -> Opened:
    name, capture = str(index), cv2.VideoCapture(index)
    if not capture.isOpened():
        capture.release()
        return None, _why_no_camera(index, name)
    # MJPEG: most USB cameras give 720p at full rate only compressed.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture, SourceStatus.of(SourceState.OK, name)


def _stream(url: str, name: str) -> Opened:
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, int(parameters.STALLED_S * 1000)]
    capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits)
    if capture.isOpened():
        return capture, SourceStatus.of(SourceState.OK, name)
    capture.release()
    return None, SourceStatus.of(SourceState.MISSING, name)


def _why_no_camera(index: int, name: str, device: Path | None = None) -> SourceStatus:
    """Missing, taken by another program, or forbidden: as far as the system tells."""
    device = device or Path(f"/dev/video{index}")
    if sys.platform == "win32" or not device.exists():
        return SourceStatus.of(SourceState.MISSING, name)
    try:
        os.close(os.open(device, os.O_RDWR | os.O_NONBLOCK))
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM):
            return SourceStatus.of(SourceState.BUSY, name, "denied")
        if error.errno in (errno.ENODEV, errno.ENXIO, errno.ENOENT):
            return SourceStatus.of(SourceState.MISSING, name)
    return SourceStatus.of(SourceState.BUSY, name)


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
