"""Faults at the journal: whole recorded games, and at every step something goes wrong. Who writes is a process of its
own each time, as a server that was started again.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from companion.journal import Conflict, DamagedError, Journal, JournalError, restore, rotate
from companion.referee import Event
from companion.referee.record import parse

RECORDS = Path(__file__).parents[1] / "records"
NOBODY = 65534
TABLE = "drill"


class DrillError(Exception):
    """The journal is not what was acknowledged."""


def games(_turn: int = 0, most: int | None = None) -> list[tuple[str, list[Event]]]:
    """Every recorded game with its events, at most so many: the shortest of each kind, then another of each."""
    before = Counter[str]()
    turns = []
    read = [(file.stem, list(parse(file.read_text(encoding="utf-8")).events)) for file in RECORDS.glob("*.txt")]
    for name, events in sorted(read, key=lambda one: (len(one[1]), one[0])):
        game = events[0].game  # type: ignore[union-attr]
        turns.append((before[game], game, name, events[:most]))
        before[game] += 1
    return [(name, events) for _, _, name, events in sorted(turns, key=lambda turn: turn[:2])]


@contextmanager
def unwritable(folder: Path) -> Iterator[None]:
    """While the block runs nobody may write in the folder or to its files; root may, see `become_nobody`."""
    before = {path: path.stat().st_mode for path in (folder, *folder.iterdir())}
    for path in before:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        yield
    finally:
        for path, mode in before.items():
            path.chmod(mode)


def become_nobody() -> None:
    """Rights mean nothing to root."""
    if os.getuid() == 0:
        os.setuid(NOBODY)


def apart(work: Callable[[], None], die: float | None = None) -> str:
    """Do `work` in a process of its own, which ends without any farewell. ``A``: it came to its end; ``E``: the journal
    refused in a sentence; empty: it was killed. `die`: kill it after so many seconds."""
    out, inside = os.pipe()
    child = os.fork()
    if not child:
        os.close(out)
        try:
            work()
            said = b"A"
        except (JournalError, sa.exc.OperationalError):
            said = b"E"
        except BaseException as error:
            said = f"X{type(error).__name__}: {error}".encode()
        os.write(inside, said)
        os.kill(os.getpid(), signal.SIGKILL)
    os.close(inside)
    if die is not None:
        time.sleep(die)
        os.kill(child, signal.SIGKILL)
    said = b""
    while part := os.read(out, 4096):
        said += part
    os.close(out)
    os.waitpid(child, 0)
    if said.startswith(b"X"):
        raise DrillError(said.decode())
    return said.decode()


class Drill:
    """One game in one folder. `done`: how many of its events are acknowledged."""

    def __init__(self, folder: Path, events: list[Event], chance: random.Random) -> None:
        self.folder, self.events, self.chance = folder, events, chance
        self.file = folder / "journal.sqlite3"
        self.done = 0

    def journal(self, clock: Callable[[], datetime] | None = None) -> Journal:
        url = f"sqlite:///{self.file}"
        return Journal(url) if clock is None else Journal(url, clock)

    def write(self, number: int, clock: Callable[[], datetime] | None = None) -> None:
        """Write the event of this number, from 0, as a device sends it."""
        journal, event = self.journal(clock), self.events[number]
        if number == 0:
            journal.create(TABLE, event, key="k0")  # type: ignore[arg-type]
        else:
            journal.append(TABLE, event, expected_seq=number, key=f"k{number}")

    def rows(self, file: Path | None = None) -> list[tuple[Any, ...]]:
        journal = Journal(f"sqlite:///{file or self.file}")
        try:
            if not (known := journal.tables()):
                return []
            if [(one.id, one.game, one.seq) for one in known] != [(TABLE, self.events[0].game, known[0].seq)]:  # type: ignore[attr-defined]
                raise DrillError(f"the list of tables is another one: {known}")
            return [(r.seq, r.at, r.event, r.ruling, r.key) for r in journal.events(TABLE)]
        finally:
            journal.close()

    def check(self, least: int, most: int) -> int:
        """The journal holds the first events, in order, once: at least and at most so many. Returns how many."""
        rows = self.rows()
        if not least <= len(rows) <= most:
            raise DrillError(f"{len(rows)} events, acknowledged were {least}, sent {most}")
        for number, (seq, _, event, _, key) in enumerate(rows):
            if (seq, event, key) != (number + 1, self.events[number], f"k{number}"):
                raise DrillError(f"entry {number + 1} is another one: {seq} {key} {event}")
        return len(rows)

    def sent(self, work: Callable[[], None], die: float | None = None) -> None:
        """Send the next event while something goes wrong; then, as a device does, again until it is there."""
        said = apart(work, die)
        self.check(self.done + (said == "A"), self.done + 1)
        if apart(lambda: self.write(self.done)) != "A":
            raise DrillError("sent again, it was not taken")
        self.done += 1
        self.check(self.done, self.done)

    # --- faults ----------------------------------------------------------------------------------------------------

    def killed_at_a_statement(self) -> None:
        """Before or after any statement of opening and writing, and before the commit."""
        left = self.chance.randrange(1, 60)

        def count(*_: Any) -> None:
            nonlocal left
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

        def work() -> None:
            for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
                sa.event.listen(sa.Engine, name, count)
            self.write(self.done)

        self.sent(work)

    def killed_at_a_moment(self) -> None:
        """Somewhere in the 25 ms that opening and writing take."""
        self.sent(lambda: self.write(self.done), self.chance.uniform(0.0, 0.025))

    def full_disk(self) -> None:
        """The system lets no file grow beyond a size that is reached somewhere in opening or writing."""
        room = self.chance.randrange(0, 160_000)

        def work() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
            self.write(self.done)

        self.sent(work)

    def read_only_disk(self) -> None:
        """Nothing can be written in the folder or to its files."""

        def work() -> None:
            become_nobody()
            self.write(self.done)

        with unwritable(self.folder):
            if apart(work) == "A":
                raise DrillError("it was taken, and nothing could be written")
        self.sent(lambda: self.write(self.done))

    def database_gone(self) -> None:
        """The file is taken away under an open journal, and comes back."""
        if not self.done:
            return self.sent(lambda: self.write(0))
        away = self.folder / "away"

        def work() -> None:
            journal, event = self.journal(), self.events[self.done]
            journal.match(TABLE)
            self.file.rename(away)
            journal.append(TABLE, event, expected_seq=self.done, key=f"k{self.done}")

        if apart(work) != "E" or self.file.exists():
            raise DrillError("it was taken, and there was nothing to write it to")
        away.rename(self.file)
        return self.sent(lambda: self.write(self.done))

    def backup_put_back(self) -> None:
        """The files are lost; the newest backup goes in their place, and the devices send what is newer."""
        if not self.done:
            return self.sent(lambda: self.write(0))
        made = rotate(self.file, self.folder / "backups", datetime(2026, 1, 1) + timedelta(seconds=self.done))
        held = self.done
        self.sent(lambda: self.write(self.done))
        if made is None:
            return None
        for file in self.folder.glob("journal.sqlite3*"):
            file.unlink()
        restore(self.file, made, datetime(2026, 1, 1))
        self.check(held, held)
        for number in range(held, self.done):
            if apart(lambda number=number: self.write(number)) != "A":  # type: ignore[misc]
                raise DrillError("what is newer than the backup is not taken again")
        self.check(self.done, self.done)
        return None

    def torn_log(self) -> None:
        """The log ends in the middle: the power failed, and the disk had promised more than it did. What is there is
        an intact beginning; what is missing comes again from the devices."""
        if apart(lambda: self.write(self.done)) != "A":
            raise DrillError("it was not taken")
        self.done += 1
        log = self.file.with_name(self.file.name + "-wal")
        if log.exists() and log.stat().st_size:
            os.truncate(log, self.chance.randrange(log.stat().st_size))
        for number in range(self.check(0, self.done), self.done):
            if apart(lambda number=number: self.write(number)) != "A":  # type: ignore[misc]
                raise DrillError("what a torn log lost is not taken again")
        self.check(self.done, self.done)

    def flipped_bytes(self) -> None:
        """A few bytes of the database are others. It says so, or it is read as it was."""
        apart(lambda: self.write(self.done))
        self.done += 1
        before = self.rows()  # closes in order: no log is left
        other = self.file.with_name("flipped.sqlite3")
        content = bytearray(self.file.read_bytes())
        for _ in range(self.chance.randrange(1, 9)):
            content[self.chance.randrange(len(content))] ^= self.chance.randrange(1, 256)
        other.write_bytes(content)
        try:
            after = self.rows(other)
        except (DamagedError, JournalError):
            after = before
        finally:
            for file in self.folder.glob("flipped*"):
                file.unlink(missing_ok=True)
        if after != before:
            raise DrillError("changed bytes were read as if nothing had been")

    def clock_jumps(self) -> None:
        """The clock is anywhere between 1970 and 2100."""
        when = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=self.chance.randrange(4_100_000_000))
        self.sent(lambda: self.write(self.done, lambda: when))

    def doubled(self) -> None:
        """The same request twice at once and once more, from devices that heard no answer."""
        children = []
        for _ in range(2):
            child = os.fork()
            if not child:
                try:
                    self.write(self.done)
                finally:
                    os.kill(os.getpid(), signal.SIGKILL)
            children.append(child)
        for child in children:
            os.waitpid(child, 0)
        self.check(self.done + 1, self.done + 1)
        self.sent(lambda: self.write(self.done))

    def reordered(self) -> None:
        """A later request comes before an earlier one: it is refused, and taken in its turn."""
        later = self.done + 1
        if self.done > 0 and later < len(self.events):
            refused = False

            def work() -> None:
                try:
                    self.write(later)
                except Conflict:
                    return
                raise AssertionError("a request from the future was taken")

            refused = apart(work) == "A"
            if not refused:
                raise DrillError("a request from the future was not answered with a conflict")
        self.sent(lambda: self.write(self.done))


FAULTS = (
    Drill.killed_at_a_statement,
    Drill.killed_at_a_moment,
    Drill.full_disk,
    Drill.read_only_disk,
    Drill.database_gone,
    Drill.backup_put_back,
    Drill.torn_log,
    Drill.flipped_bytes,
    Drill.clock_jumps,
    Drill.doubled,
    Drill.reordered,
)


def play(events: list[Event], chance: random.Random, folder: Path, told: Callable[[str], None]) -> None:
    """One game in an empty folder, a fault at every event; `told` hears of each. Raises DrillError."""
    drill = Drill(folder, events, chance)
    bag: list[Callable[[Drill], None]] = []
    while drill.done < len(events):
        bag = bag or chance.sample(FAULTS, len(FAULTS))
        fault = bag.pop()
        try:
            fault(drill)
        except Exception as error:
            raise DrillError(f"event {drill.done + 1}, {fault.__name__}: {error}") from error
        told(fault.__name__)
