"""What may be a card of its own: all that was seen, the surest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.vision.assembly.hypotheses import CardHypothesis
from companion.vision.assembly.instances import CardInstance, IndexObservation
from companion.vision.reading.evidence import Tuning, combine
from companion.vision.types import Side


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """What may be a card. `loose`: nothing but an index that was put on none."""

    card: CardInstance
    loose: bool = False


def candidates(
    found: Sequence[CardInstance], every: Sequence[CardInstance], spare: Sequence[IndexObservation], tuning: Tuning
) -> list[Candidate]:
    """All candidates of a picture, the surest first.

    `found`: the cards; `every`: those before duplicates were suppressed; `spare`: what seems an index and belongs to
    none of these. A face on which no index is seen must be as large as the cards are.
    """
    sized = [one for one in found if one.hypothesis.side is Side.DOWN or one.readable_indices or _card_sized(one)]
    out = [Candidate(one) for one in sorted(sized, key=lambda one: _rank(one, tuning), reverse=True)]
    shown = {observation for one in found for observation in one.observations}
    lost = [x for one in every for x in one.observations if x.quad is not None and x.certain and x not in shown]
    for observation in dict.fromkeys([*spare, *lost]) if every else ():
        hypothesis = CardHypothesis.of_index(observation.index_quad, every[0].hypothesis.plane)
        doubtful = combine([observation.evidence], None, tuning).abstained(tuning)
        out.append(Candidate(CardInstance(hypothesis, (observation,), None, doubtful), loose=True))
    return out


def _card_sized(one: CardInstance) -> bool:
    return one.hypothesis.plane.is_card_sized(one.hypothesis.outline)


def _rank(one: CardInstance, tuning: Tuning) -> tuple[bool, bool, float, float]:
    sure = one.classification.confidence if tuning.accepts(one.classification) else 0.0
    score = one.hypothesis.score
    return one.is_confirmed, one.hypothesis.body_visible, sure * score, score
