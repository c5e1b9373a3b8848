"""How the rows and fans of a picture were laid, and which two equal cards of them are surely two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters
from companion.vision.assembly.instances import CardInstance
from companion.vision.assembly.poses import NO_POSES, IndexPoses
from companion.vision.assembly.prints import spacings_across
from companion.vision.assembly.rows import repeats_row_step
from companion.vision.geometry import Array, along_and_aside


@dataclass(frozen=True, slots=True, eq=False)
class RowPattern:
    """How rows and fans were laid, as the clearly read indices of a picture show: `names` (n,) and `poses` of them.

    `offsets` (m, 2): mm across and down, as they read, between those that lie the same way and are surely of two cards,
    because they were read as different faces.
    """

    names: NDArray[np.intp]
    poses: IndexPoses
    offsets: Array

    @classmethod
    def of(cls, instances: Sequence[CardInstance]) -> RowPattern:
        """The indices of all cards of a picture."""
        observations = [
            (observation.face_id, observation.quad)
            for one in instances
            for observation in one.observations
            if observation.quad is not None and observation.certain
        ]
        names = np.array([name for name, _ in observations], np.intp)
        if not observations:
            return cls(names, NO_POSES, np.empty((0, 2)))
        poses = instances[0].hypothesis.plane.poses([quad for _, quad in observations])
        offsets, alignment = poses.offsets
        return cls(names, poses, offsets[(names[:, None] != names[None]) & (alignment > parameters.SAME_WAY)])

    def two(self, one: CardInstance, other: CardInstance) -> bool:
        """True where two equal cards are surely two: neighbours of a row, or others lie between them, or a border."""
        if not one.hypothesis.strange.isdisjoint(other.hypothesis.indices):
            return True
        places, plane = one.readable_indices, one.hypothesis.plane
        poses = plane.poses([*places, *other.readable_indices])
        offsets, alignment = poses.offsets
        across = np.s_[: len(places), len(places) :]
        pairs = alignment[across] > parameters.SAME_WAY
        aside = spacings_across(plane.prints, poses.sizes)[across][pairs]
        if repeats_row_step(offsets[across][pairs], self.offsets, aside).any():
            return True
        own, others = np.nonzero(alignment[across] > parameters.ROW_PATTERN_SAME_WAY)
        return self._between(one, other, poses, list(zip(own.tolist(), (len(places) + others).tolist(), strict=True)))

    def repeated_by(self, one: CardInstance) -> bool:
        """True where indices beside each other on one card are as far apart as other cards of a row are."""
        offsets, alignment = one.hypothesis.plane.poses(one.readable_indices).offsets
        beside = np.triu(alignment > parameters.SAME_WAY, 1)
        return bool(repeats_row_step(offsets[beside], self.offsets, np.inf).any())

    def _between(
        self, one: CardInstance, other: CardInstance, poses: IndexPoses, pairs: Sequence[tuple[int, int]]
    ) -> bool:
        """True where other cards' indices lie between each two of theirs, `pairs` of `poses`, and read the same way."""
        own = {observation.face_id for observation in (*one.observations, *other.observations) if observation.readable}
        strange = np.flatnonzero([name not in own for name in self.names.tolist()])
        if not len(strange) or not pairs:
            return False
        return all(self._crossed(poses.centres[a], poses.centres[b], poses.directions[a], strange) for a, b in pairs)

    def _crossed(self, start: Array, end: Array, down: Array, which: NDArray[np.intp]) -> bool:
        along, aside, length = along_and_aside(start, end, self.poses.centres[which])
        within = (
            (along > parameters.BETWEEN_APART_MM)
            & (along < length - parameters.BETWEEN_APART_MM)
            & (aside < parameters.ROW_PATTERN_ASIDE_MM)
        )
        return bool((within & (self.poses.directions[which] @ down > parameters.ROW_PATTERN_SAME_WAY)).any())
