"""No face lies on the table, in known hands or in piles more often than the deck holds it.

The one check that every game shares and none writes: a surplus copy is a misread, a foreign card or a cheat, and
whichever it is, the ruling names the face and every place where a copy was seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.cards import Deck, Kind
from companion.games import UNKNOWN, Action, Game, Violation, Zone


def surplus(
    game: Game[Any],
    deck: Deck,
    before: Any,
    action: Action,
    after: Any,
    history: Iterable[tuple[int, Action]] = (),
) -> tuple[Violation, ...]:
    """A foul ``too-many-copies`` for each face of which `action` brings more copies to light than `deck` holds. Jokers
    that mean the same are counted together.

    `after` is the state with the action applied; `history` the standing actions so far with their numbers, to say
    where the copies were seen. A surplus the table already plays on with is not reported again.
    """
    faces = [c for c in dict.fromkeys(action.cards) if c != UNKNOWN and c in deck]
    if not faces:
        return ()
    now = game.whereabouts(after)
    found: list[Violation] = []
    told: tuple[tuple[int, Action], ...] = ()
    done: set[str] = set()
    for face in faces:
        group: tuple[str, ...] = (face,)
        if deck.face(face).kind is Kind.JOKER and not game.jokers_differ:
            group = tuple(other.code for other in deck.faces if other.kind is Kind.JOKER)
        copies, holds = _count(now, group), sum([deck.copies(code) for code in group])
        if face not in done and copies > holds and copies > _count(game.whereabouts(before), group):
            told = told or tuple(history)  # read once, and only when there is something to say
            found.append(_violation(group, face, copies, holds, now, told))
        done |= set(group)
    return tuple(found)


def _count(zones: Sequence[Zone], group: tuple[str, ...]) -> int:
    return sum([zone.cards.count(face) for zone in zones for face in group])


def _violation(
    group: tuple[str, ...],
    face: str,
    copies: int,
    holds: int,
    zones: Sequence[Zone],
    history: Iterable[tuple[int, Action]],
) -> Violation:
    where = ", ".join(zone.id for zone in zones for _ in range(_count((zone,), group)))
    seen = ", ".join(f"#{seq}" for seq, action in history if any(code in action.cards for code in group))
    params = (("face", face), ("copies", copies), ("holds", holds), ("where", where), ("seen", seen))
    return Violation("too-many-copies", "", (face,), params)
