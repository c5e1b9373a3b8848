"""What may have been done out of sight before a step, and cannot be done after it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import product

from companion.games import Action, Prompt, Zone
from companion.games.implied import is_foul, open_prompts
from companion.table.beam import Beam
from companion.table.fill import Filled
from companion.table.hypotheses import Hypothesis, Step
from companion.table.patience import before
from companion.table.sight import Sight

MOST_UNTOLD = 6
"""So many answers are offered to what nobody could see."""


def untold(beam: Beam, best: Hypothesis, at: int, sight: Sight) -> tuple[Step, ...]:
    """What another player may have done before a step with a stack that is not in sight, or that a dealer's hands are
    at, or with a card that lay partly out of the picture, so that nothing would tell it, and cannot do after it."""
    step = best.steps[at]
    state = before(beam, best, at)
    still = {(prompt.kind, prompt.seat) for prompt in open_prompts(beam.game, step.after)}
    lay = {zone.id: zone for zone in beam.game.expected_table(state)}
    for prompt in beam.game.prompts(state):
        who = (prompt.kind, prompt.seat)
        other = prompt.seat is not None and prompt.seat != step.action.seat
        if not other or who in still or who in beam.denied:
            continue
        found = []
        for action in _ways(prompt, lay, beam.cut):
            then = beam.game.expected_table(beam.game.apply(state, action))
            moved = [zone for zone in then if zone != lay.get(zone.id)]
            stacks = all(_blind(zone, beam, sight) for zone in moved)
            if moved and stacks and not is_foul(beam.game.check(state, action)):
                found.append(replace(step, filled=Filled(action)))
        if found:
            return tuple(found[:MOST_UNTOLD])
    return ()


def _ways(prompt: Prompt, lay: Mapping[str, Zone], cut: Collection[str]) -> Iterator[Action]:
    """The actions that a prompt without cards offers; of one that takes a card from a place that is `cut`, with each
    card that lies open there."""
    slot = prompt.slot
    if slot is None:
        names = [choice.name for choice in prompt.choices]
        for values in product(*(choice.values for choice in prompt.choices)) if names else ():
            yield Action.of(prompt.kind, prompt.seat, (), **dict(zip(names, values, strict=True)))
    elif slot.source is not None and slot.source in cut and slot.most == 1 and not prompt.choices:
        yield from (Action.of(prompt.kind, prompt.seat, (face,)) for face in lay.get(slot.source, Zone("")).cards)


def _blind(zone: Zone, beam: Beam, sight: Sight) -> bool:
    """A stack in a place that the camera sees, though not the stack, and where no hands are noted; or where hands that
    are never still were since what is certain; or any place partly out of the picture."""
    place = beam.places.get(zone.id)
    if zone.id in beam.cut:
        return True
    if not zone.pile or place is None:
        return False
    return (zone.id not in sight and zone.id not in beam.hands.stacks) or place.busy > beam.lain.began
