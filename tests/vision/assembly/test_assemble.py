"""True duplicates by geometry: corners of one card are one, two equal cards are two, whatever the print."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.assembly.assemble import assemble, plausible_sizes
from companion.vision.assembly.hypotheses import IndexConflicts
from companion.vision.geometry import (
    CARD_MM,
    INDEX_MM,
    Array,
    box_quad,
    homography,
    project,
)
from companion.vision.reading.detector import Detection, DetectionClass, suppress

BLANK = np.full((700, 1000), 120, np.uint8)


def card(x: float, y: float, scale: float = 1.5, flat: float = 1.0) -> Array:
    """An upright outline, px; `flat` < 1 is a card seen at a slant."""
    return box_quad((x, y, x + CARD_MM[0] * scale, y + CARD_MM[1] * scale * flat))


def index(outline: Array, corner: int = 0, grown: float = 1.0) -> Array:
    """An index of a four-corner print: 0 top-left, 1 top-right, 2 bottom-right, 3 bottom-left; `grown` for jumbo."""
    left, top, right, bottom = INDEX_MM
    x, y, wide, tall = (left + right) / 2, (top + bottom) / 2, (right - left) * grown / 2, (bottom - top) * grown / 2
    flat = box_quad((x - wide, y - tall, x + wide, y + tall))
    if corner in (1, 2):
        flat = flat + np.array([CARD_MM[0] - 2 * x, 0])
    if corner in (2, 3):
        flat = np.array(CARD_MM) - box_quad((x - wide, y - tall, x + wide, y + tall))
        flat = flat if corner == 2 else flat - [CARD_MM[0] - 2 * x, 0]
    return project(homography(outline), flat)


def up(quad: Array, score: float = 0.9) -> Detection:
    return Detection(DetectionClass.UP, score, quad)


def test_four_corners_of_one_card_are_one_card() -> None:
    outline = card(160, 200)
    (hypothesis,) = assemble([up(outline)], [index(outline, corner) for corner in range(4)], BLANK)
    assert sorted(hypothesis.indices) == [0, 1, 2, 3]


def test_equal_cards_of_a_column_are_as_many_as_their_indices() -> None:
    known = card(600, 100)
    column = [card(100, 100 + 35 * k) for k in range(5)]
    indices = [index(known, 0), index(known, 2), *(index(outline) for outline in column)]
    assert len(assemble([up(known)], indices, BLANK)) == 6


def test_one_printed_index_is_detected_once_and_a_fan_keeps_its_own() -> None:
    outline, following = card(100, 100), card(118, 100)
    best = index(outline)
    found = [
        Detection(DetectionClass.INDEX, 0.9, best),
        Detection(DetectionClass.INDEX, 0.6, best + np.array([4, 1])),
        Detection(DetectionClass.INDEX, 0.8, index(following)),
    ]
    assert len(suppress(found)) == 2


def test_an_index_as_tall_as_half_a_card_is_none() -> None:
    outline = card(100, 100)
    assert plausible_sizes([up(outline)], [index(outline), index(outline, 0, grown=2.6)]) == [True, False]


@pytest.mark.parametrize(
    ("outlines", "indices"),
    [
        (  # two cards beside each other, seen from below: outlines too narrow, of one card a second, smaller one
            [
                (0.90, [[197, 180], [296, 175], [306, 319], [201, 322]]),
                (0.86, [[103, 184], [206, 188], [201, 331], [92, 325]]),
                (0.27, [[177, 198], [242, 204], [228, 301], [156, 285]]),
            ],
            [
                [[87.9, 191.0], [105.6, 191.1], [104.5, 218.9], [86.8, 218.8]],
                [[219.6, 317.4], [201.4, 317.8], [201.3, 286.7], [219.5, 286.3]],
                [[306.0, 310.8], [288.0, 312.1], [285.3, 280.7], [303.2, 279.3]],
            ],
        ),
        (  # one over the other, lying across: an outline lies over parts of both
            [
                (0.83, [[358, 49], [373, 179], [150, 193], [138, 64]]),
                (0.72, [[355, 161], [366, 268], [182, 284], [174, 179]]),
                (0.43, [[357, 112], [375, 234], [162, 254], [144, 127]]),
                (0.30, [[320, 180], [385, 291], [185, 426], [115, 297]]),
            ],
            [
                [[164.9, 209.4], [164.0, 189.6], [212.2, 187.2], [213.1, 206.9]],
                [[355.7, 47.3], [356.0, 67.6], [311.7, 68.6], [311.4, 48.3]],
                [[159.7, 277.0], [157.0, 256.7], [205.9, 250.5], [208.7, 270.8]],
            ],
        ),
    ],
)
def test_the_way_two_indices_lie_to_each_other_counts_more_than_outlines_that_are_wrong(
    outlines: list[tuple[float, list]], indices: list
) -> None:
    """As found on photographs of two cards, the first tilted; two of the three indices were read alike."""
    found = [up(np.array(quad, np.float64), score) for score, quad in outlines]
    conflicts = IndexConflicts.of([0, 0, 1], [True] * 3)
    hypotheses = assemble(found, [np.array(quad, np.float64) for quad in indices], BLANK, conflicts)
    assert [0, 1] in [sorted(hypothesis.indices) for hypothesis in hypotheses]
