"""Watches a table: a thread that takes frames from a source, waits until hands are off, reads, and remembers.

What it tells is a `SeenTable` each time the table comes to rest in another way than before, and a `SourceStatus` each
time the camera's state changes. What changed decides whether anything is read and which reads are new evidence; the
picture is then read whole, because finding cards in a part of it costs the detector as much. Pictures of the cards
as they were read are kept for a while under the keys that the table names, so that a dispute can open them.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Protocol

from companion.vision.camera.bump import Anchor, mended
from companion.vision.camera.calibration import Calibration
from companion.vision.camera.health import Health
from companion.vision.camera.source import Frame, Source, SourceState, SourceStatus
from companion.vision.following import parameters
from companion.vision.following.crops import cut, jpeg, stamp
from companion.vision.following.motion import Motion, MotionGate, Region, widened
from companion.vision.following.stirs import Stirs
from companion.vision.following.tracker import Track, Tracker
from companion.vision.images import Pixels, fit
from companion.vision.types import PictureReader, ReadResult, SeenTable

_log = logging.getLogger(__name__)


class Deck(Protocol):
    """What the watcher needs of a deck; `companion.cards.Deck` is one."""

    @property
    def codes(self) -> tuple[str, ...]:
        """The faces that may occur."""


class Watcher:
    """See the module. Callbacks run in the watcher's own thread; every other method may be called from any."""

    def __init__(
        self,
        source: Source,
        reader: PictureReader,
        *,
        deck: Deck | None = None,
        calibration: Calibration | None = None,
        on_table: Callable[[SeenTable], None] | None = None,
        on_status: Callable[[SourceStatus], None] | None = None,
        on_mended: Callable[[Calibration], None] | None = None,
        reads_per_s: float = 3.0,
        gate: MotionGate | None = None,
    ) -> None:
        """`reads_per_s` bounds the work: no more pictures than this are read in a second, however busy the table.
        `deck`: a prior for the reader. `calibration` None: table units are fractions of the picture."""
        self.source, self.reader, self.deck = source, reader, deck
        self._on_table, self._on_status, self._on_mended = on_table, on_status, on_mended
        self._anchor, self._mended_at = Anchor(), float("-inf")
        self._pause_between_reads = 1.0 / reads_per_s
        self._gate, self._tracker = gate or MotionGate(), Tracker(calibration)
        self._given = self._used = calibration
        self._lock = threading.RLock()
        self._stop, self._wake, self._ended = threading.Event(), threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self._crops: OrderedDict[str, bytes] = OrderedDict()
        self._frame: Frame | None = None
        self._read_frame: Frame | None = None
        self._table: SeenTable | None = None
        self._told: SeenTable | None = None
        self._to_tell: deque[SeenTable] = deque()
        self._status: SourceStatus | None = None
        self._last_read = float("-inf")
        self._letters: Counter[str] = Counter()
        self._reads_since_change = 0
        self._repeats = 0
        self._moved = False
        self._unread_since: float | None = None
        self._stirs = Stirs()
        self._health = Health(live=source.live)
        self._blind = False
        self.reads = 0
        """How many pictures have been read since the start."""
        self.read_seconds = 0.0
        """Time spent reading them, s."""

    def start(self) -> Watcher:
        """Begin watching. Returns itself."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=f"watch {self.source.name}", daemon=True)
            self._thread.start()
        return self

    def stop(self) -> None:
        """End watching and close the source; returns when the thread has ended (a read in progress is waited for)."""
        self._stop.set()
        self._wake.set()
        self.source.close()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=10.0)

    def wait_for_end(self, timeout: float | None = None) -> bool:
        """Wait until the source has ended, at most `timeout` s; True when it has."""
        return self._ended.wait(timeout)

    @property
    def table(self) -> SeenTable | None:
        """The latest table, settled or not."""
        return self._table

    @property
    def status(self) -> SourceStatus:
        """How the camera is doing now, and what its pictures show."""
        status = self._health.status(self.source.status)
        recently = self._frame is not None and 0 <= self._frame.time - self._mended_at < parameters.MENDED_S
        return (
            SourceStatus.of(SourceState.OK, self.source.name, "mended")
            if status.state is SourceState.OK and recently
            else status
        )

    def crop(self, key: str) -> bytes | None:
        """The JPEG that a `SeenCard.crop` names, while it is remembered."""
        with self._lock:
            return self._crops.get(key)

    def evidence(self, tracks: Collection[int]) -> bytes | None:
        """One JPEG that shows these cards together, as they lay when they were last read."""
        with self._lock:
            if self._read_frame is None:
                return None
            outlines = [track.outline for track in self._tracker.tracks if track.number in tracks]
            return cut(self._read_frame.pixels, outlines, 2 * parameters.CROP_SIDE) if outlines else None

    def picture(self, width: int = 960) -> bytes | None:
        """The newest frame as a JPEG of at most `width` px: for setting up the camera."""
        frame = self._frame
        return None if frame is None else jpeg(fit(frame.pixels, width)[0])

    def correct(self, track: int, face: str) -> bool:
        """A person names a card; a new table follows at once. False when that card is gone."""
        return self._tell(lambda: self._tracker.correct(track, face))

    def forget(self, track: int) -> bool:
        """A person says that this is no card; a new table follows at once. False when it is gone."""
        return self._tell(lambda: self._tracker.forget(track))

    @property
    def frame(self) -> Frame | None:
        """The newest frame, still or not; the last one after the source has ended."""
        return self._frame

    @property
    def moving(self) -> bool:
        """Whether something moves on the table, or it has not been read since it came to rest."""
        return self._table is None or not self._table.settled

    @property
    def calibration(self) -> Calibration | None:
        """The calibration in use; None while the camera lies on its side, because it was made for the other way."""
        return self._used

    def reset(self) -> None:
        """Forget all cards and read the table afresh."""
        self.calibrate(self._given)

    def calibrate(self, calibration: Calibration | None) -> None:
        """Forget all cards and read the table afresh, from now on in the units of `calibration`."""
        with self._lock:
            self._given = calibration
            self._start_over(calibration)
            self._repeats = self._gate.frames + parameters.MAX_READS
        self._wake.set()

    def _start_over(self, calibration: Calibration | None) -> None:
        self._used = calibration
        self._anchor.forget()
        self._tracker = Tracker(calibration)
        self._gate.reset()
        self._stirs = Stirs()
        self._reads_since_change = 0

    def _tell(self, change: Callable[[], bool]) -> bool:
        with self._lock:
            done = change()
            if done and self._table is not None:
                self._publish(settled=self._table.settled)
        if self._thread is None:
            self._deliver()
        self._wake.set()
        return done

    def _run(self) -> None:
        came = time.monotonic()
        while not self._stop.is_set():
            self._note_status()
            frame = self.source.read(parameters.PAUSE_S) or self._once_more()
            if frame is not None:
                self.feed(frame)
                came = time.monotonic()
                continue
            if self.source.status.state is SourceState.OK:
                self._health.silent(time.monotonic() - came)
            else:
                came = time.monotonic()
            self._note_status()
            self._deliver()
            state = self.source.status.state
            if state is SourceState.OK:
                continue
            # After the end the table stays as it was last seen; people may still name its cards.
            if state is SourceState.ENDED:
                self._note_status()
                self._ended.set()
            self._wake.wait(None if state is SourceState.ENDED else parameters.PAUSE_S)
            self._wake.clear()
        self._ended.set()

    def _once_more(self) -> Frame | None:
        """The newest frame again, where it has to be read anew and the source gives no other: a single picture."""
        if self._repeats == 0 or self._frame is None:
            return None
        self._repeats -= 1
        return Frame(self._frame.pixels, self._frame.time + self._pause_between_reads + 0.1, self._frame.number + 1)

    def feed(self, frame: Frame) -> None:
        """Take one frame: what the thread does with each. Usable without a thread, by tests and tools."""
        with self._lock:
            self._frame = frame
            if not self._shows_a_table(frame):
                return
            fitting = self._given if self._given is not None and self._given.suits(frame.pixels) else None
            if fitting is not self._used:
                self._start_over(fitting)
            movement = self._gate.feed(frame.pixels)
            self._stirs.note(movement.where, frame.time)
            if movement.still:
                due = self._is_due(frame, movement.changed)
            else:
                self._note_motion(frame)
                due = self._is_long_due(frame, movement.changed)
            if movement.still or not movement.changed:
                self._unread_since = None
        if due:
            self._mend(frame)
            result = self._read(frame)
            with self._lock:
                self._take_in(result, frame, movement)
        self._deliver()

    def _shows_a_table(self, frame: Frame) -> bool:
        """Whether the frame may be looked at. What lay there before a camera was blind has to come to rest anew."""
        fits = self._given is None or self._given.suits(frame.pixels) or not self.source.live
        if self._health.feed(frame, fits=fits):
            if self._blind:
                self._blind = False
                self._gate.reset()
            return True
        if not self._blind:
            self._blind = self._moved = True
            if self._table is not None:
                self._publish(settled=False)
        return False

    def _mend(self, frame: Frame) -> None:
        """Where the camera was pushed since the table was last read, see the table where it lies now."""
        if self._used is None:
            return
        shift = self._anchor.shift(frame.pixels)
        if shift is None:
            return
        with self._lock:
            found = mended(self._used, shift, (frame.pixels.shape[1], frame.pixels.shape[0]))
            self._given = self._used = found
            self._tracker.pushed(found, shift, frame.pixels)
            self._mended_at = frame.time
        _log.info("the camera %s was pushed; its calibration is mended", self.source.name)
        if self._on_mended is not None:
            self._on_mended(found)

    def _is_long_due(self, frame: Frame, changed: Sequence[Region]) -> bool:
        """Whether something at rest has waited for long while hands are elsewhere: they do not stop the reading."""
        if not changed:
            return False
        if self._unread_since is None:
            self._unread_since = frame.time
        return frame.time - max(self._unread_since, self._last_read) >= parameters.LONG_MOTION_S

    def _is_due(self, frame: Frame, changed: Sequence[Region]) -> bool:
        """Whether the still table in this frame is to be read now."""
        if changed:
            self._reads_since_change = 0
        doubtful = self._reads_since_change < parameters.MAX_READS and any(
            self._is_doubtful(track) for track in self._tracker.tracks
        )
        covered = any(track.covered for track in self._tracker.tracks)
        check = covered and frame.time - self._last_read > parameters.CHECK_EVERY_S
        if not (changed or doubtful or check):
            if self._moved:
                self._moved = False
                self._publish(settled=True)
            return False
        return frame.time - self._last_read >= self._pause_between_reads

    def _is_doubtful(self, track: Track) -> bool:
        """Another read may make this card clearer."""
        if track.covered or track.dismissed or track.pinned is not None:
            return False
        return track.tentative or bool(track.evidence.scores and track.face(self._tracker.accept) is None)

    def _note_motion(self, frame: Frame) -> None:
        """Something moves: say so once, and note places that are seen empty meanwhile."""
        if self._table is not None and self._table.settled:
            self._moved = True
            self._publish(settled=False)
        if frame.number % parameters.GLANCE_EVERY == 0 and self._tracker.tracks:
            self._tracker.glance(frame.pixels)

    def _read(self, frame: Frame) -> ReadResult | None:
        began = time.perf_counter()
        try:
            known = [letter for letter, times in self._letters.items() if times >= parameters.LETTER_PICTURES]
            result = self.reader.read(frame.pixels, self.deck.codes if self.deck is not None else None, known)
            self._letters.update(result.letters)
            return result
        except Exception:
            # A picture that the reader cannot digest must not end the watch over the table.
            _log.exception("reading frame %d of %s failed", frame.number, self.source.name)
            return None
        finally:
            self.reads += 1
            self.read_seconds += time.perf_counter() - began

    def _take_in(self, result: ReadResult | None, frame: Frame, movement: Motion) -> None:
        self._reads_since_change += 1
        self._last_read = frame.time
        self._gate.accept(None if movement.still else movement.where)
        if result is None:
            return
        self._read_frame = frame
        self._anchor.keep(frame.pixels)
        moving = () if movement.still or movement.where is None else self._gate.regions(widened(movement.where))
        self._tracker.update(
            result, frame.pixels, time=frame.time, frame=frame.number, changed=movement.changed, moving=moving
        )
        self._take_crops(frame.pixels)
        if not movement.still:
            self._publish(settled=False)
        elif not self._tracker.tentative or self._reads_since_change >= parameters.MAX_READS:
            self._moved = False
            self._publish(settled=True)

    def _take_crops(self, pixels: Pixels) -> None:
        """Keep a picture of every card that is seen now and has none yet, or reads otherwise than when it was taken."""
        for track in self._tracker.tracks:
            shown = stamp(track, self._tracker.accept)
            if track.covered or track.dismissed or (track.crop is not None and track.crop_of == shown):
                continue
            data = cut(pixels, [track.outline], parameters.CROP_SIDE)
            if data is not None:
                track.crop, track.crop_of = hashlib.sha256(data).hexdigest(), shown
                self._crops[track.crop] = data
        while len(self._crops) > parameters.MOST_CROPS:
            self._crops.popitem(last=False)

    def _publish(self, *, settled: bool) -> None:
        """Keep the table, and put it up for telling when it says something new."""
        now = self._frame.time if self._frame is not None else 0.0
        table = self._tracker.table(settled=settled)
        self._table = replace(
            table, time=max(now, table.time), stirs=self._stirs.told(now, self._gate.regions, self._tracker.areas)
        )
        told = self._to_tell[-1] if self._to_tell else self._told
        if told is None or (told.settled, told.cards) != (self._table.settled, self._table.cards):
            self._to_tell.append(self._table)

    def _deliver(self) -> None:
        """Tell what is up for telling. No lock is held meanwhile: who listens may ask back, or wait for others."""
        while True:
            with self._lock:
                if not self._to_tell:
                    return
                self._told = self._to_tell.popleft()
                table = self._told
            if self._on_table is not None:
                self._on_table(table)

    def _note_status(self) -> None:
        status = self.status
        if status != self._status:
            self._status = status
            if self._on_status is not None:
                self._on_status(status)
