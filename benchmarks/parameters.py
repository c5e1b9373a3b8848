"""What each number that decides does to the answer when it is moved by a fifth, on frozen scenes and one recording.

Numbers of reading, assembly and pipeline are moved while composed scenes of held-out prints are read (each arrangement
in two lights), those of following while the demo recording is watched and judged. Counted are cards named rightly,
wrong names and cards without a name (on the recording: actions as played, others, and questions). What the networks
answered once they need not answer again: answers are remembered by what they were asked.

Every measurement is kept in a file, so that a run that was stopped goes on; `--write` makes docs/parameters.md of it.
A number that changes nothing by a fifth is also made next to nothing and next to endless, which switches its rule off.
What no scene and no recording shows is shown by a test: `--tests` runs those of its storey with the rule switched off.
One long file: a benchmark stands alone.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import importlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import cv2
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
from companion.vision.reading import classifier, detector
from companion.vision.reading.detections import Detection
from companion.vision.reading.runtime import Session, session
from companion.vision.types import PictureReader, ReadResult, SeenTable, Side

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "parameters.md"
STOREYS = ("", "camera", "reading", "decks", "assembly", "pipeline", "following")
FIRST_SEED = 79_000_000
"""Of scenes that no reported figure is measured on."""
ARRANGEMENTS = ("fan", "spread", "columns", "hands", "pile", "trick", "scatter", "grid", layouts.CROWD)
CHANGES = {"-20 %": 0.8, "+20 %": 1.2}
EXTREMES = {"next to 0": 1e-3, "next to endless": 1e3}
TWO_PASS = ("SAME_CARD_REACH", "SURE_ALONE", "SURE_CARD", "PASSING_BACK")
FILMED = (
    "STILL_S", "ARM_LEAST", "SAME_ARM_PX", "TIP_PX", "STOP_PX", "ARM_GONE_S", "UNSEEN_S", "PRINT_GONE",
    "PRINT_SURELY_GONE", "PAPER", "ABSENT_LOOKS", "ARM_MOST", "MOST_STOPS", "VISIT_S", "FAR_APART", "ON_THE_WAY",
    "BY_HAND", "ASTRAY_CARDS", "ASTRAY_S", "STAYED_S",
)  # fmt: skip
"""Numbers of following that hands show, and so films, not the recording."""
FILMS = ("aces-king:5102:6", "trading-poker:5101:4")
READING_S = 0.25
"""So long (s of the film's clock) a picture is read there."""
PLAYERS = ("Aki", "Ben", "Chie", "Dan")
PATIENCE = 4
"""A measurement that takes so many times as long as without a change is given up."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number of a storey: its value as the code has it, and what its docstring says."""

    storey: str
    name: str
    value: Any
    meaning: str
    unit: str
    found: str
    guard: str

    @property
    def module(self) -> Any:
        """The module that holds it."""
        return importlib.import_module(
            ".".join(["companion.vision", *([self.storey] if self.storey else []), "parameters"])
        )

    @property
    def key(self) -> str:
        """Storey and name."""
        return f"{self.storey or 'vision'}.{self.name}"


@dataclass(frozen=True, slots=True)
class Figures:
    """Cards (or actions) right, wrong names, questions; `answers`: a digest of what was said of each scene."""

    right: int
    wrong: int
    questions: int
    answers: tuple[str, ...]


def parameters() -> list[Parameter]:
    """All numbers, storey by storey, as they stand in the files."""
    out = []
    for storey in STOREYS:
        path = ROOT / "companion" / "vision" / storey / "parameters.py"
        body = ast.parse(path.read_text("utf-8")).body
        for node, after in pairwise(body):
            if isinstance(node, ast.Assign) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                said = " ".join(str(after.value.value).split())
                meaning, unit, found = re.match(r"(.*?)\. Unit: (.*?)\. Found: (.*)\.$", said).groups()  # type: ignore[union-attr]
                found, _, guard = found.partition(". Guard: ")
                name = node.targets[0].id  # type: ignore[attr-defined]
                out.append(Parameter(storey, name, ast.literal_eval(node.value), meaning, unit, found, guard))
    return out


def scaled(value: Any, by: float) -> Any:
    """The value times `by`, of a tuple each; whole numbers move by one at least, and stay above none."""
    if isinstance(value, tuple):
        return tuple(scaled(one, by) for one in value)
    if isinstance(value, int):
        return max(1, min(round(value * by), value - 1) if by < 1 else max(round(value * by), value + 1))
    return value * by


@contextmanager
def moved(parameter: Parameter, value: Any) -> Iterator[None]:
    """The number with another value, for a while."""
    setattr(parameter.module, parameter.name, value)
    try:
        yield
    finally:
        setattr(parameter.module, parameter.name, parameter.value)


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
        self.seen = real.seen

    def look(self, image: NDArray[np.uint8]) -> tuple[list[Detection], None]:
        """As the detector, but for the views."""
        key = hash((image.tobytes(), image.shape))
        if key not in self.answers:
            self.answers[key] = self._real.detect(image), self._real.seen
        found, self.seen = self.answers[key]
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


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """TimeoutError after so much time of the processor, however busy the machine is."""

    def late(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


class Bench:
    """Measures, and keeps what was measured."""

    def __init__(self, kept: Path, count: int) -> None:
        self.kept, self.count = kept, count
        self.rows: dict[tuple[str, str], dict[str, Any]] = {}
        self.wide: dict[str, list[dict[str, Any]]] = {}  # of more scenes, by number
        self._scenes: Scenes | None = None
        self._recording: Recording | None = None
        self._filmed: Filmed | None = None
        self._plain: dict[str, tuple[Figures, float]] = {}
        if kept.is_file():
            for line in kept.read_text("utf-8").splitlines():
                row = json.loads(line)
                if row["scenes"] == count:
                    self.rows[row["key"], row["change"]] = row
                elif row["change"] != "none" and row.get("differ"):
                    self.wide.setdefault(row["key"], []).append(row)

    def measure(self, parameter: Parameter, change: str, by: float) -> dict[str, Any]:
        """The row of one number and one change; from the file where it stands there."""
        value = scaled(parameter.value, by)
        row = self.rows.get((parameter.key, change))
        if row is not None and row["value"] == repr(parameter.value):
            return row
        way = way_of(parameter)
        plain, seconds = self.plain(way)
        row = {"key": parameter.key, "change": change, "value": repr(parameter.value), "scenes": self.count}
        row["plain"] = f"{way} {plain.right} right, {plain.wrong} wrong, {plain.questions} questions"
        try:
            with moved(parameter, value), patience(PATIENCE * seconds + 5):
                figures = self._figures(way, detecting=parameter.storey in ("", "reading"))
            row |= {name: getattr(figures, name) - getattr(plain, name) for name in ("right", "wrong", "questions")}
            longest = max(len(figures.answers), len(plain.answers))
            same = sum(a == b for a, b in zip(figures.answers, plain.answers, strict=False))
            row["differ"] = longest - same
        except TimeoutError:
            row["fails"] = "takes too long"
        except Exception as error:  # a rule without its number may divide by nothing: that is worth knowing
            row["fails"] = type(error).__name__
        self._keep(row)
        return row

    def tested(self, parameter: Parameter) -> None:
        """Which test of its storey fails without the rule: the first one, or "" where none does."""
        row = self.rows.get((parameter.key, "tests"))
        if row is not None and row["value"] == repr(parameter.value):
            return
        name = ""
        for by in EXTREMES.values():
            name = name or failing(parameter, scaled(parameter.value, by))
        row = {"key": parameter.key, "change": "tests", "value": repr(parameter.value), "scenes": self.count}
        self._keep(row | {"test": name})
        print(f"{parameter.key:36} {name or 'no test'}", flush=True)

    def plain(self, way: str) -> tuple[Figures, float]:
        """The figures without a change, and how long they took, s."""
        if way not in self._plain:
            Remembered.keep = True
            self._figures(way, detecting=True)
            began = time.process_time()
            figures = self._figures(way, detecting=True)
            self._plain[way] = figures, time.process_time() - began
            Remembered.keep = False
            row = {"key": way, "change": "none", "value": "", "scenes": self.count, "differ": 0}
            row |= {name: getattr(figures, name) for name in ("right", "wrong", "questions")}
            row["answers"] = digest(list(figures.answers))
            before = self.rows.get((way, "none"))
            if before is None:
                self._keep(row)
            elif before["answers"] != row["answers"]:
                raise SystemExit(f"{self.kept} was measured with other code or weights: move it away and begin anew.")
        return self._plain[way]

    def _figures(self, way: str, *, detecting: bool) -> Figures:
        if way == "recording":
            self._recording = self._recording or Recording()
            return self._recording.measure()
        if way == "films":
            self._filmed = self._filmed or Filmed()
            return self._filmed.measure()
        self._scenes = self._scenes or Scenes(self.count)
        return self._scenes.measure(twice=way == "two passes", detecting=detecting)

    def _keep(self, row: dict[str, Any]) -> None:
        self.rows[row["key"], row["change"]] = row
        self.kept.parent.mkdir(parents=True, exist_ok=True)
        with self.kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def failing(parameter: Parameter, value: Any) -> str:
    """The first test of its storey that fails while it has that value; "" where all pass."""
    code = (
        f"import {parameter.module.__name__} as storey, pytest, sys;"
        f"storey.{parameter.name} = {value!r};"
        "sys.exit(pytest.main(sys.argv[1:]))"
    )
    tests = [ROOT / "tests" / "vision" / parameter.storey]
    if parameter.name.startswith("BUMP_"):
        tests.append(ROOT / "tests" / "vision" / "following" / "test_pushed.py")
    try:
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, tests), "-q", "-x", "-p", "no:cacheprovider", "-p", "no:randomly"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=180,
        )
    except subprocess.TimeoutExpired:
        return "one that never ends"
    found = re.search(r"^(?:FAILED|ERROR) \S+::(\w+)", done.stdout, re.MULTILINE)
    return found.group(1) if found else ""


def silent(bench: Bench, parameter: Parameter) -> bool:
    """Whether neither a fifth nor its extremes change anything, and nothing else says why it stays."""
    rows = [bench.rows.get((parameter.key, change)) for change in (*CHANGES, *EXTREMES)]
    if parameter.name.startswith("BUMP_"):
        return "hand" in parameter.found
    told = parameter.guard or "cost" in parameter.found or not way_of(parameter)
    return not told and not any(row is not None and (row.get("differ") or "fails" in row) for row in rows)


def enrolled(parameter: Parameter) -> bool:
    """A rule for cards of enrolled decks alone."""
    files = (ROOT / "companion" / "vision" / parameter.storey).glob("*.py")
    uses = [file.name for file in files if re.search(rf"\bparameters\.{parameter.name}\b", file.read_text("utf-8"))]
    return uses == ["enrolled.py"]


def way_of(parameter: Parameter) -> str:
    """On what a number is measured; "" where no picture tells."""
    if parameter.storey in UNMEASURED or enrolled(parameter):
        return ""
    if parameter.storey == "following":
        return "films" if parameter.name in FILMED else "recording"
    return "two passes" if parameter.name in TWO_PASS else "one pass"


def effect(row: dict[str, Any] | None) -> str:
    """A row in words: what it adds, on how many scenes (settled tables) the answer differs."""
    if row is None:
        return "not yet"
    if "fails" in row:
        return str(row["fails"])
    if not row["differ"]:
        return "–"
    parts = [f"{row[name]:+d} {name}" for name in ("right", "wrong", "questions") if row[name]]
    return f"{', '.join(parts) or 'counts alike'} ({row['differ']})"


UNMEASURED = {
    "camera": "No scene tells what these do: they are limits of devices, time outs and checks of what people give.",
    "decks": "Not moved here: what custom decks are measured on is another set of scenes (`docs/custom-decks.md`).",
}
"""Storeys of which only values are shown, and why."""


def page(bench: Bench) -> str:
    """docs/parameters.md."""
    plain = {way: bench.rows.get((way, "none")) for way in ("one pass", "two passes", "recording", "films")}
    said = {
        way: f"{row['right']} right, {row['wrong']} wrong, {row['questions']} questions"
        for way, row in plain.items()
        if row
    }
    newer = sorted({row["plain"] for row in bench.rows.values() if "plain" in row})
    lines = [
        "# Parameters of vision",
        "",
        "The numbers that decide what a picture means, and what each does when it is moved by a fifth. Their meanings,",
        "and how they were found, stand beside them in `companion/vision/**/parameters.py`. Written by",
        "`benchmarks/parameters.py --write`.",
        "",
        f"* **Reading, assembly, pipeline**: {bench.count} composed scenes of held-out prints, every arrangement",
        f"  in ordinary and in harsh light, read once: {said.get('one pass', '')}. Rules of the second pass:",
        f"  the same scenes read twice: {said.get('two passes', '')}.",
        f"* **Following**: the demo recording, watched and judged: {said.get('recording', 'not measured yet')}.",
        f"  Numbers that hands show: {len(FILMS)} filmed games of bots at 480 × 270 px, followed with perfect eyes",
        f"  that take {READING_S} s to read: {said.get('films', 'not measured yet')}.",
        "* **Effect**: the change in cards (hands laid) right, wrong names and questions, and in brackets on how many",
        "  scenes (settled tables) the answer differs. “–”: on none.",
        "* **Extreme**: the same with the number next to nothing / next to endless, where a fifth changes nothing.",
        "* Whole numbers move by one at least. A share or a cosine near 1 cannot be reached any more a fifth higher.",
        "* **Why it stays**: where neither shows what a number is for, the test that fails without its rule, or what",
        "  more scenes show.",
        "* “not yet”: to be measured still; the script goes on where it was stopped.",
        "* “enrolled”: a rule for enrolled decks alone, which these scenes do not show; what those are measured on is",
        "  another set of scenes (`docs/custom-decks.md`).",
        "* Most rows of reading, assembly, pipeline were measured before a learned score said what a further card is;",
        "  what that score says now is no number here (`docs/reading.md`).",
        f"* ¹: measured later. Without a change {'; '.join(newer)}.",
        "* So few scenes tell what a number can do, not its best value: none was chosen by this table.",
        "",
    ]
    for storey in STOREYS:
        own = [p for p in parameters() if p.storey == storey]
        lines += [f"## {storey or 'shared'}", ""]
        if storey in UNMEASURED:
            lines += [UNMEASURED[storey], ""]
            lines += ["| name | value | unit | why it stays |", "|---|---|---|---|"]
            for p in own:
                test = (bench.rows.get((p.key, "tests")) or {}).get("test")
                why = p.guard or (f"`{test}`" if test else p.found)
                lines.append(f"| {p.name} | {shown(p.value)} | {p.unit} | {why} |")
            lines.append("")
            continue
        lines += [
            "| name | value | unit | effect −20 % | effect +20 % | extreme | why it stays |",
            "|---|---|---|---|---|---|---|",
        ]
        for p in own:
            rows = {change: bench.rows.get((p.key, change)) for change in (*CHANGES, *EXTREMES)}
            low, high = ("enrolled" if enrolled(p) else effect(rows[change]) for change in CHANGES)
            ends = " / ".join(effect(rows[change]) for change in EXTREMES) if all(rows[c] for c in EXTREMES) else ""
            ended = any(
                row is not None and (row.get("differ") or "fails" in row) for row in (rows[c] for c in EXTREMES)
            )
            test = (bench.rows.get((p.key, "tests")) or {}).get("test")
            wide = [row for row in bench.wide.get(p.key, ()) if row["value"] == repr(p.value)]
            more = "; ".join(f"{row['change']} on {row['scenes']} scenes: {effect(row)}" for row in wide)
            told = more or (f"`{test}`" if test else "nothing shows it yet")
            rare = "a rule that its extremes show" if ended else told
            still = p.found if "cost" in p.found else rare
            shows = still if low == high == "–" else f"`{test}`" if test and low == high == "not yet" else ""
            why = p.guard or shows
            later = "¹" * any(row is not None and "plain" in row for row in rows.values())
            lines.append(f"| {p.name}{later} | {shown(p.value)} | {p.unit} | {low} | {high} | {ends} | {why} |")
        lines.append("")
    return "\n".join(lines)


def shown(value: Any) -> str:
    """A value in a table."""
    return ", ".join(map(shown, value)) if isinstance(value, tuple) else f"{value:g}"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these numbers")
    parser.add_argument("--scenes", type=int, default=18, help="so many composed scenes")
    parser.add_argument(
        "--kept", type=Path, default=ROOT / "benchmarks" / "parameters.jsonl", help="where measurements are kept"
    )
    parser.add_argument(
        "--write", action="store_true", help="write docs/parameters.md of what is kept, and measure nothing"
    )
    parser.add_argument("--tests", action="store_true", help="find the tests that show what no scene shows")
    given = parser.parse_args()
    bench = Bench(given.kept, given.scenes)
    if given.write:
        PAGE.write_text(page(bench), encoding="utf-8")
        return
    if given.tests:
        for parameter in parameters():
            if silent(bench, parameter) and (not given.only or parameter.name in given.only):
                bench.tested(parameter)
        return
    detector.session = classifier.session = remembered  # type: ignore[assignment]
    cv2.setNumThreads(1)
    if hasattr(os, "nice"):
        os.nice(15)
    for parameter in parameters():
        if (given.only and parameter.name not in given.only) or not way_of(parameter):
            continue
        rows = [bench.measure(parameter, change, by) for change, by in CHANGES.items()]
        measured = not (parameter.guard or parameter.found.startswith("by its cost") or parameter.storey == "following")
        if measured and not any(row.get("differ") or "fails" in row for row in rows):
            rows += [bench.measure(parameter, change, by) for change, by in EXTREMES.items()]
        print(f"{parameter.key:36} {shown(parameter.value):18} {' | '.join(effect(row) for row in rows)}", flush=True)


if __name__ == "__main__":
    main()
