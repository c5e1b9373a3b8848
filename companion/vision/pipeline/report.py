"""Which card instances are reported, and as what: a name, a question or a back."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from companion.vision.assembly.instances import CardInstance
from companion.vision.geometry import Array
from companion.vision.pipeline import parameters
from companion.vision.reading import parameters as reading_parameters
from companion.vision.reading.classifier import coloured_joker
from companion.vision.reading.detections import Detection, DetectionClass
from companion.vision.reading.evidence import Tuning
from companion.vision.reading.faces import FACES, JOKERS
from companion.vision.types import Candidate, CardRead, Quad, Side, Sight


def card_read(instance: CardInstance, scale: float, tuning: Tuning, deck: Collection[str] | None = None) -> CardRead:
    """The plain result for one instance. A card detected as face down is turned up by a confident reading alone; where
    an index was found on it that is not surely read, it is asked about."""
    hypothesis, classification = instance.hypothesis, instance.classification
    polygon = as_polygon(hypothesis.outline * scale)
    sure = tuning.accepts(classification)
    indexed = any(observation.quad is not None and observation.readable for observation in instance.observations)
    if hypothesis.side is Side.DOWN and not sure and not indexed:
        return CardRead(None, round(hypothesis.score, 4), Side.DOWN, polygon, own=round(instance.own, 4))
    likely, agreed = classification.candidates, _agreed(instance)
    if not sure and deck is not None and not set(JOKERS).isdisjoint(deck):
        joker = _joker_without_index(instance)
        others = [one for one in likely if one.face != JOKERS[0]]
        said = agreed * sum(one.p for one in likely if one.face == JOKERS[0])
        if joker > max((0.5, said, *(one.p for one in others))):
            # Further pictures say the same: in doubt is not what is seen, but whose print it is.
            others = [Candidate(one.face, one.p * (1.0 - parameters.SEEN_AS_JOKER)) for one in others]
            likely, agreed = (Candidate(JOKERS[0], parameters.SEEN_AS_JOKER), *others), joker
    candidates, apart = _with_jokers(likely, instance, deck)
    face = candidates[0].face if sure and apart else None
    middles = [(quad.mean(axis=0) * scale).tolist() for quad in instance.readable_indices]
    return CardRead(
        face, round(classification.confidence, 4), Side.UP, polygon, candidates, round(instance.own, 4),
        round(agreed, 4), indices=tuple((round(x, 1), round(y, 1)) for x, y in middles),
    )  # fmt: skip


def as_polygon(outline: Array) -> Quad:
    """An outline (4, 2) px as it is reported."""
    (a, b, c, d) = ((round(x, 1), round(y, 1)) for x, y in outline.tolist())
    return (a, b, c, d)


def as_sights(seen: Iterable[tuple[Detection, int, float]], scale: float) -> tuple[Sight, ...]:
    """All outlines of cards that were seen (see `detector.sights`), `scale` px of the picture each of theirs."""
    return tuple(
        Sight(
            as_polygon(one.keypoints * scale),
            Side.DOWN if one.label is DetectionClass.DOWN else Side.UP,
            round(one.score, 4),
            views,
            round(heard, 4),
        )
        for one, views, heard in seen
    )


def _agreed(instance: CardInstance) -> float:
    """The chance that the likeliest face is not one that every picture of this print is misread as.

    The corners of a card and its face show the same name, so a right one is what all of them say. What one of them
    says against any other name counts up to a bound: however sure, one alone may be misread. What no corner says by
    itself, but only two of them that leave different names open, or a corner and the face, is none of their names, it
    may be: an index may look like two others.
    """
    if instance.likeliest_face is None:
        return 1.0
    seen = [observation.evidence for observation in instance.observations if observation.readable]
    corners = len(seen)
    seen += [instance.face_evidence] if instance.face_evidence is not None else []
    face, most = FACES.index(instance.likeliest_face), parameters.MOST_SAID
    chances = np.log(np.reshape([one.faces for one in seen], (-1, len(FACES))) + reading_parameters.EVIDENCE_FLOOR)
    weights = np.array([one.weight for one in seen])[:, None]
    ahead = weights * np.clip(chances[:, face, None] - chances, -most, most)
    ahead[:, face] = np.inf
    nearest = float(ahead.sum(axis=0).min())
    if corners:
        nearest = min(nearest, parameters.LEAST_AHEAD + float(ahead[:corners].min(axis=1).max()))
    return float(1.0 / (1.0 + np.exp(parameters.LEAST_AHEAD - nearest)))


def _joker_without_index(instance: CardInstance) -> float:
    """The chance that a card without a name is a joker: each maker prints his own, and on many no index is found. Never
    so much that it would get the name."""
    corners, face = [observation.evidence for observation in instance.observations], instance.face_evidence
    if face is None or len(corners) < parameters.CORNERS_LOOKED_AT:
        return 0.0
    bare = float(np.prod([1.0 - one.weight * (1.0 - one.faces[-1]) for one in corners]))
    joker, none_such = float(face.faces[-1]), 1.0 - float(face.faces[:-1].max())
    features = (1.0, instance.hypothesis.score, instance.own, face.weight,
                *(math.log(chance + 0.01) for chance in (bare, joker, none_such)))  # fmt: skip
    odds = float(np.dot(parameters.JOKER_WITHOUT_INDEX, features))
    return min(1.0 / (1.0 + math.exp(-odds)), parameters.NEVER_A_NAME)


def _with_jokers(
    found: Sequence[Candidate], instance: CardInstance, deck: Collection[str] | None
) -> tuple[tuple[Candidate, ...], bool]:
    """The candidates, "a joker" as the two that it may be: the only one of its deck, else by the colour of its index;
    and whether the likeliest joker can be told from the other one."""
    if not any(candidate.face == JOKERS[0] for candidate in found):
        return tuple(Candidate(candidate.face, round(candidate.p, 4)) for candidate in found), True
    only = [name for name in JOKERS if deck is not None and name in deck]
    chance = (
        float(only[0] == JOKERS[0])
        if len(only) == 1
        else coloured_joker(
            [observation.crop for observation in instance.observations if observation.readable]
            or [observation.crop for observation in instance.observations]
        )
    )
    pairs = sorted(zip(JOKERS, (chance, 1.0 - chance), strict=True), key=lambda pair: -pair[1])
    candidates: list[Candidate] = []
    for one in found:
        shares = [(one.face, 1.0)] if one.face != JOKERS[0] else pairs
        candidates += [Candidate(face, round(one.p * share, 4)) for face, share in shares if share > 0.0]
    first = found[0].face != JOKERS[0]
    return tuple(sorted(candidates, key=lambda one: -one.p)), first or max(
        chance, 1.0 - chance
    ) >= reading_parameters.JOKER_SURE
