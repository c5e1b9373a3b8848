"""People say what a card was that is seen no more: what was told of it goes on from there with its true name. Or they
tell of a card that was read as another: that one is no further card."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games import Game, Zone
from companion.games.implied import is_foul, judged
from companion.table.hypotheses import Hypothesis, Step
from companion.table.sight import Sight
from companion.table.touches import Touch

SEEN = 0.3
"""What a step costs that shows."""


def as_named(game: Game[Any], known: Sequence[Hypothesis], named: Mapping[int, str | None]) -> list[Hypothesis]:
    """What agrees with what people `named` cards, or does once these have the names that they gave."""
    root = next((one.state for one in known if not one.steps), None)
    wrong = [not all(_agrees(step, named) for step in one.steps) for one in known]
    told = (_renamed(game, root, one, named) if w else one for one, w in zip(known, wrong, strict=True))
    return [one for one in told if one is not None]


def less_misread(
    known: Sequence[Hypothesis], before: Mapping[str, Zone], zones: Mapping[str, Zone], sight: Sight
) -> list[Hypothesis]:
    """What does without cards of places where people have just told of others (`zones`, as they lay `before`) that
    nobody sees there: what lies there in their place is them, read otherwise. But for steps that a hand of their own
    was seen to do: that one may have covered them before they were seen."""
    misread = set()
    for name, seen in sight.items():
        new = Counter(zones.get(name, Zone(name)).cards) - Counter(before.get(name, Zone(name)).cards)
        if new - Counter(card.face for card in seen.cards if card.face is not None):
            misread.add(name)
    done = ((one, zip(one.steps, one.did, strict=True)) for one in known)
    return [one for one, steps in done if all(hands or misread.isdisjoint(step.zones) for step, hands in steps)]


def misread(
    before: Mapping[str, Zone], zones: Mapping[str, Zone], sight: Sight, hands: Sequence[Touch]
) -> dict[int, str]:
    """Names of cards, by number, that are read otherwise than people have just told: the one card of a zone (`zones`,
    as they lay `before`) that was told and nobody sees there is the first that lies there too many, where no more than
    one of the `hands` laid it and it came after all that lies there as it should; or, of a row in which as many lie as
    should, with the last of these."""
    found = {}
    for name, seen in sight.items():
        zone = zones.get(name, Zone(name))
        named = [card for card in seen.cards if card.face is not None]
        told = Counter(zone.cards)
        lacking = told - Counter(card.face for card in named if card.face is not None)
        spare = [card for card in named if card.face not in told]
        if lacking.total() != 1 or lacking - (told - Counter(before.get(name, Zone(name)).cards)) or not spare:
            continue
        first = min(spare, key=lambda card: card.since)
        known = max((card.since for card in named if card.face in told), default=-math.inf)
        whole = not zone.pile and len(spare) == 1 and len(seen.cards) == len(zone.cards)
        came = [touch for touch in hands if touch.zone == name and known < touch.began <= first.since]
        alone = known < first.since and len({touch.visit for touch in came}) == 1
        if alone or (whole and known == first.since):
            found[first.track] = next(iter(lacking))
    return found


def _agrees(step: Step, named: Mapping[int, str | None]) -> bool:
    """What people `named` a card is what the step takes it for, and none of its cards is no card."""
    none = any(named.get(card.track, "") is None for card in step.cards)
    return not none and all(face == named.get(card.track, face) for card, face in step.guesses)


def _renamed(game: Game[Any], root: Any, told: Hypothesis, named: Mapping[int, str | None]) -> Hypothesis | None:
    """The steps from the state `root` up to the first whose card people named otherwise, with the name that they gave:
    what came after it has to be thought of anew. None where they say that it is no card, or where the rules do not
    allow it."""
    at = next(n for n, step in enumerate(told.steps) if not _agrees(step, named))
    step = _with_names(told.steps[at], named)
    _, there, violations = judged(game, told.steps[at - 1].after if at else root, step.action)
    if not _agrees(step, named) or (is_foul(violations) and not step.foul):
        return None
    step = replace(step, after=game.apply(there, step.action))
    zones = {zone.id: zone for zone in game.expected_table(step.after)}
    cost = told.cost - SEEN * (len(told.steps) - at - 1)
    return replace(told, state=step.after, zones=zones, steps=(*told.steps[:at], step), cost=cost)


def _with_names(step: Step, named: Mapping[int, str | None]) -> Step:
    given = {card.track: name for card, _ in step.guesses if (name := named.get(card.track)) is not None}
    names = [given.get(card.track) for card in step.cards]
    hidden = len(step.action.cards) - len(names)  # of more faces nobody saw the first
    faces = tuple(name or face for name, (_, face) in zip(names, step.filled.named, strict=False))
    filled = replace(
        step.filled,
        action=replace(step.action, cards=(*step.action.cards[: max(0, hidden)], *faces)),
        cards=tuple(
            card if name is None else replace(card, face=name) for card, name in zip(step.cards, names, strict=True)
        ),
        unread=tuple(card for card in step.filled.unread if card.track not in given),
    )
    return replace(step, filled=filled, alike=())
