"""Games as readable text: written at a table by hand, exported by the page, replayed by the tests.

::

    # A pair of equal cards in a single deck
    game three-card-showdown
    deck 52D1
    player Aki
    player Ben
    option ace=low

    Aki: lay 5S 6H 7C
    Ben: lay 9S 9S KD  ! identical-cards
    take back 3
    Ben: lay 9S 9H KD
    score Aki 1
    table: next

One line, one event; the first is entry 2 (entry 1 is the start), as on the page. ``docs/records.md`` describes the
format whole. `parse` and `text` are inverse to each other up to blank lines and spaces.
"""

from __future__ import annotations

from companion.referee.record.model import Expected, Line, Record, RecordError
from companion.referee.record.reading import parse
from companion.referee.record.replaying import Step, record_as_ruled, record_of, replay, report
from companion.referee.record.writing import text

__all__ = [
    "Expected",
    "Line",
    "Record",
    "RecordError",
    "Step",
    "parse",
    "record_as_ruled",
    "record_of",
    "replay",
    "report",
    "text",
]
