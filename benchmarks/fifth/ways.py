"""What numbers are measured on: composed scenes, the demo recording, filmed games; what networks said is remembered."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from companion import resources
from companion.cards import deck
from companion.games import Setup
from companion.referee import Acted, Match, Started
from companion.server.camera import table as watching
from companion.table import Layout, Observer
from companion.training import demo
from companion.training.evaluation import films, reels
from companion.training.evaluation.composed import LIGHTS, names_of, truth
from companion.training.scenes import dataset, layouts
from companion.vision.camera.recorded import VideoSource
from companion.vision.camera.source import Frame
from companion.vision.following.reads import Desk, Job
from companion.vision.following.watcher import Watcher
from companion.vision.pipeline import Reader, TwoPassReader
from companion.vision.reading import detector
from companion.vision.reading.detections import Detection
from companion.vision.reading.runtime import Session, session
from companion.vision.types import PictureReader, ReadResult, SeenTable, Side

FIRST_SEED = 79_000_000
"""Of scenes that no reported figure is measured on."""
ARRANGEMENTS = ("fan", "spread", "columns", "hands", "pile", "trick", "scatter", "grid", layouts.CROWD)
FILMS = ("aces-king:5102:6", "trading-poker:5101:4")
READING_S = 0.25
"""So long (s of the film's clock) a picture is read there."""
PLAYERS = ("Aki", "Ben", "Chie", "Dan")


@dataclass(frozen=True, slots=True)
class Figures:
    """Cards (or actions) right, wrong names, questions; `answers`: a digest of what was said of each scene."""

    right: int
    wrong: int
    questions: int
    answers: tuple[str, ...]


class Remembered:
    """A network that gives the same answer again without running, picture by picture, while `keep` it learns
    answers."""

    keep = True

    def __init__(self, network: Session) -> None:
        self._network, self._answers = network, dict[int, list[NDArray[np.float32]]]()
        self.shape = network.shape

    def __call__(self, tensor: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """As the network."""
        keys = [hash((one.tobytes(), one.shape)) for one in tensor]
        answers = {key: self._answers[key] for key in keys if key in self._answers}
        new = [number for number, key in enumerate(keys) if key not in answers]
        if new:
            outputs = self._network(np.ascontiguousarray(tensor[new]))
            fresh = {keys[number]: [out[at].copy() for out in outputs] for at, number in enumerate(new)}
            answers |= fresh
            if Remembered.keep:
                self._answers |= fresh
        return [np.stack([answers[key][k] for key in keys]) for k in range(len(answers[keys[0]]))]


_networks: dict[Path, Remembered] = {}


def remembered(
    path: Path, threads: int = 1, runtime: str | None = None, *, coarse: bool = False, alone: bool = False
) -> Session:
    """In place of `runtime.session`: each network is loaded once."""
    if path not in _networks:
        _networks[path] = Remembered(session(path, 1, "onnxruntime", coarse=coarse))
    return _networks[path]


class RememberedDetector:
    """A detector that answers a picture once: for numbers that decide after detecting."""

    answers: ClassVar[dict[int, tuple[list[Detection], Any]]] = {}

    def __init__(self, real: detector.Detector) -> None:
        self._real = real
        self.sights = real.sights

    def look(self, image: NDArray[np.uint8]) -> tuple[list[Detection], None]:
        """As the detector, but for the views."""
        key = hash((image.tobytes(), image.shape))
        if key not in self.answers:
            self.answers[key] = self._real.detect(image), self._real.sights
        found, self.sights = self.answers[key]
        return found, None


class Scenes:
    """Frozen composed scenes, each with its truth."""

    def __init__(self, count: int) -> None:
        kinds = [(name, light) for name in ARRANGEMENTS for light in LIGHTS.values()]
        composer = dataset.composer("heldout", (1280, 720), drawn=16)
        composer.widths = (40, 200)
        self.pictures, self.truths = [], []
        for number in range(count):
            composer.arrangement, composer.harsh = kinds[number % len(kinds)]
            scene = composer.compose(FIRST_SEED + number)
            self.pictures.append(np.ascontiguousarray(scene.image[..., ::-1]))
            self.truths.append(truth(scene)[1])

    def measure(self, *, twice: bool, detecting: bool) -> Figures:
        """Read all of them, `twice` upside down as well; `detecting` anew, or as detected before."""
        once = Reader(threads=1)
        if not detecting:
            once._detector = RememberedDetector(once._detector)  # type: ignore[assignment]
        reader: PictureReader = TwoPassReader(once) if twice else once
        right = wrong = questions = 0
        answers = []
        for picture, lying in zip(self.pictures, self.truths, strict=True):
            result = reader.read(picture)
            names = names_of(result)
            right += (names & lying).total()
            wrong += (names - lying).total()
            questions += sum(card.face is None for card in result.cards if card.side is Side.UP)
            answers.append(digest(sorted(f"{card.side} {card.face}" for card in result.cards)))
        return Figures(right, wrong, questions, tuple(answers))


class Recording:
    """The demo recording: what was played in it, and what the program makes of it."""

    def __init__(self) -> None:
        self.folder = resources.calibration() / "demo"
        source = VideoSource(self.folder / demo.NAME, realtime=False)
        self.frames = list(iter(source.read, None))
        source.close()
        self.meant = Counter((seat, tuple(sorted(cards))) for hands in demo.SHOWDOWNS for seat, cards in hands.items())

    def measure(self) -> Figures:
        """Watch and judge it."""
        observer = Observer(Layout.from_toml((self.folder / "layout.toml").read_text(encoding="utf-8")))
        events: list[Any] = [Started("three-card-showdown", Setup(PLAYERS, "52D2"))]
        questions, told = 0, list[str]()

        def note(seen: SeenTable) -> None:
            nonlocal questions
            found = observer.look(Match.of(events), seen)
            events.extend(Acted(proposal.action, "camera") for proposal in found.proposals)
            questions += len(found.questions) if seen.settled else 0
            if seen.settled:
                told.append(digest(sorted(f"{card.side} {card.face}" for card in seen.cards)))

        source = VideoSource(self.folder / demo.NAME, realtime=False)
        watcher = Watcher(source, Reader(threads=1), deck=deck("52D2"), on_table=note)
        source.close()
        for frame in self.frames:
            watcher.feed(frame)
        done = [event.action for event in events[1:]]
        laid = Counter((act.seat, tuple(sorted(act.cards))) for act in done if act.kind == "lay")
        return Figures((laid & self.meant).total(), (laid - self.meant).total(), questions, tuple(told))


class SlowDesk(Desk):
    """A desk at which reading takes `READING_S` of the frames' clock: real time that is the same every time."""

    _going: tuple[Job, ReadResult | None] | None = None  # type: ignore[assignment]

    @property
    def busy(self) -> bool:
        """A picture is being read."""
        return self._going is not None

    def read(self, job: Job) -> None:
        """Read it, and keep what was read until it is due."""
        self._reader.time = job.frame.time  # type: ignore[attr-defined]
        self._going = job, self._result(job.frame)

    def tick(self, now: float) -> None:
        """It is `now` (s) on the frames' clock."""
        if self._going is not None and now >= self._going[0].frame.time + READING_S:
            (job, result), self._going = self._going, None
            self._done(job, result)


class SlowWatcher(Watcher):
    """A watcher with such a desk."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._desk: SlowDesk = SlowDesk(self.source.name, self.reader, self.deck, self._finish)

    def feed(self, frame: Frame) -> None:
        """Take one frame."""
        self._desk.tick(frame.time)
        super().feed(frame)


class Filmed:
    """Filmed games of bots, 480 × 270 px, followed with perfect eyes that take their time."""

    def __init__(self) -> None:
        self.reels = []
        for spec in FILMS:
            reel = reels.Reel.painted(films.parsed(spec, size=(480, 270)))
            frames = [(at, pixels.copy()) for at, pixels in reel.frames()]
            self.reels.append(reels.Reel(reel.truth, frames.__iter__, reel.lying))

    def measure(self) -> Figures:
        """Follow all of them."""
        right = wrong = questions = 0
        answers: list[str] = []
        watching.Watcher = SlowWatcher  # type: ignore[misc]
        try:
            for reel in self.reels:
                played = films.play(reel, None)
                tally = played.tally
                right, wrong, questions = right + tally.right, wrong + tally.wrong, questions + tally.questions
                answers += [f"{wait:.1f}" for wait in tally.waits] + list(played.notes)
        finally:
            watching.Watcher = Watcher  # type: ignore[misc]
        return Figures(right, wrong, questions, tuple(answers))


def digest(lines: list[str]) -> str:
    """Short enough to keep."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]
