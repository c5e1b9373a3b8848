"""No face lies on the table, in known hands or in piles more often than the deck holds it.

The one check that every game shares and none writes: a surplus copy is a misread, a foreign card or a cheat, and
whichever it is, the ruling names the face and every place where a copy was seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.cards import Deck
from companion.games import UNKNOWN, Action, Game, Violation, Zone


def surplus(
    game: Game[Any],
    deck: Deck,
    before: Any,
    action: Action,
    after: Any,
    history: Iterable[tuple[int, Action]] = (),
) -> tuple[Violation, ...]:
    """A foul ``too-many-copies`` for each face of which `action` brings more copies to light than `deck` holds.

    `after` is the state with the action applied; `history` the standing actions so far with their numbers, to say
    where the copies were seen. A surplus the table already plays on with is not reported again.
    """
    faces = [c for c in dict.fromkeys(action.cards) if c != UNKNOWN and c in deck]
    if not faces:
        return ()
    now, told = game.whereabouts(after), tuple(history)
    found: list[Violation] = []
    for face in faces:
        copies = _count(now, face)
        if copies > deck.copies(face) and copies > _count(game.whereabouts(before), face):
            found.append(_violation(face, copies, deck.copies(face), now, told))
    return tuple(found)


def _count(zones: Sequence[Zone], face: str) -> int:
    return sum(zone.cards.count(face) for zone in zones)


def _violation(
    face: str, copies: int, holds: int, zones: Sequence[Zone], history: Iterable[tuple[int, Action]]
) -> Violation:
    where = ", ".join(zone.id for zone in zones for _ in range(zone.cards.count(face)))
    seen = ", ".join(f"#{seq}" for seq, action in history if face in action.cards)
    params = (("face", face), ("copies", copies), ("holds", holds), ("where", where), ("seen", seen))
    return Violation("too-many-copies", "", (face,), params)
