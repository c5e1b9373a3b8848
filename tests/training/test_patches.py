"""Patches for the index reader: the same by seed, labelled as their windows deserve."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from companion.training import prints, prints_drawn
from companion.training.reader_patches import Patches
from companion.training.reader_views import NO_SUIT, Item, foreign_items, items_of
from companion.vision.reader import INDEX_SIZE, JOKER, REJECT

pytestmark = pytest.mark.skipif(not prints_drawn.fonts(), reason="no fonts to draw cards with")


@pytest.fixture(scope="module")
def items() -> list[Item]:
    design = prints.load_prints("train", drawn=1, workers=1)[-1]
    return items_of(design)


def test_same_seed_same_patches(items: list[Item]) -> None:
    rows = [list(islice(Patches(items, [], 5), 12)) for _ in range(2)]
    for a, b in zip(*rows, strict=True):
        assert (a.rank, a.suit) == (b.rank, b.suit)
        assert np.array_equal(a.crop, b.crop)


def test_patches_are_crops_with_a_face_or_nothing(items: list[Item]) -> None:
    drawn = list(islice(Patches(items, [], 1), 150))
    assert {patch.crop.shape for patch in drawn} == {(INDEX_SIZE[1], INDEX_SIZE[0], 3)}
    assert all((patch.suit == NO_SUIT) == (patch.rank in (JOKER, REJECT)) for patch in drawn)
    readable = sum(patch.rank < JOKER for patch in drawn)
    assert 0.4 * len(drawn) < readable < 0.95 * len(drawn)


def test_another_decks_cards_are_to_be_refused() -> None:
    drawn = list(islice(Patches(foreign_items(3), foreign_items(4), 2), 40))
    assert {patch.rank for patch in drawn} == {REJECT}
