"""Which zones a hand touched, from where its tip was: where it stayed or turned back, not where it passes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from companion.table.layout import Layout
from companion.vision.types import Point, SeenTable, Stop, Visit

STAYS = 0.15
"""A hand that stays in a zone for so long has done something there, s; so has one that turns back there."""
LINGERS = 0.45
"""The same on its way out, where it leaves traces of its own."""
TURNS = 0.2
"""A hand turns back when it goes, and went, by so much of the farthest that it reaches."""
COMES = 0.3
"""The tip of a hand that comes is seen on its way at most so long before, s."""
AWAY = 2.0
"""Who is not seen for so long (s) while he is over the table has rested there, or nobody saw him go and come."""
RESTS = 0.6
"""A hand that stays in one place for so long rests there, s. Chosen by hand."""
NEAR = 30.0
"""The tips of a hand may be so far (mm, or the like share of the table) beside the zone that it reaches for."""
GOES_ON = 3.0
"""So soon after an action (s) the same hand in the same place belongs to it."""
TREMBLES, AGAIN = 0.4, 0.6
"""A hand that is back in a zone so soon (s) was there all the time: no hand goes and comes faster; so was one that is
back a little later, and did not draw back."""
FASTEST = 6.0
"""No hand goes so many times as far in a second as it reaches, to and fro: where it rests its tip is lost at times, and
the arm nearer to the edge taken for it."""
SURELY = 0.35
"""A hand that goes on where another from its side was just before has surely come anew if it stays for so long, s.
Chosen by hand."""
SHOULDER, BEFORE_HIM, FOLLOWED = 300.0, 200.0, 1.5
"""How far (mm, or the like share of the table) beyond the edge a player's shoulder is that his arm points to. The
arm is followed so many times as far as the hand reaches beyond what lies before him: of a short arm nobody sees well
where it points."""
SPREAD = 15.0
"""Standard deviation of the direction from which a player's hands come, degrees: on films 8 to 13, three of a hundred
by more than 24 to 30."""
ALIKE = 30.0
"""Hands of one player come from directions at most so different (degrees) that nobody else's lies between."""


@dataclass(frozen=True, slots=True)
class Touch:
    """A hand in a zone: of which visit, from which `direction` (degrees) it came, and when it was there (s)."""

    visit: int
    direction: float
    zone: str
    began: float
    ended: float
    glimpse: bool = False
    """Its tip was lost just before or after: it may have reached farther, and have only passed here."""
    puts_down: bool = False
    """The same hand was at this stack more than once while nothing was known yet: it may have dealt, or put down the
    rest."""
    rested: bool = False
    """It was seen again where it may have rested until it was taken for the table: it may have done nothing."""
    tips: tuple[Point, ...] = ()
    """Where in the zone its tip stayed or turned back."""

    def follows(self, before: Touch) -> bool:
        """It is the same hand as one before, or comes from the same side soon after it."""
        soon = before.began <= self.began < before.ended + GOES_ON
        return self.visit == before.visit or (soon and alike(before.direction, self.direction))


def touches(layout: Layout, seen: SeenTable) -> list[Touch]:
    """The hands of a look, zone by zone, in the order in which they were there."""
    found: list[Touch] = []
    for visit, rested, came in _stays(seen.visits):
        own = list[Touch]()
        again = bool(visit.stops) and _goes_on(layout, visit, seen.visits)
        stays = (stop.point for stop in visit.stops if stop.ended > stop.began)
        inside = [zone for point in stays if (zone := layout.zone_of(point)) is not None]
        for point, began, ended, glimpse in _aims(visit, came):
            zone = _zone_at(layout, point, inside)
            glimpse |= again and began == visit.stops[0].began and ended - began < SURELY
            if zone is None:
                continue
            at = next((n for n in reversed(range(len(own))) if own[n].zone == zone), None)
            if at is not None and _same(visit, point, own[at].ended, began):
                old = own[at]  # it only seemed to be elsewhere
                ended = max(ended, old.ended)
                short = old.glimpse and glimpse and ended - old.began < STAYS
                own[at:] = [replace(old, ended=ended, glimpse=short, tips=(*old.tips, point))]
            else:
                side = came_from(layout, visit.entry, point)
                own.append(Touch(visit.number, side, zone, began, ended, glimpse, rested=rested, tips=(point,)))
        found += own
    return _one_hand(sorted(found, key=lambda touch: touch.began))


def _stays(visits: Iterable[Visit]) -> Iterator[tuple[Visit, bool, bool]]:
    """Each visit, parted where its hand was not seen for longer than any hand that only comes and goes: what was seen
    of it then, and whether that is where it was last, so that it may have rested; or elsewhere, so that it, or another
    from under it, has come there."""
    for visit in visits:
        stops = visit.stops
        starts = [at for at in range(1, len(stops)) if stops[at].began - stops[at - 1].ended > AWAY]
        for one, other in pairwise([0, *starts, len(stops)]):
            there = one > 0 and math.dist(stops[one].point, stops[one - 1].point) <= NEAR
            yield replace(visit, stops=stops[one:other]), there, one > 0 and not there


def _one_hand(found: Iterable[Touch]) -> list[Touch]:
    """A visit that begins where another from the same side has just ended is the same hand, seen anew."""
    joined: list[Touch] = []
    for touch in found:
        for at, old in enumerate(joined):
            soon = touch.zone == old.zone and touch.visit != old.visit and touch.began < old.ended + TREMBLES
            if soon and alike(touch.direction, old.direction):
                glimpse, tips = old.glimpse and touch.glimpse, (*old.tips, *touch.tips)
                joined[at] = replace(old, ended=max(old.ended, touch.ended), glimpse=glimpse, tips=tips)
                break
        else:
            joined.append(touch)
    return joined


def was_lost(visit: Visit) -> bool:
    """A hand was last seen on its way in: where it went then, and what it did there, nobody saw."""
    if visit.ended is None or len(visit.stops) < 2:
        return False
    *before, last = (math.dist(stop.point, visit.entry) for stop in visit.stops)
    came = visit.stops[-1].began - visit.stops[-2].ended <= COMES
    passing = visit.stops[-1].ended - visit.stops[-1].began < STAYS
    return came and passing and last > (1.0 + TURNS) * before[-1]


def _aims(visit: Visit, came: bool = False) -> Iterator[tuple[Point, float, float, bool]]:
    """Where a hand stayed, or turned back, and whether that is but a glimpse of it. What turns back without having come
    only left: a card that was dealt, a hand that was not told from another one before; unless it surely `came`."""
    reach = [math.dist(stop.point, visit.entry) for stop in visit.stops]
    farthest = _turns(reach, TURNS * max(reach, default=0.0))
    turns = {at for at in farthest if _came(visit.stops, at) or (came and at == 0)}
    for at, stop in enumerate(visit.stops):
        out = any(turn < at for turn in turns) and not any(turn > at for turn in farthest)  # lost on its way in again
        stayed = stop.ended - stop.began >= (LINGERS if out else STAYS)
        if (at in turns or stayed) and not _only_rests(visit, at):
            beside = zip(visit.stops[max(0, at - 1) :], visit.stops[max(1, at) : at + 2], strict=False)
            lost = any(_too_fast(one, then, reach[at]) for one, then in beside)
            withdrew = came and at == 0 and not _came(visit.stops, at)  # nobody saw it come there
            yield stop.point, stop.began, stop.ended, (lost or withdrew) and not stayed


def _only_rests(visit: Visit, at: int) -> bool:
    """For a moment the tip is where it rested for long, nearer to the edge than just before and after: it was lost, and
    a hand at rest under it taken for it."""
    stop = visit.stops[at]
    if stop.ended - stop.began >= LINGERS or not 0 < at < len(visit.stops) - 1:
        return False
    before, own, after = (math.dist(one.point, visit.entry) for one in visit.stops[at - 1 : at + 2])
    if own > min(before, after):
        return False
    rests = (one for one in visit.stops[:at] if one.ended - one.began >= RESTS)
    return any(math.dist(one.point, stop.point) <= NEAR for one in rests)


def _goes_on(layout: Layout, visit: Visit, others: Iterable[Visit]) -> bool:
    """Just before, a hand from the same side was there: it may be that one, which nobody saw go and come."""
    ended = (other for other in others if other.stops and other.number != visit.number)
    return any(
        0 <= visit.stops[0].began - other.stops[-1].ended < TREMBLES
        and alike(direction(layout, visit.entry), direction(layout, other.entry))
        for other in ended
    )


def _too_fast(one: Stop, then: Stop, reach: float) -> bool:
    """No hand that reaches so far goes from one stop to the next in that time."""
    return math.dist(one.point, then.point) > FASTEST * (then.began - one.ended) * reach


def _same(visit: Visit, point: Point, after: float, before: float) -> bool:
    """A hand that was in a zone until `after` and is at this point of it from `before` on was there all the time: it
    may have gone for a moment, or for a little longer, if for less than half of its way or faster than any hand."""
    if before - after < TREMBLES:
        return True
    reach = math.dist(point, visit.entry)

    def stayed(stop: Stop) -> bool:
        fast = math.dist(stop.point, point) > FASTEST * min(stop.began - after, before - stop.ended) * reach
        return fast or math.dist(stop.point, visit.entry) >= 0.5 * reach

    between = (stop for stop in visit.stops if stop.began > after and stop.ended < before)
    return before - after < AGAIN and all(map(stayed, between))


def _came(stops: Sequence[Stop], at: int) -> bool:
    """The tip was on its way there just before."""
    return at > 0 and stops[at].began - stops[at - 1].ended <= COMES


def _turns(values: Sequence[float], least: float) -> set[int]:
    """Where values that rise turn to fall, by `least` before and after; the last rise counts as it is."""
    found: set[int] = set()
    top, low, rising = 0, 0, True
    for at, value in enumerate(values):
        if rising:
            top = at if value > values[top] else top
            if value < values[top] - least:
                found.add(top)
                low, rising = at, False
        else:
            low = at if value < values[low] else low
            if value > values[low] + least:
                top, rising = at, True
    return found | {top} if rising and values else found


def _zone_at(layout: Layout, point: Point, inside: Collection[str]) -> str | None:
    """The zone of a point, or one near it: rather one that the hand surely stayed in (`inside`) than the nearest."""
    zone = layout.zone_of(point)
    if zone is not None:
        return zone
    rings = [NEAR * _per_mm(layout) * part for part in (0.2, 0.4, 0.6, 0.8, 1.0)]
    around = [(r * math.cos(n * math.pi / 4), r * math.sin(n * math.pi / 4)) for r in rings for n in range(8)]
    near = [near for x, y in around if (near := layout.zone_of((point[0] + x, point[1] + y))) is not None]
    return next((zone for zone in near if zone in inside), near[0] if near else None)


def came_from(layout: Layout, entry: Point, tip: Point) -> float:
    """Where somebody sits whose arm comes over the edge at `entry` and has its hand at `tip`: the direction from the
    table's middle, degrees. Who sits beside another reaches slantwise for what lies before neither."""
    scale = _per_mm(layout)
    beyond = max(0.0, *(max(-at, at - size) for at, size in zip(entry, layout.size, strict=True)))
    reach = math.dist(entry, tip)
    seen = FOLLOWED * (reach - beyond - BEFORE_HIM * scale)
    on = max(0.0, min(SHOULDER * scale - beyond, seen)) / max(reach, 1e-9)
    x, y = (min(max(at + on * (at - to), 0.0), size) for at, to, size in zip(entry, tip, layout.size, strict=True))
    return direction(layout, (x, y))


def _per_mm(layout: Layout) -> float:
    """Units of the table for a mm; one in fractions of the picture is taken to be a metre wide."""
    return layout.size[0] / 1000.0 if layout.size[0] < 10 else 1.0


def sits_at(layout: Layout, middle: Point) -> float:
    """Where a player sits before whom a place with this middle lies: at the nearest edge of the table, degrees."""
    (x, y), (width, height) = middle, layout.size
    edges = ((0.0, y), (width, y), (x, 0.0), (x, height))
    return direction(layout, min(edges, key=lambda at: math.dist(at, middle)))


def direction(layout: Layout, point: Point) -> float:
    """Where a point lies from the table's middle, degrees; the table taken as a square."""
    return math.degrees(math.atan2(point[1] / layout.size[1] - 0.5, point[0] / layout.size[0] - 0.5))


def alike(one: float, other: float) -> bool:
    """Two hands come from about the same place: their directions, degrees."""
    return abs((one - other + 180.0) % 360.0 - 180.0) < ALIKE
