"""Everything in one file, and back again.

A backup is a SQLite database of its own: all tables, events and evidence pictures, complete at one moment even while
games go on. Restoring puts it in the place of the present journal, after that has been kept beside it with a time
stamp: a whole one as a copy, in one transaction, so that a running server goes on with its connections; a damaged one
by setting its files aside. So nothing is ever lost.
The key that signs links is not part of it: a link stays good on the machine that made it, and on no other.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

import sqlalchemy as sa

from companion.journal.errors import BackupError, DamagedError, JournalError
from companion.journal.files import move_durably
from companion.journal.schema import COLUMNS, VERSION, events, verify, verify_evidence
from companion.journal.store import Journal
from companion.referee import EventError, event_from_json

PATIENCE = 30.0
"""s to wait for somebody who writes."""

SIDES = ("", "-wal", "-shm")
"""The files of a SQLite database, by how their names end."""


def backup(database: Path, target: Path) -> None:
    """Write all of the journal in `database` into the new file `target`. Raises BackupError, also when `target` is
    there already: an older backup is never written over."""
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
        move_durably(part, target)
    finally:
        _remove(part)


def restore(database: Path, source: Path, now: datetime) -> Path | None:
    """Put the backup `source` in the place of the journal in `database`. What was there is kept beside it: its path is
    returned (None: there was nothing). Raises BackupError when `source` is no whole backup; nothing is changed then."""
    check(source)
    database.parent.mkdir(parents=True, exist_ok=True)
    part = _part(database)
    try:
        with _sentence("the backup cannot be put in place"):
            _copy(source, part)
        Journal(f"sqlite:///{part}").close()  # brings an older one up to date
        if not database.exists():
            move_durably(part, database)
            return None
        if is_damaged(database) is None:
            kept = _unused(database, "until", now)
            backup(database, kept)
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
    except DamagedError as error:
        raise BackupError("damaged", f"the backup {source.name} is damaged: {error}.") from error
    except sa.exc.DatabaseError as error:
        raise (damaged if _begins_like_sqlite(source) else foreign) from error
    except (EventError, ValueError, TypeError, AttributeError) as error:
        raise BackupError("unreadable", f"the backup {source.name} holds an event that nobody can read.") from error


def _check_shape(connection: sa.Connection, version: int, foreign: BackupError) -> None:
    """Exactly our tables with our columns: a file that brings more, a trigger say, is not ours."""
    things = connection.exec_driver_sql("SELECT type, name FROM sqlite_master WHERE type != 'index'").all()
    if {(kind, name) for kind, name in things} != {("table", name) for name in COLUMNS}:
        raise foreign
    for table, columns in COLUMNS.items():
        found = connection.exec_driver_sql("SELECT name FROM pragma_table_info(?)", (table,)).scalars().all()
        if tuple(found) != tuple(name for name in columns if version or name != "link"):
            raise foreign


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
