"""Hexa Card: the best way to part six cards into jewels, coins and an amulet (section 4 of the rule specification)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.cards import deck as named_deck
from companion.hands.base import HandError
from companion.hands.options import Given, HouseRule, resolved

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
_FULL = 0b111111
_DECK = named_deck("52D1")
_NUMBER = {rank: i for i, rank in enumerate(_DECK.ranks, 1)}


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


@dataclass(frozen=True, slots=True)
class _Six:
    cards: tuple[str, ...]
    numbers: tuple[int, ...]
    suits: tuple[str, ...]
    options: Mapping[str, str]


def _jewel(six: _Six, members: Sequence[int]) -> Group | None:
    number = six.numbers[members[0]]
    if any(six.numbers[i] != number for i in members):
        return None
    points = len(members) ** 2 * (3 if number == 1 else 1) * (2 if number > 10 else 1)
    cards = tuple(six.cards[i] for i in members)
    return Group("jewel", cards, points, aces=number == 1, diret=number > 10)


def _coin(six: _Six, members: Sequence[int]) -> Group | None:
    numbers = [six.numbers[i] for i in members]
    if six.options["ace_run"] == "both" and 13 in numbers:
        numbers = [14 if n == 1 else n for n in numbers]
    if len(set(numbers)) != len(numbers) or max(numbers) - min(numbers) != len(numbers) - 1:
        return None
    friends = len({six.suits[i] for i in members}) == 1
    ace, pictures = not {1, 14}.isdisjoint(numbers), all(10 < n < 14 for n in numbers)
    points = (len(members) ** 2 if friends else len(members)) * (2 if ace else 1) * (2 if pictures else 1)
    ordered = tuple(six.cards[i] for _, i in sorted(zip(numbers, members, strict=True)))
    return Group("coin", ordered, points, friends, ace, pictures)


def group(cards: Sequence[str], options: Given | None = None) -> Group | None:
    """The one group that all of `cards` (two or more) make, or None. Raises OptionError, NotationError."""
    six = _six(cards, resolved(HOUSE_RULES, options or {}))
    members = range(len(cards))
    return (_jewel(six, members) or _coin(six, members)) if len(cards) > 1 else None


def _six(cards: Sequence[str], chosen: Mapping[str, str]) -> _Six:
    faces = sorted((_DECK.face(card) for card in cards), key=lambda face: (_NUMBER[face.rank], face.suit))
    numbers = tuple(_NUMBER[face.rank] for face in faces)
    return _Six(tuple(f.code for f in faces), numbers, tuple(f.suit for f in faces), chosen)


def _groups(six: _Six) -> dict[int, Group]:
    """Every group among the six cards, by the set of their places as bits."""
    found: dict[int, Group] = {}
    for mask in range(3, _FULL + 1):
        if mask.bit_count() > 1:
            members = [i for i in range(6) if mask >> i & 1]
            made = _jewel(six, members) or _coin(six, members)
            if made is not None:
                found[mask] = made
    return found


def _covers(groups: Mapping[int, Group], rest: int) -> Iterator[tuple[int, ...]]:
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
    return 20 if number in (1, 13) else number


def _scored(six: _Six, groups: Mapping[int, Group], masks: tuple[int, ...], left: int | None) -> Partition:
    options = six.options
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


def _joins(groups: Mapping[int, Group], masks: tuple[int, ...], left: int) -> bool:
    return any(mask | 1 << left in groups for mask in masks)


def best_partition(cards: Sequence[str], options: Given | None = None) -> Partition:
    """The partition of six cards with the highest score (87); `out` is False when the hand does not qualify.

    Raises HandError for another number of cards, NotationError for foreign cards, OptionError.
    """
    if len(cards) != 6:
        raise HandError(len(cards), 6)
    six = _six(cards, resolved(HOUSE_RULES, options or {}))
    groups = _groups(six)
    found = [_scored(six, groups, masks, None) for masks in _covers(groups, _FULL)]
    for left in range(6):
        found += [
            _scored(six, groups, masks, left)
            for masks in _covers(groups, _FULL ^ 1 << left)
            if six.options["amulet_voluntary"] == "yes" or not _joins(groups, masks, left)
        ]
    if found:
        return max(found, key=lambda partition: partition.score)
    return _friend_park(six, groups)


def _friend_park(six: _Six, groups: Mapping[int, Group]) -> Partition:
    """No qualifying hand, but all six cards of one suit: the sum of the numbers (104, 7.9)."""
    if len(set(six.suits)) > 1 or (six.options["friend_park"] == "strict" and groups):
        return Partition(False)
    holy = HOLY if six.options["holy"] == "yes" else 0
    base = sum(six.numbers)
    return Partition(True, base + holy, base, friend_park=True, holy=holy)
