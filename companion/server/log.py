"""Where the server writes what went wrong: a small file in the data folder that turns over, never more than a few
megabytes however often it goes wrong."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path

BYTES, FILES = 1_000_000, 3
A_MINUTE = 5
"""So often the same line of code may write within a minute."""


class Sparing(logging.Filter):
    """Lets the same line of code through only so often a minute; the rest of its floods is dropped."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._said: OrderedDict[tuple[str, int], list[float]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep this record?"""
        now, key = self._clock(), (record.pathname, record.lineno)
        recent = [at for at in self._said.pop(key, []) if now - at < 60]
        self._said[key] = recent if len(recent) >= A_MINUTE else [*recent, now]
        while len(self._said) > 200:
            self._said.popitem(last=False)
        return len(recent) < A_MINUTE


def start_log(folder: Path) -> None:
    """Write warnings and errors of this program into ``server.log`` in `folder`, readable by its user alone."""
    file = folder / "server.log"
    file.touch(mode=0o600)
    handler = RotatingFileHandler(file, maxBytes=BYTES, backupCount=FILES, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.setLevel(logging.WARNING)
    handler.addFilter(Sparing())
    logging.getLogger("companion").addHandler(handler)
    logging.getLogger("companion").propagate = False
