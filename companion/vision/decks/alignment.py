"""Cards laid exactly onto each other: no outline is exact, and a pen's line is no wider than what it is off.

Samples come first: those that were photographed the other way up are turned, then each is moved to where it fits what
its deck says it should look like, its picture's and its mark's common parts (congealing: Learned-Miller, 2006). A card
on the table is moved onto the picture it seems to show. Both are found by an affine map that makes two images correlate
most (Evangelidis & Psarakis, 2008).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.decks import parameters
from companion.vision.decks.crops import CROP, MARGIN, Crops, Seen, levelled
from companion.vision.decks.matching import Floats
from companion.vision.decks.templates import explained
from companion.vision.geometry import box_quad, project

_GREY = np.array([0.114, 0.587, 0.299], np.float32)
NOT_MOVED = np.eye(2, 3, dtype=np.float32)
_CORNERS = box_quad((MARGIN, MARGIN, CROP[0] - MARGIN, CROP[1] - MARGIN))
SMALL = (CROP[0] // 2, CROP[1] // 2)
"""Width and height of a crop at half its size, px."""


def grey(crops: Crops) -> Floats:
    """(n, height, width): the brightness of levelled crops, a little soft."""
    return np.stack([cv2.GaussianBlur(crop.astype(np.float32) @ _GREY, (0, 0), 1.0) for crop in crops])


def warped(crop: NDArray[Any], move: Floats) -> NDArray[Any]:
    """A crop, or one that is larger, under an affine map (2, 3), or a homography (3, 3), in px of the crop, from where
    its parts should lie to where they do."""
    times = crop.shape[1] / CROP[0]
    size, flags = (crop.shape[1], crop.shape[0]), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    if times != 1:
        larger = np.array([[times, 0, (times - 1) / 2], [0, times, (times - 1) / 2], [0, 0, 1]])
        move = larger @ (move if len(move) == 3 else np.vstack([move, [0, 0, 1]])) @ np.linalg.inv(larger)
        return cv2.warpPerspective(crop, move, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    if len(move) == 3:
        return cv2.warpPerspective(crop, move, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return cv2.warpAffine(crop, move, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)


def moved_onto(look: Floats, crop: Floats, rounds: int = 15, seen: Seen | None = None) -> tuple[Floats, float]:
    """The affine map (2, 3) under which a grey crop, where it is `seen`, agrees best with a look, and how well,
    -1..1."""
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, rounds, 1e-3)
    try:
        agree, move = cv2.findTransformECC(look, crop, NOT_MOVED.copy(), cv2.MOTION_AFFINE, stop, seen, 5)  # type: ignore[arg-type]
    except cv2.error:  # it does not converge: nothing there agrees
        return NOT_MOVED, 0.0
    off = np.abs(move - NOT_MOVED)
    if off[:, :2].max() > parameters.MOST_STRETCH or off[:, 2].max() > parameters.FARTHEST_MOVE:
        return NOT_MOVED, 0.0
    return np.asarray(move, np.float32), float(agree)


def moved_exactly(look: Floats, crop: Floats, move: Floats, rounds: int = 15, seen: Seen | None = None) -> Floats:
    """The homography (3, 3) near an affine map (2, 3) under which a grey crop, where it is `seen`, agrees best with a
    look."""
    start = np.vstack([move, [0, 0, 1]]).astype(np.float32)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, rounds, 1e-3)
    try:
        _, found = cv2.findTransformECC(look, crop, start.copy(), cv2.MOTION_HOMOGRAPHY, stop, seen, 5)  # type: ignore[arg-type]
    except cv2.error:
        return start
    exact = np.asarray(found, np.float32)
    before, after = (project(each[None].astype(np.float64), _CORNERS[None])[0] for each in (start, exact))
    return exact if np.abs(after - before).max() < parameters.FARTHEST_BEND else start


class Looks:
    """What the pictures of a deck look like, laid onto each other: `small`, in colour and at half the size."""

    def __init__(self, coloured: Crops) -> None:
        """`coloured`: (pictures, height, width, 3), levelled."""
        looks = grey(coloured)
        self.small = np.stack([cv2.resize(each, SMALL, interpolation=cv2.INTER_AREA) for each in coloured])
        self._ways = looks, np.ascontiguousarray(looks[:, ::-1, ::-1])
        sharp = np.stack([_sharp(look) for look in looks])
        self._common = np.median(sharp, axis=0)
        differ = sharp - self._common
        spread = (differ**2).mean(axis=0)
        weight = np.sqrt(np.clip(spread / max(float(np.quantile(spread, 0.98)), 1e-6), 0, 1))
        weight[:MARGIN] = weight[-MARGIN:] = weight[:, :MARGIN] = weight[:, -MARGIN:] = 0
        self._weight = weight
        differ = (differ * weight).reshape(len(looks), -1)
        self._differ = differ / (np.linalg.norm(differ, axis=1, keepdims=True) + 1e-3)

    def turned(self, picture: int, way: bool) -> Floats:
        """A picture's look, upside down where `way`."""
        return np.asarray(self._ways[way][picture], np.float32)

    def alike(self, crop: Floats, seen: Seen | None = None) -> Floats:
        """(2, pictures): how well a moved grey crop, taken upright and upside down, agrees with each picture where they
        differ from each other, and where it is `seen`, -1..1."""
        sharp, agree = _sharp(crop), []
        for way in (1, -1):
            differ = ((sharp[::way, ::way] - self._common) * self._weight).ravel()
            own: Floats | float = 1.0
            if seen is not None:
                part = seen[::way, ::way].ravel().astype(np.float32)
                differ *= part
                own = np.sqrt(self._differ**2 @ part) + parameters.LITTLE_SEEN
            agree.append(self._differ @ differ / (float(np.linalg.norm(differ)) + 1e-3) / own)
        return np.asarray(agree, np.float32)


def _sharp(look: Floats) -> Floats:
    """A grey picture without slow changes of light, a little soft."""
    return np.asarray(cv2.GaussianBlur(look, (0, 0), 1.2) - cv2.blur(look, (25, 25)), np.float32)


def turned_alike(upright: Floats, turned: Floats, pictures: Sequence[str]) -> NDArray[np.bool_]:
    """Which samples lie the other way up than most of their picture, by their cells (n, cells, channels) as they are
    and half turned. Of pictures that are the same either way up, none."""
    uneven = (upright - turned).reshape(len(upright), -1)
    uneven = uneven / (np.linalg.norm(uneven, axis=1, keepdims=True) + 1e-6)
    names = np.asarray(pictures)
    other = np.zeros(len(names), bool)
    for name in np.unique(names):
        these = np.flatnonzero(names == name)
        agree = uneven[these] @ uneven[these].T
        np.fill_diagonal(agree, 0)
        way = np.where(np.linalg.eigh(agree)[1][:, -1] < 0, -1.0, 1.0)
        way *= 1 if way.sum() >= 0 else -1
        own = (agree * way[:, None] * way).sum(axis=1) / max(len(these) - 1, 1)
        if own.mean() > parameters.EITHER_WAY_SAME:
            other[these] = (way < 0) & (own > parameters.EITHER_WAY_SAME)
    return other


def moves_alike(crops: Crops, owner: Sequence[int], parts: Sequence[tuple[str, str]], rounds: int = 3) -> list[Floats]:
    """The affine maps (2, 3) that move each sample's crop to where it fits what is expected of its card."""
    plain = grey(levelled(crops))
    moves = [NOT_MOVED] * len(crops)
    for _ in range(rounds):
        now = np.stack([warped(crop, move) for crop, move in zip(plain, moves, strict=True)])
        looks = explained(now.reshape(len(now), -1), [parts[face] for face in owner]).reshape(now.shape)
        for number, look in enumerate(looks):
            move, agree = moved_onto(look.astype(np.float32), now[number])
            if agree > parameters.SAME_LOOK:
                moves[number] = _after(moves[number], move)
        back = _inverted(np.mean(moves, axis=0))
        moves = [_after(move, back) for move in moves]
    return moves


def all_warped(crops: Crops, moves: Sequence[Floats]) -> Crops:
    """Crops, each under its map."""
    return np.stack([warped(crop, move) for crop, move in zip(crops, moves, strict=True)]).astype(np.uint8)


def _after(first: Floats, then: Floats) -> Floats:
    """The map that looks up a place by `then`, and what it finds by `first`."""
    whole = np.vstack([first, [0, 0, 1]]) @ np.vstack([then, [0, 0, 1]])
    return np.asarray(whole[:2], np.float32)


def _inverted(move: Floats) -> Floats:
    return np.asarray(cv2.invertAffineTransform(move.astype(np.float64)), np.float32)
