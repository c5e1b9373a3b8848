"""A camera in a process of its own: a driver that crashes or hangs ends that process and nothing else.

To its reader it is a capture like OpenCV's: `read`, `isOpened`, `release`. One whose process is gone, or says nothing
for long, is closed; whoever reads it opens another one, which is another process.
"""

from __future__ import annotations

import math
import multiprocessing
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Protocol

import numpy as np

from companion.vision.camera import parameters
from companion.vision.camera.source import SourceState, SourceStatus
from companion.vision.images import Pixels


class Capture(Protocol):
    """What is needed of ``cv2.VideoCapture``."""

    def read(self) -> tuple[bool, Any]:
        """Whether there is a picture, and the picture."""

    def isOpened(self) -> bool:  # noqa: N802
        """Whether another picture may come."""

    def release(self) -> None:
        """Let the camera go."""


Opened = tuple[Capture | None, SourceStatus]
Opener = Callable[[], Opened]


class ApartCapture:
    """See the module. One thread reads; `release` may come from any."""

    def __init__(self, opener: Opener, name: str, patience: float = parameters.STALLED_S) -> None:
        """`opener` opens the camera in the new process, so it has to be picklable. `patience`: so long (s) may a
        picture take."""
        self._patience, self._asked = patience, math.inf
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(opener, theirs), name=f"camera {name}", daemon=True)
        self.process.start()
        theirs.close()
        threading.Thread(target=self._watch, name=f"camera {name} is watched", daemon=True).start()

    def opened(self, name: str) -> Opened:
        """This capture once the camera is open there, or None, and how the camera is doing."""
        status = self._within(parameters.OPENING_S, self._pipe.recv)
        if isinstance(status, SourceStatus) and status.state is SourceState.OK:
            return self, status
        self.release()
        return None, status if isinstance(status, SourceStatus) else SourceStatus.of(SourceState.LOST, name)

    def read(self) -> tuple[bool, Pixels | None]:
        """The next picture, as OpenCV gives it."""
        pixels = self._within(self._patience, self._next)
        return pixels is not None, pixels

    def _next(self) -> Pixels | None:
        self._pipe.send(True)
        shape = self._pipe.recv()
        if shape is None:
            return None
        pixels = np.empty(shape, np.uint8)
        self._pipe.recv_bytes_into(pixels.data)
        return pixels

    def _within(self, patience: float, ask: Callable[[], Any]) -> Any:
        """What the process answers; None when it is gone, or ended because it did not answer in time."""
        self._asked = time.monotonic() + patience
        try:
            return ask()
        except (OSError, EOFError, ValueError):
            self.release()
            return None
        finally:
            self._asked = math.inf

    def _watch(self) -> None:
        """End the process where it does not answer in time: whoever waits for it then hears that it is gone."""
        while self.process.is_alive():
            if time.monotonic() > self._asked:
                self.process.kill()
            time.sleep(parameters.PULSE_S)

    def isOpened(self) -> bool:  # noqa: N802
        """Whether its process lives and answers."""
        return self.process.is_alive()

    def release(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.join()


def _serve(opener: Opener, pipe: Connection) -> None:
    """What runs in the process: a picture for each question, until nobody is left to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends, and this with it
    capture, status = opener()
    try:
        pipe.send(status)
        while capture is not None:
            pipe.recv()
            found, raw = capture.read()
            picture = np.ascontiguousarray(raw) if found else None
            pipe.send(None if picture is None or picture.dtype != np.uint8 else picture.shape)
            if picture is not None and picture.dtype == np.uint8:
                pipe.send_bytes(picture.data)
            if not found and not capture.isOpened():
                return
    except (OSError, EOFError):
        return
