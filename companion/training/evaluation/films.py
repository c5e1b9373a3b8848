"""Plays filmed games to the program, from the camera's frames to the journal, and counts how they were followed.

`play` plays one film: frame by frame, every frame looked at in turn in one thread, or at the film's own speed, when
frames that come while the program is busy are lost, as a webcam's are. What runs is the server's own
`companion.server.camera.table.Watch`; `followed.People` sit at the table.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from companion.journal import Journal
from companion.referee import Acted, Event, Match
from companion.server.camera.table import Answer, Watch, question_id
from companion.server.config import journal_file
from companion.table import Question
from companion.table.ask import NEXT_LACKING as NEXT
from companion.training.evaluation.followed import People, only_spoken, same, told
from companion.training.evaluation.listening import Audience
from companion.training.evaluation.recording import Recorded, Recording, record
from companion.training.evaluation.reels import LEAST_SEEN, FilmSource, PerfectEyes, Reel
from companion.training.evaluation.tally import Tally
from companion.training.films.spec import Film, FilmError
from companion.vision.camera.source import Frame, Source
from companion.vision.following.watcher import Watcher
from companion.vision.types import PictureReader, SeenCard

TABLE, PUSHED = "film", "ui.camera.pushed"
ANSWER_AFTER = 1.0
"""People answer a question that has been open so long (s)."""
NEAR, NEAR_NAMED = 30.0, 80.0
"""People know which card is meant where it was seen so near (mm) to its place, and where its name was read too."""
MARKS_AFTER = 5.0
"""Who reads for so long that the camera was pushed marks the table anew (s)."""
LOOKS_EVERY = 0.05
"""In real time they look at the page so often (s), and when the camera has written something."""
REST = 4.0
"""After the last frame the table is seen so long (s) as it lies."""


class Playing:
    """One film in one journal under one watch."""

    def __init__(self, reel: Reel, reader: PictureReader, folder: Path, *, people: People, source: Source,
                 pages: int = 0) -> None:  # fmt: skip
        """`pages`: so many listen meanwhile."""
        self.truth, self.people, self.reader = reel.truth, people, reader
        self.journal = Journal(f"sqlite:///{journal_file(folder)}")
        self.journal.create(TABLE, self.truth.started)
        for action in self.truth.skipped:
            self.journal.append(TABLE, Acted(action, "record"))
        self.watch = Watch(TABLE, source, reader, self.truth.layout, self.journal, self._write, self._told,
                           self.truth.calibration,
                           watcher=partial(Recorded, reel.looks) if reel.looks else Watcher)  # fmt: skip
        self._audience = Audience(folder, TABLE, self.watch, pages) if pages else None
        self._pages = pages
        self._written = threading.Event()
        self._asked: dict[str, float] = {}
        self._settled: set[str] = set()
        self._named: dict[int, str | None] = {}
        self._unseen: dict[str, dict[int, str]] = {}
        """Cards that nobody sees, as people have named them: by zone and by the number they were asked about."""
        self._shown: dict[int, tuple[SeenCard, float]] = {}
        """Cards by number as they lay, and when (s), when the picture was taken that a question shows."""
        self._pushed: float | None = None
        """Since when the page says so, s."""
        self.questions = self.spoken = 0
        self.unanswerable = 0

    def _write(self, event: Event, seq: int) -> int:
        number = self.journal.append(TABLE, event, expected_seq=seq)
        self._told()
        self._written.set()
        return number

    def wait(self, seconds: float) -> None:
        """Until the camera has written something, or so long."""
        self._written.wait(seconds)
        self._written.clear()

    def _told(self) -> None:
        if self._audience is not None:
            self._audience.told()

    def people_act(self, now: float) -> None:
        """Everybody looks at the page and does what is to be done at this moment of the film."""
        self._mark_anew(now)
        seen = self.watch.seen.cards if self.watch.seen is not None else ()
        for card in seen:
            if not card.covered and (card.track not in self._shown or self._shown[card.track][0].crop != card.crop):
                self._shown[card.track] = card, now
        for _ in range(6):
            written = self.people.look(self.journal.match(TABLE), now)
            for event in written:
                self.journal.append(TABLE, event)
            if not written:
                break
            self._told()
            self.watch.look_again()
        for question in self.watch.asked:
            name = question_id(question)
            if name not in self._asked:
                self._asked[name] = now
                offered = "; ".join(told(choice) for choice in question.choices)
                self.people.notes.append(
                    f"{now:.1f} s: asked {question.kind} {question.zone} {question.cards}: {offered}"
                )
                self.questions += 1
                self.spoken += only_spoken(self.journal.match(TABLE), question.choices)
                self.unanswerable += question.kind not in ("card", "unexplained") and not question.choices
            if name not in self._settled and now - self._asked[name] >= ANSWER_AFTER:
                self._settled.add(name)
                self._answer(question, name, now)
        self.people.look(self.journal.match(TABLE), now)

    def _mark_anew(self, now: float) -> None:
        """Where the page says that the camera was pushed, and where is not known: counts as a question."""
        if self.watch.status.key != PUSHED:
            self._pushed = None
        elif self._pushed is None:
            self._pushed = now
            self.questions += 1
            self.people.notes.append(f"{now:.1f} s: told that the camera was pushed")
        elif now - self._pushed >= MARKS_AFTER:
            self._pushed = None
            self.watch.calibrate(self.truth.calibration_at(now))

    def _answer(self, question: Question, name: str, now: float) -> None:
        """Tell the truth; what fits no answer is waved away."""
        if question.kind == "card":
            face = self._face_there(question, now)
            if question.track is not None:
                self._named[question.track] = face
            if question.track is not None and question.track < 0 and face is not None:
                self._unseen.setdefault(question.zone, {})[question.track] = face
            self.watch.answer(name, Answer(face=face))
            return
        true = [one.action for one in self.truth.actions[self.people.next :] if one.time <= now]
        if (
            question.hidden is not None
            and true
            and question.with_face(true[0].cards[0] if true[0].cards else "") == true[0]
        ):
            before = len(self.journal.match(TABLE).entries)
            self.watch.answer(name, Answer(face=true[0].cards[0]))
            self.people.answered(before + 1)
            return
        fitting = [n for n, choice in enumerate(question.choices) if any(same(choice, action) for action in true[:1])]
        lies = {self._lying_there(card.track, now).get("zone") for card in question.odd}
        fitting += [len(question.choices) + n for n, place in enumerate(question.places) if lies == {place}]
        before = len(self.journal.match(TABLE).entries)
        self.watch.answer(name, Answer(option=fitting[0] if fitting else None))
        if len(self.journal.match(TABLE).entries) > before:
            self.people.answered(before + 1)

    def _face_there(self, question: Question, now: float) -> str | None:
        """The face of the card asked about, None where no card lies face up."""
        if question.track is not None and question.track < 0:  # one that nobody sees
            lie = Counter(one["face"] for one in self.truth.lying(now) if one["zone"] == question.zone)
            done = (one for one in self.truth.actions[self.people.next :][:1] if one.time <= now)
            acted = Counter(face for one in done for face in one.action.cards)
            there = self._seen_in(question.zone)
            said = self._unseen.get(question.zone, {})
            seen = Counter(self._named.get(card.track, card.face) for card in there)
            seen.update(face for number, face in said.items() if any(-number % NEXT == card.track for card in there))
            laid = acted if not seen - acted else Counter()  # who laid one exactly on another knows
            return next(iter(lie - seen or laid - seen), None)
        face: str | None = self._lying_there(question.track, now).get("face")
        return face

    def _seen_in(self, zone: str) -> Sequence[SeenCard]:
        seen = self.watch.seen
        if seen is None:
            return ()
        return self.truth.layout.for_table(seen.unit, seen.size).place(list(seen.cards)).get(zone, ())

    def _lying_there(self, track: int | None, now: float) -> dict[str, Any]:
        """The card that lay face up where card `track` was seen when the picture was taken that a question shows, or
        lies there now; empty where none does."""
        seen = self.watch.seen.cards if self.watch.seen is not None else ()
        there = next((one for one in seen if one.track == track and not one.covered), None)
        if track not in self._shown:
            return self._lying_at(there, now)
        card, then = self._shown[track]
        laid = next((one.time for one in self.truth.actions if one.time >= then), then)  # where it was just being laid
        found = self._lying_at(card, then) or self._lying_at(card, laid)
        return found if found or there is None else self._lying_at(there, now)

    def _lying_at(self, card: SeenCard | None, now: float) -> dict[str, Any]:
        best: dict[str, Any] = {}
        nearest = NEAR if card is None or card.face is None else NEAR_NAMED
        for one in self.truth.lying(now) if card is not None else ():
            middle = np.mean(one["quad"], axis=0)
            at = self.truth.calibration_at(now).to_table([(float(middle[0]), float(middle[1]))])[0]
            far = float(np.hypot(at[0] - card.centre[0], at[1] - card.centre[1]))
            alike = card is None or card.face in (None, one["face"])
            if far < nearest and alike and one["face"] is not None and one["visible"] >= LEAST_SEEN:
                best, nearest = one, far
        return best

    def close(self) -> Tally:
        """The counts."""
        tally = self.people.close(self.journal.match(TABLE))
        tally.questions, tally.spoken, tally.unanswerable = self.questions, self.spoken, self.unanswerable
        if self._audience is not None and (heard := self._audience.close()) < self._pages:
            self.people.notes.append(f"only {heard} of {self._pages} pages have listened to the end")
        self.journal.close()
        return tally


@dataclass(frozen=True, slots=True)
class Played:
    """A film that was played: the counts, the events of its journal, and what went wrong, a line each."""

    tally: Tally
    events: tuple[Event, ...]
    notes: tuple[str, ...]


def play(reel: Reel, reader: PictureReader | None, *, real_time: bool = False, tap_hands: bool = True,
         correct: bool = True, pages: int = 0) -> Played:  # fmt: skip
    """Play one film to this reader, or to perfect eyes (None; not in `real_time`). `pages`: so many listen meanwhile,
    in `real_time`. See `followed.People` for the other choices. Raises FilmError."""
    if reel.looks and real_time:
        raise FilmError("what was recorded frame by frame says nothing of real time.")
    if reader is None and real_time:
        raise FilmError("perfect eyes need no time, so they cannot be measured in real time.")
    if pages and not real_time:
        raise FilmError("pages that listen cost time, so they need a film in real time.")
    reader = reader or PerfectEyes(reel)
    people = People(reel.truth, tap_hands=tap_hands, correct=correct)
    with tempfile.TemporaryDirectory() as folder:
        if real_time:
            source = FilmSource(reel.painted_beforehand(Path(folder)))
            playing = Playing(reel, reader, Path(folder), people=people, source=source, pages=pages)
            frames, seconds = _by_the_clock(playing, source)
        else:
            playing = Playing(reel, reader, Path(folder), people=people, source=FilmSource(reel))
            frames, seconds = _frame_by_frame(playing, reel)
        events = playing.journal.match(TABLE).events
        tally = playing.close()
    tally.frames, tally.seconds = frames, seconds
    return Played(tally, events, tuple(people.notes))


def _frame_by_frame(playing: Playing, reel: Reel) -> tuple[int, float]:
    number, looked, last = 0, 0.0, None
    for number, (at, pixels) in enumerate(_held(reel)):
        last = at
        began = time.perf_counter()
        if isinstance(playing.reader, PerfectEyes):
            playing.reader.time = at
        playing.watch.feed(Frame(pixels, at, number))
        looked += time.perf_counter() - began
        playing.people_act(at)
    if last is None:
        raise FilmError(f"{reel.truth.name} has no frames.")
    return number + 1, looked


def _held(reel: Reel) -> Iterator[tuple[float, np.ndarray]]:
    """All frames, and the last one for a while."""
    at, pixels = 0.0, None
    for at, pixels in reel.frames():
        yield at, pixels
    held = pixels is not None and not reel.looks  # a recording holds them
    for number in range(1, int(REST * reel.truth.fps) if held else 0):
        yield at + number / reel.truth.fps, pixels


def recorded(reel: Reel, reader: PictureReader | None) -> Recording:
    """What this reader, or perfect eyes, see of a film, every frame looked at in turn. Raises FilmError."""
    seeing = reader or PerfectEyes(reel)
    deck = Match.of([reel.truth.started]).deck
    source = FilmSource(reel)

    def frames() -> Iterator[Frame]:
        for number, (at, pixels) in enumerate(_held(reel)):
            if isinstance(seeing, PerfectEyes):
                seeing.time = at
            yield Frame(pixels, at, number)

    return record(
        reel.truth,
        frames(),
        lambda hears: Watcher(source, seeing, deck=deck, calibration=reel.truth.calibration, on_table=hears),
    )


def _by_the_clock(playing: Playing, source: FilmSource) -> tuple[int, float]:
    playing.watch.start()
    try:
        while source.now < playing.truth.seconds + REST:
            playing.wait(LOOKS_EVERY)
            playing.people_act(source.now)
    finally:
        playing.watch.stop()
    return source.shown, playing.truth.seconds


def parsed(spec: str, **more: Any) -> Film:
    """``GAME:SEED`` or ``GAME:SEED:ACTIONS`` as a film. Raises FilmError."""
    game, _, rest = spec.partition(":")
    seed, _, actions = rest.partition(":")
    if not seed.isdigit() or (actions and not actions.isdigit()):
        raise FilmError(f"a film is written GAME:SEED or GAME:SEED:ACTIONS, not {spec!r}.")
    return Film(game, int(seed), actions=int(actions) if actions else None, **more)


def shipped_reader() -> PictureReader:
    """The reader that the server uses."""
    from companion.vision.pipeline import Reader, TwoPassReader

    return TwoPassReader(Reader())


def evaluate(reels: Iterable[Reel], reader: PictureReader | None, say: Callable[[str], None] = lambda _: None,
             **choices: int) -> dict[str, Tally]:  # fmt: skip
    """Play films and count by game; `say` hears a line a film, and one for each thing that went wrong."""
    tallies: dict[str, Tally] = {}
    for reel in reels:
        played = play(reel, reader, **choices)
        tally = played.tally
        tallies.setdefault(reel.truth.started.game, Tally()).merge(tally)
        say(f"{reel.truth.name}: {tally.right} of {tally.visible} visible actions right, {tally.wrong} wrong, "
            f"{tally.missed} missed, {tally.questions} questions")  # fmt: skip
        for note in played.notes:
            say(f"  {note}")
    return tallies
