"""The data folder: private, used by one server at a time, and free of what a killed program left behind."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from companion.journal.errors import JournalError

_LEFT = re.compile(r"\.(\d+)\.(part|new)(-wal|-shm|-journal)?$")
"""How files end that somebody is writing: with the number of his process."""


class InUseError(JournalError):
    """Somebody else uses this data folder; the message is one sentence."""


@contextmanager
def used(folder: Path) -> Iterator[None]:
    """The folder, made when it is missing, is ours inside: private, tidied up, and refused to everybody else. Raises
    InUseError when another process has it; a killed one has it no longer."""
    make_private(folder)
    with _locked(folder / "lock"):
        tidy(folder)
        yield


def make_private(folder: Path) -> None:
    """Make the folder, and let nobody else on this machine look into it: it holds the key that makes hosts."""
    if not folder.exists():
        folder.mkdir(parents=True, mode=0o700)
    elif (folder / "secret").exists() and folder.stat().st_mode & 0o077:
        with contextlib.suppress(PermissionError):  # somebody else's folder: they decide
            folder.chmod(0o700)


def tidy(folder: Path) -> None:
    """Remove what a killed backup, restore or start, or a deck taken in, left half done. Only for whoever has the
    folder."""
    for place in (folder, folder / "backups"):
        for file in place.glob("*.*"):
            found = _LEFT.search(file.name)
            if found and not _alive(int(found[1])):
                file.unlink(missing_ok=True)
        for left in place.glob("working-*"):
            shutil.rmtree(left, ignore_errors=True)
    for left in (folder / "decks").glob(".working-*"):
        shutil.rmtree(left, ignore_errors=True)


def _alive(process: int) -> bool:
    if sys.platform == "win32":  # a signal of 0 is Ctrl+C there
        return process != os.getpid()
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return process != os.getpid()  # a number used again: it was not us


def in_use(folder: Path) -> str | None:
    """Who uses the folder, as a sentence; None: nobody. Nothing is changed."""
    if not (folder / "lock").exists():
        return None
    try:
        with _locked(folder / "lock"):
            return None
    except InUseError as error:
        return str(error)


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    file.touch(mode=0o600)
    with file.open("r+", encoding="ascii") as opened:
        try:
            _lock(opened)
        except OSError as error:
            opened.seek(0)
            who = opened.read(20).strip()
            raise InUseError(
                f"another program uses {file.parent} (process {who or 'unknown'}); stop it first."
            ) from error
        opened.truncate(0)
        opened.write(f"{os.getpid()}\n")
        opened.flush()
        yield


if sys.platform == "win32":
    import msvcrt

    def _lock(file: TextIO) -> None:
        """Lock a byte far behind what is written: others could not read a locked one. Raises OSError."""
        file.seek(1_000_000)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0)

else:
    import fcntl

    def _lock(file: TextIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
