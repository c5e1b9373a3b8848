"""Knows what the bare table looks like, and so whether the place of a card is *seen* empty.

A card that is not found may be hidden by a hand, by another card, or by a weak moment of the detector; it is gone
only when the table itself shows in its place. So the table is remembered as a small picture, learnt wherever no card
lies, and every card's own look with it. Of a place, only those pixels tell anything at which card and table differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.images import Pixels
from companion.vision.types import Quad

Small = NDArray[np.float32]
Mask = NDArray[np.bool_]

_WIDTH = 320
_ALIKE = 26.0
_DIFFERENT = 34.0
_LEAST_PIXELS = 8
_LEARN = 0.2
_STUBBORN = 6
_HAND = 10


@dataclass(frozen=True, slots=True)
class Look:
    """How the place of a card looked with the card on it: a piece of the small picture at (left, top)."""

    left: int
    top: int
    pixels: Small


class Surface:
    """The table without cards. `show` it a frame, then ask or teach."""

    def __init__(self) -> None:
        self._now: Small | None = None
        self._bare: Small | None = None
        self._known: Mask | None = None
        self._odd: NDArray[np.uint8] | None = None
        self._scale = 1.0

    def show(self, pixels: Pixels) -> None:
        """Make `pixels` (height, width, 3) the present view. A new picture size forgets the table."""
        height, width = pixels.shape[:2]
        self._scale = min(1.0, _WIDTH / width)
        size = (max(1, round(width * self._scale)), max(1, round(height * self._scale)))
        small = cv2.GaussianBlur(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), (3, 3), 0)
        now = small.astype(np.float32)
        if self._bare is None or self._bare.shape != now.shape:
            self._bare = np.zeros_like(now)
            self._known = np.zeros(now.shape[:2], np.bool_)
            self._odd = np.zeros(now.shape[:2], np.uint8)
        elif self._known is not None and self._known.any():
            # Lamps and cameras change their brightness: the table's own change is taken out.
            drift = np.median((now - self._bare)[self._known], axis=0)
            now = now - np.clip(drift, -25, 25).astype(np.float32)
        self._now = now

    def learn(self, cards: Sequence[Quad], covered: Sequence[Quad] = ()) -> None:
        """The present view is still: remember the table wherever none of `cards` (px) lies.

        What differs from the table as known, a hand perhaps, is believed only after some looks in a row, and not
        at all close to cards that are `covered` (px) by something.
        """
        now, bare, known, odd = self._views()
        free = ~self._mask(cards, grow=2)
        if covered:
            free &= ~self._mask(covered, grow=_HAND)
        alike = np.abs(now - bare).max(axis=2) < _ALIKE
        odd[free & known & alike] = 0
        odd[free & known & ~alike] += 1
        blend = free & known & alike
        bare[blend] += _LEARN * (now[blend] - bare[blend])
        new = free & (~known | (odd >= _STUBBORN))
        bare[new] = now[new]
        odd[new] = 0
        known |= new

    def look(self, card: Quad) -> Look:
        """How the place of `card` (px) looks now."""
        now = self._views()[0]
        left, top, right, bottom = self._box(card)
        return Look(left, top, now[top:bottom, left:right].copy())

    def seen_empty(self, card: Quad, look: Look, covers: Sequence[Quad] = ()) -> bool:
        """True when the table shows where `card` (px) lay, as far as `covers` (other cards, px) leave it free."""
        now, bare, known, _ = self._views()
        left, top, right, bottom = self._box(card)
        if look.pixels.shape[:2] != (bottom - top, right - left):
            return False
        place = self._mask([card], grow=-1)
        free = place & ~self._mask(covers, grow=1) if covers else place
        if free.sum() < max(_LEAST_PIXELS, 0.12 * place.sum()):
            return False
        table = np.where(known[:, :, None], bare, self._around(card))[top:bottom, left:right]
        here, window = now[top:bottom, left:right], free[top:bottom, left:right]
        telling = window & (np.abs(look.pixels - table).max(axis=2) > _DIFFERENT)
        count = int(telling.sum())
        if count < _LEAST_PIXELS:
            return False
        to_table = np.abs(here - table).max(axis=2)
        to_card = np.abs(here - look.pixels).max(axis=2)
        empty = int((telling & (to_table < _ALIKE) & (to_table < to_card)).sum())
        still_card = int((telling & (to_card < _ALIKE) & (to_card < to_table)).sum())
        return empty >= 0.35 * count and empty > 3 * still_card

    def _views(self) -> tuple[Small, Small, Mask, NDArray[np.uint8]]:
        if self._now is None or self._bare is None or self._known is None or self._odd is None:
            raise ValueError("show the surface a frame first")
        return self._now, self._bare, self._known, self._odd

    def _around(self, card: Quad) -> Small:
        """The table's colour just round a place, as remembered: for a place that was never seen bare."""
        _, bare, known, _ = self._views()
        ring = self._mask([card], grow=6) & ~self._mask([card], grow=1) & known
        if ring.sum() < _LEAST_PIXELS:
            return np.full(3, np.inf, np.float32)
        return np.asarray(np.median(bare[ring], axis=0), np.float32)

    def _box(self, card: Quad) -> tuple[int, int, int, int]:
        height, width = self._views()[0].shape[:2]
        points = np.asarray(card, np.float64) * self._scale
        left, top = np.clip(np.floor(points.min(axis=0)), 0, (width - 1, height - 1)).astype(int)
        right, bottom = np.clip(np.ceil(points.max(axis=0)), (left + 1, top + 1), (width, height)).astype(int)
        return int(left), int(top), int(right), int(bottom)

    def _mask(self, cards: Sequence[Quad], grow: int) -> Mask:
        """Small pixels inside any of `cards`, grown (or, below 0, shrunk) by so many pixels."""
        canvas = np.zeros(self._views()[0].shape[:2], np.uint8)
        for card in cards:
            points = np.round(np.asarray(card, np.float64) * self._scale - 0.5).astype(np.int32)
            cv2.fillConvexPoly(canvas, points, 1)
        if grow:
            kernel = np.ones((2 * abs(grow) + 1,) * 2, np.uint8)
            canvas = np.asarray(cv2.dilate(canvas, kernel) if grow > 0 else cv2.erode(canvas, kernel))
        return canvas.astype(np.bool_)
