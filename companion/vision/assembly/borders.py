"""Two equal cards, one over the other: between their indices the upper one's border shows.

Of a row of cards each over the one before, two equal neighbours show what one card with an index in each corner shows.
But the detector sees two outlines, and of two that overlap only the upper card's border is a line across the other.
And where two indices side by side are all that shows, a line beside one of them that the other one has not is a border:
what is printed on a card is the same on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters
from companion.vision.assembly.plane import TablePlane
from companion.vision.assembly.poses import IndexPoses
from companion.vision.geometry import Array, locate_on_card, points_inside, side_lengths

_ALONG = np.linspace(0.15, 0.85, 24)
"""A side is looked at in so many places, as shares of its length: not near its corners."""
_LEANS = np.linspace(-0.1, 0.1, 9)
"""A line may lean so much against the index beside it, which is never measured quite upright."""


def parted_by_border(
    outlines: Sequence[Array], indices: Sequence[Array], conflicting: NDArray[np.bool_], bright: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Which pairs (n, n) of indices, not `conflicting` (n, n), are of two cards: one of the `outlines` (4, 2) px holds
    both in its corners, and another, whose border shows in it, has one of them in a corner and the other outside.

    `bright`: the picture as `edges.min_channel` sees it.
    """
    out = np.zeros_like(conflicting)
    if len(outlines) < 2 or len(indices) < 2:
        return out
    every, quads = np.stack(outlines), np.stack(indices)
    held = points_inside(every, quads.mean(axis=1))
    for lower, upper in np.argwhere((held @ held.T) & ~np.eye(len(every), dtype=np.bool_)).tolist():
        if not (held[lower] & ~held[upper]).any():
            continue
        across = _side_within(every[upper], every[lower])
        own = _side_within(every[lower], every[upper])
        if across is None or own is None:
            continue
        pairs = [
            (first, second)
            for second in np.flatnonzero(held[lower] & held[upper]).tolist()
            for first in np.flatnonzero(held[lower] & ~held[upper] & ~conflicting[second]).tolist()
            if _beyond(across, every[upper], quads[second], quads[first])
            and all(
                locate_on_card(every[which], quads[n])
                for which, n in ((lower, first), (lower, second), (upper, second))
            )
        ]
        if pairs and _lies_over(across, own, side_lengths(every[[lower, upper]]).min(), bright):
            first, second = np.array(pairs, np.intp).T
            out[first, second] = out[second, first] = True
    return out


def _side_within(one: Array, other: Array) -> Array | None:
    """The side (2, 2) of an outline whose middle lies in another; None unless that is one alone."""
    sides = np.stack([one, np.roll(one, -1, axis=0)], axis=1)
    within = np.flatnonzero(points_inside(other[None], sides.mean(axis=1))[0])
    return sides[within[0]] if len(within) == 1 else None


def _beyond(side: Array, outline: Array, index: Array, other: Array) -> bool:
    """True where a side of an outline has an index wholly inside, and another one wholly outside."""
    way = side[1] - side[0]
    inward = np.array([-way[1], way[0]]) / max(float(np.hypot(*way)), 1e-9)  # the inside lies to the right of the way
    near, far = (index - side[0]) @ inward, (other - side[0]) @ inward
    half = np.ptp(near) / 2
    return bool(near.mean() > half and far.mean() < -half)


def _lies_over(border: Array, covered: Array, short: float, bright: NDArray[np.uint8]) -> bool:
    """True where a side (2, 2) px shows as a line, and clearly more than another one that it would cover."""
    shown, hidden = (_line(bright, side, parameters.BORDER_REACH * short) for side in (border, covered))
    return shown > parameters.BORDER_CLEARER * max(hidden, parameters.FAINTEST_BORDER)


def _line(bright: NDArray[np.uint8], side: Array, reach: float) -> float:
    """How strongly a line shows along a side, at most `reach` px aside: grey levels per px, as half its places have."""
    way = side[1] - side[0]
    aside = np.array([-way[1], way[0]]) / max(float(np.hypot(*way)), 1e-9)
    steps = np.arange(-int(2 * reach), int(2 * reach) + 1) / 2
    places = (side[0] - 0.5 + _ALONG[:, None, None] * way + steps[:, None] * aside).astype(np.float32)
    seen = cv2.remap(bright, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    smooth = cv2.GaussianBlur(seen.astype(np.float32), (3, 1), 0)
    return float(np.median(2 * np.abs(np.gradient(smooth, axis=1)), axis=0).max())


def parted_between(
    plane: TablePlane, poses: IndexPoses, groups: Sequence[Sequence[int]], bright: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Which pairs (n, n) of indices at `poses` (n), two that read the same way and are all that shows of a card of
    `groups`, are rather of two cards: a line shows beside one of them, and none beside the other.

    `bright`: the picture as `edges.min_channel` sees it.
    """
    out = np.zeros((len(poses.sizes),) * 2, np.bool_)
    for pair in groups:
        if len(pair) == 2 and poses.offsets[1][pair[0], pair[1]] > 0:
            out[*pair] = out[pair[1], pair[0]] = two_cards(plane, poses, (pair[0], pair[1]), bright) > 0
    return out


def two_cards(plane: TablePlane, poses: IndexPoses, pair: tuple[int, int], bright: NDArray[np.uint8]) -> float:
    """The log odds that two indices side by side are of two cards."""
    residual = float(plane.residuals(poses.only(np.array(pair, np.intp)))[0, 1])
    lines = [_line_beside(plane, poses, one, other, bright) for one, other in (pair, pair[::-1])]
    bias, most, least, away = parameters.TWO_CARDS
    return float(bias + most * np.log1p(max(lines)) + least * np.log1p(min(lines)) + away * residual)


def _line_beside(plane: TablePlane, poses: IndexPoses, one: int, other: int, bright: NDArray[np.uint8]) -> float:
    """How strongly a line shows as long as a card, beside one index on the side of another, no farther than half way:
    grey levels per px, as nearly all its places have (`BORDER_SHOWN`). 0 where there is no room for one."""
    centre, down = poses.centres[one], poses.directions[one]
    aside, apart = np.array([down[1], -down[0]]), poses.centres[other] - poses.centres[one]
    aside = aside if apart @ aside > 0 else -aside
    ends = plane.to_px(np.stack([centre, centre + aside]))
    px = max(float(np.hypot(*(ends[1] - ends[0]))), 0.1)
    away = np.arange(parameters.BORDER_BESIDE * poses.sizes[one, 0], np.hypot(*apart) / 2, 0.5 / px)
    if len(away) < 5:
        return 0.0
    margin = (plane.card_mm[1] - plane.prints[0].spacing_mm[1]) / 2
    along = _ALONG * plane.card_mm[1] - margin
    leaning = away + _LEANS[:, None, None] * (along - along.mean())[:, None]
    places = plane.to_px(centre + along[:, None, None] * down + leaning[..., None] * aside) - 0.5
    height, width = bright.shape
    inside = np.asarray((places >= 0) & (places < (width - 1, height - 1)), np.bool_)
    shown = inside.all(axis=(0, 2, 3))
    if shown.mean() < 0.5:
        return 0.0
    x, y = np.moveaxis(places[:, shown].reshape(-1, len(away), 2).astype(np.float32), -1, 0)
    seen = cv2.remap(bright, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    slope = 2 * np.abs(np.gradient(cv2.GaussianBlur(seen, (3, 1), 0), axis=1))
    slope = cv2.dilate(slope, np.ones((1, 3), np.uint8)).reshape(len(_LEANS), -1, len(away))
    ordered, place = np.sort(slope, axis=1), (1 - parameters.BORDER_SHOWN) * (slope.shape[1] - 1)
    below, above = ordered[:, int(place)], ordered[:, int(np.ceil(place))]
    return float((below + (place - int(place)) * (above - below)).max())  # np.quantile, which is slow
