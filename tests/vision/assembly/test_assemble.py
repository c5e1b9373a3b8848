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
    corner_distance,
    homography,
    project,
)
from companion.vision.reading.detections import Detection, DetectionClass
from companion.vision.reading.detector import suppress
from companion.vision.types import Side

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


def test_an_index_taller_than_those_of_any_print_is_none() -> None:
    outline = card(100, 100)
    usual, half, too_tall = index(outline), index(outline, 0, grown=2.6), index(outline, 0, grown=3.4)
    assert plausible_sizes([up(outline)], [usual, half, too_tall]) == [True, True, False]


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


def test_one_card_with_two_visible_corners_is_one() -> None:
    outline = card(100, 100)
    hypotheses = assemble([up(outline)], [index(outline), index(outline, 2)], BLANK)
    assert len(hypotheses) == 1
    assert sorted(hypotheses[0].indices) == [0, 1]
    assert hypotheses[0].body_visible


def test_two_indices_make_the_outline_that_the_detector_missed() -> None:
    outline = card(100, 100)
    (hypothesis,) = assemble([], [index(outline), index(outline, 2)], BLANK)
    assert hypothesis.body_visible
    assert corner_distance(hypothesis.outline, outline) < 0.02


def test_two_indices_that_clearly_differ_are_not_on_one_card() -> None:
    outline = card(100, 100)
    hypotheses = assemble(
        [up(outline)], [index(outline), index(outline, 2)], BLANK, IndexConflicts.of([0, 1], [True, True])
    )
    assert sorted(tuple(hypothesis.indices) for hypothesis in hypotheses) == [(0,), (1,)]


def test_two_outlines_keep_their_own_indices() -> None:
    left, right = card(100, 100), card(220, 110)
    hypotheses = assemble([up(left), up(right)], [index(right), index(left)], BLANK)
    assert [hypothesis.indices for hypothesis in hypotheses] == [[1], [0]]


def test_a_corner_has_one_index_and_the_other_is_another_card() -> None:
    top = card(200, 200)
    under = card(190, 200)
    hypotheses = assemble([up(top)], [index(top), index(under)], BLANK)
    assert [hypothesis.indices for hypothesis in hypotheses] == [[0], [1]]
    assert [hypothesis.body_visible for hypothesis in hypotheses] == [True, False]


def test_a_card_under_another_is_still_one() -> None:
    top = card(200, 200)
    under = card(178, 180)
    hypotheses = assemble([up(top)], [index(top), index(under)], BLANK)
    assert [hypothesis.body_visible for hypothesis in hypotheses] == [True, False]
    assert corner_distance(hypotheses[1].outline, under) < 0.02


def test_a_bridge_fan_of_indices_alone_has_a_card_for_each() -> None:
    outlines = [card(100 + 24 * k, 300) for k in range(6)]
    assert len(assemble([], [index(outline) for outline in outlines], BLANK)) == 6


def test_equal_cards_side_by_side_pair_their_own_indices() -> None:
    cards = [card(60 + 100 * k, 200) for k in range(4)]
    indices = [index(outline, 2 * far) for outline in cards for far in (False, True)]
    hypotheses = assemble([up(outline) for outline in cards], indices, BLANK)
    assert sorted(tuple(sorted(hypothesis.indices)) for hypothesis in hypotheses) == [(0, 1), (2, 3), (4, 5), (6, 7)]


def test_crossed_cards_are_two() -> None:
    lying = card(200, 200)
    centre = lying.mean(axis=0)
    across = (lying - centre) @ np.array([[0.0, 1.0], [-1.0, 0.0]]) + centre
    indices = [index(outline, 2 * far) for outline in (lying, across) for far in (False, True)]
    assert len(assemble([up(lying), up(across, 0.8)], indices, BLANK)) == 2


def test_a_covered_card_with_two_visible_corners_is_one() -> None:
    reference, hidden = card(50, 50), card(400, 300)
    hypotheses = assemble([up(reference)], [index(hidden), index(hidden, 2)], BLANK)
    assert len(hypotheses) == 2
    assert sorted(len(hypothesis.indices) for hypothesis in hypotheses) == [0, 2]


def test_a_back_keeps_its_side() -> None:
    hypotheses = assemble([Detection(DetectionClass.DOWN, 0.7, card(10, 10))], [], BLANK)
    assert [hypothesis.side for hypothesis in hypotheses] == [Side.DOWN]


def test_an_empty_table_has_no_cards() -> None:
    assert assemble([], [], BLANK) == []
