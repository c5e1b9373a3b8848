"""Cards that lie where they do not belong: to which places people may say that they do."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from companion.games import Game, Msg, Zone
from companion.games.implied import open_prompts
from companion.table.ask import Question
from companion.table.compare import difference
from companion.table.hypotheses import Hypothesis
from companion.table.sight import Memory
from companion.vision.types import SeenCard, SeenTable, Side

MOST = 4
"""So many places are offered, the nearest first."""
STRAY = 4.0
"""A card beside all places is asked about when it has lain there for so long, s."""


def placed(
    questions: Sequence[Question], game: Game[Any], known: Sequence[Hypothesis], memory: Memory
) -> Iterator[Question]:
    """The questions, with the places to which their odd cards may belong instead. `known`: what may have been done."""
    state = min(known, key=lambda hypothesis: hypothesis.total).state
    for question in questions:
        odd = question.odd if question.kind in ("unexplained", "foul") else ()
        yield replace(question, places=_places(odd, question.zone, game, state, memory)) if odd else question


def strays(game: Game[Any], state: Any, seen: SeenTable, memory: Memory, dismissed: Collection[str]
           ) -> tuple[tuple[Question, ...], float | None, set[str]]:  # fmt: skip
    """Questions about cards that lie beside all places although the game waits for just such a card; when the next will
    have lain there for long enough, s; and the places where they may belong, of which nothing is sure until then.
    `dismissed`: keys of questions that nobody wants to hear."""
    asked, dues = [], []
    places: set[str] = set()
    wide, high = seen.size
    lay = {card.track for card in seen.cards if memory.shown.zone_of(card.centre) is not None}
    memory.placed |= dict.fromkeys(lay, seen.time)
    for card in seen.cards if seen.settled else ():
        known = card.track in memory.named or card.track in memory.belongs or card.covered
        if known or card.face is None or card.side is not Side.UP or card.track in lay:
            continue
        if not (0.0 <= card.centre[0] <= wide and 0.0 <= card.centre[1] <= high):
            continue  # it is in a hand beyond the table's edge
        key = f"stray/{card.track}={card.face}"
        found = _places((card,), "", game, state, memory) if key not in dismissed else ()
        places.update(found)
        began = max(card.since, memory.placed.get(card.track, -math.inf))
        if found and seen.time < began + STRAY:
            dues.append(began + STRAY)
        elif found:
            text = Msg.of("question.stray", cards=(card.face,))
            evidence = (card.crop,) if card.crop else ()
            asked.append(Question(key, "unexplained", "", (card.face,), text,
                                  evidence=evidence, odd=(card,), places=found))  # fmt: skip
    memory.placed = {card.track: memory.placed[card.track] for card in seen.cards if card.track in memory.placed}
    return tuple(asked), min(dues, default=None), places


def _places(cards: Sequence[SeenCard], here: str, game: Game[Any], state: Any, memory: Memory) -> tuple[str, ...]:
    """Places that wait for these cards, or lack them, the nearest first."""
    faces = Counter(card.face for card in cards if card.face is not None)
    found: set[str] = set()
    for prompt in open_prompts(game, state):
        slot = prompt.slot
        if slot is None or slot.target is None or slot.side == "down" or len(cards) > slot.most:
            continue
        if slot.faces is None or not faces - Counter(slot.faces):
            found.add(slot.target)
    for zone in game.expected_table(state):
        if zone.id in memory.zones and faces and not faces - Counter(_lacks(zone, memory)):
            found.add(zone.id)
    shapes = [shape for shape in memory.shown.zones if shape.id in found and shape.id != here]
    where = _middle(cards)
    return tuple(shape.id for shape in sorted(shapes, key=lambda one: math.dist(one.middle, where)))[:MOST]


def _lacks(zone: Zone, memory: Memory) -> tuple[str, ...]:
    return difference(zone, memory.zones[zone.id].cards).missing


def _middle(cards: Sequence[SeenCard]) -> tuple[float, float]:
    return (
        sum(card.centre[0] for card in cards) / len(cards),
        sum(card.centre[1] for card in cards) / len(cards),
    )
