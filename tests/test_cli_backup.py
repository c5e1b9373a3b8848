"""Backup, restore and doctor from the command line."""

import re
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.games import Setup
from companion.journal import Journal, rotate, used
from companion.referee import Started
from companion.server.config import backup_folder, journal_file


def run(*arguments: str):
    return CliRunner().invoke(main, list(arguments))


def open_table(data: Path, name: str) -> None:
    data.mkdir(exist_ok=True)
    journal = Journal(f"sqlite:///{journal_file(data)}")
    journal.create(name, Started("three-card-showdown", Setup(("Aki", "Ben"), "52D2")))
    journal.close()


def tables(file: Path) -> set[str]:
    journal = Journal(f"sqlite:///{file}")
    found = {info.id for info in journal.tables()}
    journal.close()
    return found


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    open_table(folder, "one")
    folder.chmod(0o700)
    return folder


def test_there_and_back(data, tmp_path):
    file = tmp_path / "games.backup"
    assert run("backup", "--data", str(data), str(file)).exit_code == 0
    open_table(data, "two")
    done = run("restore", "--data", str(data), str(file))
    assert done.exit_code == 0, done.output
    assert tables(journal_file(data)) == {"one"}
    (kept,) = data.glob("journal-until-*")
    assert kept.name in done.output
    assert tables(kept) == {"one", "two"}


@pytest.mark.parametrize("damage", [b"", b"\0" * 9000], ids=["empty", "zeros"])
def test_a_damaged_folder_is_restored_from_the_last_backup_that_made_itself(data, damage):
    rotate(journal_file(data), backup_folder(data), datetime(2026, 1, 2, 3, 4, 5))
    journal_file(data).write_bytes(damage)
    done = run("restore", "--data", str(data))
    assert done.exit_code == 0, done.output
    assert "games-20260102-030405.backup" in done.output
    assert tables(journal_file(data)) == {"one"}
    (kept,) = data.glob("journal-damaged-*.sqlite3")
    assert kept.read_bytes() == damage


def test_under_a_running_server_nothing_is_restored(data, tmp_path):
    file = tmp_path / "games.backup"
    run("backup", "--data", str(data), str(file))
    with used(data):
        refused = run("restore", "--data", str(data), str(file))
        assert run("backup", "--data", str(data), str(tmp_path / "second")).exit_code == 0
    assert refused.exit_code == 2
    assert re.fullmatch(r"Error: another program uses \S+ \(process \d+\); stop it first\.\n", refused.stderr)
    assert list(data.glob("journal-until-*")) == []


def test_errors_are_one_sentence(tmp_path):
    data = tmp_path / "data"
    (tmp_path / "letter.txt").write_text("Dear diary")
    commands = [("backup", str(tmp_path / "x")), ("restore", str(tmp_path / "letter.txt")), ("restore",)]
    for command, *names in commands:
        result = run(command, "--data", str(data), *names)
        assert result.exit_code == 2
        assert result.stderr.startswith("Error: ") and result.stderr.count("\n") == 1


# --- doctor ----------------------------------------------------------------------------------------------------------


def examined(*arguments: str):
    """What the doctor says, by what it is about: (sign, sentence and cure)."""
    done = run("doctor", *arguments)
    found, last = {}, ""
    for line in done.output.splitlines():
        if sign := line[:2].strip():
            last = line[4:16].strip()
            found[last] = (sign, line[17:])
        else:
            found[last] = (found[last][0], f"{found[last][1]} → {line.strip()}")
    return done.exit_code, found


def contents(folder: Path) -> dict[str, bytes]:
    """Every file but SQLite's own beside its database."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(("-wal", "-shm")))
    return {str(path): path.read_bytes() for path in files}


def test_the_doctor_finds_a_whole_folder_whole(data):
    rotate(journal_file(data), backup_folder(data), datetime(2026, 1, 2, 3, 4, 5))
    before = contents(data)
    code, found = examined("--data", str(data))
    assert code == 0
    assert list(found) == ["data folder", "games", "backups", "networks", "runtime", "cameras", "address", "https"]
    assert {found[what][0] for what in ("data folder", "games", "backups", "networks", "runtime", "https")} == {"ok"}
    assert "2026-01-02 03:04" in found["backups"][1]
    assert contents(data) == before


def test_the_doctor_says_what_to_do(data, tmp_path):
    data.chmod(0o755)
    journal_file(data).write_bytes(b"\0" * 9000)
    code, found = examined("--data", str(data))
    assert code == 1
    assert found["data folder"][0] == "--" and "chmod 700" in found["data folder"][1]
    assert found["games"][0] == "!!" and "companion restore" in found["games"][1]
    assert found["backups"][0] == "--"
    code, found = examined("--data", str(tmp_path / "new"))
    assert code == 0 and "no game has been played" in found["games"][1]
    assert not (tmp_path / "new").exists()


def test_the_doctor_sees_a_lost_journal_a_running_server_and_a_database_that_is_not_there(data):
    rotate(journal_file(data), backup_folder(data), datetime(2026, 1, 2, 3, 4, 5))
    with used(data):
        assert "a server is running" in examined("--data", str(data))[1]["address"][1]
    journal_file(data).unlink()
    assert examined("--data", str(data))[1]["games"][0] == "!!"
    pytest.importorskip("psycopg")
    code, found = examined("--data", str(data), "--database", "postgresql://me:secret@127.0.0.1:1/games")
    assert code == 1 and "cannot be opened" in found["games"][1]
    assert "secret" not in str(found)
