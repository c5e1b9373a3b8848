"""Hexa Card: the best way to part six cards into jewels, coins and an amulet (section 4 of the rule specification)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from companion.cards import deck as named_deck
from companion.hands.base import HandError
from companion.hands.options import Given, HouseRule, as_text, resolved

HOUSE_RULES = (
    HouseRule("ace_run", ("low", "both"), "7.6"),
    HouseRule("amulet_voluntary", ("yes", "no"), "7.7"),
    HouseRule("amulet_inside", ("no", "yes"), "7.8"),
    HouseRule("friend_park", ("few", "strict"), "7.9"),
    HouseRule("amulet_counts", ("no", "yes"), "7.10"),
    HouseRule("holy", ("no", "yes"), "110"),
)
"""`holy` is no house rule but a declaration before the first turn (108-110): it adds its ten points."""

HOLY = 10
ACE, KING = 1, 13
_FULL = 0b111111
_MEMBERS = tuple(tuple(i for i in range(6) if mask >> i & 1) for mask in range(_FULL + 1))
"""The places of a set of places that is written as bits."""
_DECK = named_deck("52D1")
_NUMBER = {rank: i for i, rank in enumerate(_DECK.ranks, 1)}
_SORTED = {face.code: (_NUMBER[face.rank], face.suit, face.code) for face in _DECK.faces}


@dataclass(frozen=True, slots=True)
class Group:
    """Some of the six: `kind` is ``jewel`` or ``coin``, `cards` in ascending order, `diret`: only pictures (97)."""

    kind: str
    cards: tuple[str, ...]
    points: int
    friends: bool = False
    aces: bool = False
    diret: bool = False


@dataclass(frozen=True, slots=True)
class Partition:
    """Six cards parted as well as they can be.

    `out`: the hand may go out. `base`: sum of the groups; `multiplier`: of kingdom (x4) and park (x2); `amulet`: points
    of the card left over; `score`: everything, holy included. A friend park has no groups, its sum is `base`.
    """

    out: bool
    score: int = 0
    base: int = 0
    multiplier: int = 1
    amulet: int = 0
    amulet_card: str | None = None
    groups: tuple[Group, ...] = ()
    kingdom: bool = False
    park: bool = False
    friend_park: bool = False
    holy: int = 0


class _Six(NamedTuple):
    """The cards in ascending order, with the options in force."""

    cards: tuple[str, ...]
    numbers: tuple[int, ...]
    suits: tuple[str, ...]
    options: Mapping[str, str]


def _jewel(six: _Six, members: Sequence[int]) -> Group | None:
    number = six.numbers[members[0]]
    if any(six.numbers[i] != number for i in members):
        return None
    points = len(members) ** 2 * (3 if number == ACE else 1) * (2 if number > 10 else 1)
    cards = tuple([six.cards[i] for i in members])
    return Group("jewel", cards, points, aces=number == ACE, diret=number > 10)


def _coin(six: _Six, members: Sequence[int]) -> Group | None:
    numbers = [six.numbers[i] for i in members]
    if six.options["ace_run"] == "both":
        numbers = _aces_high(numbers, KING)
    if not _run(numbers):
        return None
    friends = len({six.suits[i] for i in members}) == 1
    ace, pictures = not {ACE, KING + 1}.isdisjoint(numbers), all(10 < n <= KING for n in numbers)
    points = (len(members) ** 2 if friends else len(members)) * (2 if ace else 1) * (2 if pictures else 1)
    ordered = tuple([six.cards[i] for _, i in sorted(zip(numbers, members, strict=True))])
    return Group("coin", ordered, points, friends, ace, pictures)


def _aces_high(numbers: list[int], king: int) -> list[int]:
    """Beside a king the ace comes after it (7.6)."""
    return [king + 1 if n == ACE else n for n in numbers] if king in numbers else numbers


def _run(numbers: Sequence[int]) -> bool:
    """Numbers that follow one another."""
    return len(set(numbers)) == len(numbers) and max(numbers) - min(numbers) == len(numbers) - 1


def group(cards: Sequence[str], options: Given | None = None) -> Group | None:
    """The one group that all of `cards` (two or more) make, or None. Raises OptionError, NotationError."""
    six = _six(cards, _chosen(options))
    return _group(six, range(len(cards))) if len(cards) > 1 else None


def _group(six: _Six, members: Sequence[int]) -> Group | None:
    return _jewel(six, members) or _coin(six, members)


def _chosen(options: Given | None) -> dict[str, str]:
    given = options.items() if options else ()
    return _resolved(frozenset([(name, value if type(value) is str else as_text(value)) for name, value in given]))


@lru_cache(maxsize=256)
def _resolved(options: frozenset[tuple[str, str]]) -> dict[str, str]:
    return resolved(HOUSE_RULES, dict(options))


def _six(cards: Sequence[str], chosen: Mapping[str, str]) -> _Six:
    try:
        faces = sorted([_SORTED[card] for card in cards])
    except KeyError as error:
        _DECK.face(error.args[0])  # raises NotationError with the nearest codes
        raise
    return _Six(tuple([f[2] for f in faces]), tuple([f[0] for f in faces]), tuple([f[1] for f in faces]), chosen)


Way = tuple[tuple[int, ...], int | None]
"""A partition: the groups as bits, and the place that is left over."""


class _Layout(NamedTuple):
    """What six numbers allow, suits aside: `groups`, sets of places as bits, and every partition into such groups."""

    groups: frozenset[int]
    ways: tuple[Way, ...]


def _layout(six: _Six) -> _Layout:
    """The groups and partitions of the six. They depend on the steps from card to card alone, which are few."""
    numbers = six.numbers
    steps = tuple([min(after - before, 2) for before, after in pairwise(numbers)])
    ring = six.options["ace_run"] == "both" and numbers[0] == ACE and numbers[-1] == KING
    return _layout_of(steps, ring, six.options["amulet_voluntary"] == "yes")


@cache
def _layout_of(steps: tuple[int, ...], ring: bool, voluntary: bool) -> _Layout:
    """`steps`: 0 to an equal number, 1 to the next, 2 to any further one; `ring`: the last are kings, the first aces
    that may follow them; `voluntary`: the card left over may be one that would fit a group (7.7)."""
    numbers = tuple(accumulate(steps, initial=ACE))
    groups = []
    for mask, members in enumerate(_MEMBERS):
        held = [numbers[i] for i in members]
        if len(held) > 1 and (len(set(held)) == 1 or _run(_aces_high(held, numbers[-1]) if ring else held)):
            groups.append(mask)
    ways: list[Way] = [(masks, None) for masks in _covers(groups, _FULL)]
    for left in range(6):
        ways += [
            (masks, left)
            for masks in _covers(groups, _FULL ^ 1 << left)
            if voluntary or not any(mask | 1 << left in groups for mask in masks)
        ]
    return _Layout(frozenset(groups), tuple(ways))


def _covers(groups: Collection[int], rest: int) -> Iterator[tuple[int, ...]]:
    """Every way to part the places `rest` into groups."""
    if not rest:
        yield ()
        return
    lowest = rest & -rest
    for mask in groups:
        if mask & lowest and mask & rest == mask:
            for others in _covers(groups, rest ^ mask):
                yield (mask, *others)


def _amulet_points(number: int) -> int:
    return 20 if number in (ACE, KING) else number


def _scored(six: _Six, groups: Mapping[int, Group], way: Way) -> Partition:
    options, (masks, left) = six.options, way
    looked_at = [i for i in range(6) if i != left or options["amulet_counts"] == "yes"]
    kingdom = all(six.numbers[i] > 10 for i in looked_at)
    park = len({six.suits[i] for i in looked_at}) == 1
    base = sum(groups[mask].points for mask in masks)
    multiplier = (4 if kingdom else 1) * (2 if park else 1)
    amulet = 0 if left is None else _amulet_points(six.numbers[left])
    holy = HOLY if options["holy"] == "yes" else 0
    inside = options["amulet_inside"] == "yes"
    score = (base + amulet + holy) * multiplier if inside else base * multiplier + amulet + holy
    parts = tuple(sorted((groups[mask] for mask in masks), key=lambda g: (g.points, g.cards)))
    card = None if left is None else six.cards[left]
    return Partition(True, score, base, multiplier, amulet, card, parts, kingdom, park, False, holy)


def best_partition(cards: Sequence[str], options: Given | None = None) -> Partition:
    """The partition of six cards with the highest score (87); `out` is False when the hand does not qualify.

    Raises HandError for another number of cards, NotationError for foreign cards, OptionError.
    """
    six = _whole(cards, options)
    layout = _layout(six)
    if not layout.ways:
        return _friend_park(six, bool(layout.groups))
    used = {mask for masks, _ in layout.ways for mask in masks}
    groups = {mask: made for mask in used if (made := _group(six, _MEMBERS[mask]))}
    return max((_scored(six, groups, way) for way in layout.ways), key=_rank)


def _rank(partition: Partition) -> tuple[int, int, list[int]]:
    """The highest score; of equal ones the fewest groups, then the largest: 2-3-4-5-6 is a coin of five (91)."""
    sizes = sorted((len(group.cards) for group in partition.groups), reverse=True)
    return partition.score, -len(sizes), sizes


def may_go_out(cards: Sequence[str], options: Given | None = None) -> bool:
    """``best_partition(cards, options).out``, quicker. Errors alike."""
    six = _whole(cards, options)
    layout = _layout(six)
    return bool(layout.ways) or _friend_park(six, bool(layout.groups)).out


def _whole(cards: Sequence[str], options: Given | None) -> _Six:
    if len(cards) != 6:
        raise HandError(len(cards), 6)
    return _six(cards, _chosen(options))


_NOTHING = Partition(False)


def _friend_park(six: _Six, groups: bool) -> Partition:
    """No qualifying hand, but all six cards of one suit: the sum of the numbers (104, 7.9)."""
    if len(set(six.suits)) > 1 or (six.options["friend_park"] == "strict" and groups):
        return _NOTHING
    holy = HOLY if six.options["holy"] == "yes" else 0
    base = sum(six.numbers)
    return Partition(True, base + holy, base, friend_park=True, holy=holy)
