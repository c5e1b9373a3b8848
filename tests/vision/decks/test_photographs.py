"""The outline of the one card in a photograph lies on edges, whatever is printed on it or falls on it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.decks.photographs import on_edges, the_outline
from companion.vision.geometry import Array

CARD = np.array([[200, 100], [440, 110], [430, 450], [190, 440]], np.float64)
FRAME = CARD + (CARD.mean(axis=0) - CARD) * 0.3
"""A frame printed on the card."""


def photograph(*, shadow: bool) -> np.ndarray:
    """A white card with a printed frame on a green table; a shadow lies over its upper part."""
    picture = np.full((560, 640, 3), (60, 120, 70), np.uint8)
    cv2.fillPoly(picture, [CARD.astype(np.int32)], (245, 245, 245))
    cv2.polylines(picture, [FRAME.astype(np.int32)], True, (160, 60, 20), 3)
    if shadow:
        picture[:240] = picture[:240] // 2
    return cv2.GaussianBlur(picture, (0, 0), 1.0)


def moved(outline: Array, px: float) -> Array:
    """The same with one corner elsewhere."""
    return outline + np.array([[0, 0], [0, 0], [px, px], [0, 0]])


@pytest.mark.parametrize("shadow", [False, True])
def test_neither_a_printed_frame_nor_a_shadow_is_the_edge_of_a_card(shadow: bool) -> None:
    picture = photograph(shadow=shadow)
    assert on_edges(picture, CARD) > 0.9 > 0.5 > on_edges(picture, FRAME)
    for read in ([CARD, FRAME], [FRAME, CARD]):
        assert np.abs(the_outline(picture, read) - CARD).max() < 8.0


def test_of_two_outlines_of_a_card_that_which_lies_better_on_its_edges_counts() -> None:
    picture = photograph(shadow=False)
    assert on_edges(picture, CARD) > on_edges(picture, moved(CARD, 24.0))
    assert np.abs(the_outline(picture, [moved(CARD, 24.0)]) - CARD).max() < 8.0  # as it stands out from the table
    dark = np.full_like(picture, 245)  # white on white: only the reader sees it
    cv2.polylines(dark, [CARD.astype(np.int32)], True, (150, 150, 150), 2)
    assert np.array_equal(the_outline(dark, [CARD]), CARD)
