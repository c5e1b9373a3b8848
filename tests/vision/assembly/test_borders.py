"""Two equal cards, one over the other, are two where the upper one's border shows between their indices."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.assembly.assemble import assemble
from companion.vision.assembly.borders import parted_by_border
from companion.vision.assembly.hypotheses import IndexConflicts
from companion.vision.assembly.instances import CardInstance
from companion.vision.assembly.row_pattern import RowPattern
from companion.vision.geometry import Array, iou
from companion.vision.reading.evidence import Classification
from tests.vision.assembly.test_assemble import card, index, up

CLOTH, PAPER, LINE = 70, 230, 190
APART = 66.0
"""So far apart are the upper indices of a card (px) and, here, two neighbours of a row: they lie as those of one."""


def laid(*outlines: Array) -> np.ndarray:
    """The picture of these cards, each over the one before, as `edges.min_channel` sees it."""
    bright = np.full((700, 1000), CLOTH, np.uint8)
    for outline in outlines:
        corners = np.rint(outline).astype(np.int32)
        cv2.fillConvexPoly(bright, corners, PAPER)
        cv2.polylines(bright, [corners], True, LINE, 2)
    return cv2.GaussianBlur(bright, (0, 0), 0.8)


LEFT, RIGHT = card(300, 300), card(300 + APART, 300)
SEEN = [index(LEFT, 0), index(LEFT, 3), index(RIGHT, 0), index(RIGHT, 3)]
ALIKE = np.zeros((4, 4), np.bool_)


def test_a_border_between_two_equal_indices_parts_them() -> None:
    parted = parted_by_border([LEFT, RIGHT], SEEN, ALIKE, laid(LEFT, RIGHT))
    assert parted.tolist() == [[False] * 2 + [True] * 2] * 2 + [[True] * 2 + [False] * 2] * 2


@pytest.mark.parametrize(
    ("outlines", "bright"),
    [
        ([LEFT], laid(LEFT, RIGHT)),
        ([LEFT, RIGHT], laid(RIGHT, LEFT)),  # four corners of one card over another
        ([LEFT, RIGHT], laid(LEFT)),  # that an outline was seen is not enough
        ([LEFT, card(800, 300)], laid(LEFT, card(800, 300))),
    ],
)
def test_without_a_border_they_may_be_of_one_card(outlines: list[Array], bright: np.ndarray) -> None:
    assert not parted_by_border(outlines, SEEN, ALIKE, bright).any()


def test_what_was_read_otherwise_is_of_two_cards_anyway_and_not_looked_at() -> None:
    assert not parted_by_border([LEFT, RIGHT], SEEN, ~ALIKE, laid(LEFT, RIGHT)).any()


def test_two_equal_neighbours_of_a_row_are_two_cards() -> None:
    """As those of one card they lie in all four corners of the lower one's outline."""
    conflicts, detected = IndexConflicts.of([9] * 4, [True] * 4), [up(LEFT), up(RIGHT)]
    found = [one for one in assemble(detected, SEEN, laid(LEFT, RIGHT), conflicts) if one.indices]
    assert [sorted(one.indices) for one in sorted(found, key=lambda one: one.outline[0, 0])] == [[0, 1], [2, 3]]
    assert all(max(iou(one.outline, other) for other in (LEFT, RIGHT)) > 0.85 for one in found)
    one, other = (CardInstance(hypothesis, (), None, Classification((), 0.0)) for hypothesis in found)
    assert RowPattern.of([one, other]).two(one, other), "nor are they taken for one later"
    covered = [one for one in assemble(detected, SEEN, laid(RIGHT, LEFT), conflicts) if one.indices]
    assert [sorted(one.indices) for one in covered] == [[0, 1, 2, 3]]


def shown_side_by_side(*, framed: bool = False) -> np.ndarray:
    """Two upper indices and nothing below: another card lies over the lower part. Of one card, `framed` or not."""
    bright = laid(LEFT)
    if framed:
        for x in (int(LEFT[0, 0]) + 26, int(LEFT[1, 0]) - 26):
            cv2.line(bright, (x, int(LEFT[0, 1])), (x, int(LEFT[2, 1])), 60, 2)
    return bright


@pytest.mark.parametrize(
    ("bright", "cards"),
    [(laid(LEFT, RIGHT), 2), (shown_side_by_side(), 1), (shown_side_by_side(framed=True), 1)],
)
def test_a_line_beside_one_index_alone_is_the_border_of_a_second_card(bright: np.ndarray, cards: int) -> None:
    """The detector sees the outline of one of them only; a line beside both indices is a frame printed on one card."""
    known = card(650, 60)
    seen = [*(index(known, corner) for corner in range(4)), index(LEFT, 0), index(RIGHT, 0)]
    conflicts = IndexConflicts.of([3, 3, 3, 3, 9, 9], [True] * 6)
    found = assemble([up(known), up(LEFT)], seen, np.maximum(bright, laid(known)), conflicts)
    assert sorted(sorted(one.indices) for one in found if one.indices)[1:] == ([[4, 5]] if cards == 1 else [[4], [5]])
