"""A recording played for an audience: the demonstration."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.vision.camera.source import Frame, Source, SourceStatus


class Playback(Source):
    """Plays only while `wanted` says that somebody looks, never faster than life, and no frame is left out however slow
    the machine reads; a demonstration on an old laptop is slow, not wrong."""

    def __init__(self, source: Source, wanted: Callable[[], bool], fps: float = 12.0) -> None:
        super().__init__(source.name)
        self._source, self._wanted = source, wanted
        self._between = 1.0 / fps
        self._due = time.monotonic()
        self._closed = threading.Event()

    @property
    def status(self) -> SourceStatus:
        return self._source.status

    @property
    def waits(self) -> bool:
        return True

    def read(self, timeout: float = 0.5) -> Frame | None:
        early = self._due - time.monotonic()
        if not self._wanted() or early > timeout:
            self._closed.wait(timeout)
            return None
        if early > 0:
            self._closed.wait(early)
        self._due = max(self._due, time.monotonic() - self._between) + self._between
        return self._source.read(timeout)

    def close(self) -> None:
        self._closed.set()
        self._source.close()
