"""Films to play: painted, stored or recorded, as a source that is looked at like a webcam."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.training.evaluation.recording import BLANK, Look, Recording
from companion.training.films.spec import Film, FilmError
from companion.training.films.truth import Truth
from companion.vision.camera.recorded import VideoSource
from companion.vision.camera.source import Frame, Source, SourceState, SourceStatus
from companion.vision.images import Pixels
from companion.vision.types import Candidate, CardRead, Part, ReadResult, Region, Side, in_reading_order

LEAST_SEEN = 0.2
"""Perfect eyes name a card of which so much is in view, and people know it where it lies."""


@dataclass(frozen=True, slots=True)
class Reel:
    """A film to play: its truth, and its frames as (time s, picture BGR), from the first each time."""

    truth: Truth
    frames: Callable[[], Iterator[tuple[float, np.ndarray]]]
    lying: Callable[[float], Sequence[dict[str, Any]]]
    """The cards in view at a time, as in the film's truth."""
    looks: tuple[Look, ...] = ()
    """What the camera told of it, where that was recorded: the frames are blank then."""

    @classmethod
    def painted(cls, film: Film) -> Reel:
        """Of a film that is painted while it plays; needs the extra `train`. Raises FilmError."""
        try:
            from companion.training.films.film import Filmed
        except ImportError as error:
            raise FilmError(f"painting films needs the extra `train`: {error.name} is not installed.") from error
        filmed = Filmed(film)
        return cls(
            Truth.of(filmed),
            lambda: ((frame.time, frame.pixels) for frame in filmed.frames()),
            lambda time: filmed.seen(tuple(filmed.lying(time)), time),
        )

    @classmethod
    def stored(cls, video: Path) -> Reel:
        """Of a film that was written: the .mp4 beside its .jsonl. Raises OSError and ValueError."""
        truth = Truth.read(video.with_suffix(".jsonl"))
        return cls(truth, lambda: _stored_frames(video, truth.fps), truth.lying)

    def painted_beforehand(self, folder: Path) -> Reel:
        """The same film with its frames as JPEG files in `folder`, as a webcam sends them, so that painting them takes
        nothing from what is measured. Raises FilmError where there is no room for them."""
        kept = list[tuple[float, Path]]()
        for number, (at, pixels) in enumerate(self.frames()):
            kept.append((at, folder / f"{number}.jpg"))
            if not cv2.imwrite(str(kept[-1][1]), pixels, [cv2.IMWRITE_JPEG_QUALITY, 95]):
                raise FilmError(f"frame {number} of {self.truth.name} cannot be written to {folder}.")
        return replace(self, frames=lambda: ((at, cv2.imread(str(path))) for at, path in kept))

    @classmethod
    def recorded(cls, folder: Path) -> list[Reel]:
        """All recordings of a folder. Raises FilmError and OSError."""

        def reel(one: Recording) -> Reel:
            return cls(one.truth, lambda: ((look.time, BLANK) for look in one.looks), one.truth.lying, one.looks)

        return [reel(one) for one in Recording.below(folder)]

    @classmethod
    def below(cls, folder: Path) -> list[Reel]:
        """All films of a folder. Raises FilmError where there is none."""
        found = [path for path in sorted(folder.glob("*.mp4")) if path.with_suffix(".jsonl").is_file()]
        if not found:
            raise FilmError(f"{folder} holds no film (.mp4) with its truth (.jsonl).")
        return [cls.stored(path) for path in found]


def _stored_frames(video: Path, fps: float) -> Iterator[tuple[float, np.ndarray]]:
    source = VideoSource(video, realtime=False)
    try:
        number = 0
        while (frame := source.read()) is not None:
            yield number / fps, frame.pixels
            number += 1
    finally:
        source.close()


class PerfectEyes:
    """A reader that knows what lies there: what following would be if reading never erred. `time` (s) is set before
    every look. Cards of which less than `LEAST_SEEN` is in view are not seen."""

    def __init__(self, reel: Reel) -> None:
        self._reel, self.time = reel, 0.0

    def read(self, image: Pixels, deck: Collection[str] | None = None, letters: Collection[str] = (),
             where: Sequence[Region] | None = None, parts: Sequence[Part] = ()) -> ReadResult:  # fmt: skip
        """All cards in view."""
        height, width = image.shape[:2]
        found = [_card_read(card) for card in self._reel.lying(self.time) if card["visible"] >= LEAST_SEEN]
        return ReadResult(width, height, 0.0, in_reading_order(found, height))


def _card_read(card: dict[str, Any]) -> CardRead:
    a, b, c, d = ((float(x), float(y)) for x, y in card["quad"])
    if card["face"] is None:
        return CardRead(None, 0.99, Side.DOWN, (a, b, c, d))
    return CardRead(card["face"], 0.99, Side.UP, (a, b, c, d), (Candidate(card["face"], 0.99),))


class FilmSource(Source):
    """A film as a webcam: it runs by the clock, and whoever looks too late sees a later frame."""

    def __init__(self, reel: Reel) -> None:
        super().__init__(reel.truth.name)
        self._reel, self._frames = reel, reel.frames()
        self._began: float | None = None
        self.shown, self._ended = 0, threading.Event()

    @property
    def status(self) -> SourceStatus:
        return SourceStatus.of(SourceState.ENDED if self._ended.is_set() else SourceState.OK, self.name)

    @property
    def now(self) -> float:
        """The time of the film, s; goes on past its end."""
        return 0.0 if self._began is None else time.monotonic() - self._began

    def read(self, timeout: float = 0.5) -> Frame | None:
        self._began = self._began or time.monotonic()
        newest = None
        for at, pixels in self._frames:
            newest = at, pixels
            if at >= self.now - 1 / self._reel.truth.fps:
                break
        if newest is None:
            self._ended.set()
            return None
        time.sleep(max(0.0, newest[0] - self.now))
        self.shown += 1
        return Frame(newest[1], newest[0], self.shown)

    def close(self) -> None:
        self._ended.set()
