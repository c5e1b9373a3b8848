"""Which detected indices count, which are one printed index, and where one says enough."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters as assembly_parameters
from companion.vision.assembly.instances import IndexObservation
from companion.vision.geometry import Array, are_valid, axes, contains, lengths
from companion.vision.pipeline import parameters
from companion.vision.reading import parameters as reading_parameters
from companion.vision.reading.detections import Detection
from companion.vision.reading.suppression import same_printed_index


def face_certain(observations: Sequence[IndexObservation]) -> bool:
    """True where two indices of a card say the same so clearly that its whole face need not be looked at."""
    names = {observation.face_id for observation in observations if observation.readable}
    return (
        len(names) == 1
        and sum(
            observation.readable and observation.probability > parameters.NO_FACE_NEEDED for observation in observations
        )
        > 1
    )


def required_weight(observation: IndexObservation, index: Detection, fits: bool) -> float:
    """How much the reader must see of a detected index; `fits`: it is as large as its card may have it."""
    if fits and index.score >= parameters.SURE_INDEX_SCORE:
        return parameters.LEAST_WEIGHT
    if index.score >= reading_parameters.FAINT_INDEX_SCORE:
        return assembly_parameters.CERTAIN if observation.certain else np.inf
    return parameters.PLAIN if observation.readable and observation.probability > parameters.PLAIN else np.inf


def without_repeats(detections: Iterable[IndexObservation]) -> list[IndexObservation]:
    """Those at detected indices, what is read surely first, then the clearest detection, each printed index once.

    Two in one place are one, unless two faces are surely read there. An index that was read alike and lies within
    another's outline is that one as well, seen together with a pip beside it.
    """
    observations = sorted(
        (observation for observation in detections if observation.quad is not None),
        key=lambda observation: _certainty(observation) < parameters.SURE_OBSERVATION,
    )
    if not observations:
        return []
    quads = np.stack([observation.quad for observation in observations if observation.quad is not None])
    names, sure = (
        np.array([observation.face_id for observation in observations]),
        np.array([_certainty(observation) >= assembly_parameters.CERTAIN for observation in observations]),
    )
    same_face, here = names[:, None] == names, same_printed_index(quads[None], quads[:, None])
    repeats = here & (same_face | ~(sure[:, None] & sure))
    middles, (_, directions) = quads.mean(axis=1), axes(quads)
    away, tall = lengths(middles[:, None] - middles), lengths(directions)
    for a, b in np.argwhere(
        np.triu(same_face & (away < np.maximum(tall[:, None], tall)) & (directions @ directions.T > 0), 1)
    ).tolist():
        repeats[a, b] |= contains(quads[a], middles[b]) or contains(quads[b], middles[a])
    kept: list[int] = []
    for number in range(len(observations)):
        if not repeats[kept, number].any():
            kept.append(number)
    return [observations[number] for number in kept]


def plausible_refinement(exact: Array, rough: Array) -> NDArray[np.bool_]:
    """Which indices (n, 4, 2) lie about where the detector saw them, about as large, and read about the same way."""
    (_, down), (_, rough_down) = axes(exact), axes(rough)
    tall, high = lengths(down), lengths(rough_down)
    away = lengths(exact.mean(axis=1) - rough.mean(axis=1))
    size = (tall > parameters.REFINED_HEIGHT[0] * high) & (tall < parameters.REFINED_HEIGHT[1] * high)
    return np.asarray(
        are_valid(exact)
        & (away < parameters.REFINED_REACH * high)
        & size
        & ((down * rough_down).sum(axis=1) > parameters.REFINED_WAY * tall * high),
        np.bool_,
    )


def _certainty(observation: IndexObservation) -> float:
    """How surely something is seen, 0..1."""
    return observation.evidence.weight * observation.probability
