"""Which database a journal is kept in, and how it is opened so that nothing is lost: a SQLite file or PostgreSQL."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from companion.journal.errors import DamagedError, JournalError
from companion.journal.schema import VERSION, prepare, verify, version
from companion.journal.schema import tables as tables_of_journal
from companion.resources import how_to_install


def shown(url: sa.URL) -> str:
    """A URL as it may be shown: without its password."""
    return url.render_as_string(hide_password=True)


def engine_of(url: str) -> sa.Engine:
    """The way to the database at `url`; nothing is opened yet. Raises JournalError."""
    try:
        found = sa.make_url(url)
        if found.drivername in ("postgres", "postgresql"):
            found = found.set(drivername="postgresql+psycopg")
        if found.get_backend_name() not in ("sqlite", "postgresql"):
            raise JournalError(f"a journal is kept in SQLite or PostgreSQL, not in {found.get_backend_name()}.")
        if found.get_backend_name() == "sqlite" and found.database not in (None, "", ":memory:"):
            file = Path(found.database).absolute().as_uri()  # never made by the way: `make_file` makes it whole
            return sa.create_engine(
                found, creator=lambda: sqlite3.connect(f"{file}?mode=rw", uri=True, check_same_thread=False)
            )
        return sa.create_engine(found, pool_pre_ping=found.get_backend_name() != "sqlite")
    except ModuleNotFoundError as error:
        raise JournalError(
            f"this journal needs the Python package {error.name}: {how_to_install('psycopg[binary]')}"
        ) from error
    except sa.exc.ArgumentError as error:
        raise JournalError("the address of the journal is no database URL (postgresql://user@host/name).") from error


def make_file(name: str | None) -> None:
    """A new database appears at once and whole, so an empty file is never one that was only begun: it is one that has
    lost what was in it. Raises DamagedError then."""
    if not name or name == ":memory:" or not Path(name).parent.is_dir():
        return
    file = Path(name)
    if file.exists():
        if file.stat().st_size == 0:
            raise DamagedError("the file is empty")
        return
    new = file.with_name(f"{file.name}.{os.getpid()}.new")
    new.unlink(missing_ok=True)
    engine = sa.create_engine(f"sqlite:///{new}")
    with engine.begin() as connection:
        prepare(connection)
    engine.dispose()
    with contextlib.suppress(FileExistsError):  # somebody else was faster
        os.link(new, file)
    new.unlink()


def tune_sqlite(engine: sa.Engine) -> None:
    """Write-ahead log, full synchronisation, and transactions that SQLAlchemy opens itself: the driver would begin
    them late, and two writers could then both have read the same last number."""

    @sa.event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA busy_timeout=10000")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")


def examine(url: str) -> int:
    """Read the journal at `url` from end to end and change nothing; how many tables it has. Raises JournalError, and
    DamagedError with what is wrong."""
    engine = engine_of(url)
    try:
        with engine.connect() as connection:
            found = version(connection)
            if found == VERSION:
                verify(connection)
            if not found:
                return 0
            count: int = connection.execute(sa.select(sa.func.count()).select_from(tables_of_journal)).scalar_one()
            return count
    except sa.exc.OperationalError as error:
        said = " ".join(str(error.orig).split()).rstrip(".")
        raise JournalError(f"the journal {shown(engine.url)} cannot be opened: {said}.") from error
    except (sa.exc.DatabaseError, UnicodeDecodeError) as error:
        raise DamagedError(f"the journal {shown(engine.url)} is damaged") from error
    finally:
        engine.dispose()
