"""Backups: everything in one file, complete while games go on; restoring keeps what was there."""

import sqlite3
import sys
from contextlib import closing
from datetime import datetime

import pytest

from companion.games import Action, Setup
from companion.journal import BackupError, Journal, backup, restore
from companion.referee import Acted, Started

_backup = sys.modules["companion.journal.backup"]
"""The module, which the function of its name hides."""
START = Started("three-card-showdown", Setup(("Aki", "Ben"), "52D2"))
NOW = datetime(2026, 1, 2, 3, 4, 5)


def lay(seat, *cards):
    return Acted(Action("lay", seat, cards))


@pytest.fixture
def file(tmp_path):
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def journal(file):
    store = Journal(f"sqlite:///{file}")
    yield store
    store.close()


@pytest.fixture
def saved(journal, file, tmp_path):
    """A backup of one table with one action and one picture, made while the journal is open."""
    journal.create("t", START)
    journal.append("t", lay(0, "5S", "6H", "7C"))
    journal.put_evidence(b"picture", "image/jpeg")
    target = tmp_path / "kept" / "games.backup"
    backup(file, target)
    return target


def opened(file):
    return Journal(f"sqlite:///{file}")


def test_a_backup_is_one_whole_file(saved, tmp_path):
    assert [path.name for path in saved.parent.iterdir()] == ["games.backup"]
    restore(tmp_path / "new" / "journal.sqlite3", saved, NOW)
    other = opened(tmp_path / "new" / "journal.sqlite3")
    assert len(other.match("t").entries) == 2
    (key,) = [row[0] for row in sqlite3.connect(saved).execute("SELECT key FROM evidence")]
    assert other.evidence(key) == (b"picture", "image/jpeg")
    other.close()


def test_restoring_under_an_open_journal(journal, file, saved):
    journal.append("t", lay(1, "9S", "9H", "KD"))
    journal.create("later", START)
    with journal.standing_still():
        kept = restore(file, saved, NOW)
    assert [info.id for info in journal.tables()] == ["t"]
    assert len(journal.match("t").entries) == 2
    assert journal.append("t", lay(1, "2S", "2H", "4D")) == 3
    assert kept.name == "journal-until-20260102-030405.sqlite3"
    before = opened(kept)
    assert {info.id for info in before.tables()} == {"t", "later"}
    assert len(before.match("t").entries) == 3
    before.close()


def test_nothing_that_was_kept_is_written_over(journal, file, saved):
    first, second = (restore(file, saved, NOW) for _ in range(2))
    assert first != second
    assert first.exists() and second.exists()
    with pytest.raises(BackupError, match="already"):
        backup(file, saved)


def damaged(data):
    return data[:5000] + bytes(len(data) - 5000)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda data: b"", "not a backup"),
        (lambda data: b"Dear diary", "not a backup"),
        (lambda data: b"\0" * 9000, "not a backup"),
        (damaged, "damaged"),
        (lambda data: data[: len(data) // 2], "damaged"),
    ],
)
def test_a_bad_file_changes_nothing(journal, file, saved, tmp_path, change, sentence):
    bad = tmp_path / "bad"
    bad.write_bytes(change(saved.read_bytes()))
    with pytest.raises(BackupError, match=sentence):
        restore(file, bad, NOW)
    assert len(journal.match("t").entries) == 2
    assert list(tmp_path.glob("journal-until-*")) == []


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM tables; END", "not a backup"),
        ("CREATE TABLE more (x)", "not a backup"),
        ("ALTER TABLE events DROP COLUMN ruling", "not a backup"),
        ('UPDATE events SET body = \'{"event": "danced"}\'', "nobody can read"),
        ("UPDATE events SET body = '{'", "nobody can read"),
    ],
)
def test_a_foreign_database_is_refused(file, saved, statement, sentence):
    with sqlite3.connect(saved) as other:
        other.execute(statement)
    other.close()
    with pytest.raises(BackupError, match=sentence):
        restore(file, saved, NOW)


def test_missing_files_are_named(file, tmp_path):
    with pytest.raises(BackupError, match="no journal"):
        backup(tmp_path / "none", tmp_path / "x")
    with pytest.raises(BackupError, match="no file"):
        restore(file, tmp_path / "none", NOW)


@pytest.fixture
def decks(tmp_path):
    """A deck on the shelf beside the journal, with a drawing and a sample, and a packed one."""
    return shelve(
        tmp_path,
        {
            "harbour/deck.toml": b"[deck]\n",
            "harbour/pictures/tide.png": b"drawing",
            "harbour/samples.json": b"{}",
            "harbour/samples/1.jpg": b"sample",
            "garden.deck": b"packed",
        },
    )


def shelve(data, files):
    for name, body in files.items():
        (data / "decks" / name).parent.mkdir(parents=True, exist_ok=True)
        (data / "decks" / name).write_bytes(body)
    return files


def on_shelf(data):
    folder = data / "decks"
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_decks_are_in_a_backup_and_go_back_to_the_shelf(decks, saved, tmp_path):
    new = tmp_path / "new"
    restore(new / "journal.sqlite3", saved, NOW)
    assert on_shelf(new) == decks
    with closing(sqlite3.connect(new / "journal.sqlite3")) as made:
        assert not made.execute("SELECT 1 FROM sqlite_master WHERE name = 'decks'").fetchone()
    assert restore(new / "journal.sqlite3", saved, NOW) is not None
    assert on_shelf(new) == decks, "what is there already stays as it is"


def test_a_deck_that_is_another_by_now_is_kept_and_a_newer_one_stays(decks, file, saved, tmp_path):
    shelve(tmp_path, {"harbour/deck.toml": b"changed", "newer.toml": b"newer", "garden.deck": b"another"})
    restore(file, saved, NOW)
    found = on_shelf(tmp_path)
    assert {name: body for name, body in found.items() if not name.startswith(".")} == {**decks, "newer.toml": b"newer"}
    assert found[".harbour-until-20260102-030405/deck.toml"] == b"changed"
    assert found[".garden-until-20260102-030405.deck"] == b"another"
    again = tmp_path / "again.backup"
    backup(file, again)
    with closing(sqlite3.connect(again)) as made:
        names = {name for (name,) in made.execute("SELECT name FROM decks")}
    assert names == {*decks, "newer.toml"}, "hidden ones are left out"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE decks SET name = '../secret' WHERE name = 'garden.deck'", "not a backup"),
        ("UPDATE decks SET name = '/secret' WHERE name = 'garden.deck'", "not a backup"),
        ("UPDATE decks SET name = 'c:secret' WHERE name = 'garden.deck'", "not a backup"),
        ("UPDATE decks SET body = x'00' WHERE name = 'garden.deck'", "damaged"),
        ("UPDATE decks SET body = 'packed' WHERE name = 'garden.deck'", "damaged"),
        ("ALTER TABLE decks ADD COLUMN more", "not a backup"),
    ],
)
def test_decks_of_a_backup_that_was_changed_are_not_restored(decks, saved, tmp_path, change, said):
    with closing(sqlite3.connect(saved)) as made:
        made.execute(change)
        made.commit()
    with pytest.raises(BackupError, match=said):
        restore(tmp_path / "new" / "journal.sqlite3", saved, NOW)
    assert not (tmp_path / "new").exists()


def test_decks_that_are_being_changed_are_read_again(decks, file, saved, tmp_path, monkeypatch):
    """What is backed up is of one moment: no list of samples of which some are gone."""
    seen, times = _backup._seen, []

    def changing(folder):
        found = seen(folder)
        times.append(len(times))
        if len(times) == 1:
            (folder / "harbour" / "samples" / "1.jpg").unlink()
        return found

    monkeypatch.setattr(_backup, "_seen", changing)
    assert set(_backup._files(tmp_path / "decks")) == set(decks) - {"harbour/samples/1.jpg"}
    monkeypatch.setattr(_backup, "_seen", lambda folder: {**seen(folder), "x": (len(times), times.append(0) or 0)})
    (tmp_path / "decks" / "x").write_bytes(b"")
    with pytest.raises(BackupError, match="being changed"):
        backup(file, tmp_path / "never.backup")
    assert not (tmp_path / "never.backup").exists()
