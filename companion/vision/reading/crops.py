"""Straightens parts of a picture to the networks' sizes."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import NEXT, Array, homography, lengths
from companion.vision.images import Pixels
from companion.vision.reading import parameters

INDEX_SIZE = (48, 64)

FACE_SIZE = (80, 112)
"""Width and height of the crops, px."""


_MOST_ROWS = 16_384
"""OpenCV takes so many at a time, and twice as many no more."""


def rectify(image: Pixels, window: Array, size: tuple[int, int]) -> Pixels:
    """Straighten the window (4, 2) px of the picture to `size` (width, height) px; no aliasing when it is larger."""
    return np.asarray(rectify_all(image, window[None], size)[0], np.uint8)


def rectify_all(image: Pixels, windows: Array | Sequence[Array], size: tuple[int, int]) -> Pixels:
    """The same for windows (n, 4, 2) px: (n, height, width, 3). As one picture, as each warp by itself costs more."""
    quads, (width, height) = np.reshape(windows, (-1, 4, 2)), size
    crops = np.empty((len(quads), height, width, 3), np.uint8)
    spans = (lengths(quads[:, NEXT] - quads) / [width, height, width, height]).max(axis=1)
    factors = np.ceil(np.clip(spans / parameters.SHARPEST_CROP, 1, parameters.FINEST_CROP)).astype(int)
    for factor in np.unique(factors).tolist():
        which = np.flatnonzero(factors == factor)
        for some in np.array_split(which, -(-len(which) * height * factor // _MOST_ROWS)):
            columns, rows = _sampling_maps(quads[some], width * factor, height * factor)
            tall = cv2.remap(image, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            if factor > 1:
                tall = cv2.resize(tall, (width, len(some) * height), interpolation=cv2.INTER_AREA)
            crops[some] = tall.reshape(-1, height, width, 3)
    return crops


def _sampling_maps(quads: Array, width: int, height: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where in the picture the pixels of quads (n, 4, 2) lie, straightened and one below the other: columns and rows.

    Each (n * height, width), counted from the middle of the first pixel.
    """
    matrix = homography(quads, (width, height)).astype(np.float32)[:, None, None]
    x = np.arange(0.5, width, dtype=np.float32)
    y = np.arange(0.5, height, dtype=np.float32)[:, None]
    column, row, depth = (matrix[..., k, 0] * x + (matrix[..., k, 1] * y + matrix[..., k, 2]) for k in range(3))
    for places in (column, row):
        places /= depth
        places -= 0.5
    return column.reshape(-1, width), row.reshape(-1, width)
