"""The truth of candidates."""

from __future__ import annotations

import numpy as np

from companion.training.reader import judge
from companion.training.scenes.compose import CardLabel, IndexLabel
from companion.vision.assembly.candidates import Candidate
from companion.vision.assembly.hypotheses import CardHypothesis
from companion.vision.assembly.instances import CardInstance, IndexObservation
from companion.vision.assembly.plane import TablePlane
from companion.vision.geometry import Array, box_quad, index_window
from companion.vision.reading.evidence import Classification, Evidence
from companion.vision.reading.faces import FACES
from companion.vision.types import Side


def place(x: float) -> Array:
    """An outline."""
    return box_quad((x, 10.0, x + 126, 186.0))


def index(x: float) -> Array:
    """Its index."""
    return box_quad((x + 5, 16.0, x + 20, 50.0))


def lies(x: float) -> CardLabel:
    """A card."""
    return CardLabel("7S", "any", place(x), place(x), 1.0, (IndexLabel(index(x), 1.0),))


def candidate(x: float, *at: float) -> Candidate:
    """An outline with indices read at these cards' places."""
    plane = TablePlane.fit([place(0)], [])
    seen = Evidence(np.full(len(FACES), 1 / len(FACES)), 0.9)
    blank = np.zeros((64, 48, 3), np.uint8)
    observations = tuple(IndexObservation(index_window(index(k)), blank, seen, index(k)) for k in at)
    return Candidate(
        CardInstance(CardHypothesis(place(x), Side.UP, 0.9, plane), observations, None, Classification((), 0.0))
    )


def test_an_index_says_more_than_an_outline_which_card_it_is_of() -> None:
    cards = [lies(0), lies(60), lies(400)]
    assert judge.card_of(candidate(40, 0), cards) == 0
    assert judge.card_of(candidate(50), cards) == 1
    assert judge.card_of(candidate(700), cards) is None
    assert judge.card_of(candidate(700), []) is None


def test_of_indices_beside_each_other_the_nearest_counts() -> None:
    cards = [lies(0), lies(12)]
    assert judge.card_of(candidate(700, 10), cards) == 1
    assert judge.card_of(candidate(700, 3), cards) == 0
