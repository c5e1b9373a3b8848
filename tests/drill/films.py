"""Faults under a camera: a whole filmed game is played to a server in a process of its own, frame by frame, while it is
killed, its disk fills, its file goes, its lens is covered, its pictures stand still or get lost on the way.

The film, the people at the table and their devices live outside and survive. Reading is taken as perfect: what is
drilled is everything after it, from the picture's health over following to the journal, and what the page says.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from companion.journal import Journal
from companion.referee import Acted, Event, Match, Started, event_from_json
from companion.training.evaluation.followed import People
from companion.training.films.film import Filmed
from companion.training.films.spec import GAMES, Film
from companion.training.films.truth import Truth
from tests.drill.server import FILE, TABLE, serve
from tests.drill.taps import DrillError, unwritable

BETWEEN = (2.0, 5.0)
"""Seconds of the film between two faults."""
TOLD_WITHIN = 5.0
PATIENCE = 90.0
"""After the film people have so long (s) to put everything right."""


def games(turn: int = 0, most: int | None = None) -> list[tuple[str, Film]]:
    """A film of each game, at most so many actions long; other ones in every turn."""
    how: dict[str, Any] = {"size": (640, 360), "artwork": True, "fps": 8.0, "actions": most}
    return [(f"{name} {turn}", Film(name, 300 + turn, **how)) for name in GAMES[::-1]]


# --- the world around it ---------------------------------------------------------------------------------------------


class World:
    """The film, the people, and what the server has acknowledged to them."""

    def __init__(self, film: Film, chance: random.Random, folder: Path, told: Callable[[str], None]) -> None:
        self.film = Filmed(film)
        self.truth = Truth.of(self.film)
        self.chance, self.folder, self.told = chance, folder, told
        self.people = People(self.truth)
        self.acked: list[Event] = [self.truth.started]
        self.match = Match.of(self.acked)
        self.frames = self.taps = 0
        self.now, self.trouble = 0.0, ""
        self.said = ""
        self.refused = False
        self.process: Any = None
        self.start()
        for action in self.truth.skipped:
            self.tap(Acted(action, "record"))

    def start(self, mortal: bool = False) -> bool:
        """Start the server; False when it says why it cannot."""
        self.pipe, theirs = multiprocessing.Pipe()
        work = (theirs, self.film, self.truth, self.folder, mortal)
        self.process = multiprocessing.get_context("fork").Process(target=serve, args=work, daemon=True)
        self.process.start()
        theirs.close()
        return self.hear()[0] == "done"

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()

    def hear(self) -> tuple[str, Any]:
        """The answer; what the camera wrote meanwhile counts as acknowledged. Raises EOFError when it was killed."""
        while True:
            try:
                what, *values = self.pipe.recv()
            except ConnectionResetError as error:
                raise EOFError from error
            if what != "wrote":
                return what, values[0]
            number, event = values
            self.take(number, event_from_json(event))

    def ask(self, *request: Any) -> tuple[str, Any]:
        try:
            self.pipe.send(request)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise EOFError from error
        return self.hear()

    def take(self, number: int, event: Event) -> None:
        if number != len(self.acked) + 1:
            raise DrillError(f"entry {number} was acknowledged after {len(self.acked)}")
        self.acked.append(event)
        self.match = self.match.then(event)

    def check(self) -> None:
        """The journal is what was acknowledged, once, and at most what was on its way. The world goes on with it."""
        journal = Journal(f"sqlite:///{self.folder / FILE}")
        try:
            rows = journal.events(TABLE) if journal.tables() else ()
        finally:
            journal.close()
        if [row.seq for row in rows] != list(range(1, len(rows) + 1)):
            raise DrillError("the numbers of the entries have gaps")
        if not len(self.acked) <= len(rows) <= len(self.acked) + 1:
            raise DrillError(f"{len(rows)} entries, acknowledged were {len(self.acked)}")
        for number, (row, event) in enumerate(zip(rows, self.acked, strict=False), 1):
            if row.event != event:
                raise DrillError(f"entry {number} is another one: {row.event}, not {event}")
        if len({row.key for row in rows if row.key}) != sum(row.key is not None for row in rows):
            raise DrillError("a tap was written twice")
        for row in rows[len(self.acked) :]:
            self.take(row.seq, row.event)

    def restarted(self) -> None:
        self.kill()
        self.check()
        if not self.start():
            raise DrillError("it does not start again")

    # --- time goes on ----------------------------------------------------------------------------------------------

    def tap(self, event: Event, *, twice: bool = False) -> None:
        """A device writes, and again until it is answered; it knows what it has seen."""
        key, seq = f"tap {self.taps}", len(self.acked)
        self.taps += 1
        for attempt in range(3):
            try:
                what, said = self.ask("tap", event.to_json(), seq, key)
            except EOFError:
                self.restarted()
                if len(self.acked) > seq + 1:
                    raise DrillError("more was written than was sent") from None
                continue
            if what == "no":
                self.refused = True
                return
            if said == len(self.acked) + 1:
                self.take(said, event)
            elif not attempt:
                raise DrillError(f"a new tap was acknowledged as entry {said}")
            if twice:
                again = self.ask("tap", event.to_json(), seq, key)
                if again != ("done", said):
                    raise DrillError(f"the same tap sent twice was answered {again}, first {said}")
            return
        raise DrillError("a tap was not taken")

    def step(self, *, shown: bool = True, twice: bool = False) -> None:
        """The next picture of the film, and what people do then."""
        self.now += 1 / self.truth.fps
        self.frames += 1
        if shown:
            try:
                what, said = self.ask("frame", self.now, self.frames, self.trouble)
            except EOFError:
                self.restarted()
            else:
                self.said = said if what == "done" else ""
        before = len(self.acked)
        for event in self.people.look(self.match, self.now):
            if len(self.acked) != before:
                break  # something came between: they look again
            self.tap(event, twice=twice)
            before += 1

    def go(self, seconds: float, **how: Any) -> None:
        end = self.now + seconds
        while self.now < end:
            self.step(**how)


# --- faults ----------------------------------------------------------------------------------------------------------


def killed_at_a_moment(world: World) -> None:
    timer = threading.Timer(world.chance.uniform(0.0, 0.15), os.kill, (world.process.pid, signal.SIGKILL))
    timer.start()
    world.go(1.0)
    timer.join()
    world.step()


def killed_at_a_statement(world: World) -> None:
    process = world.process
    world.ask("set", world.chance.randrange(1, 40))
    for _ in range(60):
        world.step()
        if world.process is not process:
            return
    world.ask("set", 0)


def full_disk(world: World) -> None:
    world.ask("room", world.chance.randrange(0, 30_000))
    world.go(4.0)
    world.ask("room", None)


def read_only_disk(world: World) -> None:
    """The server is started again, and nothing can be written: it says so, and starts when it can."""
    world.kill()
    world.check()
    with unwritable(world.folder):
        started = world.start(mortal=True)
    if started:
        raise DrillError("it started, and nothing could be written")
    world.kill()
    if not world.start():
        raise DrillError("it does not start again")


def database_gone(world: World) -> None:
    file, away = world.folder / FILE, world.folder / "away"
    file.rename(away)
    before, world.refused = len(world.acked), False
    world.go(3.0)
    if len(world.acked) != before or file.exists():
        raise DrillError("something was taken while there was no journal")
    away.rename(file)


def blind(trouble: str) -> Callable[[World], None]:
    def fault(world: World) -> None:
        """The page says so in time; until it is over the camera writes nothing more."""
        world.trouble, began, told = trouble, world.now, None
        while world.now < began + TOLD_WITHIN + 1.0:
            before = len(world.acked)
            world.step()
            told = told or (world.now if world.said == trouble else None)
            wrote = [e for e in world.acked[before:] if isinstance(e, Acted) and e.source == "camera"]
            if told is not None and wrote:
                raise DrillError(f"a camera that is {trouble} wrote {wrote}")
        world.trouble = ""
        if told is None:
            raise DrillError(f"nobody said that the camera is {trouble}; it said {world.said!r}")
        world.go(1.0)
        if world.said == trouble:
            raise DrillError(f"it still says {trouble}")

    fault.__name__ = {"frozen": "frozen_camera", "covered": "covered_lens", "dark": "dark_picture"}[trouble]
    return fault


def pictures_lost(world: World) -> None:
    """The Wi-Fi between camera and server is gone for some seconds."""
    world.go(world.chance.uniform(1.0, 6.0), shown=False)


def clock_jumps(world: World) -> None:
    when = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=world.chance.randrange(4_100_000_000))
    world.ask("set", None, when)
    world.go(1.0)


def doubled(world: World) -> None:
    """Every tap is sent twice."""
    world.go(3.0, twice=True)


def reordered(world: World) -> None:
    """A tap that has seen what is not yet there is refused."""
    event = world.acked[-1]
    if not isinstance(event, Started):
        what, said = world.ask("tap", event.to_json(), len(world.acked) + 1, f"future {world.frames}")
        if what != "no" or not str(said).startswith("Conflict"):
            raise DrillError(f"a tap from the future was answered {what} {said}")


FAULTS: tuple[Callable[[World], None], ...] = (
    killed_at_a_moment, killed_at_a_statement, full_disk, read_only_disk, database_gone, blind("frozen"),
    blind("covered"), blind("dark"), pictures_lost, clock_jumps, doubled, reordered,
)  # fmt: skip


def play(film: Film, chance: random.Random, folder: Path, told: Callable[[str], None]) -> None:
    """One film in an empty folder, a fault every few seconds. Raises DrillError."""
    world = World(film, chance, folder, told)
    bag: list[Callable[[World], None]] = []
    name = "before the first fault"
    try:
        while world.now < world.truth.seconds:
            world.go(chance.uniform(*BETWEEN))
            bag = bag or chance.sample(FAULTS, len(FAULTS))
            fault = bag.pop()
            name = fault.__name__
            fault(world)
            world.check()
            told(name)
        end = world.now + PATIENCE
        while world.people.next < len(world.truth.actions) and world.now < end:
            world.step()
        if world.people.next < len(world.truth.actions):
            raise DrillError(f"only {world.people.next} of {len(world.truth.actions)} actions could be told")
        world.check()
    except (EOFError, DrillError) as error:
        raise DrillError(f"{world.now:.1f} s, {name}: {error}") from error
    finally:
        world.kill()
