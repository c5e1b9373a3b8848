"""Cards as plane geometry: what is one card is decided by place and direction, never by name."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.geometry import (
    CARD_MM,
    INDEX_MM,
    Array,
    Plane,
    area,
    as_quad,
    box_quad,
    consensus,
    corner_distance,
    corner_windows,
    distinct,
    group_indices,
    homography,
    index_window,
    iou,
    is_sound,
    one_card,
    overlap,
    project,
    spot_on_card,
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
    ("quad", "sound"),
    [
        (card(), True),
        (card()[::-1], False),
        (card()[[0, 2, 1, 3]], False),
        (np.zeros((4, 2)), False),
        (np.array([[0, 0], [1, 0], [np.nan, 1], [0, 1]]), False),
    ],
)
def test_a_sound_outline_is_convex_and_clockwise(quad: Array, sound: bool) -> None:
    assert is_sound(quad) is sound


def test_iou_of_a_half_shifted_card_is_a_third() -> None:
    assert iou(card(), card(x=31.5)) == pytest.approx(1 / 3, abs=1e-3)
    assert overlap(card(), card(x=100)) == 0


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
        assert is_sound(window)


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
    spot = spot_on_card(outline, index_of(outline, corner))
    assert spot is not None
    assert spot.corner == corner
    assert spot.error < 0.5


def test_an_index_in_the_middle_or_across_belongs_to_no_corner() -> None:
    outline = card()
    middle = box_quad((28, 35, 35, 52))
    assert spot_on_card(outline, middle) is None
    assert spot_on_card(outline, np.roll(index_of(outline), 1, axis=0)) is None
    assert spot_on_card(outline, index_of(card(x=200))) is None


@pytest.mark.parametrize("degrees", [0, 47, 180, 271])
def test_the_outline_of_a_covered_card_follows_from_its_index(degrees: float) -> None:
    plane = Plane.of_card(project(TILTED, card()))
    hidden = card(40, 30, degrees)
    guessed = plane.outline(plane.to_px(index_of(hidden)))
    assert corner_distance(guessed, plane.to_px(hidden)) < 0.01


class TestOneCardOrTwo:
    """The product's reason: equal faces are two cards when, and only when, geometry says so."""

    plane = Plane.of_card(project(TILTED, card()))

    def px(self, index: Array) -> Array:
        """Table mm → picture px, seen at a slant."""
        return self.plane.to_px(index)

    def test_both_corners_of_one_card_are_one(self) -> None:
        outline = card(20, 20, 33)
        both = [self.px(index_of(outline, 0)), self.px(index_of(outline, 2))]
        assert group_indices(self.plane, both) == [[0, 1]]

    def test_four_corners_of_one_card_are_one(self) -> None:
        outline = card(20, 20, 120)
        assert group_indices(self.plane, [self.px(index_of(outline, k)) for k in range(4)]) == [[0, 1, 2, 3]]

    @pytest.mark.parametrize("step", [12.0, 16.0, 25.0])
    def test_equal_cards_fanned_sideways_are_as_many_as_they_are(self, step: float) -> None:
        indices = [self.px(index_of(card(k * step, 0))) for k in range(2)]
        assert group_indices(self.plane, indices) == [[0], [1]]

    def test_three_equal_cards_in_a_turned_fan_are_three(self) -> None:
        indices = [self.px(index_of(card(0, 0, turn))) for turn in (-14, 0, 14)]
        spread = [index + np.array([30.0 * k, 0]) for k, index in enumerate(indices)]
        assert len(group_indices(self.plane, spread)) == 3

    def test_a_stack_shifted_down_is_two(self) -> None:
        indices = [self.px(index_of(card(0, 0))), self.px(index_of(card(0, 22)))]
        assert group_indices(self.plane, indices) == [[0], [1]]

    def test_same_place_but_another_direction_is_two(self) -> None:
        one = card(0, 0)
        far = index_of(one, 2)
        across = np.roll(far, 1, axis=0)
        assert not one_card(self.plane, self.px(index_of(one)), self.px(across))

    def test_belonging_is_mutual(self) -> None:
        outline = card(10, 0, 60)
        a, b = self.px(index_of(outline, 0)), self.px(index_of(outline, 2))
        assert one_card(self.plane, a, b)
        assert one_card(self.plane, b, a)


class TestDistinct:
    """Suppression by corners keeps fans and drops repeats."""

    def test_repeats_of_one_outline_become_one_group_led_by_the_best(self) -> None:
        quads = [card(), card(2, 1), np.roll(card(1, -1), 2, axis=0)]
        assert distinct(quads, [0.6, 0.9, 0.7]) == [[1, 2, 0]]

    def test_a_fan_keeps_all_its_cards(self) -> None:
        quads = [card(14.0 * k, 0, turn) for k, turn in enumerate((-15, -5, 5, 15))]
        assert distinct(quads, [0.9, 0.8, 0.7, 0.6]) == [[0], [1], [2], [3]]

    def test_a_picture_printed_on_a_card_is_no_card(self) -> None:
        assert distinct([box_quad((10, 15, 50, 70)), card()], [0.9, 0.5]) == [[1]]

    def test_nothing_stays_nothing(self) -> None:
        assert distinct([], []) == []

    def test_consensus_is_the_mean_whichever_way_round(self) -> None:
        mean = consensus([card(), np.roll(card(4, 2), 2, axis=0)], [0.5, 0.5])
        assert np.allclose(mean, card(2, 1))


def test_as_quad_takes_flat_numbers() -> None:
    assert as_quad([0, 0, 1, 0, 1, 1, 0, 1]).shape == (4, 2)
