"""`companion restore` and what `companion backup` says: the games of a data folder, out and in again."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from companion.commands import CommandError
from companion.journal import last_good, proven, restore, used
from companion.server.config import backup_folder, journal_file


def put_back(folder: Path, file: Path | None, now: datetime) -> list[str]:
    """Restore `file`, or the newest whole backup that made itself, into the data folder `folder`. Returns what to say.
    Raises CommandError, BackupError, InUseError; nothing is changed then."""
    with used(folder):
        source = file or last_good(backup_folder(folder))
        if source is None:
            raise CommandError(f"there is no whole backup in {backup_folder(folder)}; name the file of one.")
        kept = restore(journal_file(folder), source, now)
    said = [f"{folder}: restored from {source}"]
    return said if kept is None else [*said, f"what was there before: {kept}"]


def verified(file: Path) -> str:
    """Restore the backup `file` into an empty folder and play every game in it through; returns what to say. Raises
    BackupError with what is wrong with it."""
    return f"{file}: whole; games that play through to their end: {proven(file)}"
