"""How cards looked when they were last found, and whether what they lay on shows now in their place.

Of an overlapping row a card that is drawn never leaves bare table: in its strip the card below it shows. That is proof
of its absence when it is not found any more, its print is gone from there, and the paper that shows belongs to cards
that lay there before; a card that was laid on it since, or a hand, proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.following import parameters
from companion.vision.images import Pixels
from companion.vision.types import Quad

Grey = NDArray[np.float32]
Over = tuple[frozenset[int], ...]
_COLUMNS, _ROWS, _CELL = 4, 6, 6
_SIZE = (_COLUMNS * _CELL, _ROWS * _CELL)
_FLAT = np.array([(0, 0), (_SIZE[0], 0), _SIZE, (0, _SIZE[1])], np.float32)
_MIDDLES = np.array([(c + 0.5, r + 0.5) for r in range(_ROWS) for c in range(_COLUMNS)], np.float32) * _CELL


@dataclass(frozen=True, slots=True)
class Look:
    """The place of a card, straightened (grey), and the numbers of the cards that lay in each cell of it."""

    patch: Grey
    over: Over


def grey(pixels: Pixels) -> Grey:
    """A picture as `taken` and `changed` want it."""
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.float32)


def taken(picture: Grey, outline: Quad, others: Sequence[tuple[int, Quad]]) -> Look:
    """How the place `outline` (px) looks, `others` lying about: numbers and outlines."""
    return Look(_patch(picture, outline), _cells_under(outline, others))


def brighter(look: Look, picture: Grey, outline: Quad) -> float:
    """How many times as bright a card has become since this look."""
    return float(np.median(_patch(picture, outline)) / max(1.0, float(np.median(look.patch))))


def likeness(look: Look, picture: Grey, outline: Quad) -> float:
    """How well the place correlates with this look of it, at most 1; brightness does not matter."""
    now, then = (patch - patch.mean() for patch in (_patch(picture, outline), look.patch))
    return float((now * then).sum() / max(1e-6, float(np.sqrt((now**2).sum() * (then**2).sum()))))


@dataclass(frozen=True, slots=True)
class Change:
    """What has changed in the place of a card since it was found there: `none`, as far as nothing has come to lie on
    it; or cards that lay there before now `show_below`, where its print was."""

    none: bool
    show_below: bool


def changed(look: Look, picture: Grey, outline: Quad, found: Sequence[tuple[int, Quad]], light: float) -> Change:
    """How the place of a card that is not found looks beside this look of it. `found`: cards that are seen now;
    `light`: how many times as bright they have become."""
    now, then = _patch(picture, outline), light * look.patch
    there = _cells_under(outline, found)
    paper = float(np.percentile(then, 80))
    change = _means(np.abs(now - then))
    level = _means(now)
    free = [at for at, (covers, before) in enumerate(zip(there, look.over, strict=True)) if covers <= before]
    proof = [change[at] for at in free if there[at] and level[at] > paper - parameters.PAPER]
    gone = [value for value in proof if value > parameters.PRINT_GONE]
    return Change(
        none=bool(free) and all(change[at] <= parameters.PRINT_SAME for at in free),
        show_below=len(gone) > 1 or any(value > parameters.PRINT_SURELY_GONE for value in gone),
    )


def _patch(picture: Grey, outline: Quad) -> Grey:
    matrix = cv2.getPerspectiveTransform(_upright(outline), _FLAT)
    return np.asarray(cv2.GaussianBlur(cv2.warpPerspective(picture, matrix, _SIZE, flags=cv2.INTER_AREA), (3, 3), 0))


def _cells_under(outline: Quad, others: Sequence[tuple[int, Quad]]) -> Over:
    back = cv2.getPerspectiveTransform(_FLAT, _upright(outline))
    points = cv2.perspectiveTransform(_MIDDLES[None], back)[0]
    inside = [(number, np.asarray(quad, np.float32)) for number, quad in others]
    return tuple(
        frozenset(n for n, q in inside if cv2.pointPolygonTest(q, (float(x), float(y)), False) >= 0) for x, y in points
    )


def _upright(outline: Quad) -> Grey:
    """The corners from the upper left one of the card, set upright."""
    corners = np.asarray(outline, np.float32)
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    return np.asarray(np.roll(corners, -1, axis=0) if sides[0] + sides[2] > sides[1] + sides[3] else corners)


def _means(patch: Grey) -> NDArray[np.float32]:
    return np.asarray(patch.reshape(_ROWS, _CELL, _COLUMNS, _CELL).mean(axis=(1, 3)).ravel())
