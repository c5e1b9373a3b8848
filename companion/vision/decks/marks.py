"""Marks: the small signs that tell cards of one picture apart.

Where marks are printed is found from the samples: cells in which cards of one mark agree and cards of different marks
differ. Each such window keeps what each mark looks like there, the median over all its pictures. A network compares it
with what a card shows there (`verifying`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.decks import parameters
from companion.vision.decks.alignment import warped
from companion.vision.decks.crops import CELLS, CROP, MARGIN, SAMPLE, STRIDE, Crops, Seen
from companion.vision.decks.matching import Floats
from companion.vision.decks.templates import Anatomy
from companion.vision.images import Pixels

PATCH = 32
"""Width and height of a window as the network wants it, px."""
_REACH = 10
"""A mark is looked for so far each way, px of a window."""
_AS_IT_IS = np.eye(3, dtype=np.float32)
_BESIDE = np.stack(np.divmod(np.arange(9), 3), axis=1)


@dataclass(frozen=True, slots=True)
class Marks:
    """Where marks are printed, boxes of left, top, right, bottom px of a crop `SAMPLE` times as large, and what each
    mark looks like there: (windows, marks, PATCH, PATCH, 3)."""

    boxes: tuple[tuple[int, int, int, int], ...]
    looks: NDArray[np.uint8]
    _like: tuple[Floats, Floats] = field(init=False, repr=False)
    """The same looks at half their size and as they are, each to be multiplied with what is seen."""

    def __post_init__(self) -> None:
        halves = np.stack([[_halved(look) for look in each] for each in self.looks])
        object.__setattr__(self, "_like", (_ready(halves), _ready(self.looks)))

    def shown(self, crop: NDArray[np.uint8], move: Floats = _AS_IT_IS) -> NDArray[np.uint8]:
        """(windows, marks, PATCH, PATCH, 3): what a levelled crop, `SAMPLE` times as large, shows there under a map (3,
        3) in px of the crop, moved to where it fits each mark best."""
        out = np.empty_like(self.looks)
        for number, (left, top, right, bottom) in enumerate(self.boxes):
            aside, above = ((right - left) * _REACH) // PATCH, ((bottom - top) * _REACH) // PATCH
            part = warped(crop, move, (left - aside, top - above, right + aside, bottom + above))
            size = (PATCH + 2 * _REACH, PATCH + 2 * _REACH)
            around = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
            there, spread = _parts(_halved(around), PATCH // 2)
            like = self._like[0][number]
            fits = like @ there.reshape(-1, like.shape[1]).T / spread.ravel()
            # from every second place to the one beside it that fits best
            first = np.maximum(2 * np.stack(np.unravel_index(fits.argmax(axis=1), spread.shape), axis=1) - 1, 0)
            there, spread = _parts(around, PATCH)
            rows, columns = np.minimum(first[:, None] + _BESIDE, len(spread) - 1).transpose(2, 0, 1)
            like = self._like[1][number][:, :, None]
            fits = (there[rows, columns].reshape(*rows.shape, -1) @ like)[..., 0] / spread[rows, columns]
            for mark, best in enumerate(fits.argmax(axis=1).tolist()):
                row, column = rows[mark, best], columns[mark, best]
                out[number, mark] = around[row : row + PATCH, column : column + PATCH]
        return out

    def heard(self, seen: Seen) -> NDArray[np.bool_]:
        """(windows,): which of them show their card, where a crop does that was laid onto its picture."""
        wide = (seen[top // SAMPLE : -(-bottom // SAMPLE), left // SAMPLE : -(-right // SAMPLE)]
                for left, top, right, bottom in self.boxes)  # fmt: skip
        return np.array([part.mean() > parameters.WINDOW_SEEN for part in wide])


def _halved(pixels: Pixels) -> Pixels:
    size = (pixels.shape[1] // 2, pixels.shape[0] // 2)
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def _parts(pixels: Pixels, side: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """All square parts of that size by the row and column at which they begin, a view (rows, columns, side, 3 side) of
    their px; and how far those are spread (rows, columns) about the mean of each channel."""
    flat = (pixels.astype(np.float32) - 128).reshape(len(pixels), -1)
    down, px = flat.strides
    places = (len(pixels) - side + 1, pixels.shape[1] - side + 1)
    view = np.ndarray((*places, side, 3 * side), np.float32, flat, strides=(down, 3 * px, down, px))
    sums, squares = cv2.integral2(flat.reshape(pixels.shape))
    each, square = (
        all_[side:, side:] - all_[side:, :-side] - all_[:-side, side:] + all_[:-side, :-side]
        for all_ in (sums, squares)
    )
    spread = square.sum(axis=2) - (each**2).sum(axis=2) / side**2
    return view, np.sqrt(np.maximum(spread, 1.0)).astype(np.float32)


def _ready(looks: NDArray[np.uint8]) -> Floats:
    """Looks (…, side, side, 3), each channel without its mean and all of one length: (…, px)."""
    even = looks - looks.mean(axis=(-3, -2), keepdims=True, dtype=np.float32)
    flat = even.reshape(*looks.shape[:-3], -1)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=-1, keepdims=True), 1e-6), np.float32)


Box = tuple[int, int, int, int]


def learned(crops: Crops, marks: Sequence[int], anatomy: Anatomy) -> Marks | None:
    """The windows of a deck from levelled crops of its samples, `SAMPLE` times as large, the number of each one's mark,
    and how the deck is made; None where its marks have no place of their own."""
    for least in parameters.MARK_SHARE:
        there = (anatomy.marks > parameters.MARK_CELL) & (anatomy.share > least)
        if there.mean() > parameters.MARKS_EVERYWHERE:
            there &= anatomy.differ[1] > parameters.MARK_DIFFERS
        cells = _boxes(np.reshape(there, CELLS))
        if 0 < len(cells) <= parameters.MOST_WINDOWS:
            break
    else:
        return None
    owner = np.asarray(marks)
    typical = np.stack([np.median(crops[owner == mark], axis=0) for mark in range(max(marks) + 1)]).astype(np.uint8)
    differ = cv2.GaussianBlur(typical.std(axis=0).max(axis=2).astype(np.float32), (0, 0), 1.5)
    edge = SAMPLE * (MARGIN + 3)  # beyond the card's edge tables differ
    differ[:edge], differ[-edge:], differ[:, :edge], differ[:, -edge:] = 0, 0, 0, 0
    boxes = [_around(differ, box) for box in cells]
    of_mark = [crops[owner == mark] for mark in range(max(marks) + 1)]

    def looks(box: Box) -> NDArray[np.uint8]:
        return _patches(np.stack([_sharpened(some, box) for some in of_mark]))

    found = [looks(box) for box in boxes]
    for box, look in list(zip(boxes, found, strict=True)):
        left, top, right, bottom = box
        across = (SAMPLE * CROP[0] - right, SAMPLE * CROP[1] - bottom, SAMPLE * CROP[0] - left, SAMPLE * CROP[1] - top)
        apart_ = all(across[0] >= b[2] or b[0] >= across[2] or across[1] >= b[3] or b[1] >= across[3] for b in boxes)
        if apart_ and len(boxes) < parameters.MOST_WINDOWS and _repeated(look, again := looks(across)):
            boxes.append(across)
            found.append(again)
    return Marks(tuple(boxes), np.stack(found))


def _repeated(looks: NDArray[np.uint8], across: NDArray[np.uint8]) -> bool:
    """True where looks (marks, PATCH, PATCH, 3) are there upside down, most of them most like their own mark."""
    agree = np.einsum("ip,jp->ij", _ready(looks), _ready(across[:, ::-1, ::-1]))
    own = np.diag(agree)
    return bool((own >= agree.max(axis=1)).mean() > 0.5 and own.mean() > parameters.SAME_LOOK)


def _sharpened(crops: Crops, box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """What a mark looks like in a box: the median of its samples, each moved to where it fits that best."""
    left, top, right, bottom = box
    reach = parameters.MARK_MOVES
    wide = np.pad(crops, ((0, 0), (reach, reach), (reach, reach), (0, 0)), "edge")
    wide = wide[:, top : bottom + 2 * reach, left : right + 2 * reach]
    high, broad = bottom - top, right - left
    now = wide[:, reach : reach + high, reach : reach + broad]
    for _ in range(3 if len(crops) > 2 else 0):
        look = np.median(now, axis=0).astype(np.uint8)
        moved = []
        for each in wide:
            fits = cv2.matchTemplate(each, look, cv2.TM_SQDIFF)
            row, column = np.unravel_index(int(fits.argmin()), fits.shape)
            moved.append(each[row : row + high, column : column + broad])
        now = np.stack(moved)
    return np.asarray(np.median(now, axis=0), np.uint8)


def _around(differ: NDArray[np.float32], cells: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """The box, in px of `differ`, around what differs between marks near a box in px of the crop, and a little more."""
    left, top, right, bottom = (
        max(0, SAMPLE * (side + STRIDE // 2 * way)) for side, way in zip(cells, (-1, -1, 1, 1), strict=True)
    )
    inside = differ[top:bottom, left:right]
    full = cv2.dilate((inside > parameters.MARK_DIFFERS * inside.max()).astype(np.uint8), np.ones((5, 5), np.uint8))
    count, labels = cv2.connectedComponents(full)
    most = 1 + int(np.argmax([inside[labels == number].sum() for number in range(1, count)]))
    rows, columns = np.nonzero(labels == most)
    middle = np.array([columns.min() + columns.max() + 1, rows.min() + rows.max() + 1]) / 2 + [left, top]
    half = np.array([np.ptp(columns) + 1, np.ptp(rows) + 1]) / 2
    half = np.maximum(half * (1 + parameters.MARK_AROUND), SAMPLE * STRIDE / 2)
    low = np.maximum(np.floor(middle - half), 0).astype(int)
    high = np.minimum(np.ceil(middle + half), differ.shape[::-1]).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _patches(cut: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.stack([cv2.resize(each, (PATCH, PATCH), interpolation=cv2.INTER_AREA) for each in cut]).astype(np.uint8)


def _boxes(cells: NDArray[np.bool_]) -> list[tuple[int, int, int, int]]:
    """Rectangles in px of the crop that together hold those cells: each patch, or, where one goes around what is
    something else, the parts of it that are full."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cells.astype(np.uint8), connectivity=4)
    out = []
    for number in range(1, count):
        column, row, wide, tall, size = stats[number].tolist()
        if size < 2:
            continue
        pieces = [(row, column, tall, wide)]
        if size < 0.6 * wide * tall or wide * tall > 0.3 * cells.size:
            pieces = [(y, x, 4, 4) for y in range(0, CELLS[0], 4) for x in range(0, CELLS[1], 4)]
            pieces = [p for p in pieces if (labels[p[0] : p[0] + 4, p[1] : p[1] + 4] == number).mean() > 0.7]
        for y, x, high, broad in pieces:
            left, top = x * STRIDE + MARGIN, y * STRIDE + MARGIN
            out.append((left, top, left + broad * STRIDE, top + high * STRIDE))
    return out
