"""Finds cards and index corners of any print: one small pose network, run with ONNX Runtime at several scales.

Classes: card face up, card face down, index corner; each with four keypoints. The network answers with a raw
tensor (YOLO pose layout); decoding, suppression and the scale pyramid are here, in NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import (
    HIDDEN_BELOW,
    SAME_OUTLINE,
    Array,
    areas,
    consensus,
    distinct,
    iou,
    is_sound,
    same_print,
    sound,
)
from companion.vision.images import Pixels
from companion.vision.runtime import session

MOST = 400
"""No picture holds more cards and indices than this; the clearest count. Noise can look like thousands of indices."""

_STRIDE = 32
_GREY = 114


class Kind(IntEnum):
    """What the detector tells apart; the numbers are its class numbers."""

    UP = 0
    DOWN = 1
    INDEX = 2


@dataclass(frozen=True, slots=True)
class Found:
    """One detection: kind, score 0..1, and four keypoints (4, 2) in px of the picture given.

    A card's keypoints are its outline, clockwise, starting at a short side; those of an index run clockwise
    from its top-left corner in its own reading direction.
    """

    kind: Kind
    score: float
    quad: Array


@dataclass(frozen=True, slots=True)
class View:
    """One look at the picture: a window (left, top, width, height; px) shrunk or grown to `side` px."""

    left: int
    top: int
    width: int
    height: int
    side: int

    @property
    def scale(self) -> float:
        """Network px per picture px."""
        return self.side / max(self.width, self.height)


class Detector:
    """The network with its decoding. Not thread-safe by promise: one instance a thread."""

    def __init__(self, path: Path, *, threads: int = 2, threshold: float = 0.25) -> None:
        """Load the weights `path` (ONNX). `threshold` is the lowest score that counts as a detection."""
        self._session = session(path, threads)
        self._fixed = self._session.shape[2]
        self.threshold = threshold

    def find(self, image: Pixels) -> list[Found]:
        """All cards and index corners in a (height, width, 3) BGR picture, each once, best first.

        Two coarse looks find large and middle cards; where cards turn out small, finer looks follow.
        """
        height, width = image.shape[:2]
        found = suppress(f for side in (320, 640) for f in self.look(image, View(0, 0, width, height, side)))
        finer = finer_views(found, width, height)
        return suppress([*found, *(f for view in finer for f in self.look(image, view))]) if finer else found

    def look(self, image: Pixels, view: View) -> list[Found]:
        """Detections of one view, in picture px, not yet suppressed."""
        side = self._fixed or view.side
        view = View(view.left, view.top, view.width, view.height, side)
        window = image[view.top : view.top + view.height, view.left : view.left + view.width]
        tensor = letterbox(window, side, square=self._fixed is not None)
        raw = self._session(tensor)[0]
        shift = np.array([view.left, view.top], np.float64)
        return [Found(f.kind, f.score, f.quad / view.scale + shift) for f in decode(raw, threshold=self.threshold)]


def letterbox(window: Pixels, side: int, *, square: bool = False) -> NDArray[np.float32]:
    """Scale a window so that its longer side is `side` px, pad right and below to multiples of 32 with grey.

    Returns (1, 3, height, width) RGB in 0..1. Padding on one side only keeps the way back a plain division.
    """
    height, width = window.shape[:2]
    scale = side / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    shrunk = cv2.resize(window, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    full = (side, side) if square else tuple(-(-edge // _STRIDE) * _STRIDE for edge in size)
    canvas = np.full((full[1], full[0], 3), _GREY, np.uint8)
    canvas[: size[1], : size[0]] = shrunk
    return np.ascontiguousarray(canvas[None, :, :, ::-1].transpose(0, 3, 1, 2), np.float32) / np.float32(255)


def decode(raw: NDArray[np.generic], threshold: float) -> list[Found]:
    """Turn the raw output (1, 4 + classes + keypoints, places) into detections in network px.

    The keypoint part is 8 rows (x, y) or 12 (x, y, visibility); a place counts once, for its best class.
    """
    table = np.asarray(raw, np.float64)[0]
    classes = len(Kind)
    per_point = (table.shape[0] - 4 - classes) // 4
    scores = table[4 : 4 + classes]
    kinds = scores.argmax(axis=0)
    best = scores.max(axis=0)
    places = np.flatnonzero(best >= threshold)
    if not places.size:
        return []
    quads = table[4 + classes :, places].T.reshape(-1, 4, per_point)[:, :, :2].copy()
    mirrored = areas(quads) < 0
    quads[mirrored] = quads[mirrored][:, [1, 0, 3, 2]]
    keep = np.flatnonzero(sound(quads))
    return [Found(Kind(int(kinds[places[n]])), float(best[places[n]]), quads[n]) for n in keep]


def suppress(found: Iterable[Found]) -> list[Found]:
    """Keep each card and each index once, at the mean of what says so clearly. Up and down compete for a place."""
    pool = sorted(found, key=lambda f: -f.score)[: 8 * MOST]
    cards = _merge([f for f in pool if f.kind is not Kind.INDEX], SAME_OUTLINE)
    kept: list[Found] = []
    held: set[int] = set()
    for card, near in _with_neighbours(sorted(cards, key=lambda f: -f.score)[:MOST]):
        if not any(id(other) in held and same_card(card.quad, other.quad) for other in near):
            kept.append(card)
            held.add(id(card))
    indices = _merge([f for f in pool if f.kind is Kind.INDEX], 0.5)
    return sorted([*kept, *_one_a_print(indices)], key=lambda f: -f.score)[:MOST]


def _one_a_print(indices: list[Found]) -> list[Found]:
    """Each printed index once, as the clearest detection of it shows it."""
    waiting = sorted(indices, key=lambda f: -f.score)[:MOST]
    kept = []
    while waiting:
        kept.append(waiting[0])
        same = same_print(np.stack([f.quad for f in waiting]), waiting[0].quad)
        waiting = [f for f, gone in zip(waiting[1:], same[1:], strict=True) if not gone]
    return kept


def _with_neighbours(cards: list[Found]) -> Iterator[tuple[Found, list[Found]]]:
    """Each outline with those before it whose boxes overlap its own."""
    if not cards:
        return
    quads = np.stack([card.quad for card in cards])
    low, high = quads.min(axis=1), quads.max(axis=1)
    meet = ((low[:, None] < high[None]) & (high[:, None] > low[None])).all(axis=2)
    for number, card in enumerate(cards):
        yield card, [cards[other] for other in np.flatnonzero(meet[number, :number])]


def same_card(a: Array, b: Array) -> bool:
    """True for two outlines that are one card seen twice, however inexactly: nearly one place, nearly one direction.

    Cards of a fan that share so much are told apart by their indices, not by their outlines.
    """
    shared = iou(a, b)
    return shared > HIDDEN_BELOW or (shared > 0.45 and _lean(a, b) < 30)


def _lean(a: Array, b: Array) -> float:
    """Degrees between the long sides of two outlines."""
    ways = []
    for quad in (a, b):
        first, second = quad[1] - quad[0] + quad[2] - quad[3], quad[2] - quad[1] + quad[3] - quad[0]
        ways.append(first if np.dot(first, first) > np.dot(second, second) else second)
    cosine = abs(float(np.dot(*ways))) / max(float(np.linalg.norm(ways[0]) * np.linalg.norm(ways[1])), 1e-9)
    return float(np.degrees(np.arccos(min(1.0, cosine))))


def _merge(found: list[Found], nearest: float) -> list[Found]:
    """Non-maximum suppression by corners; each group at the mean of its clear members."""
    merged = []
    for group in distinct([f.quad for f in found], [f.score for f in found], nearest):
        best = found[group[0]]
        clear = [found[number] for number in group[:5] if found[number].score > 0.6 * best.score]
        quad = consensus([f.quad for f in clear], [f.score for f in clear]) if len(clear) > 1 else best.quad
        merged.append(Found(best.kind, best.score, quad if is_sound(quad) else best.quad))
    return merged


def card_width(found: Iterable[Found]) -> float | None:
    """Median short side of the cards found, px; None when there is no card."""
    widths = []
    for f in found:
        if f.kind is not Kind.INDEX:
            lengths = np.linalg.norm(np.roll(f.quad, -1, axis=0) - f.quad, axis=1)
            widths.append(min(float(lengths[0] + lengths[2]), float(lengths[1] + lengths[3])) / 2)
    return float(np.median(widths)) if widths else None


def finer_views(found: Iterable[Found], width: int, height: int, *, wanted: float = 60.0) -> list[View]:
    """Further looks so that a card is about `wanted` px wide in the network: none where the coarse ones suffice.

    Tiles of 640 px overlap by two cards. Nothing found at all means that cards may be very small: look finer once.
    """
    longest = max(width, height)
    seen = card_width(found)
    if seen is None:
        return _tiles(width, height, longest / 2) if longest > 640 else []
    if seen * 640 / longest >= 0.6 * wanted:
        return []
    tile = 640 * seen / wanted
    return _tiles(width, height, max(tile, longest / 3), lap=2 * seen)


def _tiles(width: int, height: int, tile: float, lap: float = 0.0) -> list[View]:
    columns, rows = (max(1, int(np.ceil(edge / tile))) for edge in (width, height))
    views = []
    for row in range(rows):
        for column in range(columns):
            left = max(0, int(width * column / columns - lap / 2))
            top = max(0, int(height * row / rows - lap / 2))
            right = min(width, int(width * (column + 1) / columns + lap / 2))
            bottom = min(height, int(height * (row + 1) / rows + lap / 2))
            views.append(View(left, top, right - left, bottom - top, 640))
    return views
