"""Everything in one file, and back again.

A backup is a SQLite database of its own: all tables, events and evidence pictures, complete at one moment even while
games go on, and the files of the decks on the shelf beside the journal (`companion.shelf`): descriptions, drawings,
what a camera has learned. Restoring puts it in the place of the present journal, after that has been kept beside it
with a time stamp: a whole one as a copy, in one transaction, so that a running server goes on with its connections; a
damaged one by setting its files aside. Its decks go to the shelf: one that is another there by now is kept under a
hidden name, and those that it does not hold stay. So nothing is ever lost.
The key that signs links is not part of it: a link stays good on the machine that made it, and on no other.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path

import sqlalchemy as sa

from companion.journal.errors import BackupError, DamagedError, JournalError
from companion.journal.files import move_durably, write_durably
from companion.journal.schema import COLUMNS, VERSION, events, verify, verify_evidence
from companion.journal.store import Journal
from companion.referee import EventError, event_from_json
from companion.shelf import shelf

PATIENCE = 30.0
"""s to wait for somebody who writes."""

SIDES = ("", "-wal", "-shm")
"""The files of a SQLite database, by how their names end."""

DECKS = ("decks", ("name", "digest", "body"))
"""The table of a backup that holds the files of decks, and its columns; a backup without any has none."""

_TRIES = 5
"""So often the shelf is read until nobody writes there meanwhile."""


def backup(database: Path, target: Path) -> None:
    """Write all of the journal in `database`, and the decks on the shelf beside it, into the new file `target`. Raises
    BackupError, also when `target` is there already: an older backup is never written over."""
    _write(database, target, _files(shelf(database.parent)))


def _write(database: Path, target: Path, files: Mapping[str, bytes]) -> None:
    if not database.is_file():
        raise BackupError("missing", f"there is no journal {database} to back up.")
    if target.exists():
        raise BackupError("exists", f"{target} is there already; a backup goes into a new file.")
    if not database.stat().st_size:
        raise BackupError("damaged", f"the journal {database} is damaged: the file is empty.")
    target.parent.mkdir(parents=True, exist_ok=True)
    part = _part(target)
    try:
        with _sentence("the journal cannot be backed up"):
            _copy(database, part)
            with closing(sqlite3.connect(part)) as made:
                made.execute("PRAGMA journal_mode=DELETE")  # one file, readable from a read-only medium too
                if files:
                    made.execute("CREATE TABLE decks (name TEXT PRIMARY KEY, digest TEXT, body BLOB)")
                    rows = ((name, _digest(body), body) for name, body in files.items())
                    made.executemany("INSERT INTO decks VALUES (?, ?, ?)", rows)
                    made.commit()
        move_durably(part, target)
    finally:
        _remove(part)


def restore(database: Path, source: Path, now: datetime) -> Path | None:
    """Put the backup `source` in the place of the journal in `database`, and its decks on the shelf beside it. What was
    there is kept: the path of the journal is returned (None: there was none). Raises BackupError when `source` is no
    whole backup; nothing is changed then."""
    check(source)
    database.parent.mkdir(parents=True, exist_ok=True)
    part = _part(database)
    try:
        with _sentence("the backup cannot be put in place"):
            _copy(source, part)
            files = _taken_out(part)
        Journal(f"sqlite:///{part}").close()  # brings an older one up to date
        _put_on_shelf(shelf(database.parent), files, now)
        if not database.exists():
            move_durably(part, database)
            return None
        if is_damaged(database) is None:
            kept = _unused(database, "until", now)
            _write(database, kept, {})
            with _sentence("the backup cannot be put in place"):
                _copy(part, database)
            return kept
        aside = set_aside(database, now)
        move_durably(part, database)
        return aside
    finally:
        _remove(part)


def is_damaged(database: Path) -> str | None:
    """What is wrong with the journal in `database`; None when it can be read from end to end."""
    try:
        if not database.stat().st_size:
            return "the file is empty"
        with _reading(database) as connection:
            if _version(connection) == VERSION:
                verify(connection)
            elif connection.exec_driver_sql("PRAGMA quick_check(1)").scalar() != "ok":
                return "SQLite finds pages that do not fit together"
    except DamagedError as error:
        return str(error)
    except sa.exc.DatabaseError as error:
        return f"SQLite says: {error.orig}"
    except UnicodeDecodeError:  # SQLite tells of a damaged name with that name
        return "what its tables are called is no text"
    return None


def check(source: Path) -> None:
    """Is `source` a whole backup of a journal? Raises BackupError with what is wrong with it."""
    if not source.is_file():
        raise BackupError("missing", f"there is no file {source}.")
    damaged = BackupError("damaged", f"the backup {source.name} is damaged.")
    foreign = BackupError("foreign", f"{source.name} is not a backup of Table Companion.")
    try:
        with _reading(source) as connection:
            version = _version(connection)
            if version > VERSION:
                raise BackupError("newer", f"{source.name} was written by a newer Table Companion; update this one.")
            _check_shape(connection, version, foreign)
            if connection.exec_driver_sql("PRAGMA integrity_check").scalar() != "ok":
                raise damaged
            for (body,) in connection.execute(sa.select(events.c.body)):
                event_from_json(body)
            if version == VERSION:
                verify(connection)
            verify_evidence(connection)
            if _has_decks(connection):
                for name, digest, body in connection.exec_driver_sql("SELECT name, digest, body FROM decks"):
                    if not _is_on_shelf(name):
                        raise foreign
                    if not isinstance(body, bytes) or _digest(body) != digest:
                        raise damaged
    except DamagedError as error:
        raise BackupError("damaged", f"the backup {source.name} is damaged: {error}.") from error
    except sa.exc.DatabaseError as error:
        raise (damaged if _begins_like_sqlite(source) else foreign) from error
    except (EventError, ValueError, TypeError, AttributeError) as error:
        raise BackupError("unreadable", f"the backup {source.name} holds an event that nobody can read.") from error


def _check_shape(connection: sa.Connection, version: int, foreign: BackupError) -> None:
    """Exactly our tables with our columns, and that of decks: a file that brings more, a trigger say, is not ours."""
    things = connection.exec_driver_sql("SELECT type, name FROM sqlite_master WHERE type != 'index'").all()
    ours = COLUMNS | (dict([DECKS]) if _has_decks(connection) else {})
    if {(kind, name) for kind, name in things} != {("table", name) for name in ours}:
        raise foreign
    for table, columns in ours.items():
        found = connection.exec_driver_sql("SELECT name FROM pragma_table_info(?)", (table,)).scalars().all()
        if tuple(found) != tuple(name for name in columns if version or name != "link"):
            raise foreign


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def _has_decks(connection: sa.Connection) -> bool:
    return sa.inspect(connection).has_table(DECKS[0])


def _version(connection: sa.Connection) -> int:
    return int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())


def _begins_like_sqlite(source: Path) -> bool:
    with source.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


@contextmanager
def _reading(file: Path) -> Iterator[sa.Connection]:
    """A database that is only looked at."""
    engine = sa.create_engine(f"sqlite:///{file.absolute().as_uri()}?mode=ro&uri=true", poolclass=sa.NullPool)
    with engine.connect() as connection:
        yield connection


def _copy(source: Path, target: Path) -> None:
    """One database over another, in one transaction."""
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True, timeout=PATIENCE)) as old,
        closing(sqlite3.connect(target, timeout=PATIENCE)) as new,
    ):
        old.backup(new)


def _files(folder: Path) -> dict[str, bytes]:
    """The files of the decks in `folder`, hidden ones left out, by where they lie in it: as they are at one moment, as
    far as can be, though somebody may write there. Raises BackupError."""
    try:
        for _ in range(_TRIES):
            before = _seen(folder)
            with suppress(FileNotFoundError):  # gone since
                read = {name: (folder / name).read_bytes() for name in before}
                if _seen(folder) == before:
                    return read
    except OSError as error:
        raise BackupError("failed", f"the decks cannot be backed up: {error}.") from error
    raise BackupError("failed", "the decks cannot be backed up: they are being changed.")


def _seen(folder: Path) -> dict[str, tuple[int, int]]:
    """Which files there are, how large each is and when it was changed (ns)."""
    found = {}
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        if _is_on_shelf(name) and file.is_file() and not file.is_symlink():
            about = file.stat()
            found[name] = (about.st_size, about.st_mtime_ns)
    return found


def _is_on_shelf(name: object) -> bool:
    """True for where a file that is not hidden may lie in the folder of decks; nothing leads out of it."""
    return isinstance(name, str) and not any(
        part.startswith(".") or not part or set(part) & set("\\:\0") for part in name.split("/")
    )


def _taken_out(part: Path) -> dict[str, bytes]:
    """The files of decks in a copy of a backup, which is a journal and nothing else then."""
    with closing(sqlite3.connect(part)) as made:
        if not made.execute("SELECT 1 FROM sqlite_master WHERE name = 'decks'").fetchone():
            return {}
        files = dict(made.execute("SELECT name, body FROM decks"))
        made.execute("DROP TABLE decks")
        made.commit()
        made.execute("VACUUM")
    return files


def _put_on_shelf(folder: Path, files: Mapping[str, bytes], now: datetime) -> None:
    """Write decks into `folder`. One that is there already and is another is kept beside it. Raises BackupError."""
    there = _files(folder)
    try:
        for deck in sorted({name.partition("/")[0] for name in files}):
            new, old = ({n: body for n, body in all_.items() if n.partition("/")[0] == deck} for all_ in (files, there))
            if new == old:
                continue
            if (folder / deck).exists():
                (folder / deck).rename(_unused(folder / f".{deck}", "until", now))
            for name, body in new.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                write_durably(folder / name, body)
    except OSError as error:
        raise BackupError("failed", f"the decks of the backup cannot be put in place: {error}.") from error


def _part(target: Path) -> Path:
    """A new file beside `target` for what is not finished; `folder.tidy` removes what a killed process leaves."""
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    _remove(part)
    return part


def _remove(part: Path) -> None:
    for side in SIDES:
        part.with_name(part.name + side).unlink(missing_ok=True)


def set_aside(database: Path, now: datetime) -> Path | None:
    """Rename a damaged database with all its files; where it is now (None: there was none). Nobody may have it open."""
    if not database.exists():
        return None
    kept = _unused(database, "damaged", now)
    for side in SIDES[::-1]:
        file = database.with_name(database.name + side)
        if file.exists():
            file.rename(kept.with_name(kept.name + side))
    return kept


def _unused(database: Path, why: str, now: datetime) -> Path:
    stem = f"{database.stem}-{why}-{now:%Y%m%d-%H%M%S}"
    names = (stem if n == 1 else f"{stem}-{n}" for n in range(1, 10**6))
    return next(path for name in names if not (path := database.with_name(name + database.suffix)).exists())


@contextmanager
def _sentence(what: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise BackupError("failed", f"{what}: {error}.") from error
    except JournalError as error:
        raise BackupError("failed", f"{what}: {error}") from error
