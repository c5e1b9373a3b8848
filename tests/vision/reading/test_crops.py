"""Windows of a picture straightened to the networks' sizes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.reading.crops import INDEX_SIZE, rectify, rectify_all

RNG = np.random.default_rng(4)


def smooth(high: int, wide: int) -> np.ndarray:
    """A picture without anything smaller than a few px."""
    coarse = RNG.integers(0, 256, (high // 40, wide // 40, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC), np.uint8)


def window(middle: tuple[float, float], scale: float, angle: float) -> np.ndarray:
    wide, high = np.array(INDEX_SIZE) * scale
    half = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return half @ turn + middle


@pytest.mark.parametrize("scale", [0.5, 1.0, 1.6, 3.0, 7.0])
def test_a_window_shows_what_lies_there_however_large_it_is(scale: float) -> None:
    picture, quad = smooth(1080, 1920), window((960, 540), scale, 0.4)
    crop = rectify(picture, quad, INDEX_SIZE).astype(float)
    for column, row in ((0, 0), (47, 0), (24, 32), (5, 60)):
        x, y = (np.array([column, row]) + 0.5) / INDEX_SIZE
        place = (1 - y) * ((1 - x) * quad[0] + x * quad[1]) + y * ((1 - x) * quad[3] + x * quad[2])
        around = picture[int(place[1]) - 2 : int(place[1]) + 3, int(place[0]) - 2 : int(place[0]) + 3]
        assert np.abs(crop[row, column] - around.mean(axis=(0, 1))).max() < 12


@pytest.mark.parametrize("scale", [2.0, 4.0, 9.0])
def test_a_fine_pattern_turns_grey_and_makes_no_stripes(scale: float) -> None:
    picture = np.zeros((1080, 1920, 3), np.uint8)
    picture[:, ::2] = 255
    crop = rectify(picture, window((900, 500), scale, 0.0), INDEX_SIZE)[2:-2, 2:-2]
    assert crop.min() > 100
    assert crop.max() < 155


def test_a_large_window_beyond_the_picture_repeats_its_rim() -> None:
    picture = np.full((200, 300, 3), 90, np.uint8)
    for middle in ((0.0, 0.0), (290.0, 190.0), (-900.0, 50.0)):
        assert (rectify(picture, window(middle, 6.0, 0.3), INDEX_SIZE) == 90).all()


def test_many_windows_are_what_each_is_by_itself() -> None:
    picture = smooth(720, 1280)
    windows = [window((200.0 * k + 100, 300.0), scale, 0.2 * k) for k, scale in enumerate((0.7, 4.0, 1.8, 1.0, 6.0))]
    for crop, one in zip(rectify_all(picture, windows, INDEX_SIZE), windows, strict=True):
        assert (crop == rectify(picture, one, INDEX_SIZE)).all()


@pytest.mark.parametrize("scale", [0.7, 1.5])
def test_a_large_crop_shows_in_more_pixels_what_a_small_one_shows(scale: float) -> None:
    picture, quad = smooth(720, 1280), window((640, 360), 2.5 * scale, 0.3)
    small, large = (rectify(picture, quad, (112 * times, 144 * times)) for times in (1, 2))
    halved = cv2.resize(large, (112, 144), interpolation=cv2.INTER_AREA)
    assert np.abs(halved.astype(int) - small).max() <= 2
