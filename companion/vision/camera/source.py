"""What every source of frames is: how it is asked, what a frame is, and how it says what is the matter.

A source never raises while it runs: `read` gives the next frame or None, and `status` says what is the matter (a
message key, never a sentence). Only what can never work raises `SourceError`, when it is opened.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum

from companion.vision.images import Pixels


class SourceError(ValueError):
    """A source that can never work. The message is one sentence for the person who named it."""


class SourceState(StrEnum):
    """How a source is doing. `MISSING`: not there (yet); `BUSY`: there, but not ours; `LOST`: went away; `BLIND`: its
    pictures show no table."""

    OK = "ok"
    MISSING = "missing"
    BUSY = "busy"
    LOST = "lost"
    BLIND = "blind"
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
    """One picture: (height, width, 3) BGR pixels, `time` in s on the source's own clock, `number` from 0.

    Of one that somebody sent: `lag`, by how much (s) it came later than quick enough (negative: sooner), and whether it
    is a `single` photograph. One without a `lag` came by itself, or is the one before once more.
    """

    pixels: Pixels
    time: float
    number: int
    lag: float | None = None
    single: bool = False


class Source(ABC):
    """A stream of frames. `name` is what the user called it. One reader; `close` may come from any thread."""

    def __init__(self, name: str, status: SourceStatus | None = None) -> None:
        self.name = name
        self._status = status or SourceStatus.of(SourceState.OK, name)

    @property
    def status(self) -> SourceStatus:
        """How the source is doing now."""
        return self._status

    @property
    def live(self) -> bool:
        """A device that gives ever new pictures: where they stay the same, or none comes, it stands still."""
        return False

    @property
    def waits(self) -> bool:
        """No frame is lost however long its reader takes."""
        return False

    @property
    def over(self) -> bool:
        """No other frame is to be expected: what the last one shows goes on to lie there."""
        return self.status.state is SourceState.ENDED

    @abstractmethod
    def read(self, timeout: float = 0.5) -> Frame | None:
        """The next frame, or None when there is none within `timeout` seconds. Never raises."""

    @abstractmethod
    def close(self) -> None:
        """Release the camera or file. A closed source gives no more frames."""
