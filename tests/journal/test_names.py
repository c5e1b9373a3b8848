"""Damage that the drill found: SQLite's own word on it was no text, and a table could become one of another game."""

import pytest

from companion.games import Setup
from companion.journal import DamagedError, Journal, is_damaged
from companion.referee import Started


@pytest.mark.parametrize("damage", ["a name of a table", "a game", "a name of a column"])
def test_damage_beside_the_events_is_told_too(tmp_path, damage):
    file = tmp_path / "journal.sqlite3"
    journal = Journal(f"sqlite:///{file}")
    journal.create("one", Started("three-card-showdown", Setup(("Aki", "Ben"), "52D2")))
    journal.close()
    content = file.read_bytes()
    changed = {
        "a name of a table": content.replace(b"CREATE TABLE evidence", b"CREATE TABLE \xa5vidence"),
        "a name of a column": content.replace(b"CREATE TABLE events", b"\xdbREATE TABLE events"),
        "a game": content.replace(b"onethree-card-showdown", b"onethree-card-showdowm"),
    }[damage]
    assert changed != content
    file.write_bytes(changed)
    assert is_damaged(file)
    with pytest.raises(DamagedError):
        Journal(f"sqlite:///{file}")
