"""What an action moves on the table: the expected table before and after it, as cards that come, go and change place.

A card that leaves one zone face up and one of the same face that comes to another are the same card. A stack that
grows smaller gives its top cards; what comes from nowhere comes out of somebody's hand, and what goes nowhere goes into
one, or away with the dealer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.games import UNKNOWN, Zone


class Trace(StrEnum):
    """What a camera could see of an action: cards that come, go or move; only some of them, because others come out of
    a hand and under the top of a pile, or go from a stack into a hand; only the hand at a stack; nothing at all."""

    CARDS = "cards"
    PART = "part"
    HAND = "hand"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Way:
    """Cards from one zone to another; zone None: a hand beyond the table's edge.

    `taken`: as they lie at the source, `faces`: as they lie at the target; None is face down.
    """

    source: str | None
    target: str | None
    taken: tuple[str | None, ...]
    faces: tuple[str | None, ...]


def in_view(zones: Iterable[Zone]) -> dict[str, object]:
    """What a camera can tell of an expected table: of a pile the top, of a pile of backs only that there is one."""
    return {
        zone.id: (zone.cards or bool(zone.down)) if zone.pile else (tuple(sorted(zone.cards)), zone.down)
        for zone in zones
    }


def reached(before: Iterable[Zone], after: Iterable[Zone]) -> set[str]:
    """The zones where hands took or laid something between two expected tables."""
    old, new = by_id(before), by_id(after)
    return {name for name in {*old, *new} if old.get(name) != new.get(name)}


def by_id(zones: Iterable[Zone]) -> dict[str, Zone]:
    """The zones by their ids."""
    return {zone.id: zone for zone in zones}


def ways(before: Iterable[Zone], after: Iterable[Zone], held: Iterable[str] = ()) -> tuple[Way, ...]:
    """All ways that cards go between two expected tables, those within the table first. `held`: faces that come out of
    a hand, though a stack grows smaller, too."""
    old, new = by_id(before), by_id(after)
    names = list(dict.fromkeys([*old, *new]))
    gone = {name: _minus(old.get(name), new.get(name)) for name in names}
    come = {name: _minus(new.get(name), old.get(name)) for name in names}
    less = {name: max(0, _down(old, name) - _down(new, name)) for name in names}
    more = {name: max(0, _down(new, name) - _down(old, name)) for name in names}
    found = [*_same_faces(gone, come), *_turned(less, come, Counter(held)), *_turned_over(gone, more)]
    rest = [(None, name, tuple(cards.elements())) for name, cards in come.items()]
    rest += [(None, name, (None,) * n) for name, n in more.items()]
    rest += [(name, None, tuple(cards.elements())) for name, cards in gone.items()]
    rest += [(name, None, (None,) * n) for name, n in less.items()]
    found += [Way(source, target, faces, faces) for source, target, faces in rest if faces]
    return _tops_last(found, new)


def _tops_last(found: Iterable[Way], new: Mapping[str, Zone]) -> tuple[Way, ...]:
    """The ways in such an order that what lies on top of a pile afterwards comes to it last."""
    early, late = [], []
    for way in found:
        zone = new.get(way.target or "", Zone(""))
        top = zone.cards[-1] if zone.pile and zone.cards else None
        if top is None or top not in way.faces:
            early.append(way)
            continue
        last = len(way.faces) - 1 - way.faces[::-1].index(top)
        order = [*(n for n in range(len(way.faces)) if n != last), last]
        late.append(Way(way.source, way.target, tuple(way.taken[n] for n in order), tuple(way.faces[n] for n in order)))
    return (*early, *late)


def in_order(found: Iterable[Way], cards: Sequence[str]) -> tuple[Way, ...]:
    """The ways, those of the `cards` of an action that one stack gives in the order in which it gives the last of
    each: a card that is put aside lies there before the one that is turned up instead."""
    order = list(found)
    for source in {way.source for way in order if way.source is not None}:
        own = [n for n, way in enumerate(order) if way.source == source and set(way.faces) <= set(cards)]
        later = sorted((order[n] for n in own), key=lambda way: max(cards.index(str(face)) for face in way.faces))
        for n, way in zip(own, later, strict=True):
            order[n] = way
    return tuple(order)


def shown(
    before: Iterable[Zone], after: Iterable[Zone], cards: Sequence[str], target: str | None
) -> tuple[Zone, ...] | None:
    """The table between two, on which the `cards` that somebody turned up on `target` lie open: where the game clears
    them away at once people look at them first. None where none were turned up there, or they stay."""
    old = by_id(before)
    zone, then = old.get(target or ""), by_id(after).get(target or "", Zone(""))
    if (
        zone is None
        or not cards
        or UNKNOWN in cards
        or zone.down < len(cards)
        or not Counter(cards) - Counter(then.cards)
    ):
        return None
    old[zone.id] = replace(zone, cards=(*zone.cards, *cards), down=zone.down - len(cards))
    return tuple(old.values())


def trace(before: Iterable[Zone], after: Iterable[Zone], cards: Sequence[str]) -> Trace:
    """What can be seen of the action with these `cards` between two expected tables."""
    old, new = by_id(before), by_id(after)
    changed = [name for name in {**old, **new} if old.get(name, Zone(name)) != new.get(name, Zone(name))]
    if not changed:
        return Trace.NONE
    if UNKNOWN in cards and set(cards) != {UNKNOWN}:
        return Trace.PART
    only_stacks = all(
        old.get(name, Zone(name)).cards == new.get(name, Zone(name)).cards
        and _stack(old, new, name)
        and min(_down(old, name), _down(new, name)) > 0
        for name in changed
    )
    return Trace.HAND if only_stacks else Trace.PART if _buried(old, new, cards.count(UNKNOWN)) else Trace.CARDS


def _buried(old: Mapping[str, Zone], new: Mapping[str, Zone], hidden: int) -> bool:
    """Cards come out of hands into a pile, and other ones lie over them at once: faces, or `hidden` cards, as many as
    a player likes, face down where none lay: nobody sees how many they are."""
    if hidden > 1 and any(zone.pile and zone.down >= hidden and not _down(old, name) for name, zone in new.items()):
        return True
    known = Counter[str]()
    for name, zone in old.items():
        known += _minus(zone, new.get(name))
    for name, zone in new.items():
        below = _minus(zone, old.get(name)) - Counter(zone.cards[-1:])
        if zone.pile and (below - known).total():
            return True
    return False


def _stack(old: Mapping[str, Zone], new: Mapping[str, Zone], name: str) -> bool:
    return old.get(name, Zone(name)).pile or new.get(name, Zone(name)).pile


def _minus(one: Zone | None, other: Zone | None) -> Counter[str]:
    return Counter(one.cards if one else ()) - Counter(other.cards if other else ())


def _down(zones: Mapping[str, Zone], name: str) -> int:
    return zones[name].down if name in zones else 0


def _same_faces(gone: dict[str, Counter[str]], come: dict[str, Counter[str]]) -> list[Way]:
    found = []
    for source, leaving in gone.items():
        for target, arriving in come.items():
            both = leaving & arriving
            if both.total() and source != target:
                leaving.subtract(both)
                arriving.subtract(both)
                gone[source], come[target] = leaving, arriving
                faces = tuple(both.elements())
                found.append(Way(source, target, faces, faces))
    return found


def _turned(less: dict[str, int], come: dict[str, Counter[str]], held: Counter[str]) -> list[Way]:
    """Cards that a stack loses and that lie open somewhere afterwards, but those that are `held`."""
    found = []
    for source in less:
        for target, arriving in come.items():
            faces = list((arriving - held).elements())[: less[source]]
            if faces:
                arriving.subtract(faces)
                less[source] -= len(faces)
                found.append(Way(source, target, (None,) * len(faces), tuple(faces)))
    return found


def _turned_over(gone: dict[str, Counter[str]], more: dict[str, int]) -> list[Way]:
    """Open cards that end up face down: a pile that is shuffled into the stock."""
    found = []
    for target in more:
        for source, leaving in gone.items():
            faces = list(leaving.elements())[: more[target]]
            if faces:
                leaving.subtract(faces)
                more[target] -= len(faces)
                found.append(Way(source, target, tuple(faces), (None,) * len(faces)))
    return found
