"""What is told of a watched table: what is new, and all of it once the table is marked anew."""

from __future__ import annotations

from companion.vision.following.telling import Telling
from companion.vision.types import SeenTable, Unit


def bare(time: float) -> SeenTable:
    """A table on which nothing lies."""
    return SeenTable(time, True, Unit.MM)


def test_an_empty_table_is_told_again_once_it_is_marked_anew() -> None:
    heard: list[float] = []
    telling = Telling(lambda table: heard.append(table.time))
    for time in (1.0, 2.0):
        telling.put(bare(time))
        telling.deliver()
    assert heard == [1.0]
    telling.forget()
    telling.put(bare(3.0))
    telling.deliver()
    assert heard == [1.0, 3.0]
