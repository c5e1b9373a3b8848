"""Where the marks of a deck are printed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.decks.alignment import TURNED, warped
from companion.vision.decks.crops import CELLS, CROP, SAMPLE
from companion.vision.decks.marks import Marks, learned
from companion.vision.decks.templates import Anatomy


@pytest.mark.parametrize(("share", "found"), [(0.9, True), (0.55, True), (0.2, False)])
def test_marks_stand_where_pictures_differ_nearly_as_much(share: float, found: bool) -> None:
    """As beside a picture that reaches close to them; where pictures differ far more it is they that stand there."""
    crops = np.full((6, CROP[1] * SAMPLE, CROP[0] * SAMPLE, 3), 230, np.uint8)
    for k in range(6):
        cv2.circle(crops[k], (48, 48), 12 + 8 * (k % 2), (30, 30, 160), -1)
    place = np.zeros(CELLS, np.float32)
    place[1:4, 1:4] = 1
    nothing = np.zeros(place.size, np.float32)
    windows = learned(
        crops, [0, 1] * 3, Anatomy(nothing, place.ravel(), nothing, share * place.ravel(), (nothing, place.ravel()))
    )
    assert (windows is not None) == found
    if windows is not None:
        ((left, top, right, bottom),) = windows.boxes
        assert left < 48 < right and top < 48 < bottom


@pytest.mark.parametrize("again", [True, False])
def test_a_mark_that_stands_again_upside_down_in_the_other_corner_has_a_window_there(again: bool) -> None:
    """Though pictures seem to differ more there, as they do between few samples."""
    crops = np.full((6, CROP[1] * SAMPLE, CROP[0] * SAMPLE, 3), 230, np.uint8)
    for k in range(6):
        cv2.circle(crops[k], (48, 40 + 12 * (k % 2)), 12, (30, 30, 160), -1)
        crops[k] = np.minimum(crops[k], crops[k, ::-1, ::-1]) if again else crops[k]
    place, nothing = np.zeros(CELLS, np.float32), np.zeros(CELLS[0] * CELLS[1], np.float32)
    place[1:4, 1:4] = 1
    windows = learned(
        crops, [0, 1] * 3, Anatomy(nothing, place.ravel(), nothing, 0.9 * place.ravel(), (nothing, place.ravel()))
    )
    assert windows is not None
    middles = [((left + right) / 2, (top + bottom) / 2) for left, top, right, bottom in windows.boxes]
    assert len(middles) == 1 + again
    assert np.allclose(np.sum(middles, axis=0), (CROP[0] * SAMPLE, CROP[1] * SAMPLE)) is again


def test_where_another_ink_changes_all_of_the_card_marks_stand_where_they_differ_most() -> None:
    crops = np.full((6, CROP[1] * SAMPLE, CROP[0] * SAMPLE, 3), 230, np.uint8)
    for k in range(6):
        cv2.circle(crops[k], (48, 48), 12 + 8 * (k % 2), (30, 30, 160), -1)
    place, all_ = np.full(CELLS, 0.1, np.float32), np.ones(CELLS[0] * CELLS[1], np.float32)
    place[1:4, 1:4] = 1
    windows = learned(crops, [0, 1] * 3, Anatomy(0 * all_, all_, 0 * all_, 0.9 * all_, (0 * all_, place.ravel())))
    assert windows is not None
    ((left, top, right, bottom),) = windows.boxes
    assert left < 48 < right and top < 48 < bottom and right - left < 100


def test_windows_of_a_card_under_a_map_are_those_of_the_card_laid_by_it() -> None:
    rng = np.random.default_rng(3)
    coarse = rng.integers(0, 256, (18, 14, 3)).astype(np.uint8)
    crop = cv2.resize(coarse, (CROP[0] * SAMPLE, CROP[1] * SAMPLE), interpolation=cv2.INTER_CUBIC)
    windows = Marks(((40, 50, 90, 100),), crop[None, None, 60:92, 50:82].repeat(2, axis=1))
    move = TURNED @ np.array([[1.01, 0.02, 1.5], [-0.01, 0.99, -2], [1e-5, 0, 1]], np.float32)
    here, there = windows.shown(crop, move), windows.shown(warped(crop, move))
    assert np.abs(here.astype(int) - there).max() <= 2
    assert np.abs(here.astype(int) - windows.shown(crop)).mean() > 10
