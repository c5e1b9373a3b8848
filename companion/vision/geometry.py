"""Cards as plane geometry: outlines, index corners, and which of them belong to one physical card.

Nothing here knows a face or a network. A *quad* is a float array (4, 2) of image points in px, clockwise as seen,
starting at the card's own top-left corner. The *card frame* is millimetres on a card of 63 × 88 mm, origin at
that corner, x along the short side, y along the long one. A card looks the same turned by 180°, so an outline alone
leaves two frames open; an index has a direction of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

CARD_MM = (63.0, 88.0)
"""Width and length of a poker-size card, mm; bridge cards (57 mm) are near enough for every tolerance here."""

CORNER_WINDOW_MM = (-2.0, -2.0, 18.0, 24.667)
"""Left, top, right, bottom of the window at a card's corner in which its index is looked for, mm; ratio 3 : 4."""

INDEX_MM = (2.5, 3.0, 10.0, 20.0)
"""Where an index usually lies on a card (left, top, right, bottom), mm; used when the outline is covered."""

INDEX_REACH_MM = (22.0, 32.0)
"""An index whose centre lies farther than this from its corner (x, y; mm) is not that corner's index."""

HIDDEN_BELOW = 0.72
"""Outlines that share more than this (intersection over union) are one card: a card so far under another shows a
strip of less than 10 mm, in which no index could be read."""

SAME_OUTLINE = 0.11
"""Outlines whose corners differ by less than this share of the square root of their area are one card: 8 mm."""


@dataclass(frozen=True, slots=True)
class Spot:
    """An index's place on a card: `corner` 0..3 (top-left, top-right, bottom-right, bottom-left), `error` in mm
    from where that corner's index usually has its centre."""

    corner: int
    error: float


def as_quad(points: ArrayLike) -> Array:
    """Four points as a float array (4, 2)."""
    return np.asarray(points, np.float64).reshape(4, 2)


def area(quad: Array) -> float:
    """Signed area, px²: positive when the quad runs clockwise as seen on the screen (y down)."""
    x, y = quad[:, 0], quad[:, 1]
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def is_sound(quad: Array) -> bool:
    """True for a finite, convex, clockwise quad with some area: something a card can look like."""
    if not np.isfinite(quad).all():
        return False
    side = np.roll(quad, -1, axis=0) - quad
    after = np.roll(side, -1, axis=0)
    return bool((side[:, 0] * after[:, 1] - side[:, 1] * after[:, 0] > 1e-6).all())


def overlap(a: Array, b: Array) -> float:
    """Area that two convex quads share, px²."""
    return float(cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))[0])


def iou(a: Array, b: Array) -> float:
    """Intersection over union of two convex quads, 0..1."""
    shared = overlap(a, b)
    union = abs(area(a)) + abs(area(b)) - shared
    return shared / union if union > 0 else 0.0


def corner_distance(a: Array, b: Array) -> float:
    """Mean distance of matching corners as a share of the cards' size (root of the larger area).

    The cheaper of the two ways round counts, as an outline is the same turned by 180°.
    """
    size = float(np.sqrt(max(abs(area(a)), abs(area(b)), 1e-9)))
    ways = (float(np.linalg.norm(a - np.roll(b, turn, axis=0), axis=1).mean()) for turn in range(4))
    return min(ways) / size


def homography(quad: Array, frame: tuple[float, float] = CARD_MM) -> Array:
    """The 3 × 3 matrix from the card frame (mm) to the image (px). `frame` is the card's width and length, mm."""
    width, length = frame
    flat = np.array([[0, 0], [width, 0], [width, length], [0, length]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(flat, quad.astype(np.float32)), np.float64)


def project(matrix: Array, points: ArrayLike) -> Array:
    """Send points (…, 2) through a homography."""
    given = np.asarray(points, np.float64)
    flat = given.reshape(-1, 2)
    lifted = np.column_stack([flat, np.ones(len(flat))]) @ matrix.T
    return np.asarray((lifted[:, :2] / lifted[:, 2:]).reshape(given.shape), np.float64)


def box_quad(box: tuple[float, float, float, float]) -> Array:
    """The four corners, clockwise from top-left, of (left, top, right, bottom)."""
    left, top, right, bottom = box
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)


def short_side_first(quad: Array) -> Array:
    """Turn a quad so that it starts with a short side, the higher one, at that side's left end as it runs.

    The order does not look at the print, so a card and the same card turned by 180° get the same order.
    """
    lengths = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    start = 0 if lengths[0] + lengths[2] <= lengths[1] + lengths[3] else 1
    first, second = np.roll(quad, -start, axis=0), np.roll(quad, -start - 2, axis=0)
    return first if first[:2, 1].sum() <= second[:2, 1].sum() else second


def corner_windows(quad: Array, window: tuple[float, float, float, float] = CORNER_WINDOW_MM) -> Array:
    """The windows in which a card's indices lie: (4, 4, 2) px, each in the reading direction of its own corner.

    Order: top-left, top-right, bottom-right, bottom-left. The right-hand windows are mirrored in place, not in
    content: an index reads the same way at both ends of a side.
    """
    width, length = CARD_MM
    left, top, right, bottom = window
    upper_left = box_quad((left, top, right, bottom))
    upper_right = box_quad((width - right, top, width - left, bottom))
    turned = np.array([width, length])
    frame = np.stack([upper_left, upper_right, turned - upper_left, turned - upper_right])
    return project(homography(quad), frame)


def index_window(index: Array, margin: float = 1.55) -> Array:
    """The window (4, 2) px, ratio 3 : 4, around an index quad, which fills 1 / `margin` of its height or width."""
    centre = index.mean(axis=0)
    across, down = _axes(index)
    width, height = float(np.linalg.norm(across)), float(np.linalg.norm(down))
    if width < 1e-6 or height < 1e-6:
        return index
    tall = max(height, width * 4 / 3) * margin
    half_x, half_y = across / width * tall * 0.375, down / height * tall / 2
    return np.stack([centre - half_x - half_y, centre + half_x - half_y, centre + half_x + half_y,
                     centre - half_x + half_y])  # fmt: skip


def window_index(window: Array) -> Array:
    """Where the index (4, 2) px usually lies in a corner window: its inverse on average."""
    left, top, right, bottom = CORNER_WINDOW_MM
    share = (box_quad(INDEX_MM) - [left, top]) / [right - left, bottom - top]
    return project(homography(window, (1.0, 1.0)), share)


def spot_on_card(quad: Array, index: Array) -> Spot | None:
    """Which corner of the card `quad` the index belongs to, by place and direction; None when to none of them."""
    try:
        back = np.asarray(np.linalg.inv(homography(quad)), np.float64)
    except np.linalg.LinAlgError:
        return None
    flat = project(back, index)
    centre = flat.mean(axis=0)
    down = (flat[3] - flat[0] + flat[2] - flat[1]) / 2
    width, length = CARD_MM
    if abs(down[1]) < 1.4 * abs(down[0]):  # more than 35° away from both reading directions of the card
        return None
    upper = down[1] > 0
    x, y = (centre[0], centre[1]) if upper else (width - centre[0], length - centre[1])
    leading = x <= width / 2
    x = x if leading else width - x
    if not (-4 < x < INDEX_REACH_MM[0] and -4 < y < INDEX_REACH_MM[1]):
        return None
    usual = box_quad(INDEX_MM).mean(axis=0)
    corner = (0 if leading else 1) if upper else (2 if leading else 3)
    return Spot(corner, float(np.hypot(x - usual[0], y - usual[1])))


def doubtful_turn(quad: Array) -> list[Array]:
    """The outline turned by 90° where a steep view leaves open which sides are the short ones; else nothing."""
    lengths = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    ratio = float((lengths[1] + lengths[3]) / max(lengths[0] + lengths[2], 1e-9))
    return [np.roll(quad, 1, axis=0)] if ratio < 1.2 else []


def contains(quad: Array, point: Array) -> bool:
    """True when a point lies in a convex clockwise quad."""
    side, away = np.roll(quad, -1, axis=0) - quad, point - quad
    return bool((side[:, 0] * away[:, 1] - side[:, 1] * away[:, 0] >= 0).all())


def same_index(a: Array, b: Array, slack: float = 0.45) -> bool:
    """True when two index windows (4, 2) px look at the same printed index: one place, one direction.

    `slack` is the largest distance of their middles as a share of their height.
    """
    down_a, down_b = a[3] - a[0], b[3] - b[0]
    tall = float(min(np.linalg.norm(down_a), np.linalg.norm(down_b)))
    apart = float(np.linalg.norm(a.mean(axis=0) - b.mean(axis=0)))
    return apart < slack * tall and _cosine(down_a, down_b) > 0.7


def outline_of_pair(first: Array, second: Array) -> Array | None:
    """The outline (px) of the card whose diagonal corners two indices are, or None when they cannot be that.

    They must read opposite ways, lie across from each other, and be as large as indices of such a card are. The
    outline is true to some per cent: prints differ in how far from the edge they put the index.
    """
    across, down = _axes(first)
    other_across, other_down = _axes(second)
    if _cosine(down, other_down) > -0.9 or _cosine(across, other_across) > -0.8:
        return None
    across, down = across - other_across, down - other_down
    basis = np.column_stack([across / np.linalg.norm(across), down / np.linalg.norm(down)])
    if abs(float(np.linalg.det(basis))) < 0.3:
        return None
    start = first.mean(axis=0)
    x, y = np.linalg.solve(basis, second.mean(axis=0) - start)
    middle = box_quad(INDEX_MM).mean(axis=0)
    per_mm = np.array([x, y]) / (np.array(CARD_MM) - 2 * middle)
    tall = float(np.linalg.norm(down)) / 2 / (INDEX_MM[3] - INDEX_MM[1])
    if per_mm.min() <= 0 or not 0.6 < per_mm[0] / per_mm[1] < 1.6 or not 0.55 < tall / per_mm[1] < 1.9:
        return None
    flat = box_quad((0, 0, *CARD_MM)) - middle
    return np.asarray(start + (flat * per_mm) @ basis.T, np.float64)


def _axes(index: Array) -> tuple[Array, Array]:
    """Reading-across and reading-down vectors of an index quad, px."""
    return (index[1] - index[0] + index[2] - index[3]) / 2, (index[3] - index[0] + index[2] - index[1]) / 2


def _cosine(a: Array, b: Array) -> float:
    return float(np.dot(a, b)) / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-9)


@dataclass(frozen=True, slots=True)
class Plane:
    """The table as one seen card spans it: `matrix` sends mm on the table to px in the picture."""

    matrix: Array

    @classmethod
    def of_card(cls, quad: Array) -> Plane:
        """The plane of a card whose whole outline is known."""
        return cls(homography(quad))

    @classmethod
    def of_index(cls, index: Array, index_mm: tuple[float, float, float, float] = INDEX_MM) -> Plane:
        """A guess from an index alone, seen straight on: its height is taken for the usual one."""
        down = (index[3] - index[0] + index[2] - index[1]) / 2
        scale = float(np.linalg.norm(down)) / (index_mm[3] - index_mm[1])
        return cls(np.diag([scale, scale, 1.0]))

    def to_mm(self, points: ArrayLike) -> Array:
        """Image points (…, 2) px → table mm."""
        return project(np.asarray(np.linalg.inv(self.matrix), np.float64), points)

    def to_px(self, points: ArrayLike) -> Array:
        """Table points (…, 2) mm → image px."""
        return project(self.matrix, points)

    def pose(self, index: Array) -> tuple[Array, Array]:
        """Centre (mm) and reading-down unit vector of an index on the table."""
        flat = self.to_mm(index)
        down = (flat[3] - flat[0] + flat[2] - flat[1]) / 2
        return flat.mean(axis=0), down / max(float(np.linalg.norm(down)), 1e-9)

    def outline(self, index: Array) -> Array:
        """The outline (px) of the card whose top-left index this is, where the body is covered."""
        centre, down = self.pose(index)
        across = np.array([down[1], -down[0]])
        usual = box_quad(INDEX_MM).mean(axis=0)
        origin = centre - across * usual[0] - down * usual[1]
        width, length = CARD_MM
        right, bottom = across * width, down * length
        return self.to_px(np.stack([origin, origin + right, origin + right + bottom, origin + bottom]))


def misfit(plane: Plane, first: Array, second: Array) -> float | None:
    """How far (mm) two indices are from lying as two corners of one card do; None when their directions forbid it.

    Corners of one card lie diagonally or along a long side and read opposite ways, or (four-corner prints) lie along
    a short side and read the same way. Directions may differ by 15° from that.
    """
    start, down = plane.pose(first)
    end, other = plane.pose(second)
    across = np.array([down[1], -down[0]])
    step = np.array([np.dot(end - start, across), np.dot(end - start, down)])
    usual = box_quad(INDEX_MM).mean(axis=0)
    wide, long = CARD_MM[0] - 2 * usual[0], CARD_MM[1] - 2 * usual[1]
    alike = float(np.dot(down, other))
    places: list[list[float]]
    if alike < -0.966:
        places = [[wide, long], [-wide, long], [0.0, long]]
    elif alike > 0.966:
        places = [[wide, 0.0], [-wide, 0.0]]
    else:
        return None
    return min(float(np.linalg.norm(step - np.array(place))) for place in places)


def one_card(plane: Plane, first: Array, second: Array, slack: float = 7.0) -> bool:
    """True when two indices can be corners of one card, `slack` mm allowed."""
    error = misfit(plane, first, second)
    return error is not None and error <= slack


def group_indices(plane: Plane, indices: Sequence[Array], slack: float = 7.0) -> list[list[int]]:
    """Sort indices without an outline into physical cards: positions in `indices`, each in exactly one group.

    Only places and directions decide. The best fitting pairs are joined first; a group's members must all fit each
    other. Two indices with a third between them are two cards of a fan, however well they fit.
    """
    group = {number: [number] for number in range(len(indices))}
    pairs = []
    for a in range(len(indices)):
        for b in range(a + 1, len(indices)):
            error = misfit(plane, indices[a], indices[b])
            if error is not None and error <= slack and not _one_between(plane, indices, a, b):
                pairs.append((error, a, b))
    for _, a, b in sorted(pairs):
        joined = sorted({*group[a], *group[b]})
        mutual = all(one_card(plane, indices[x], indices[y], slack) for x in joined for y in joined if x < y)
        if group[a] is not group[b] and len(joined) <= 4 and mutual:
            for member in joined:
                group[member] = joined
    return sorted({tuple(members): members for members in group.values()}.values())


def _one_between(plane: Plane, indices: Sequence[Array], a: int, b: int) -> bool:
    """True when another index lies on the way from index a to index b."""
    start, end = plane.pose(indices[a])[0], plane.pose(indices[b])[0]
    way = end - start
    length = float(np.linalg.norm(way))
    for number, index in enumerate(indices):
        if number in (a, b) or length < 1e-9:
            continue
        step = plane.pose(index)[0] - start
        along = float(np.dot(step, way)) / length
        aside = abs(float(step[0] * way[1] - step[1] * way[0])) / length
        if 0.1 * length < along < 0.9 * length and aside < 8.0:
            return True
    return False


def distinct(quads: Sequence[Array], scores: Sequence[float], nearest: float = SAME_OUTLINE) -> list[list[int]]:
    """Non-maximum suppression on corners: groups of quads that are one card, the best of each group first.

    A box test would kill fanned cards, whose boxes overlap almost wholly; their corners differ. A quad that lies
    almost wholly inside a clearly larger one goes altogether: it is a picture or frame printed on that card.
    """
    if not quads:
        return []
    every = np.stack([as_quad(quad) for quad in quads])
    sizes = np.maximum(np.abs([area(quad) for quad in every]), 1e-9) ** 0.5
    waiting = np.argsort(-np.asarray(scores, np.float64), kind="stable")
    groups: list[list[int]] = []
    while waiting.size:
        best = int(waiting[0])
        ways = [np.linalg.norm(every[waiting] - np.roll(every[best], k, axis=0), axis=2).mean(axis=1) for k in range(4)]
        same = np.min(ways, axis=0) / np.maximum(sizes[waiting], sizes[best]) < nearest
        same[0] = True
        groups.append([int(number) for number in waiting[same]])
        waiting = waiting[~same]
    return [group for group in groups if not any(_printed_on(every[group[0]], every[other[0]]) for other in groups)]


def consensus(quads: Sequence[Array], scores: Sequence[float]) -> Array:
    """The weighted mean of quads that show one card, each first turned to match the first."""
    first = quads[0]
    turned = []
    for quad in quads:
        ways = [np.roll(quad, turn, axis=0) for turn in range(4)]
        turned.append(min(ways, key=lambda way: float(np.linalg.norm(way - first, axis=1).sum())))
    return np.asarray(np.average(np.stack(turned), axis=0, weights=np.asarray(scores, np.float64)), np.float64)


def _printed_on(small: Array, large: Array) -> bool:
    size = abs(area(small))
    return size < 0.65 * abs(area(large)) and overlap(small, large) > 0.9 * size


def holds(window: Array, index: Array) -> float | None:
    """How far (share of the window's height) an index lies from a window's middle; None when not in it, upright."""
    tall = float(np.linalg.norm(window[3] - window[0]))
    if _cosine(_axes(window)[1], _axes(index)[1]) < 0.75:
        return None
    away = float(np.linalg.norm(window.mean(axis=0) - index.mean(axis=0))) / max(tall, 1e-9)
    return away if away < 0.5 else None
