"""Tables on their way to who listens: each that says something new, in order, one at a time."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from companion.vision.types import SeenTable


class Telling:
    """Safe to share between threads."""

    def __init__(self, listener: Callable[[SeenTable], None] | None) -> None:
        self._listener = listener
        self._lock, self._turn = threading.Lock(), threading.RLock()
        self._waiting: deque[SeenTable] = deque()
        self._last: SeenTable | None = None

    def put(self, table: SeenTable, *, again: bool = False) -> None:
        """Put a table up for telling, if it says something new, or `again`."""
        with self._lock:
            if again or self._last is None or (self._last.settled, self._last.cards) != (table.settled, table.cards):
                self._waiting.append(table)
                self._last = table

    def forget(self) -> None:
        """What is put up next says something new, whatever it says: the table was marked anew."""
        with self._lock:
            self._last = None

    def deliver(self) -> None:
        """Tell what is up for telling. Hold no lock that others wait for: who listens may ask back, or wait for
        them."""
        with self._turn:
            while True:
                with self._lock:
                    if not self._waiting:
                        return
                    table = self._waiting.popleft()
                if self._listener is not None:
                    self._listener(table)
