"""Compares one zone as seen with the same zone as expected. Cards the camera could not name fit any missing card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games import Game, Zone
from companion.table.sight import Sight
from companion.vision.types import SeenCard, Side

_FEW = 2
"""So many cards on a table one player may pick up to look at."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What is wrong with a zone: faces `missing` from it and `extra` in it; `unnamed` cards face up that fit neither;
    `down`: face-down cards seen minus expected."""

    zone: str
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    unnamed: int = 0
    down: int = 0

    def __bool__(self) -> bool:
        return bool(self.missing or self.extra or self.unnamed or self.down)


def up(cards: Sequence[SeenCard]) -> list[SeenCard]:
    """Those lying face up."""
    return [card for card in cards if card.side is Side.UP]


def down(cards: Sequence[SeenCard]) -> list[SeenCard]:
    """Those lying face down."""
    return [card for card in cards if card.side is Side.DOWN]


def claim(zone: Zone | None) -> tuple[Any, ...]:
    """What can be seen of a zone: of a pile its top, and that backs lie there."""
    if zone is None:
        return (), 0
    if zone.pile:
        return (zone.cards[-1:], len(zone.cards), zone.down > 0) if zone.cards else ((), int(zone.down > 0))
    return tuple(sorted(zone.cards)), zone.down


def grown(before: Mapping[str, Zone], after: Mapping[str, Zone], names: Iterable[str]) -> bool:
    """Cards have only come to these zones, none has left them."""
    ways = [(before.get(name, Zone(name)), after.get(name, Zone(name))) for name in names]
    return all(now.down >= was.down and now.cards[: len(was.cards)] == was.cards for was, now in ways)


def moved(before: Mapping[str, Zone], after: Mapping[str, Zone], names: Sequence[str], sight: Sight) -> bool:
    """Open cards have left one of these zones for others of them, and all are seen where they should lie by now: of
    those that came to a fan, all but one of three and more."""
    gone, come = Counter[str](), Counter[str]()
    for name in names:
        was, now = (Counter(zones.get(name, Zone(name)).cards) for zones in (before, after))
        gone += was - now
        come += now - was
        if name not in sight:
            return False
        lying = up(sight[name].cards)
        unseen = (now - was) - Counter(card.face for card in lying if card.face)
        nameless = sum(card.face is None and not card.covered for card in lying)
        if unseen.total() > nameless + (after.get(name, Zone(name)).fan and (now - was).total() > 2):
            return False
    return bool(gone) and gone == come


def difference(expected: Zone, seen: Sequence[SeenCard]) -> Difference:
    """How `seen` differs from `expected`, taken strictly; a pile only shows its top."""
    if expected.pile:
        return _pile(expected, seen)
    named = Counter(card.face for card in up(seen) if card.face is not None)
    unnamed = sum(card.face is None for card in up(seen))
    missing = list((Counter(expected.cards) - named).elements())
    extra = tuple((named - Counter(expected.cards)).elements())
    fitted = min(unnamed, len(missing))
    if expected.heap and seen:
        missing = missing[:fitted]
    return Difference(
        expected.id,
        tuple(missing[: len(missing) - fitted]),
        extra,
        unnamed - fitted,
        len(down(seen)) - expected.down,
    )


def _pile(expected: Zone, seen: Sequence[SeenCard]) -> Difference:
    """Of a pile the top has to be among what is seen; nothing seen may be foreign to it."""
    named = Counter(card.face for card in up(seen) if card.face is not None)
    extra = tuple((named - Counter(expected.cards)).elements())
    top = expected.cards[-1:]
    shown = not top or top[0] in named or any(card.face is None for card in up(seen))
    backs = len(down(seen))
    wanted = expected.down > 0 and not expected.cards
    odd = backs if backs and not expected.down else (-1 if wanted and not backs else 0)
    return Difference(expected.id, () if shown else top, extra, 0, odd)


def differences(game: Game[Any], state: Any, sight: Sight) -> Iterator[Difference]:
    """Zones that do not look as the game expects them in `state`; in an open one only missing cards count."""
    for zone in game.expected_table(state):
        if zone.id in sight:
            wrong = difference(zone, sight[zone.id].cards)
            if zone.open:
                wrong = Difference(zone.id, wrong.missing, down=min(0, wrong.down))
            if wrong:
                yield wrong


def gathered(before: Mapping[str, Zone], after: Mapping[str, Zone]) -> bool:
    """Several cards lay on the table, not in stacks, and now none does."""

    def lying(zones: Mapping[str, Zone]) -> int:
        return sum(len(zone.cards) + zone.down for zone in zones.values() if not zone.pile)

    return lying(before) > _FEW and lying(after) == 0
