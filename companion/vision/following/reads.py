"""Reading beside the frames: a picture is read in a thread of its own while the next ones are looked at."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from companion.vision.camera.source import Frame
from companion.vision.following import parameters
from companion.vision.following.motion import Motion
from companion.vision.following.tracker import Tracker
from companion.vision.types import PictureReader, ReadResult

_log = logging.getLogger(__name__)


class Deck(Protocol):
    """What the watcher needs of a deck; `companion.cards.Deck` is one."""

    @property
    def multiset(self) -> Counter[str]:
        """The faces that may occur, and how often each."""


@dataclass(frozen=True, slots=True)
class Job:
    """A picture to be read, what moved in it, the tracker that is to learn of it, and the places that had been seen
    empty by then."""

    frame: Frame
    movement: Motion
    tracker: Tracker
    emptied: Mapping[int, int]


class Desk:
    """Reads one picture at a time: at once, or `beside` its caller in a thread of its own."""

    def __init__(self, name: str, reader: PictureReader, deck: Deck | None,
                 done: Callable[[Job, ReadResult | None], None]) -> None:  # fmt: skip
        """`done`: what becomes of what was read; called in the thread that read it."""
        self._name, self._reader, self._deck, self._done = name, reader, deck, done
        self._letters: Counter[str] = Counter()
        self._pool: ThreadPoolExecutor | None = None
        self._going: Future[None] | None = None
        self.reads, self.seconds = 0, 0.0

    @property
    def busy(self) -> bool:
        """A picture is being read."""
        return self._going is not None and not self._going.done()

    def read(self, job: Job, *, beside: bool) -> None:
        """Read this picture. `beside`: returns at once."""
        if not beside:
            self._work(job)
            return
        self._pool = self._pool or ThreadPoolExecutor(1, f"read {self._name}")
        self._going = self._pool.submit(self._work, job)

    def wait(self) -> None:
        """Wait for the picture that is being read."""
        if self._going is not None:
            self._going.result()

    def close(self) -> None:
        """Wait for the picture that is being read, and end the thread."""
        if self._pool is not None:
            self._pool.shutdown()

    def _work(self, job: Job) -> None:
        result = self._result(job.frame)
        try:
            self._done(job, result)
        except Exception:
            _log.exception("what was read in frame %d of %s is lost", job.frame.number, self._name)

    def _result(self, frame: Frame) -> ReadResult | None:
        began = time.perf_counter()
        try:
            known = [letter for letter, times in self._letters.items() if times >= parameters.LETTER_PICTURES]
            result = self._reader.read(frame.pixels, self._deck.multiset if self._deck is not None else None, known)
            self._letters.update(result.letters)
            return result
        except Exception:
            # A picture that the reader cannot digest must not end the watch over the table.
            _log.exception("reading frame %d of %s failed", frame.number, self._name)
            return None
        finally:
            self.reads += 1
            self.seconds += time.perf_counter() - began
