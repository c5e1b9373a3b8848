"""Matches as they were: every state of a table looked at lately, for its replay."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from companion.journal import Journal
from companion.referee import Match

EVERY = 32
"""Of so many matches in a row one is kept: each holds all entries before it, and a long evening's would fill the
memory."""


class MatchHistory:
    """Matches as they were after some of their events, for the tables looked at last. Safe to share between
    threads."""

    def __init__(self, tables: int = 4) -> None:
        self._tables = tables
        self._lock = Lock()
        self._folds: OrderedDict[str, dict[int, Match]] = OrderedDict()

    def match(self, journal: Journal, table_id: str, seq: int) -> Match:
        """The match after event `seq` (1-based, not beyond the last)."""
        with self._lock:
            marks = self._folds.setdefault(table_id, {})
            self._folds.move_to_end(table_id)
            while len(self._folds) > self._tables:
                self._folds.popitem(last=False)
            first = max((number for number in marks if number <= seq), default=0)
            match = marks.get(first)
            for item in journal.events(table_id, after=first, most=seq - first):
                match = match.then(item.event) if match is not None else Match.of([item.event])
                if item.seq % EVERY == 0:
                    marks[item.seq] = match
            for number in [number for number in marks if number % EVERY]:
                del marks[number]
            assert match is not None, "every table has a first event"
            marks[seq] = match  # a replay goes on from here
            return match

    def clear(self) -> None:
        """Forget everything: the journal is another one now."""
        with self._lock:
            self._folds.clear()
