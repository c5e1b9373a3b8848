"""Work beside other work: done once, in order, by whoever is there first."""

from __future__ import annotations

import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.pipeline import Reader
from companion.vision.reading.workers import Workers

TABLE = Path(__file__).parents[1] / "pictures" / "table.jpg"


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 3, 4, 17, 100])
def test_all_parts_come_back_in_order(threads: int, count: int) -> None:
    parts: list[int] = []

    def squares(some: range) -> list[int]:
        parts.append(len(some))
        return [n * n for n in some]

    assert Workers(threads).in_parts(squares, range(count), 4) == [n * n for n in range(count)]
    assert sum(parts) == count
    assert len(parts) == 1 or min(parts) >= 4


def test_one_thread_does_everything_itself_when_it_is_asked_for() -> None:
    done: list[str] = []
    begun = Workers(1).begin(lambda: done.append(threading.current_thread().name))
    assert not done
    begun.result()
    assert done == [threading.current_thread().name]


def test_what_no_other_thread_has_begun_is_done_by_who_asks() -> None:
    workers, go = Workers(2), threading.Event()
    busy = workers.begin(go.wait)
    try:
        assert workers.begin(threading.get_ident).result() == threading.get_ident()
    finally:
        go.set()
    assert busy.result()


def test_an_error_reaches_who_asks() -> None:
    def fails() -> None:
        raise ValueError("no such crop")

    for threads in (1, 2):
        with pytest.raises(ValueError, match="no such crop"):
            Workers(threads).begin(fails).result()


def test_a_picture_is_read_the_same_on_one_thread_and_on_three(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, answers = cv2.imread(str(TABLE)), []
    assert picture is not None
    for threads in ("1", "3"):
        monkeypatch.setenv("COMPANION_THREADS", threads)
        reader = Reader()
        answers += [reader.read(np.asarray(picture)).cards for _ in range(2)]
    assert answers[0]
    assert answers.count(answers[0]) == len(answers)
