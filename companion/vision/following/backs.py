"""How the backs on this table look, as they were seen so far: what looks like one of them is one more.

A reader that does not know a back finds its outline more often than it takes it for a card, and is not always sure
which side of it is up. Backs that were surely read, and what was read twice and looks like no face, are remembered;
outlines that look like one of those, and that no card that was read explains, are read like it. Where the game expects
a stack and the camera finds no card, the one outline that lies there, look after look, shows what its backs look like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision import parameters as common
from companion.vision.alike import Colours, apart, colours
from companion.vision.contrast import by_contrast
from companion.vision.following import parameters
from companion.vision.following.track import Track
from companion.vision.geometry import Array, area, as_quad, bounds, iou, overlap, side_lengths
from companion.vision.images import Pixels
from companion.vision.types import CardRead, Point, Quad, Region, Side

Polygon = Sequence[Point]

_SIZE = 24, 32
_FLAT = np.array([(0, 0), (_SIZE[0], 0), _SIZE, (0, _SIZE[1])], np.float32)


@dataclass(frozen=True, slots=True)
class _Known:
    """How one looks (rows, columns, 3; Lab), its short and long side on the table, and how such a card is read."""

    patch: Colours
    size: Array
    read: CardRead


@dataclass(frozen=True, slots=True)
class _Strange:
    """An outline (px) that no card explains: its place (table coordinates), its size as of a known back, how it looks,
    and in how many looks it was seen so."""

    outline: Quad
    place: Quad
    size: Array
    patch: Colours
    seen: int


class Backs:
    """See the module. `flat`, where it is asked for, tells where an outline (px) lies on a table seen from above."""

    def __init__(self) -> None:
        self._known: list[_Known] = []
        self._strange: list[_Strange] = []
        self._stacks: tuple[Polygon, ...] | None = None
        self._found: list[Polygon] = []

    def expect(self, stacks: Sequence[Polygon]) -> None:
        """Somewhere in each of these places (on the table) a stack face down has to lie, and no card was found. Until
        that is told first, outlines anywhere are remembered."""
        self._stacks = tuple(stacks)

    @property
    def unclear(self) -> list[Region]:
        """Where outlines lie (px) that may be such a stack and have to be seen once more."""
        found = (strange for stack in self._stacks or () for strange in self._within(stack))
        return [bounds(strange.outline) for strange in found if strange.seen < parameters.BACK_READS]

    def standing_out(self, pixels: Pixels, picture: Callable[[Polygon], Sequence[Point]]) -> list[Quad]:
        """What stands out from the table (px) where such a stack has to lie, or was found so: a detector may never have
        met a back like it. `picture` turns table coordinates into px."""
        outlines: list[Quad] = []
        for stack in (*(self._stacks or ()), *self._found):
            across, down = np.asarray(picture(stack), float).T
            aside = parameters.AROUND_STACK * min(np.ptp(across), np.ptp(down))
            left, top = (int(max(0.0, edge.min() - aside)) for edge in (across, down))
            part = pixels[top : int(max(0.0, down.max() + aside)), left : int(max(0.0, across.max() + aside))]
            if min(part.shape[:2]) >= common.SMALLEST_PICTURE:
                for outline in by_contrast(part, min(common.CONTRAST_SIDE, max(part.shape[:2]))):
                    a, b, c, d = ((x + left, y + top) for x, y in outline.tolist())
                    outlines.append((a, b, c, d))
        return outlines

    def meet(
        self,
        cards: Sequence[CardRead],
        outlines: Iterable[Quad],
        pixels: Pixels,
        flat: Callable[[Quad], Quad],
        place: Callable[[Quad], Quad],
        sizes: Sequence[Array],
    ) -> None:
        """Take in the `outlines` (px) of a look that no card explains and that are as large as cards of this table
        (`sizes`: short and long side as `flat` has them), and learn from those where a stack has to lie. `place` turns
        px into table coordinates."""
        stacks = self._stacks
        if stacks is not None and not stacks:
            self._strange = []
            return
        awaited = {id(strange) for stack in stacks or () for strange in self._within(stack)}
        new: list[_Strange] = []
        for outline in outlines:
            if stacks is not None and not any(_inside(stack, place(outline)) for stack in stacks):
                continue
            size = _size(flat(outline))
            if not any(_fits(one, size) for one in sizes) or not _is_free(outline, cards):
                continue
            if any(_same_place(outline, strange) for strange in new):
                continue
            patch = _patch(pixels, outline)
            before = (old for old in self._strange if _same_place(outline, old))
            seen = max((old.seen for old in before if _alike(old.patch, patch)), default=0)
            new.append(_Strange(outline, place(outline), size, patch, seen + 1))
        kept = (old for old in self._strange if id(old) not in awaited and _is_free(old.outline, cards))
        kept = (old for old in kept if not any(_same_place(one.outline, old) for one in new))
        self._strange = [*kept, *new][-parameters.MOST_STRANGE :]
        for stack in stacks or ():
            there = self._within(stack)
            surely = next((one for one in there if one.seen >= parameters.BACK_READS), None)
            if surely is None or not all(_alike(one.patch, surely.patch) for one in there):
                continue
            self._found = [*self._found, *([] if stack in self._found else [stack])]
            if not any(_looks_like(known, surely.patch) for known in self._known):
                read = CardRead(None, common.SURE_BACK, Side.DOWN, surely.outline)
                self._known = [*self._known, _Known(surely.patch, surely.size, read)]
                self._known = self._known[-parameters.MOST_BACKS :]

    def _within(self, stack: Polygon) -> list[_Strange]:
        return [strange for strange in self._strange if _inside(stack, strange.place)]

    def learn(self, tracks: Sequence[Track], pixels: Pixels, flat: Callable[[Quad], Quad]) -> None:
        """Remember the looks of those of the tracks, as they lie in this picture, that are seen whole and are backs, or
        like no face."""
        quads = [as_quad(track.outline) for track in tracks]
        for at, track in enumerate(tracks):
            read = _read_of(track)
            if read is None or not _in_picture(quads[at], pixels):
                continue
            if any(overlap(quads[at], other) > 0 for n, other in enumerate(quads) if n != at):
                continue
            patch, size = _patch(pixels, track.outline), _size(flat(track.outline))
            alike = [known for known in self._known if _looks_like(known, patch)]
            if not alike:
                self._known = [*self._known, _Known(patch, size, read)][-parameters.MOST_BACKS :]
            elif read.side is Side.DOWN:  # what looked like no face before is a back
                self._known = [
                    replace(known, read=read) if any(known is one for one in alike) else known for known in self._known
                ]

    def completed(
        self, cards: Sequence[CardRead], outlines: Iterable[Quad], pixels: Pixels, flat: Callable[[Quad], Quad]
    ) -> list[CardRead]:
        """The cards read in a picture, those without a name that look like a back lying face down, and what further
        `outlines` (px) show that looks like one of those known. What lies across sure backs and looks otherwise is no
        back: parts of two that lie side by side."""
        if not self._known:
            return list(cards)
        sure = [card for card in cards if card.side is Side.DOWN and card.confidence >= common.SURE_BACK]
        found = [self._turned(card, pixels) for card in cards if not self._is_across(card, sure, pixels)]
        near = []
        for outline in outlines:
            known = [one for one in self._known if _fits(one.size, _size(flat(outline)))]
            if known and _may_lie(outline, found):
                far, outline, read = min(
                    (_aligned(one, outline, pixels, flat) for one in known), key=lambda one: one[0]
                )
                if far <= common.BACKS_ALIKE:
                    near.append((far, outline, read))
        for _, outline, read in sorted(near, key=lambda one: one[0]):
            if _is_free(outline, found) or (read.side is Side.DOWN and _may_lie(outline, found)):
                found.append(replace(_surely(read), polygon=outline))
        return found

    def _is_across(self, card: CardRead, sure: Sequence[CardRead], pixels: Pixels) -> bool:
        if card.side is Side.UP or card.confidence >= common.SURE_BACK or _is_free(card.polygon, sure):
            return False
        patch = _patch(pixels, card.polygon)
        looks = [known.patch for known in self._known if known.read.side is Side.DOWN]
        return bool(looks) and float(apart(patch, np.stack(looks)).min()) > parameters.BACK_ASTRAY

    def _turned(self, card: CardRead, pixels: Pixels) -> CardRead:
        clear = card.side is Side.DOWN and card.confidence >= parameters.CLEAR_AT_ONCE
        if clear or card.face is not None or card.glanced:
            return card
        patch = _patch(pixels, card.polygon)
        for known in self._known:
            if known.read.side is Side.DOWN and _looks_like(known, patch):
                return replace(_surely(known.read), polygon=card.polygon)
        return card


def _surely(read: CardRead) -> CardRead:
    """What looks like a back of this table is one at first sight; what looks like no face stays as it is."""
    return read if read.side is Side.UP else replace(read, confidence=max(read.confidence, parameters.CLEAR_AT_ONCE))


def _read_of(track: Track) -> CardRead | None:
    """How a card that looks like this one is to be read; None for one that is not known well enough."""
    if track.covered or track.dismissed or track.pinned is not None or track.evidence.reads < parameters.BACK_READS:
        return None
    if track.side is Side.DOWN:
        sure = track.confidence >= common.SURE_BACK
        return CardRead(None, track.confidence, Side.DOWN, track.outline) if sure else None
    candidates = track.evidence.candidates()
    if not candidates or candidates[0].p >= common.NO_FACE:
        return None
    return CardRead(None, candidates[0].p, Side.UP, track.outline, candidates)


def _patch(pixels: Pixels, outline: Quad) -> Colours:
    """The place of a card, straightened, a short side first (rows, columns, 3; Lab)."""
    quad = np.asarray(outline, np.float32)
    left, top = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 2, 0).tolist()
    right, bottom = (np.ceil(quad.max(axis=0)).astype(int) + 3).tolist()
    part = pixels[top:bottom, left:right]
    if not part.size:
        return np.zeros((_SIZE[1], _SIZE[0], 3), np.float32)
    short, long = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])
    quad = quad if short <= long else np.roll(quad, 1, axis=0)
    scale = min(1.0, 2 * _SIZE[0] / max(1.0, float(min(short, long))))
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else part
    matrix = cv2.getPerspectiveTransform(((quad - (left, top)) * scale).astype(np.float32), _FLAT)
    flat = cv2.warpPerspective(small, matrix, _SIZE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(colours(np.asarray(flat[None], np.uint8))[0], np.float32)


def _looks_like(known: _Known, patch: Colours) -> bool:
    return _alike(known.patch, patch)


def _alike(one: Colours, other: Colours) -> bool:
    return float(apart(other, one[None])[0]) <= common.BACKS_ALIKE


def _aligned(
    known: _Known, outline: Quad, pixels: Pixels, flat: Callable[[Quad], Quad]
) -> tuple[float, Quad, CardRead]:
    """How far from the looks of a known back an outline is, where it lies best, and how it is read: of a dark back
    without a border the edges are found a little astray."""
    far = float(apart(_patch(pixels, outline), known.patch[None])[0])
    if not common.BACKS_ALIKE < far <= parameters.BACK_ASTRAY:
        return far, outline, known.read
    sides = side_lengths(as_quad(flat(outline))[None])[0]
    wider, longer = known.size[np.argsort(np.argsort(sides))] / sides
    found = [(far, outline)]
    for x in parameters.BACK_SHIFTS:
        for y in parameters.BACK_SHIFTS:
            moved = _within_quad(as_quad(outline), wider, longer, (x, y))
            found.append((float(apart(_patch(pixels, moved), known.patch[None])[0]), moved))
    return *min(found, key=lambda one: one[0]), known.read


def _within_quad(outline: Array, wider: float, longer: float, shift: tuple[float, float]) -> Quad:
    """An outline made so many times as wide (its first side) and long, and moved by a share of either."""
    a, b, c, d = outline

    def at(x: float, y: float) -> Point:
        point = (1 - y) * ((1 - x) * a + x * b) + y * ((1 - x) * d + x * c)
        return float(point[0]), float(point[1])

    left, right = (0.5 + shift[0] + side * wider / 2 for side in (-1, 1))
    top, bottom = (0.5 + shift[1] + side * longer / 2 for side in (-1, 1))
    return at(left, top), at(right, top), at(right, bottom), at(left, bottom)


def _inside(stack: Polygon, place: Quad) -> bool:
    """The middle of an outline lies there, both in table coordinates."""
    x, y = np.mean(place, axis=0).tolist()
    return cv2.pointPolygonTest(np.asarray(stack, np.float32), (float(x), float(y)), False) >= 0


def _in_picture(outline: Array, pixels: Pixels) -> bool:
    """All of an outline (px) is seen: held at the edge of the picture a card shows a part, and what it is held with."""
    height, width = pixels.shape[:2]
    return bool((outline >= 0).all() and (outline <= (width, height)).all())


def _same_place(outline: Quad, strange: _Strange) -> bool:
    return overlap(as_quad(outline), as_quad(strange.outline)) > 0.5 * abs(area(as_quad(strange.outline)))


def _size(outline: Quad) -> Array:
    return np.sort(side_lengths(as_quad(outline)[None])[0])


def _fits(one: Array, other: Array) -> bool:
    ratios = np.maximum(one, 1e-9) / np.maximum(other, 1e-9)
    return bool(np.abs(np.log(ratios)).max() <= np.log(common.BACK_SIZES))


def _is_free(outline: Quad, cards: Iterable[CardRead]) -> bool:
    own = as_quad(outline)
    most = common.PART_OF_BACK * abs(area(own))
    return all(overlap(own, as_quad(card.polygon)) < most for card in cards)


def _may_lie(outline: Quad, cards: Sequence[CardRead]) -> bool:
    """A card may lie there: on none, or on open ones that have a name, in the place of none."""
    own, named = as_quad(outline), [card for card in cards if card.face is not None]
    free = _is_free(outline, (card for card in cards if card.face is None))
    return free and all(iou(own, as_quad(card.polygon)) < common.PLACE_OF_FACE for card in named)
