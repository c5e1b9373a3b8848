"""Whether the camera was pushed, told by the pictures as a whole (`camera.bump`) and by the cards that lie there.

On a bare cloth nothing but cards has detail. Where all with a name lie elsewhere, moved alike and most backs with them,
and either they lie far apart or no hand was seen to move them, it was the camera that moved. They tell by how much,
those too that are out of the picture now, and backs; what a single card tells nobody trusts: the table is lost until a
card lies where it did, or somebody marks the table anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera.bump import Anchor, Matrix
from companion.vision.camera.source import Frame, SourceState, SourceStatus
from companion.vision.following import parameters
from companion.vision.following.matching import same_place
from companion.vision.following.motion import at_rim
from companion.vision.following.tracker import Tracker
from companion.vision.geometry import area, as_quad, bounds, corner_distance, corners
from companion.vision.images import Pixels
from companion.vision.types import CardRead, Quad, Region, Side

Lying = Mapping[str, Quad]


class Pushes:
    """Not thread-safe."""

    def __init__(self) -> None:
        self._anchor = Anchor()
        self._carried = self._on_its_way = False
        self._mended_at, self._moves_since = float("-inf"), float("inf")
        self.lost = False
        """The place of nothing is known."""

    def forget(self) -> None:
        """Another calibration holds from now on."""
        self._anchor.forget()
        self.lost = self._carried = self._on_its_way = False

    def keep(self, pixels: Pixels, moving: Sequence[Quad] = ()) -> None:
        """The table was read in this picture, of which `moving` (px) was hands."""
        self._anchor.keep(pixels, moving)

    def mended(self, frame: Frame) -> None:
        """From this frame on the table is seen where it lies after a push."""
        self.keep(frame.pixels)
        self._mended_at = frame.time

    def status(self, status: SourceStatus, name: str, now: float | None) -> SourceStatus:
        """What `status` of a source that works becomes where the camera was pushed, or was lately; `now` in s."""
        if self.lost:
            return SourceStatus.of(SourceState.BLIND, name, "pushed")
        lately = now is not None and 0 <= now - self._mended_at < parameters.MENDED_S
        return SourceStatus.of(SourceState.OK, name, "mended") if lately else status

    def shift(self, pixels: Pixels) -> Matrix | None:
        """By how much the camera was pushed, as far as the pictures tell it: px before to those of `pixels` (3, 3)."""
        return self._anchor.shift(pixels)

    def moves(self, now: float) -> bool:
        """Whether the camera seems to be moved `now` (s), in which the table moves as well: nothing is read then; what
        goes on for longer is no push."""
        self._moves_since = min(self._moves_since, now) if self._anchor.unlike else float("inf")
        return self._anchor.unlike and now < self._moves_since + parameters.PUSH_S

    def look(self, pixels: Pixels, tracker: Tracker, cards: Sequence[CardRead], arms: Sequence[Quad],
             moved: Sequence[Region], *, still: bool = True) -> Matrix | None:  # fmt: skip
        """Judge what was read in a picture, note whether the table is lost, and return the push that the cards tell.
        `arms`: what reaches over the edge of the picture; `moved`: where something moved since the last reading, px.
        Where the table is not `still`, nothing but cards that lie far apart tells a push."""
        before = _once((track.face(tracker.accept), track.outline) for track in tracker.tracks if not track.covered)
        now = _once((card.face, card.polygon) for card in cards)
        both = sorted(before.keys() & now.keys())
        backs = ([track.outline for track in tracker.tracks if track.side is Side.DOWN and not track.covered],
                 [card.polygon for card in cards if card.side is Side.DOWN])  # fmt: skip
        stays = any(same_place(before[face], now[face]) for face in both)
        if stays or (len(backs[0]) == len(backs[1]) == 1 and same_place(backs[0][0], backs[1][0])):
            self._carried = self.lost = False
            return self._rest_of_it(before, now, pixels) if still else None
        by_faces = None if self._carried else _alike_all(before, now, pixels)
        if by_faces is not None and _stay_rather(*backs, by_faces):
            by_faces = None
        lay, lie = (before, now) if by_faces is None else _with_backs(before, now, backs, by_faces)
        push = None if by_faces is None else _alike_all(lay, lie, pixels)
        if push is not None and _apart(_told(lay, lie, push, pixels)) >= parameters.FAR_APART:
            self.lost, self._on_its_way = False, not still
            return push
        if not still:
            return None
        if both and not self._carried:
            unmeasured = all(_is_cut(face, before, now, pixels) for face in both)
            went = [(before[face], now[face]) for face in both]
            self._carried = (by_faces is not None or unmeasured) and not _by_hand(went, moved)
        outlines = [*(track.outline for track in tracker.tracks), *(card.polygon for card in cards), *arms]
        self.lost = self._carried or self._anchor.lost(pixels, outlines)
        if self.lost and not both:
            push = _by_backs(backs, pixels)
        if not self.lost or push is None or (both and len(lay.keys() & lie.keys()) < 2):
            return None
        self._carried = self.lost = False
        return push

    def _rest_of_it(self, before: Lying, now: Lying, pixels: Pixels) -> Matrix | None:
        """How much farther the camera went after a push that was told on its way; a single card may be moved."""
        under_way, self._on_its_way = self._on_its_way, False
        several = len(before.keys() & now.keys()) > 1
        return _alike_all(before, now, pixels) if under_way and several else None


def _is_cut(face: str, before: Lying, now: Lying, pixels: Pixels) -> bool:
    """Whether the edge of the picture cuts a card, before or now: its outline ends there."""
    return any(at_rim(bounds(lying[face]), pixels) for lying in (before, now))


def _alike_all(before: Lying, now: Lying, pixels: Pixels) -> Matrix | None:
    """What takes all cards that lie whole in the picture, before as now, from there to here."""
    whole = [f for f in sorted(before.keys() & now.keys()) if not _is_cut(f, before, now, pixels)]
    return alike(before, now, whole) if whole else None


def _with_backs(before: Lying, now: Lying, backs: tuple[Sequence[Quad], Sequence[Quad]],
                push: Matrix) -> tuple[Lying, Lying]:  # fmt: skip
    """What lay and what lies there, and those backs that `push` takes close to one."""
    lay, lie = dict(before), dict(now)
    for n, back in enumerate(backs[0]):
        there = _carried_to(back, push)
        near = [one for one in backs[1] if corner_distance(there, as_quad(one)) <= parameters.CLOSE_TO]
        if len(near) == 1:
            lay[f"back {n}"], lie[f"back {n}"] = back, near[0]
    return lay, lie


def _by_backs(backs: tuple[Sequence[Quad], Sequence[Quad]], pixels: Pixels) -> Matrix | None:
    """What takes several backs from where they lay to where some lie now; None where nothing, or more, would."""
    ways: dict[frozenset[tuple[str, Quad]], tuple[Lying, Lying]] = {}
    for lay, lies in product(*backs):
        push = alike({"": lay}, {"": lies}, [""])
        if push is not None:
            before, now = _with_backs({}, {}, backs, push)
            ways[frozenset(now.items())] = before, now
    ranked = sorted(ways.values(), key=lambda way: -len(way[0]))
    counts = [len(before) for before, _ in ranked]
    if not counts or counts[0] < parameters.SEVERAL_BACKS or counts[0] in counts[1:]:
        return None
    return _alike_all(*ranked[0], pixels)


def _apart(outlines: Sequence[Quad]) -> float:
    """How far apart these lie, in card sizes: the way from each to the next one, less those between neighbours."""
    quads = np.array([as_quad(outline) for outline in outlines])
    size = float(np.median([np.sqrt(abs(area(quad))) for quad in quads]))
    middles = quads.mean(axis=1) / size
    far, total = np.hypot(*(middles - middles[0]).T), 0.0
    left = np.arange(len(quads)) > 0
    while left.any():
        nearest = int(np.flatnonzero(left)[far[left].argmin()])
        total += float(far[nearest]) if far[nearest] > parameters.NEIGHBOURS else 0.0
        left[nearest] = False
        far = np.minimum(far, np.hypot(*(middles - middles[nearest]).T))
    return total


def _carried_to(outline: Quad, push: Matrix) -> NDArray[np.float64]:
    return np.asarray(cv2.perspectiveTransform(as_quad(outline)[None], push)[0], np.float64)


def _told(before: Lying, now: Lying, push: Matrix, pixels: Pixels) -> list[Quad]:
    """Where the cards lay that tell of a push: what lies elsewhere now and, where that is more than one and all that is
    gone would be out of the picture, that as well."""
    gone = [before[face] for face in before.keys() - now.keys()]
    lie = [before[face] for face in before.keys() & now.keys()]
    out = len(lie) > 1 and all(_goes_out(outline, push, pixels) for outline in gone)
    return [*lie, *gone] if out else lie


def alike(before: Lying, now: Lying, faces: Sequence[str]) -> Matrix | None:
    """The homography (3, 3) of px that takes all these cards from where they lay to where they lie; None where they
    went different ways."""
    old, new = (np.concatenate([as_quad(lying[face]) for face in faces]) for lying in (before, _turned(before, now)))
    found, _ = cv2.estimateAffinePartial2D(old, new, method=cv2.LMEDS)
    if found is None:
        return None
    there = old @ found[:, :2].T + found[:, 2]
    off = np.hypot(*(there - new).T).reshape(-1, 4).max(axis=1)
    sizes = np.sqrt([abs(area(as_quad(now[face]))) for face in faces])
    if (off > parameters.SAME_PLACE * sizes).any() or not 0.7 < float(np.linalg.det(found[:, :2])) < 1.4:
        return None
    matrix = cv2.findHomography(old, new)[0] if len(faces) > 2 else np.vstack([found, (0, 0, 1)])
    return np.asarray(matrix, np.float64)


def _goes_out(outline: Quad, push: Matrix, pixels: Pixels) -> bool:
    """Whether the picture would show no more than a part of this card after the push."""
    there = _carried_to(outline, push)
    return bool(((there < 0) | (there > (pixels.shape[1], pixels.shape[0]))).any())


def _once(cards: Iterable[tuple[str | None, Quad]]) -> dict[str, Quad]:
    """Where each card lies that lies there once."""
    every = [(face, quad) for face, quad in cards if face is not None]
    times = Counter(face for face, _ in every)
    return {face: quad for face, quad in every if times[face] == 1}


def _stay_rather(before: Sequence[Quad], now: Sequence[Quad], push: Matrix) -> bool:
    """Whether more backs lie where they lay than where `push` would have taken them."""
    carried = [_carried_to(back, push) for back in before]
    there = [as_quad(back) for back in now]

    def found(places: Sequence[NDArray[np.float64]]) -> int:
        return sum(any(corner_distance(place, back) <= parameters.SAME_PLACE for back in there) for place in places)

    return found([as_quad(back) for back in before]) > found(carried)


def _turned(before: Lying, now: Lying) -> dict[str, Quad]:
    """The corners in the order in which each card was least turned."""
    found = {}
    for face, quad in now.items():
        if face in before:
            old, new = as_quad(before[face]), as_quad(quad)
            ways = [np.roll(new, turn, axis=0) for turn in (0, 2)]
            flat = old - old.mean(axis=0)
            a, b, c, d = min(ways, key=lambda way: float(np.abs(way - way.mean(axis=0) - flat).sum())).tolist()
            found[face] = ((a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1]))
    return found


def _by_hand(cards: Sequence[tuple[Quad, Quad]], moved: Sequence[Region]) -> bool:
    """Whether more moved than these cards on their way."""
    ways = [np.asarray(cv2.convexHull(np.asarray((*old, *new), np.float32))) for old, new in cards]
    margin = -parameters.ON_THE_WAY * max(float(np.sqrt(abs(area(as_quad(old))))) for old, _ in cards)

    def beside(region: Region) -> bool:
        middle = np.asarray(corners(region), np.float64).mean(axis=0)
        at = float(middle[0]), float(middle[1])
        return all(cv2.pointPolygonTest(way, at, True) < margin for way in ways)

    sizes = np.array([(right - left) * (bottom - top) for left, top, right, bottom in moved], np.float64)
    away: NDArray[np.bool_] = np.array([beside(region) for region in moved], np.bool_)
    return bool(len(moved)) and float(sizes[away].sum()) > parameters.BY_HAND * float(sizes.sum())
