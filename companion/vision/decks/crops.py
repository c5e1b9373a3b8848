"""Cards straightened to one size, with a margin around them: what the network for custom decks looks at."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.decks import parameters
from companion.vision.geometry import Array, box_quad, homography, project
from companion.vision.images import Pixels
from companion.vision.reading.crops import rectify_all

Crops = NDArray[np.uint8]
Seen = NDArray[np.uint8]
"""Where a crop shows its card (1) and where something lies on it (0): (height, width) of the crop."""
STRIDE = 8
"""Side of a cell of the network's map, px."""
CARD = (96, 128)
"""Width and height of the card in its crop, px."""
MARGIN = STRIDE
"""What is shown around the card on each side, px."""
CROP = (CARD[0] + 2 * MARGIN, CARD[1] + 2 * MARGIN)
"""Width and height of the crop, px."""
SAMPLE = 2
"""A sample is kept so many times as large as the crop."""
CELLS = (CARD[1] // STRIDE, CARD[0] // STRIDE)
"""Rows and columns of cells on the card."""


def rectified(image: Pixels, outlines: Array | Sequence[Array], times: int = 1) -> Crops:
    """The crops (n, height, width, 3) BGR of cards with `outlines` (n, 4, 2) px, a margin around each; `times` as
    large."""
    quads = np.reshape(outlines, (-1, 4, 2)).astype(np.float64)
    frame = box_quad((-MARGIN, -MARGIN, CARD[0] + MARGIN, CARD[1] + MARGIN))
    windows = project(homography(quads, CARD), np.broadcast_to(frame, quads.shape))
    return np.asarray(rectify_all(image, windows, (CROP[0] * times, CROP[1] * times)), np.uint8)


def placed(outline: Array, points: Array) -> Array:
    """Points (n, 2) px of the crop of a card with that outline (4, 2) px, as px of the picture."""
    return project(homography(np.asarray(outline, np.float64)[None], CARD)[0], points - MARGIN)


def visible(outline: Array, covers: Sequence[Array]) -> Seen:
    """Where the crop of a card with that outline (4, 2) px shows the card, and not those that lie on it."""
    seen = np.ones((CROP[1], CROP[0]), np.uint8)
    if not len(covers):
        return seen
    into = np.linalg.inv(homography(np.asarray(outline, np.float64)[None], CARD)[0])
    for corners in project(into, np.asarray(covers, np.float64)) + MARGIN:
        if np.isfinite(corners).all() and np.abs(corners).max() < 1e4:
            cv2.fillConvexPoly(seen, np.round(corners * 16).astype(np.int32), 0, shift=4)
    return np.asarray(cv2.erode(seen, np.ones((2 * parameters.COVER_ASIDE + 1,) * 2, np.uint8)), np.uint8)


def levelled(crops: Crops) -> Crops:
    """The same crops, of any size, as bright and as rich in contrast as each other: paper white, ink dark, the colours
    kept."""
    times = crops.shape[2] // CROP[0]
    edge, step = 2 * MARGIN * times, 2 * times
    inner = crops[:, edge:-edge:step, edge:-edge:step].reshape(len(crops), -1, 3).transpose(0, 2, 1)
    ranked = np.sort(np.ascontiguousarray(inner), axis=2, kind="stable")  # bytes are counted then, not compared
    dark, bright = _at_share(ranked, 0.03), _at_share(ranked, 0.88)
    # a few thin lines are less than three in a hundred: what is darkest is paper then, and no ink
    gain = 205 / np.maximum(np.maximum(bright - dark, parameters.INK_DARKER * bright), 24)
    shift = 225 - bright * gain
    tables = np.clip(np.arange(256, dtype=np.float32)[:, None] * gain[:, None] + shift[:, None], 0, 255)
    each = zip(crops, tables.astype(np.uint8)[:, None], strict=True)
    return np.stack([cv2.LUT(crop, table) for crop, table in each]).astype(np.uint8, copy=False)


def _at_share(ranked: NDArray[np.uint8], share: float) -> NDArray[np.float32]:
    """Of ascending bytes (n, channels, px) those below which such a share lies, between two of them: (n, channels)."""
    first = int(share * (ranked.shape[2] - 1))
    low, high = ranked[..., first].astype(np.float64), ranked[..., first + 1]
    return np.asarray(low + (high - low) * (share * (ranked.shape[2] - 1) - first), np.float32)


def softened(crops: Crops | NDArray[np.float32], sigma: float) -> NDArray[np.float32]:
    """The same crops blurred by so many px."""
    return np.stack([cv2.GaussianBlur(crop, (0, 0), sigma) for crop in crops]).astype(np.float32)


def half_turned(crops: Crops) -> Crops:
    """The same crops upside down."""
    return np.ascontiguousarray(crops[:, ::-1, ::-1]).astype(np.uint8, copy=False)


def reduced(samples: Crops | Sequence[Pixels]) -> Crops:
    """Samples, which are `SAMPLE` times as large, as crops."""
    return np.stack([cv2.resize(sample, CROP, interpolation=cv2.INTER_AREA) for sample in samples]).astype(np.uint8)
