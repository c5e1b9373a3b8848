"""Indices on the table, in millimetres: where they lie, how they read, and which prints carry them how.

A print is known by how large its index is and by how far apart the indices of one of its cards are: two decks on one
table mostly differ in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import CARD_MM, INDEX_MM, Array, axes, dots, lengths

_LEAST_GAP = 15.0
"""Two indices of a card are farther apart than this, mm."""

_GAP_MM, _LEVEL_MM = 20.0, 10.0
"""Prints' gaps differ from the usual by less than the first; beside each other lies what differs in height by less than
the second."""

_OTHER_PRINT, _SPLIT, _UNEQUAL = 0.6, 4.0, 1.0
"""Indices are of two prints where two groups of their areas (log) lie farther apart than the first and than the second
times the spread within them; two of different prints that differ by more than the third are not of one card."""

_SAME_PRINT = 0.2
"""Indices whose areas (log) differ by less than this may be of one print."""

_STEP_MM, _LONGEST_STEP_MM, _FITS_MM = 5.0, 60.0, 4.0
"""Cards of a row are laid at steps that differ by less than the first, and that are shorter than the second; two
indices that fit the upper corners of one card better than the third are those."""

_APART_MM, _ASIDE_MM = 5.0, 8.0
"""What lies between two indices is farther from either than the first, and less aside of the line than the second."""

_ROW_ALIKE, _NARROW_MM, _EVEN = 0.95, 35.0, 0.25
"""In an evenly laid row neighbours read the same way (cosine), at steps shorter than the second, which differ by less
than this share of them."""

_QUARTER = np.array([[0.0, 1.0], [-1.0, 0.0]])
"""Row vectors times this: reading across → reading down, on the screen."""


@dataclass(frozen=True, eq=False)
class Marks:
    """Indices on the table: centres (n, 2) mm, unit vectors (n, 2) of reading down, widths and heights (n, 2) mm."""

    centres: Array
    downs: Array
    sizes: Array

    @classmethod
    def of(cls, flat: Array) -> Marks:
        """From index quads (n, 4, 2) mm."""
        across, down = axes(flat)
        wide = np.maximum(lengths(across), 1e-9)
        tall = np.maximum(lengths(down), 1e-9)
        # a slanted index is seen more upright than it is: its sides err opposite ways
        mean = down / tall[:, None] + (across / wide[:, None]) @ _QUARTER
        mean /= np.maximum(lengths(mean), 1e-9)[..., None]
        return cls(flat.mean(axis=1), mean, np.stack([wide, tall], axis=1))

    def only(self, which: NDArray[np.intp]) -> Marks:
        """Some of them."""
        return Marks(self.centres[which], self.downs[which], self.sizes[which])

    @cached_property
    def steps(self) -> tuple[Array, Array]:
        """From each index to each other one, (n, n, 2) mm along reading across and down; and how alike both read.

        The second value (n, n) is 1 where both read the same way, -1 where one stands on its head. Directions are
        the mean of both, the head-down one turned round.
        """
        alike = self.downs @ self.downs.T
        turn = np.where(alike >= 0, 1.0, -1.0)[..., None]
        mean = self.downs[:, None] + turn * self.downs[None]
        mean /= np.maximum(lengths(mean), 1e-9)[..., None]
        way = self.centres[None] - self.centres[:, None]
        across = np.stack([mean[..., 1], -mean[..., 0]], axis=2)
        return np.stack([dots(way, across), dots(way, mean)], axis=2), np.asarray(alike)


NO_MARKS = Marks(np.empty((0, 2)), np.empty((0, 2)), np.empty((0, 2)))


@dataclass(frozen=True, slots=True)
class Print:
    """How a deck carries its indices: their width and height, and how far apart across and down those of a card are.

    `four_cornered` is False where it is known to carry them in two corners only, diagonally; `bare` is True where the
    other two lay open and empty.
    """

    index_mm: tuple[float, float]
    gap_mm: tuple[float, float]
    four_cornered: bool = True
    bare: bool = False

    @property
    def area(self) -> float:
        """Of its index, square mm."""
        return self.index_mm[0] * self.index_mm[1]


def misfits(marks: Marks, prints: Sequence[Print]) -> Array:
    """How far (mm) each mark is from lying to each other one as two corners of one card do: (n, n).

    Infinite where the directions or the sizes forbid it.
    """
    steps, alike = marks.steps
    logs, which = _log_areas(marks.sizes), shared_print(prints, marks.sizes)
    gaps, four = np.array([one.gap_mm for one in prints])[which], np.array([one.four_cornered for one in prints])[which]
    aside, along = gaps[..., 0], gaps[..., 1]
    x, y = np.abs(steps[..., 0]), steps[..., 1]
    facing = np.where(four & (x < aside / 2), x, np.abs(np.where(four, x, steps[..., 0]) - aside))
    opposite = np.where(alike < -0.9, np.sqrt(facing**2 + (y - along) ** 2), np.inf)
    beside = np.where(four & (alike > 0.9), np.sqrt((x - aside) ** 2 + y**2), np.inf)
    out = np.minimum(opposite, beside)
    own = nearest_print(prints, marks.sizes)
    out[(own[:, None] != own) & (np.abs(logs[:, None] - logs) > _UNEQUAL)] = np.inf
    np.fill_diagonal(out, np.inf)
    return np.asarray(out, np.float64)


def in_between(steps: Array, alike: Array, pairs: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which pairs (n, 2) of marks that read the same way have a third between them that reads so too.

    `steps`, `alike`: see `Marks.steps`. The two are of two cards of a fan then, however well they fit one.
    """
    way = steps[pairs[:, 0], pairs[:, 1], 0]
    x, y = steps[pairs[:, 0], :, 0] * np.sign(way)[:, None], np.abs(steps[pairs[:, 0], :, 1])
    inside = (x > _APART_MM) & (x < np.abs(way)[:, None] - _APART_MM) & (y < _ASIDE_MM)
    return np.asarray((inside & (alike[pairs[:, 0]] > 0.9)).any(axis=1), np.bool_)


def nearest_print(prints: Sequence[Print], sizes: Array) -> NDArray[np.intp]:
    """The numbers (…) of the prints whose indices are most nearly as large as `sizes` (…, 2): width and height, mm."""
    return _nearest(prints, _log_areas(sizes))


def _nearest(prints: Sequence[Print], log_areas: Array) -> NDArray[np.intp]:
    """The same by the logarithms (…) of the indices' areas."""
    if len(prints) == 1:
        return np.zeros(log_areas.shape, np.intp)
    logs = np.log([one.area for one in prints])
    return np.asarray(np.abs(log_areas[..., None] - logs).argmin(axis=-1), np.intp)


def _log_areas(sizes: Array) -> Array:
    return np.asarray(np.log(sizes[..., 0] * sizes[..., 1]), np.float64)


def shared_print(prints: Sequence[Print], sizes: Array) -> NDArray[np.intp]:
    """The numbers (n, n) of the prints of which each two of indices of these sizes (n, 2) mm are, were they of one."""
    logs = _log_areas(sizes)
    return _nearest(prints, (logs[:, None] + logs) / 2)


def asides(prints: Sequence[Print], sizes: Array) -> Array:
    """How far apart (n, n) mm the upper indices of a card are, for each two of indices of these sizes (n, 2) mm."""
    return np.array([one.gap_mm[0] for one in prints])[shared_print(prints, sizes)]


def mean_size(sizes: Array) -> Array:
    """The mean (…, 2) of widths and heights (…, n, 2), as ratios go."""
    return np.asarray(np.exp(np.log(sizes).mean(axis=-2)), np.float64)


def in_step(steps: Array, of_others: Array, aside: float | Array) -> NDArray[np.bool_]:
    """Which steps (…, 2) mm repeat two of the steps (n, 2) between other cards: so the next card of a row lies.

    They do so better than they fit the upper corners of one card, which are `aside` mm apart: one number or (…).
    """
    others = of_others[lengths(of_others) < _LONGEST_STEP_MM]
    if len(others) < 4:  # each step counts there and back
        return np.zeros(steps.shape[:-1], np.bool_)
    away = lengths(steps[..., None, :] - others)
    beside = np.hypot(np.abs(steps[..., 0]) - aside, steps[..., 1])
    repeats = (away < np.minimum(_STEP_MM, 0.6 * beside)[..., None]).sum(axis=-1)
    return np.asarray((repeats >= 2) & (beside > _FITS_MM))


def row_gaps(marks: Marks) -> list[tuple[int, int]]:
    """Neighbours of an evenly laid row between which one card is missing: their step is twice that of those around.

    Cards of the row lie over each other; at least three steps, before and behind, say how far.
    """
    steps, alike = marks.steps
    x, y = steps[..., 0], np.abs(steps[..., 1])
    ahead = np.where((alike > _ROW_ALIKE) & (x > 1.0) & (y < np.maximum(_ASIDE_MM, 0.5 * x)), x, np.inf)
    if not len(ahead):
        return []
    following = ahead.argmin(axis=1)
    lengths = ahead[np.arange(len(ahead)), following]
    before = {int(one): number for number, one in enumerate(following) if np.isfinite(lengths[number])}
    found = []
    for number in np.flatnonzero(np.isfinite(lengths)).tolist():
        around, back, forth = [], number, int(following[number])
        for _ in range(2):
            if back in before:
                back = before[back]
                around.append(float(lengths[back]))
            if np.isfinite(lengths[forth]):
                around.append(float(lengths[forth]))
                forth = int(following[forth])
        usual = float(np.median(around)) if len(around) > 2 else np.inf
        even = all(abs(one - usual) < _EVEN * usual for one in around)
        if usual < _NARROW_MM and even and abs(lengths[number] - 2 * usual) < _EVEN * usual:
            found.append((number, int(following[number])))
    return found


def other_prints(marks: Marks, usual: Print, unlike: NDArray[np.bool_] | None) -> list[Print]:
    """Other prints than the usual one, as `marks` show; `unlike` (n, n): marks that are not on one card."""
    if not len(marks.sizes):
        return []
    order = np.argsort(marks.sizes.prod(axis=1))
    groups = [order[group] for group in _split(np.log(marks.sizes[order].prod(axis=1)))]
    groups.sort(key=lambda group: abs(float(np.log(np.median(marks.sizes[group], axis=0).prod() / usual.area))))
    return [_print_of(marks, group, unlike) for group in groups[1:]]


def _print_of(marks: Marks, group: NDArray[np.intp], unlike: NDArray[np.bool_] | None) -> Print:
    """The print whose indices the marks of a group are: its gap as two read alike show, where some seem of one card."""
    size = np.median(marks.sizes[group], axis=0)
    gap = usual_gap(size)
    if unlike is not None:
        steps, alike = marks.only(group).steps
        same = ~unlike[np.ix_(group, group)] & (np.abs(alike) > 0.85) & ~np.eye(len(group), dtype=np.bool_)
        away = np.abs(steps[same])
        fits = [np.abs(away[:, axis] - gap[axis]) < _GAP_MM for axis in (0, 1)]
        level = [(away[:, axis] < _LEVEL_MM) | fits[axis] for axis in (0, 1)]
        for axis in (0, 1):
            of_one = away[fits[axis] & level[1 - axis], axis]
            gap[axis] = float(np.median(of_one)) if len(of_one) else gap[axis]
    return Print((float(size[0]), float(size[1])), (float(gap[0]), float(gap[1])))


def with_measured(prints: Sequence[Print], marks: Marks, fours: Sequence[Sequence[int]]) -> tuple[Print, ...]:
    """These prints and those of cards that show all four corners where none has such: `fours`, numbers of their marks.

    They go around each card from its upper left corner. Indices as large as a known print's are taken for that.
    """
    out = list(prints)
    for four in fours:
        size, (a, b, c, d) = mean_size(marks.sizes[four]), marks.centres[four]
        if abs(float(np.log(size.prod() / out[int(nearest_print(out, size))].area))) > _SAME_PRINT:
            across, down = (b - a + c - d) / 2, (d - a + c - b) / 2
            gap = (float(np.hypot(*across)), float(np.hypot(*down)))
            out.append(Print((float(size[0]), float(size[1])), gap))
    return tuple(out)


def usual_gap(sizes: Array) -> Array:
    """How far apart (…, 2) mm indices of these sizes (…, 2) mm mostly are: prints leave the same margins."""
    return np.asarray(np.maximum(np.array(CARD_MM) - 2 * np.array(INDEX_MM[:2]) - sizes, _LEAST_GAP), np.float64)


def _split(logs: Array, first: int = 0) -> list[slice]:
    """Sorted numbers in groups that lie clearly apart."""
    count = len(logs)
    if count >= 4:
        spread, cut = min((spread, k) for k, spread in enumerate(_spreads(logs), 1) if 2 <= k < count - 1)
        apart = float(logs[cut:].mean() - logs[:cut].mean())
        if apart > max(_OTHER_PRINT, _SPLIT * float(np.sqrt(spread / count))):
            return [*_split(logs[:cut], first), *_split(logs[cut:], first + cut)]
    return [slice(first, first + count)]


def _spreads(logs: Array) -> list[float]:
    """Squares about their means of numbers cut in two after the first, after the second, and so on: (n - 1,)."""
    first, last = np.arange(1, len(logs)), np.arange(len(logs) - 1, 0, -1)
    sums = np.cumsum(logs - logs.mean())[:-1]
    whole = float(((logs - logs.mean()) ** 2).sum())
    return [max(0.0, float(one)) for one in whole - sums**2 / first - sums**2 / last]
