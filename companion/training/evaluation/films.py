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
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
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
from companion.training.evaluation.followed import People, same, told
from companion.training.evaluation.listening import Audience
from companion.training.evaluation.recording import BLANK, Look, Recorded, Recording, record
from companion.training.evaluation.tally import Tally
from companion.training.films.spec import Film, FilmError
from companion.training.films.truth import Truth
from companion.vision.camera.recorded import VideoSource
from companion.vision.camera.source import Frame, Source, SourceState, SourceStatus
from companion.vision.following.watcher import Watcher
from companion.vision.images import Pixels
from companion.vision.types import Candidate, CardRead, PictureReader, ReadResult, Region, Side, in_reading_order

TABLE = "film"
ANSWER_AFTER = 1.0
"""People answer a question that has been open so long (s)."""
NEAR, NEAR_NAMED = 30.0, 80.0
"""People know which card is meant where it was seen so near (mm) to its place, and where its name was read too."""
LEAST_SEEN = 0.2
"""Perfect eyes name a card of which so much is in view, and people know it where it lies."""
REST = 4.0
"""After the last frame the table is seen so long (s) as it lies."""


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
             where: Sequence[Region] | None = None) -> ReadResult:  # fmt: skip
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
        self._asked: dict[str, float] = {}
        self._settled: set[str] = set()
        self.questions = 0
        self.unanswerable = 0

    def _write(self, event: Event, seq: int) -> int:
        number = self.journal.append(TABLE, event, expected_seq=seq)
        self._told()
        return number

    def _told(self) -> None:
        if self._audience is not None:
            self._audience.told()

    def people_act(self, now: float) -> None:
        """Everybody looks at the page and does what is to be done at this moment of the film."""
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
                self.unanswerable += question.kind not in ("card", "unexplained") and not question.choices
            if name not in self._settled and now - self._asked[name] >= ANSWER_AFTER:
                self._settled.add(name)
                self._answer(question, name, now)
        self.people.look(self.journal.match(TABLE), now)

    def _answer(self, question: Question, name: str, now: float) -> None:
        """Tell the truth; what fits no answer is waved away."""
        if question.kind == "card":
            self.watch.answer(name, Answer(face=self._face_there(question, now)))
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
            seen = Counter(card.face for card in self.watch.seen.cards) if self.watch.seen is not None else Counter()
            return next(iter(lie - seen), None)
        face: str | None = self._lying_there(question.track, now).get("face")
        return face

    def _lying_there(self, track: int | None, now: float) -> dict[str, Any]:
        """The card that lies face up where card `track` was seen; empty where none does."""
        seen = self.watch.seen
        card = next((c for c in seen.cards if c.track == track), None) if seen is not None else None
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
        tally.questions, tally.unanswerable = self.questions, self.unanswerable
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
            source = FilmSource(reel)
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
            time.sleep(0.05)
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
