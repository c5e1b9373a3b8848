"""Backup and restore from the command line."""

from pathlib import Path

from click.testing import CliRunner

from companion.cli import main
from companion.games import Setup
from companion.journal import Journal
from companion.referee import Started
from companion.server.config import journal_file


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


def test_there_and_back(tmp_path):
    data, file = tmp_path / "data", tmp_path / "games.backup"
    open_table(data, "one")
    assert run("backup", "--data", str(data), str(file)).exit_code == 0
    open_table(data, "two")
    done = run("restore", "--data", str(data), str(file))
    assert done.exit_code == 0, done.output
    assert tables(journal_file(data)) == {"one"}
    (kept,) = data.glob("journal-until-*")
    assert kept.name in done.output
    assert tables(kept) == {"one", "two"}


def test_errors_are_one_sentence(tmp_path):
    data = tmp_path / "data"
    (tmp_path / "letter.txt").write_text("Dear diary")
    for command, name in (("backup", "x"), ("restore", "letter.txt")):
        result = run(command, "--data", str(data), str(tmp_path / name))
        assert result.exit_code == 2
        assert result.stderr.startswith("Error: ")
        assert "Traceback" not in result.output
