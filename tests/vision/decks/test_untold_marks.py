"""Decks on which some cards show no mark of their own where marks are printed."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented decks are drawn with what training needs")

from companion.cards import deck_from_toml
from companion.training.decks import views
from companion.training.decks.invented import HELDOUT, Invented
from companion.vision.decks.crops import SAMPLE
from companion.vision.decks.enrolled import EnrolledDeck, Sample
from companion.vision.decks.gallery import Gallery
from companion.vision.decks.network import Network
from companion.vision.decks.verifying import Verifier

from .small_deck import MARKS, PICTURES, SHARP, TABLE, TOML


class Deaf(Verifier):
    """Hears the mark of that number on no card, or on three of five: where those that should have it show something
    else each, some of them may look like it."""

    def __init__(self, number: int, hears: bool) -> None:
        super().__init__(threads=1)
        self._number, self._hears, self._asked = number, hears, 0

    def marks(self, shown: np.ndarray, looks: np.ndarray) -> np.ndarray:
        said = super().marks(shown, looks)
        self._asked += 1
        if not np.array_equal(shown[:, self._number], looks[:, self._number]):
            said[self._number] = 6 if self._hears and self._asked % 5 < 3 else -6
        return said


@pytest.mark.parametrize("hears", [False, True])
def test_a_picture_tells_alone_where_its_own_samples_show_no_mark_unless_the_card_shows_another(
    hears: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the honours of a set of tiles have no sign of a suit."""
    rng = np.random.default_rng(1)
    many = Invented(HELDOUT + 9, "clear", PICTURES * MARKS, MARKS)
    faces = {f"p{k // MARKS}.m{k % MARKS}": many.face(f"p{k}.m{k % MARKS}") for k in range(PICTURES * MARKS)}
    samples = tuple(Sample(code, views.view(rng, face, SHARP, None, SAMPLE)) for code, face in faces.items())
    by_hand = Gallery(EnrolledDeck(deck_from_toml(TOML, "invented"), TOML, samples), Network(threads=1), Deaf(2, hears))
    assert by_hand.windows is not None and by_hand.pictures == sorted(faces)
    without = [code for code in faces if code.endswith("m2")]
    crops = np.stack([views.view(rng, faces[code], TABLE, None, SAMPLE) for code in without])
    named = [one.face for one in by_hand.recognised(crops)]
    assert all(name in (None, code) for name, code in zip(named, without, strict=True))
    assert len([name for name in named if name]) >= 3
    assert {one.face for one in by_hand.recognised(crops, least=0.5)} == {None}
    monkeypatch.setattr(by_hand, "mark_of_card", lambda fine, move, seen: np.array([-6, 6, -6, -6], np.float32))
    assert {one.face for one in by_hand.recognised(crops)} == {None}
