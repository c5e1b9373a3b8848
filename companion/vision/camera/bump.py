"""Whether a camera was pushed since the table was last read, and by how much.

The picture of that table is kept; when a new one differs nearly everywhere, both are registered: by the printed tags
where three are in both, else by features (ORB) of all that lies still, cards as much as cloth. What is found counts
only if the kept picture, moved by it, agrees with the new one where the kept picture itself did not. Cards that were
dealt anew agree with no such move. Where nearly nothing but cards is where it was, and no move explains it, the
table is lost until it is back or somebody marks it anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import lens as lenses
from companion.vision.camera import parameters
from companion.vision.camera.calibration import Calibration, find_tags
from companion.vision.images import Pixels
from companion.vision.types import Quad

Matrix = NDArray[np.float64]
Grey = NDArray[np.uint8]
_CELL = 20


class Anchor:
    """The last picture in which the calibration was known to hold. Not thread-safe."""

    def __init__(self) -> None:
        self._kept: Pixels | None = None
        self._small: Grey | None = None
        self._moving: Sequence[Quad] = ()
        self.unlike = False
        """Of the picture that `shift` last saw nearly nothing was where it lay."""

    def keep(self, pixels: Pixels, moving: Sequence[Quad] = ()) -> None:
        """The table was read in this picture (height, width, 3), of which `moving` (px) was hands."""
        self._kept, self._small, self._moving = pixels, None, moving

    def forget(self) -> None:
        """Another calibration holds from now on."""
        self._kept = None

    def shift(self, pixels: Pixels) -> Matrix | None:
        """The homography (3, 3) from the kept picture's px to those of `pixels`; None where the camera was not pushed,
        or nobody can tell."""
        self.unlike = False
        if self._kept is None or self._kept.shape != pixels.shape:
            return None
        before, now, scale = self._before(self._kept), _small(pixels), parameters.BUMP_WIDTH / pixels.shape[1]
        alike = _agreement(before, now)
        self.unlike = alike is not None and alike < parameters.BUMP_LOST
        if alike is None or alike >= parameters.BUMP_ALIKE:
            return None
        grow = np.diag([scale, scale, 1.0])
        for found in (_by_tags(self._kept, pixels), _by_features(before, now, grow)):
            if found is None:
                continue
            moved = cv2.warpPerspective(before, grow @ found @ np.linalg.inv(grow), (now.shape[1], now.shape[0]))
            agrees = _agreement(np.asarray(moved, np.uint8), now)
            if agrees is not None and agrees >= max(parameters.BUMP_AGREES, alike + parameters.BUMP_GAIN):
                return found
        return None

    def lost(self, pixels: Pixels, cards: Sequence[Quad]) -> bool:
        """Whether nearly nothing is where it was, although this is no push that `shift` could measure. `cards`:
        outlines (px) of those that lay and of those that lie there, and of hands that rest: cards may have been dealt
        anew. One that lies as it did tells that nothing was pushed."""
        if self._kept is None or self._kept.shape != pixels.shape:
            return False
        before, now, scale = self._before(self._kept), _small(pixels), parameters.BUMP_WIDTH / pixels.shape[1]
        free = np.full(now.shape, 255, np.uint8)
        for card in (*cards, *self._moving):  # a hand that has left was no part of the table
            outline = np.round(np.asarray(card) * scale).astype(np.int32)
            cv2.fillConvexPoly(free, outline, 0)
            whole = _agreement(before, now, _cells(_filled(now.shape, outline)).min(axis=1) > 200, parameters.BUMP_CARD)
            if whole is not None and whole >= parameters.BUMP_SAME:
                return False
        free = np.asarray(cv2.erode(free, np.ones((_CELL, _CELL), np.uint8)), np.uint8)
        alike = _agreement(before, now, _cells(free).min(axis=1) > 200)
        return alike is not None and alike < parameters.BUMP_LOST

    def _before(self, kept: Pixels) -> Grey:
        self._small = _small(kept) if self._small is None else self._small
        return self._small


def mended(calibration: Calibration, shift: Matrix, picture: tuple[int, int]) -> Calibration:
    """The same table seen by a camera that was pushed: `shift` maps px before to px after, in pictures of `picture`
    px."""
    scale = np.array(calibration.picture) / np.array(picture)
    grid = np.mgrid[0:1:6j, 0:1:6j].reshape(2, -1).T
    before = np.ascontiguousarray(grid * np.array(picture))
    after = cv2.perspectiveTransform(before[None], shift)[0] * scale
    table = np.array(calibration.to_table([(x, y) for x, y in before.tolist()], picture))
    flat = lenses.straight(np.asarray(after, np.float64), calibration.lens, calibration.picture)
    matrix, _ = cv2.findHomography(flat, table)
    return replace(calibration, matrix=tuple(float(v) for v in np.ravel(matrix)))


def _by_tags(before: Pixels, now: Pixels) -> Matrix | None:
    old, new = find_tags(before), find_tags(now)
    both = sorted(old.keys() & new.keys())
    if len(both) < 3:
        return None
    matrix, _ = cv2.findHomography(np.concatenate([old[n] for n in both]), np.concatenate([new[n] for n in both]))
    return None if matrix is None else np.asarray(matrix, np.float64)


def _by_features(before: Grey, now: Grey, grow: Matrix) -> Matrix | None:
    """By what is alike in both small pictures; in px of the large ones."""
    orb = cv2.ORB.create(nfeatures=1200)
    (old, described), (new, again) = orb.detectAndCompute(before, None), orb.detectAndCompute(now, None)
    if described is None or again is None or min(len(old), len(new)) < parameters.BUMP_FEATURES:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(described, again)
    if len(pairs) < parameters.BUMP_FEATURES:
        return None
    here = np.array([old[pair.queryIdx].pt for pair in pairs], np.float64)
    there = np.array([new[pair.trainIdx].pt for pair in pairs], np.float64)
    matrix, mask = cv2.findHomography(here, there, cv2.USAC_MAGSAC, 2.0, maxIters=4000)
    if matrix is None:
        return None
    right = np.ravel(mask).astype(bool)
    hull = cv2.contourArea(cv2.convexHull(here[right].astype(np.float32))) if right.any() else 0.0
    if right.sum() < parameters.BUMP_FEATURES or hull < parameters.BUMP_SPREAD * before.size:
        return None
    turned = float(np.linalg.det(matrix[:2, :2]))
    if not 0.5 < turned < 2.0 or abs(matrix[2, :2]).max() > 1e-3:
        return None
    return np.asarray(np.linalg.inv(grow) @ matrix @ grow, np.float64)


def _small(pixels: Pixels) -> Grey:
    size = (parameters.BUMP_WIDTH, round(pixels.shape[0] * parameters.BUMP_WIDTH / pixels.shape[1]))
    return np.asarray(
        cv2.cvtColor(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY), np.uint8
    )


def _filled(shape: tuple[int, ...], outline: NDArray[np.int32]) -> Grey:
    return np.asarray(cv2.fillConvexPoly(np.zeros(shape, np.uint8), outline, 255), np.uint8)


def _agreement(
    one: Grey, other: Grey, where: NDArray[np.bool_] | None = None, least: int = parameters.BUMP_CELLS
) -> float | None:
    """Share of the cells with detail in which two pictures correlate, all or those of `where`; None where fewer than
    `least` cells have detail."""
    a, b = _cells(one), _cells(other)
    a, b = a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True)
    spread = np.sqrt((a**2).mean(axis=1)), np.sqrt((b**2).mean(axis=1))
    detail = np.maximum(*spread) > parameters.BUMP_DETAIL
    detail = detail if where is None else detail & where
    if detail.sum() < least:
        return None
    alike = (a * b).mean(axis=1) / np.maximum(spread[0] * spread[1], 1.0)
    return float((alike[detail] > 0.6).mean())


def _cells(grey: Grey) -> NDArray[np.float32]:
    soft = cv2.GaussianBlur(grey, (5, 5), 0).astype(np.float32)
    rows, columns = soft.shape[0] // _CELL, soft.shape[1] // _CELL
    cut = soft[: rows * _CELL, : columns * _CELL].reshape(rows, _CELL, columns, _CELL)
    return np.asarray(cut.transpose(0, 2, 1, 3).reshape(rows * columns, -1), np.float32)
