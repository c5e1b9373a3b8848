"""A background model: knows what the bare table looks like, and so whether the place of a card is *seen* empty.

A card that is not found may be hidden by a hand, by another card, or by a weak moment of the detector; it is gone only
when the table itself shows in its place. So the table is remembered as a small picture, learnt wherever no card lies,
and every card's own appearance with it. Of a place, only those pixels tell anything at which card and table differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.following import parameters
from companion.vision.images import Pixels, shrunk, strongest
from companion.vision.types import Quad

Small = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Appearance:
    """How the place of a card looked with the card on it: a piece of the small picture at (left, top)."""

    left: int
    top: int
    pixels: Small


class BackgroundModel:
    """The table without cards. `show` it a frame, then ask or teach."""

    def __init__(self) -> None:
        self._view: Small | None = None
        self._background: Small | None = None
        self._known: Mask | None = None
        self._deviations: NDArray[np.uint8] | None = None
        self._scale, self._counted = 1.0, -np.inf

    def show(self, pixels: Pixels) -> None:
        """Make `pixels` (height, width, 3) the present view. A new picture size forgets the table."""
        height, width = pixels.shape[:2]
        self._scale = min(1.0, parameters.BACKGROUND_WIDTH / width)
        size = (max(1, round(width * self._scale)), max(1, round(height * self._scale)))
        blurred = cv2.GaussianBlur(shrunk(pixels, size), (3, 3), 0)
        view = blurred.astype(np.float32)
        if self._background is None or self._background.shape != view.shape:
            self._background = np.zeros_like(view)
            self._known = np.zeros(view.shape[:2], np.bool_)
            self._deviations = np.zeros(view.shape[:2], np.uint8)
        elif self._known is not None and self._known.any():
            # Lamps and cameras change their brightness: the table's own change is taken out.
            since = view - self._background
            drift = np.array([np.median(since[..., channel][self._known]) for channel in range(since.shape[2])])
            view = view - np.clip(drift, -parameters.MOST_DRIFT, parameters.MOST_DRIFT).astype(np.float32)
        self._view = view

    def learn(self, cards: Sequence[Quad], covered: Sequence[Quad] = (), time: float | None = None) -> None:
        """The present view is still: remember the table wherever none of `cards` (px) lies.

        What differs from the table as known, a hand perhaps, is believed only after some views in a row that are far
        enough apart (`time` in s; None: they are), and not at all close to cards that are `covered` (px) by something.
        """
        view, background, known, deviations = self._views()
        free = ~self._mask(cards, grow=2)
        if covered:
            free &= ~self._mask(covered, grow=parameters.HAND_REACH)
        alike = strongest(np.abs(view - background)) < parameters.ALIKE
        deviations[free & known & alike] = 0
        if time is None or abs(time - self._counted) >= parameters.VIEWS_APART_S:
            deviations[free & known & ~alike] += 1
            self._counted = -np.inf if time is None else time
        step = np.float32(parameters.LEARNING_RATE) * (view - background)
        np.add(background, step, out=background, where=(free & known & alike)[..., None])
        new = free & (~known | (deviations >= parameters.NEW_BACKGROUND))
        np.copyto(background, view, where=new[..., None])
        deviations[new] = 0
        known |= new

    def appearance(self, card: Quad) -> Appearance:
        """How the place of `card` (px) looks now."""
        view = self._views()[0]
        left, top, right, bottom = self._box(card)
        return Appearance(left, top, view[top:bottom, left:right].copy())

    def background_shows(self, card: Quad, appearance: Appearance, covers: Sequence[Quad] = ()) -> bool:
        """True when the table shows where `card` (px) lay, as far as `covers` (other cards, px) leave it free."""
        view, background, known, _ = self._views()
        left, top, right, bottom = self._box(card)
        if appearance.pixels.shape[:2] != (bottom - top, right - left):
            return False
        place = self._mask([card], grow=-1)
        free = place & ~self._mask(covers, grow=1) if covers else place
        if free.sum() < max(parameters.LEAST_PIXELS, parameters.FREE_SHARE * place.sum()):
            return False
        box = np.s_[top:bottom, left:right]
        here, window = view[box], free[box]
        table = np.where(known[box][:, :, None], background[box], self._around(card))
        telling = window & (strongest(np.abs(appearance.pixels - table)) > parameters.DIFFERENT)
        count = int(telling.sum())
        to_table = strongest(np.abs(here - table))
        to_card = strongest(np.abs(here - appearance.pixels))
        if (
            count < parameters.LEAST_PIXELS
        ):  # a card that is hardly unlike the table tells once that was seen bare there
            nearer = to_card > np.maximum(parameters.FAINT, parameters.NEARER * to_table)
            return bool((nearer & window & known[box]).sum() >= parameters.BARE_SHARE * place[box].sum())
        empty = int((telling & (to_table < parameters.ALIKE) & (to_table < to_card)).sum())
        still_card = int((telling & (to_card < parameters.ALIKE) & (to_card < to_table)).sum())
        return empty >= parameters.EMPTY_SHARE * count and empty > parameters.EMPTY_AGAINST_CARD * still_card

    def may_show(self, card: Quad, covers: Sequence[Quad] = ()) -> bool:
        """True when nothing tells the place of `card` (px) from the table as it was seen there, and no `covers` lie on
        it: bare table, or a card that looks like it from afar."""
        view, background, known, _ = self._views()
        place = self._mask([card], grow=-1)
        free = place & known & ~self._mask(covers, grow=1)
        if free.sum() < max(parameters.LEAST_PIXELS, parameters.BARE_SHARE * place.sum()):
            return False
        alike = strongest(np.abs(view - background)[free]) < parameters.ALIKE
        return float(alike.mean()) >= parameters.BARE_SHARE

    def _views(self) -> tuple[Small, Small, Mask, NDArray[np.uint8]]:
        if self._view is None or self._background is None or self._known is None or self._deviations is None:
            raise ValueError("show the surface a frame first")
        return self._view, self._background, self._known, self._deviations

    def _around(self, card: Quad) -> Small:
        """The table's colour just round a place, as remembered: for a place that was never seen bare."""
        _, background, known, _ = self._views()
        ring = self._mask([card], grow=6) & ~self._mask([card], grow=1) & known
        if ring.sum() < parameters.LEAST_PIXELS:
            return np.full(3, np.inf, np.float32)
        return np.asarray(np.median(background[ring], axis=0), np.float32)

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
