"""Which parts of a picture the detector looks at, and how close."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.geometry import Array, areas, axes, lengths, overlap, side_lengths
from companion.vision.reading import parameters
from companion.vision.reading.detections import Detection, DetectionClass, with_overlapping


@dataclass(frozen=True, slots=True)
class Tile:
    """A part of the picture as the network gets it: a window (left, top, width, height; px) shrunk or grown to `side`
    px."""

    left: int
    top: int
    width: int
    height: int
    side: int

    @property
    def scale(self) -> float:
        """Network px per picture px."""
        return self.side / max(self.width, self.height)


def card_length(detections: Iterable[Detection]) -> float:
    """Long side of nearly the largest card found, px; 0 when there is no card."""
    outlines = [f.keypoints for f in detections if f.label is not DetectionClass.INDEX]
    return float(np.quantile(side_lengths(np.stack(outlines)).max(axis=1), 0.9)) if outlines else 0.0


def card_width(detections: Iterable[Detection]) -> float | None:
    """Median short side of the cards found, px; None when there is no card."""
    outlines = [f.keypoints for f in detections if f.label is not DetectionClass.INDEX]
    return float(np.median(side_lengths(np.stack(outlines)).min(axis=1))) if outlines else None


def index_height(detections: Sequence[Detection]) -> float:
    """Median height of the indices found clearly, px, else what the cards' width tells; 0 where nothing was found."""
    heights = clear_heights(detections)
    return float(np.median(heights)) if heights else parameters.INDEX_OF_WIDTH * (card_width(detections) or 0.0)


def clear_heights(detections: Iterable[Detection]) -> list[float]:
    """Heights of the indices found clearly, px."""
    quads = [
        f.keypoints for f in detections if f.label is DetectionClass.INDEX and f.score > parameters.CLEAR_INDEX_SCORE
    ]
    return lengths(axes(np.array(quads))[1]).tolist() if quads else []


def finer_tiles(detections: Iterable[Detection], width: int, height: int, *, wanted: float | None = None) -> list[Tile]:
    """Further tiles so that a card is about `wanted` px wide in the network: none where the coarse ones suffice.

    They cover the part where something was found: one tile when it is small enough, else several that overlap by two
    cards; the whole picture, where cards are tiny. Middle-sized cards get closer tiles only where some lie over others,
    as of those little more than an index is seen. Nothing found at all means that cards may be very small: the whole
    picture is looked at closer.
    """
    wanted = parameters.WANTED_CARD_PX if wanted is None else wanted
    detections, size = list(detections), np.array([width, height], np.float64)
    longest = float(size.max())
    seen = card_width(detections)
    if seen is None:
        return _tiles(np.zeros(2), size, size, parameters.CLOSEST_CROSSED, 0.0) if longest > 640 else []
    shown = seen * 640 / longest
    points = np.concatenate([f.keypoints for f in detections])
    low, high = (
        np.maximum(points.min(axis=0) - parameters.TILE_MARGIN * seen, 0),
        np.minimum(points.max(axis=0) + parameters.TILE_MARGIN * seen, size),
    )
    if shown < parameters.TINY_CARD * wanted:  # so small that others may not have been seen at all
        low, high = np.zeros(2), size
    closer = min(wanted / shown, float((size / (high - low)).min()))
    if shown >= wanted or (closer < parameters.WORTH_A_TILE and shown >= parameters.SMALL_CARD * wanted):
        over = shown < parameters.CROSSED_CARD * wanted and any_overlap(
            [f for f in detections if f.label is not DetectionClass.INDEX]
        )
        return (
            _tiles(low, high, size, min(wanted / shown, parameters.CLOSEST_CROSSED), parameters.CROSSED_LAP * seen)
            if over
            else []
        )
    if shown * closer >= parameters.SMALL_CARD * wanted:
        return _tiles(low, high, size, closer, 0.0)
    return _tiles(low, high, size, min(wanted / shown, parameters.CLOSEST), parameters.TILE_LAP * seen)


def any_overlap(cards: list[Detection]) -> bool:
    """True where some outlines share more than inexact ones of neighbours do."""
    return any(
        overlap(card.keypoints, other.keypoints)
        > parameters.CROSSING_SHARE * float(np.abs(areas(np.stack([card.keypoints, other.keypoints]))).min())
        for card, near in with_overlapping(cards)
        for other in near
    )


def _tiles(low: Array, high: Array, size: Array, closer: float, lap: float) -> list[Tile]:
    """Views `closer` times nearer than the whole picture that cover the part from `low` to `high` (x, y; px): one of
    the picture's shape, else as few as can be, `lap` px of each shown by the next as well."""
    window = size / closer
    if (high - low <= window).all():
        left, top = (int(edge) for edge in np.clip((low + high - window) / 2, 0, size - window))
        return [Tile(left, top, int(window[0]), int(window[1]), 640)]
    scale = 640 * closer / float(size.max())
    widest = parameters.WIDEST_TILE / scale
    lap = min(lap, 0.6 * widest)
    counts = np.ceil(np.maximum(high - low - widest, 0) / (widest - lap) - 1e-6).astype(int) + 1
    span = (high - low + (counts - 1) * lap) / counts
    wide, tall = (int(edge) for edge in np.ceil(span))
    corners = (low + np.array([column, row]) * (span - lap) for row in range(counts[1]) for column in range(counts[0]))
    found = (np.clip(corner, 0, np.maximum(size - np.ceil(span), 0)).astype(int).tolist() for corner in corners)
    return [Tile(left, top, wide, tall, round(max(span) * scale)) for left, top in found]
