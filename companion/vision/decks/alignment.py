"""Cards laid exactly onto each other: no outline is exact, and a pen's line is no wider than what it is off.

Samples come first: those that were photographed the other way up are turned, then each is moved to where it fits what
its deck says it should look like, its picture's and its mark's common parts (congealing: Learned-Miller, 2006). A card
on the table is moved onto the picture it seems to show. Both are found by a map that makes two images agree but for
gain and bias: Gauss-Newton steps whose derivatives are those of what a card should look like, so that they are made
once for all cards (inverse compositional: Baker & Matthews, 2004). It is done at half the size, where it is as exact.
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
from companion.vision.geometry import Array, box_quad, project

_GREY = np.array([0.114, 0.587, 0.299], np.float32)
NOT_MOVED = np.eye(2, 3, dtype=np.float32)
TURNED = np.array([[-1, 0, CROP[0] - 1], [0, -1, CROP[1] - 1], [0, 0, 1]], np.float32)
"""The map (3, 3) that turns a crop upside down."""
_CORNERS = box_quad((MARGIN, MARGIN, CROP[0] - MARGIN, CROP[1] - MARGIN))
_MIDDLE = np.array([(CROP[0] - 1) / 2, (CROP[1] - 1) / 2, 1])
SMALL = (CROP[0] // 2, CROP[1] // 2)
"""Width and height of a crop at half its size, px."""
_UNIT = SMALL[1] / 2
"""Maps are looked for in this unit around the middle of a small crop, px."""
_INTO = np.array([[_UNIT, 0, (SMALL[0] - 1) / 2], [0, _UNIT, (SMALL[1] - 1) / 2], [0, 0, 1]])
_OUT = np.linalg.inv(_INTO)
_LITTLE = 0.03 / _UNIT
"""A step of no more, 0.03 px, is the last."""
_HALF = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]])
"""Px of a small crop as px of the crop."""
_HALF_BACK = np.linalg.inv(_HALF)
_EDGE = MARGIN // 2 + 1
_INSIDE = (slice(_EDGE, -_EDGE),) * 2
"""Where a small crop shows its card and no edge of it: there it is laid on."""
_CARD = (SMALL[0] - 2 * _EDGE, SMALL[1] - 2 * _EDGE)
_FROM = np.array([[1, 0, _EDGE], [0, 1, _EDGE], [0, 0, 1]])
_FROM_UNIT = _OUT @ _FROM
_ACROSS, _DOWN = (((np.arange(size) - (size - 1) / 2) / _UNIT).astype(np.float32) for size in SMALL)


def stretched(move: Floats | Array) -> float:
    """By how much a map stretches or turns, share of the card."""
    return float(np.abs(move[:2, :2] - NOT_MOVED[:, :2]).max())


def outline_under(move: Floats) -> Array:
    """Where a card lies that a homography (3, 3) lays onto its picture: (4, 2) px of its crop, from its corner."""
    return project(move.astype(np.float64), _CORNERS - 0.5) + 0.5


def seen_under(move: Floats, seen: Seen | None) -> Seen | None:
    """Where a crop that is `seen` there shows its card under a homography (3, 3); None: everywhere. A map that reaches
    beyond the crop shows nothing there."""
    corners = outline_under(move)
    if (corners >= 0).all() and (corners <= CROP).all():
        return None if seen is None else np.asarray(warped(seen, move), np.uint8)
    whole = np.ones((CROP[1], CROP[0]), np.uint8) if seen is None else seen
    return np.asarray(cv2.warpPerspective(whole, move, CROP, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP), np.uint8)


def grey(crops: Crops) -> Floats:
    """(n, height, width): the brightness of levelled crops, a little soft."""
    return np.stack([cv2.GaussianBlur(crop.astype(np.float32) @ _GREY, (0, 0), 1.0) for crop in crops])


def warped(crop: NDArray[Any], move: Floats, part: tuple[int, int, int, int] | None = None) -> NDArray[Any]:
    """A crop, or one that is larger or smaller, under an affine map (2, 3), or a homography (3, 3), in px of the crop,
    from where its parts should lie to where they do. `part`: only this box of it (left, top, right, bottom; its own
    px)."""
    times = crop.shape[1] / CROP[0]
    left, top, right, bottom = part or (0, 0, crop.shape[1], crop.shape[0])
    size, flags = (right - left, bottom - top), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    if times != 1 or part is not None:
        aside = (times - 1) / 2
        into = np.array([[times, 0, aside], [0, times, aside], [0, 0, 1]])
        back = np.array([[1 / times, 0, (left - aside) / times], [0, 1 / times, (top - aside) / times], [0, 0, 1]])
        whole = into @ (move if len(move) == 3 else np.vstack([move, [0, 0, 1]])) @ back
        move = whole if len(move) == 3 else whole[:2]
    if len(move) == 3:
        return cv2.warpPerspective(crop, move, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return cv2.warpAffine(crop, move, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)


class Target:
    """A grey look onto which crops are laid."""

    def __init__(self, look: Floats) -> None:
        """`look`: (height, width) of a crop, as `grey` makes it."""
        soft = softer(look)
        self._mean = float(soft.mean())
        down, across = (way * np.float32(_UNIT) for way in np.gradient(soft))
        x, y = np.broadcast_to(_ACROSS, soft.shape), np.broadcast_to(_DOWN[:, None], soft.shape)
        far = across * x + down * y
        rows = [soft - self._mean, np.ones_like(soft), across * x, across * y, across, down * x, down * y, down]
        every = np.stack([*rows, -far * x, -far * y])[:, *_INSIDE]
        self._rows = np.ascontiguousarray(every.reshape(10, -1), np.float32)
        self._affine = _solving(self._rows[:8], self._rows[:8])

    def moved(
        self, crop: Floats, seen: Seen | None = None, stretch: float = parameters.MOST_STRETCH, rounds: int = 15
    ) -> Floats:
        """The affine map (2, 3) under which a small soft crop, where it is `seen`, agrees best, if it stretches and
        turns by no more than `stretch`."""
        if seen is None:
            found = self._found(crop, np.eye(3), self._affine, rounds)
        else:
            rows = self._rows[:8]
            found = self._found(crop, np.eye(3), _solving(rows, rows * seen[_INSIDE].reshape(1, -1)), rounds)
        move = _HALF @ found @ _HALF_BACK
        aside = np.abs(move[:2] @ _MIDDLE - _MIDDLE[:2]).max()
        if stretched(move) > stretch or aside > parameters.FARTHEST_MOVE:
            return NOT_MOVED
        return np.asarray(move[:2], np.float32)

    def exactly(self, crop: Floats, move: Floats, seen: Seen | None = None, rounds: int = 15) -> Floats:
        """The homography (3, 3) near an affine map (2, 3) under which it agrees best."""
        start = np.vstack([move, [0, 0, 1]]).astype(np.float64)
        rows = self._rows if seen is None else self._rows * seen[_INSIDE].reshape(1, -1)
        found = _HALF @ self._found(crop, _HALF_BACK @ start @ _HALF, _solving(self._rows, rows), rounds) @ _HALF_BACK
        before, after = (project(each[None], _CORNERS[None])[0] for each in (start, found))
        near = np.isfinite(after).all() and np.abs(after - before).max() < parameters.FARTHEST_BEND
        return np.asarray(found if near else start, np.float32)

    def _found(self, crop: Floats, start: Array, solving: Floats, rounds: int) -> Array:
        """The map near `start`, px of small crops, by steps in units around the middle."""
        move, flags = _OUT @ start @ _INTO, cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        affine = len(solving) == 8
        for _ in range(rounds):
            under = _INTO @ move @ _FROM_UNIT
            if affine:
                now = cv2.warpAffine(crop, under[:2], _CARD, flags=flags, borderMode=cv2.BORDER_REPLICATE)
            else:
                now = cv2.warpPerspective(crop, under, _CARD, flags=flags, borderMode=cv2.BORDER_REPLICATE)
            gain, _, *by = (solving @ now.ravel()).tolist()
            if gain < parameters.LEAST_GAIN:  # nothing there agrees
                return start
            a, b, c, d, e, f, g, h = (each / gain for each in (by if len(by) == 8 else (*by, 0.0, 0.0)))
            a, e = 1 + a, 1 + e
            # the step's inverse, but for its scale
            move = move @ np.array([[e - f * h, c * h - b, b * f - c * e],
                                    [f * g - d, a - c * g, c * d - a * f],
                                    [d * h - e * g, b * g - a * h, a * e - b * d]])  # fmt: skip
            move /= move[2, 2]
            if max(abs(a - 1), abs(b), abs(c), abs(d), abs(e - 1), abs(f)) < _LITTLE:
                break
        return np.asarray(_INTO @ move @ _OUT, np.float64)


def _solving(rows: Floats, seen: NDArray[np.floating[Any]]) -> Floats:
    """What makes of an image the numbers by which `rows` (n, px) come nearest to it where they are `seen`."""
    normal = (seen @ rows.T).astype(np.float64)
    at = np.diag_indices(len(normal))
    normal[at] = normal[at] * (1 + 1e-5) + 1e-3  # where blank paper alone is seen nothing moves
    return np.asarray(np.linalg.inv(normal).astype(np.float32) @ seen, np.float32)


def small(crop: NDArray[Any]) -> NDArray[Any]:
    """A crop at half its size."""
    return cv2.resize(crop, SMALL, interpolation=cv2.INTER_AREA)


def softer(crop: Floats) -> Floats:
    """A grey crop small and soft, to be laid onto targets."""
    return np.asarray(cv2.GaussianBlur(small(crop), (0, 0), 0.8), np.float32)


class Looks:
    """What the pictures of a deck look like, laid onto each other: `small`, in colour and at half the size; `soft`, the
    same as targets see it."""

    def __init__(self, coloured: Crops) -> None:
        """`coloured`: (pictures, height, width, 3), levelled."""
        looks = grey(coloured)
        self.small = np.stack([small(each) for each in coloured])
        self.soft = np.stack([softer(each) for each in looks])
        self._targets = [[Target(look) for look in way] for way in (looks, looks[:, ::-1, ::-1])]
        sharp = np.stack([_sharp(small(look)) for look in looks])
        self._common = np.median(sharp, axis=0)
        differ = sharp - self._common
        spread = (differ**2).mean(axis=0)
        weight = np.sqrt(np.clip(spread / max(float(np.quantile(spread, 0.98)), 1e-6), 0, 1))
        edge = MARGIN // 2 + parameters.OUTLINE_ASIDE
        weight[:edge] = weight[-edge:] = weight[:, :edge] = weight[:, -edge:] = 0
        self._weight = weight
        self._shown = (slice(edge, -edge),) * 2
        differ = (differ * weight)[:, *self._shown].reshape(len(looks), -1)
        self._differ = differ / (np.linalg.norm(differ, axis=1, keepdims=True) + 1e-3)
        self._squares = self._differ**2

    def target(self, picture: int, way: bool) -> Target:
        """A picture's look, upside down where `way`, to lay cards onto."""
        return self._targets[way][picture]

    def laid(self, crop: Floats, soft: Floats, picture: int, way: bool, seen: Seen | None) -> tuple[Floats, Floats]:
        """The affine map (2, 3) that lays a small grey crop, and `soft` as targets see it, onto a picture, upside down
        where `way`; and how `alike` it is then. An outline may leave out a part of its card: a map that stretches far
        counts where the card is clearly like a picture under it."""
        move = self.target(picture, way).moved(soft, seen, parameters.FARTHEST_STRETCH)
        agree = self._alike_under(move, crop, seen)
        if stretched(move) > parameters.MOST_STRETCH and agree.max() < parameters.CLEARLY_ALIKE:
            return NOT_MOVED, self._alike_under(NOT_MOVED, crop, seen)
        return move, agree

    def _alike_under(self, move: Floats, crop: Floats, seen: Seen | None) -> Floats:
        return self.alike(warped(crop, move), None if seen is None else warped(seen, move))

    def alike(self, crop: Floats, seen: Seen | None = None) -> Floats:
        """(2, pictures): how well a moved small grey crop, taken upright and upside down, agrees with each picture
        where they differ from each other, and where it is `seen`, -1..1."""
        sharp = _sharp(crop)
        both = np.stack([(sharp[::way, ::way] - self._common) * self._weight for way in (1, -1)])
        both = both[:, *self._shown].reshape(2, -1)
        own: Floats | float = 1.0
        if seen is not None:
            parts = np.stack([seen[::way, ::way][self._shown].ravel() for way in (1, -1)]).astype(np.float32)
            both *= parts
            own = np.sqrt(parts @ self._squares.T) + parameters.LITTLE_SEEN
        return np.asarray(
            both @ self._differ.T / (np.linalg.norm(both, axis=1, keepdims=True) + 1e-3) / own, np.float32
        )


def _sharp(look: Floats) -> Floats:
    """A small grey picture without slow changes of light, a little soft."""
    return np.asarray(cv2.GaussianBlur(look, (0, 0), 0.6) - cv2.blur(look, (13, 13)), np.float32)


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


def pictures_turned(upright: Floats, turned: Floats, parts: Sequence[tuple[str, str]]) -> NDArray[np.bool_]:
    """Which samples, of these pictures and marks, are of a picture that lies the other way up than most of the deck, by
    where its marks are printed; cells as of `turned_alike`. Where marks are the same either way up, none."""
    pictures, marks = (sorted({part[k] for part in parts}) for k in (0, 1))
    at = (np.array([pictures.index(one) for one, _ in parts]), np.array([marks.index(one) for _, one in parts]))
    count = np.zeros((len(pictures), len(marks)), np.float32)
    np.add.at(count, at, 1)
    there = (count > 0).astype(np.float32)[..., None]
    ways = []
    for cells in (upright.reshape(len(parts), -1), turned.reshape(len(parts), -1)):
        each = np.zeros((*count.shape, cells.shape[1]), np.float32)
        np.add.at(each, at, cells)
        each /= np.maximum(count, 1)[..., None]
        usual = each.sum(axis=1, keepdims=True) / np.maximum(there.sum(axis=1, keepdims=True), 1)
        ways.append(((each - usual) * there).reshape(len(pictures), -1, 1))
    other: NDArray[np.bool_] = turned_alike(ways[0], ways[1], [""] * len(pictures))[at[0]]
    return other


def moves_alike(crops: Crops, owner: Sequence[int], parts: Sequence[tuple[str, str]], rounds: int = 3) -> list[Floats]:
    """The affine maps (2, 3) that move each sample's crop to where it fits what is expected of its card."""
    plain = grey(levelled(crops))
    moves = [NOT_MOVED] * len(crops)
    for _ in range(rounds):
        now = np.stack([warped(crop, move) for crop, move in zip(plain, moves, strict=True)])
        looks = explained(now.reshape(len(now), -1), [parts[face] for face in owner]).reshape(now.shape)
        for number, look in enumerate(looks):
            move = Target(look.astype(np.float32)).moved(softer(now[number]))
            if _agree(look, warped(now[number], move)) > parameters.SAME_LOOK:
                moves[number] = _after(moves[number], move)
        back = _inverted(np.mean(moves, axis=0))
        moves = [_after(move, back) for move in moves]
    return moves


def _agree(one: Floats, other: Floats) -> float:
    """How well two crops agree where they show cards: their correlation."""
    inner = (slice(MARGIN, -MARGIN),) * 2
    return float(np.corrcoef(one[inner].ravel(), other[inner].ravel())[0, 1])


def all_warped(crops: Crops, moves: Sequence[Floats]) -> Crops:
    """Crops, each under its map."""
    return np.stack([warped(crop, move) for crop, move in zip(crops, moves, strict=True)]).astype(np.uint8)


def _after(first: Floats, then: Floats) -> Floats:
    """The map that looks up a place by `then`, and what it finds by `first`."""
    whole = np.vstack([first, [0, 0, 1]]) @ np.vstack([then, [0, 0, 1]])
    return np.asarray(whole[:2], np.float32)


def _inverted(move: Floats) -> Floats:
    return np.asarray(cv2.invertAffineTransform(move.astype(np.float64)), np.float32)
