"""What is surely one card found twice is suppressed, by place and direction in millimetres on the table.

What may be one card or two is for the `judge`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache, partial

import numpy as np

from companion.vision import parameters as common
from companion.vision.assembly import parameters
from companion.vision.assembly.hypotheses import CardHypothesis
from companion.vision.assembly.identity import is_another_corner_of, opposite_corners
from companion.vision.assembly.instances import CardInstance, IndexObservation, same_index, with_observations
from companion.vision.assembly.row_pattern import RowPattern
from companion.vision.geometry import contains, iou, overlapping_boxes, window_index
from companion.vision.reading.evidence import Tuning
from companion.vision.reading.faces import FACES
from companion.vision.types import Side


def suppress_duplicates(
    instances: Sequence[CardInstance], tuning: Tuning, deck: Collection[str] | None = None
) -> list[CardInstance]:
    """An index is printed once: where two outlines claim the same one, the surer card keeps it.

    Outlines that nearly coincide are one card in any case.

    The other is judged again without it, and is gone when nothing else was read of it and it overlaps the first: it
    was a second, worse outline of the same card. What was clearly read at an index of its own, elsewhere than a corner
    of the card that rules it out, does not go unseen: it stays without a name.
    """
    kept: list[CardInstance] = []
    doubtful: list[CardInstance] = []
    rows = cache(partial(RowPattern.of, instances))
    observations = list(dict.fromkeys(observation for one in instances for observation in one.observations))
    numbers = {observation: number for number, observation in enumerate(observations)}
    same, taken = same_index(observations), np.zeros(len(observations), np.bool_)

    def keep(one: CardInstance) -> None:
        kept.append(one)
        taken[[numbers[observation] for observation in one.observations if observation.readable]] = True

    for one in sorted(instances, key=lambda s: _priority(s, tuning), reverse=True):
        if any(is_another_corner_of(one, other, rows) for other in kept):
            continue
        if _is_duplicate(one, kept):
            own = any(observation.quad is not None and observation.certain for observation in one.observations)
            if own and not any(_covers(other.hypothesis, one.hypothesis) for other in kept):
                doubtful.append(replace(one, classification=one.classification.abstained(tuning)))
            continue
        free = tuple(observation for observation in one.observations if not (same[numbers[observation]] & taken).any())
        if len(free) == len(one.observations) or not any(observation.readable for observation in one.observations):
            keep(one)
            continue
        rest = with_observations(one, free, tuning, deck)
        if (one.hypothesis.body_visible or free) and not _is_duplicate(rest, kept):
            keep(rest)
    return [*kept, *doubtful]


def merge_opposite_corners(
    instances: Sequence[CardInstance], tuning: Tuning, deck: Collection[str] | None = None
) -> list[CardInstance]:
    """Two indices that face each other as those of one card are of one, though read differently: one was misread.

    The card is judged by both, and by its whole face where that is seen.
    """
    out = sorted(instances, key=lambda one: _priority(one, tuning), reverse=True)
    facing = opposite_corners([one for one in out if tuning.accepts(one.classification)])
    for one, others in facing.items():
        for other, away in others:
            if (
                away < parameters.CORNERS_MM
                and other.likeliest_face != one.likeliest_face
                and one in out
                and other in out
            ):
                number = out.index(one)
                out[number] = with_observations(
                    one, (*one.observations, *other.observations), tuning, deck, one.face_evidence
                )
                out.remove(other)
    return out


def split_by_face(
    instances: Sequence[CardInstance], tuning: Tuning, deck: Collection[str] | None = None
) -> list[CardInstance]:
    """A card has one face: an outline over indices that clearly read differently lies across several cards.

    It keeps the indices that agree with most, and is laid anew around them; each other one becomes a card of its own,
    placed by its index. Beside a certain observation, an uncertain one that says otherwise was not of this card's
    index.
    """
    out: list[CardInstance] = []
    for one in instances:
        clear = [observation for observation in one.observations if observation.certain]
        weight: dict[int, float] = {}
        for observation in clear:
            weight[observation.face_id] = weight.get(observation.face_id, 0.0) + observation.probability
        if not clear or (len(weight) == 1 and tuning.accepts(one.classification)):
            out.append(one)
            continue
        main = max(sorted(weight), key=lambda name: weight[name])
        own = tuple(
            observation for observation in one.observations if not observation.readable or observation.face_id == main
        )
        others = [observation for observation in clear if observation.face_id != main]
        hypothesis = (
            _hypothesis_around([observation for observation in clear if observation.face_id == main], one.hypothesis)
            if others
            else one.hypothesis
        )
        out.append(
            with_observations(
                replace(one, hypothesis=hypothesis), own, tuning, deck, None if others else one.face_evidence
            )
        )
        for observation in others:
            apart = replace(one, hypothesis=_hypothesis_around([observation], one.hypothesis))
            out.append(with_observations(apart, (observation,), tuning, deck))
    return out


def _hypothesis_around(observations: Sequence[IndexObservation], old: CardHypothesis) -> CardHypothesis:
    """A card placed by one or two of its indices, where the outline they were found with is wrong."""
    indices = [
        window_index(observation.window) if observation.quad is None else observation.quad
        for observation in observations
    ]
    outline, error = old.plane.card_outline(indices, old.outline)
    if len(indices) > 1 and error < parameters.CORNERS_MM:
        return replace(old, outline=outline, side=Side.UP, indices=[], detected_outline=None)
    outline, _ = old.plane.card_outline(indices[:1])
    return replace(old, outline=outline, side=Side.UP, indices=[], body_visible=False, detected_outline=None)


def _covers(one: CardHypothesis, other: CardHypothesis) -> bool:
    """True where one card lies over all of the other's outline."""
    return one.body_visible and iou(one.outline, other.outline) > common.HIDDEN_IOU


def _priority(instance: CardInstance, tuning: Tuning) -> tuple[bool, float, float]:
    """Who keeps a disputed place: whole outlines first, then what is read surely, then what is found clearly."""
    sure = instance.classification.confidence if tuning.accepts(instance.classification) else 0.0
    return instance.hypothesis.body_visible, sure * instance.hypothesis.score, instance.hypothesis.score


def _is_duplicate(one: CardInstance, kept: Sequence[CardInstance]) -> bool:
    """True where it is a duplicate of one that was kept; of a visible body only those can be that overlap it."""
    whole = one.hypothesis.body_visible
    near = (
        overlapping_boxes(one.hypothesis.outline, [other.hypothesis.outline for other in kept])
        if whole
        else range(len(kept))
    )
    return any(_is_duplicate_of(one, kept[number]) for number in near)


def _is_duplicate_of(one: CardInstance, other: CardInstance) -> bool:
    """True for something that cannot be a card of its own beside a surer one.

    An outline that nearly coincides with it; or is unread, weaker and overlaps it much; or overlaps it by half while
    all that was read of it lies within that card, whose two opposite indices are both seen: a card on top would hide
    one of them. A card known by its index alone is judged by that last rule only, wherever its body may lie, unless it
    clearly says something else.
    """
    read = [observation for observation in one.observations if observation.readable]
    shared = iou(one.hypothesis.outline, other.hypothesis.outline)
    if one.hypothesis.body_visible and other.hypothesis.body_visible:
        if shared > common.HIDDEN_IOU:
            return not any(
                observation.quad is not None
                and observation.certain
                and FACES[observation.face_id] != other.likeliest_face
                for observation in read
            )
        if not read:
            return (
                shared > parameters.UNREAD_DUPLICATE_IOU
                and one.hypothesis.score < parameters.WEAKER_SCORE * other.hypothesis.score
            )
    near = shared > parameters.DUPLICATE_IOU or (
        not one.hypothesis.body_visible and (one.likeliest_face == other.likeliest_face or not one.has_certain_index)
    )
    if not near or not read or not other.hypothesis.body_visible or not _shows_opposite(other):
        return False
    outline, rim = other.hypothesis.outline, parameters.RIM if one.has_certain_index else 0.0
    inner = outline + rim * (outline.mean(axis=0) - outline)
    return all(contains(inner, observation.window.mean(axis=0)) for observation in read)


def _shows_opposite(instance: CardInstance) -> bool:
    """True for a card of which two opposite indices are seen that name it."""
    observations = [
        observation
        for observation in instance.observations
        if observation.readable and FACES[observation.face_id] == instance.likeliest_face
    ]
    offsets, _ = instance.hypothesis.plane.poses([observation.index_quad for observation in observations]).offsets
    return bool((np.abs(offsets) > parameters.OPPOSITE_MM).all(axis=2).any())
