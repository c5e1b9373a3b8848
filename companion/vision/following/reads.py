"""Reading beside the frames: a picture is read in a thread of its own while the next ones are looked at."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Protocol

from companion.vision.camera.source import Frame
from companion.vision.following import parameters
from companion.vision.following.motion import Motion
from companion.vision.following.parts import Parts, parts_of
from companion.vision.following.track import either
from companion.vision.following.tracker import Tracker
from companion.vision.geometry import corners, touches
from companion.vision.types import NOWHERE, PictureReader, ReadResult, Region

_log = logging.getLogger(__name__)


class Deck(Protocol):
    """What the watcher needs of a deck; `companion.cards.Deck` is one."""

    @property
    def multiset(self) -> Counter[str]:
        """The faces that may occur, and how often each."""


def of_deck(result: ReadResult, deck: Collection[str]) -> ReadResult:
    """What was read, less the candidates that the deck does not hold: nobody is asked about those."""
    cards = (
        replace(card, candidates=tuple(one for one in card.candidates if one.face in deck)) for card in result.cards
    )
    return replace(result, cards=tuple(cards))


@dataclass(frozen=True, slots=True)
class Job:
    """A picture to be read, what moved in it, the tracker that is to learn of it, the places that had been seen empty
    by then, and where something matters (px)."""

    frame: Frame
    movement: Motion
    tracker: Tracker
    emptied: Mapping[int, int]
    where: Sequence[Region]


@dataclass(frozen=True, slots=True)
class _Early:
    """A picture that is read before it is asked for: when it was taken, s, which parts of it, and what is read."""

    time: float
    parts: Parts
    result: Future[ReadResult | None]

    def shows(self, job: Job, parts: Parts) -> bool:
        """What rests in the picture of a job, these parts of it, has rested over the frames of the gate: an earlier one
        shows it as well."""
        return 0 <= job.frame.time - self.time <= parameters.STILL_S and self.parts.hold(parts)


class Desk:
    """Reads one picture at a time: at once, or `beside` its caller in a thread of its own."""

    beside = False
    last: float
    """When the picture read last was taken, s."""
    whole = False
    """Pictures have to be read whole, as the place of nothing is known."""

    def __init__(self, name: str, reader: PictureReader, deck: Deck | None,
                 done: Callable[[Job, ReadResult | None], None]) -> None:  # fmt: skip
        """`done`: what becomes of what was read; called in the thread that read it."""
        self._name, self._reader, self._deck, self._done = name, reader, deck, done
        self._letters: Counter[str] = Counter()
        self._inks = self._told = frozenset[str]()
        self._pool: ThreadPoolExecutor | None = None
        self._going: Future[None] | None = None
        self._early: _Early | None = None
        self._soon: Job | None = None
        self.last = float("-inf")
        self.reads, self.seconds = 0, 0.0

    @property
    def busy(self) -> bool:
        """A picture is being read."""
        return self._going is not None and not self._going.done()

    def ready(self, now: float, pause: float) -> bool:
        """The last picture was taken a `pause` (s) before `now`; or one taken just before is read already, and to take
        it in costs nothing."""
        early = self._early
        read = early is not None and early.result.done() and 0 <= now - early.time <= parameters.STILL_S
        return read or now - self.last >= pause

    def read(self, job: Job) -> None:
        """Read this picture; beside its caller, it returns at once."""
        parts, self._soon, self.last = self._parts(job.frame, job.tracker, job.where), None, job.frame.time
        if not self.beside:
            self._work(job, parts)
            return
        early, self._early = self._early, None
        self._going = self._worker().submit(self._work, job, parts, early)

    def ahead(self, soon: Job | None, near: Sequence[Region], now: float, pause: float) -> None:
        """`soon`: what lies at rest in this frame, though not yet for as long as it should. It is begun with beside the
        caller. Where a hand comes `near` (px) to what an earlier frame showed so, and nobody has read it, that is read:
        now, or never, unless much time has passed without a look until `now` (s). Either once in half a `pause` (s) at
        most, one after the other."""
        before, self._soon = self._soon, soon or self._soon
        if before is not None and not 0 <= now - before.frame.time <= parameters.LONG_MOTION_S:
            before, self._soon = None, soon
        if self.busy:
            return
        late = before is not None and before.frame.time - self.last >= pause / 2
        if before is not None and late and any(touches(corners(region), near) for region in before.where):
            self.read(before)
        elif soon is not None and self.beside and self._may_begin(soon.frame.time, pause):
            parts = self._parts(soon.frame, soon.tracker, soon.where)
            going = self._worker().submit(self._result, soon.frame, soon.where, parts)
            self._early = _Early(soon.frame.time, parts, going)

    def _may_begin(self, now: float, pause: float) -> bool:
        """No other picture is read early, and none was read just now."""
        early = self._early
        free, latest = (True, self.last) if early is None else (early.result.done(), max(self.last, early.time))
        return free and now - latest >= pause / 2

    def _parts(self, frame: Frame, tracker: Tracker, where: Sequence[Region]) -> Parts:
        return Parts() if self.whole else parts_of(tracker, where, frame.pixels)

    def learn(self, tracker: Tracker, track: int, face: str) -> bool:
        """A person says that a card is `face`. True where that tells what a V is at this table: one was read here, and
        the card was taken for the jack or the queen of its suit. Other cards that show one are looked at again then."""
        likely = [candidate.face for candidate in tracker.candidates(track)[:2]]
        told = either(*likely) if len(likely) == 2 and face in likely else bool(likely) and either(likely[0], face)
        if told and self._letters["V"]:
            self._told |= {f"V={face[0]}"}
            tracker.look_again_at_open()
        return told and self._letters["V"] > 0

    def _worker(self) -> ThreadPoolExecutor:
        self._pool = self._pool or ThreadPoolExecutor(1, f"read {self._name}")
        return self._pool

    def wait(self) -> None:
        """Wait for the picture that is being read."""
        if self._going is not None:
            self._going.result()

    def close(self) -> None:
        """Wait for the picture that is being read, and end the thread."""
        if self._pool is not None:
            self._pool.shutdown()

    def _work(self, job: Job, parts: Parts, early: _Early | None = None) -> None:
        result = None
        if early is not None and early.shows(job, parts):
            result, parts = early.result.result(), early.parts
        if result is None or any(card.glanced and touches(card.polygon, job.where) for card in result.cards):
            result = self._result(job.frame, job.where, parts)
        copies = self._deck.multiset if self._deck is not None else None
        if result is not None and result.parts and not parts.suffice(result.cards, copies):
            result = self._result(job.frame, job.where, Parts())
        try:
            self._done(job, result)
        except Exception:
            _log.exception("what was read in frame %d of %s is lost", job.frame.number, self._name)

    def _result(self, frame: Frame, where: Sequence[Region], parts: Parts) -> ReadResult | None:
        began = time.perf_counter()
        try:
            known = [letter for letter, times in self._letters.items() if times >= parameters.LETTER_PICTURES]
            known += sorted(self._inks | self._told)
            deck = self._deck.multiset if self._deck is not None else None
            result = self._reader.read(frame.pixels, deck, known, where or (NOWHERE,), tuple(parts))
            self._letters.update(result.letters)
            self._inks |= result.inks
            return result if deck is None else of_deck(result, deck)
        except Exception:
            # A picture that the reader cannot digest must not end the watch over the table.
            _log.exception("reading frame %d of %s failed", frame.number, self._name)
            return None
        finally:
            self.reads += 1
            self.seconds += time.perf_counter() - began
