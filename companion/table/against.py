"""What speaks against a step of the likeliest hypothesis although the table looks as it says."""

from __future__ import annotations

import math
from collections import Counter

from companion.games import Zone
from companion.table.beam import Beam
from companion.table.hypotheses import Hypothesis, Step
from companion.table.patience import arrived, before
from companion.table.sight import Sight
from companion.table.touches import alike
from companion.vision.types import Side

LONG_STILL = 1.0
"""Nobody took cards from a place that has looked as it does since so long (s) before it could be done."""


def untouched(beam: Beam, best: Hypothesis, at: int, sight: Sight) -> bool:
    """Where a step only takes cards away it has looked so since long before that could be done: a look may miss a card,
    and go on missing it."""
    since = could_be_done(beam, best, at) - LONG_STILL
    places = [sight[name] for name in best.steps[at].zones if name in sight]
    return bool(places) and all(-math.inf < min(place.since, place.stirred) < since for place in places)


def could_be_done(beam: Beam, best: Hypothesis, at: int) -> float:
    """Since when a step could be done, s."""
    return max([beam.lain.began, *(step.since for step in best.steps[:at] if step.since is not None)])


def unreached(beam: Beam, best: Hypothesis, at: int, sight: Sight) -> bool:
    """Open cards that a step takes away are found nowhere, and no hand was there: looks may only miss them."""
    if not beam.hands.told or best.did[at] or arrived(beam, best, at, sight):
        return False
    if beam.hands.went_on(best.steps[at].zones, could_be_done(beam, best, at)):  # he who did what is known, maybe
        return False
    lay = {zone.id: zone for zone in beam.game.expected_table(before(beam, best, at))}
    then = {zone.id: zone for zone in beam.game.expected_table(best.steps[at].after)}
    left = (Counter(lay[n].cards) - Counter(then.get(n, Zone(n)).cards) for n in best.steps[at].zones if n in lay)
    return any(left)


def gone_before(beam: Beam, best: Hypothesis, at: int, sight: Sight) -> bool:
    """Open cards that a step takes from a row were not found there any more long before any hand came that may have
    done it, and nothing has moved there since it could be done: looks may only miss them."""
    if not best.did[at]:
        return False
    came = min(hand.began for hand in (*beam.hands.open, *(hand for did in best.did for hand in did)))
    lay = {zone.id: zone for zone in beam.game.expected_table(before(beam, best, at))}
    then = {zone.id: zone for zone in beam.game.expected_table(best.steps[at].after)}
    rows = [(name, sight[name]) for name in best.steps[at].zones if name in lay and name in sight]
    began, came = could_be_done(beam, best, at), came - LONG_STILL
    missed = [n for n, row in rows if not lay[n].pile and min(row.since, row.stirred) <= began and row.since < came]
    taken = (Counter(lay[name].cards) - Counter(then.get(name, Zone(name)).cards) for name in missed)
    seen = (Counter(card.face for card in sight[name].cards if card.face is not None) for name in missed)
    return any(faces - found for faces, found in zip(taken, seen, strict=True))


def laid_by_another(beam: Beam, best: Hypothesis, at: int) -> bool:
    """A card of a step was first seen once the hand of somebody else, of which nothing else is known, had come to that
    place after whoever did the step had gone from there: that one may have laid it, over what nobody saw."""
    step, own = best.steps[at], best.did[at]
    if not own:
        return False
    gone, known = max(hand.ended for hand in own), {hand for did in best.did for hand in did}
    seen = max((card.since for card in step.cards), default=-math.inf)
    return any(
        hand.zone in step.zones and gone < hand.began < seen and not hand.glimpse and hand not in known
        and not alike(hand.direction, own[-1].direction)
        for hand in beam.hands.open
    )  # fmt: skip


def under_others(beam: Beam, best: Hypothesis, at: int, sight: Sight) -> bool:
    """A card that a step takes from a row lay under others, and for all that anybody sees it still does; or the whole
    row is out of sight, where one like it, of several, is seen elsewhere."""
    step = best.steps[at]
    lay = {zone.id: zone for zone in beam.game.expected_table(before(beam, best, at))}
    then = {zone.id: zone for zone in beam.game.expected_table(step.after)}
    for name in (name for name in step.zones if name in sight and name in lay and name in then):
        covered = Counter(card.face for card in sight[name].cards if card.covered and card.face)
        taken = (Counter(lay[name].cards) - Counter(then[name].cards)) & covered
        if lay[name].pile or (step.cards and not all(card.covered for card in sight[name].cards)):
            continue
        if any(not step.cards or list(beam.deck or ()).count(face) > 1 for face in taken):
            return True
    return False


def may_have_lain(beam: Beam, best: Hypothesis, at: int, sight: Sight) -> bool:
    """A card of a step that does not lie where that put it may be an equal one that lay open before and has gone from
    there; of several nobody saw that they lay together."""
    lay = beam.game.expected_table(before(beam, best, at))
    gone: Counter[str] = Counter()
    for zone in lay:
        if zone.id in sight and not zone.pile:
            gone += Counter(zone.cards) - Counter(c.face for c in sight[zone.id].cards if c.face is not None)
    return any(card.face in gone for card in best.steps[at].cards)


def also_another(best: Hypothesis, at: int) -> bool:
    """A card of a step that does not lie where that put it is also one of a later step, of another player: one card
    that is seen tells of two players."""
    own, who = {card.track for card in best.steps[at].cards}, best.steps[at].action.seat
    later = (step for step in best.steps[at + 1 :] if step.action.seat not in (who, None))
    return any(card.track in own for step in later for card in step.cards)


def backs_came(beam: Beam, step: Step, sight: Sight) -> bool:
    """Backs that came alone tell a step."""
    lie = (card for name in step.zones if name in sight for card in sight[name].cards)
    came = any(card.side is Side.DOWN and card.since > beam.lain.began for card in lie)
    return came and not any(card.side is Side.UP for card in step.cards)


def risen_alone(beam: Beam, best: Hypothesis, at: int, sight: Sight) -> bool:
    """A card of a step had been taken from below others, and lies there again though no hand reached for its place: the
    camera takes what it sees of the pile for it."""
    risen = {card.track for card in best.steps[at].cards}.intersection(beam.lain.risen)
    there = {name for name, zone in sight.items() if any(card.track in risen for card in zone.cards)}
    return bool(there) and not any(hand.zone in there for hand in best.did[at])
