"""The table as a plane: one homography fitted to all outlines and indices of a picture at once.

Cards lie flat, are of nearly one size, and mostly of one print. So every outline and every index says how many px a
millimetre takes there, and two indices of one card lie as far apart as those of the next. Together they give the
table's slant better than any single card does (`plane_fit`): distances and directions come out in millimetres, however
obliquely the camera looks, and two corners of one card can be told from corners of two.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.vision.assembly import parameters
from companion.vision.assembly.index_pairs import NO_PAIRS, pairs_cut_off
from companion.vision.assembly.plane_fit import fit_parameters
from companion.vision.assembly.plane_model import homography_matrix
from companion.vision.assembly.poses import IndexPoses, separated_by_third
from companion.vision.assembly.prints import Print, mean_size, nearest_print, other_prints, residuals
from companion.vision.geometry import CARD_MM, TURNS, Array, dots, lengths, project, side_lengths

_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
"""Of a card one wide and one long, from its middle."""


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """The table: `matrix` sends mm on it to px, `back` px to mm.

    `card_mm`: width and height of the cards. `prints`: those on this table, the most usual first.
    """

    matrix: Array
    back: Array
    card_mm: tuple[float, float]
    prints: tuple[Print, ...]

    @classmethod
    def fit(
        cls,
        outlines: Sequence[Array],
        indices: Sequence[Array],
        conflicting: NDArray[np.bool_] | None = None,
        size: tuple[int, ...] | None = None,
    ) -> TablePlane:
        """The plane on which most outlines (4, 2) px are cards of one size and most index quads are alike.

        `conflicting` (n, n): indices that are not on one card, whatever their places; `size`: the picture's height and
        width (px), whose edges cut cards. Raises ValueError when there is neither an outline nor an index.
        """
        if not len(outlines) and not len(indices):
            raise ValueError("no outline and no index: the table's plane is unknown")
        cards, poses = np.reshape(outlines, (-1, 4, 2)), np.reshape(indices, (-1, 4, 2))
        plane = cls._fit_one_print(cards, poses, conflicting, size).with_prints(poses, conflicting)
        if len(plane.prints) > 1:  # the indices of other prints are no measure: once more without them
            own = np.flatnonzero(nearest_print(plane.prints, plane.poses(poses).sizes) == 0)
            rest = None if conflicting is None else conflicting[np.ix_(own, own)]
            plane = cls._fit_one_print(cards, poses[own], rest, size).with_prints(poses, conflicting)
        return plane

    @classmethod
    def _fit_one_print(
        cls, cards: Array, poses: Array, conflicting: NDArray[np.bool_] | None, size: tuple[int, ...] | None
    ) -> TablePlane:
        """The plane with one print."""
        cut = NO_PAIRS if conflicting is None or size is None else pairs_cut_off(cards, poses, conflicting, size)
        points = np.concatenate([cards, poses])
        middle = points.reshape(-1, 2).mean(axis=0)
        reach = max(float(np.abs(points.reshape(-1, 2) - middle).max()), 1.0)
        found = fit_parameters((cards - middle) / reach, (poses - middle) / reach, conflicting, cut)
        back = homography_matrix(found) @ np.array(
            [[1 / reach, 0, -middle[0] / reach], [0, 1 / reach, -middle[1] / reach], [0, 0, 1]]
        )
        wide, tall, card, aside, along = (float(value) for value in np.exp(found[5:]))
        forth = np.asarray(np.linalg.inv(back), np.float64)
        return cls(forth, back, (card, CARD_MM[1]), (Print((wide, tall), (aside, along)),))

    def with_prints(self, indices: Array, conflicting: NDArray[np.bool_] | None) -> TablePlane:
        """The same with all prints that the sizes of these indices (n, 4, 2) px show; `conflicting`: see `fit`."""
        others = other_prints(self.poses(indices), self.prints[0], conflicting)
        return replace(self, prints=(self.prints[0], *others))

    def to_mm(self, points: ArrayLike) -> Array:
        """Image points (…, 2) px → table mm."""
        return project(self.back, points)

    def to_px(self, points: ArrayLike) -> Array:
        """Table points (…, 2) mm → image px."""
        return project(self.matrix, points)

    def is_card_sized(self, outline: Array) -> bool:
        """True for an outline (px) that is about as large as this picture's cards are."""
        short, long = sorted(side_lengths(self.to_mm(outline)[None])[0].tolist())
        wide, tall = self.card_mm
        return bool(
            abs(np.log(short / wide)) < parameters.CARD_SIZE and abs(np.log(long / tall)) < parameters.CARD_SIZE
        )

    def poses(self, indices: Sequence[Array] | Array) -> IndexPoses:
        """Where index quads (px) lie on the table."""
        return IndexPoses.of(self.to_mm(np.reshape(indices, (-1, 4, 2))))

    @property
    def corners(self) -> int:
        """How many of its prints may carry their index in four corners."""
        return sum(one.four_cornered for one in self.prints)

    def with_corner_count(self, which: Collection[int], corners: int, bare: Collection[int] = ()) -> TablePlane:
        """The same table, its prints of these numbers known to carry the index in so many corners, 2 or 4.

        Of those `bare`, empty corners were seen, so they never have four.
        """
        prints = [
            replace(one, four_cornered=corners == 4 and not one.bare, bare=one.bare or number in bare)
            if number in which
            else one
            for number, one in enumerate(self.prints)
        ]
        return replace(self, prints=tuple(prints))

    def residuals(self, indices: Sequence[Array] | IndexPoses) -> Array:
        """How far (mm) each index is from lying to each other one as two corners of one card do: (n, n).

        `indices`: quads (px), or their poses. Infinite where the directions forbid it: they differ by more than 25°
        from those of two corners. Two that read the same way with a third between them are two cards of a fan, however
        well they fit.
        """
        poses = indices if isinstance(indices, IndexPoses) else self.poses(indices)
        offsets, alignment = poses.offsets
        out = residuals(poses, self.prints)
        pairs = np.argwhere((out < parameters.OPEN_QUESTION_MM) & (alignment > 0))
        out[*pairs[separated_by_third(offsets, alignment, pairs)].T] = np.inf
        return out

    def card_outline(self, indices: Sequence[Array], near: Array | None = None) -> tuple[Array, float]:
        """The outline (px) of the card whose corners these index quads are, and their residual (mm).

        A single index is the top-left one. `near`: an outline (px) that decides where another card fits as well.
        """
        poses = self.poses(indices)
        outlines, errors = self.card_outlines(
            poses, np.arange(len(indices))[None], None if near is None else near[None]
        )
        return outlines[0], float(errors[0])

    def card_outlines(
        self, poses: IndexPoses, groups: NDArray[np.intp], near: Array | None = None
    ) -> tuple[Array, Array]:
        """The same for many cards at once: outlines (n, 4, 2) px and residuals (n,) mm.

        `groups` (n, m): the numbers of each card's poses; `near` (n, 4, 2): the outline that decides for each.
        """
        outlines, errors = self.both_placements(poses, groups)
        taken = errors[:, 1] < errors[:, 0] - parameters.EQUAL_RESIDUALS_MM
        if near is not None:
            nearer = self.corner_gaps_mm(outlines[:, 1], near) < self.corner_gaps_mm(outlines[:, 0], near)
            taken |= nearer & (errors[:, 1] <= errors[:, 0] + parameters.EQUAL_RESIDUALS_MM)
        rows, which = np.arange(len(groups)), taken.astype(np.intp)
        return outlines[rows, which], errors[rows, which]

    def both_placements(self, poses: IndexPoses, groups: NDArray[np.intp]) -> tuple[Array, Array]:
        """Outlines (n, 2, 4, 2) px and residuals (n, 2) mm of cards of which the first of these poses is an upper
        corner.

        Of each the left one, then the right one.
        """
        centres, directions = poses.centres[groups], poses.directions[groups]
        upper = dots(directions, directions[:, :1]) >= 0
        down = (directions * np.where(upper, 1.0, -1.0)[..., None]).sum(axis=1)
        down /= np.maximum(lengths(down), 1e-9)[:, None]
        frames = np.stack([np.stack([down[:, 1], -down[:, 0]], axis=1), down], axis=1)
        gaps = np.array([one.spacing_mm for one in self.prints])[
            nearest_print(self.prints, mean_size(poses.sizes[groups]))
        ]
        places = (_CORNERS * gaps[:, None]) @ frames
        (errors, middles), (other_errors, other_middles) = (_fit_corner(centres, upper, places, k) for k in (0, 1))
        flat = (_CORNERS * self.card_mm) @ frames
        both = np.stack([middles, other_middles], axis=1)
        return self.to_px(both[:, :, None] + flat[:, None]), np.stack([errors, other_errors], axis=1)

    def as_good_as_best(self, errors: Array) -> NDArray[np.bool_]:
        """Which of residuals (n, 2), as `both_placements` gives them, are as good as the better one."""
        return np.asarray(errors <= errors.min(axis=1, keepdims=True) + parameters.EQUAL_RESIDUALS_MM, np.bool_)

    def corner_gap_mm(self, first: Array, second: Array) -> float:
        """Mean distance (mm) of the corners of two outlines (px), turned so that they fit best."""
        return float(self.corner_gaps_mm(first, second))

    def corner_gaps_mm(self, first: Array, second: Array) -> Array:
        """The same for outlines (…, 4, 2) px, each with its counterpart, as arrays go: (…) mm."""
        way = self.to_mm(first)[..., None, :, :] - self.to_mm(second)[..., TURNS, :]
        return np.asarray(lengths(way).mean(axis=-1).min(axis=-1), np.float64)


def _fit_corner(centres: Array, upper: NDArray[np.bool_], places: Array, corner: int) -> tuple[Array, Array]:
    """The largest residual (n,) mm and the middle (n, 2) of cards of whose `corner` the first of their indices (n, m,
    2) is.

    `upper` (n, m): which indices read as the first one; `places` (n, 4, 2): where indices lie, from the middle.
    """
    first = centres[:, :1] - places[:, corner : corner + 1]
    away = lengths(centres[:, :, None] - (first + places)[:, None])
    own = np.where(upper, away[..., :2].argmin(axis=2), 2 + away[..., 2:].argmin(axis=2))
    middles = centres - np.take_along_axis(places, own[..., None], axis=1)
    middle = middles.mean(axis=1)
    return np.asarray(lengths(middles - middle[:, None]).max(axis=1), np.float64), middle
