"""Cards that the picture's edge cuts: one that shows its two upper corners is one, two equal ones beside it are two."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.assembly.assemble import assemble
from companion.vision.assembly.hypotheses import IndexConflicts
from companion.vision.assembly.index_pairs import pairs_cut_off
from companion.vision.geometry import CARD_MM, Array, box_quad
from companion.vision.reading.detections import Detection, DetectionClass

SIZE = (720, 1280)
BLANK = np.full(SIZE, 120, np.uint8)
PX = 2.0
"""Px a millimetre."""
INDEX = (5.0, 5.0, 13.0, 22.0)
ACROSS = CARD_MM[0] - INDEX[0] - INDEX[2]
"""From one upper index to the other, mm."""


def turned(quads: Array, quarters: int, at: tuple[float, float]) -> Array:
    """Quads (…, 4, 2) in mm about a card's upper middle, turned clockwise and laid there: px."""
    c, s = round(np.cos(quarters * np.pi / 2)), round(np.sin(quarters * np.pi / 2))
    return quads @ np.array([[c, s], [-s, c]]) * PX + np.array(at)


def upper(quarters: int, at: tuple[float, float]) -> list[Array]:
    """The two upper indices of a card whose upper middle lies at a place (px)."""
    left, top, right, bottom = INDEX
    quad = box_quad((left - CARD_MM[0] / 2, top, right - CARD_MM[0] / 2, bottom))
    return [turned(quad, quarters, at), turned(np.add(quad, (ACROSS, 0.0)), quarters, at)]


def outline(quarters: int, at: tuple[float, float], share: float = 1.0) -> Array:
    """A card of which `share` is seen: of its width, on the right, and of its height."""
    wide, high = CARD_MM
    return turned(box_quad((wide / 2 - share * wide, 0, wide / 2, share * high)), quarters, at)


def grouped(outlines: list[Array], indices: list[Array], faces: list[int]) -> list[tuple[int, ...]]:
    cards = [Detection(DetectionClass.UP, 0.85, one) for one in outlines]
    conflicts = IndexConflicts.of(faces, [True] * len(faces))
    return sorted(tuple(sorted(one.indices)) for one in assemble(cards, indices, BLANK, conflicts) if one.indices)


def test_a_cut_card_with_four_corners_is_one_though_its_outline_is_wrong() -> None:
    """At all four edges, so that no whole card tells how the table lies."""
    places = [(0, (300.0, 660.0)), (1, (60.0, 300.0)), (2, (900.0, 60.0)), (3, (1220.0, 400.0))]
    indices = [quad for quarters, at in places for quad in upper(quarters, at)]
    outlines = [outline(quarters, at, 0.7) for quarters, at in places]
    assert grouped(outlines, indices, [7, 7, 20, 20, 33, 33, 46, 46]) == [(0, 1), (2, 3), (4, 5), (6, 7)]


@pytest.mark.parametrize("step", [25.0, 66.0, 75.0])
def test_equal_cards_side_by_side_that_the_edge_cuts_are_two(step: float) -> None:
    """They show one upper corner each, as the other cards of the table do."""
    places = [(500.0, 650.0), (500.0 + PX * step, 650.0), *((x, 100.0) for x in (200.0, 600.0, 1000.0))]
    indices = [upper(0, at)[0] for at in places]
    assert grouped([outline(0, at) for at in places], indices, [7, 7, 20, 33, 46]) == [(0,), (1,), (2,), (3,), (4,)]


def cut_off(indices: list[Array], faces: list[int], *outlines: Array) -> list[list[int]]:
    conflicts = IndexConflicts.of(faces, [True] * len(faces)).conflicting
    return pairs_cut_off(np.reshape(outlines, (-1, 4, 2)), np.stack(indices), conflicts, SIZE).tolist()


def test_only_two_corners_at_the_edge_are_of_a_cut_card() -> None:
    at = (600.0, 660.0)
    assert cut_off(upper(0, at), [7, 7]) == [[0, 1, 0]]
    assert cut_off(upper(0, at)[::-1], [7, 7]) == [[1, 0, 0]]
    assert cut_off(upper(0, at), [7, 8]) == []
    assert cut_off(upper(0, (600.0, 300.0)), [7, 7]) == []  # the picture shows where its other end would be
    assert cut_off([*upper(0, at), upper(0, (200.0, 660.0))[0]], [7, 7, 7]) == []
    assert cut_off([upper(0, at)[0], upper(0, (900.0, 660.0))[1]], [7, 7]) == []  # farther apart than a card is wide


def test_an_outline_that_reaches_away_from_the_other_index_is_a_further_card() -> None:
    """Of two equal cards the right one lies over the left one, whose outline may not be found."""
    left, right = (600.0, 660.0), (600.0 + PX * 40, 660.0)
    indices = [upper(0, left)[0], upper(0, right)[0]]
    assert cut_off(indices, [7, 7]) == cut_off(indices, [7, 7], outline(0, left)) == [[0, 1, 0]]
    assert cut_off(indices, [7, 7], outline(0, right)) == cut_off(indices[::-1], [7, 7], outline(0, right)) == []
