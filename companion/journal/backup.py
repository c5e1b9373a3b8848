"""Everything in one file, and back again.

A backup is a SQLite database of its own: all tables, events and evidence pictures, complete at one moment even while
games go on. Restoring copies it over the present journal in one transaction, after the present journal has been
kept beside it with a time stamp; so a running server goes on with its connections, and nothing is ever lost.
The key that signs links is not part of it: a link stays good on the machine that made it, and on no other.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from companion.journal.store import COLUMNS, JournalError
from companion.referee import EventError, event_from_json

PATIENCE = 30.0
"""s to wait for somebody who writes."""


class BackupError(JournalError):
    """A backup that cannot be made or read; the message is one sentence. `code`: ``missing``, ``exists``,
    ``foreign``, ``damaged``, ``unreadable`` or ``failed``, for those who say it in another language."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def backup(database: Path, target: Path) -> None:
    """Write all of the journal in `database` into the new file `target`. Raises BackupError, also when `target` is
    there already: an older backup is never written over."""
    if not database.is_file():
        raise BackupError("missing", f"there is no journal {database} to back up.")
    if target.exists():
        raise BackupError("exists", f"{target} is there already; a backup goes into a new file.")
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    try:
        with _sentence("the journal cannot be backed up"):
            _copy(database, part)
            with closing(sqlite3.connect(part)) as made:
                made.execute("PRAGMA journal_mode=DELETE")  # one file, readable from a read-only medium too
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)


def restore(database: Path, source: Path, now: datetime) -> Path | None:
    """Put the backup `source` in the place of the journal in `database`. What was there is kept beside it: its path is
    returned (None: there was nothing). Raises BackupError when `source` is no whole backup; nothing is changed then."""
    check(source)
    database.parent.mkdir(parents=True, exist_ok=True)
    kept = None
    if database.exists():
        kept = _unused(database, now)
        backup(database, kept)
    with _sentence("the backup cannot be put in place"):
        _copy(source, database)
    return kept


def check(source: Path) -> None:
    """Is `source` a whole backup of a journal? Raises BackupError with what is wrong with it."""
    if not source.is_file():
        raise BackupError("missing", f"there is no file {source}.")
    foreign = BackupError("foreign", f"{source.name} is not a backup of Table Companion.")
    try:
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as found:
            _check_shape(found, foreign)
            if found.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise BackupError("damaged", f"the backup {source.name} is damaged.")
            for (body,) in found.execute("SELECT body FROM events"):
                event_from_json(json.loads(body))
    except sqlite3.DatabaseError as error:
        whole = _begins_like_sqlite(source)
        raise (BackupError("damaged", f"the backup {source.name} is damaged.") if whole else foreign) from error
    except (EventError, ValueError, TypeError, AttributeError) as error:
        raise BackupError("unreadable", f"the backup {source.name} holds an event that nobody can read.") from error


def _check_shape(found: sqlite3.Connection, foreign: BackupError) -> None:
    """Exactly our tables with our columns: a file that brings more, a trigger say, is not ours."""
    things = found.execute("SELECT type, name FROM sqlite_master WHERE type != 'index'").fetchall()
    if {(kind, name) for kind, name in things} != {("table", name) for name in COLUMNS}:
        raise foreign
    for table, columns in COLUMNS.items():
        if tuple(row[0] for row in found.execute("SELECT name FROM pragma_table_info(?)", (table,))) != columns:
            raise foreign


def _begins_like_sqlite(source: Path) -> bool:
    with source.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def _copy(source: Path, target: Path) -> None:
    """One database over another, in one transaction."""
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True, timeout=PATIENCE)) as old,
        closing(sqlite3.connect(target, timeout=PATIENCE)) as new,
    ):
        old.backup(new)


def _unused(database: Path, now: datetime) -> Path:
    stem = f"{database.stem}-until-{now:%Y%m%d-%H%M%S}"
    names = (stem if n == 1 else f"{stem}-{n}" for n in range(1, 10**6))
    return next(path for name in names if not (path := database.with_name(name + database.suffix)).exists())


@contextmanager
def _sentence(what: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise BackupError("failed", f"{what}: {error}.") from error
