"""A wide lens bends the picture, and the tags tell how; cards alone tell the size of a table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.server.camera.calibrate import AreaRequest, by_cards, by_shares, card_error
from companion.vision.camera.calibration import (
    MATS,
    Calibration,
    CalibrationError,
    CameraProfile,
    calibrate_by_tags,
    find_mat,
    straightened,
)
from companion.vision.camera.lens import bent, straight
from companion.vision.types import CardRead, ReadResult, Side, Unit

from .test_calibration import photograph

SIZE = (1280, 720)
EYE = np.array([[700.0, 0, 640], [0, 700, 360], [0, 0, 1]])  # 85° across: a wide webcam
WIDE = np.array([-0.22, 0.04, 0.0, 0.0, 0.0])
BLANK = np.zeros((720, 1280, 3), np.uint8)
FRONT = np.array([[150, 70], [1110, 50], [1180, 665], [80, 650]], np.float32)


def through_a_wide_lens(picture: np.ndarray) -> np.ndarray:
    """What a webcam shows that bends by Brown's model: another one than ours."""
    places = np.mgrid[0 : SIZE[1], 0 : SIZE[0]].reshape(2, -1)[::-1].T.astype(np.float64)
    there = cv2.undistortPoints(places[:, None], EYE, WIDE, P=EYE)[:, 0].astype(np.float32)
    return cv2.remap(picture, there.reshape(SIZE[1], SIZE[0], 2), None, cv2.INTER_LINEAR, borderValue=(205,) * 3)


def seen_by_it(points: np.ndarray) -> np.ndarray:
    rays = np.column_stack([(points - 0.5 - EYE[:2, 2]) / 700.0, np.ones(len(points))])
    return cv2.projectPoints(rays, np.zeros(3), np.zeros(3), EYE, WIDE)[0][:, 0] + 0.5


@pytest.mark.parametrize("name", ["a3", "a2"])
@pytest.mark.parametrize("noise", [0.0, 4.0])
def test_with_tags_a_wide_webcam_errs_by_three_mm_at_most_up_to_the_edges(name: str, noise: float) -> None:
    mat = MATS[name]
    wide, high = mat.width, mat.height
    picture = through_a_wide_lens(photograph(mat, corners=FRONT)).astype(np.float32)
    picture = np.clip(picture + np.random.default_rng(1).normal(0, noise, picture.shape), 0, 255).astype(np.uint8)
    found = calibrate_by_tags(picture, mat)
    shares = np.linspace(0, 1, 21)
    edge = np.array(
        [(x * wide, y) for x in shares for y in (0, high / 2, high)]
        + [(x, y * high) for y in shares for x in (0, wide)]
    )
    to_px = cv2.getPerspectiveTransform(np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32), FRONT)
    truly = seen_by_it(cv2.perspectiveTransform(edge[None], to_px.astype(np.float64))[0])
    error = np.linalg.norm(np.array(found.to_table([(x, y) for x, y in truly.tolist()])) - edge, axis=1)
    assert found.lens < -0.03
    assert error.max() < 3.0
    assert found.error is not None and found.error < 1.5
    corners = [(x, y) for x, y in seen_by_it(FRONT.astype(np.float64)).tolist()]
    without = Calibration.from_corners(corners, (wide, high), SIZE)
    bare = np.linalg.norm(np.array(without.to_table([(x, y) for x, y in truly.tolist()])) - edge, axis=1)
    assert bare.max() > 5.0  # so it is the lens term that does it
    again = Calibration.from_corners(corners, (wide, high), SIZE, found.lens)
    assert np.abs(np.array(again.to_table(corners)) - np.array(found.to_table(corners))).max() < 3.0


def test_a_straight_lens_stays_straight_and_mats_are_told_apart_through_a_bent_one() -> None:
    assert calibrate_by_tags(photograph(), MATS["a3"]).lens == 0.0
    for name in MATS:
        assert find_mat(through_a_wide_lens(photograph(MATS[name], corners=FRONT)))[0] == name


@pytest.mark.parametrize("lens", [-0.5, -0.1, 0.0, 0.1])
def test_there_and_back(lens: float) -> None:
    points = np.random.default_rng(0).uniform((0, 0), SIZE, (200, 2))
    assert np.allclose(straight(bent(points, lens, SIZE), lens, SIZE), points, atol=1e-6)
    calibration = Calibration.from_corners([(200, 90), (1100, 80), (1200, 700), (60, 690)], (600, 400), SIZE, lens)
    there = calibration.to_table([(x, y) for x, y in points[:9].tolist()])
    assert np.allclose(calibration.to_picture(there), points[:9], atol=1e-5)
    assert CameraProfile.from_toml(CameraProfile("t", "0", calibration).to_toml()).calibration == calibration


def test_the_straightened_table_of_a_bent_picture_is_straight() -> None:
    picture = through_a_wide_lens(photograph(corners=FRONT))
    flat = straightened(picture, calibrate_by_tags(picture, MATS["a3"]), 800)
    framed = cv2.copyMakeBorder(flat, 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    tags = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)).detectMarkers(framed)
    places = {int(n): quad[0] for n, quad in zip(tags[1].ravel(), tags[0], strict=True)}
    assert set(places) == set(range(4))
    assert max(np.abs(quad - 19.5 - 2 * MATS["a3"].corners(n)).max() for n, quad in places.items()) < 5


def cards_at(
    *places: tuple[float, float, float], corners: np.ndarray = FRONT, card: tuple[float, float] = (63, 88)
) -> ReadResult:
    """Cards (middle in mm, angle in degrees) on a table of 600 × 400 mm whose corners are at `corners` px."""
    to_px = cv2.getPerspectiveTransform(np.array([[0, 0], [600, 0], [600, 400], [0, 400]], np.float32), corners)
    noise = np.random.default_rng(2)
    found = []
    for x, y, angle in places:
        turn = np.deg2rad(angle)
        quad = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(card) / 2
        quad = quad @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + (x, y)
        px = cv2.perspectiveTransform(quad[None], to_px.astype(np.float64))[0] + noise.normal(0, 0.7, (4, 2))
        a, b, c, d = ((float(u), float(v)) for u, v in px)
        found.append(CardRead(None, 0.9, Side.DOWN, (a, b, c, d)))
    return ReadResult(*SIZE, 0.0, tuple(found))


SIX = ((80, 90, 3), (300, 80, 95), (520, 100, 10), (90, 310, 170), (310, 320, 45), (510, 300, 80))


def test_cards_alone_measure_the_table() -> None:
    read = cards_at(*SIX)
    found = AreaRequest(cards=True).on(np.zeros((720, 1280, 3), np.uint8), lambda: read)
    truth = Calibration.from_corners([(x, y) for x, y in FRONT.tolist()], (600, 400), SIZE)
    points = [(300.0, 200.0), (700.0, 350.0), (900.0, 150.0), (250.0, 550.0)]
    ours, theirs = np.array(found.to_table(points)), np.array(truth.to_table(points))
    apart = [np.linalg.norm(p[i] - p[j]) for p in (ours, theirs) for i in range(4) for j in range(i)]
    assert np.abs(np.array(apart[:6]) - apart[6:]).max() < 15.0  # of up to 400 mm
    error = card_error(found, read)
    assert error is not None and error < 3.0


def test_too_few_cards_are_refused_with_a_code_and_a_wrong_size_shows() -> None:
    with pytest.raises(CalibrationError) as few:
        by_cards(cards_at(*SIX[:3]))
    assert few.value.code == "cards"
    corners = [(x, y) for x, y in FRONT.tolist()]
    right, wrong = (Calibration.from_corners(corners, size, SIZE) for size in ((600, 400), (660, 440)))
    right_error, wrong_error = card_error(right, cards_at(*SIX)), card_error(wrong, cards_at(*SIX))
    assert right_error is not None and wrong_error is not None
    assert right_error < 1.5 < 5 < wrong_error
    assert card_error(Calibration.whole_picture(*SIZE), cards_at(*SIX)) is None


def area(*corners: tuple[float, float]) -> AreaRequest:
    return AreaRequest(tuple((x / SIZE[0], y / SIZE[1]) for x, y in corners))


@pytest.mark.parametrize("card", [(63, 88), (57, 88)])
@pytest.mark.parametrize("places", [SIX, SIX[:2], SIX[1:3], (*SIX, (300, 200, 90))])
def test_cards_inside_four_corners_tell_how_large_the_table_is(
    card: tuple[float, float], places: tuple[tuple[float, float, float], ...]
) -> None:
    read = cards_at(*places, card=card)
    found = area(*FRONT.tolist()).on(BLANK, lambda: read)
    assert found.unit is Unit.MM
    assert np.allclose(found.size, (600, 400), rtol=0.025)
    error = card_error(found, read)
    assert error is not None and error < 3.0


ASKEW = np.array([[150, 70], [1110, 50], [900, 500], [80, 650]], np.float32)


@pytest.mark.parametrize(
    ("corners", "places", "least"),
    [
        (ASKEW, SIX, 10.0),
        (FRONT, SIX[:1], None),
        (FRONT, ((300, 200, 45), (90, 90, 45)), None),
        (FRONT, ((300, 200, 0), (90, 90, 0), (500, 90, 180)), None),
    ],
)
def test_corners_that_the_cards_do_not_bear_out_stay_shares_and_say_by_how_much(
    corners: np.ndarray, places: tuple[tuple[float, float, float], ...], least: float | None
) -> None:
    read = cards_at(*places)
    found = area(*corners.tolist()).on(BLANK, lambda: read)
    assert found.unit is Unit.FRACTION
    shares = by_shares(found, read)
    error = card_error(shares, read) if shares else None
    assert (error is None and least is None) or (error is not None and least is not None and error > least)


@pytest.mark.parametrize("request_", [AreaRequest(), AreaRequest(((0, 0), (1, 0), (1, 1), (0, 1)))])
@pytest.mark.parametrize(
    ("corners", "least", "most"),
    [
        ([[30, 30], [1182, 30], [1182, 678], [30, 678]], 0, 3),
        ([[420, 120], [860, 120], [1250, 700], [30, 700]], 8, 60),
    ],
)
def test_of_the_whole_picture_four_cards_tell_how_far_it_is_from_the_table(
    request_: AreaRequest, corners: list[list[float]], least: float, most: float
) -> None:
    there = np.array(corners, np.float32)
    read = cards_at(*SIX, corners=there)
    found = request_.on(BLANK, lambda: read)
    assert found == Calibration.whole_picture(*SIZE)
    shares = by_shares(found, read)
    error = card_error(shares, read) if shares else None
    assert error is not None and least <= error < most
    assert by_shares(found, cards_at(*SIX[:3], corners=there)) is None
