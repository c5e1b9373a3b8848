"""A photograph of the whole table with every round, taken when its points are written: the cards still lie there.

Which entry a photograph belongs to is noted beside the table's events, not among them: it changes nothing in the match.
"""

from __future__ import annotations

from typing import Any

from companion.journal import Journal, UnknownTableError
from companion.referee import Match
from companion.server.camera.table import Watch

MOST = 100
"""Photographs of a table: a long evening has so many rounds. Later ones are not taken."""

WIDTH = 1280
"""Pixels across: cards can be told on it."""

NOTE = "photographs"


def is_round(before: Match, after: Match) -> bool:
    """Has the last event brought new points, or the end?"""
    return len(after.scores()) > len(before.scores()) or (after.over and not before.over)


def photograph(journal: Journal, table_id: str, before: Match, watch: Watch) -> None:
    """Keep what the camera sees, when the last event of the table has ended a round. `before`: the match till then."""
    after = journal.match(table_id)
    shot = watch.picture(WIDTH) if watch.sees and is_round(before, after) else None
    if shot is None:
        return
    seq, key = len(after.entries), journal.put_evidence(shot, "image/jpeg")

    def kept(meta: dict[str, Any]) -> dict[str, Any]:
        taken = meta.get(NOTE, {})
        return meta if len(taken) >= MOST else {**meta, NOTE: {**taken, str(seq): key}}

    try:
        journal.note(table_id, kept)
    except UnknownTableError:
        return  # removed in this moment


def photographs(meta: dict[str, Any]) -> dict[str, str]:
    """The keys of a table's photographs by the number of the entry, from what is noted about it."""
    return dict(meta.get(NOTE, {}))
