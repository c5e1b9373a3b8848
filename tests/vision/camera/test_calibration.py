"""Calibration: tags and tapped corners give millimetres, profiles survive a round trip, boards are what is shipped."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion import resources
from companion.vision.camera.calibration import (
    MATS,
    Calibration,
    CalibrationError,
    CameraProfile,
    Mat,
    calibrate_by_tags,
    find_mat,
    find_tags,
    mat_svg,
    proportions,
    straightened,
    tags_svg,
)
from companion.vision.types import Unit

MAT = MATS["a3"]
CORNERS = np.array([[210, 120], [1080, 90], [1210, 640], [90, 610]], np.float32)


def photograph(mat: Mat = MAT, leave_out: tuple[int, ...] = (), corners: np.ndarray = CORNERS) -> np.ndarray:
    """An oblique 1280 × 720 picture of the mat whose outer corners are at `corners` (px)."""
    scale = 4
    sheet = np.full((int(mat.height * scale), int(mat.width * scale)), 255, np.uint8)
    tag = int(mat.tag * scale)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number in range(4):
        if number not in leave_out:
            x, y = (int(v * scale) for v in mat.corners(number)[0])
            sheet[y : y + tag, x : x + tag] = cv2.aruco.generateImageMarker(dictionary, number, tag)
    size = sheet.shape[1], sheet.shape[0]
    flat = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    matrix = cv2.getPerspectiveTransform(flat - 0.5, corners - 0.5)
    picture = cv2.warpPerspective(sheet, matrix, (1280, 720), flags=cv2.INTER_AREA, borderValue=205)
    return cv2.cvtColor(cv2.GaussianBlur(picture, (3, 3), 0), cv2.COLOR_GRAY2BGR)


@pytest.mark.parametrize("leave_out", [(), (2,)])
def test_tags_give_millimetres(leave_out: tuple[int, ...]) -> None:
    calibration = calibrate_by_tags(photograph(leave_out=leave_out), MAT)
    assert calibration.unit is Unit.MM and calibration.size == (400.0, 277.0) and calibration.picture == (1280, 720)
    table = np.array(calibration.to_table([tuple(c) for c in CORNERS]))
    assert np.abs(table - [[0, 0], [400, 0], [400, 277], [0, 277]]).max() < 2.0


@pytest.mark.parametrize("name", list(MATS))
def test_the_mat_that_lies_there_is_told_from_the_others(name: str) -> None:
    found, calibration = find_mat(photograph(MATS[name]))
    assert found == name and calibration.size == (MATS[name].width, MATS[name].height)


def test_what_hinders_has_a_code_for_the_page() -> None:
    with pytest.raises(CalibrationError) as few:
        find_mat(photograph(leave_out=(0, 3)))
    assert (few.value.code, few.value.params) == ("tags", {"absent": "0, 3"})
    with pytest.raises(CalibrationError) as crossed:
        Calibration.from_corners([(0, 0), (9, 9), (9, 0), (0, 9)], None, (10, 10))
    assert crossed.value.code == "corners"
    with pytest.raises(CalibrationError) as flat:
        Calibration.from_corners([(0, 0), (9, 0), (9, 9), (0, 9)], (400, float("inf")), (10, 10))
    assert flat.value.code == "size"


@pytest.mark.parametrize(("tilt", "turn"), [(0, 0), (0, 25), (20, 10), (45, 30), (55, 0)])
def test_proportions_follow_from_the_perspective(tilt: float, turn: float) -> None:
    """A table of 600 × 400 mm, 1.2 m from a lens of a usual focal length, seen `tilt`° off the vertical."""
    lean, spin = np.deg2rad([tilt, turn])
    about_x = np.array([[1, 0, 0], [0, np.cos(lean), -np.sin(lean)], [0, np.sin(lean), np.cos(lean)]])
    about_z = np.array([[np.cos(spin), -np.sin(spin), 0], [np.sin(spin), np.cos(spin), 0], [0, 0, 1]])
    flat = np.array([[-300, -200, 0], [300, -200, 0], [300, 200, 0], [-300, 200, 0]])
    x, y, z = (about_x @ about_z @ flat.T) + np.array([[30], [-20], [1200]])
    corners = [(640 + 1100 * a / c, 360 + 1100 * b / c) for a, b, c in zip(x, y, z, strict=True)]
    calibration = Calibration.from_corners(corners, None, (1280, 720))
    assert calibration.unit is Unit.FRACTION and proportions(calibration) == pytest.approx(1.5, rel=0.05)


def test_the_straightened_table_shows_what_lies_where() -> None:
    picture = photograph()
    calibration = calibrate_by_tags(picture, MAT)
    flat = straightened(cv2.resize(picture, (640, 360), interpolation=cv2.INTER_AREA), calibration, 800)
    assert flat.shape == (554, 800, 3)
    rim = {"borderType": cv2.BORDER_CONSTANT, "value": (255, 255, 255)}
    tags = find_tags(cv2.copyMakeBorder(straightened(picture, calibration, 1600), 40, 40, 40, 40, **rim))
    assert len(tags) == 4
    for number, quad in tags.items():
        assert np.abs((quad - 40) / 4 - MAT.corners(number)).max() < 2.0


def test_way_there_and_back() -> None:
    calibration = calibrate_by_tags(photograph(), MAT)
    points = ((100.0, 50.0), (350.5, 200.25))
    assert np.allclose(calibration.to_table(calibration.to_picture(points)), points)
    half = calibration.to_picture(points, (640, 360))
    assert np.allclose(np.array(half) * 2, calibration.to_picture(points))
    assert np.allclose(calibration.to_table(half, (640, 360)), points)


def test_too_few_tags_are_named() -> None:
    with pytest.raises(CalibrationError, match="tags 1, 3 are not seen"):
        calibrate_by_tags(photograph(leave_out=(1, 3)), MAT)
    assert find_tags(np.full((40, 40, 3), 128, np.uint8)) == {}


def test_a_tag_seen_twice_is_nobodys() -> None:
    one = photograph()
    assert sorted(find_tags(np.vstack([one, one]))) == []


def test_tags_that_lie_otherwise_than_printed_are_refused() -> None:
    with pytest.raises(CalibrationError, match="do not lie as printed"):
        calibrate_by_tags(photograph(Mat(400, 277, 35)), Mat(250, 600, 60))


def test_tapped_corners_give_millimetres() -> None:
    calibration = Calibration.from_corners([tuple(c) for c in CORNERS], (900, 600), (1280, 720))
    assert np.allclose(calibration.to_table([tuple(CORNERS[2])]), [(900, 600)], atol=0.01)


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0), (10, 0), (10, 10)],
        [(90, 610), (1210, 640), (1080, 90), (210, 120)],
        [(0, 0), (100, 0), (200, 0), (300, 0)],
        [(0, 0), (100, 0), (float("nan"), 50), (0, 100)],
    ],
)
def test_impossible_corners_are_refused(corners: list[tuple[float, float]]) -> None:
    with pytest.raises(CalibrationError):
        Calibration.from_corners(corners, (900, 600), (1280, 720))


def test_a_table_without_area_is_refused() -> None:
    with pytest.raises(CalibrationError):
        Calibration.from_corners([tuple(c) for c in CORNERS], (0, 600), (1280, 720))


def test_without_calibration_units_are_fractions() -> None:
    calibration = Calibration.whole_picture(640, 480)
    assert calibration.unit is Unit.FRACTION
    assert calibration.to_table([(320, 120)]) == ((0.5, 0.25),)
    assert calibration.to_picture([(0.5, 0.25)]) == ((320.0, 120.0),)


def test_profile_round_trip() -> None:
    profile = CameraProfile('the "old" one\n\\', "0", calibrate_by_tags(photograph(), MAT), "four-seats")
    assert CameraProfile.from_toml(profile.to_toml()) == profile


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (("[calibration]", "[other]"), "lacks"),
        (('unit = "mm"', 'unit = "inch"'), "does not fit"),
        (("name = ", "name = = "), "TOML"),
        (("picture = [1280, 720]", "picture = [0, 720]"), "calibrate again"),
        (("size = [400.0, 277.0]", "size = [400.0]"), "does not fit"),
    ],
)
def test_a_broken_profile_is_one_sentence(change: tuple[str, str], word: str) -> None:
    text = CameraProfile("a", "0", calibrate_by_tags(photograph(), MAT)).to_toml()
    assert change[0] in text
    with pytest.raises(CalibrationError, match=word):
        CameraProfile.from_toml(text.replace(*change))


def test_the_printable_boards_are_what_the_program_looks_for() -> None:
    boards = resources.calibration() / "boards"
    assert (boards / "tags-a4.svg").read_text(encoding="utf-8") == tags_svg()
    for name, mat in MATS.items():
        assert (boards / f"mat-{name}.svg").read_text(encoding="utf-8") == mat_svg(mat)


def test_a_drawn_tag_is_the_tag() -> None:
    resvg = pytest.importorskip("resvg_py", reason="draws the SVG")
    drawn = resvg.svg_to_bytes(svg_string=mat_svg(MAT), dpi=96, width=1200)
    image = cv2.imdecode(np.frombuffer(bytes(drawn), np.uint8), cv2.IMREAD_COLOR)
    calibration = calibrate_by_tags(image, MAT)
    scale = 1200 / 420
    ((x, y),) = calibration.to_table([(110 * scale, 60 * scale)])
    assert (x, y) == pytest.approx((100, 50), abs=0.5)
