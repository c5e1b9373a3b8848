"""Prints on the table: how large a deck's index is, and how far apart the indices of one of its cards are.

Two decks on one table mostly differ in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters
from companion.vision.assembly.poses import IndexPoses
from companion.vision.geometry import CARD_MM, INDEX_MM, Array


@dataclass(frozen=True, slots=True)
class Print:
    """How a deck carries its indices: their width and height, and how far apart across and down those of a card are.

    `four_cornered` is False where it is known to carry them in two corners only, diagonally; `bare` is True where the
    other two lay open and empty.
    """

    index_mm: tuple[float, float]
    spacing_mm: tuple[float, float]
    four_cornered: bool = True
    bare: bool = False

    @property
    def area(self) -> float:
        """Of its index, square mm."""
        return self.index_mm[0] * self.index_mm[1]


def residuals(poses: IndexPoses, prints: Sequence[Print]) -> Array:
    """How far (mm) each index is from lying to each other one as two corners of one card do: (n, n).

    Infinite where the directions or the sizes forbid it.
    """
    offsets, alignment = poses.offsets
    logs, which = log_areas(poses.sizes), shared_print(prints, poses.sizes)
    gaps, four = (
        np.array([one.spacing_mm for one in prints])[which],
        np.array([one.four_cornered for one in prints])[which],
    )
    aside, along = gaps[..., 0], gaps[..., 1]
    x, y = np.abs(offsets[..., 0]), offsets[..., 1]
    facing = np.where(four & (x < aside / 2), x, np.abs(np.where(four, x, offsets[..., 0]) - aside))
    opposite = np.where(alignment < -parameters.SAME_WAY, np.sqrt(facing**2 + (y - along) ** 2), np.inf)
    beside = np.where(four & (alignment > parameters.SAME_WAY), np.sqrt((x - aside) ** 2 + y**2), np.inf)
    out = np.minimum(opposite, beside)
    own = nearest_print(prints, poses.sizes)
    out[(own[:, None] != own) & (np.abs(logs[:, None] - logs) > parameters.UNEQUAL_INDICES)] = np.inf
    np.fill_diagonal(out, np.inf)
    return np.asarray(out, np.float64)


def nearest_print(prints: Sequence[Print], sizes: Array) -> NDArray[np.intp]:
    """The numbers (…) of the prints whose indices are most nearly as large as `sizes` (…, 2): width and height, mm."""
    return _nearest(prints, log_areas(sizes))


def _nearest(prints: Sequence[Print], log_areas: Array) -> NDArray[np.intp]:
    """The same by the logarithms (…) of the indices' areas."""
    if len(prints) == 1:
        return np.zeros(log_areas.shape, np.intp)
    logs = np.log([one.area for one in prints])
    return np.asarray(np.abs(log_areas[..., None] - logs).argmin(axis=-1), np.intp)


def log_areas(sizes: Array) -> Array:
    return np.asarray(np.log(sizes[..., 0] * sizes[..., 1]), np.float64)


def shared_print(prints: Sequence[Print], sizes: Array) -> NDArray[np.intp]:
    """The numbers (n, n) of the prints of which each two of indices of these sizes (n, 2) mm are, were they of one."""
    logs = log_areas(sizes)
    return _nearest(prints, (logs[:, None] + logs) / 2)


def spacings_across(prints: Sequence[Print], sizes: Array) -> Array:
    """How far apart (n, n) mm the upper indices of a card are, for each two of indices of these sizes (n, 2) mm."""
    return np.array([one.spacing_mm[0] for one in prints])[shared_print(prints, sizes)]


def mean_size(sizes: Array) -> Array:
    """The mean (…, 2) of widths and heights (…, n, 2), as ratios go."""
    return np.asarray(np.exp(np.log(sizes).mean(axis=-2)), np.float64)


def other_prints(poses: IndexPoses, usual: Print, conflicting: NDArray[np.bool_] | None) -> list[Print]:
    """Other prints than the usual one, as `poses` show; `conflicting` (n, n): indices that are not on one card."""
    if not len(poses.sizes):
        return []
    order = np.argsort(poses.sizes.prod(axis=1))
    groups = [order[group] for group in _split(np.log(poses.sizes[order].prod(axis=1)))]
    groups.sort(key=lambda group: abs(float(np.log(np.median(poses.sizes[group], axis=0).prod() / usual.area))))
    return [_print_of(poses, group, conflicting) for group in groups[1:]]


def _print_of(poses: IndexPoses, group: NDArray[np.intp], conflicting: NDArray[np.bool_] | None) -> Print:
    """The print whose indices those of a group are: its spacing as two read alike show, where some seem of one card."""
    size = np.median(poses.sizes[group], axis=0)
    gap = usual_spacing(size)
    if conflicting is not None:
        offsets, alignment = poses.only(group).offsets
        same = (
            ~conflicting[np.ix_(group, group)]
            & (np.abs(alignment) > parameters.PAIR_SAME_WAY)
            & ~np.eye(len(group), dtype=np.bool_)
        )
        away = np.abs(offsets[same])
        fits = [np.abs(away[:, axis] - gap[axis]) < parameters.SPACING_MM for axis in (0, 1)]
        level = [(away[:, axis] < parameters.BELOW_MM) | fits[axis] for axis in (0, 1)]
        for axis in (0, 1):
            of_one = away[fits[axis] & level[1 - axis], axis]
            gap[axis] = float(np.median(of_one)) if len(of_one) else gap[axis]
    return Print((float(size[0]), float(size[1])), (float(gap[0]), float(gap[1])))


def usual_spacing(sizes: Array) -> Array:
    """How far apart (…, 2) mm indices of these sizes (…, 2) mm mostly are: prints leave the same margins."""
    return np.asarray(
        np.maximum(np.array(CARD_MM) - 2 * np.array(INDEX_MM[:2]) - sizes, parameters.LEAST_SPACING_MM), np.float64
    )


def _split(logs: Array, first: int = 0) -> list[slice]:
    """Sorted numbers in groups that lie clearly apart."""
    count = len(logs)
    if count >= 4:
        spread, cut = min((spread, k) for k, spread in enumerate(_spreads(logs), 1) if 2 <= k < count - 1)
        apart = float(logs[cut:].mean() - logs[:cut].mean())
        if apart > max(parameters.TWO_PRINTS, parameters.TWO_PRINTS_SPREAD * float(np.sqrt(spread / count))):
            return [*_split(logs[:cut], first), *_split(logs[cut:], first + cut)]
    return [slice(first, first + count)]


def _spreads(logs: Array) -> list[float]:
    """Squares about their means of numbers cut in two after the first, after the second, and so on: (n - 1,)."""
    first, last = np.arange(1, len(logs)), np.arange(len(logs) - 1, 0, -1)
    sums = np.cumsum(logs - logs.mean())[:-1]
    whole = float(((logs - logs.mean()) ** 2).sum())
    return [max(0.0, float(one)) for one in whole - sums**2 / first - sums**2 / last]
