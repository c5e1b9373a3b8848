"""Sources that lie on a disk: pictures shown one after the other, and recordings."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.vision import images
from companion.vision.camera import parameters
from companion.vision.camera.source import Frame, Source, SourceError, SourceState, SourceStatus
from companion.vision.images import PictureError, Pixels


class PictureSource(Source):
    """Pictures shown one after the other, each for `shown` frames so that a table has time to settle.

    A picture that cannot be decoded is skipped and named in `skipped`. Raises SourceError when none can be.
    """

    def __init__(self, name: str, files: Sequence[Path], *, loop: bool = False, realtime: bool = True,
                 shown: int = 12) -> None:  # fmt: skip
        super().__init__(name)
        self.skipped: list[str] = []
        self._files, self._shown, self._loop = list(files), shown, loop
        self._pause = 1.0 / parameters.STILL_FPS if realtime else 0.0
        self._at, self._left, self._number = -1, 0, 0
        self._pixels: Pixels | None = None
        self._closed = False
        if not self._advance():
            raise SourceError(" ".join(self.skipped[:1]) or f"{name} shows nothing.")

    @property
    def waits(self) -> bool:
        return True

    def read(self, timeout: float = 0.5) -> Frame | None:
        if self._closed or (self._left == 0 and not self._advance()) or self._pixels is None:
            self._status = SourceStatus.of(SourceState.ENDED, self.name)
            return None
        time.sleep(min(self._pause, timeout))
        self._left -= 1
        self._number += 1
        return Frame(self._pixels, (self._number - 1) / parameters.STILL_FPS, self._number - 1)

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
                self._pixels = images.fit(images.load(self._files[self._at]), parameters.LONGEST_FRAME)[0]
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

    @property
    def waits(self) -> bool:
        return not self._realtime

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
        return Frame(images.fit(pixels, parameters.LONGEST_FRAME)[0], (self._number - 1) / self.fps, self._number - 1)

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
        if (
            late > parameters.LONG_AWAY_S * self.fps
        ):  # the machine slept: play on from here instead of rushing after the clock
            self._started += late / self.fps
            return
        for _ in range(late):
            if not self._capture.grab():
                return
            self._number += 1
            self._since_start += 1
