"""What a question is about: a card without a name, a twin of a named one, or nothing."""

from __future__ import annotations

import numpy as np
import pytest

from companion.training.evaluation.questions import About, about, counted
from companion.training.scenes.compose import CardLabel, Scene
from companion.vision.geometry import Array, box_quad
from companion.vision.types import CardRead, ReadResult, Side


def place(x: float) -> Array:
    """An outline."""
    return box_quad((x, 10.0, x + 126, 186.0))


def lies(face: str | None, x: float, visible: float = 1.0) -> CardLabel:
    """A card."""
    return CardLabel(face, "any", place(x), place(x), visible, ())


def read(face: str | None, x: float, p: float = 0.99) -> CardRead:
    """A card read there."""
    polygon = tuple((float(u), float(v)) for u, v in place(x))
    return CardRead(face, p, Side.UP, polygon)  # type: ignore[arg-type]


def kinds(cards: list[CardLabel], *reads: CardRead) -> list[About]:
    """What the questions are about."""
    scene = Scene(np.zeros((1, 1, 3), np.uint8), tuple(cards))
    return [kind for _, kind in about(scene, ReadResult(1000, 200, 1.0, reads))]


@pytest.mark.parametrize(
    ("cards", "reads", "said"),
    [
        ([lies("7S", 0)], [read("7S", 0)], []),
        ([lies("7S", 0)], [read(None, 20)], [About.CARD]),
        ([lies("7S", 0)], [read("7S", 0), read(None, 20)], [About.TWIN]),
        ([lies("7S", 0)], [read("7S", 0), read(None, 400)], [About.NOTHING]),
        ([lies("7S", 0), lies("KH", 30)], [read("KH", 5), read(None, 20)], [About.CARD]),  # names take their own card
        ([lies("7S", 0)], [read("KH", 0), read(None, 20)], [About.TWIN]),  # a wrong name has its card as well
        ([lies("7S", 0)], [read(None, 0), read(None, 10, 0.2)], [About.CARD, About.TWIN]),
        ([lies("7S", 0, visible=0.01)], [read(None, 0)], [About.NOTHING]),
        ([lies(None, 0)], [read(None, 0)], [About.CARD]),  # a back taken for a face
    ],
)
def test_what_a_question_is_about(cards: list[CardLabel], reads: list[CardRead], said: list[About]) -> None:
    assert kinds(cards, *reads) == said


def test_questions_are_counted_by_what_they_are_about() -> None:
    questions = [(read(None, 0), About.TWIN), (read(None, 9), About.TWIN), (read(None, 0), About.CARD)]
    assert counted(questions) == {"twin": 2, "card": 1}
