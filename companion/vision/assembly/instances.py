"""A card instance: a hypothesis, the observations of its indices and of its whole face, and its classification."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters
from companion.vision.assembly.hypotheses import CardHypothesis
from companion.vision.geometry import Array, WindowPose, lengths, window_index
from companion.vision.images import Pixels
from companion.vision.reading.evidence import Classification, Evidence, Tuning, average, combine
from companion.vision.types import Side


@dataclass(frozen=True, eq=False)
class IndexObservation:
    """One rectified window (4, 2) px in which an index was looked for, and the evidence in it."""

    window: Array
    crop: Pixels
    evidence: Evidence
    quad: Array | None = None
    """The detected index (4, 2) px around which the window was laid; None for a window at an outline's corner."""

    @cached_property
    def pose(self) -> WindowPose:
        """Where the window lies."""
        return WindowPose.of(self.window)

    @property
    def readable(self) -> bool:
        """True where an index was seen."""
        return self.evidence.weight > parameters.READABLE

    @cached_property
    def face_id(self) -> int:
        """Number of the likeliest face."""
        return int(self.evidence.faces.argmax())

    @cached_property
    def probability(self) -> float:
        """The probability of that face."""
        return float(self.evidence.faces.max())

    @property
    def certain(self) -> bool:
        """True where an index was seen and named beyond doubt."""
        return self.readable and self.probability > parameters.CERTAIN

    @property
    def index_quad(self) -> Array:
        """The index (4, 2) px that was observed, detected or supposed from a corner's window."""
        return window_index(self.window) if self.quad is None else self.quad


@dataclass(frozen=True, slots=True, eq=False)
class CardInstance:
    """A card hypothesis with all evidence on its face, and the classification by it."""

    hypothesis: CardHypothesis
    observations: tuple[IndexObservation, ...]
    face_evidence: Evidence | None
    classification: Classification
    own: float = 1.0
    """The chance that it is a physical card of its own: see `judge`."""

    @property
    def likeliest_face(self) -> str | None:
        """The likeliest face, whether or not it is likely enough for a name."""
        return self.classification.candidates[0].face if self.classification.candidates else None

    @property
    def is_confirmed(self) -> bool:
        """True for a card that is surely one of its own: a clear outline of a face with its index, or two indices."""
        places = len(self.readable_indices)
        outlined = (
            self.hypothesis.body_visible
            and self.hypothesis.side is Side.UP
            and self.hypothesis.score >= parameters.CONFIRMED_OUTLINE
        )
        return places >= 2 or (places == 1 and outlined)

    @property
    def has_certain_index(self) -> bool:
        """True where some index was read beyond doubt."""
        return any(observation.certain for observation in self.observations)

    @property
    def readable_indices(self) -> list[Array]:
        """The index quads (px) that were readable: see `IndexObservation.index_quad`."""
        return [observation.index_quad for observation in self.observations if observation.readable]


def same_index(observations: Sequence[IndexObservation]) -> NDArray[np.bool_]:
    """Which two observations (n, n) are of one printed index: nearly one place, one direction.

    Two detected indices are exact; a window at an outline's corner is less so.
    """
    poses = [observation.pose for observation in observations]
    places = np.array([(pose.x, pose.y) for pose in poses]).reshape(-1, 2)
    directions = np.array([(pose.down_x, pose.down_y) for pose in poses]).reshape(-1, 2)
    tall, exact = (
        np.array([pose.tall for pose in poses]),
        np.array([observation.quad is not None for observation in observations], np.bool_),
    )
    reach = np.where(exact[:, None] & exact, *parameters.SAME_INDEX_REACH) * np.minimum(tall[:, None], tall)
    return np.asarray(
        (lengths(places[:, None] - places) < reach) & (directions @ directions.T > parameters.SAME_INDEX_WAY), np.bool_
    )


def merged_observations(observations: Sequence[IndexObservation]) -> tuple[IndexObservation, ...]:
    """Observations of the same printed index (a detected one and its corner's window) become one."""
    groups: list[list[int]] = []
    same = same_index(observations)
    for number in range(len(observations)):
        group = next((group for group in groups if same[group[0], number]), None)
        if group is None:
            groups.append([number])
        else:
            group.append(number)
    return tuple(_best_observation([observations[number] for number in group]) for group in groups)


def _best_observation(group: Sequence[IndexObservation]) -> IndexObservation:
    """That of the detected index where it reads, as it does not depend on the outline; else the mean of all."""
    for observation in group:
        if observation.quad is not None and observation.readable:
            return observation
    first = max(group, key=lambda observation: observation.evidence.weight)
    return replace(first, evidence=average([observation.evidence for observation in group]))


def with_observations(
    instance: CardInstance,
    observations: tuple[IndexObservation, ...],
    tuning: Tuning,
    deck: Collection[str] | None,
    face: Evidence | None = None,
) -> CardInstance:
    """The same card classified by other observations; without its whole face, unless given."""
    classification = classified(observations, face, tuning, deck)
    return replace(instance, observations=observations, face_evidence=face, classification=classification)


def classified(
    observations: Sequence[IndexObservation], face: Evidence | None, tuning: Tuning, deck: Collection[str] | None
) -> Classification:
    """What the indices of a card and its whole face say together: see `combine`."""
    tall = max((observation.pose.tall for observation in observations), default=np.inf)
    return combine([observation.evidence for observation in observations], face, tuning, deck, tall)
