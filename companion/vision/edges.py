"""Moves a predicted card outline onto the card's edges in the picture.

The detector places corners to a few per cent of a card; the index reader likes better. Each side is looked at along
short profiles across it, a line is fitted through the strongest steps, and where a side shows no line (another
card on it, white on white) the prediction stays.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Array, area, corner_distance, is_sound
from companion.vision.images import Pixels

_SAMPLES = 22
_STEPS = 33
_PEAKS = 2
_BANDS = (0.12, 0.04)
"""How far from the side an edge is looked for, as shares of the card's size: first wide, then close."""

_MOST_MOVED = 0.16
_FAINTEST = 3.0
"""Steps weaker than this many grey levels a sample are taken for noise."""


def paper(image: Pixels) -> NDArray[np.uint8]:
    """The weakest of the three colours: paper stays bright in it, coloured tables turn dark. (height, width)."""
    return np.ascontiguousarray(image.min(axis=2))


def refine(bright: NDArray[np.uint8], quad: Array, bands: Sequence[float] = _BANDS) -> Array:
    """Return the outline with its sides on the edges of `bright` (see `paper`), or `quad` itself.

    The result is refused when it is no sound quad or its corners moved farther than a sixth of the card's size.
    """
    moved = quad
    for band in bands:
        reach = max(1.5, band * float(np.sqrt(abs(area(moved)))))
        lines = [_side_line(bright, moved[side], moved[(side + 1) % 4], reach) for side in range(4)]
        corners = [_meet(lines[side - 1], lines[side]) for side in range(4)]
        if any(corner is None for corner in corners):
            return quad
        moved = np.array(corners, np.float64)
        if not is_sound(moved) or corner_distance(moved, quad) > _MOST_MOVED:
            return quad
    return moved


def _side_line(bright: NDArray[np.uint8], start: Array, end: Array, reach: float) -> tuple[Array, Array]:
    """A point and direction: the edge near the side, or the side itself where no clear edge is seen."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length < 6:
        return start, along
    along = along / length
    outward = np.array([along[1], -along[0]])  # clockwise as seen: the outside lies to the left of the way
    places = np.linspace(0.1, 0.9, _SAMPLES) * length
    offsets = np.linspace(-reach, reach, _STEPS)
    step = _steps(bright, start + places[:, None, None] * along + offsets[None, :, None] * outward)
    step *= np.exp(-0.5 * (offsets / (0.8 * reach)) ** 2)
    peaks = np.where((step >= np.roll(step, 1, axis=1)) & (step >= np.roll(step, -1, axis=1)), step, 0.0)
    chosen = np.argsort(-peaks, axis=1)[:, :_PEAKS]
    strength = np.take_along_axis(peaks, chosen, axis=1).ravel()
    clear = strength > _FAINTEST
    x = np.repeat(places, _PEAKS)[clear]
    fitted = _fit(x, offsets[chosen].ravel()[clear], np.minimum(strength[clear], 25.0), max(0.7, 0.08 * reach), length)
    if fitted is None:
        return start, along
    slope, shift = fitted
    direction = along + slope * outward
    return start + shift * outward, direction / np.linalg.norm(direction)


def _steps(bright: NDArray[np.uint8], grid: Array) -> Array:
    """How much darker it gets outwards at each grid point; getting brighter counts a third (dark borders, backs)."""
    sample = (grid - 0.5).astype(np.float32)  # OpenCV counts from the middle of the first pixel
    profiles = cv2.remap(bright, sample[..., 0], sample[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    smooth = cv2.GaussianBlur(profiles.astype(np.float32), (5, 1), 0)
    fall = -np.gradient(smooth, axis=1)
    return np.asarray(np.where(fall > 0, fall, -fall / 3), np.float64)


def _fit(x: Array, y: Array, weight: Array, tolerance: float, length: float) -> tuple[float, float] | None:
    """The line y = slope · x + shift with the strongest agreement (all pairs tried), or None when it is weak."""
    first, second = np.triu_indices(len(x), 1)
    run = x[second] - x[first]
    wide = run > 0.25 * length
    first, second, run = first[wide], second[wide], run[wide]
    if len(first) == 0:
        return None
    slopes = (y[second] - y[first]) / run
    shifts = y[first] - slopes * x[first]
    agree = np.abs(y[None, :] - slopes[:, None] * x[None, :] - shifts[:, None]) < tolerance
    scores = np.where(np.abs(slopes) < 0.3, (agree * weight).sum(axis=1), 0.0)
    inliers = agree[scores.argmax()]
    if len(np.unique(x[inliers])) < 0.5 * _SAMPLES:
        return None
    slope, shift = np.polyfit(x[inliers], y[inliers], 1)
    return float(slope), float(shift)


def _meet(a: tuple[Array, Array], b: tuple[Array, Array]) -> Array | None:
    """Where two lines (point, direction) cross, or None when they run nearly side by side."""
    (p, d), (q, e) = a, b
    cross = float(d[0] * e[1] - d[1] * e[0])
    if abs(cross) < 1e-3 * float(np.linalg.norm(d) * np.linalg.norm(e)):
        return None
    t = float((q - p)[0] * e[1] - (q - p)[1] * e[0]) / cross
    return np.asarray(p + t * d, np.float64)
