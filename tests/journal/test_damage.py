"""A damaged journal is noticed before anything is written into it, set aside by a restore, and never taken for an
empty one."""

import sqlite3
from contextlib import closing
from datetime import datetime

import pytest

from companion.games import Action, Setup
from companion.journal import BackupError, DamagedError, Journal, JournalError, backup, check, is_damaged, restore
from companion.referee import Acted, Started

START = Started("three-card-showdown", Setup(("Aki", "Ben"), "52D2"))
NOW = datetime(2026, 1, 2, 3, 4, 5)


@pytest.fixture
def file(tmp_path):
    """A closed journal of two tables, as large as several pages."""
    file = tmp_path / "journal.sqlite3"
    journal = Journal(f"sqlite:///{file}")
    for table in ("t", "u"):
        journal.create(table, START)
        for _ in range(30):
            journal.append(table, Acted(Action("lay", 0, ("5S", "6H", "7C"))))
    journal.put_evidence(b"picture", "image/jpeg")
    journal.close()
    return file


@pytest.fixture
def saved(file, tmp_path):
    target = tmp_path / "kept" / "games.backup"
    backup(file, target)
    return target


def in_sql(statement):
    def change(file):
        with closing(sqlite3.connect(file)) as other, other:
            other.execute(statement)

    return change


def in_bytes(change):
    return lambda file: file.write_bytes(change(file.read_bytes()))


DAMAGE = {
    "empty": (in_bytes(lambda data: b""), "empty"),
    "zeros": (in_bytes(lambda data: b"\0" * 9000), "not a database"),
    "the end is missing": (in_bytes(lambda data: data[: len(data) // 2]), "malformed|SQLite says"),
    "half overwritten": (in_bytes(lambda data: data[:5000] + bytes(len(data) - 5000)), "malformed|SQLite says"),
    "one card is another": (in_bytes(lambda data: data.replace(b'"6H"', b'"6D"', 1)), "is not what was written"),
    "an entry is gone": (in_sql("DELETE FROM events WHERE table_id = 't' AND seq = 7"), "entry 7 .* is missing"),
    "an entry has another number": (
        in_sql("UPDATE events SET seq = 99 WHERE table_id = 'u' AND seq = 31"),
        "31 .* miss",
    ),
    "a table has no events": (in_sql("DELETE FROM events WHERE table_id = 't'"), "'t' has lost its first event"),
    "an entry is no JSON": (in_sql("UPDATE events SET body = '{' WHERE seq = 3"), "no JSON"),
    "a ruling was changed": (
        in_sql("UPDATE events SET ruling = '{}' WHERE seq = 3"),
        "entry 3 .* not what was written",
    ),
}


@pytest.fixture(params=DAMAGE)
def damaged(request, file, saved):
    change, sentence = DAMAGE[request.param]
    change(file)
    return sentence


def test_a_damaged_journal_is_not_opened(file, damaged):
    before = file.read_bytes()
    with pytest.raises(DamagedError, match=damaged) as caught:
        Journal(f"sqlite:///{file}")
    assert str(caught.value).startswith("the journal ") and "\n" not in str(caught.value)
    assert file.read_bytes() == before


def test_restoring_sets_the_damaged_files_aside(file, saved, damaged):
    assert is_damaged(file)
    before = file.read_bytes()
    kept = restore(file, saved, NOW)
    assert kept.name == "journal-damaged-20260102-030405.sqlite3"
    assert kept.read_bytes() == before
    assert is_damaged(file) is None
    journal = Journal(f"sqlite:///{file}")
    assert len(journal.match("t").entries) == 31
    assert journal.append("t", Acted(Action("lay", 1, ("2S", "2H", "4D")))) == 32
    journal.close()


def test_a_damaged_journal_is_no_backup(file, damaged, tmp_path):
    target = tmp_path / "bad.backup"
    try:
        backup(file, target)
    except BackupError:
        assert not target.exists()
    else:  # what SQLite can copy, our own reading finds
        with pytest.raises(BackupError, match=r"damaged|nobody can read"):
            check(target)


def test_a_picture_that_is_another_one_is_no_backup(file, saved):
    in_sql("UPDATE evidence SET body = x'00'")(saved)
    with pytest.raises(BackupError, match=r"the picture .* is not what was written"):
        check(saved)


def test_what_is_whole_is_not_damaged(file):
    assert is_damaged(file) is None
    Journal(f"sqlite:///{file}").close()


def test_a_newer_journal_is_refused_and_left_alone(file, saved):
    in_sql("PRAGMA user_version = 99")(file)
    before = file.read_bytes()
    with pytest.raises(JournalError, match=r"newer Table Companion \(format 99"):
        Journal(f"sqlite:///{file}")
    assert file.read_bytes() == before
    in_sql("PRAGMA user_version = 99")(saved)
    with pytest.raises(BackupError, match="newer Table Companion") as caught:
        restore(file, saved, NOW)
    assert caught.value.code == "newer"


def test_a_new_journal_is_whole_from_its_first_moment(tmp_path, monkeypatch):
    """Nobody ever sees an empty file that is only being begun."""
    file = tmp_path / "journal.sqlite3"
    sizes = []
    link = __import__("os").link
    monkeypatch.setattr("os.link", lambda new, target: (link(new, target), sizes.append(file.stat().st_size)))
    Journal(f"sqlite:///{file}").close()
    assert sizes and sizes[0] > 0
    assert [path.name for path in tmp_path.iterdir()] == ["journal.sqlite3"]
