"""`companion doctor`: is everything as it should be, and if not, what to do."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from companion import resources
from companion.journal import DamagedError, JournalError, in_use, is_damaged, last_good, made_at
from companion.journal import examine as examine_journal
from companion.server.config import backup_folder, journal_file
from companion.server.run import ServeError, free_port, lan_address

LEAST_FREE = 500 * 2**20
"""Bytes on the disk below which games and their pictures may soon find no room."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. `cure`: what to do, empty where all is well; `grave`: nothing works until then."""

    what: str
    said: str
    cure: str = ""
    grave: bool = False


def examine(folder: Path, database: str = "", port: int = 8765) -> Iterator[Finding]:
    """Look at everything, one after the other. Nothing is changed, and nothing is opened that a running server has."""
    checks: tuple[Callable[[], Finding], ...] = (
        lambda: _folder(folder),
        lambda: _server(database) if database else _database(folder),
        lambda: _backups(folder, database),
        _models,
        _runtime,
        _cameras,
        lambda: _address(folder, port),
        _https,
    )
    yield from (check() for check in checks)


def _folder(folder: Path) -> Finding:
    what = "data folder"
    if not folder.exists():
        return Finding(what, f"{folder} is not there yet; the first start makes it")
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return Finding(
            what, f"{folder} cannot be written", "give yourself the right to, or choose another: --data", True
        )
    if sys.platform != "win32" and folder.stat().st_mode & 0o077:
        return Finding(what, f"others on this machine can look into {folder}", f"chmod 700 {folder}")
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        return Finding(what, f"{folder}: only {free // 2**20} MiB are free", "make room on this disk")
    return Finding(what, f"{folder}, {free / 2**30:.1f} GiB free")


def _database(folder: Path) -> Finding:
    what, file = "games", journal_file(folder)
    if not file.exists():
        lost = folder.exists() and last_good(backup_folder(folder)) is not None
        cure = "companion restore" if lost else ""
        return Finding(what, "no game has been played yet" if not lost else f"{file} is missing", cure, lost)
    wrong = is_damaged(file)
    if wrong is not None:
        return Finding(what, f"{file} is damaged: {wrong}", "stop the server, then: companion restore", True)
    return Finding(what, f"{file}, every entry read, {file.stat().st_size / 2**20:.1f} MiB")


def _server(database: str) -> Finding:
    try:
        tables = examine_journal(database)
    except DamagedError as error:
        return Finding("games", f"damaged: {error}", "restore the database with its own tools (pg_restore)", True)
    except JournalError as error:
        return Finding("games", str(error), "is the database server running, and the address right?", True)
    return Finding("games", f"the database answers; tables: {tables}")


def _backups(folder: Path, database: str) -> Finding:
    what = "backups"
    if database:
        return Finding(what, "made by the database's own tools (pg_dump)")
    good = last_good(backup_folder(folder))
    if good is not None:
        return Finding(what, f"the last whole one: {good}, of {made_at(good):%Y-%m-%d %H:%M}")
    if not journal_file(folder).exists():
        return Finding(what, "nothing to back up yet")
    return Finding(what, "none in the data folder", "a running server makes one; or: companion backup FILE")


def _models() -> Finding:
    from companion.vision.decks.network import Network
    from companion.vision.decks.verifying import Verifier
    from companion.vision.pipeline import Reader

    try:
        Reader()
        Network()
        Verifier()
    except (OSError, ValueError) as error:
        return Finding("networks", str(error), "install Table Companion again, with its models folder", True)
    return Finding("networks", f"{resources.models()}, all can be loaded")


def _runtime() -> Finding:
    from companion.vision.reading.runtime import runtime_said

    return Finding("runtime", f"Python {sys.version.split()[0]}, {runtime_said()}")


def _cameras() -> Finding:
    from companion.vision.camera.live import cameras

    found = ", ".join(f"{camera.index}: {camera.name}" for camera in cameras())
    cure = "plug a webcam in, or use a phone (docs/hosts.md); taps work without"
    return Finding("cameras", found or "none is plugged in", "" if found else cure)


def _address(folder: Path, port: int) -> Finding:
    what, address = "address", lan_address()
    if in_use(folder):
        return Finding(what, f"a server is running on this folder; this machine is {address}")
    try:
        free_port(port)
    except ServeError as error:
        return Finding(what, str(error).rstrip("."), "companion serve --port NUMBER")
    if address.startswith("127."):
        return Finding(what, "this machine is in no network", "connect it to the Wi-Fi of the tablets and phones")
    return Finding(what, f"http://{address}:{port}")


def _https() -> Finding:
    if importlib.util.find_spec("cryptography") is None:
        return Finding(
            "https", "not installed", f"only for a phone as the camera: {resources.how_to_install('cryptography')}"
        )
    return Finding("https", "companion serve --https")
