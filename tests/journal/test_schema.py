"""Journals of every version so far are opened as the present one; `formats/` holds one of each, as SQL."""

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from companion.games import Action
from companion.journal import Journal, restore
from companion.journal.schema import MIGRATIONS, VERSION, evidence, schema, verify
from companion.referee import Acted

FORMATS = Path(__file__).parent / "formats"
VERSIONS = range(VERSION + 1)
NOW = datetime(2026, 1, 2, 3, 4, 5)


def older(version, file):
    with closing(sqlite3.connect(file)) as made:
        made.executescript((FORMATS / f"{version}.sql").read_text(encoding="utf-8"))
    return file


def shape(file):
    """Tables with their columns, indices, and the version."""
    with closing(sqlite3.connect(file)) as found:
        names = [name for (name,) in found.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        columns = {name: found.execute(f"PRAGMA table_info({name})").fetchall() for name in names}
        indices = {name: found.execute(f"PRAGMA index_list({name})").fetchall() for name in names}
        return columns, indices, found.execute("PRAGMA user_version").fetchone()


def told(journal):
    """Everything that is in a journal."""
    lines = {info.id: (info.game, info.meta, journal.events(info.id)) for info in journal.tables()}
    return lines, journal.match("kitchen").state


def test_every_version_has_its_way_on_and_its_example():
    assert list(MIGRATIONS) == list(range(VERSION))
    assert {int(path.stem) for path in FORMATS.iterdir()} == set(VERSIONS)


def test_the_shape_has_not_changed_without_a_version(tmp_path):
    Journal(f"sqlite:///{tmp_path / 'new'}").close()
    assert shape(tmp_path / "new") == shape(older(VERSION, tmp_path / "example"))


@pytest.mark.parametrize("version", VERSIONS)
def test_an_older_journal_is_brought_up_to_date(version, tmp_path):
    file = older(version, tmp_path / "journal.sqlite3")
    journal = Journal(f"sqlite:///{file}")
    present = Journal(f"sqlite:///{older(VERSION, tmp_path / 'present')}")
    assert told(journal) == told(present)
    assert journal.append("kitchen", Acted(Action("lay", 1, ("9S", "9H", "KD"))), key="tap-1") == 2
    assert journal.append("kitchen", Acted(Action("lay", 1, ("9S", "9H", "KD")))) == 6
    for store in (journal, present):
        store.close()
    assert shape(file) == shape(tmp_path / "present")
    Journal(f"sqlite:///{file}").close()  # opened again, it is whole


@pytest.mark.parametrize("version", VERSIONS)
def test_an_older_backup_is_restored(version, tmp_path):
    file = tmp_path / "journal.sqlite3"
    source = older(version, tmp_path / "games.backup")
    before = source.read_bytes()
    restore(file, source, NOW)
    assert source.read_bytes() == before
    assert shape(file)[2] == (VERSION,)
    journal = Journal(f"sqlite:///{file}")
    assert len(journal.match("kitchen").entries) == 5
    assert journal.tables()[1].meta == {"name": "台所"}
    journal.close()


def test_a_database_of_the_first_version_on_any_server(url, tmp_path):
    """The same on PostgreSQL: tables without links and without a version."""
    first = sa.MetaData()
    for table in schema.sorted_tables:
        columns = [
            sa.Column(c.name, c.type, primary_key=c.primary_key, nullable=c.nullable)
            for c in table.columns
            if c.name != "link"
        ]
        sa.Table(table.name, first, *columns)
    example = sa.create_engine(f"sqlite:///{older(0, tmp_path / 'example')}")
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with example.connect() as source, engine.begin() as target:
        first.create_all(target)
        for table in first.sorted_tables:
            target.execute(table.insert(), [row._asdict() for row in source.execute(sa.select(table))])
    journal = Journal(url)
    assert [entry.seq for entry in journal.events("kitchen")] == [1, 2, 3, 4, 5]
    journal.append("kitchen", Acted(Action("lay", 1, ("9S", "9H", "KD"))))
    journal.close()
    with engine.connect() as connection:
        verify(connection)
        assert connection.execute(sa.select(evidence.c.body)).scalar() == b"picture"
    for one in (example, engine):
        one.dispose()
    Journal(url).close()
