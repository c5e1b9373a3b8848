"""What an entry costs in memory while its table is kept folded: little, in every game."""

import gc
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from companion.games import ids
from companion.journal import Journal
from companion.referee.record import parse

RECORDS = Path(__file__).parents[1] / "records"
MOST = 4096
"""Bytes of an entry; measured are 1,400 to 2,000."""


def events(name):
    texts = [file.read_text(encoding="utf-8") for file in RECORDS.glob(f"{name}-*.txt")]
    return parse(max(texts, key=len)).events[:50]


@pytest.mark.parametrize("name", ids())
def test_an_entry_costs_a_few_kilobytes(name, tmp_path):
    with closing(Journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")) as journal:

        def play(table):
            first, *more = events(name)
            journal.create(table, first)
            for event in more:
                journal.append(table, event)

        play("warm")
        gc.collect()
        tracemalloc.start()
        try:
            before = tracemalloc.get_traced_memory()[0]
            play("t")
            gc.collect()
            kept = tracemalloc.get_traced_memory()[0] - before
        finally:
            tracemalloc.stop()
        entries = len(journal.match("t").entries)
    assert kept / entries < MOST, f"{kept / entries:.0f} bytes an entry"
