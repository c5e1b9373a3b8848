"""One table under a camera: what the watcher sees becomes actions, written like any tap, and questions for people.

Everything that compares and decides runs in one thread of the watch; the watcher's thread and the web server's only
wake it. So a tap and a look can never write at the same time from here, and what somebody else wrote meanwhile is
noticed by the journal, which makes the watch look again.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.cards import Deck
from companion.games import Action
from companion.journal import Conflict, Journal
from companion.referee import Acted, Event, EventError, Match
from companion.server.show.texts import Context, Texts
from companion.table import Layout, Observer, Proposal, Question
from companion.vision.camera.calibration import Calibration
from companion.vision.camera.source import Frame, Source, SourceStatus
from companion.vision.following.watcher import Watcher
from companion.vision.types import PictureReader, SeenTable

_log = logging.getLogger(__name__)
MOST_CANDIDATES = 6


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person made of a question: one of its options, a face of his own choice, or nothing of it."""

    option: int | None = None
    face: str | None = None


class Playback(Source):
    """A recording played for an audience: only while `wanted` says that there is one, never faster than life, and no
    frame left out however slow the machine reads; a demonstration on an old laptop is slow, not wrong."""

    def __init__(self, source: Source, wanted: Callable[[], bool], fps: float = 12.0) -> None:
        super().__init__(source.name)
        self._source, self._wanted = source, wanted
        self._between = 1.0 / fps
        self._due = time.monotonic()
        self._closed = threading.Event()

    @property
    def status(self) -> SourceStatus:
        return self._source.status

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
    ) -> None:
        self.table_id, self.source, self.layout = table_id, source, layout
        self._journal, self._write, self._changed = journal, write, changed
        self._deck: Deck = journal.match(table_id).deck
        self._observer = Observer(layout)
        self._lock = threading.Lock()
        self._wake, self._stop = threading.Event(), threading.Event()
        self.seen: SeenTable | None = None
        """The table as last seen."""
        self._questions: tuple[Question, ...] = ()
        self._differing: tuple[str, ...] = ()
        self._watcher = Watcher(
            source,
            reader,
            deck=self._deck,
            calibration=calibration,
            on_table=self._saw,
            on_status=self._status_changed,
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
        if self._wake.is_set() and self.seen is not None:
            self._wake.clear()
            self._look(self.seen)

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
    def moving(self) -> bool:
        """Something moves on the table, or it has not been read yet."""
        return self._watcher.moving

    @property
    def calibration(self) -> Calibration | None:
        """The calibration in use; None where the whole picture is the table."""
        return self._watcher.calibration

    def calibrate(self, calibration: Calibration) -> None:
        """Look at the table through `calibration` from now on; what lies there is read afresh."""
        self._watcher.calibrate(calibration)

    def use(self, layout: Layout) -> None:
        """Look at the table through other zones from now on."""
        self.layout, self._observer = layout, Observer(layout)
        self._wake.set()

    @property
    def status(self) -> SourceStatus:
        """How the camera is doing."""
        return self._watcher.status

    # --- seeing ----------------------------------------------------------------------------------------------------

    def _saw(self, seen: SeenTable) -> None:
        self.seen = seen
        self._wake.set()

    def _status_changed(self, _status: SourceStatus) -> None:
        self._changed()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._wake.wait()
            self._wake.clear()
            if self._stop.is_set() or self.seen is None:
                continue
            try:
                self._look(self.seen)
            except Exception:
                # Whatever one look at the table trips over, the next one must still come.
                _log.exception("looking at table %s failed", self.table_id)

    def _look(self, seen: SeenTable) -> None:
        match = self._journal.match(self.table_id)
        observation = self._observer.look(match, seen)
        try:
            self._propose(match, observation.proposals)
        except Conflict:
            self._wake.set()  # somebody was faster; the observer knows what it has proposed already
        with self._lock:
            before = [q.key for q in self._questions], self._differing
            self._questions = observation.questions
            self._differing = tuple(d.zone for d in observation.differences)
            after = [q.key for q in self._questions], self._differing
        if before != after:
            self._changed()

    def _propose(self, match: Match, proposals: Sequence[Proposal]) -> None:
        seq = len(match.entries)
        for proposal in proposals:
            picture = self._watcher.evidence({card.track for card in proposal.cards}) if proposal.cards else None
            key = self._journal.put_evidence(picture, "image/jpeg") if picture else None
            seq = self._write(Acted(proposal.action, "camera", key), seq)

    @property
    def differing(self) -> tuple[str, ...]:
        """Zones that do not look as the game expects them to."""
        return self._differing

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
                "crop": self._kept_crop(question),
                "options": self._options(question, texts, lang, context),
                "any": question.kind == "card",
            }
            for question in asked
        ]

    def _kept_crop(self, question: Question) -> str | None:
        name = question.crop or next(iter(question.evidence), None)
        picture = self._watcher.crop(name) if name else None
        return self._journal.put_evidence(picture, "image/jpeg") if picture else None

    def _options(self, question: Question, texts: Texts, lang: str, context: Context) -> list[dict[str, Any]]:
        if question.kind == "card":
            faces = [c.face for c in question.candidates[:MOST_CANDIDATES] if c.face in self._deck]
            return [{"text": texts.card(face, lang, context), "cards": [face]} for face in faces]
        return [
            {"text": _told(texts, action, lang, context), "cards": list(action.cards)} for action in question.choices
        ]

    def answer(self, question: str, answer: Answer) -> bool:
        """Do what a person decided; False when the question is not open (any more). Raises EventError."""
        with self._lock:
            found = next((q for q in self._questions if question_id(q) == question), None)
        if found is None:
            return False
        if found.kind == "card" and found.track is not None:
            self._name(found, found.track, answer)
        elif answer.option is not None:
            if not 0 <= answer.option < len(found.choices):
                raise EventError("this question has no such answer")
            crop = self._kept_crop(found)
            event = Acted(found.choices[answer.option], "camera", crop)
            self._write(event, len(self._journal.match(self.table_id).entries))
        self._observer.dismiss(found.key)
        with self._lock:
            self._questions = tuple(q for q in self._questions if q.key != found.key)
        self._wake.set()
        self._changed()
        return True

    def _name(self, question: Question, track: int, answer: Answer) -> None:
        """A person names the card, or says that there is none."""
        faces = [c.face for c in question.candidates[:MOST_CANDIDATES] if c.face in self._deck]
        face = answer.face
        if answer.option is not None and 0 <= answer.option < len(faces):
            face = faces[answer.option]
        if face is None:
            self._watcher.forget(track)
        elif face in self._deck:
            self._watcher.correct(track, face)
        else:
            raise EventError(f"the deck has no card {face!r}")


def _told(texts: Texts, action: Action, lang: str, context: Context) -> str:
    line = texts.action(action, context.game, lang, context)
    return (
        line if action.seat is None else texts.player(action.seat, lang, context) + texts.text("ui.colon", lang) + line
    )


def question_id(question: Question) -> str:
    """The name of a question in addresses: the same while the same cards lie there."""
    return hashlib.sha256(question.key.encode()).hexdigest()[:16]
