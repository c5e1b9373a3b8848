"""Cards that the game has moved on by itself and people perhaps have not, or of which people only told: that they do
not lie where they should is no contradiction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from companion.games import UNKNOWN, Action, Zone
from companion.games.implied import open_prompts
from companion.referee import Match
from companion.table.misfit import MISSING, read_as
from companion.table.sight import Sight, ZoneSeen
from companion.vision.types import SeenCard, Side

Lag = frozenset[tuple[str, str, str | None]]
"""Cards that the game has moved on by itself and people perhaps have not: face, from where, to where."""


def lagging(before: Mapping[str, Zone], action: Action, after: Mapping[str, Zone], target: str | None) -> Lag:
    """Cards that the game moved on with `action`, although people only laid cards on `target`: they may still be
    tidying them away."""
    if not action.cards:
        return frozenset()
    named = set(action.cards) | {value for _, value in action.args if isinstance(value, str)}
    found: set[tuple[str, str, str | None]] = set()
    arrived = {
        name: Counter(zone.cards) - Counter(before.get(name, Zone(name)).cards)
        for name, zone in after.items()
        if zone != before.get(name)
    }

    def whither(face: str) -> str | None:
        return next((to for to, faces in arrived.items() if faces[face]), None)

    for name, zone in before.items():
        then = after.get(name, Zone(name))
        if zone == then:
            continue
        for face in (Counter(zone.cards) - Counter(then.cards)).keys() - named:
            found.add((face, name, whither(face)))
        turned = sum((Counter(action.cards) & (Counter(then.cards) - Counter(zone.cards))).values())
        if name == target and len(then.cards) + then.down < len(zone.cards) + zone.down:
            passed = set(action.cards) - set(then.cards) - {UNKNOWN}
            found |= {(face, name, whither(face)) for face in passed}
            turned += len(passed)
        if zone.down - then.down > turned and UNKNOWN not in action.cards and not (zone.pile and then.down):
            found.add((UNKNOWN, name, None))
    return frozenset(found)


def less(cards: tuple[SeenCard, ...], face: str, zone: Zone) -> tuple[SeenCard, ...]:
    """`cards` without those of one face that the zone does not expect."""
    if face == UNKNOWN:
        backs = sum(card.side is Side.DOWN for card in cards)
        return tuple(card for card in cards if card.side is not Side.DOWN) if backs > zone.down else cards
    spare = sum(card.face == face for card in cards) - zone.cards.count(face)
    if spare <= 0:
        return cards
    left = []
    for card in cards:
        if card.face == face and spare > 0:
            spare -= 1
        else:
            left.append(card)
    return tuple(left)


def less_hidden(zone: Zone, hidden: Counter[str] | None) -> Zone:
    """A zone that shows all its cards, less those of which it is only said that they lie there."""
    if not hidden or zone.pile:
        return zone
    left = Counter(zone.cards) - hidden
    return replace(zone, cards=tuple(face for face in zone.cards if left[face] > 0 and not left.subtract([face])))


def unseen(zone: Zone, cards: Collection[SeenCard], told: Counter[str]) -> Counter[str]:
    """Of the faces that people `told` of those that none of the cards lying there shows. A card without a name shows
    one of them, if it may be it and is not needed for another."""
    nameless = [card for card in cards if card.face is None and card.side is Side.UP]
    lacking = Counter(zone.cards) - Counter(card.face for card in cards if card.face is not None)
    left = told & lacking
    spare = len(nameless) - (lacking - left).total()
    pairs = sorted((read_as(card, face), face, n) for n, card in enumerate(nameless) for face in left)
    taken: set[int] = set()
    for price, face, n in pairs:
        if price < MISSING and left[face] and n not in taken and len(taken) < spare:
            taken.add(n)
            left[face] -= 1
    return +left


def without(zones: Mapping[str, Zone], sight: Sight, lag: Lag) -> Mapping[str, Zone]:
    """What is expected, less the cards that still lie where they came from."""
    found = dict(zones)
    for face, name, to in lag:
        zone = found.get(to or "")
        here = sight.get(name)
        if zone is None or here is None or face not in zone.cards:
            continue
        if any(card.face == face for card in here.cards):
            at = len(zone.cards) - 1 - zone.cards[::-1].index(face)
            found[zone.id] = replace(zone, cards=zone.cards[:at] + zone.cards[at + 1 :])
    return found


def untidied(lag: Lag, sight: Sight) -> Lag:
    """What of `lag` may still lie about: a card that was seen to be gone comes back only by a new action."""
    return frozenset(item for item in lag if item[1] not in sight or _lies(item[0], sight[item[1]]))


def _lies(face: str, zone: ZoneSeen) -> bool:
    if not zone.resting:
        return True
    return any(card.side is Side.DOWN if face == UNKNOWN else card.face == face for card in zone.cards)


def lag_after(match: Match) -> Lag:
    """Cards that the last action moved by itself, not tidied away yet."""
    at = next(
        (n for n in range(len(match.entries) - 1, 0, -1) if match.entries[n].standing and match.entries[n].action), 0
    )
    if not at:
        return frozenset()
    action = match.entries[at].action
    assert action is not None
    game, state = match.game, match.entries[at - 1].state
    before = {zone.id: zone for zone in game.expected_table(state)}
    after = {zone.id: zone for zone in game.expected_table(match.entries[at].state)}
    slots = (p.slot for p in open_prompts(game, state) if (p.kind, p.seat) == (action.kind, action.seat))
    target = next((slot.target for slot in slots if slot is not None), None)
    return lagging(before, action, after, target)
