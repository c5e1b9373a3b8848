"""The journal: nothing lost, nothing twice, nobody overwritten."""

import os
import queue
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from datetime import UTC, datetime

import pytest

from companion.games import Action, Setup
from companion.journal import Conflict, DamagedError, Journal, JournalError, TakenError, UnknownTableError
from companion.journal import store as module
from companion.referee import Acted, EventError, Match, Overruled, Started, TookBack
from companion.server.past import MatchHistory

START = Started("three-card-showdown", Setup(("Aki", "Ben"), "52D2"))


def lay(seat, *cards):
    return Acted(Action("lay", seat, cards))


@pytest.fixture
def journal(url):
    store = Journal(url, clock=lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    yield store
    store.close()


def test_events_come_back_in_order_with_time_and_ruling(journal):
    assert journal.create("t", START, name="kitchen") == 1
    assert journal.append("t", lay(0, "5S", "5S", "7C")) == 2
    assert journal.append("t", lay(0, "9S", "9H", "7C")) == 3
    logged = journal.events("t")
    assert [e.seq for e in logged] == [1, 2, 3]
    assert logged[0].event == START and logged[1].at == "2026-01-02T03:04:05.000+00:00"
    assert logged[1].ruling == {"verdict": "legal", "violations": [], "proven": []}
    assert logged[2].ruling["violations"][0]["code"] == "not-your-turn"
    assert [e.seq for e in journal.events("t", after=2)] == [3]
    (info,) = journal.tables()
    assert (info.id, info.game, info.meta, info.seq) == ("t", "three-card-showdown", {"name": "kitchen"}, 3)


def test_another_process_folds_the_same_match(journal, url):
    journal.create("t", START)
    for event in (lay(0, "5S", "6H"), Overruled(2), lay(1, "9S", "9H", "7C"), TookBack(4)):
        journal.append("t", event)
    other = Journal(url)
    assert other.match("t").events == journal.match("t").events
    assert other.match("t").state == Match.of(e.event for e in journal.events("t")).state
    other.close()


def test_the_same_key_writes_once(journal):
    journal.create("t", START)
    assert journal.append("t", lay(0, "9S", "9H", "7C"), key="tap-1") == 2
    assert journal.append("t", lay(0, "9S", "9H", "7C"), key="tap-1", expected_seq=1) == 2
    assert len(journal.events("t")) == 2


def test_a_stale_writer_is_told_where_the_table_is(journal):
    journal.create("t", START)
    journal.append("t", lay(0, "9S", "9H", "7C"), expected_seq=1)
    with pytest.raises(Conflict) as caught:
        journal.append("t", lay(1, "2S", "3S", "4S"), expected_seq=1)
    assert caught.value.current_seq == 2
    assert len(journal.events("t")) == 2


def test_impossible_events_and_tables_write_nothing(journal):
    journal.create("t", START)
    with pytest.raises(EventError):
        journal.append("t", Overruled(2))
    with pytest.raises(JournalError, match="already a table 't'"):
        journal.create("t", START)
    with pytest.raises(UnknownTableError, match="no table 'u'"):
        journal.append("u", TookBack(2))
    with pytest.raises(UnknownTableError):
        journal.match("u")
    with pytest.raises(UnknownTableError):
        journal.events("u")
    with pytest.raises(ValueError, match="2 to 8 players"):
        journal.create("v", Started("three-card-showdown", Setup(("Aki",))))
    assert [(t.id, t.seq) for t in journal.tables()] == [("t", 1)]


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("sqlite:///{folder}/missing/journal.db", "cannot be opened: unable to open"),
        ("postgresql://me:secret@127.0.0.1:1/games", "cannot be opened: .*127.0.0.1"),
        ("mysql://me@127.0.0.1/games", "SQLite or PostgreSQL, not in mysql"),
        ("games", "no database URL"),
    ],
)
def test_a_journal_that_cannot_be_opened_is_one_sentence(tmp_path, url, sentence):
    if url.startswith("postgresql"):
        pytest.importorskip("psycopg")
    with pytest.raises(JournalError, match=sentence) as caught:
        Journal(url.format(folder=tmp_path))
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_table_opened_twice_with_one_key_is_one_table(journal):
    assert journal.create("t", START, key="tap-1") == 1
    journal.append("t", lay(0, "9S", "9H", "7C"))
    assert journal.create("t", START, key="tap-1") == 1
    with pytest.raises(TakenError):
        journal.create("t", START, key="tap-2")
    assert len(journal.match("t").entries) == 2


def test_memory_holds_the_tables_used_last_and_the_others_come_back(journal, monkeypatch):
    monkeypatch.setattr(module, "KEPT_ENTRIES", 20)
    for number in range(12):
        journal.create(f"t{number}", START)
        for _ in range(4):
            journal.append(f"t{number}", lay(0, "5S", "6H"))
    assert list(journal._folded) == ["t8", "t9", "t10", "t11"]
    assert journal._kept_entries == sum(len(match.entries) for match in journal._folded.values()) == 20
    journal.match("t8")
    assert journal.append("t0", TookBack(2), expected_seq=5) == 6
    assert list(journal._folded) == ["t11", "t8", "t0"]
    assert len(journal.match("t5").entries) == 5


def test_a_match_as_it_was_is_told_again_from_the_nearest_that_is_kept(journal):
    journal.create("t", START)
    for _ in range(99):
        journal.append("t", lay(0, "5S", "6H"))
    past, whole = MatchHistory(), [row.event for row in journal.events("t")]
    for seq in (100, 1, 2, 3, 64, 63, 65, 33, 100):
        assert past.match(journal, "t", seq).events == tuple(whole[:seq])
    assert set(past._folds["t"]) == {32, 64, 96, 100}


def test_a_file_that_is_taken_away_or_replaced_is_noticed(tmp_path):
    file, away = tmp_path / "journal.db", tmp_path / "away.db"
    with closing(Journal(f"sqlite:///{file}")) as journal:
        journal.create("t", START)
        file.rename(away)
        with pytest.raises(JournalError, match="removed or replaced"):
            journal.append("t", lay(0, "5S", "6H"))
        with pytest.raises(JournalError, match="removed or replaced"):
            journal.match("t")
        shutil.copy(away, file)
        with pytest.raises(JournalError, match="removed or replaced"):
            journal.put_evidence(b"x", "image/png")
        away.replace(file)
        assert journal.append("t", lay(0, "5S", "6H")) == 2


def test_a_file_that_holds_no_journal_is_not_made_one(tmp_path):
    """An empty database in the place of one that is lost would look as if nothing had ever been played."""
    with closing(sqlite3.connect(tmp_path / "journal.db")) as empty:
        empty.execute("PRAGMA journal_mode=WAL")
    with pytest.raises(DamagedError, match="no journal any more"):
        Journal(f"sqlite:///{tmp_path / 'journal.db'}")


def test_evidence_is_kept_once_by_its_content(journal):
    key = journal.put_evidence(b"picture", "image/jpeg")
    assert journal.put_evidence(b"picture", "image/jpeg") == key
    assert journal.evidence(key) == (b"picture", "image/jpeg")
    with pytest.raises(JournalError, match="no picture"):
        journal.evidence("x")


def test_sqlite_is_set_to_lose_nothing(tmp_path):
    journal = Journal(f"sqlite:///{tmp_path / 'journal.db'}")
    with journal._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    journal.close()


def test_any_text_people_type_comes_back(journal):
    names = ("\u304b\u308a\u3093", "\U0001f0cf'; DROP TABLE events; --", "\u05d0\u05d1")
    journal.create("t", Started("three-card-showdown", Setup(names, "52D2")))
    assert journal.events("t")[0].event.setup.players == names


def test_two_servers_that_open_one_table_at_once_open_it_once(url):
    stores = [Journal(url), Journal(url)]
    taken, barrier = [], threading.Barrier(2)

    def open_(store):
        barrier.wait()
        try:
            store.create("t", START)
        except TakenError:
            taken.append(store)

    threads = [threading.Thread(target=open_, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == 1
    assert len(stores[0].events("t")) == 1
    for store in stores:
        store.close()


def test_other_servers_hear_of_what_one_writes(url):
    if url.startswith("sqlite"):
        pytest.skip("one file is for one server")
    writer, listener = Journal(url), Journal(url)
    heard = queue.Queue()
    writer.create("before", START)
    listener.hear(heard.put)
    assert heard.get(timeout=30) == "before"
    writer.create("t", START)
    assert heard.get(timeout=30) == "t"
    writer.append("t", lay(0, "9S", "9H", "7C"))
    assert heard.get(timeout=30) == "t"
    assert len(listener.match("t").entries) == 2
    for store in (writer, listener):
        store.close()


def test_two_writers_get_every_number_once(url):
    """Two journals (as two processes have them) write to one table at the same time."""
    stores = [Journal(url), Journal(url)]
    stores[0].create("t", START)
    numbers, errors = [], []

    def write(store):
        try:
            numbers.extend(store.append("t", lay(0, "9S", "9H", "7C")) for _ in range(20))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert sorted(numbers) == list(range(2, 42))
    assert [e.seq for e in stores[0].events("t")] == list(range(1, 42))
    for store in stores:
        store.close()


WRITER = """
import sys
from companion.games import Action, Setup
from companion.journal import Journal
from companion.referee import Acted, Started
journal = Journal(sys.argv[1])
journal.create("t", Started("three-card-showdown", Setup(("Aki", "Ben"), "52D2")))
while True:
    for action in (Action("lay", 0, ("5S", "5S", "7C")), Action("lay", 1, ("2D", "7D", "JD")), Action("next")):
        print(journal.append("t", Acted(action)), flush=True)
"""


def test_sigkill_in_the_middle_of_writing_loses_nothing(url):
    """A process that writes without pause is killed; what it had been told was written is there, and play goes on."""
    process = subprocess.Popen([sys.executable, "-c", WRITER, url], stdout=subprocess.PIPE, text=True)
    confirmed = [int(process.stdout.readline()) for _ in range(25)]
    os.kill(process.pid, signal.SIGKILL)
    confirmed += [int(line) for line in process.stdout.read().splitlines() if line]
    assert process.wait() == -signal.SIGKILL
    process.stdout.close()
    journal = Journal(url)
    written = [e.seq for e in journal.events("t")]
    # At most the one event whose confirmation was cut off may be there beyond the confirmed ones.
    assert written[: len(confirmed) + 1] == list(range(1, len(confirmed) + 2))
    assert len(written) <= len(confirmed) + 2
    match = journal.match("t")
    assert sum(line.points for line in match.scores()) == (len(written) - 1 + 1) // 3
    action = Action("next") if match.state.complete else match.prompts()[0]
    resumed = action if isinstance(action, Action) else Action("lay", action.seat, ("2S", "7H", "KD"))
    assert journal.append("t", Acted(resumed)) == len(written) + 1
    assert journal.match("t").entries[-1].ruling.verdict == "legal"
    journal.close()
