"""What of a picture shows something else than the picture before: only there is it looked at anew.

A camera that watches a table sends many pictures of nearly the same. What is compared is a small picture, the overall
light taken out; each part is compared with how it was when it was last looked at.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.boxes import Box, apart, grown
from companion.vision.geometry import Array
from companion.vision.images import Pixels, strongest
from companion.vision.reading import parameters

T = TypeVar("T")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Changes:
    """`blocks`: which blocks of a picture show something else (rows, columns); `size`: width and height of the picture,
    px."""

    blocks: NDArray[np.bool_]
    size: tuple[int, int]

    def touched_by(self, quads: Sequence[Array]) -> NDArray[np.bool_]:
        """Which of these outlines (4, 2; px) lie where something changed, as far as their boxes tell."""
        if not len(quads):
            return np.zeros(0, np.bool_)
        points = np.asarray(quads) / parameters.CHANGE_BLOCK
        limit = np.array(self.blocks.shape[::-1])
        low = np.clip(np.floor(points.min(axis=1)).astype(int), 0, limit)
        high = np.clip(np.ceil(points.max(axis=1)).astype(int), 0, limit)
        count = np.zeros((limit[1] + 1, limit[0] + 1), int)
        count[1:, 1:] = self.blocks.astype(int).cumsum(axis=0).cumsum(axis=1)
        inside = count[high[:, 1], high[:, 0]] - count[low[:, 1], high[:, 0]]
        inside -= count[high[:, 1], low[:, 0]] - count[low[:, 1], low[:, 0]]
        return np.asarray(inside > 0)

    def whole(self, quads: Sequence[Array]) -> Changes:
        """With all of each outline (4, 2; px) that lies partly where something changed, and of those that lie there
        then, and so on."""
        blocks, block = self.blocks.copy(), parameters.CHANGE_BLOCK
        left = list(quads)
        while left:
            touched = Changes(blocks, self.size).touched_by(left)
            if not touched.any():
                break
            for quad in np.asarray(left)[touched]:
                (x0, y0), (x1, y1) = np.floor(quad.min(axis=0) / block), np.ceil(quad.max(axis=0) / block)
                blocks[max(0, int(y0)) : max(0, int(y1)), max(0, int(x0)) : max(0, int(x1))] = True
            left = [quad for quad, gone in zip(left, touched.tolist(), strict=True) if not gone]
        return Changes(blocks, self.size)

    def boxes(self, reach: float, lying: Sequence[Array] = ()) -> list[Box]:
        """The changed parts with those of the outlines (4, 2; px) that lie there, and what lies within `reach` px of
        them; none overlaps another."""
        _, _, stats, _ = cv2.connectedComponentsWithStats(self.blocks.astype(np.uint8), connectivity=8)
        block = parameters.CHANGE_BLOCK
        parts = [
            (left * block, top * block, (left + wide) * block, (top + high) * block)
            for left, top, wide, high, _ in stats[1:].tolist()
        ]
        there = np.asarray(lying).reshape(-1, 4, 2)[self.touched_by(lying)]
        parts += [(*low, *high) for low, high in zip(there.min(axis=1), there.max(axis=1), strict=True)]
        return apart([grown(part, reach, self.size) for part in parts])


class Answers(Generic[V]):
    """What was found out of places in a picture: whoever asks again of the same place gets the same answer. A place is
    one outline or more (…, 4, 2; px), the first of which tells where it is."""

    def __init__(self, before: Mapping[Hashable, Sequence[tuple[Array, V]]] | None = None) -> None:
        """`before`: what was found out of a picture that showed the same there."""
        self._before = {key: _Table(list(known)) for key, known in (before or {}).items()}
        self._now: dict[Hashable, _Table[V]] = {}

    def ask(self, question: Hashable, places: Sequence[Array], work: Callable[[Sequence[int]], Sequence[V]]) -> list[V]:
        """The answer for each place; `work` gives those of the numbers that nobody has asked about."""
        keys = [(question, place.shape) for place in places]
        known = [self._again(key, place) for key, place in zip(keys, places, strict=True)]
        new = [number for number, answer in enumerate(known) if answer is None]
        if not new:
            return [answer[0] for answer in known if answer is not None]
        fresh = dict(zip(new, work(new), strict=True))
        for number in new:
            self._now.setdefault(keys[number], _Table([])).add(places[number], fresh[number])
        return [fresh[number] if answer is None else answer[0] for number, answer in enumerate(known)]

    def unchanged(self, changes: Changes) -> Answers[V]:
        """Those to what was asked last, where nothing has changed since."""
        kept = {}
        for key, table in self._now.items():
            touched = changes.touched_by([place.reshape(-1, 4, 2)[0] for place, _ in table.known]).tolist()
            kept[key] = [one for one, gone in zip(table.known, touched, strict=True) if not gone]
        return Answers(kept)

    def _again(self, key: Hashable, place: Array) -> tuple[V] | None:
        """What was said of this very place, or before of one as good as it."""
        if key in self._now and (found := self._now[key].near(place, 0.0)) is not None:
            return (found[1],)
        if key in self._before and (found := self._before[key].near(place, parameters.SAME_PLACE_PX)) is not None:
            self._now.setdefault(key, _Table([])).add(*found)
            return (found[1],)
        return None


class _Table(Generic[V]):
    """Places of one shape with what is known of each."""

    def __init__(self, known: list[tuple[Array, V]]) -> None:
        self.known = known
        self._places: Array | None = None

    def add(self, place: Array, answer: V) -> None:
        self.known.append((place, answer))

    def near(self, place: Array, limit: float) -> tuple[Array, V] | None:
        """What is known of the nearest place, no corner of it farther than `limit` px."""
        if not self.known:
            return None
        if self._places is None or len(self._places) < len(self.known):
            self._places = np.array([one for one, _ in self.known]).reshape(len(self.known), -1)
        apart = np.abs(self._places - place.ravel()).max(axis=1)
        nearest = int(apart.argmin())
        return self.known[nearest] if apart[nearest] <= limit else None


@dataclass(slots=True, eq=False)
class _Seen(Generic[T]):
    """A picture as it was last looked at, part by part, and what was found in it. `again`: what was looked at for the
    first time; `looks`: how often since it was looked at whole for the second time."""

    small: NDArray[np.float32]
    found: T
    again: NDArray[np.bool_]
    looks: int


class Before(Generic[T]):
    """The latest pictures of some cameras, small, and what was found in each. Not thread-safe."""

    def __init__(self) -> None:
        self._seen: deque[_Seen[T]] = deque(maxlen=parameters.PICTURES_BEFORE)

    def look(
        self, picture: Pixels, where: Sequence[Box], whole: Callable[[], T | None],
        anew: Callable[[T, Changes], T | None],
    ) -> T | None:  # fmt: skip
        """What is found in a picture: by `anew` where one much like it was seen before, which is given what was found
        there and what shows something else now; else, or where that says None, by `whole`. What changed is
        looked at once more the next time; what lies in `where` (px) is looked at in any case. None of `whole` is not
        remembered."""
        small = small_picture(picture)
        alike = [one for one in self._seen if one.small.shape == small.shape]
        compared = [_differing(small, one.small) for one in alike]
        nearest = int(np.argmin([blocks.mean() for blocks in compared])) if alike else 0
        looks = -1
        if alike and compared[nearest].mean() <= parameters.MOST_CHANGED:
            seen, blocks = alike[nearest], compared[nearest]
            self._seen.remove(seen)
            there = blocks | seen.again | _blocks(where, small.shape)
            changes = Changes(there, (picture.shape[1], picture.shape[0]))
            found = anew(seen.found, changes) if 0 <= seen.looks < parameters.LOOKS_ANEW else None
            if found is not None:
                same = seen.small * _light(small, seen.small)
                now = np.where(changes.blocks[..., None], small, same).astype(np.float32)
                self._seen.append(_Seen(now, found, blocks, seen.looks + 1))
                return found
            looks = 0 if seen.looks < 0 else -1
        found = whole()
        if found is not None:
            self._seen.append(_Seen(small, found, np.zeros(small.shape[:2], np.bool_), looks))
        return found


def small_picture(picture: Pixels) -> NDArray[np.float32]:
    """One pixel for each block (rows, columns, 3)."""
    block = parameters.CHANGE_BLOCK
    height, width = picture.shape[:2]
    size = (-(-width // block), -(-height // block))
    padded = cv2.copyMakeBorder(picture, 0, size[1] * block - height, 0, size[0] * block - width, cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(padded, size, interpolation=cv2.INTER_AREA), np.float32)


def _differing(now: NDArray[np.float32], before: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which blocks differ once the overall light is the same, and those beside them."""
    apart = strongest(np.abs(now - before * _light(now, before))) > parameters.CHANGED_LEVEL
    return np.asarray(cv2.dilate(apart.astype(np.uint8), np.ones((3, 3), np.uint8)), np.bool_)


def _light(now: NDArray[np.float32], before: NDArray[np.float32]) -> float:
    """How many times as bright the picture is as before, told by what is neither dark nor overexposed."""
    clear = (before > parameters.CLEAR_LIGHT[0]) & (before < parameters.CLEAR_LIGHT[1])
    return float(np.median(now[clear] / before[clear])) if clear.mean() > parameters.LEAST_CLEAR else 1.0


def _blocks(boxes: Sequence[Box], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which blocks of a picture of so many rows and columns these boxes (px) meet, and those beside them."""
    found = np.zeros(shape[:2], np.bool_)
    block = parameters.CHANGE_BLOCK
    for left, top, right, bottom in boxes:
        rows = slice(max(0, top // block - 1), -(-bottom // block) + 1)
        found[rows, max(0, left // block - 1) : -(-right // block) + 1] = True
    return found
