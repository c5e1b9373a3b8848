"""Cards straightened to one size, with a margin around them: what the network for custom decks looks at."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Array, box_quad, homography, project
from companion.vision.images import Pixels
from companion.vision.reading.crops import rectify_all

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


def rectified(image: Pixels, outlines: Array | Sequence[Array], times: int = 1) -> NDArray[np.uint8]:
    """The crops (n, height, width, 3) of cards with `outlines` (n, 4, 2) px, a margin around each, `times` as large."""
    quads = np.reshape(outlines, (-1, 4, 2)).astype(np.float64)
    frame = box_quad((-MARGIN, -MARGIN, CARD[0] + MARGIN, CARD[1] + MARGIN))
    return rectify_all(image, project(homography(quads, CARD), np.broadcast_to(frame, quads.shape)), (CROP[0] * times, CROP[1] * times))


def reduced(samples: Sequence[Pixels]) -> NDArray[np.uint8]:
    """Samples, which are `SAMPLE` times as large, as crops."""
    return np.stack([cv2.resize(sample, CROP, interpolation=cv2.INTER_AREA) for sample in samples]).astype(np.uint8)
