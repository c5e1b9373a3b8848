"""From picture px to table coordinates: by four printed tags, by four tapped corners, or not at all.

A `Calibration` is one homography and one lens term (`lens`). With it, table coordinates are millimetres, x to the right
and y towards the bottom of the picture as the tags or corners are numbered; without it they are fractions of the
picture. Tags are ArUco markers of the dictionary 4x4_50, number 0 top left, then clockwise; `mat_svg` and `tags_svg`
draw what to print. A `CameraProfile` keeps the result for the next evening, as TOML.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import lens as lenses
from companion.vision.camera import parameters
from companion.vision.images import Pixels
from companion.vision.types import Point, Unit

TAG_DICTIONARY = cv2.aruco.DICT_4X4_50
TAG_CELLS = 6  # 4 × 4 bits in a black border
_NOT_AS_PRINTED = "The tags do not lie as printed: one in each corner of the table, all the same way up."


class CalibrationError(ValueError):
    """The picture, the corners or the profile do not give a calibration; one sentence says why and what to do. `code`
    and `params` say the same for catalogues: ``corners``, ``size``, ``tags`` (`absent`), ``mat`` or ``profile``."""

    def __init__(self, message: str, code: str = "profile", **params: str) -> None:
        super().__init__(message)
        self.code, self.params = code, params


@dataclass(frozen=True, slots=True)
class Mat:
    """A rectangle of `width` × `height` mm with a tag of `tag` mm in each corner, outer corners on the rectangle."""

    width: float
    height: float
    tag: float

    def corners(self, number: int) -> NDArray[np.float64]:
        """The four corners (4, 2) of tag `number` on the mat, mm, clockwise from its top left."""
        left = 0.0 if number in (0, 3) else self.width - self.tag
        top = 0.0 if number in (0, 1) else self.height - self.tag
        side = self.tag
        return np.array([[left, top], [left + side, top], [left + side, top + side], [left, top + side]])


MATS = {"a4": Mat(277.0, 190.0, 30.0), "a3": Mat(400.0, 277.0, 35.0), "a2": Mat(574.0, 400.0, 40.0)}
"""Mats that fit sheets of these sizes (landscape, 10 mm from the edges)."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How picture px become table coordinates.

    `matrix`: row-major homography, px → table units. `size`: width and height of the table area in table units.
    `picture`: width and height of the pictures it holds for, px; others are scaled to it. `lens`: see
    `companion.vision.camera.lens`; the matrix holds for straightened px. `error`: how far the tags lie from where they
    ought to, root mean square, mm; None where nothing tells.
    """

    unit: Unit
    size: tuple[float, float]
    matrix: tuple[float, ...]
    picture: tuple[int, int]
    lens: float = 0.0
    error: float | None = None

    @classmethod
    def whole_picture(cls, width: int, height: int) -> Calibration:
        """None at all: table coordinates are fractions of the picture."""
        return cls(Unit.FRACTION, (1.0, 1.0), (1 / width, 0, 0, 0, 1 / height, 0, 0, 0, 1), (width, height))

    @classmethod
    def from_corners(
        cls,
        corners: Sequence[Point],
        size: tuple[float, float] | None,
        picture: tuple[int, int],
        lens: float = 0.0,
    ) -> Calibration:
        """From four points a person tapped: the corners of a rectangle of `size` mm, clockwise from its top left, px.

        Where nobody measured (`size` None) table coordinates are fractions of the rectangle. Raises CalibrationError
        when the points are not the corners of a convex shape with some area.
        """
        points = np.asarray(corners, np.float64)
        if points.shape != (4, 2) or not np.isfinite(points).all():
            raise CalibrationError("A calibration needs four corners.", "corners")
        points = lenses.straight(points, lens, picture)
        unit, size = (Unit.MM, size) if size is not None else (Unit.FRACTION, (1.0, 1.0))
        if not 0 < min(size) <= max(size) < math.inf:
            raise CalibrationError(f"A table of {size[0]} × {size[1]} mm has no area.", "size")
        side = np.roll(points, -1, axis=0) - points
        after = np.roll(side, -1, axis=0)
        turns = side[:, 0] * after[:, 1] - side[:, 1] * after[:, 0]
        if not (turns > 1e-3 * picture[0] * picture[1] * 0.01).all():
            raise CalibrationError(
                "The four corners have to be tapped clockwise, beginning at the top left.", "corners"
            )
        table = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
        matrix = cv2.getPerspectiveTransform(points.astype(np.float32), table)
        return cls(unit, (float(size[0]), float(size[1])), _flat(matrix), picture, lens)

    def suits(self, image: Pixels) -> bool:
        """A picture of this shape may be meant: not one of a camera that was turned on its side since."""
        height, width = image.shape[:2]
        return bool(abs(width * self.picture[1] / (height * self.picture[0]) - 1) < parameters.SHAPE_ERROR)

    def to_table(self, points: Sequence[Point], picture: tuple[int, int] | None = None) -> tuple[Point, ...]:
        """Table coordinates of points in a picture of `picture` px (default: of the calibration's own size)."""
        scale = _scale(picture, self.picture)
        flat = lenses.straight(np.asarray(list(points), np.float64).reshape(-1, 2) * scale, self.lens, self.picture)
        return _mapped(flat, np.reshape(self.matrix, (3, 3)))

    def to_picture(self, points: Sequence[Point], picture: tuple[int, int] | None = None) -> tuple[Point, ...]:
        """Picture px of table coordinates; reverse of `to_table`."""
        inverse = np.asarray(np.linalg.inv(np.reshape(self.matrix, (3, 3))), np.float64)
        flat = _mapped(np.asarray(list(points), np.float64), inverse)
        back = lenses.bent(np.asarray(flat, np.float64).reshape(-1, 2), self.lens, self.picture).tolist()
        scale = _scale(picture, self.picture)
        return tuple((x / scale[0], y / scale[1]) for x, y in back)


def find_tags(image: Pixels) -> dict[int, NDArray[np.float64]]:
    """Corners (4, 2) in px of every tag 0..3 in the picture, clockwise from the tag's own top left.

    A tag seen twice is left out: nobody can say which one is meant.
    """
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(TAG_DICTIONARY), parameters)
    corners, numbers, _ = detector.detectMarkers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    found: dict[int, list[NDArray[np.float64]]] = {}
    if numbers is not None:
        for number, quad in zip(np.ravel(numbers), corners, strict=True):
            # Tag corners come as pixel centres; ours count from the corner of the first pixel.
            found.setdefault(int(number), []).append(np.asarray(quad, np.float64).reshape(4, 2) + 0.5)
    return {number: quads[0] for number, quads in sorted(found.items()) if number < 4 and len(quads) == 1}


def calibrate_by_tags(image: Pixels, mat: Mat) -> Calibration:
    """Find the mat's tags in a picture. Three of the four are enough.

    Raises CalibrationError that names the tags that were not found, or says that they do not lie as on the mat.
    """
    calibration, error = _fitted(image, _enough(find_tags(image)), mat)
    if error > parameters.TAG_ERROR:
        raise CalibrationError(_NOT_AS_PRINTED, "mat")
    return calibration


def find_mat(image: Pixels) -> tuple[str, Calibration]:
    """Which of the `MATS` lies in a picture, and the calibration by it. Raises CalibrationError as `calibrate_by_tags`.

    The mats differ in the share of their width that a tag has, so the right one fits best.
    """
    tags = _enough(find_tags(image))
    fits = {name: _fitted(image, tags, mat) for name, mat in MATS.items()}
    name = min(fits, key=lambda one: fits[one][1])
    calibration, error = fits[name]
    if error > parameters.TAG_ERROR:
        raise CalibrationError(_NOT_AS_PRINTED, "mat")
    return name, calibration


def _enough(tags: dict[int, NDArray[np.float64]]) -> dict[int, NDArray[np.float64]]:
    if len(tags) < 3:
        absent = ", ".join(str(n) for n in range(4) if n not in tags)
        sentence = f"The tags {absent} are not seen: bring them into the picture, flat and in good light."
        raise CalibrationError(sentence, "tags", absent=absent)
    return tags


def _fitted(image: Pixels, tags: dict[int, NDArray[np.float64]], mat: Mat) -> tuple[Calibration, float]:
    """The calibration if the tags are those of `mat`, and how far a corner lies from its place, in tag sides."""
    seen = np.concatenate([tags[n] for n in tags])
    real = np.concatenate([mat.corners(n) for n in tags])
    picture = (image.shape[1], image.shape[0])
    lens = lenses.estimated(seen, real, picture)
    matrix, _ = cv2.findHomography(lenses.straight(seen, lens, picture), real)
    if matrix is None:
        raise CalibrationError(_NOT_AS_PRINTED, "mat")
    calibration = Calibration(Unit.MM, (mat.width, mat.height), _flat(matrix), picture, lens)
    away = np.linalg.norm(np.array(calibration.to_table([(x, y) for x, y in seen.tolist()])) - real, axis=1)
    error = round(float(np.sqrt((away**2).mean())), 2)
    return replace(calibration, error=error), float(away.max()) / mat.tag


def proportions(calibration: Calibration) -> float:
    """Width of the table area over its height; where nobody measured, estimated from the perspective to some percent.

    Square pixels and a usual lens (`parameters.FOCAL`) whose axis meets the middle of the picture are taken for granted
    (Zhang and He, "Whiteboard scanning and image enhancement", 2007, eqs. 11 to 20, with the focal length given).
    """
    if calibration.unit is Unit.MM:
        return calibration.size[0] / calibration.size[1]
    flat = np.array(calibration.to_picture([(0, 0), (1, 0), (0, 1), (1, 1)])) - np.array(calibration.picture) / 2
    m1, m2, m3, m4 = np.column_stack([flat / (parameters.FOCAL * max(calibration.picture)), np.ones(4)])
    along = np.cross(m1, m4) @ m3 / (np.cross(m2, m4) @ m3) * m2 - m1
    down = np.cross(m1, m4) @ m2 / (np.cross(m3, m4) @ m2) * m3 - m1
    return float(np.linalg.norm(along) / np.linalg.norm(down))


def straightened(image: Pixels, calibration: Calibration, longest: int = 960) -> Pixels:
    """The table area of a picture as seen from straight above, its longer side `longest` px."""
    shape = proportions(calibration)
    width, height = (
        (longest, max(1, round(longest / shape))) if shape >= 1 else (max(1, round(longest * shape)), longest)
    )
    if calibration.lens:
        grow = np.diag([calibration.size[0] / width, calibration.size[1] / height, 1.0])
        back = np.linalg.inv(np.reshape(calibration.matrix, (3, 3))) @ grow
        places = np.ascontiguousarray(np.mgrid[0:height, 0:width].reshape(2, -1)[::-1].T + 0.5)
        there = lenses.bent(cv2.perspectiveTransform(places[None], back)[0], calibration.lens, calibration.picture)
        there *= np.array([image.shape[1], image.shape[0]]) / np.array(calibration.picture)
        wanted = (there - 0.5).astype(np.float32).reshape(height, width, 2)
        across, down = (np.ascontiguousarray(wanted[..., axis]) for axis in (0, 1))
        return np.asarray(cv2.remap(image, across, down, cv2.INTER_LINEAR), np.uint8)
    own = np.diag([calibration.picture[0] / image.shape[1], calibration.picture[1] / image.shape[0], 1.0])
    grow = np.diag([width / calibration.size[0], height / calibration.size[1], 1.0])
    matrix = grow @ np.reshape(calibration.matrix, (3, 3)) @ own
    return np.asarray(cv2.warpPerspective(image, matrix, (width, height), flags=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True, slots=True)
class CameraProfile:
    """What is worth keeping about a camera on its stand: what to open, how it is calibrated, which layout it sees."""

    name: str
    source: str
    calibration: Calibration
    layout: str = ""

    def to_toml(self) -> str:
        """The profile as a small TOML text, to be read and mended by people."""
        c = self.calibration
        error = "" if c.error is None else f"error = {c.error!r}\n"
        rows = ",\n".join("    " + ", ".join(repr(float(v)) for v in c.matrix[i : i + 3]) for i in (0, 3, 6))
        return (
            f"name = {_quoted(self.name)}\nsource = {_quoted(self.source)}\nlayout = {_quoted(self.layout)}\n\n"
            f'[calibration]\nunit = "{c.unit.value}"\nsize = [{c.size[0]!r}, {c.size[1]!r}]\n'
            f"picture = [{c.picture[0]}, {c.picture[1]}]\nlens = {c.lens!r}\n{error}matrix = [\n{rows},\n]\n"
        )

    @classmethod
    def from_toml(cls, text: str) -> CameraProfile:
        """Reverse of `to_toml`. Raises CalibrationError with one sentence when the text is something else."""
        try:
            data = tomllib.loads(text)
            c = data["calibration"]
            matrix = tuple(float(v) for v in c["matrix"])
            size, picture = (float(v) for v in c["size"]), (int(v) for v in c["picture"])
            width, height = size
            across, down = picture
            unit, lens = Unit(c["unit"]), float(c.get("lens", 0.0))
            exact = float(c["error"]) if "error" in c else None
            strings = (str(data["name"]), str(data["source"]), str(data.get("layout", "")))
        except tomllib.TOMLDecodeError as error:
            raise CalibrationError(f"The camera profile is not valid TOML: {error}.") from error
        except KeyError as error:
            raise CalibrationError(f"The camera profile lacks {error.args[0]!r}.") from error
        except (TypeError, ValueError) as error:
            raise CalibrationError(f"The camera profile has a value that does not fit: {error}.") from error
        valid = len(matrix) == 9 and np.isfinite(matrix).all() and abs(np.linalg.det(np.reshape(matrix, (3, 3)))) > 0
        valid = valid and -1 < lens < 1
        if not valid or min(across, down, width, height) <= 0:
            raise CalibrationError("The camera profile's matrix, size or picture cannot be right: calibrate again.")
        calibration = Calibration(unit, (width, height), matrix, (across, down), lens, exact)
        return cls(strings[0], strings[1], calibration, strings[2])


def mat_svg(mat: Mat, margin: float = 10.0) -> str:
    """The mat as an SVG page in mm: four tags, a thin frame between them, its size as plain numbers."""
    body = "".join(_tag_svg(n, margin + float(mat.corners(n)[0][0]), margin + float(mat.corners(n)[0][1]), mat.tag)
                   for n in range(4))  # fmt: skip
    middle = margin + mat.width / 2
    body += (
        f'<rect x="{margin}" y="{margin}" width="{mat.width}" height="{mat.height}" fill="none" stroke="#bbb" '
        f'stroke-width="0.3"/><text x="{middle}" y="{margin + 5}" font-family="sans-serif" font-size="4" fill="#888" '
        f'text-anchor="middle">{mat.width:g} × {mat.height:g} mm</text>'
    )
    return _page(mat.width + 2 * margin, mat.height + 2 * margin, body)


def tags_svg(tag: float = 60.0) -> str:
    """An A4 page with the four tags to cut out along the thin lines, each with its number, for tables of any size."""
    body = ""
    for number in range(4):
        x = 30.0 if number in (0, 3) else 30.0 + tag + 30
        y = 30.0 if number in (0, 1) else 30.0 + tag + 40
        frame = tag + 16
        body += (
            f'<rect x="{x - 8}" y="{y - 8}" width="{frame}" height="{frame + 6}" fill="none" stroke="#bbb" '
            f'stroke-width="0.2" stroke-dasharray="2 2"/>{_tag_svg(number, x, y, tag)}'
            f'<text x="{x + tag / 2}" y="{y + tag + 9}" font-family="sans-serif" font-size="5" fill="#888" '
            f'text-anchor="middle">{number} · {tag:g} mm</text>'
        )
    return _page(210, 297, body)


def _tag_svg(number: int, x: float, y: float, side: float) -> str:
    """One tag as black cells on white; the white rim is the page itself."""
    dictionary = cv2.aruco.getPredefinedDictionary(TAG_DICTIONARY)
    bits = np.asarray(cv2.aruco.generateImageMarker(dictionary, number, TAG_CELLS, borderBits=1)) > 127
    cell = side / TAG_CELLS
    squares = "".join(
        f'<rect x="{x + column * cell:.3f}" y="{y + row * cell:.3f}" width="{cell:.3f}" height="{cell:.3f}"/>'
        for row in range(TAG_CELLS)
        for column in range(TAG_CELLS)
        if bits[row, column]
    )
    return f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="#000"/><g fill="#fff">{squares}</g>'


def _page(width: float, height: float, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}"><rect width="100%" height="100%" fill="#fff"/>{body}</svg>\n'
    )


def _mapped(points: NDArray[np.float64], matrix: NDArray[np.float64]) -> tuple[Point, ...]:
    ahead = np.column_stack([points, np.ones(len(points))]) @ np.asarray(matrix).T
    flat = ahead[:, :2] / ahead[:, 2:]
    return tuple((x, y) for x, y in flat.tolist())


def _scale(picture: tuple[int, int] | None, own: tuple[int, int]) -> NDArray[np.float64]:
    return np.array([1.0, 1.0]) if picture is None else np.array([own[0] / picture[0], own[1] / picture[1]])


def _flat(matrix: NDArray[np.generic]) -> tuple[float, ...]:
    return tuple(float(v) for v in np.asarray(matrix, np.float64).ravel())


def _quoted(text: str) -> str:
    # A JSON string is a valid TOML basic string.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
