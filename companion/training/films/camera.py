"""The camera over the table: where it hangs, its light, its noise, and when somebody pushes it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from companion.training.films.spec import Film
from companion.vision.camera.calibration import Calibration
from companion.vision.types import Unit

Array = np.ndarray
SHAKE = 0.5
"""So long (s) the picture shakes after a push."""


def project(matrix: Array, points: Array) -> Array:
    """Points (n, 2) through a homography."""
    homogeneous = np.c_[points, np.ones(len(points))] @ matrix.T
    return homogeneous[:, :2] / homogeneous[:, 2:]


@dataclass(frozen=True, slots=True)
class Push:
    """The camera is pushed at `time` s: afterwards the picture is `shift` (x, y) px further, turned by `turn`
    degrees."""

    time: float
    shift: tuple[float, float]
    turn: float

    def matrix(self, size: tuple[int, int], share: float = 1.0) -> Array:
        """What it does to picture px, for a `share` of the push."""
        angle = math.radians(self.turn * share)
        c, s = math.cos(angle), math.sin(angle)
        x, y = size[0] / 2, size[1] / 2
        dx, dy = self.shift[0] * share, self.shift[1] * share
        return np.array([[c, -s, x - c * x + s * y + dx], [s, c, y - s * x - c * y + dy], [0, 0, 1]])


@dataclass(frozen=True, slots=True)
class Camera:
    """`first`: homography from table mm to px before any push; `size` (width, height) px; `table` (width, depth) mm."""

    first: Array
    size: tuple[int, int]
    table: tuple[float, float]
    pushes: tuple[Push, ...] = ()

    def at(self, time: float) -> Array:
        """The homography from table mm to px at a time, shaking included."""
        matrix = self.first
        for push in self.pushes:
            since = time - push.time
            if since >= 0:
                swing = 1 - math.exp(-since * 9) * math.cos(since * 26) if since < SHAKE else 1.0
                matrix = push.matrix(self.size, swing) @ matrix
        return matrix

    def calibration(self, time: float) -> Calibration:
        """The calibration that holds then, once nothing shakes any more."""
        matrix = self.first
        for push in self.pushes:
            if time >= push.time:
                matrix = push.matrix(self.size) @ matrix
        flat = np.linalg.inv(matrix)
        return Calibration(Unit.MM, self.table, tuple(float(v) for v in (flat / flat[2, 2]).ravel()), self.size)


def hang(film: Film, table: tuple[float, float]) -> Camera:
    """The film's camera, so that the whole table is in the picture."""
    rng, ranges = film.rng("camera"), film.ranges
    tilt, yaw = math.radians(rng.uniform(*ranges.tilt)), math.radians(rng.uniform(*ranges.yaw))
    distance = max(table) * rng.uniform(1.1, 2.2)
    c, s = math.cos(yaw), math.sin(yaw)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    centre = np.array([[1, 0, -table[0] / 2], [0, 1, -table[1] / 2], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, math.cos(tilt), 0], [0, -math.sin(tilt) / distance, 1]])
    raw = turn @ lean @ centre
    corners = project(raw, np.array([[0, 0], [table[0], 0], [table[0], table[1]], [0, table[1]]], float))
    low, high = corners.min(0), corners.max(0)
    margin = rng.uniform(*ranges.margin)
    scale = float(np.min(np.array(film.size) * (1 - 2 * margin) / (high - low)))
    shift = np.array(film.size) / 2 - scale * (low + high) / 2
    fit = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]])
    matrix = fit @ raw
    return Camera(matrix / matrix[2, 2], film.size, table)


class Sensor:
    """Lamp, exposure, noise and JPEG: from the painted table to what a webcam sends."""

    def __init__(self, film: Film, seconds: float = 0.0) -> None:
        """`seconds`: length of the film, over which changes of light are spread."""
        rng, ranges = film.rng("light"), film.ranges
        count, turns = film.accidents.lights, film.rng("lamps")
        self._changes = [
            ((k + 0.7) * seconds / count, float(turns.choice([0.72, 0.8, 1.2, 1.3]))) for k in range(count)
        ]
        width, height = film.size
        corners = rng.uniform(ranges.lamp[0], 1.0, (3, 4, 1)).astype(np.float32)
        corners *= ranges.lamp[1] / corners.max()
        tint = np.clip(1 + np.array([-0.06, 0, 0.04]) * rng.uniform(-0.5, 1.5), 0.8, 1.0).astype(np.float32)
        lamp = cv2.resize(corners, (width, height), interpolation=cv2.INTER_CUBIC)[..., None] * tint
        self._lamp = np.clip(lamp * 255, 0, 255).astype(np.uint8)
        self.gain = rng.uniform(*ranges.exposure) / float(lamp.max())
        self.breathing = rng.uniform(*ranges.breathing)
        noise = rng.normal(12, rng.uniform(*ranges.noise), (height + 64, width + 64, 3))
        self._noise = np.clip(cv2.GaussianBlur(noise.astype(np.float32), (0, 0), 0.5), 0, 24).astype(np.uint8)
        self._soft = float(rng.uniform(0.3, 0.75))
        self._quality = int(rng.integers(ranges.quality[0], ranges.quality[1] + 1))
        self._rng = film.rng("noise")

    def _light(self, time: float) -> float:
        """How bright it is at a time, as the camera's exposure has it: it adapts within seconds, not wholly."""
        gain = 1.0
        for at, change in self._changes:
            since = time - at
            if since >= 0:
                gain *= 1 + (change - 1) * (0.4 + 0.6 * math.exp(-since / 1.5)) * min(1.0, since / 0.15)
        return gain

    def take(self, painted: Array, hands: float, time: float = 0.0) -> Array:
        """The painted picture (BGR, uint8) as it arrives at `time` s; `hands`: share of it that hands cover."""
        height, width = painted.shape[:2]
        y, x = self._rng.integers(0, 64, 2)
        lit = cv2.multiply(painted, self._lamp, scale=1 / 255)
        if self._soft > 0.45:
            lit = cv2.GaussianBlur(lit, (3, 3), self._soft)
        gain = self.gain * self._light(time) * (1 + self.breathing * (0.3 - hands) + self._rng.normal(0, 0.002))
        noisy = cv2.addWeighted(lit, gain, self._noise[y : y + height, x : x + width], 1.0, -12.0)
        sent = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, self._quality])[1]
        return cv2.imdecode(sent, cv2.IMREAD_COLOR)
