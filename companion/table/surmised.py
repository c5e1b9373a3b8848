"""What cards without a name are taken for, and whether that is sure enough to be told."""

from __future__ import annotations

import math

from companion.cards import Kind
from companion.table.beam import Beam
from companion.table.fill import doubt_of
from companion.table.hypotheses import Hypothesis
from companion.table.layout import ZoneShape
from companion.table.patience import exact, only_face
from companion.table.sight import Sight
from companion.vision.types import SeenCard

SURE = 2.5
"""A name against which no more than this speaks (as a cost) is none that is guessed."""
LIKELY, UNLIKELY = 0.6, 0.02
"""A card without a name that is one face so likely, and any other one so hardly: of 15 of films 13 were that face, none
another one, two no card."""
NEARLY = 0.8
"""As likely, it is that face where only that may lie (a shadow at 0.72), or a joker: of 176 cards without a name on 79
films all 35 that looked so like one were that joker; the likest other thing had 0.70."""


def is_guess(beam: Beam, best: Hypothesis, at: int, sight: Sight) -> bool:
    """A card of a step has no name yet, and what it is taken for is not sure enough."""
    step = best.steps[at]
    least = LIKELY if exact(beam, best, at) else NEARLY if only_face(beam, best, at) else math.inf
    lying = {card.track: card for zone in sight.values() for card in zone.cards}  # a step knows them as they came
    changed = {name: sight[name] for later in best.steps[at:] for name in later.zones if name in sight}
    return any(
        card.track not in beam.named
        and doubt_of(card, face) > math.exp(-SURE)
        and (
            not _alone(card, face, min(least, NEARLY) if _is_joker(beam, face) else least)
            or may_be_none(card, face, sight)
        )
        and not read_since(card, face, best, changed)
        for card, face in ((lying.get(card.track, card), face) for card, face in step.guesses)
    )


def _is_joker(beam: Beam, face: str) -> bool:
    return beam.deck is not None and face in beam.deck and beam.deck.face(face).kind is Kind.JOKER


def surmised(beam: Beam, best: Hypothesis, told: int, sight: Sight) -> set[int]:
    """Numbers of the cards without a name that the steps of a hypothesis after the first `told` take for a face,
    surely enough: nobody has to be asked about them."""
    return {
        card.track
        for at, step in enumerate(best.steps)
        if at >= told and not is_guess(beam, best, at, sight)
        for card, _ in step.guesses
    }


def _alone(card: SeenCard, face: str, least: float) -> bool:
    """It looks like this face, at least so much, and like no other."""
    chances = {candidate.face: candidate.p for candidate in card.candidates}
    return chances.pop(face, 0.0) >= least and max(chances.values(), default=0.0) < UNLIKELY


def may_be_none(card: SeenCard, face: str, sight: Sight) -> bool:
    """It may be none: another of that face lies in its place, which may be that one seen a second time; or its middle
    lies within one that nothing covers, on which it does not lie either."""
    near = (zone.cards for zone in sight.values() if any(one.track == card.track for one in zone.cards))
    others = [one for cards in near for one in cards if one.track != card.track and one.face is not None]
    return any(
        one.face == face or (not (one.covered or card.covered) and ZoneShape("", one.polygon).holds(card.centre))
        for one in others
    )


def read_since(card: SeenCard, face: str, best: Hypothesis, changed: Sight) -> bool:
    """It has been read since, where it lay or where it was moved to, in one of the zones `changed`; another card of
    that face is not it."""
    for name, zone in changed.items():
        if any(seen.track == card.track and seen.face is not None for seen in zone.cards):
            return True
        wanted = best.zones[name].cards.count(face) if name in best.zones else 0
        if 0 < wanted <= sum(seen.face == face for seen in zone.cards):
            return True
    return False
