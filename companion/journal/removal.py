"""A table taken out of the journal, and put back.

What is removed goes into a journal of its own first, one file with this one table, its events and its pictures: the
same form as a backup, so it is checked like one, and the table can come back as it was.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from companion.journal.backup import check
from companion.journal.errors import BackupError, JournalError, TakenError, UnknownTableError
from companion.journal.schema import events, evidence, tables
from companion.journal.store import Journal


def remove(journal: Journal, table_id: str, target: Path | None) -> None:
    """Take a table out of `journal`, with the pictures that only it has. `target`: the new file that keeps it; None:
    nothing is kept. Raises UnknownTableError, and BackupError when the file cannot be written; nothing is removed
    then."""
    with journal.changing(table_id) as connection:
        row = connection.execute(sa.select(tables).where(tables.c.id == table_id)).first()
        if row is None:
            raise UnknownTableError(f"there is no table {table_id!r}.")
        line = connection.execute(sa.select(events).where(events.c.table_id == table_id).order_by(events.c.seq)).all()
        keys = _pictures([row.meta], [item.body for item in line])
        if target is not None:
            shown = connection.execute(sa.select(evidence).where(evidence.c.key.in_(keys))).all()
            _write(target, [(tables, [row]), (events, line), (evidence, shown)])
        connection.execute(events.delete().where(events.c.table_id == table_id))
        connection.execute(tables.delete().where(tables.c.id == table_id))
        metas = connection.execute(sa.select(tables.c.meta)).scalars()
        keys -= _pictures(metas, connection.execute(sa.select(events.c.body)).scalars()) if keys else set()
        connection.execute(evidence.delete().where(evidence.c.key.in_(keys)))


def bring_back(journal: Journal, source: Path) -> str:
    """Put a table that was taken out into `source` back; returns its id. Raises BackupError when the file is no whole
    one, TakenError when a table has its id now."""
    check(source)
    kept = Journal(f"sqlite:///{source}")
    try:
        table_id = kept.tables()[0].id
        with kept.changing(table_id) as old:
            found = [(part, old.execute(sa.select(part)).all()) for part in (tables, events, evidence)]
    finally:
        kept.close()
    with journal.changing(table_id) as connection:
        if connection.execute(sa.select(tables.c.id).where(tables.c.id == table_id)).first():
            raise TakenError(f"there is already a table {table_id!r}.")
        there = set(connection.execute(sa.select(evidence.c.key)).scalars())
        for part, rows in found:
            new = [dict(row._mapping) for row in rows if part is not evidence or row.key not in there]
            if new:
                connection.execute(part.insert(), new)
    return table_id


def _write(target: Path, parts: Iterable[tuple[sa.Table, Iterable[Any]]]) -> None:
    if target.exists():
        raise BackupError("exists", f"{target} is there already; a backup goes into a new file.")
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept = Journal(f"sqlite:///{target}")
        try:
            with kept.changing("") as connection:
                for part, rows in parts:
                    if new := [dict(row._mapping) for row in rows]:
                        connection.execute(part.insert(), new)
        finally:
            kept.close()
        with closing(sqlite3.connect(target)) as made:
            made.execute("PRAGMA journal_mode=DELETE")  # one file
    except (JournalError, sa.exc.DatabaseError, sqlite3.Error, OSError) as error:
        with suppress(OSError):
            target.unlink()
        raise BackupError("failed", f"the table cannot be kept: {error}") from error


def _pictures(metas: Iterable[Mapping[str, Any]], bodies: Iterable[Mapping[str, Any]]) -> set[str]:
    """The keys of the pictures that notes and events name."""
    found = {key for meta in metas for key in meta.get("photographs", {}).values()}
    return found | {key for body in bodies if (key := body.get("evidence"))}
