"""Watches a table: a thread that takes frames from a source, waits until hands are off, reads, and remembers.

What it tells is a `SeenTable` each time the table comes to rest in another way than before, and a `SourceStatus` each
time the camera's state changes. Every part rests for itself: what has changed decides whether anything is read, and
which reads are new evidence. The picture is then read whole; in doubt a second time where it has changed. Of a source
that does not wait, pictures are read beside the frames. Pictures of cards are kept for a while as they were read.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from companion.vision.camera.bump import Matrix, mended
from companion.vision.camera.calibration import Calibration
from companion.vision.camera.health import Health
from companion.vision.camera.source import Frame, Source, SourceState, SourceStatus
from companion.vision.following import parameters
from companion.vision.following.crops import Crops, cut, jpeg
from companion.vision.following.motion import Motion, MotionGate, at_rim
from companion.vision.following.pushes import Pushes
from companion.vision.following.reads import Deck, Desk, Job
from companion.vision.following.stirs import Stirs, restless, restless_at
from companion.vision.following.telling import Telling
from companion.vision.following.tracker import Tracker
from companion.vision.following.visits import Visits
from companion.vision.geometry import bounds, corners, touches
from companion.vision.images import Pixels, fit
from companion.vision.types import PictureReader, Point, Quad, ReadResult, Region, SeenTable


class Watcher:
    """See the module. Callbacks run in the watcher's threads, one at a time; other methods may be called from any."""

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
        """`reads_per_s` bounds the work: so many pictures are read in 1 s, twice as many while cards await it or hands
        come. `deck`: a prior for the reader. `calibration` None: table units are fractions of the picture."""
        self.source, self.reader, self.deck = source, reader, deck
        self._on_status, self._on_mended = on_status, on_mended
        self._pushes, self._crops = Pushes(), Crops()
        self._mended: Calibration | None = None
        self._pause_between_reads, self._unread_since = 1.0 / reads_per_s, float("inf")
        self._gate, self._tracker = gate or MotionGate(), Tracker(calibration)
        self._given = self._used = calibration
        self._lock, self._telling = threading.RLock(), Telling(on_table)
        self._stop, self._wake, self._ended = threading.Event(), threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self._frame: Frame | None = None
        self._read_frame: Frame | None = None
        self._table: SeenTable | None = None
        self._status: SourceStatus | None = None
        self._reads_since_change, self._repeats, self._moved = 0, 0, False
        self._stirs, self._visits, self._moments = Stirs(), Visits(), list[SeenTable]()
        self._movement, self._being_read, self._blind = Motion(False, 1.0), tuple[Region, ...](), False
        self._health, self._desk = Health(live=source.live), Desk(source.name, reader, deck, self._finish)

    def start(self) -> Watcher:
        """Begin watching. Returns itself."""
        if self._thread is None:
            self._desk.beside = not self.source.waits
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
        self._desk.close()

    def wait_for_end(self, timeout: float | None = None) -> bool:
        """Wait until the source has ended, at most `timeout` s; True when it has."""
        return self._ended.wait(timeout)

    @property
    def reads(self) -> int:
        """How many pictures have been read since the start."""
        return self._desk.reads

    @property
    def table(self) -> SeenTable | None:
        """The latest table, settled or not."""
        return self._table

    def now(self) -> SeenTable | None:
        """The latest table, with what moves and whose hands are there in the newest frame, or in one being read."""
        with self._lock:
            if self._moments or self._table is None:
                return restless(self._moments[0], self._tracker.areas(self._being_read)) if self._moments else None
            return self._with_motion(self._table, settled=self._table.settled)

    @property
    def status(self) -> SourceStatus:
        """How the camera is doing now, and what its pictures show."""
        if (status := self._health.status(self.source.status)).state is not SourceState.OK:
            return status
        return self._pushes.status(status, self.source.name, None if self._frame is None else self._frame.time)

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

    def card(self, track: int) -> tuple[Pixels, Quad] | None:
        """The picture in which a card was last read, and its outline there, px; None where it is gone or covered."""
        with self._lock:
            outline = next((t.outline for t in self._tracker.tracks if t.number == track and not t.covered), None)
            return None if outline is None or self._read_frame is None else (self._read_frame.pixels, outline)

    def picture(self, width: int = 960) -> bytes | None:
        """The newest frame as a JPEG of at most `width` px: for setting up the camera."""
        return None if (frame := self._frame) is None else jpeg(fit(frame.pixels, width)[0])

    def correct(self, track: int, face: str) -> bool:
        """A person names a card; a new table follows at once. False when that card is gone."""
        with self._lock:
            if self._desk.learn(self._tracker, track, face):
                self._reads_since_change = 0
        return self._tell(lambda: self._tracker.correct(track, face))

    def expect(self, stacks: Sequence[Sequence[Point]]) -> None:
        """In each of these places (table coordinates) a stack face down should lie of which no card is seen."""
        self._tracker.expect(stacks)

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
    def _awaited(self) -> list[Region]:
        """Where cards lie that are looked at once more before they count."""
        return self._tracker.unclear() if self._reads_since_change < parameters.MAX_READS else []

    @property
    def calibration(self) -> Calibration | None:
        """The calibration in use; None while the camera lies on its side, because it was made for the other way."""
        return self._used

    def calibrate(self, calibration: Calibration | None) -> None:
        """Forget all cards and read the table afresh, from now on in the units of `calibration`."""
        with self._lock:
            self._given = calibration
            self._start_over(calibration)
            self._repeats = self._gate.frames + parameters.MAX_READS
        self._wake.set()

    def _start_over(self, calibration: Calibration | None) -> None:
        self._used, self._table, self._moments, self._reads_since_change = calibration, None, [], 0
        self._pushes.forget()
        self._telling.forget()
        self._gate.reset()
        self._tracker, self._stirs, self._visits = Tracker(calibration), Stirs(), Visits()

    def _tell(self, change: Callable[[], bool]) -> bool:
        with self._lock:
            if (done := change()) and self._table is not None:
                self._publish(settled=self._table.settled)
        if self._thread is None:
            self._telling.deliver()
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
            self._telling.deliver()
            if (state := self.source.status.state) is SourceState.OK:
                continue
            # After the end the table stays as it was last seen; people may still name its cards.
            if state is SourceState.ENDED and not self._ended.is_set():
                self._read_the_end()
                self._note_status()
                self._ended.set()
            self._wake.wait(None if state is SourceState.ENDED else parameters.PAUSE_S)
            self._wake.clear()
        self._ended.set()

    def _read_the_end(self) -> None:
        """What came to rest in the last frames may still have to be read."""
        self._desk.wait()
        if not self.source.waits:
            self._repeats += self._gate.frames + parameters.MAX_READS
        while not self._stop.is_set() and (frame := self._once_more()) is not None:
            self.feed(frame)
            self._desk.wait()

    def _once_more(self) -> Frame | None:
        """The newest frame again, where it has to be read anew and the source gives no other."""
        if self._repeats == 0 or self._frame is None:
            return None
        self._repeats -= 1
        return Frame(self._frame.pixels, self._frame.time + self._pause_between_reads + 0.1, self._frame.number + 1)

    def feed(self, frame: Frame) -> None:
        """Take one frame: what the thread does with each. Usable without a thread, by tests and tools; then, and with a
        source that waits, a picture is read before this returns."""
        with self._lock:
            self._frame = frame
            if not self._shows_a_table(frame):
                return
            fitting = self._given if self._given is not None and self._given.suits(frame.pixels) else None
            if fitting is not self._used:
                self._start_over(fitting)
            movement = self._movement = self._gate.feed(frame.pixels, frame.time)
            # What is near to a hand does not rest before it has left.
            self._stirs.note(None if movement.near is None else movement.near.begun, movement.moved)
            self._visits.note(movement.foreign, frame.time, movement.where, self._tracker.usual / self._gate.scale**2)
            self._gate.forget(self._tracker.shown_at(self._visits.leaves(self._gate.scale)))
            due = self._is_due(frame, movement)
            if not movement.still:
                self._note_motion(frame, due=due)
            if self._moments:
                self._moments.append(self._with_motion(self._moments[0], settled=not movement.changed))
        shift = self._pushes.shift(frame.pixels) if due and self._used is not None else None
        if not due:
            soon = self._job(frame, movement.ahead) if movement.soon else None
            self._desk.ahead(soon, self._gate.near(movement.ahead), frame.time, self._pause_between_reads)
        elif shift is not None or movement.still or not self._pushes.moves(frame.time):
            with self._lock:
                if shift is not None:
                    self._mend(frame, shift)
                job = self._begin(frame, movement)
            self._desk.read(job)
        self._deliver()

    def _shows_a_table(self, frame: Frame) -> bool:
        """Whether the frame may be looked at. What lay there before a camera was blind has to come to rest anew."""
        fits = self._given is None or self._given.suits(frame.pixels) or not self.source.live
        if self._health.feed(frame, fits=fits):
            blind, self._blind = self._blind, False
            if blind:
                self._gate.reset()
            return True
        if not self._blind:
            self._blind = self._moved = True
            if self._table is not None:
                self._publish(settled=False)
        return False

    def _mend(self, frame: Frame, shift: Matrix) -> None:
        """The camera was pushed since the table was last read: see the table where it lies now. All of it differs."""
        assert self._used is not None
        self._gate.reset()
        found = mended(self._used, shift, (frame.pixels.shape[1], frame.pixels.shape[0]))
        self._given = self._used = self._mended = found
        self._visits.pushed((self._read_frame or frame).time, frame.time)
        self._tracker.pushed(found, shift, frame.pixels)
        self._pushes.mended(frame)

    def _deliver(self) -> None:  # hold no lock
        mended, self._mended = self._mended, None
        if mended is not None and self._on_mended is not None:
            self._on_mended(mended)
        self._telling.deliver()

    def _is_due(self, frame: Frame, movement: Motion) -> bool:
        """Whether this frame is to be read; what will soon be at rest is waited for."""
        self._unread_since = min(self._unread_since, frame.time) if movement.changed else float("inf")
        self._reads_since_change = 0 if movement.changed else self._reads_since_change
        if self._desk.busy:
            return False
        waited = not movement.soon and frame.time - max(self._unread_since, self._desk.last) >= parameters.LONG_MOTION_S
        again = self._gate.accepted and self._wants_another_look(frame, movement)
        if not (movement.ripe or waited or again):
            if self._moved and movement.still and not movement.changed:
                self._moved = False
                self._publish(settled=True)
            return False
        return self._desk.ready(frame.time, self._pause_between_reads / (2 if self._awaited else 1))

    def _wants_another_look(self, frame: Frame, movement: Motion) -> bool:
        """Some card is not clear yet, or covered for long."""
        if frame.time - self._desk.last > parameters.CHECK_EVERY_S and any(t.covered for t in self._tracker.tracks):
            return True
        return self._reads_since_change < parameters.MAX_READS and self._tracker.in_doubt(self._gate.busy(movement))

    def _note_motion(self, frame: Frame, *, due: bool) -> None:
        """Something moves: say so once, and note places that are seen empty meanwhile; not while a reading waits."""
        if self._table is not None and self._table.settled:
            self._moved = True
            self._publish(settled=False)
        if not due and frame.number % parameters.GLANCE_EVERY == 0 and self._tracker.tracks:
            self._tracker.glance(frame.pixels)

    def _begin(self, frame: Frame, movement: Motion) -> Job:
        """This frame is read from here on: later changes are measured from it."""
        self._reads_since_change += 1
        self._gate.accept(None if movement.still else movement.near)
        self._being_read, self._movement = movement.changed, replace(movement, changed=(), ripe=False)
        if self._table is not None and self._desk.beside:
            self._moments = [self._with_motion(self._table, settled=True)]
        return self._job(frame, movement)

    def _job(self, frame: Frame, movement: Motion) -> Job:
        self._desk.whole = self._pushes.lost
        where = (*movement.changed, *self._tracker.unclear(doubtful=not (movement.changed or self._awaited)))
        return Job(frame, movement, self._tracker, self._tracker.emptied(), where)

    def _finish(self, job: Job, result: ReadResult | None) -> None:
        with self._lock:
            moments, self._being_read, self._moments = self._moments, (), []
            if result is not None and job.tracker is self._tracker:  # else it was begun anew meanwhile
                self._take_in(result, job, moments)
            elif self._table is not None:
                self._telling.put(self._table)
        self._deliver()

    def _take_in(self, result: ReadResult, job: Job, moments: Sequence[SeenTable]) -> None:
        frame, movement = job.frame, job.movement
        arms = [corners(region) for region in movement.changed if at_rim(region, frame.pixels)]  # they rest, and leave
        if self._used is not None and not result.parts:
            moved = self._gate.regions(self._stirs.since((self._read_frame or frame).time))
            shift = self._pushes.look(frame.pixels, self._tracker, result.cards, arms, moved, still=movement.still)
            if shift is not None:
                self._mend(frame, shift)
        if self._pushes.lost:
            return  # the place of nothing is known until the camera is back or the table is marked anew
        self._read_frame = frame
        self._pushes.keep(frame.pixels, [*map(corners, self._gate.strange(movement)), *arms])
        near = self._tracker.update(
            result, frame.pixels, time=frame.time, frame=frame.number, changed=movement.changed,
            moving=self._gate.near(movement), lasting=self._gate.lasting(movement), emptied=job.emptied,
            parts=result.parts,
        )  # fmt: skip
        # A card that a hand was too near to is not taken in, so what has changed there is still to be read.
        self._gate.forget([bounds(outline) for outline in near if touches(outline, movement.changed)])
        self._crops.take(self._tracker.tracks, frame.pixels, self._tracker.accept)
        cards = self._tracker.table(settled=False).cards
        for moment in moments:  # what has rested there may have been moved on since
            self._telling.put(restless(replace(moment, cards=cards), self._tracker.areas(self._awaited)), again=True)
        settled = movement.still and self._movement.still and not self._movement.changed and not self._awaited
        self._moved = self._moved and not settled
        self._publish(settled=settled)

    def _publish(self, *, settled: bool) -> None:
        """Keep the table, and put it up for telling."""
        self._table = self._with_motion(self._tracker.table(settled=settled), settled=settled)
        if not self._moments:  # else it comes after what is being read
            self._telling.put(self._table)

    def _with_motion(self, table: SeenTable, *, settled: bool) -> SeenTable:
        """The table at the moment of the newest frame; `settled` where nothing moves."""
        now, scale = max(self._frame.time if self._frame is not None else 0.0, table.time), self._gate.scale
        visits = self._visits.told(lambda spots: self._tracker.points([(x * scale, y * scale) for x, y in spots]))
        stirs = self._stirs.told(now, self._gate.regions, self._tracker.areas)
        moved = replace(table, time=now, settled=settled and self._movement.still, stirs=stirs, visits=visits,
                        unseen=self._visits.unseen, astray=self._visits.astray)  # fmt: skip
        unread = (*self._movement.changed, *self._awaited) if self._gate.accepted else ()
        return restless_at(moved, unread, self._gate.lasting(self._movement), self._tracker.areas)

    def _note_status(self) -> None:
        before, self._status = self._status, self.status
        if self._status != before and self._on_status is not None:
            self._on_status(self._status)
