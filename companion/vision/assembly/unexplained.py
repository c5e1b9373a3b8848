"""What was clearly seen and no reported card explains stays on the table without a name, so that somebody asks.

A card that goes unseen in silence is worse than a question: nobody looks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

import numpy as np

from companion.vision.assembly import parameters
from companion.vision.assembly.hypotheses import CardHypothesis
from companion.vision.assembly.instances import CardInstance, IndexObservation
from companion.vision.assembly.prints import mean_size, nearest_print
from companion.vision.assembly.row_pattern import RowPattern
from companion.vision.assembly.rows import row_gaps
from companion.vision.geometry import Array, axes, contains, iou, lengths, locate_on_card, overlapping_boxes
from companion.vision.reading.evidence import Classification, Tuning, combine
from companion.vision.reading.faces import FACES
from companion.vision.types import Side


def unexplained(
    reported: Sequence[CardInstance],
    instances: Sequence[CardInstance],
    spare: Sequence[IndexObservation],
    tuning: Tuning,
) -> list[CardInstance]:
    """Cards without a name: clear outlines and indices among what was seen that no reported card accounts for.

    `instances`: the instances before duplicates were suppressed; `spare`: observations of what seems an
    index and belongs to none of them.
    """
    lying, own = [one.hypothesis.outline for one in reported], {id(one.hypothesis) for one in reported}
    out = [
        CardInstance(one.hypothesis, (), None, one.classification.abstained(tuning))
        for one in instances
        if id(one.hypothesis) not in own and _is_unclaimed(one.hypothesis, lying)
    ]
    out += [_unnamed_at(one, observation, tuning) for one, observation in _side_by_side_duplicates(reported)]
    shown = {observation for one in reported for observation in one.observations}
    taken = [observation.index_quad.mean(axis=0) for observation in shown]
    lost = [
        observation
        for one in instances
        for observation in one.observations
        if observation.quad is not None and observation.certain and observation not in shown
    ]
    for observation in [*spare, *lost]:
        if (
            instances
            and not _is_taken(observation, taken)
            and not any(_explains(one, observation, tuning) for one in [*reported, *out])
        ):
            out.append(_unnamed_at(instances[0], observation, tuning))
            taken.append(observation.index_quad.mean(axis=0))
    return out + _missing_of_rows(reported, instances)


def _is_unclaimed(hypothesis: CardHypothesis, lying: Sequence[Array]) -> bool:
    """True for a clear outline of a face, as large as a card is here, that overlaps no reported one much."""
    outline = hypothesis.outline
    clear = hypothesis.body_visible and hypothesis.side is Side.UP and hypothesis.score >= parameters.UNCLAIMED_SCORE
    apart = clear and all(iou(outline, lying[n]) < parameters.UNCLAIMED_IOU for n in overlapping_boxes(outline, lying))
    return apart and hypothesis.plane.is_card_sized(outline)


def _missing_of_rows(reported: Sequence[CardInstance], instances: Sequence[CardInstance]) -> list[CardInstance]:
    """Cards of evenly laid rows where no index was seen, nor a back, and the next one lies two steps farther."""
    observations = [
        observation
        for one in reported
        for observation in one.observations
        if observation.readable and observation.quad is not None
    ]
    if len(observations) < parameters.ROW_INDICES:
        return []
    plane, backs = (
        instances[0].hypothesis.plane,
        [one.hypothesis.outline for one in instances if one.hypothesis.side is Side.DOWN],
    )
    out = []
    for one, other in row_gaps(plane.poses([observation.index_quad for observation in observations])):
        place = (observations[one].index_quad + observations[other].index_quad) / 2
        if not any(contains(back, place.mean(axis=0)) for back in backs):
            out.append(CardInstance(CardHypothesis.of_index(place, plane), (), None, Classification((), 0.0)))
    return out


def _side_by_side_duplicates(reported: Sequence[CardInstance]) -> list[tuple[CardInstance, IndexObservation]]:
    """Cards that may be two equal ones of a row, and the index that may be the second's.

    Two indices beside each other are one card's if its print has four corners. That is proven by a card that shows
    three of them, or two beside each other in an outline that was seen. Those of one card also read the same way. Three
    or four are two cards' as well, where the outline was not clearly seen, or those beside each other are in step with
    other cards of a row.
    """
    doubtful, level, proofs = [], [], []
    rows = cache(partial(RowPattern.of, reported))
    for one in reported:
        observations = [observation for observation in one.observations if observation.readable]
        directions = [axes(observation.index_quad)[1] for observation in observations]
        beside, many = len(observations) == 2 and float(directions[0] @ directions[1]) > 0, len(observations) > 2
        outlined = one.hypothesis.score >= parameters.UNCLAIMED_SCORE
        askew = (
            beside
            and one.hypothesis.plane.poses([observation.index_quad for observation in observations]).offsets[1][0, 1]
            < parameters.ONE_CARD_SAME_WAY
        )
        if askew or (many and not (outlined and not rows().repeated_by(one))):
            doubtful.append((one, observations[1]))
        elif many or (beside and outlined):
            proofs.append(one)
        elif beside:
            level.append((one, observations[1]))
    proven = {_print_of(one) for one in proofs} if level else set()
    return doubtful + [(one, observation) for one, observation in level if _print_of(one) not in proven]


def _print_of(one: CardInstance) -> int:
    """The number of its print among those of the table."""
    plane = one.hypothesis.plane
    return int(nearest_print(plane.prints, mean_size(plane.poses(one.readable_indices).sizes)))


def _unnamed_at(one: CardInstance, observation: IndexObservation, tuning: Tuning) -> CardInstance:
    """A card without a name where an index lies, on the table of another."""
    hypothesis = CardHypothesis.of_index(observation.index_quad, one.hypothesis.plane)
    doubtful = combine([observation.evidence], None, tuning).abstained(tuning)
    return CardInstance(hypothesis, (observation,), None, doubtful)


def _is_taken(observation: IndexObservation, taken: Sequence[Array]) -> bool:
    """True for an index that some card has: `taken` are the middles (2,) of those."""
    reach = parameters.OWN_INDEX * float(np.linalg.norm(axes(observation.index_quad)[1]))
    return bool((lengths(np.reshape(taken, (-1, 2)) - observation.index_quad.mean(axis=0)) < reach).any())


def _explains(one: CardInstance, observation: IndexObservation, tuning: Tuning) -> bool:
    """True where an index may be one of this card: it says the same, or lies at a corner where none was read.

    Not so where it was read beyond doubt, and the card is a back, or surely another one.
    """
    outline = one.hypothesis.outline
    sure = one.has_certain_index or tuning.accepts(one.classification)
    if observation.certain and (
        one.hypothesis.side is Side.DOWN or (sure and one.likeliest_face != FACES[observation.face_id])
    ):
        return False
    if one.likeliest_face == FACES[observation.face_id] and contains(
        outline + parameters.INEXACT_OUTLINE * (outline - outline.mean(axis=0)), observation.index_quad.mean(axis=0)
    ):
        return True
    position, plane = locate_on_card(outline, observation.index_quad), one.hypothesis.plane
    if position is None or position.error > parameters.EXPLAINED_CORNER_MM:
        return False
    kind = int(nearest_print(plane.prints, plane.poses([observation.index_quad]).sizes)[0])
    if position.corner % 2 and not plane.prints[kind].four_cornered:
        return False
    own = [locate_on_card(outline, other.index_quad) for other in one.observations if other.readable]
    return all(other is None or other.corner != position.corner for other in own)
