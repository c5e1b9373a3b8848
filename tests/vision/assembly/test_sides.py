"""Tight rows of four-cornered cards: every card lies to that side of its indices where paper shows."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.assembly.assemble import assemble
from companion.vision.assembly.hypotheses import IndexConflicts
from companion.vision.geometry import Array, corner_distance, iou
from tests.vision.assembly.test_assemble import card, index, up

CLOTH, PAPER = 70, 230


def row(*, to_the_right: bool, cards: int = 4, pitch_px: float = 26.0) -> tuple[list[Array], list[Array], list[int]]:
    """Outlines of a row, each card over the one before; the indices that are seen, and the card of each."""
    step = pitch_px if to_the_right else -pitch_px
    outlines = [card(400 + number * step, 300) for number in range(cards)]
    side = (0, 3) if to_the_right else (1, 2)
    seen = [(number, corner) for number in range(cards - 1) for corner in side]
    seen += [(cards - 1, corner) for corner in range(4)]
    return outlines, [index(outlines[number], corner) for number, corner in seen], [number for number, _ in seen]


def on_cloth(outlines: list[Array], paper: int = PAPER) -> np.ndarray:
    """The picture of these cards as `edges.min_channel` sees it."""
    bright = np.full((700, 1000), CLOTH, np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(bright, np.rint(outline).astype(np.int32), paper)
        cv2.polylines(bright, [np.rint(outline).astype(np.int32)], True, paper - 40)
    return bright


@pytest.mark.parametrize("to_the_right", [True, False])
@pytest.mark.parametrize("cards", [2, 3, 5])
def test_each_card_of_a_tight_row_lies_where_its_paper_is(to_the_right: bool, cards: int) -> None:
    outlines, indices, owners = row(to_the_right=to_the_right, cards=cards)
    conflicts = IndexConflicts.of(owners, [True] * len(owners))
    aside = card(476 if not to_the_right else 324, 300)  # half of what a detector sees at the row's end is cloth
    detected = [up(outlines[-1]), up(aside, 0.3)]
    found = [one for one in assemble(detected, indices, on_cloth(outlines), conflicts) if one.indices]
    assert len(found) == cards
    for hypothesis in found:
        (own,) = {owners[number] for number in hypothesis.indices}
        assert iou(hypothesis.outline, outlines[own]) > 0.85, own


def test_on_cloth_as_bright_as_paper_a_detected_outline_decides() -> None:
    outlines, indices, owners = row(to_the_right=False, cards=2)
    conflicts = IndexConflicts.of(owners, [True] * len(owners))
    found = assemble([up(outline) for outline in outlines], indices, np.full((700, 1000), PAPER, np.uint8), conflicts)
    assert len(found) == 2
    assert all(corner_distance(one.outline, outlines[owners[one.indices[0]]]) < 0.1 for one in found)
