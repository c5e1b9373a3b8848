"""Matches as they were: every state of a table looked at lately, for its replay."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from companion.journal import Journal
from companion.referee import Match


class MatchHistory:
    """Matches as they were after each event, for the tables looked at last. Safe to share between threads."""

    def __init__(self, tables: int = 4) -> None:
        self._tables = tables
        self._lock = Lock()
        self._folds: OrderedDict[str, list[Match]] = OrderedDict()

    def match(self, journal: Journal, table_id: str, seq: int) -> Match:
        """The match after event `seq` (1-based, not beyond the last)."""
        with self._lock:
            folds = self._folds.setdefault(table_id, [])
            self._folds.move_to_end(table_id)
            while len(self._folds) > self._tables:
                self._folds.popitem(last=False)
            if len(folds) < seq:
                for item in journal.events(table_id, after=len(folds))[: seq - len(folds)]:
                    folds.append(folds[-1].then(item.event) if folds else Match.of([item.event]))
            return folds[seq - 1]

    def clear(self) -> None:
        """Forget everything: the journal is another one now."""
        with self._lock:
            self._folds.clear()
