"""What lies in each zone as far as it can be known: every zone rests by itself, and is remembered while a hand covers
it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.games import Zone
from companion.table.layout import Layout, ZoneShape
from companion.table.meant import meant
from companion.vision.types import Candidate, Point, Quad, SeenCard, SeenTable, Side

REST = 0.25
"""A zone rests when nothing has moved in it for so long, s."""
BESIDE = 2.0
"""Where something moves what lies there counts once it has looked the same for so long, s."""
STEADY = 1.0
"""… and where nothing does but what has moved there for long, for so long, s."""
LAPSES = 60.0
"""A card that was glimpsed so long ago (s) says nothing any more. Chosen by hand."""
LONG = 1.0
"""A card that lies in one place for so long (s) was not only put down in passing."""
UNMOVED = 3.0
"""A zone that looks otherwise so long after something last moved there (s) was read otherwise: no card has left it."""


@dataclass(frozen=True, slots=True)
class ZoneSeen:
    """A zone as last seen at rest: its cards, and since when it lies so (s of the camera's clock; -inf: longer than
    anybody knows). `resting`: it rests now; else something moves there, and this is how it lay before. `rested`: when
    it last did; `filled`: when a card was last seen there, `bare`: when none was, `emptied`: when one last was before
    that; `stirred`: when something last moved there; `before`: when it last rested as it lay before; `busy`: when
    something that is never still, as a dealer's hands, was last there."""

    cards: tuple[SeenCard, ...] = ()
    since: float = -math.inf
    resting: bool = True
    rested: float = -math.inf
    filled: float = -math.inf
    bare: float = -math.inf
    emptied: float = -math.inf
    stirred: float = -math.inf
    before: float = -math.inf
    busy: float = -math.inf

    @property
    def unmoved(self) -> bool:
        """It looks otherwise than before although nothing moved there."""
        return -math.inf < self.stirred < self.since - UNMOVED


Sight = Mapping[str, ZoneSeen]
Marks = tuple[tuple[int, str | None, str], ...]


def marks(cards: Iterable[SeenCard]) -> Marks:
    """What tells one state of a zone from another: each card's number, face and side."""
    return tuple(sorted((card.track, card.face, card.side.value) for card in cards))


def otherwise(then: Marks, now: Marks) -> bool:
    """Other cards lie there: neither the same ones nor the same faces."""
    faces = sorted(str(face) for _, face, _ in then), sorted(str(face) for _, face, _ in now)
    return then != now and (faces[0] != faces[1] or not now)


@dataclass(frozen=True, slots=True)
class Beside:
    """A zone in which something moves: the numbers of the cards that lay there when nothing did (`known`), how it lies
    now and since when (s), and whether that counted before, beside what moves."""

    known: frozenset[int]
    lay: Marks
    since: float
    counts: bool = False


@dataclass(slots=True)
class Memory:
    """Remembers every zone of a layout through hands and covers."""

    layout: Layout
    zones: dict[str, ZoneSeen] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    """Zones in which cards have been seen: those that the players use on this table."""
    named: dict[int, str | None] = field(default_factory=dict)
    """What people said of cards, by number; None: that is no card."""
    surmised: dict[int, str] = field(default_factory=dict)
    """What cards without a name were taken for when the camera told of them, by number."""
    belongs: dict[int, tuple[str, SeenCard]] = field(default_factory=dict)
    """Cards that belong to another zone than that in which they lie, as people said: to which, and how they lay."""
    placed: dict[int, float] = field(default_factory=dict)
    """When cards were last seen in some place, by number, s."""
    lacking: dict[int, tuple[str, Marks]] = field(default_factory=dict)
    """Cards that nobody sees, by the numbers with which people are asked about them: in which zone, and how it lay."""
    mistaken: set[int] = field(default_factory=set)
    """Cards whose place people took for that of another one, over them: they have their numbers with a minus."""
    buried: dict[int, float] = field(default_factory=dict)
    """Cards that lay covered where the game says that they lie no more, as they were taken from under others: nobody
    sees them. By number: since when one is seen there all the same, as a card that comes anew; else infinite."""
    tracks: dict[str, set[int]] = field(default_factory=dict)
    """Numbers of the cards that were seen in a zone while it was as the game expects."""
    glimpsed: dict[int, tuple[str, SeenCard]] = field(default_factory=dict)
    """Cards with a name that were seen where something moves, and their zones, by number."""
    stayed: set[int] = field(default_factory=set)
    """Numbers of those of them that had lain there for a while."""
    unwatched: set[int] = field(default_factory=set)
    """Cards that came while nobody watched, by number: other ones may have come and gone before them."""
    shown: Layout = field(init=False)
    """The layout in the units of the table as last seen."""
    _away: dict[str, float] = field(default_factory=dict)
    """Zones not seen since nobody watched, or only since so long ago (s; infinite: not yet)."""
    _beside: dict[str, Beside] = field(default_factory=dict)
    _confirmed: dict[str, tuple[tuple[str, ...], bool]] = field(default_factory=dict)
    _came: set[str] = field(default_factory=set)
    """Zones to which cards were seen to come that the camera has told of since the last look."""
    _open: set[str] = field(default_factory=set)
    """Faces that the game has lying open."""
    _lay_as: dict[int, str | None] = field(default_factory=dict)
    """The faces of those of `tracks`, None of backs."""

    def __post_init__(self) -> None:
        self.shown = self.layout

    def lapse(self) -> None:
        """Nobody has watched the table for a while, up to now."""
        self._away = dict.fromkeys(self.layout.ids, math.inf)

    def take_in(self, seen: SeenTable) -> bool:
        """Take in a look; True when some zone at rest holds something else than before."""
        layout = self.shown = self.layout.for_table(seen.unit, seen.size)
        cards = [card for card in map(self._told, self._risen(seen)) if card is not None]
        placed = self._completed(self._rehomed(layout.place(cards), cards))
        stirred = last_stirred(layout, seen)
        lasting = [stir for stir in seen.stirs if stir.lasting]
        # A look that says nothing about time shows a table that has lain so for long.
        timed = bool(seen.stirs) or any(card.since > -math.inf for card in seen.cards)
        changed = False
        self.glimpsed = {n: one for n, one in self.glimpsed.items() if one[1].since > seen.time - LAPSES}
        self.stayed &= self.glimpsed.keys()
        for shape in layout.zones:
            now, old = placed[shape.id], self.zones.get(shape.id)
            moved = stirred.get(shape.id, -math.inf)
            moves = not seen.settled and (not seen.stirs or seen.time - moved < REST)
            there = max((stir.time for stir in lasting if _touches(shape, stir.area)), default=-math.inf)
            busy = max(there, old.busy if old is not None else there)
            if not self._at_rest(shape.id, now, seen, moves=moves, beside=not moves and there > -math.inf):
                self.zones[shape.id] = replace(old or ZoneSeen(since=moved), resting=False, busy=busy)
                named = {c.track: (shape.id, c) for c in now if c.face is not None and not c.covered}
                self.glimpsed |= named
                self.stayed |= {track for track, (_, c) in named.items() if c.since + LONG <= seen.time}
                continue
            # What people say of a card does not move it: it has lain so for as long as before.
            lay = () if old is None else tuple(card for card in map(self._told, old.cards) if card is not None)
            same = old is not None and marks(lay) == marks(now)
            known = max((card.since for card in now), default=-math.inf)
            since = old.since if same and old is not None else max(moved, known)
            if not same and old is not None and timed:
                since = max(since, seen.time)
            shown = any(not card.covered for card in now)
            filled = seen.time if shown else old.filled if old is not None else -math.inf
            bare = seen.time if not now else old.bare if old is not None else -math.inf
            emptied = filled if not now else old.emptied if old is not None else -math.inf
            stir = max(moved, old.stirred if old is not None else -math.inf)
            before = -math.inf if old is None else old.before if same else old.rested
            self.zones[shape.id] = ZoneSeen(now, since, True, seen.time, filled, bare, emptied, stir, before, busy)
            changed |= old is None or marks(old.cards) != marks(now)
            self._note_unwatched(shape.id, now, () if old is None else old.cards, seen.time)
            if now:
                self.used.add(shape.id)
        return changed

    def _note_unwatched(self, name: str, now: Sequence[SeenCard], old: Sequence[SeenCard], time: float) -> None:
        """A zone is seen at rest: what is new in its first looks since nobody watched, came meanwhile."""
        if name in self._away:
            self._away[name] = min(self._away[name], time)
            self.unwatched |= {card.track for card in now} - {card.track for card in old}
            if time >= self._away[name] + STEADY:
                del self._away[name]

    def _at_rest(self, name: str, now: Sequence[SeenCard], seen: SeenTable, *, moves: bool, beside: bool) -> bool:
        """Nothing moves in a zone, or only beside new cards that have lain there for long: a dealer's hands are never
        still. From then on what leaves it counts as well; before, it may be in the hand that is there."""
        before = self._beside.pop(name, Beside(frozenset(), (), seen.time))
        if beside:
            since = before.since if before.lay == marks(now) else seen.time
            steady = seen.time - since >= STEADY
            known = frozenset(card.track for card in now) if steady else before.known
            self._beside[name] = Beside(known, marks(now), since, before.counts)
            return steady
        if not moves:
            self._beside[name] = Beside(frozenset(card.track for card in now), (), seen.time)
            return True
        since = before.since if before.lay == marks(now) else seen.time
        new = before.counts or not before.known.issuperset(card.track for card in now)
        counts = bool(seen.stirs) and new and seen.time - since >= BESIDE
        self._beside[name] = Beside(before.known, marks(now), since, counts or before.counts)
        return counts

    def _risen(self, seen: SeenTable) -> Iterator[SeenCard]:
        """The cards seen, but for those buried; one of these that is seen again came just now."""
        for card in seen.cards:
            if card.track in self.buried and not card.covered:
                self.buried[card.track] = min(self.buried[card.track], seen.time)
            since = self.buried.get(card.track, -math.inf)
            if since < math.inf:
                yield replace(card, since=max(card.since, since))

    def _rehomed(
        self, there: Mapping[str, tuple[SeenCard, ...]], seen: Sequence[SeenCard]
    ) -> Mapping[str, tuple[SeenCard, ...]]:
        """The cards of every zone, those put where people said that they belong as long as they lie as they did."""
        now = {card.track: card for card in seen}
        for track, (_, then) in list(self.belongs.items()):
            if track not in now or math.dist(now[track].centre, then.centre) > _half(then):
                del self.belongs[track]
        found = {zone: tuple(c for c in cards if c.track not in self.belongs) for zone, cards in there.items()}
        for track, (zone, _) in self.belongs.items():
            found[zone] = (*found.get(zone, ()), now[track])
        return found

    def _completed(self, there: Mapping[str, tuple[SeenCard, ...]]) -> Mapping[str, tuple[SeenCard, ...]]:
        """The cards of every zone, and those that people named though nobody sees them, while the others lie so."""
        found = dict(there)
        for number, (zone, then) in self.lacking.items():
            face, cards = self.named.get(number), there.get(zone, ())
            if face is not None and marks(cards) == then:
                unseen = replace(cards[-1], track=number, face=face, side=Side.UP, covered=False, crop=None)
                found[zone] = (*found[zone], replace(unseen, confidence=1.0, candidates=(Candidate(face, 1.0),)))
        return found

    def name(self, track: int, face: str | None) -> int:
        """People say what card `track` is; None: no card. The number of the card that they mean: where it is another,
        they are to be asked about `track` once more, by minus that number."""
        cards = [card for zone in self.zones.values() for card in zone.cards]
        number = track if face is None or track < 0 else meant(cards, track, face)
        if number != track:
            self.mistaken.add(track)
        self.named[number] = face
        if -number in self.mistaken:
            self.named[-number] = face  # what was thought of it before
        return number

    def tell(self, pairs: Iterable[tuple[SeenCard, str]], zones: Iterable[str]) -> None:
        """The camera told of these cards as those faces: while the game has such a card open, one that has no name
        counts as it. `zones`: where cards of what it told were seen to come; they may be gone by now."""
        self._came.update(zones)
        self.surmised |= {card.track: face for card, face in pairs if card.face is None and _looks_like(card, face)}

    def lacks(self, zone: str, number: int) -> None:
        """People are asked about a card of a zone that nobody sees."""
        cards = self.zones[zone].cards
        if all(card.track != number for card in cards):
            self.lacking[number] = zone, marks(card for card in cards if card.track not in self.lacking)

    def _told(self, card: SeenCard) -> SeenCard | None:
        """A card as people named it, else as the camera told of it; None where they said that there is none."""
        if card.track in self.mistaken:
            card = replace(card, track=-card.track)
        if card.track not in self.named:
            face = self.surmised.get(card.track) if card.face is None else None
            return replace(card, face=face) if face in self._open and _looks_like(card, face) else card
        face = self.named[card.track]
        return (
            None
            if face is None
            else replace(card, face=face, confidence=1.0, side=Side.UP, candidates=(Candidate(face, 1.0),))
        )

    def unseen_stacks(self, expected: Iterable[Zone]) -> list[tuple[Point, ...]]:
        """The places (table coordinates) where only cards face down should lie, and where none is seen."""
        down = {zone.id for zone in expected if zone.pile and zone.down and not zone.cards}
        bare = down - {name for name, seen in self.zones.items() if seen.cards}
        return [shape.polygon for shape in self.shown.zones if shape.id in bare]

    def sight(self, expected: Iterable[Zone]) -> dict[str, ZoneSeen]:
        """The zones that may be compared with what the game expects.

        Out of sight are zones the players do not use, and zones where the camera never saw the cards that should lie
        there, because people hold them in their hands or only told of them: what was not seen to lie there cannot be
        seen to leave.
        """
        zones = self.confirm(expected)
        return {name: seen for name, seen in self.zones.items() if self._counts(name, seen, zones.get(name))}

    def confirm(self, expected: Iterable[Zone]) -> dict[str, Zone]:
        """Note where the cards that should lie somewhere were seen to lie; returns the zones by name."""
        zones = {zone.id: zone for zone in expected}
        claims = {zone.id: (zone.cards, zone.down > 0) for zone in zones.values()}
        self._open = {face for zone in zones.values() for face in zone.cards}
        before = self._confirmed
        gone = {zone for zone in self._came if zone in self.zones and not self.zones[zone].cards}
        self._confirmed = {
            zone: claims[zone] for zone in before if zone in claims and (claims[zone] == before[zone] or zone in gone)
        }
        self._came.clear()
        for name, seen in self.zones.items():
            if seen.cards and name in claims:
                if name not in self._confirmed:
                    self._bury(zones[name], seen.cards, before[name][0] if name in before else ())
                    self.tracks[name] = set()
                news = {card.track for card in seen.cards if self._is_news(card, zones[name])}
                self.tracks[name] -= news
                self._confirmed[name] = claims[name]
                if seen.resting:
                    self.tracks[name] |= accounted(zones[name], seen.cards, news)
                    self._lay_as |= {c.track: c.face for c in seen.cards if c.track in self.tracks[name]}
        return zones

    def _is_news(self, card: SeenCard, zone: Zone) -> bool:
        """A card that is known to lie there shows another face: it was turned over, or one was laid exactly on it."""
        if card.side is Side.DOWN or card.track not in self._lay_as:
            return False
        before = self._lay_as[card.track]
        return before is None or (zone.pile and before != card.face and card.face is not None)

    def _bury(self, zone: Zone, seen: Sequence[SeenCard], before: Sequence[str]) -> None:
        """Covered cards of a zone that held `before` other ones: those that it holds no more were taken, of a pile from
        below; the place of the others is out of sight."""
        gone = Counter(before) - Counter(zone.cards)
        for card in seen:
            if card.covered and card.face is not None and gone[card.face] > 0:
                gone[card.face] -= 1
                self.buried[card.track] = math.inf

    def _counts(self, name: str, seen: ZoneSeen, expected: Zone | None) -> bool:
        if expected is None or not (seen.cards or name in self.used):
            return False
        return bool(seen.cards) or not (expected.cards or expected.down) or name in self._confirmed

    def marks(self, zones: Collection[str]) -> dict[str, Marks]:
        """How these zones lie, each for itself."""
        return {zone: marks(self.zones[zone].cards) for zone in zones if zone in self.zones}


def _looks_like(card: SeenCard, face: str | None) -> bool:
    """A card without a name looks most like this face."""
    return card.side is Side.UP and any(one.face == face for one in card.candidates[:1])


def _half(card: SeenCard) -> float:
    """Half the length of a card: who moves it farther has put it elsewhere."""
    a, b, c, _ = card.polygon
    return max(math.dist(a, b), math.dist(b, c)) / 2


def accounted(zone: Zone, cards: Sequence[SeenCard], news: Collection[int] = ()) -> set[int]:
    """Numbers of the cards that should lie in a zone that shows all it should (a pile: its top), those seen first for
    each face, and last those that are `news`; where nothing but backs or no faces are expected, of the backs alone."""
    wanted, found = Counter(zone.cards), set()
    for card in sorted(cards, key=lambda card: (card.track in news, card.track)):
        if card.side is Side.DOWN:
            found.add(card.track)
        elif card.face is not None and wanted[card.face] > 0:
            wanted[card.face] -= 1
            found.add(card.track)
    shown = zone.cards[-1:] if zone.pile else zone.cards
    return found if not any(wanted[face] > 0 for face in shown) else set()


def last_stirred(layout: Layout, seen: SeenTable) -> dict[str, float]:
    """When something last moved in each zone; zones where nothing did are left out."""
    found: dict[str, float] = {}
    boxes = [(shape, _box(shape.polygon)) for shape in layout.zones]
    for stir in sorted((stir for stir in seen.stirs if not stir.lasting), key=lambda stir: -stir.time):
        box = _box(stir.area)
        for shape, place in boxes:
            if shape.id not in found and _overlap(box, place) and _touches(shape, stir.area):
                found[shape.id] = stir.time
    return found


Box = tuple[float, float, float, float]


def _box(points: Iterable[Point]) -> Box:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _overlap(a: Box, b: Box) -> bool:
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def _touches(shape: ZoneShape, area: Quad) -> bool:
    left, top, right, bottom = _box(area)
    steps = [left + (right - left) * n / 8 for n in range(9)]
    if any(shape.holds((x, y)) for y in (top, (top + bottom) / 2, bottom) for x in steps):
        return True
    return any(left <= x <= right and top <= y <= bottom for x, y in shape.polygon)
