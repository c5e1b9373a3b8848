"""Cards as plane geometry: outlines, index corners, and which of them belong to one physical card.

Nothing here knows a face or a network. A *quad* is a float array (4, 2) of image points in px, clockwise as seen,
starting at the card's own top-left corner. The *card frame* is millimetres on a card of 63 × 88 mm, origin at
that corner, x along the short side, y along the long one. A card looks the same turned by 180°, so an outline alone
leaves two frames open; an index has a direction of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.vision import parameters
from companion.vision.types import Quad, Region

Array = NDArray[np.float64]

CARD_MM = (63.0, 88.0)
"""Width and length of a poker-size card, mm; bridge cards (57 mm) are near enough for every tolerance here."""

CORNER_WINDOW_MM = (-2.0, -2.0, 18.0, 24.667)
"""Left, top, right, bottom of the window at a card's corner in which its index is looked for, mm; ratio 3 : 4."""

INDEX_MM = (2.5, 3.0, 10.0, 20.0)
"""Where an index usually lies on a card (left, top, right, bottom), mm; used when the outline is covered."""


TURNS = np.array([[0, 1, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1], [1, 2, 3, 0]])
"""Corner numbers of a quad turned by quarters."""

NEXT = [1, 2, 3, 0]
"""For each corner of a quad the number of the next one."""


@dataclass(frozen=True, slots=True)
class CornerPosition:
    """An index's place on a card: `corner` 0..3 (top-left, top-right, bottom-right, bottom-left), `x` and `y` of its
    centre from that corner (mm), `error` in mm from where that corner's index usually has its centre."""

    corner: int
    error: float
    x: float
    y: float


def as_quad(points: ArrayLike) -> Array:
    """Four points as a float array (4, 2)."""
    return np.asarray(points, np.float64).reshape(4, 2)


def area(quad: Array) -> float:
    """Signed area, px²: positive when the quad runs clockwise as seen on the screen (y down)."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    return float((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2


def areas(quads: Array) -> Array:
    """Signed areas (n,) px² of many quads (n, 4, 2); see `area`."""
    return _cross(quads[..., 2, :] - quads[..., 0, :], quads[..., 3, :] - quads[..., 1, :]) / 2


def is_valid(quad: Array) -> bool:
    """True for a finite, convex, clockwise quad with some area: something a card can look like."""
    return bool(are_valid(quad[None])[0])


def are_valid(quads: Array) -> NDArray[np.bool_]:
    """Which of many quads (n, 4, 2) are sound; see `is_valid`."""
    side = quads[:, NEXT] - quads
    turns = _cross(side, side[:, NEXT])
    return np.asarray(np.isfinite(quads).all(axis=(1, 2)) & (turns > 1e-6).all(axis=1), np.bool_)


def overlap(a: Array, b: Array) -> float:
    """Area that two convex quads share, px²."""
    return float(cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))[0])


def iou(a: Array, b: Array) -> float:
    """Intersection over union of two convex quads, 0..1."""
    xs, ys = zip(*a.tolist(), strict=True)
    us, vs = zip(*b.tolist(), strict=True)
    if min(xs) >= max(us) or min(us) >= max(xs) or min(ys) >= max(vs) or min(vs) >= max(ys):
        return 0.0
    shared = overlap(a, b)
    union = abs(area(a)) + abs(area(b)) - shared
    return shared / union if union > 0 else 0.0


def ious(some: Array, others: Array) -> Array:
    """The same (n,) for quads (n, 4, 2), each with its counterpart."""
    near = (some.min(axis=1) < others.max(axis=1)) & (others.min(axis=1) < some.max(axis=1))
    shared = np.array(
        [overlap(a, b) if meet else 0.0 for a, b, meet in zip(some, others, near.all(axis=1), strict=True)]
    )
    union = np.abs(areas(some)) + np.abs(areas(others)) - shared
    return np.asarray(np.where(union > 0, shared / np.where(union > 0, union, 1.0), 0.0), np.float64)


def overlapping_boxes(quad: Array, others: Sequence[Array] | Array) -> list[int]:
    """The numbers of the other quads whose upright boxes meet that of `quad`: no others share anything with it."""
    if not len(others):
        return []
    every = np.asarray(others)
    apart = (every.max(axis=1) <= quad.min(axis=0)) | (every.min(axis=1) >= quad.max(axis=0))
    return np.flatnonzero(~apart.any(axis=1)).tolist()


def side_lengths(quads: Array) -> Array:
    """Mean lengths (n, 2) px of the first and third and of the second and fourth side of quads (n, 4, 2)."""
    along = lengths(quads[:, NEXT] - quads)
    return np.asarray((along[:, :2] + along[:, 2:]) / 2, np.float64)


def corner_distance(a: Array, b: Array) -> float:
    """Mean distance of matching corners as a share of the cards' size (root of the larger area).

    The cheaper of the two ways round counts, as an outline is the same turned by 180°.
    """
    size = float(np.sqrt(max(abs(area(a)), abs(area(b)), 1e-9)))
    return float(lengths(a - b[TURNS]).mean(axis=1).min()) / size


def homography(quads: Array, frame: tuple[float, float] = CARD_MM) -> Array:
    """The 3 × 3 matrices (…, 3, 3) from the card frame (mm) to quads (…, 4, 2) px.

    `frame` is the card's width and length, mm. Closed form: P. Heckbert, Fundamentals of Texture Mapping, 1989.
    """
    first, right, far, left = (quads[..., number, :] for number in range(4))
    across, down, twist = right - far, left - far, first - right + far - left
    size = _cross(across, down)
    size = np.where(size == 0, 1e-12, size)
    slants = np.stack([_cross(twist, down), _cross(across, twist)], axis=-1) / size[..., None]
    matrix = np.empty((*quads.shape[:-2], 3, 3))
    matrix[..., :2, 0] = (right - first + slants[..., :1] * right) / frame[0]
    matrix[..., :2, 1] = (left - first + slants[..., 1:] * left) / frame[1]
    matrix[..., :2, 2] = first
    matrix[..., 2, :2] = slants / frame
    matrix[..., 2, 2] = 1
    return matrix


def _cross(a: Array, b: Array) -> Array:
    """Cross products (…) of vectors (…, 2)."""
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0], np.float64)


def dots(a: Array, b: Array) -> Array:
    """Dot products (…) of vectors (…, 2); a sum along so short an axis takes ten times as long."""
    return np.asarray(a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1], np.float64)


def lengths(ways: Array) -> Array:
    """Lengths (…) of vectors (…, 2)."""
    return np.asarray(np.sqrt(dots(ways, ways)), np.float64)


def project(matrix: Array, points: ArrayLike) -> Array:
    """Send points (…, 2) through a homography (3, 3), or points (…, n, 2) through one each (…, 3, 3)."""
    given = np.asarray(points, np.float64)
    shift = matrix[:, 2] if matrix.ndim == 2 else matrix[..., None, :, 2]
    lifted = given @ matrix[..., :2].swapaxes(-1, -2) + shift
    return np.asarray(lifted[..., :2] / lifted[..., 2:], np.float64)


def box_quad(box: tuple[float, float, float, float]) -> Array:
    """The four corners, clockwise from top-left, of (left, top, right, bottom)."""
    left, top, right, bottom = box
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)


def corner_windows(quads: Array, window: tuple[float, float, float, float] = CORNER_WINDOW_MM) -> Array:
    """The windows (…, 4, 4, 2) px in which the indices of cards (…, 4, 2) px lie, each as its corner reads.

    Order: top-left, top-right, bottom-right, bottom-left. The right-hand windows are mirrored in place, not in
    content: an index reads the same way at both ends of a side.
    """
    width, length = CARD_MM
    left, top, right, bottom = window
    upper_left = box_quad((left, top, right, bottom))
    upper_right = box_quad((width - right, top, width - left, bottom))
    turned = np.array([width, length])
    frame = np.stack([upper_left, upper_right, turned - upper_left, turned - upper_right])
    return project(homography(quads)[..., None, :, :], frame)


def index_window(indices: Array, margin: float = 1.4) -> Array:
    """The windows (…, 4, 2) px around index quads (…, 4, 2), which fill 1 / `margin` of their height or width.

    Their ratio is 3 : 4; narrower around an index seen so much from the side that its neighbours would be in view.
    """
    centre = indices.mean(axis=-2)
    across, down = axes(indices)
    width, height = (lengths(way)[..., None] for way in (across, down))
    seen = (width > 1e-6) & (height > 1e-6)
    width, height = np.where(seen, width, 1.0), np.where(seen, height, 1.0)
    tall = np.maximum(height, width * 4 / 3) * margin
    half_x, half_y = (
        across / width * np.minimum(0.75 * tall, parameters.WIDEST_INDEX_WINDOW * width) / 2,
        down / height * tall / 2,
    )
    corners = [centre - half_x - half_y, centre + half_x - half_y, centre + half_x + half_y, centre - half_x + half_y]
    return np.where(seen[..., None], np.stack(corners, axis=-2), indices)


def window_index(window: Array) -> Array:
    """Where the index (4, 2) px usually lies in a corner window: its inverse on average."""
    left, top, right, bottom = CORNER_WINDOW_MM
    share = (box_quad(INDEX_MM) - [left, top]) / [right - left, bottom - top]
    return project(homography(window, (1.0, 1.0)), share)


def locate_on_card(quad: Array, index: Array) -> CornerPosition | None:
    """Which corner of the card `quad` the index belongs to, by place and direction; None when to none of them."""
    try:
        back = np.asarray(np.linalg.inv(homography(quad)), np.float64)
    except np.linalg.LinAlgError:
        return None
    flat = project(back, index)
    centre = flat.mean(axis=0)
    down = (flat[3] - flat[0] + flat[2] - flat[1]) / 2
    width, length = CARD_MM
    if abs(down[1]) < parameters.READING_SLOPE * abs(down[0]):  # too far from both reading directions
        return None
    upper = down[1] > 0
    x, y = (centre[0], centre[1]) if upper else (width - centre[0], length - centre[1])
    leading = x <= width / 2
    x = x if leading else width - x
    if not (
        -parameters.INDEX_OUTSIDE_MM < x < parameters.INDEX_REACH_MM[0]
        and -parameters.INDEX_OUTSIDE_MM < y < parameters.INDEX_REACH_MM[1]
    ):
        return None
    usual = box_quad(INDEX_MM).mean(axis=0)
    corner = (0 if leading else 1) if upper else (2 if leading else 3)
    return CornerPosition(corner, float(np.hypot(x - usual[0], y - usual[1])), float(x), float(y))


def quarter_turn_if_ambiguous(quad: Array) -> list[Array]:
    """The outline turned by 90° where a steep view leaves open which sides are the short ones; else nothing."""
    short, long = side_lengths(quad[None])[0].tolist()
    return [np.roll(quad, 1, axis=0)] if long < parameters.AMBIGUOUS_TURN * max(short, 1e-9) else []


def contains(quad: Array, point: Array) -> bool:
    """True when a point lies in a convex clockwise quad."""
    x, y = float(point[0]), float(point[1])
    corners = quad.tolist()
    sides = zip(corners, [*corners[1:], corners[0]], strict=True)
    return all((right - left) * (y - top) - (bottom - top) * (x - left) >= 0 for (left, top), (right, bottom) in sides)


def points_inside(quads: Array, points: Array) -> NDArray[np.bool_]:
    """Which points (m, 2) lie in which convex clockwise quads (n, 4, 2): (n, m)."""
    way = quads[:, NEXT] - quads
    return np.asarray((_cross(way[:, :, None], points - quads[:, :, None]) >= 0).all(axis=1), np.bool_)


def along_and_aside(start: Array, end: Array, points: Array) -> tuple[Array, Array, float]:
    """How far points (n, 2) lie along the line between two ends, from the first, and aside of it; and its length."""
    way, step = end - start, points - start
    length = max(float(np.hypot(*way)), 1e-9)
    return step @ way / length, np.abs(step[:, 0] * way[1] - step[:, 1] * way[0]) / length, length


@dataclass(frozen=True, slots=True)
class WindowPose:
    """Where a window (4, 2) px lies: its middle, its unit vector of reading down, its height."""

    x: float
    y: float
    down_x: float
    down_y: float
    tall: float

    @classmethod
    def of(cls, window: Array) -> WindowPose:
        """The pose of a window or of an index quad."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = window.tolist()
        down_x, down_y = (dx - ax + cx - bx) / 2, (dy - ay + cy - by) / 2
        tall = max((down_x**2 + down_y**2) ** 0.5, 1e-9)
        return cls((ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4, down_x / tall, down_y / tall, tall)


def axes(quads: Array) -> tuple[Array, Array]:
    """Mean vectors along the first and the second side of quads (…, 4, 2): of an index, reading across and down."""
    a, b, c, d = (quads[..., k, :] for k in range(4))
    return (b - a + c - d) / 2, (d - a + c - b) / 2


def touches(outline: Quad, regions: Iterable[Region]) -> bool:
    """Whether the box around an outline shares something with a region, px."""
    xs, ys = zip(*outline, strict=True)
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    return any(left < r[2] and r[0] < right and top < r[3] and r[1] < bottom for r in regions)


def share_in(outline: Quad, regions: Iterable[Region]) -> float:
    """How much of the box around an outline lies in regions that do not overlap, px: 0 to 1."""
    xs, ys = zip(*outline, strict=True)
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    shared = sum(
        max(0.0, min(right, r[2]) - max(left, r[0])) * max(0.0, min(bottom, r[3]) - max(top, r[1])) for r in regions
    )
    return shared / max(1e-9, (right - left) * (bottom - top))


def bounds(outline: Quad) -> Region:
    """The region that holds an outline."""
    points = np.asarray(outline)
    left, top = np.floor(points.min(axis=0)).astype(int).tolist()
    right, bottom = np.ceil(points.max(axis=0)).astype(int).tolist()
    return left, top, right, bottom


def corners(region: Region) -> Quad:
    """The outline of a region."""
    left, top, right, bottom = region
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def upright(outline: Array) -> Array:
    """The same outline from its upper short side on."""
    short_first = outline if side_lengths(outline[None])[0].argmin() == 0 else np.roll(outline, -1, axis=0)
    top, bottom = short_first[:2].mean(axis=0), short_first[2:].mean(axis=0)
    return short_first if (top[1], top[0]) <= (bottom[1], bottom[0]) else np.roll(short_first, -2, axis=0)
