"""Events in a database: SQLite in one file by default, PostgreSQL by its URL.

Durability: SQLite runs with a write-ahead log and ``synchronous=FULL``: when `append` returns, the event is on
the disk, and a process killed at any moment loses at most the event whose `append` has not returned.
Order: one writer at a time (``BEGIN IMMEDIATE``; elsewhere the row of the table is locked), and (table, number) is
the primary key, so that two writers can never both be number 7.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from types import SimpleNamespace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from companion.journal.database import engine_of, make_file, shown, tune_sqlite
from companion.journal.errors import Conflict, DamagedError, JournalError, TakenError, UnknownTableError
from companion.journal.schema import events as _events
from companion.journal.schema import evidence as _evidence
from companion.journal.schema import evidence_key, link, prepare, verify, version
from companion.journal.schema import tables as _tables
from companion.referee import Event, Match, Started, event_from_json

_TABLE: sa.BindParameter[str] = sa.bindparam("table_id")
_AFTER: sa.BindParameter[int] = sa.bindparam("after")
_KEY: sa.BindParameter[str] = sa.bindparam("key")
_FIND = sa.select(_tables.c.id).where(_tables.c.id == _TABLE)
_LOCK = _FIND.with_for_update()
_READ = sa.select(_events).where(_events.c.table_id == _TABLE, _events.c.seq > _AFTER).order_by(_events.c.seq)
_SAME = sa.select(_events.c.seq).where(_events.c.table_id == _TABLE, _events.c.key == _KEY)
_LINK = sa.select(_events.c.link).where(_events.c.table_id == _TABLE, _events.c.seq == _AFTER)
_WRITE = _events.insert()
CHANNEL = "companion"

KEPT_ENTRIES = 20_000
"""Entries of matches that stay folded in memory, of the tables used last: 1 to 3 KB each. Others are read and folded
again when somebody asks for them."""

_TELL = sa.select(sa.func.pg_notify(CHANNEL, _TABLE))


@dataclass(frozen=True, slots=True)
class Logged:
    """An event as the journal holds it. `at`: ISO 8601 UTC; `ruling`: JSON of the ruling when it was written."""

    seq: int
    at: str
    event: Event
    ruling: dict[str, Any] | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table in the list: its id, game, time of creation, free metadata, last event number."""

    id: str
    game: str
    created: str
    meta: dict[str, Any]
    seq: int


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Journal:
    """The journal at `url` (``sqlite:///path``, ``postgresql://user@host/name``). Safe to share between threads;
    several processes may use one database. `clock` gives the time that events are stamped with."""

    def __init__(self, url: str, clock: Callable[[], datetime] = _utc_now) -> None:
        self._clock = clock
        self._lock = Lock()
        self._folded = OrderedDict[str, Match]()
        self._kept_entries = 0
        self._closed = threading.Event()
        self._engine = engine_of(url)
        self._sqlite = self._engine.dialect.name == "sqlite"
        name = self._engine.url.database if self._sqlite else shown(self._engine.url)
        try:
            if self._sqlite:
                tune_sqlite(self._engine)
                make_file(self._engine.url.database)
            self._prepare()
        except DamagedError as error:
            self._engine.dispose()
            raise DamagedError(f"the journal {name} is damaged: {error}.") from error
        except sa.exc.OperationalError as error:
            self._engine.dispose()
            said = " ".join(str(error.orig).split()).rstrip(".")
            raise JournalError(f"the journal {name} cannot be opened: {said}.") from error
        except sa.exc.DatabaseError as error:
            self._engine.dispose()
            raise DamagedError(f"the journal {name} is damaged: {error.orig}.") from error
        except UnicodeDecodeError as error:  # SQLite tells of a damaged name with that name
            self._engine.dispose()
            raise DamagedError(f"the journal {name} is damaged: what its tables are called is no text.") from error
        self._file = self._which_file()

    def _which_file(self) -> tuple[int, int] | None:
        """Which file the journal lies in, however it is called; None where that is not ours to know, or it is gone."""
        name = self._engine.url.database
        if not self._sqlite or not name or name == ":memory:":
            return None
        try:
            found = Path(name).stat()
        except OSError:
            return -1, -1
        return found.st_dev, found.st_ino

    def _check_file(self) -> None:
        """SQLite would go on in a file that somebody has removed or replaced, and all of it would be lost at the end.
        Raises JournalError."""
        if self._which_file() != self._file:
            raise JournalError(
                f"the journal {self._engine.url.database} has been removed or replaced while it was open. Put it back, "
                "or start the server again."
            )

    def _prepare(self) -> None:
        """The tables as this version wants them. A file is read through; a PostgreSQL server looks after its own."""
        with self._begun() as connection:
            if not self._sqlite:  # two servers that start together must not both make the tables
                connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7021988)")
            elif self._engine.url.database not in (None, "", ":memory:") and version(connection) is None:
                raise DamagedError("it is no journal any more")  # `make_file` makes it whole
            prepare(connection)
            if self._sqlite:
                verify(connection)

    def close(self) -> None:
        """Give up all connections."""
        self._closed.set()
        self._engine.dispose()

    def ask(self) -> None:
        """Is the journal there, and does it answer? Raises JournalError with a sentence when not."""
        try:
            self._check_file()
            with self._engine.connect() as connection:
                connection.execute(sa.select(_tables.c.id).limit(1)).first()
        except sa.exc.DatabaseError as error:
            raise JournalError(" ".join(str(error.orig).split())) from error

    def hear(self, changed: Callable[[str], None]) -> None:
        """Call `changed` with a table's id whenever any server writes to it, until the journal is closed; only with
        PostgreSQL, where several servers may share a database. Returns at once."""
        if not self._sqlite:
            threading.Thread(target=self._listen, args=(changed,), name="journal", daemon=True).start()

    def _listen(self, changed: Callable[[str], None]) -> None:
        import psycopg  # comes with the driver that the engine has already loaded

        address = self._engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while not self._closed.is_set():
            try:
                with psycopg.connect(address, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    for info in self.tables():
                        changed(info.id)  # what was written while nobody listened
                    while not self._closed.is_set():
                        for note in connection.notifies(timeout=0.5):
                            changed(note.payload)
            except (psycopg.OperationalError, sa.exc.OperationalError):
                self._closed.wait(1.0)

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        with self._begun() as connection:
            yield connection
            self._check_file()

    @contextmanager
    def _begun(self) -> Iterator[sa.Connection]:
        with self._engine.connect() as connection:
            if self._sqlite:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Nobody of this process reads a match or writes inside; what was folded is forgotten at the end, and the
        database opened anew. For whoever puts another one in the place of this one."""
        with self._lock:
            try:
                yield
            finally:
                self._folded.clear()
                self._kept_entries = 0
                self._engine.dispose()
                self._file = self._which_file()

    def _keep(self, table_id: str, match: Match) -> None:
        """Remember what was folded; the tables that nobody has asked for longest are forgotten first."""
        before = self._folded.pop(table_id, None)
        self._kept_entries += len(match.entries) - (len(before.entries) if before else 0)
        self._folded[table_id] = match
        while self._kept_entries > KEPT_ENTRIES and len(self._folded) > 1:
            self._kept_entries -= len(self._folded.popitem(last=False)[1].entries)

    def create(self, table_id: str, started: Started, key: str | None = None, **meta: Any) -> int:
        """Open a table with its first event; returns its number, 1. A table that the same `key` has opened is left as
        it is: a retry is harmless. Raises TakenError when the id is taken, and whatever `Match.of` raises when the
        start is impossible; nothing is written then."""
        match = Match.of([started])
        with self._lock:
            with self._writing() as connection:
                if not self._sqlite:  # the row that others would wait for is not there yet
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtext(table_id))))
                if connection.execute(_FIND, {"table_id": table_id}).first():
                    first = sa.select(_events.c.key).where(_events.c.table_id == table_id, _events.c.seq == 1)
                    if key is not None and connection.execute(first).scalar() == key:
                        return 1
                    raise TakenError(f"there is already a table {table_id!r}.")
                row = {"id": table_id, "game": started.game, "created": self._now(), "meta": meta}
                connection.execute(_tables.insert().values(row))
                self._insert(connection, table_id, match, key)
            self._keep(table_id, match)
        return 1

    def append(self, table_id: str, event: Event, *, expected_seq: int | None = None, key: str | None = None) -> int:
        """Write `event` and return its number. With a `key` that this table has already seen, the number from then
        and nothing is written: a retry is harmless. Raises Conflict, UnknownTableError, and EventError from the
        referee when the event is impossible; nothing is written then."""
        with self._lock:
            with self._writing() as connection:
                self._lock_table(connection, table_id)
                if key is not None and (seq := self._written(connection, table_id, key)) is not None:
                    return seq
                match = self._caught_up(connection, table_id)
                current = len(match.entries)
                if expected_seq is not None and expected_seq != current:
                    raise Conflict(current)
                match = match.then(event)
                self._insert(connection, table_id, match, key)
            self._keep(table_id, match)
        return len(match.entries)

    @contextmanager
    def changing(self, table_id: str) -> Iterator[sa.Connection]:
        """A transaction to take a table out or put it back: what was folded of it is forgotten, other servers hear."""
        with self._lock:
            with self._writing() as connection:
                yield connection
                if not self._sqlite:
                    connection.execute(_TELL, {"table_id": table_id})
            gone = self._folded.pop(table_id, None)
            self._kept_entries -= len(gone.entries) if gone else 0

    def note(self, table_id: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
        """Change what is noted about a table beside its events (``meta``). Raises UnknownTableError."""
        with self._lock, self._writing() as connection:
            self._lock_table(connection, table_id)
            row = connection.execute(sa.select(_tables.c.meta).where(_tables.c.id == table_id)).scalar_one()
            meta = change(dict(row))
            connection.execute(_tables.update().where(_tables.c.id == table_id).values(meta=meta))
        return meta

    def info(self, table_id: str) -> TableInfo:
        """A table as the list has it. Raises UnknownTableError."""
        last = sa.select(sa.func.max(_events.c.seq)).where(_events.c.table_id == table_id).scalar_subquery()
        with self._engine.connect() as connection:
            row = connection.execute(sa.select(_tables, last.label("seq")).where(_tables.c.id == table_id)).first()
        if row is None:
            raise UnknownTableError(f"there is no table {table_id!r}.")
        return TableInfo(row.id, row.game, row.created, dict(row.meta), row.seq)

    def written(self, table_id: str, key: str) -> int | None:
        """The number of the event that the table has taken with this key; None: there is none."""
        with self._engine.connect() as connection:
            return self._written(connection, table_id, key)

    def _written(self, connection: sa.Connection, table_id: str, key: str) -> int | None:
        """The number of the event that was written with this key."""
        found = connection.execute(_SAME, {"table_id": table_id, "key": key}).scalar()
        return None if found is None else int(found)

    def _lock_table(self, connection: sa.Connection, table_id: str) -> None:
        if connection.execute(_LOCK, {"table_id": table_id}).first() is None:
            raise UnknownTableError(f"there is no table {table_id!r}.")

    def _insert(self, connection: sa.Connection, table_id: str, match: Match, key: str | None) -> None:
        entry = match.entries[-1]
        row = {
            "table_id": table_id,
            "seq": entry.seq,
            "at": self._now(),
            "key": key,
            "body": entry.event.to_json(),
            "ruling": entry.ruling.to_json() if entry.ruling else None,
        }
        before = connection.execute(_LINK, {"table_id": table_id, "after": entry.seq - 1}).scalar()
        connection.execute(_WRITE, {**row, "link": link(before, table_id, SimpleNamespace(**row))})
        if not self._sqlite:
            connection.execute(_TELL, {"table_id": table_id})  # goes out with the commit, to every server

    def _now(self) -> str:
        return self._clock().isoformat(timespec="milliseconds")

    def _caught_up(self, connection: sa.Connection, table_id: str) -> Match:
        """The fold of everything written, continued from what this process has folded already."""
        match = self._folded.get(table_id)
        news = [row.event for row in self._read(connection, table_id, len(match.entries) if match else 0)]
        if match is None:
            return Match.of(news)
        for event in news:
            match = match.then(event)
        return match

    def _read(self, connection: sa.Connection, table_id: str, after: int, most: int | None = None) -> list[Logged]:
        rows = connection.execute(_READ.limit(most), {"table_id": table_id, "after": after})
        return [Logged(row.seq, row.at, event_from_json(row.body), row.ruling, row.key) for row in rows]

    def events(self, table_id: str, after: int = 0, most: int | None = None) -> tuple[Logged, ...]:
        """The table's events with numbers above `after`, at most so many. Raises UnknownTableError."""
        with self._engine.connect() as connection:
            self._known(connection, table_id)
            return tuple(self._read(connection, table_id, after, most))

    def match(self, table_id: str) -> Match:
        """The table's match as it stands. Raises UnknownTableError."""
        with self._lock, self._engine.connect() as connection:
            self._check_file()
            self._known(connection, table_id)
            match = self._caught_up(connection, table_id)
            self._keep(table_id, match)
            return match

    def _known(self, connection: sa.Connection, table_id: str) -> None:
        if connection.execute(_FIND, {"table_id": table_id}).first() is None:
            raise UnknownTableError(f"there is no table {table_id!r}.")

    def tables(self) -> tuple[TableInfo, ...]:
        """All tables, the newest first."""
        last = sa.select(_events.c.table_id, sa.func.max(_events.c.seq).label("seq")).group_by(_events.c.table_id)
        counted = last.subquery()
        query = (
            sa.select(_tables, counted.c.seq)
            .join(counted, counted.c.table_id == _tables.c.id)
            .order_by(_tables.c.created.desc(), _tables.c.id)
        )
        with self._engine.connect() as connection:
            rows = connection.execute(query)
            return tuple(TableInfo(r.id, r.game, r.created, dict(r.meta), r.seq) for r in rows)

    def starts(self) -> dict[str, Event]:
        """The first event of every table, by its id."""
        first = sa.select(_events.c.table_id, _events.c.body).where(_events.c.seq == 1)
        with self._engine.connect() as connection:
            return {row.table_id: event_from_json(row.body) for row in connection.execute(first)}

    def put_evidence(self, body: bytes, mime: str) -> str:
        """Keep a picture; returns its key (the same picture, the same key)."""
        key = evidence_key(body, mime)
        row = {"key": key, "mime": mime, "body": body}
        with self._lock, self._writing() as connection:
            insert = sqlite_insert if self._sqlite else postgres_insert
            connection.execute(insert(_evidence).on_conflict_do_nothing(), row)
        return key

    def evidence(self, key: str) -> tuple[bytes, str]:
        """A picture and its mime type. Raises JournalError when there is none of this key."""
        with self._engine.connect() as connection:
            row = connection.execute(sa.select(_evidence).where(_evidence.c.key == key)).first()
        if row is None:
            raise JournalError(f"there is no picture {key!r}.")
        return bytes(row.body), row.mime
