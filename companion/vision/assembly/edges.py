"""Moves a predicted card outline onto the card's edges in the picture.

The detector places corners to a few per cent of a card; the index reader likes better. Each side is looked at along
short profiles across it, a line is fitted through the strongest steps, and where a side shows no line (another
card on it, white on white) the prediction stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters
from companion.vision.geometry import Array, are_valid, areas, lengths
from companion.vision.images import Pixels

Singles = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class _Profiles:
    """Where along and across a side its profiles are taken, for any side.

    `places` (samples,): along it, in its lengths. `x` (samples * peaks,): of each peak. `pairs`: the pairs of peaks
    through which lines are tried, far enough from each other, and `spans` between them. `offsets` (steps,): across it,
    as shares of the band, and how much a step there counts by its `nearness`.
    """

    places: Singles
    x: Singles
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]]
    spans: Singles
    offsets: Singles
    nearness: Singles


@cache
def _profiles(samples: int, peaks: int, steps: int, deviation: float) -> _Profiles:
    """See `_Profiles` and the parameters EDGE_SAMPLES, EDGE_PEAKS, EDGE_STEPS, EDGE_NEARNESS."""
    places = np.linspace(0.1, 0.9, samples, dtype=np.float32)
    x = np.repeat(places, peaks)
    first, second = np.triu_indices(len(x), 1)
    apart = x[second] - x[first] > 0.25
    first, second = first[apart], second[apart]
    offsets = np.linspace(-1, 1, steps, dtype=np.float32)
    nearness = np.exp(-0.5 * (offsets / deviation) ** 2).astype(np.float32)
    return _Profiles(places, x, (first, second), x[second] - x[first], offsets, nearness)


def _chosen_profiles() -> _Profiles:
    return _profiles(parameters.EDGE_SAMPLES, parameters.EDGE_PEAKS, parameters.EDGE_STEPS, parameters.EDGE_NEARNESS)


_LINES = 1024
"""Lines tried at a time: their points stay in the processor's cache."""

_STRIPE = 64
"""Rows taken at a time: three colours of them stay in the processor's cache."""


def min_channel(image: Pixels) -> NDArray[np.uint8]:
    """The weakest of the three colours: paper stays bright in it, coloured tables turn dark. (height, width)."""
    weakest = np.empty(image.shape[:2], np.uint8)
    for top in range(0, len(image), _STRIPE):
        rows = slice(top, top + _STRIPE)
        blue, green, red = cv2.split(image[rows])
        cv2.min(cv2.min(blue, green), red, dst=weakest[rows])
    return weakest


def refine_outlines(
    bright: NDArray[np.uint8], quads: Sequence[Array], bands: Sequence[float] | None = None
) -> list[Array]:
    """Return the outlines with their sides on the edges of `bright` (see `min_channel`); one that finds none stays
    itself.

    A result is refused when it is no valid quad or its corners moved farther than a sixth of the card's size.
    """
    if not quads:
        return []
    given = np.stack(quads).astype(np.float64)
    moved = given
    for band in parameters.EDGE_BANDS if bands is None else bands:
        reach = np.maximum(parameters.LEAST_EDGE_BAND_PX, band * np.sqrt(np.abs(areas(moved))))
        starts, ways = _side_lines(bright, moved, reach)
        moved = _meet(np.roll(starts, 1, axis=1), np.roll(ways, 1, axis=1), starts, ways)
        away = lengths(moved - given).mean(axis=1) / np.sqrt(np.maximum(np.abs(areas(given)), 1e-9))
        good = are_valid(moved) & (away < parameters.MOST_MOVED)
        moved = np.where(good[:, None, None], moved, given)
    return list(moved)


def _side_lines(bright: NDArray[np.uint8], quads: Array, reach: Array) -> tuple[Array, Array]:
    """A point and a direction for each side (n, 4, 2): the edge near it, or the side itself where none is clear."""
    starts = quads.reshape(-1, 2)
    ways = (np.roll(quads, -1, axis=1) - quads).reshape(-1, 2)
    length = np.maximum(lengths(ways), 1e-6)
    along = ways / length[:, None]
    outward = np.column_stack([along[:, 1], -along[:, 0]])  # clockwise as seen: the outside lies to the left of the way
    reaches = np.repeat(reach, 4)
    profiles = _chosen_profiles()
    first, across, out = (
        values.astype(np.float32)[:, :, None, None]
        for values in (starts - 0.5, along * length[:, None], outward * reaches[:, None])
    )  # OpenCV counts from a pixel's middle
    x, y = (
        (first[:, axis] + profiles.places[:, None] * across[:, axis]) + profiles.offsets * out[:, axis]
        for axis in (0, 1)
    )
    step = _steps(bright, x, y) * profiles.nearness
    peaks = np.where((step >= np.roll(step, 1, axis=2)) & (step >= np.roll(step, -1, axis=2)), step, np.float32(0))
    chosen, strength = _highest(peaks)
    depth = (profiles.offsets[chosen] * reaches[:, None, None]).reshape(len(starts), -1)
    weight = np.where(strength > parameters.FAINTEST_EDGE, np.minimum(strength, parameters.STRONGEST_EDGE), 0.0)
    sides = (
        depth / length[:, None],
        weight,
        np.maximum(parameters.LEAST_EDGE_TOLERANCE_PX, parameters.EDGE_TOLERANCE * reaches) / length,
    )
    slope, shift = _fit(*(values.astype(np.float32) for values in sides))
    short = length < parameters.SHORTEST_SIDE_PX
    slope, shift = np.where(short, 0.0, slope), np.where(short, 0.0, shift) * length
    found = along + slope[:, None] * outward
    return (starts + shift[:, None] * outward).reshape(-1, 4, 2), found.reshape(-1, 4, 2)


def _highest(peaks: Singles) -> tuple[NDArray[np.intp], Singles]:
    """The two highest peaks of each sample, highest first: places (n, samples, 2) and heights (n, samples * 2)."""
    rest, found = peaks.copy(), []
    for _ in range(parameters.EDGE_PEAKS):
        found.append(rest.argmax(axis=2)[..., None])
        np.put_along_axis(rest, found[-1], -1.0, axis=2)
    chosen = np.concatenate(found, axis=2)
    return chosen, np.take_along_axis(peaks, chosen, axis=2).reshape(len(peaks), -1)


def _steps(bright: NDArray[np.uint8], x: Singles, y: Singles) -> Singles:
    """How much darker it gets outwards at each grid point; getting brighter counts a third (dark borders, backs)."""
    sides, places, steps = x.shape
    columns, rows = (
        np.array_split(axis.reshape(-1, steps), -(-sides * places // 30_000))
        for axis in (x, y)  # OpenCV takes so many rows at most
    )
    seen = [
        cv2.remap(bright, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for column, row in zip(columns, rows, strict=True)
    ]
    smooth = cv2.GaussianBlur(np.concatenate(seen).astype(np.float32), (5, 1), 0)
    fall = -np.gradient(smooth, axis=1)
    return np.asarray(np.where(fall > 0, fall, -fall / 3).reshape(sides, places, steps), np.float32)


def _fit(y: Singles, weight: Singles, tolerance: Singles) -> tuple[Array, Array]:
    """For each side the line y = slope · x + shift with the strongest agreement; (0, 0) where it is weak.

    `y`, `weight` (n, points) belong to the places `x` of `_Profiles`; all in side lengths. All pairs are tried, in
    single precision: half the memory to move.
    """
    profiles = _chosen_profiles()
    places, (first, second) = profiles.x, profiles.pairs
    slopes = (y[:, second] - y[:, first]) / profiles.spans
    shifts = y[:, first] - slopes * places[first]
    usable = ((np.abs(slopes) < parameters.STEEPEST_EDGE) & (weight[:, first] > 0) & (weight[:, second] > 0)).nonzero()
    agreed, ones = np.empty(len(usable[0]), np.float32), np.ones(len(places), np.float32)
    for begin in range(0, len(agreed), _LINES):
        some = slice(begin, begin + _LINES)
        side, pair = usable[0][some], usable[1][some]
        away = y[side]
        away -= slopes[side, pair][:, None] * places
        away -= shifts[side, pair][:, None]
        agreed[some] = ((np.abs(away, out=away) < tolerance[side, None]) * weight[side]) @ ones
    strength = np.zeros(slopes.shape, np.float32)
    strength[usable] = agreed
    best = np.arange(len(y)), strength.argmax(axis=1)
    near = np.abs(y - slopes[best][:, None] * places - shifts[best][:, None]) < tolerance[:, None]
    within = near & (weight > 0)
    enough = (
        within.reshape(len(y), parameters.EDGE_SAMPLES, parameters.EDGE_PEAKS).any(axis=2).sum(axis=1)
        >= parameters.EDGE_AGREEMENT * parameters.EDGE_SAMPLES
    )
    count = np.maximum(within.sum(axis=1), 1)
    x_mean, y_mean = (within * places).sum(axis=1) / count, (within * y).sum(axis=1) / count
    spread = (within * (places - x_mean[:, None]) ** 2).sum(axis=1)
    slope = (within * (places - x_mean[:, None]) * (y - y_mean[:, None])).sum(axis=1) / np.maximum(spread, 1e-9)
    return np.where(enough, slope, 0.0), np.where(enough, y_mean - slope * x_mean, 0.0)


def _meet(p: Array, d: Array, q: Array, e: Array) -> Array:
    """Where lines (point, direction; (n, 4, 2) each) cross; not finite where they run nearly side by side."""
    cross = d[..., 0] * e[..., 1] - d[..., 1] * e[..., 0]
    flat = np.abs(cross) < 1e-3 * lengths(d) * lengths(e)
    way = q - p
    t = (way[..., 0] * e[..., 1] - way[..., 1] * e[..., 0]) / np.where(flat, np.nan, cross)
    return np.asarray(p + t[..., None] * d, np.float64)
