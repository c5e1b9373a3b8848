"""What a journal's database looks like, and how an older one becomes a present one.

Every event carries a link: a digest of itself and of the link before it at its table. Whoever reads the line again
notices a byte that somebody, or a dying disk, has changed. A database says its version (SQLite in ``user_version``,
PostgreSQL in a table of one row); `MIGRATIONS` lead from each version to the next. A newer one is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from companion.journal.errors import DamagedError, JournalError

VERSION = 1
"""Of the database that this program writes. 0: before links and versions."""

schema = sa.MetaData()
tables = sa.Table(
    "tables",
    schema,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("created", sa.String, nullable=False),
    sa.Column("meta", sa.JSON, nullable=False),
)
events = sa.Table(
    "events",
    schema,
    sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("at", sa.String, nullable=False),
    sa.Column("key", sa.String),
    sa.Column("body", sa.JSON, nullable=False),
    sa.Column("ruling", sa.JSON),
    sa.Column("link", sa.String),
    sa.UniqueConstraint("table_id", "key"),
)
evidence = sa.Table(
    "evidence",
    schema,
    sa.Column("key", sa.String, primary_key=True),
    sa.Column("mime", sa.String, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
COLUMNS = {table.name: tuple(column.name for column in table.columns) for table in schema.sorted_tables}
"""The tables of a journal and their columns."""

_about = sa.Table("about", sa.MetaData(), sa.Column("version", sa.Integer, nullable=False))


def link(before: str | None, table_id: str, row: Any) -> str:
    """The link of an event (SHA-256, 32 hexadecimal digits). `before`: that of the one before it; `row`: a row of
    `events`, or what will be one."""
    told = json.dumps([before, table_id, row.seq, row.at, row.key, row.body, row.ruling], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def evidence_key(body: bytes, mime: str) -> str:
    """The key of a picture: a digest of it, so that it proves itself."""
    return hashlib.sha256(mime.encode() + b"\0" + body).hexdigest()[:32]


# --- versions --------------------------------------------------------------------------------------------------------


def version(connection: sa.Connection) -> int | None:
    """The version of the database; None where there is no journal yet."""
    found = sa.inspect(connection)
    if not found.has_table("events"):
        return None
    if connection.dialect.name == "sqlite":
        return int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
    return int(connection.execute(sa.select(_about.c.version)).scalar_one()) if found.has_table("about") else 0


def _set_version(connection: sa.Connection, number: int) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA user_version = {number}")
        return
    _about.create(connection, checkfirst=True)
    connection.execute(_about.delete())
    connection.execute(_about.insert().values(version=number))


def prepare(connection: sa.Connection) -> None:
    """Make the tables, or bring an older journal up to date. Raises JournalError for a newer one; nothing is changed
    then. The caller holds the only right to write."""
    found = version(connection)
    if found is None:
        schema.create_all(connection)
        _set_version(connection, VERSION)
        return
    if found > VERSION:
        raise JournalError(
            f"the games were written by a newer Table Companion (format {found}; this one reads {VERSION}): update it."
        )
    for number in range(found, VERSION):
        MIGRATIONS[number](connection)
    if found < VERSION:
        _set_version(connection, VERSION)


def _to_1(connection: sa.Connection) -> None:
    """Links."""
    connection.exec_driver_sql("ALTER TABLE events ADD COLUMN link VARCHAR")
    for table_id in connection.execute(sa.select(tables.c.id)).scalars().all():
        before = None
        for row in connection.execute(_LINE, {"table_id": table_id}).all():
            before = link(before, table_id, row)
            here = (events.c.table_id == table_id) & (events.c.seq == row.seq)
            connection.execute(events.update().where(here).values(link=before))


MIGRATIONS: dict[int, Callable[[sa.Connection], None]] = {0: _to_1}
"""From each version to the next."""


# --- is it whole? ----------------------------------------------------------------------------------------------------

_LINE = sa.select(events).where(events.c.table_id == sa.bindparam("table_id")).order_by(events.c.seq)


def verify(connection: sa.Connection) -> None:
    """Read every event again: numbers without a gap, links that hold. SQLite checks its own pages and
    indexes first. Raises DamagedError with what is wrong."""
    try:
        if connection.dialect.name == "sqlite":
            said = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
            if said != "ok":
                raise DamagedError("SQLite says: " + " ".join(str(said).split()))
        games = {row.id: row.game for row in connection.execute(sa.select(tables))}  # all of it can be read
        known = set(games)
        used = set(connection.execute(sa.select(events.c.table_id).distinct()).scalars())
        if known != used:
            raise DamagedError(f"the table {min(known ^ used)!r} has lost its first event or its name")
        for table_id in sorted(known):
            _verify_line(connection, table_id, games[table_id])
    except sa.exc.OperationalError:
        raise
    except sa.exc.DatabaseError as error:
        raise DamagedError(f"SQLite says: {error.orig}") from error
    except (ValueError, TypeError) as error:
        raise DamagedError("an event or a table is no JSON or no text any more") from error


def _verify_line(connection: sa.Connection, table_id: str, game: str) -> None:
    before: str | None = None
    for number, row in enumerate(connection.execute(_LINE, {"table_id": table_id}), 1):
        if row.seq != number:
            raise DamagedError(f"entry {number} of the table {table_id!r} is missing")
        before = link(before, table_id, row)
        if row.link != before:
            raise DamagedError(f"entry {number} of the table {table_id!r} is not what was written")
        if number == 1 and row.body.get("game") != game:
            raise DamagedError(f"the table {table_id!r} is not of the game that was opened")


def verify_evidence(connection: sa.Connection) -> None:
    """Does every picture still have the key that its bytes make? Raises DamagedError."""
    for row in connection.execution_options(yield_per=20).execute(sa.select(evidence)):
        if evidence_key(bytes(row.body), row.mime) != row.key:
            raise DamagedError(f"the picture {row.key} is not what was written")
