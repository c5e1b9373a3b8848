"""A camera that was pushed is noticed, and its calibration mended, by tags or by what lies still."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision import images
from companion.vision.camera.bump import Anchor, mended
from companion.vision.camera.calibration import MATS, Calibration, calibrate_by_tags

from .test_calibration import photograph

TABLE = images.fit(images.load(Path(__file__).parents[1] / "pictures" / "table.jpg"), 1280)[0]
HIGH, WIDE = TABLE.shape[:2]


def push(across: float, down: float, degrees: float = 0.0, tilt: float = 0.0, size: float = 1.0) -> np.ndarray:
    """A push of the camera as a homography of the picture, px."""
    matrix = np.vstack([cv2.getRotationMatrix2D((WIDE / 2, HIGH / 2), degrees, size), [0, 0, 1]])
    return np.array([[1, 0, across], [0, 1, down], [tilt, 0, 1]]) @ matrix


def seen(picture: np.ndarray, matrix: np.ndarray, noise: int = 1) -> np.ndarray:
    shown = cv2.warpPerspective(picture, matrix, (picture.shape[1], picture.shape[0]), borderMode=cv2.BORDER_REFLECT)
    grain = np.random.default_rng(noise).normal(0, 3, shown.shape)
    return np.clip(shown + grain, 0, 255).astype(np.uint8)


PUSHES = [
    push(25, -12),
    push(60, 10),
    push(-80, 60, 4),
    push(10, 5, -8),
    push(40, 20, 3, 2e-5),
    push(0, 30, 2, 0, 1.05),
]


@pytest.mark.parametrize("matrix", PUSHES)
def test_a_push_is_measured_by_what_lies_still(matrix: np.ndarray) -> None:
    anchor = Anchor()
    anchor.keep(seen(TABLE, np.eye(3)))
    found = anchor.shift(seen(TABLE, matrix, 2))
    assert found is not None
    before = Calibration.from_corners([(200, 90), (1100, 80), (1200, 800), (60, 790)], (900, 600), (WIDE, HIGH))
    after = mended(before, found, (WIDE, HIGH))
    points = np.array([[x, y] for x in (250, 640, 1050) for y in (150, 400, 700)], np.float64)
    there = cv2.perspectiveTransform(points[None], matrix)[0]
    error = np.array(after.to_table([(x, y) for x, y in there.tolist()])) - np.array(
        before.to_table([(x, y) for x, y in points.tolist()])
    )
    assert np.linalg.norm(error, axis=1).max() < 3.0  # mm


def test_with_tags_it_is_exact() -> None:
    picture = photograph()
    anchor = Anchor()
    anchor.keep(picture)
    matrix = push(45, 20, 3)
    shown = cv2.warpPerspective(picture, matrix, (1280, 720), borderValue=(205,) * 3)
    found = anchor.shift(shown)
    assert found is not None
    first = calibrate_by_tags(picture, MATS["a3"])
    after, truly = mended(first, found, (1280, 720)), calibrate_by_tags(shown, MATS["a3"])
    points = [(400.0, 300.0), (900.0, 250.0), (1000.0, 600.0), (300.0, 550.0)]
    assert np.abs(np.array(after.to_table(points)) - np.array(truly.to_table(points))).max() < 1.0


def test_what_people_do_at_the_table_is_no_push() -> None:
    anchor = Anchor()
    calm = seen(TABLE, np.eye(3))
    anchor.keep(calm)
    assert anchor.shift(seen(TABLE, np.eye(3), 2)) is None
    brighter = np.clip(calm * 1.25, 0, 255).astype(np.uint8)
    assert anchor.shift(brighter) is None
    hand = calm.copy()
    cv2.ellipse(hand, (700, 500), (420, 260), 20, 0, 360, (130, 160, 215), -1)
    assert anchor.shift(hand) is None
    taken_away = np.full_like(calm, calm.reshape(-1, 3).mean(axis=0).astype(np.uint8))
    assert anchor.shift(taken_away) is None


def test_one_card_that_is_carried_across_a_bare_cloth_is_no_push() -> None:
    card = cv2.resize(TABLE[300:500, 400:560], (120, 160))
    pictures = []
    for left in (200, 600):
        shown = np.full((720, 1280, 3), (70, 120, 60), np.uint8)
        shown[200:360, left : left + 120] = card
        pictures.append(seen(shown, np.eye(3), left))
    anchor = Anchor()
    anchor.keep(pictures[0])
    assert anchor.shift(pictures[1]) is None


def test_a_hand_that_has_left_a_bare_cloth_is_no_lost_table() -> None:
    """The table was read while a hand was in the picture; nearly all that had detail was the hand."""
    hand, bare = [np.full((720, 1280, 3), (70, 120, 60), np.uint8) for _ in range(2)]
    hand[300:720, 400:560] = cv2.resize(TABLE[300:500, 400:560], (160, 420))
    arm = ((400.0, 300.0), (560.0, 300.0), (560.0, 720.0), (400.0, 720.0))
    lying = ((900.0, 100.0), (1020.0, 100.0), (1020.0, 260.0), (900.0, 260.0))
    anchor = Anchor()
    anchor.keep(seen(hand, np.eye(3)))
    assert anchor.lost(seen(bare, np.eye(3), 2), [])
    anchor.keep(seen(hand, np.eye(3)), [arm])
    assert not anchor.lost(seen(bare, np.eye(3), 2), [])
    for shown in (hand, bare):
        shown[100:260, 900:1020] = cv2.resize(TABLE[300:500, 400:560], (120, 160))
    anchor.keep(seen(hand, np.eye(3)))
    assert not anchor.lost(seen(bare, np.eye(3), 2), [lying])  # a card lies as it did
    assert anchor.lost(seen(bare, push(60, 10), 2), [lying])
