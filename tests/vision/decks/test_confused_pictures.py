"""Decks of which the networks do not tell some pictures apart."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented decks are drawn with what training needs")

from companion.cards import deck_from_toml
from companion.training.decks import views
from companion.training.decks.invented import HELDOUT, Invented
from companion.vision.decks.crops import CROP, SAMPLE
from companion.vision.decks.enrolled import EnrolledDeck, Sample
from companion.vision.decks.gallery import Gallery
from companion.vision.decks.network import Network
from companion.vision.decks.verifying import Verifier

from .small_deck import MARKS, PICTURES, SHARP, TABLE, TOML


class Confused(Verifier):
    """Tells no picture of a deck from another."""

    def pictures(self, shown: np.ndarray, looks: np.ndarray, mean: np.ndarray, seen: object = None) -> np.ndarray:
        return np.full(len(shown), 9, np.float32)


def test_pictures_that_the_network_does_not_tell_apart_are_told_where_they_are_surely_less_alike() -> None:
    """As tiles with two and three strokes are; where a part is hidden that does not count."""
    rng = np.random.default_rng(1)
    drawn = Invented(HELDOUT + 9, "clear", PICTURES, MARKS)
    samples = [Sample(code, views.view(rng, drawn.face(code), SHARP, None, SAMPLE)) for code in drawn.codes]
    enrolled = EnrolledDeck(deck_from_toml(TOML, "invented"), TOML, tuple(samples))
    by_looks = Gallery(enrolled, Network(threads=1), Confused(threads=1))
    crops = np.stack([views.view(rng, drawn.face(code), TABLE, None, SAMPLE) for code in drawn.codes])
    named = [one.face for one in by_looks.recognised(crops)]
    assert all(name in (None, code) for name, code in zip(named, drawn.codes, strict=True))
    assert len([name for name in named if name]) >= 0.7 * len(named)
    most = np.ones((len(crops), CROP[1], CROP[0]), np.uint8)
    most[:, 60:70, 50:60] = 0
    assert {one.face for one in by_looks.recognised(crops, list(most))} == {None}
