"""Backups that make themselves: some of the last days and weeks, each tried before an older one goes.

A backup that nobody has restored is a hope. So every new one is put back into an empty folder, and every table in it
is folded to its end, before it counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.games import GameError
from companion.journal.backup import backup, check, restore
from companion.journal.errors import BackupError
from companion.journal.store import Journal
from companion.referee import EventError
from companion.shelf import shelf

DAYS, WEEKS = 7, 4
"""So many days and weeks are kept: the newest backup of each."""

_FORM = "games-%Y%m%d-%H%M%S.backup"


def rotate(database: Path, folder: Path, now: datetime) -> Path | None:
    """Make a backup in `folder` when the journal or a deck on the shelf beside it has changed since the newest one
    there, try it, and let old ones go. Returns the new one. Raises BackupError when there is none; nothing is removed
    then."""
    newest = next(iter(backups(folder)), None)
    if newest is not None and newest.stat().st_mtime >= _changed(database):
        return None
    target = folder / now.strftime(_FORM)
    if target.exists():
        return None
    folder.mkdir(mode=0o700, exist_ok=True)
    backup(database, target)
    try:
        proven(target)
    except BackupError:
        target.unlink()
        raise
    kept = set(worth_keeping(backups(folder)))
    for old in backups(folder):
        if old not in kept:
            old.unlink()
    return target


def _changed(database: Path) -> float:
    """When the journal or the shelf was last written (s). A folder was when a file in it came or went."""
    decks = shelf(database.parent)
    places = (database, database.with_name(database.name + "-wal"), decks, *decks.rglob("*"))
    return max((place.stat().st_mtime for place in places if place.exists()), default=0.0)


def proven(file: Path) -> int:
    """Restore `file` into an empty folder and fold every table in it; returns how many could be. Raises BackupError.

    A game that this program does not know, because it came from outside or from another version, is no fault of the
    backup: it is whole, and somebody else can fold it.
    """
    with TemporaryDirectory(prefix="working-", dir=file.parent) as place:
        database = Path(place) / "journal.sqlite3"
        restore(database, file, datetime.min)
        journal = Journal(f"sqlite:///{database}")
        try:
            return sum(_folds(journal, info.id) for info in journal.tables())
        finally:
            journal.close()


def _folds(journal: Journal, table_id: str) -> bool:
    try:
        journal.match(table_id)
    except (EventError, GameError, ValueError):
        return False
    return True


def backups(folder: Path) -> list[Path]:
    """The backups that made themselves in `folder`, the newest first."""
    return sorted(folder.glob("games-*.backup"), reverse=True)


def last_good(folder: Path) -> Path | None:
    """The newest backup in `folder` that is whole."""
    for file in backups(folder):
        try:
            check(file)
        except BackupError:
            continue
        return file
    return None


def worth_keeping(files: Iterable[Path]) -> list[Path]:
    """Of backups, the newest first: the newest of each of the last days, and of each of the last weeks, that have
    one."""
    days: dict[str, Path] = {}
    weeks: dict[tuple[int, int], Path] = {}
    for file in files:
        made = made_at(file)
        days.setdefault(f"{made:%Y%m%d}", file)
        weeks.setdefault(made.isocalendar()[:2], file)
    return [*list(days.values())[:DAYS], *list(weeks.values())[:WEEKS]]


def made_at(file: Path) -> datetime:
    """When a backup was made, by its name."""
    return datetime.strptime(file.name, _FORM)
