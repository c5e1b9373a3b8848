"""What is listed as an error: the names that nothing bears, and the cards that were not read."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented prints are drawn with Pillow")

from companion.training.evaluation.errors import errors
from companion.training.scenes.compose import CardLabel, IndexLabel, Scene
from companion.vision.geometry import Array, box_quad
from companion.vision.types import CardRead, ReadResult, Side


def place(number: int) -> Array:
    """The outline of the card with this number in a row."""
    return box_quad((200.0 * number, 10.0, 200.0 * number + 126, 186.0))


def lies(face: str | None, number: int, seen: float = 1.0) -> CardLabel:
    """A card of the row, its index seen or covered."""
    index = IndexLabel(place(number) * 0.1, seen)
    return CardLabel(face, "any", place(number), place(number), 1.0, (index,) if face else ())


def read(face: str | None, number: int, aside: float = 0.0) -> CardRead:
    """What was read there, its outline somewhat aside."""
    polygon = tuple((float(x) + aside, float(y)) for x, y in place(number))
    return CardRead(face, 0.99, Side.UP, polygon)  # type: ignore[arg-type]


def found(cards: list[CardLabel], *reads: CardRead) -> tuple[list[tuple[str, str | None]], list[int]]:
    """The wrong names with what lies there, and the numbers of the cards that are lost."""
    wrong, lost = errors(Scene(np.zeros((1, 1, 3), np.uint8), tuple(cards)), ReadResult(1000, 200, 1.0, reads))
    return [(there, card.face) for there, card in wrong], [
        n for n, card in enumerate(cards) if any(card is one for one in lost)
    ]


def test_of_two_equal_cards_the_one_that_was_not_read_is_lost() -> None:
    cards = [lies("7S", 0), lies("KH", 1), lies("7S", 2)]
    assert found(cards, read("7S", 0, 20), read("KH", 1)) == ([], [2])
    assert found(cards, read("7S", 2, 20), read("KH", 1)) == ([], [0])
    assert found(cards, read("7S", 0), read("KH", 1), read("7S", 2)) == ([], [])


def test_a_covered_card_need_not_be_read() -> None:
    cards = [lies("7S", 0, 0.5), lies("7S", 1)]
    assert found(cards) == ([], [1])
    assert found(cards, read("7S", 1)) == ([], [])


def test_a_name_once_too_often_is_wrong_where_no_card_bears_it() -> None:
    cards = [lies("7S", 0), lies("KH", 1), lies(None, 3)]
    assert found(cards, read("7S", 1), read("7S", 0)) == ([("KH", "7S")], [1])
    assert found(cards, read("7S", 2), read("7S", 0), read("KH", 1)) == ([("", "7S")], [])
    assert found(cards, read("QD", 3), read("7S", 0), read("KH", 1)) == ([("back", "QD")], [])


def test_jokers_are_jokers_whatever_their_colour() -> None:
    cards = [lies("JK2", 0), lies("JK1", 1)]
    assert found(cards, read("JK1", 0), read("JK1", 1)) == ([], [])
    assert found(cards, read("JK1", 0)) == ([], [1])
