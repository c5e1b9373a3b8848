"""Cards as plane geometry: what is one card is decided by place and direction, never by name."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.geometry import (
    CARD_MM,
    INDEX_MM,
    Array,
    area,
    areas,
    as_quad,
    box_quad,
    corner_windows,
    homography,
    index_window,
    iou,
    ious,
    is_valid,
    locate_on_card,
    overlap,
    overlapping_boxes,
    project,
    side_lengths,
)

TILTED = np.array([[1.4, 0.12, 200.0], [-0.08, 1.1, 300.0], [1e-4, 4e-4, 1.0]])


def card(x: float = 0.0, y: float = 0.0, degrees: float = 0.0) -> Array:
    """A card on the table, mm, whose top-left corner lies at (x, y) and which is turned clockwise about it."""
    angle = math.radians(degrees)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return box_quad((0, 0, *CARD_MM)) @ turn.T + np.array([x, y])


def index_of(outline: Array, corner: int = 0) -> Array:
    """Where the index of that corner lies on an outline (both in the same plane)."""
    left, top, right, bottom = INDEX_MM
    width, length = CARD_MM
    flat = {
        0: box_quad(INDEX_MM),
        1: box_quad((width - right, top, width - left, bottom)),
        2: np.array([width, length]) - box_quad(INDEX_MM),
        3: np.array([width, length]) - box_quad((width - right, top, width - left, bottom)),
    }[corner]
    return project(homography(outline), flat)


def test_area_is_positive_clockwise_on_the_screen() -> None:
    assert area(card()) == pytest.approx(63 * 88)
    assert area(card()[::-1]) == pytest.approx(-63 * 88)


@pytest.mark.parametrize(
    ("quad", "valid"),
    [
        (card(), True),
        (card()[::-1], False),
        (card()[[0, 2, 1, 3]], False),
        (np.zeros((4, 2)), False),
        (np.array([[0, 0], [1, 0], [np.nan, 1], [0, 1]]), False),
    ],
)
def test_a_valid_outline_is_convex_and_clockwise(quad: Array, valid: bool) -> None:
    assert is_valid(quad) is valid


def test_iou_of_a_half_shifted_card_is_a_third() -> None:
    assert iou(card(), card(x=31.5)) == pytest.approx(1 / 3, abs=1e-3)
    assert overlap(card(), card(x=100)) == 0


@given(st.lists(st.tuples(st.floats(-150, 150), st.floats(-150, 150), st.floats(0, 360)), max_size=8))
def test_only_cards_whose_boxes_meet_can_share_anything(places: list[tuple[float, float, float]]) -> None:
    others = [card(*place) for place in places]
    met = overlapping_boxes(card(), others)
    assert {n for n, other in enumerate(others) if overlap(card(), other) > 1e-3} <= set(met)
    away = [np.abs(others[n].mean(axis=0) - card().mean(axis=0)).max() for n in met]
    assert max(away, default=0) < math.hypot(*CARD_MM)


def test_lengths_of_opposite_sides_are_averaged() -> None:
    askew = np.array([[0, 0], [60, 0], [70, 90], [0, 80]], np.float64)
    assert side_lengths(np.stack([card(degrees=30), askew]))[0] == pytest.approx(CARD_MM)
    short, long = (60 + math.hypot(70, 10)) / 2, (math.hypot(10, 90) + 80) / 2
    assert side_lengths(askew[None])[0] == pytest.approx([short, long])


QUADS = np.stack([project(TILTED, card(7 * turn, -4 * turn, 33 * turn)) for turn in range(11)] + [card(degrees=90)])


def test_the_areas_of_many_quads_are_those_of_each() -> None:
    assert areas(QUADS) == pytest.approx([area(quad) for quad in QUADS])
    assert areas(QUADS[:, ::-1]) == pytest.approx(-areas(QUADS))


def test_what_many_quads_share_is_what_each_shares() -> None:
    others, point = np.roll(QUADS, 1, axis=0), np.zeros((1, 4, 2))
    assert ious(QUADS, others) == pytest.approx([iou(a, b) for a, b in zip(QUADS, others, strict=True)])
    assert ious(point, point).tolist() == [0.0]


def test_homographies_are_those_opencv_solves_for() -> None:
    """One for each quad, so that many are had at once; and each sends the points that belong to it."""
    flat, points = box_quad((0, 0, *CARD_MM)).astype(np.float32), np.array([[3.0, 4.0], [50.0, 80.0]])
    matrices = homography(QUADS)
    for quad, matrix, sent in zip(QUADS, matrices, project(matrices, np.stack([points] * len(QUADS))), strict=True):
        solved = cv2.getPerspectiveTransform(flat, quad.astype(np.float32))
        assert project(matrix, points) == pytest.approx(project(solved, points), abs=1e-2)
        assert sent == pytest.approx(project(matrix, points))
        assert project(matrix, box_quad((0, 0, *CARD_MM))) == pytest.approx(quad)


def test_the_corner_windows_of_many_cards_are_those_of_each() -> None:
    assert corner_windows(QUADS) == pytest.approx(np.stack([corner_windows(quad) for quad in QUADS]))


@pytest.mark.parametrize("quad", [np.zeros((4, 2)), np.array([[0, 0], [9, 0], [4, 0], [2, 0]], float)])
def test_what_has_no_area_is_no_card(quad: Array) -> None:
    assert locate_on_card(quad, index_of(card())) is None


@given(st.floats(0, 360), st.floats(-50, 50), st.floats(-50, 50))
def test_homography_there_and_back(degrees: float, x: float, y: float) -> None:
    matrix = homography(project(TILTED, card(x, y, degrees)))
    points = np.array([[3.0, 4.0], [50.0, 80.0]])
    assert np.allclose(project(np.linalg.inv(matrix), project(matrix, points)), points, atol=1e-2)


def test_corner_windows_hold_the_index_of_their_corner_in_reading_direction() -> None:
    outline = project(TILTED, card(degrees=25))
    for corner, window in enumerate(corner_windows(outline)):
        index = index_of(outline, corner)
        assert overlap(window, index) == pytest.approx(area(index), rel=0.01)
        assert np.dot(window[3] - window[0], index[3] - index[0]) > 0
        assert is_valid(window)


def test_corner_windows_survive_a_five_per_cent_error_of_the_outline() -> None:
    outline = card() * 3
    rng = np.random.default_rng(0)
    for _ in range(50):
        wrong = outline + rng.uniform(-0.05, 0.05, (4, 2)) * 63 * 3
        for corner, window in enumerate(corner_windows(wrong)):
            index = index_of(outline, corner)
            assert overlap(window, index) > 0.8 * area(index)


def test_index_window_keeps_direction_and_ratio() -> None:
    index = index_of(project(TILTED, card(degrees=140)))
    window = index_window(index)
    assert np.linalg.norm(window[1] - window[0]) / np.linalg.norm(window[3] - window[0]) == pytest.approx(0.75)
    assert np.dot(window[3] - window[0], index[3] - index[0]) > 0
    assert overlap(window, index) > 0.98 * area(index)


@pytest.mark.parametrize("corner", range(4))
def test_an_index_finds_its_corner(corner: int) -> None:
    outline = project(TILTED, card(degrees=200))
    spot = locate_on_card(outline, index_of(outline, corner))
    assert spot is not None
    assert spot.corner == corner
    assert spot.error < 0.5


def test_an_index_in_the_middle_or_across_belongs_to_no_corner() -> None:
    outline = card()
    middle = box_quad((28, 35, 35, 52))
    assert locate_on_card(outline, middle) is None
    assert locate_on_card(outline, np.roll(index_of(outline), 1, axis=0)) is None
    assert locate_on_card(outline, index_of(card(x=200))) is None


def test_as_quad_takes_flat_numbers() -> None:
    assert as_quad([0, 0, 1, 0, 1, 1, 0, 1]).shape == (4, 2)
