"""When a step of a hypothesis counts as over: how long its cards have to lie so, and what tells that no more follow."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games import UNKNOWN, Slot
from companion.games.implied import is_foul, judged, open_prompts
from companion.table.beam import Beam
from companion.table.compare import moved
from companion.table.hypotheses import LIFTED, Hypothesis, Step
from companion.table.sight import Sight, ZoneSeen
from companion.table.touches import Touch, alike
from companion.table.visits import SOON
from companion.vision.types import Candidate, Side

ODD = 2.5
"""As much as this unexplained elsewhere, and an action waits to see what becomes of it."""
ASK_COUNT = 3.5
"""How many cards somebody took or laid on a stack is asked about after so long, s: he may take more."""
ODD_PATIENCE = 2.5
"""As long, s, is waited where something unexplained lies elsewhere."""
SURE, UNLIKELY, UNSURE_PATIENCE = 0.9, 0.02, 2.0
"""A name less probable than the first may change, at the next readings, to one that is more probable than the second:
they are waited for so long, s."""
PUT_AWAY = 2.0
"""So long, s, is waited for who deals to put away what the deal clears. Chosen by hand."""
REACHED = 1.5
"""So long after a hand has left a stack nothing more is taken from it, s."""
NEXT = 0.5
"""Whoever comes so long after the cards lie there is the next one, s."""
GONE = 1.2
"""Whoever has left the table for so long, s, comes for no more cards. Chosen by hand: on one of 180 films somebody
turned his second card .9 s after he had gone; of the others that were played with both the same is told with .8."""
AGAIN = 0.4
"""So soon, s, it is looked again whether he has left."""
BARE = 0.4
"""What was seen empty for so long, s, is empty, whatever moves there then."""


def waits(beam: Beam, best: Hypothesis, at: int, sight: Sight, now: float, odd: Mapping[str, float]) -> float | None:
    """When the step counts as over; None: not before something moves again."""
    step = best.steps[at]
    zones = [sight[zone] for zone in step.zones if zone in sight]
    unsure = _unsure(beam, best, at, sight)
    cleared = {zone.id for zone in beam.game.expected_table(step.after) if not (zone.cards or zone.down)}
    moves = (name for name in step.zones if name in sight and not sight[name].resting)
    if not all(_was_bare(sight[name]) and (not step.cards or name in cleared) for name in moves):
        return now if not unsure and _next_one(beam, best, at, sight) else None
    later = any(other.seen or did for other, did in zip(best.steps[at + 1 :], best.did[at + 1 :], strict=True))
    if not step.seen:
        if own := best.did[at]:
            more = (hand for hand in beam.hands.open if any(hand.zone == was.zone and hand.follows(was) for was in own))
            return now if later else max(beam.hands.back_until(own), *(h.ended for h in (*own, *more))) + REACHED
        # Hands alone do not tell that somebody passed: a card that comes later does.
        return now if any(other.seen for other in best.steps[at + 1 :]) else None
    if _is_part(beam, best, at):
        return None
    goes_on = -math.inf if later else _goes_on(step, best.did[at], sight)
    patience = 0.0 if later or _next_came(beam, best, at, sight) else step.patience
    if not step.cards and arrived(beam, best, at, sight):
        patience = 0.0
    if not step.cards and not later and _goes_elsewhere(beam, best, at, sight):
        patience = max(patience, LIFTED)
    left = beam.hands.gone(best.did[at]) if step.cards and step.action.seat is not None else None
    if left is not None:
        patience = min(patience, max(0.0, left + GONE - lying_since(step, sight)))
    if sum(odd.values()) >= ODD:
        patience = max(patience, ODD_PATIENCE)
    if unsure:
        patience = max(patience, UNSURE_PATIENCE)
    if step.cards and step.action.seat is None and not later and not_put_away(beam, best, at, sight):
        patience = max(patience, PUT_AWAY)
    lost = {card.track for zone in zones for card in zone.cards if card.covered}
    if any(card.track in lost for card in step.cards) and not any(best.zones[z].pile for z in step.zones):
        patience = max(patience, UNSURE_PATIENCE)
    came = overtaken(best, at)
    over = max((lying_since(step, sight) if came is None else came) + patience, goes_on)
    may_leave = patience and step.cards and best.did[at] and left is None
    return min(over, now + AGAIN) if may_leave and over > now else over


def _goes_elsewhere(beam: Beam, best: Hypothesis, at: int, sight: Sight) -> bool:
    """A hand is where cards lie open that came there since a step took its own away: it may be a part of more."""
    since, own = lying_since(best.steps[at], sight), best.steps[at].zones
    there = (hand.zone for hand in beam.hands.open if hand.began > since and hand.zone not in own)
    return any(zone in sight and not sight[zone].resting and sight[zone].cards for zone in there)


def overtaken(best: Hypothesis, at: int) -> float | None:
    """When the cards of a step came, s, where others have come after them: those put nothing off."""
    return best.steps[at].since if any(other.since is not None for other in best.steps[at + 1 :]) else None


def before(beam: Beam, best: Hypothesis, at: int) -> Any:
    """The state in which a step was done."""
    return best.steps[at - 1].after if at else next((h.state for h in beam.hypotheses if not h.steps), best.state)


def arrived(beam: Beam, best: Hypothesis, at: int, sight: Sight) -> bool:
    """The open cards that a step moves from zone to zone are seen where they should lie after it."""
    step = best.steps[at]
    lay, lies = (
        {zone.id: zone for zone in beam.game.expected_table(state)} for state in (before(beam, best, at), step.after)
    )
    return moved(lay, lies, step.zones, sight)


def unfinished(beam: Beam, best: Hypothesis) -> set[str]:
    """Zones to which cards are being dealt, as far as it is thought."""
    return {zone for at, step in enumerate(best.steps) if _is_part(beam, best, at) for zone in step.zones}


def _is_part(beam: Beam, best: Hypothesis, at: int) -> bool:
    """Cards are dealt for all, and after them nothing is open but that more are."""
    step = best.steps[at]
    if step.action.seat is not None or not step.cards or beam.game.full(before(beam, best, at), step.action):
        return False
    return {(prompt.kind, prompt.seat) for prompt in beam.game.prompts(step.after)} == {(step.action.kind, None)}


def not_put_away(beam: Beam, best: Hypothesis, at: int, sight: Sight) -> bool:
    """Cards lie yet in a place that a step clears, beside those that it lays: who deals is still at it."""
    lay = {zone.id: zone for zone in beam.game.expected_table(before(beam, best, at))}
    lies = {zone.id: zone for zone in beam.game.expected_table(best.steps[at].after)}
    cleared = [name for name in best.steps[at].zones if name in lay and lay[name].cards and name in sight]
    left = (sight[name].cards for name in cleared if name not in lies or not lies[name].cards)
    return any(card.side is Side.UP and not card.covered for cards in left for card in cards)


def _unsure(beam: Beam, best: Hypothesis, at: int, sight: Sight) -> bool:
    """The name of a card that is still seen may yet change, to one that is no foul there either, or to none."""
    step, state = best.steps[at], before(beam, best, at)
    shown = {card.track: card for zone in sight.values() for card in zone.cards if not card.covered}
    there = (card for card in step.cards if card.track in shown or not at + 1 < len(best.steps))
    for card in (shown.get(card.track, card) for card in there):  # as it was read since
        name, *others = card.candidates or (Candidate("", 1.0),)
        if name.p >= SURE or name.face not in step.action.cards:
            continue
        place = step.action.cards.index(name.face)
        likely = [other.face for other in others if other.p >= UNLIKELY]
        ways = ((*step.action.cards[:place], face, *step.action.cards[place + 1 :]) for face in likely)
        checked = (judged(beam.game, state, replace(step.action, cards=said))[2] for said in ways)
        if not all(map(is_foul, checked)) or not (likely or exact(beam, best, at)):
            return True
    return False


def exact(beam: Beam, best: Hypothesis, at: int) -> bool:
    """A step takes just as many cards as lie there, several, and there is room for no more: each of them is some card,
    and no shadow."""
    count = len(best.steps[at].cards)
    return any(1 < slot.most == count for slot in _slots(beam, best, at))


def only_face(beam: Beam, best: Hypothesis, at: int) -> bool:
    """A step lays or shows one card, and only one face may be laid or shown."""
    shown = len(best.steps[at].cards) == 1
    return any(shown and slot.faces is not None and len(set(slot.faces)) == 1 for slot in _slots(beam, best, at))


def _slots(beam: Beam, best: Hypothesis, at: int) -> Iterator[Slot]:
    """What a step may have filled."""
    who = (best.steps[at].action.kind, best.steps[at].action.seat)
    prompts = open_prompts(beam.game, before(beam, best, at))
    return (p.slot for p in prompts if (p.kind, p.seat) == who and p.slot is not None)


def _next_one(beam: Beam, best: Hypothesis, at: int, sight: Sight) -> bool:
    """Nobody but another player moves where the cards of a step have lain for a while: who laid them has laid all."""
    step, own = best.steps[at], best.did[at]
    moved = [name for name in step.zones if name in sight and not sight[name].resting]
    since = lying_since(step, sight, own)
    if not (own and step.cards) or any(sight[name].rested < since for name in moved):
        return False
    done = {hand for did in best.did for hand in did}
    there = [hand for hand in beam.hands.open if hand.zone in step.zones and hand not in done]
    return bool(there) and all(
        hand.began >= since + NEXT and not any(alike(hand.direction, before.direction) for before in own)
        for hand in there
    )


def _was_bare(zone: ZoneSeen) -> bool:
    """Before something moved there it was seen empty for a while: what lay there is gone."""
    return not zone.cards and zone.bare - zone.since >= BARE


def _next_came(beam: Beam, best: Hypothesis, at: int, sight: Sight) -> bool:
    """Another player's hand has come somewhere since the cards of a step lie: who laid them has laid all."""
    step, own = best.steps[at], best.did[at]
    if not (own and step.cards) or step.action.seat is None:
        return False
    after = lying_since(step, sight) + SOON
    came = (hand for hand in beam.hands.open if hand.began > after and not hand.glimpse)
    return any(not any(alike(hand.direction, before.direction) for before in own) for hand in came)


def _goes_on(step: Step, did: Sequence[Touch], sight: Sight) -> float:
    """Until when whoever moves cards that nobody sees may still come for some, s: he was at fewer of the stacks than
    he has to be, or less often than for every card once."""
    full = 0 < step.room <= len(step.action.cards)
    stacks = step.parts[-1].most if step.parts and UNKNOWN in step.action.cards and not full else {}
    reached = Counter(hand.zone for hand in did)
    if all(reached[stack] >= cards for stack, cards in stacks.items()):
        return -math.inf
    last = max((hand.ended for hand in did), default=-math.inf)
    patience = REACHED if all(reached[stack] for stack in stacks) else ASK_COUNT
    return max([last, *(sight[zone].stirred for zone in step.zones if zone in sight)]) + patience


def lying_since(step: Step, sight: Sight, hands: Sequence[Touch] = ()) -> float:
    """Since when the cards of a step lie so, and no hand that did it has been there any more."""
    lying = (sight[zone].since for zone in step.zones if zone in sight)
    came = () if step.since is None else (step.since,)
    return max((*lying, *came, *(hand.ended for hand in hands)), default=-math.inf)
