"""The server of the drill under a camera: journal and watch in a process of its own, which answers over a pipe until it
is killed. What the camera writes is told at once, so that the world outside knows what was acknowledged."""

from __future__ import annotations

import logging
import os
import resource
import signal
from collections.abc import Iterator
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import sqlalchemy as sa

from companion.journal import Journal, JournalError
from companion.referee import Event, EventError, event_from_json
from companion.server.camera.table import Watch
from companion.training.evaluation.reels import PerfectEyes, Reel
from companion.training.films.film import Filmed
from companion.training.films.truth import Truth
from companion.vision.camera.source import Frame, Source, SourceState, SourceStatus
from tests.drill.taps import become_nobody

TABLE, FILE = "film", "journal.sqlite3"


class Lens(Source):
    """A camera that is there all the time; its pictures are handed over one by one."""

    @property
    def live(self) -> bool:
        return True

    @property
    def status(self) -> SourceStatus:
        return SourceStatus.of(SourceState.OK, self.name)

    def read(self, timeout: float = 0.5) -> Frame | None:
        return None

    def close(self) -> None:
        return


class Inside:
    """The journal and the watch of one start of the server."""

    def __init__(self, pipe: Connection, film: Filmed, truth: Truth, folder: Path) -> None:
        self.pipe, self.film, self.truth = pipe, film, truth
        self.when: datetime | None = None
        self.left = 0
        for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
            sa.event.listen(sa.Engine, name, self.count)
        self.journal = Journal(f"sqlite:///{folder / FILE}", lambda: self.when or datetime.now(UTC))
        if not self.journal.tables():
            self.journal.create(TABLE, truth.started, key="start")
        reel = Reel(truth, lambda: iter(()), lambda time: film.seen(tuple(film.lying(time)), time))
        self.eyes = PerfectEyes(reel)
        self.watch = Watch(
            TABLE, Lens("lens"), self.eyes, truth.layout, self.journal, self.write, lambda: None, truth.calibration
        )
        self.pixels: np.ndarray | None = None
        self.time = 0.0
        self.frames = film.frames(self.times())

    def count(self, *_: Any) -> None:
        """Die at a statement."""
        if self.left:
            self.left -= 1
            if not self.left:
                os.kill(os.getpid(), signal.SIGKILL)

    def times(self) -> Iterator[float]:
        while True:
            yield self.time

    def write(self, event: Event, seq: int) -> int:
        """What the camera writes is acknowledged to the world at once."""
        number = self.journal.append(TABLE, event, expected_seq=seq)
        self.pipe.send(("wrote", number, event.to_json()))
        return number

    def frame(self, time: float, number: int, trouble: str) -> str:
        """Take a picture; returns what the page says of the camera."""
        self.eyes.time = self.time = min(time, self.truth.seconds)
        if trouble != "frozen" or self.pixels is None:
            self.pixels = next(self.frames).pixels
        shown = self.pixels
        if trouble in ("dark", "covered"):
            shown = np.full_like(shown, 5 if trouble == "dark" else (60, 70, 160))
            shown[:: 1 + number % 7, :: 2 + number % 3] += 1
        try:
            self.watch.feed(Frame(shown, time, number))
        except (JournalError, sa.exc.DatabaseError):
            self.watch.look_again()  # as the watch's own thread does: the next look comes
        return self.watch.status.key.rpartition(".")[2]

    def tap(self, event: dict[str, Any], seq: int, key: str) -> int:
        number = self.journal.append(TABLE, event_from_json(event), expected_seq=seq, key=key)
        self.watch.look_again()
        return number

    def room(self, more: int | None) -> None:
        """Let no file grow beyond its size now and `more`; None: as it was."""
        sizes = [file.stat().st_size for file in Path(self.folder()).glob(FILE + "*")]
        most = resource.RLIM_INFINITY if more is None else max(sizes, default=0) + more
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    def folder(self) -> str:
        return str(Path(str(self.journal._engine.url.database)).parent)

    def set(self, left: int | None = None, when: datetime | None = None) -> None:
        self.left = self.left if left is None else left
        self.when = when or self.when


def serve(pipe: Connection, film: Filmed, truth: Truth, folder: Path, mortal: bool) -> None:
    """The process: answers one request after the other until it is killed."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    logging.disable()
    if mortal:
        become_nobody()
    try:
        inside = Inside(pipe, film, truth, folder)
    except (JournalError, sa.exc.OperationalError) as error:
        pipe.send(("no", str(error)))
        return
    pipe.send(("done", None))
    while True:
        what, *values = pipe.recv()
        try:
            pipe.send(("done", getattr(inside, what)(*values)))
        except (JournalError, EventError, sa.exc.DatabaseError) as error:
            pipe.send(("no", f"{type(error).__name__}: {error}"))
