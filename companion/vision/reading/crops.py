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


_FINEST = 2
"""With so many times as many pixels each way a crop is taken at most; for more, the picture is shrunk."""
_MOST_ROWS = 16_384
"""OpenCV takes so many at a time, and twice as many no more."""
_LARGE_WINDOW = 40_000
"""A crop of so many px is warped by itself in half the time."""
_MIDDLE = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
"""Px counted from the middle of the first one as px counted from its corner."""
_MIDDLE_BACK = np.linalg.inv(_MIDDLE)


def rectify(image: Pixels, window: Array, size: tuple[int, int]) -> Pixels:
    """Straighten the window (4, 2) px of the picture to `size` (width, height) px; no aliasing when it is larger."""
    return np.asarray(rectify_all(image, window[None], size)[0], np.uint8)


def rectify_all(image: Pixels, windows: Array | Sequence[Array], size: tuple[int, int]) -> Pixels:
    """The same for windows (n, 4, 2) px: (n, height, width, 3). As one picture, as each warp by itself costs more."""
    quads, (width, height) = np.reshape(windows, (-1, 4, 2)), size
    crops = np.empty((len(quads), height, width, 3), np.uint8)
    spans = (lengths(quads[:, NEXT] - quads) / [width, height, width, height]).max(axis=1) / parameters.SHARPEST_CROP
    large = spans > _FINEST
    for number in np.flatnonzero(large).tolist():
        crops[number] = _rectify_large(image, quads[number], size, float(spans[number]))
    for factor, which in ((1, ~large & (spans <= 1)), (2, ~large & (spans > 1))):
        numbers = np.flatnonzero(which)
        for some in np.array_split(numbers, -(-len(numbers) * height * factor // _MOST_ROWS) or 1):
            if len(some):
                crops[some] = _warped(image, quads[some], size, factor)
    return crops


def _warped(image: Pixels, quads: Array, size: tuple[int, int], factor: int) -> Pixels:
    """Quads (n, 4, 2) px straightened, with so many times as many pixels each way and averaged."""
    width, height = size[0] * factor, size[1] * factor
    if width * height < _LARGE_WINDOW:
        columns, rows = _sampling_maps(quads, width, height)
        tall = cv2.remap(image, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    else:
        onto = homography(quads, (width, height))
        tall = np.concatenate([_warped_alone(image, matrix, (width, height)) for matrix in onto])
    if factor > 1:
        tall = cv2.resize(tall, (size[0], len(quads) * size[1]), interpolation=cv2.INTER_AREA)
    return np.asarray(tall.reshape(-1, size[1], size[0], 3), np.uint8)


def _warped_alone(image: Pixels, matrix: Array, size: tuple[int, int]) -> Pixels:
    """One window straightened: `matrix` (3, 3) sends its px to those of the image, counted from corners of px."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    between = _MIDDLE_BACK @ matrix @ _MIDDLE
    return np.asarray(cv2.warpPerspective(image, between, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _rectify_large(image: Pixels, quad: Array, size: tuple[int, int], span: float) -> Pixels:
    """A window of which even two pixels for one are too few: the part of the picture around it is shrunk first."""
    step = 2 ** int(np.ceil(np.log2(min(span, max(image.shape)) / _FINEST)))
    edge = np.array(image.shape[1::-1])
    first = np.clip(np.floor(quad.min(axis=0)).astype(int) - step, 0, edge - 1)
    last = np.clip(np.ceil(quad.max(axis=0)).astype(int) + step, first + 1, edge)
    part = image[first[1] : last[1], first[0] : last[0]]
    high, wide = (-(-length // step) for length in part.shape[:2])
    more = high * step - part.shape[0], wide * step - part.shape[1]
    whole = cv2.copyMakeBorder(part, 0, more[0], 0, more[1], cv2.BORDER_REPLICATE) if any(more) else part
    shrunk = np.asarray(cv2.resize(whole, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(_warped(shrunk, ((quad - first) / step)[None], size, _FINEST)[0], np.uint8)


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
