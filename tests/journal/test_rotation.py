"""Backups that make themselves: only when something has changed, tried, and not for ever."""

import os
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from companion.games import Action, Setup
from companion.journal import BackupError, Journal, last_good, restore, rotate
from companion.journal.rotation import DAYS, WEEKS, backups, proven, worth_keeping
from companion.referee import Acted, Started

START = Started("three-card-showdown", Setup(("Aki", "Ben"), "52D2"))
NOW = datetime(2026, 6, 1, 12)


@pytest.fixture
def journal(tmp_path):
    store = Journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    store.create("t", START)
    yield store
    store.close()


@pytest.fixture
def turn(journal, tmp_path):
    """Play one action and rotate, at a time of day."""

    def play(now, act=True):
        if act:
            journal.append("t", Acted(Action("lay", 0, ("5S", "6H", "7C"))))
            for file in backups(tmp_path / "backups"):  # written before this action, whatever the clock's grain
                os.utime(file, (0, 0))
        return rotate(tmp_path / "journal.sqlite3", tmp_path / "backups", now)

    return play


def test_a_backup_is_made_of_what_is_new_and_can_be_restored(turn, tmp_path):
    made = turn(NOW)
    assert made == tmp_path / "backups" / "games-20260601-120000.backup"
    assert turn(NOW + timedelta(hours=6), act=False) is None
    later = turn(NOW + timedelta(hours=7))
    assert last_good(tmp_path / "backups") == later
    restore(tmp_path / "other.sqlite3", later, NOW)
    other = Journal(f"sqlite:///{tmp_path / 'other.sqlite3'}")
    assert len(other.match("t").entries) == 3
    other.close()
    assert proven(later) == 1
    assert {path.name for path in (tmp_path / "backups").iterdir()} == {later.name}  # one a day is kept


def test_a_deck_that_came_changed_or_went_is_reason_enough(turn, tmp_path):
    def old():
        for path in (tmp_path, *tmp_path.rglob("*")):
            os.utime(path, (1, 1) if path in backups(tmp_path / "backups") else (0, 0))

    deck = tmp_path / "decks" / "tides"
    turn(NOW)
    old()
    deck.mkdir(parents=True)
    (deck / "deck.toml").write_text("name = 'tides'")
    assert turn(NOW + timedelta(hours=1), act=False) is not None
    old()
    assert turn(NOW + timedelta(hours=2), act=False) is None
    (deck / "deck.toml").write_text("name = 'tide'")
    changed = turn(NOW + timedelta(hours=3), act=False)
    with closing(sqlite3.connect(changed)) as made:
        assert made.execute("SELECT name, body FROM decks").fetchall() == [("tides/deck.toml", b"name = 'tide'")]
    old()
    (deck / "deck.toml").unlink()
    assert turn(NOW + timedelta(hours=4), act=False) is not None


def test_the_last_days_and_weeks_are_kept(turn, tmp_path):
    for day in range(60):
        turn(NOW + timedelta(days=day))
    kept = backups(tmp_path / "backups")
    days = [(NOW + timedelta(days=59) - datetime.strptime(f.name, "games-%Y%m%d-%H%M%S.backup")).days for f in kept]
    assert days[:DAYS] == list(range(DAYS))
    assert len(kept) <= DAYS + WEEKS and 7 * (WEEKS - 2) < days[-1] <= 7 * WEEKS


def test_what_is_worth_keeping(tmp_path):
    names = ["20260608-090000", "20260607-200000", "20260607-100000", "20260501-100000", "20260430-100000"]
    files = [tmp_path / f"games-{name}.backup" for name in names]
    kept = worth_keeping(files)
    assert files[2] not in kept  # a newer one of the same day
    assert {files[0], files[1], files[3], files[4]} == set(kept)


def test_a_journal_that_cannot_be_copied_costs_no_older_backup(journal, turn, tmp_path):
    made = turn(NOW)
    journal.close()
    (tmp_path / "journal.sqlite3").write_bytes(b"\0" * 9000)
    os.utime(made, (0, 0))
    with pytest.raises(BackupError):
        rotate(tmp_path / "journal.sqlite3", tmp_path / "backups", NOW + timedelta(days=1))
    assert backups(tmp_path / "backups") == [made]


def test_the_last_good_one_is_whole(turn, tmp_path):
    good = turn(NOW)
    bad = turn(NOW + timedelta(days=1))
    bad.write_bytes(bad.read_bytes()[:5000])
    assert last_good(tmp_path / "backups") == good
    assert last_good(tmp_path / "none") is None


def test_a_game_that_nobody_here_knows_is_backed_up_all_the_same(journal, turn, tmp_path):
    example = (Path(__file__).parent / "formats" / "0.sql").read_text(encoding="utf-8")
    journal.close()
    (tmp_path / "journal.sqlite3").unlink()
    with closing(sqlite3.connect(tmp_path / "journal.sqlite3")) as made:
        made.executescript(example.replace("hexa-card", "house-of-ours"))
    Journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}").close()
    made = turn(NOW, act=False)
    assert proven(made) == 1  # of two
    assert last_good(tmp_path / "backups") == made
