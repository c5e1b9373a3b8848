"""What the reader asks about: a card that lies there without a name, a twin of one that has its name, or nothing.

A question is a card read face up without a name. Names take the cards that lie there first, each card once; a question
then is about the card that it shares most with and that nobody took. About one that was taken it is a *twin*; where no
card lies, it is about *nothing*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from companion.training.evaluation.composed import plain
from companion.training.scenes import compose as scenes
from companion.vision.geometry import as_quad, iou
from companion.vision.types import CardRead, ReadResult, Side

SHARED = 0.2
"""What lies farther aside of a card (IoU) is not about it."""
SEEN = 0.04
"""A card of which less is seen explains nothing."""


class About(StrEnum):
    """What a question is about."""

    CARD = "card"
    TWIN = "twin"
    NOTHING = "nothing"


def about(scene: scenes.Scene, result: ReadResult) -> list[tuple[CardRead, About]]:
    """Each question of a reading, and what it is about."""
    there = [label for label in scene.cards if label.visible > SEEN]
    shares = {
        id(card): [iou(label.quad, as_quad(card.polygon)) for label in there]
        for card in result.cards
        if card.side is Side.UP
    }
    free = set(range(len(there)))
    named = [card for card in result.cards if card.face is not None]
    for card, equal in [*((card, True) for card in named), *((card, False) for card in named)]:
        rows = shares[id(card)]
        if not rows or max(rows) < 0:  # taken before
            continue
        may = [k for k in free if not equal or _same(there[k], card)]
        best = max(may, key=lambda k: rows[k], default=None)
        if best is not None and rows[best] > (0.02 if equal else SHARED):
            free.discard(best)
            shares[id(card)] = [-1.0] * len(rows)
    out = []
    for card in sorted(result.cards, key=lambda card: -card.confidence):
        if card.side is not Side.UP or card.face is not None:
            continue
        rows = shares[id(card)]
        best = max(free, key=lambda k: rows[k], default=None)
        if best is not None and rows[best] > SHARED:
            free.discard(best)
            out.append((card, About.CARD))
        else:
            out.append((card, About.TWIN if max(rows, default=0.0) > SHARED else About.NOTHING))
    return out


def _same(label: scenes.CardLabel, card: CardRead) -> bool:
    return label.face is not None and card.face is not None and plain(label.face) == plain(card.face)


def counted(questions: Sequence[tuple[CardRead, About]]) -> Counter[str]:
    """How many questions there are about each."""
    return Counter(kind.value for _, kind in questions)
