"""Frames that somebody else sends, such as the browser of a phone."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

import cv2
import numpy as np

from companion.vision import images
from companion.vision.camera import parameters
from companion.vision.camera.source import Frame, Source, SourceState, SourceStatus
from companion.vision.images import Pixels


class PushSource(Source):
    """Frames that somebody else sends, such as the browser of a phone. `push` may be called from any thread."""

    def __init__(
        self,
        name: str = "push",
        *,
        patience: float = 4.0,
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
        self._size: tuple[int, int] | None = None
        self._asked: float | None = None
        self._lag = 0.0
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
        late = self.silent > self._patience and not self._single and self._pixels is None
        return SourceStatus.of(SourceState.LOST if late else SourceState.OK, self.name)

    @property
    def over(self) -> bool:
        return self._closed or (self._single and self._pixels is None)

    @property
    def live(self) -> bool:
        return not self._single

    @property
    def silent(self) -> float:
        """For so long (s) no picture has come; infinite before the first one."""
        return math.inf if self._last is None else self._clock() - self._last

    def push(self, data: bytes, *, single: bool = False, adapts: bool = False) -> Pixels:
        """Take one encoded picture; one that has not been read yet is dropped for it. Returns it as it will be read.

        `single`: no other one follows soon, so it stays in view. `adapts`: its sender makes pictures smaller where the
        way is slow; such a one is made as large as those before. Raises PictureError (one sentence) when it cannot be
        decoded.
        """
        came = self._clock()
        pixels = images.fit(images.decode(data, "The picture sent"), parameters.LONGEST_FRAME)[0]
        if adapts and not single:
            pixels = self._as_large(pixels)
        with self._fresh:
            self._number += self._pixels is not None
            self._lag = 0.0 if self._asked is None else came - self._asked
            self._last, self._single = self._clock(), single
            self._pixels, self._left = pixels, self._shown if single else 1
            self._taken.clear()
            self._fresh.notify()
        return pixels

    def ask(self, pause: float, way: float) -> None:
        """The sender hears that the next picture is wanted after `pause` s. It may be `way` s under way, and no source
        has to give more pictures than are quick enough."""
        self._asked = self._clock() + max(pause + way, 1.0 / parameters.SLOW_FPS)

    def _as_large(self, pixels: Pixels) -> Pixels:
        """A smaller picture of the same shape, as large as those before."""
        high, wide = pixels.shape[:2]
        if self._size is not None:
            height, width = self._size
            alike = abs(wide * height / (high * width) - 1) < parameters.SHAPE_ERROR
            if alike and wide < width:
                return np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
        self._size = high, wide
        return pixels

    def wait_taken(self, timeout: float) -> bool:
        """Wait until the reader wants the next picture, at most `timeout` s; False when it still has one to read."""
        return self._taken.wait(timeout) or self._closed

    def read(self, timeout: float = 0.5) -> Frame | None:
        with self._fresh:
            if self._pixels is None and not self._closed:
                self._fresh.wait(timeout)
            if self._pixels is None or self._closed:
                return None
            frame = Frame(self._pixels, self._clock(), self._number, self._lag, self._single)
            self._number += 1
            self._left -= 1
            if self._left == 0:
                self._pixels = None
                self._taken.set()
        if self._single:
            time.sleep(min(timeout, 1.0 / parameters.STILL_FPS))
        return frame

    def close(self) -> None:
        with self._fresh:
            self._closed = True
            self._taken.set()
            self._fresh.notify()
