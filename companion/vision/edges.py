"""Moves a predicted card outline onto the card's edges in the picture.

The detector places corners to a few per cent of a card; the index reader likes better. Each side is looked at along
short profiles across it, a line is fitted through the strongest steps, and where a side shows no line (another
card on it, white on white) the prediction stays.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Array, area, corner_distance, is_sound

_SAMPLES = 28
_STEPS = 25
_MOST_MOVED = 0.10


def refine(grey: NDArray[np.uint8], quad: Array, band: float = 0.07) -> Array:
    """Return the outline with its sides on the edges of `grey` (height, width), or `quad` itself.

    `band` is how far from the predicted side an edge is looked for, as a share of the card's size. The result is
    refused when it is no sound quad or its corners moved farther than a tenth of the card's size.
    """
    size = abs(area(quad)) ** 0.5
    reach = max(1.5, band * size)
    lines = [_side_line(grey, quad[side], quad[(side + 1) % 4], reach) for side in range(4)]
    corners = [_meet(lines[side - 1], lines[side]) for side in range(4)]
    if any(corner is None for corner in corners):
        return quad
    moved = np.array(corners, np.float64)
    if not is_sound(moved) or corner_distance(moved, quad) > _MOST_MOVED:
        return quad
    return moved


def _side_line(grey: NDArray[np.uint8], start: Array, end: Array, reach: float) -> tuple[Array, Array]:
    """A point and direction: the edge near the side, or the side itself where no clear edge is seen."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length < 6:
        return start, along
    along = along / length
    outward = np.array([along[1], -along[0]])  # clockwise as seen: the outside lies to the left of the way
    places = np.linspace(0.12, 0.88, _SAMPLES) * length
    offsets = np.linspace(-reach, reach, _STEPS)
    grid = start + places[:, None, None] * along + offsets[None, :, None] * outward
    sample = (grid - 0.5).astype(np.float32)  # OpenCV counts from the middle of the first pixel
    profiles = cv2.remap(grey, sample[..., 0], sample[..., 1], cv2.INTER_LINEAR,
                         borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    smooth = cv2.GaussianBlur(profiles.astype(np.float32), (5, 1), 0)
    step = np.abs(np.gradient(smooth, axis=1)) * np.exp(-0.5 * (offsets / (0.6 * reach)) ** 2)
    best = step.argmax(axis=1)
    strength = step[np.arange(_SAMPLES), best]
    clear = strength > 3.0
    if clear.sum() < _SAMPLES * 0.4:
        return start, along
    fitted = _fit(places[clear], offsets[best[clear]], tolerance=max(0.8, 0.12 * reach))
    if fitted is None:
        return start, along
    slope, shift = fitted
    direction = along + slope * outward
    return start + shift * outward, direction / np.linalg.norm(direction)


def _fit(x: Array, y: Array, tolerance: float) -> tuple[float, float] | None:
    """The line y = slope · x + shift that most points agree on (all pairs tried), or None when too few do."""
    first, second = np.triu_indices(len(x), 6)
    run = x[second] - x[first]
    slopes = (y[second] - y[first]) / run
    shifts = y[first] - slopes * x[first]
    agree = np.abs(y[None, :] - slopes[:, None] * x[None, :] - shifts[:, None]) < tolerance
    counts = agree.sum(axis=1)
    if len(counts) == 0 or counts.max() < max(8, 0.5 * len(x)):
        return None
    inliers = agree[counts.argmax()]
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
