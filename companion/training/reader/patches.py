"""Crops by the million, each for one of the reader's networks: training draws them as it goes, none is seen twice.

Where `reader_views` imagines a whole card and cuts it up, a patch holds only what the index network will see: the
index of a print at the size, slant and turn of a camera's picture, the next card's edge over it, the light and the
lens, cut along a window as inexact as the detector's. Some thousand a second on one core; whole faces take longer.
Colours are BGR throughout; deterministic by seed.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

import cv2
import numpy as np

from companion.training.reader.items import NO_SUIT, REJECT_FACE, UNKNOWN, Item
from companion.training.reader.views import Views
from companion.vision.geometry import axes, corner_windows, homography, index_window, project
from companion.vision.reading.crops import FACE_SIZE, INDEX_SIZE, rectify
from companion.vision.reading.faces import REJECT
from companion.vision.reading.parameters import AIM_MARGIN

SIZES_PX, WIDTHS_PX = (7.5, 95.0), (26.0, 170.0)
"""Heights of an index (rank over suit) and widths of a card in the camera's picture, px."""

_BARE = 0.06
"""Of prints with two indices so many patches show a corner without."""

_ASTRAY = 0.12
"""So many outlines of whole cards lie where no card does."""

Drawn = TypeVar("Drawn")


@dataclass(frozen=True, slots=True)
class Patch:
    """One crop (64, 48, 3) BGR with its rank (0..14), suit (0..4) and number of `LETTERS`; -1: unknown."""

    crop: np.ndarray
    rank: int
    suit: int
    letter: int


@dataclass(frozen=True, slots=True)
class Aim:
    """One crop (64, 48, 3) BGR of a badly laid window, and where in it the index lies: (4, 2), 0..1 of the crop."""

    crop: np.ndarray
    corners: np.ndarray


@dataclass(frozen=True, slots=True)
class Face:
    """One straightened card (112, 80, 3) BGR and its class: 0..51 faces, 52 a joker, 53 nothing that is known."""

    crop: np.ndarray
    label: int


@dataclass(frozen=True, slots=True)
class _Shot:
    """A patch of a photograph: what lies over the card (not 0), the card's outline and one printed index (4, 2) px."""

    picture: np.ndarray
    covered: np.ndarray
    quad: np.ndarray
    printed: np.ndarray
    corner: int


class _Drawer(Views, ABC, Generic[Drawn]):
    """Photographs cards, or patches around their printed indices; one instance a process."""

    reach: float
    """Side of such a patch, in heights of its index."""

    def __init__(self, items: list[Item], foreign: list[Item], seed: int) -> None:
        super().__init__(items, foreign, seed)
        self._indexed = [item for item in items if item.boxes] or items
        self._sizes = {id(item): _mips(item.picture) for item in [*items, *foreign]}

    def reseed(self, seed: int) -> None:
        """Start another row of patches over the same prints, as each process needs its own."""
        self._rng = np.random.default_rng([seed, 1])

    def __iter__(self) -> Iterator[Drawn]:
        while True:
            drawn = self.draw()
            if drawn is not None:
                yield drawn

    @abstractmethod
    def draw(self) -> Drawn | None:
        """One crop with its label; None where nobody could say what is seen."""

    def _shot(self, item: Item, *, bare: bool = False) -> _Shot:
        """Photograph the card around one of its indices, with what lies under and over it.

        `bare`: around a corner without one instead, where two-cornered prints have two.
        """
        rng = self._rng
        boxes = _bare_corners(item) if bare else item.boxes
        corner = list(boxes)[int(rng.integers(len(boxes)))] if boxes else int(rng.integers(4))
        box = boxes[corner] if boxes else _anywhere(rng)
        tall = math.exp(rng.uniform(*np.log(SIZES_PX)) * 0.5 + rng.normal(math.log(20), 0.5) * 0.5)
        tall = float(np.clip(tall, *SIZES_PX))
        side = math.ceil(tall * self.reach) + 10
        quad = self._view(item, np.asarray(box, np.float64), tall, side)
        printed = project(_unit(quad), np.asarray(box, np.float64))
        width = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
        canvas = self._ground((side, side))
        covered = np.zeros((side, side), np.uint8)
        if rng.random() < 0.3:
            self._lay(canvas, self._pick(self._items), self._shifted(quad, width, 0.1, 0.8))
        self._lay(canvas, item, quad)
        if rng.random() < 0.5:
            self._overlay(canvas, covered, quad, width)
        picture = self._spoil(canvas, max(width, 20.0))
        if rng.random() < 0.05:
            picture = np.clip(picture.astype(np.float32) * rng.uniform(1.2, 1.9), 0, 255).astype(np.uint8)
        return _Shot(picture, covered, quad, printed, corner)

    def _view(self, item: Item, box: np.ndarray, tall: float, side: int) -> np.ndarray:
        """The outline of the card in the patch: its index `tall` px high and in the middle, at any turn and slant."""
        rng = self._rng
        high, wide = item.picture.shape[:2]
        share = float(box[:, 1].max() - box[:, 1].min())
        length = tall / max(share, 0.05)
        width = length * wide / high
        flat = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - box.mean(axis=0)) * [width, length]
        spin = rng.uniform(0, 2 * math.pi)
        points = flat @ _turn(spin).T
        if rng.random() < 0.6:
            lean = rng.uniform(0, 2 * math.pi)
            tilt = math.radians(rng.uniform(0, 62))
            axis = np.array([math.cos(lean), math.sin(lean)])
            along = points @ axis
            points = points - np.outer(along, axis) * (1 - math.cos(tilt))
            depth = along * math.sin(tilt) / (length * rng.uniform(4, 14))
            points = points / (1 + np.clip(depth, -0.3, 0.6))[:, None]
            grown = math.sqrt(max(math.cos(tilt), 0.3))
            points = points / grown
        return points + side / 2 + rng.normal(0, 0.02 * tall, 2)

    def _hidden(self, shot: _Shot) -> float:
        """Share 0..1 of the index that something lies on."""
        area = self._mask(shot.covered.shape, shot.printed)
        return float((shot.covered[area] > 0).mean()) if area.any() else 1.0

    def _overlay(self, canvas: np.ndarray, covered: np.ndarray, quad: np.ndarray, width: float) -> None:
        """What lies on the card near the index: mostly the next card of a fan, a column or a trick."""
        rng = self._rng
        if rng.random() < 0.12:
            self._cover(canvas, covered, quad, width)
            return
        right, down = quad[1] - quad[0], quad[3] - quad[0]
        turned = rng.normal(0, 0.05) if rng.random() < 0.7 else rng.uniform(0, 2 * math.pi)
        step = right * rng.uniform(0.14, 0.6) if rng.random() < 0.5 else down * rng.uniform(0.16, 0.6)
        step = step + right * rng.normal(0, 0.03) + down * rng.normal(0, 0.03)
        if rng.random() < 0.25:
            step = right * rng.uniform(-0.5, 0.9) + down * rng.uniform(-0.5, 0.9)
        centre = quad.mean(axis=0)
        other = (quad - centre) @ _turn(turned).T + centre + step
        self._lay(canvas, self._pick(self._items), other, covered)

    def _lay(self, canvas: np.ndarray, item: Item, quad: np.ndarray, covered: np.ndarray | None = None) -> None:
        """Lay a card on the patch, from a copy of its picture near the wanted size."""
        rng = self._rng
        width = float(np.linalg.norm(quad[1] - quad[0]))
        picture = self._near(item, width)
        high, wide = picture.shape[:2]
        flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(flat, (quad - 0.5).astype(np.float32))
        warped = cv2.warpPerspective(picture, matrix, canvas.shape[1::-1], flags=cv2.INTER_LINEAR)
        alpha = warped[..., 3]
        opacity = alpha.astype(np.float32)[..., None] / 255
        if rng.random() < 0.6:
            shade = cv2.blur(alpha, (max(3, int(width * 0.05)),) * 2).astype(np.float32)[..., None] / 255
            shift = tuple(int(v) for v in np.rint(rng.normal(0, width * 0.03, 2)))
            canvas[:] = canvas * (1 - rng.uniform(0.15, 0.6) * np.roll(shade, shift, axis=(0, 1)))
        canvas[:] = canvas * (1 - opacity) + warped[..., :3] * opacity
        if covered is not None:
            covered[alpha > 127] = 255

    def _near(self, item: Item, width: float) -> np.ndarray:
        """The item's picture (BGRA) at the smallest kept size that is not coarser than `width` px."""
        sizes = self._sizes[id(item)]
        return next((size for size in reversed(sizes) if size.shape[1] >= 0.9 * width), sizes[0])


class Patches(_Drawer[Patch]):
    """Draws labelled index crops."""

    reach = 2.35

    def draw(self) -> Patch | None:
        """One crop; None where nobody could say what is seen."""
        kind = self._rng.random()
        foreign = kind < 0.05 and bool(self._foreign)
        item = self._pick(self._foreign if foreign else self._items if kind < 0.12 else self._indexed)
        bare = bool(_bare_corners(item)) and self._rng.random() < _BARE
        shot = self._shot(item, bare=bare)
        window, exact = self._window(shot)
        label = self._named(item, shot, exact and not bare)
        if label is None:
            return None
        return Patch(rectify(shot.picture, window, INDEX_SIZE), *label, 0 if label[0] == REJECT else item.letter)

    def _window(self, shot: _Shot) -> tuple[np.ndarray, bool]:
        """Where the program would look: around a detected index or at an outline's corner, both inexact.

        The second value is False for a look that must find nothing: turned, or beside the index.
        """
        rng, quad, printed, corner = self._rng, shot.quad, shot.printed, shot.corner
        tall = float(np.linalg.norm(printed[3] - printed[0]))
        if rng.random() < 0.35:
            width = float(np.linalg.norm(quad[1] - quad[0]))
            seen = quad + rng.normal(0, width * rng.choice([0.012, 0.03, 0.05]), quad.shape)
            window = corner_windows(seen)[corner]
            if corner in (1, 3) and float(np.linalg.norm(window.mean(axis=0) - printed.mean(axis=0))) > 0.5 * tall:
                return window, False
        else:
            loose = rng.choice([0.02, 0.05, 0.12])
            rough = printed + rng.normal(0, loose * 0.5 * tall, printed.shape) * [0.6, 0.6]
            rough = (rough - rough.mean(axis=0)) @ _turn(rng.normal(0, 0.09)).T + printed.mean(axis=0)
            rough = rough + rng.normal(0, 0.5 * loose * tall, 2)
            window = index_window(rough, 1.45 * math.exp(rng.normal(0, 0.13)))
        fate = rng.random()
        if fate < 0.045:
            return np.roll(window, int(rng.integers(1, 4)), axis=0), False
        if fate < 0.14:  # beside: the next card's index in a tight fan lies half a window away
            angle = rng.uniform(0, 2 * math.pi)
            away = np.array([math.cos(angle), math.sin(angle)]) * np.linalg.norm(window[3] - window[0])
            return window + away * rng.uniform(0.42, 1.1), False
        return window, True

    def _named(self, item: Item, shot: _Shot, exact: bool) -> tuple[int, int] | None:
        if not item.boxes:
            return None if item.silent else (REJECT, NO_SUIT)
        return self._label(item, self._hidden(shot)) if exact else (REJECT, NO_SUIT)


class Aims(_Drawer[Aim]):
    """Draws crops of windows that lie badly, as around a detected index; all show one."""

    reach = 3.4

    def draw(self) -> Aim | None:
        """One crop; None where too little of the index is seen."""
        shot = self._shot(self._pick(self._indexed))
        if self._hidden(shot) > 0.25:
            return None
        window = index_window(self._astray(shot.printed), AIM_MARGIN)
        inside = project(np.linalg.inv(homography(window, (1.0, 1.0))), shot.printed)
        return Aim(rectify(shot.picture, window, INDEX_SIZE), inside.astype(np.float32))

    def _astray(self, printed: np.ndarray) -> np.ndarray:
        """The index (4, 2) px where the detector might see it: beside, turned, too large, too small, askew."""
        rng = self._rng
        across, down = axes(printed)
        loose = rng.choice([0.07, 0.16, 0.26])
        seen = printed - printed.mean(axis=0)
        seen = seen * math.exp(rng.normal(0, 0.14)) @ _turn(rng.normal(0, rng.choice([0.07, 0.2]))).T
        wider, taller = np.exp(rng.normal(0, 0.1, 2))
        rough = axes(seen)
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 * [wider, taller]
        seen = corners @ np.stack(rough) + printed.mean(axis=0)
        return seen + rng.normal(0, loose) * across + rng.normal(0, 0.7 * loose) * down


class Faces(_Drawer[Face]):
    """Draws whole cards along inexact outlines, other cards and fingers over some; and outlines of nothing whole."""

    def draw(self) -> Face | None:
        """One crop; None where too little of the card is seen."""
        picture, covered, item, quad = self._photograph(*WIDTHS_PX)
        if item.rank == UNKNOWN:
            return None
        if self._rng.random() < _ASTRAY:
            return Face(rectify(picture, self._aside(quad), FACE_SIZE), REJECT_FACE)
        seen, _, sideways = self._outline(quad)
        if sideways or not self._shows(covered, quad):
            return None
        return Face(rectify(picture, seen, FACE_SIZE), item.whole)


def _mips(picture: np.ndarray) -> list[np.ndarray]:
    """A card picture (RGBA) as BGRA in falling sizes."""
    sizes = [cv2.cvtColor(np.asarray(picture), cv2.COLOR_RGBA2BGRA)]
    while sizes[-1].shape[1] > 40:
        sizes.append(cv2.resize(sizes[-1], None, fx=0.62, fy=0.62, interpolation=cv2.INTER_AREA))
    return sizes


def _bare_corners(item: Item) -> dict[int, np.ndarray]:
    """Where a card with two indices would have the others: boxes by corner as `Item` has them; none for other cards."""
    if set(item.boxes) != {0, 2}:
        return {}
    left, top, right, bottom = (*np.min(item.boxes[0], axis=0), *np.max(item.boxes[0], axis=0))
    upper = np.array([[1 - right, top], [1 - left, top], [1 - left, bottom], [1 - right, bottom]])
    return {1: upper, 3: 1 - upper}


def _unit(quad: np.ndarray) -> np.ndarray:
    flat = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(flat, quad.astype(np.float32)), np.float64)


def _turn(angle: float) -> np.ndarray:
    return np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])


def _anywhere(rng: np.random.Generator) -> np.ndarray:
    """A place like an index's on a card without one, as fractions of the card."""
    left, top = (0.03, 0.03) if rng.random() < 0.5 else rng.uniform(0, 0.8, 2)
    wide, high = rng.uniform(0.1, 0.18), rng.uniform(0.16, 0.26)
    return np.array([[left, top], [left + wide, top], [left + wide, top + high], [left, top + high]])
