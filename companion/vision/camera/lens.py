"""What a wide lens bends: one term of radial distortion, by the division model.

A point at distance r from the middle of the picture (in half diagonals) belongs at r / (1 + lens · r²). Negative values
are barrels, as wide webcams show; 0 bends nothing. A. Fitzgibbon, Simultaneous linear estimation of multiple view
geometry and lens distortion, 2001. Points are (n, 2) px in a picture of `picture` (width, height) px.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import parameters

Points = NDArray[np.float64]


def straight(points: Points, lens: float, picture: tuple[int, int]) -> Points:
    """Where points of the picture lay if the lens bent nothing."""
    if lens == 0.0:
        return points
    middle, half = _frame(picture)
    away = (points - middle) / half
    return np.asarray(middle + half * away / (1 + lens * (away**2).sum(axis=-1, keepdims=True)), np.float64)


def bent(points: Points, lens: float, picture: tuple[int, int]) -> Points:
    """Where the lens shows them; reverse of `straight`."""
    if lens == 0.0:
        return points
    middle, half = _frame(picture)
    away = (points - middle) / half
    root = np.sqrt(np.maximum(1 - 4 * lens * (away**2).sum(axis=-1, keepdims=True), 0.0))
    return np.asarray(middle + half * away * 2 / (1 + root), np.float64)


def estimated(seen: Points, real: Points, picture: tuple[int, int]) -> float:
    """The lens under which `seen` (px) is best a perspective view of the flat points `real` (n, 2). 0 where that is not
    clearly better than no lens."""
    low, high = parameters.LENS_RANGE
    best, step = 0.0, (high - low) / 24
    tried = np.arange(low, high + step / 2, step)
    for _ in range(4):
        errors = [misfit(seen, real, float(lens), picture) for lens in tried]
        best = float(tried[int(np.argmin(errors))])
        tried = np.linspace(best - step, best + step, 13)
        step /= 6
    gain = misfit(seen, real, best, picture) / max(misfit(seen, real, 0.0, picture), 1e-12)
    return best if gain < parameters.LENS_GAIN else 0.0


def misfit(seen: Points, real: Points, lens: float, picture: tuple[int, int]) -> float:
    """Root mean square distance of `real` from the best perspective view of `seen` under a lens, in units of `real`."""
    flat = straight(seen, lens, picture)
    matrix, _ = cv2.findHomography(flat, real)
    if matrix is None:
        return float("inf")
    placed = cv2.perspectiveTransform(flat[None], matrix)[0]
    return float(np.sqrt(((placed - real) ** 2).sum(axis=1).mean()))


def _frame(picture: tuple[int, int]) -> tuple[Points, float]:
    return np.array(picture, np.float64) / 2, float(np.hypot(*picture)) / 2
