"""What is drawn onto a picture for people to check."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.annotate import annotate, label
from companion.vision.types import Candidate, CardRead, ReadResult, Side


@pytest.mark.parametrize(
    ("read", "words"),
    [
        (CardRead("10H", 0.98, Side.UP, ((0, 0), (9, 0), (9, 9), (0, 9))), "10H 0.98"),
        (CardRead(None, 0.9, Side.DOWN, ((0, 0), (9, 0), (9, 9), (0, 9))), "back"),
        (CardRead(None, 0.4, Side.UP, ((0, 0), (9, 0), (9, 9), (0, 9)), (Candidate("6S", 0.4),)), "? 6S 0.40"),
        (CardRead(None, 0.0, Side.UP, ((0, 0), (9, 0), (9, 9), (0, 9))), "?"),
    ],
)
def test_what_is_written_on_a_card(read: CardRead, words: str) -> None:
    assert label(read) == words


def test_annotating_draws_on_a_copy() -> None:
    picture = np.zeros((200, 300, 3), np.uint8)
    polygon = ((50.0, 20.0), (140.0, 20.0), (140.0, 150.0), (50.0, 150.0))
    drawn = annotate(picture, ReadResult(300, 200, 1.0, (CardRead("AS", 0.99, Side.UP, polygon),)))
    assert picture.max() == 0
    assert drawn[20, 95].any()
