"""One table under a camera: what the watcher sees becomes actions, written like any tap, and questions for people.

Everything that compares and decides runs in one thread of the watch; the watcher's thread and the web server's only
wake it. So a tap and a look can never write at the same time from here, and what somebody else wrote meanwhile is
noticed by the journal, which makes the watch look again.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.cards import Deck
from companion.journal import Conflict, Journal
from companion.referee import Acted, Event, EventError, Match
from companion.server.camera.asking import Answer, Reply, likely, question_id, replies, shown, told
from companion.server.camera.in_view import cut_zones
from companion.server.camera.pictured import pictured
from companion.server.show.texts import Context, Texts
from companion.table import Layout, Observation, Observer, Question
from companion.vision.camera.calibration import Calibration
from companion.vision.camera.source import Frame, Source, SourceState, SourceStatus
from companion.vision.following.watcher import Watcher
from companion.vision.images import Pixels
from companion.vision.types import PictureReader, Quad, SeenTable

_log = logging.getLogger(__name__)
MOST_TENTATIVE = 3
_SOON = 0.05
_NO_PICTURE = (None, False)
AGAIN_S = 0.12
"""While something moves, zones come to rest one by one: it is looked again after so long."""


class Watch:
    """A table under a camera. `write` appends an event like a tap; `changed` tells the listeners."""

    def __init__(
        self,
        table_id: str,
        source: Source,
        reader: PictureReader,
        layout: Layout,
        journal: Journal,
        write: Callable[[Event, int], int],
        changed: Callable[[], None],
        calibration: Calibration | None = None,
        mended: Callable[[Calibration], None] | None = None,
        named: Callable[[Pixels, Quad, str], object] | None = None,
        watcher: Callable[..., Watcher] = Watcher,
    ) -> None:
        """`named`: hears what a card is that a person names: the picture, its outline there (px), its face. `watcher`:
        makes what looks at the source."""
        self.table_id, self.source, self.layout = table_id, source, layout
        self.given = calibration
        """What people marked, whether or not the newest picture has its shape; None where they have not."""
        self._journal, self._write, self._changed = journal, write, changed
        self._named_to = named
        self._deck: Deck = journal.match(table_id).deck
        self._observer = Observer(layout)
        self._lock = threading.Lock()
        self._wake, self._stop = threading.Event(), threading.Event()
        self.seen: SeenTable | None = None
        """The table as last seen."""
        self._questions: tuple[Question, ...] = ()
        self._pictures: dict[str, tuple[str, bool]] = {}
        """Of the open questions, by their keys: where the journal has their pictures; of a part of the table or not."""
        self._shown = Observation()
        self._told: deque[SeenTable] = deque()
        self._looked: tuple[SeenTable | None, int] = None, 0
        self._clock, self._lapsed = (float("-inf"), 0.0), True
        """Nobody has watched for a while: more may have come than what is seen of it."""
        self._due: float | None = None
        self._watcher = watcher(
            source,
            reader,
            deck=self._deck,
            calibration=calibration,
            on_table=self._saw,
            on_status=self._status_changed,
            on_mended=mended,
        )
        self._thread = threading.Thread(target=self._run, name=f"table {table_id}", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()
        self._watcher.start()

    def stop(self) -> None:
        """End, and release the camera."""
        self._stop.set()
        self._wake.set()
        self._watcher.stop()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=10.0)

    def feed(self, frame: Frame) -> None:
        """Take one frame and act on it at once, in the caller's thread: for tools that look at every frame in turn,
        instead of `start`."""
        self._watcher.feed(frame)
        self._lapsed |= not self.sees
        due = self._due is not None and frame.time >= self._due
        if (self._wake.is_set() or due) and self.seen is not None and self.sees:
            self._wake.clear()
            self._look()
            while self._told:
                self._look()

    def look_again(self) -> None:
        """The match has changed: what lies there may mean something else now."""
        self._wake.set()

    def picture(self, width: int = 960) -> bytes | None:
        """The newest picture of the camera as JPEG, at most `width` px wide."""
        return self._watcher.picture(width)

    @property
    def frame(self) -> Frame | None:
        """The newest picture of the camera."""
        return self._watcher.frame

    @property
    def reads(self) -> int:
        """How many pictures have been read."""
        return self._watcher.reads

    @property
    def moving(self) -> bool:
        """Something moves on the table, or it has not been read yet."""
        return self._watcher.moving

    @property
    def calibration(self) -> Calibration | None:
        """The calibration in use; None where the whole picture is the table."""
        return self._watcher.calibration

    def calibrate(self, calibration: Calibration, layout: Layout | None = None) -> None:
        """Look at the table through `calibration` from now on, and the zones of `layout`: what lies is read afresh."""
        self.given = calibration
        self._watcher.calibrate(calibration)
        self.use(layout or self.layout)

    def use(self, layout: Layout) -> None:
        """Look at the table through other zones from now on."""
        observer = Observer(layout)
        if self._journal.match(self.table_id).actions:
            observer.memory.lapse()
        self._told.clear()
        self.layout, self._observer = layout, observer
        self._wake.set()

    @property
    def status(self) -> SourceStatus:
        """How the camera is doing."""
        return self._watcher.status

    @property
    def sees(self) -> bool:
        """The camera shows the table, or did to its end: otherwise what lies there now is not known."""
        return self.status.state in (SourceState.OK, SourceState.ENDED)

    def cut(self, texts: Texts, lang: str, context: Context) -> str:
        """Which zones the camera cannot see whole, as a sentence; empty where none, or without a marked table."""
        zones = self._cut()
        return texts.text("camera.cut", lang, context, zone=", ".join(zones)) if zones else ""

    def _cut(self) -> tuple[str, ...]:
        layout, through = self.layout, self.calibration  # either may change meanwhile
        return () if through is None or layout.loose else cut_zones(layout, through)

    # --- seeing ----------------------------------------------------------------------------------------------------

    def _saw(self, seen: SeenTable) -> None:
        self._told.append(seen)
        self.seen = self.seen or seen
        self._wake.set()

    def _status_changed(self, _status: SourceStatus) -> None:
        self._wake.set()
        self._changed()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._wake.wait(None if self._due is None else max(_SOON, self._due - self._now()))
            self._wake.clear()
            if self._stop.is_set() or self.seen is None or not self.sees:
                self._due, self._lapsed = None, True
                self._told.clear()
                continue
            try:
                self._look()
            except Exception:
                # Whatever one look at the table trips over, the next one must still come.
                _log.exception("looking at table %s failed", self.table_id)
                self._due = None

    def _look(self) -> None:
        """Look once, and note when to look again although no other table is told. Every table that was told is looked
        at in its turn, as it lay at its time; then what lies there now."""
        observer, told = self._observer, self._told.popleft() if self._told else None  # people may mark the table anew
        found = told or self._watcher.now()
        if found is None:
            return
        observer.cut = self._cut()
        match = self._journal.match(self.table_id)
        if self._lapsed and match.actions:
            observer.memory.lapse()
        self._lapsed = False
        if self._looked == (found, len(match.entries)) and not self.source.over:
            self._due = found.time + AGAIN_S if self._due is None else self._due
            return  # a picture is being read: until then no time passes
        self._looked = found, len(match.entries)
        seen = self.seen = replace(found, time=max(found.time, self._now())) if self.source.over else found
        observation = Observation() if match.finished else observer.look(match, seen)
        self._watcher.expect(observer.memory.unseen_stacks(match.expected_table()))
        try:
            self._write_down(match, observation)
        except Conflict:
            self._wake.set()  # somebody was faster; what lies there is looked at anew
        zones = match.expected_table() if observation.questions else ()
        asked = tuple(likely(q, self._deck, zones, seen, self.layout) for q in observation.questions)
        pictures = {q.key: self._pictures.get(q.key) or self._pictured(q, seen) for q in asked}
        with self._lock:
            before = self._news()
            self._questions, self._shown = asked, observation
            self._pictures = {key: name for key, name in pictures.items() if name is not None}
            news = before != self._news()
        if news:
            self._changed()
        moving = math.inf if seen.settled else seen.time + AGAIN_S
        due = min(moving, math.inf if observation.due is None else observation.due)
        self._due = None if due == math.inf else due
        if told is not None and (self._told or told.time < self._now()):
            self._wake.set()

    def _now(self) -> float:
        """The camera's clock, s. It goes from frame to frame, because between them nobody knows what moves; after the
        last one the table stays as it was seen while time goes on."""
        frame = self._watcher.frame
        if frame is None:
            return 0.0
        if not self.source.over:
            return frame.time
        if frame.time != self._clock[0]:
            self._clock = frame.time, time.monotonic()
        return frame.time + time.monotonic() - self._clock[1]

    def _write_down(self, match: Match, observation: Observation) -> None:
        """Write what surely happened, and what the camera has to correct of its own words."""
        seq = len(match.entries)
        for correction in observation.corrections:
            seq = self._write(correction.event, seq)
        for proposal in observation.proposals:
            picture = self._watcher.evidence({card.track for card in proposal.cards}) if proposal.cards else None
            key = self._journal.put_evidence(picture, "image/jpeg") if picture else None
            seq = self._write(Acted(proposal.action, "camera", key), seq)
        if observation.corrections or observation.proposals:
            self._wake.set()  # the rest of what lies there may mean something now

    @property
    def differing(self) -> tuple[str, ...]:
        """Zones that do not look as the game expects them to."""
        return tuple(d.zone for d in self._shown.differences)

    def tentative(self, texts: Texts, lang: str, context: Context) -> list[str]:
        """What probably happens just now, as sentences."""
        likely = (told(texts, action, lang, context) for action in self._shown.tentative[:MOST_TENTATIVE])
        return [texts.text("camera.tentative", lang, what=what) for what in likely]

    def waits(self, texts: Texts, lang: str, context: Context) -> str | None:
        """What the game waits for when no card can tell it."""
        if not self._shown.waits:
            return None
        return texts.text("camera.waits", lang, what=texts.awaited(self._shown.waits, lang, context))

    @property
    def asked(self) -> tuple[Question, ...]:
        """The open questions, as the observer asks them."""
        with self._lock:
            return self._questions

    # --- asking ----------------------------------------------------------------------------------------------------

    def questions(self, texts: Texts, lang: str, context: Context) -> list[dict[str, Any]]:
        """The open questions as the page shows them, the likeliest answers first."""
        with self._lock:
            asked = self._questions
        return [
            {
                "id": question_id(question),
                "kind": question.kind,
                "text": texts.text(question.text, lang, context),
                "crop": self._pictures.get(question.key, _NO_PICTURE)[0],
                "part": self._pictures.get(question.key, _NO_PICTURE)[1],
                "options": [
                    {"id": reply.id, **shown(reply, texts, lang, context)} for reply in replies(question, self._deck)
                ],
                "any": question.kind in ("card", "hidden"),
            }
            for question in asked
        ]

    def _pictured(self, question: Question, seen: SeenTable) -> tuple[str, bool] | None:
        found = pictured(question, seen, self.layout, self._watcher)
        return None if found is None else (self._journal.put_evidence(found.jpeg, "image/jpeg"), found.part)

    def _news(self) -> tuple[object, ...]:
        """What the page shows of the last look."""
        asked = [(q.key, [reply.id for reply in replies(q, self._deck)]) for q in self._questions]
        return asked, self._shown.differences, self._shown.tentative, self._shown.waits

    def answer(self, question: str, answer: Answer) -> bool:
        """Do what a person decided; False when the question is not open (any more), or no longer offers that answer.
        Raises EventError."""
        with self._lock:
            found = next((q for q in self._questions if question_id(q) == question), None)
        if found is None:
            return False
        offered = replies(found, self._deck)
        if answer.option is not None and not 0 <= answer.option < len(offered):
            raise EventError("this question has no such answer")
        if answer.choice is not None and answer.choice not in [reply.id for reply in offered]:
            return False
        taken = [reply for n, reply in enumerate(offered) if n == answer.option or reply.id == answer.choice]
        chosen = taken[0] if taken else self._named(found, answer.face)
        if chosen.action is not None:
            # people's word: the camera does not correct it
            said = Acted(chosen.action, "tap", self._pictures.get(found.key, _NO_PICTURE)[0])
            entry = self._write(said, len(self._journal.match(self.table_id).entries))
            self._observer.answered(found.key, entry)
        elif chosen.track is not None:
            self._name(chosen.track, chosen.face if chosen.there else None)
        if chosen.zone is not None:
            self._observer.belongs(found.key, chosen.zone)
        elif chosen.action is None:
            self._observer.dismiss(found.key)
        with self._lock:
            self._questions = tuple(q for q in self._questions if q.key != found.key)
        self._wake.set()
        self._changed()
        return True

    def _named(self, question: Question, face: str | None) -> Reply:
        """A card that a person names."""
        if face is not None and face not in self._deck:
            raise EventError(f"the deck has no card {face!r}")
        return Reply(action=question.with_face(face) if face is not None else None, face=face, track=question.track)

    def _name(self, track: int, face: str | None) -> None:
        """A person names the card, or says that there is none."""
        if face is not None and face not in self._deck:
            raise EventError(f"the deck has no card {face!r}")
        track = self._observer.name(track, face)
        if face is None:
            self._watcher.forget(track)
            return
        self.told(track, face)
        self._watcher.correct(track, face)

    def told(self, track: int, face: str) -> None:
        """A person has said what this card is: whoever learns from that hears it, where the card is seen."""
        seen = self._watcher.card(track)
        if seen is not None and self._named_to is not None:
            self._named_to(*seen, face)
