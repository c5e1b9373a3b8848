"""Backups that make themselves while the server runs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from companion.journal import JournalError, rotate
from companion.server.config import backup_folder, journal_file

_log = logging.getLogger(__name__)
EVERY = 6 * 3600.0
"""Seconds between two backups; one is made at the start, too."""


class Keeper:
    """Makes a backup now and then until it is closed, in a thread of its own."""

    def __init__(self, data: Path, clock: Callable[[], datetime] = datetime.now, every: float = EVERY) -> None:
        self._data, self._clock, self._every = data, clock, every
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="backups", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while True:
            try:
                rotate(journal_file(self._data), backup_folder(self._data), self._clock())
            except (JournalError, OSError) as error:
                _log.warning("no backup was made: %s", error)
            if self._closed.wait(self._every):
                return

    def close(self) -> None:
        """Stop; a backup that is being made is finished first."""
        self._closed.set()
        with suppress(KeyboardInterrupt):
            self._thread.join()
