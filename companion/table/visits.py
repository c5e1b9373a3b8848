"""Hands that came and went: whose they may be, and what they did. Where no card tells who acted, or that somebody did,
the hand does.

A seat is known by the direction from which its hands come: told by the zones before it, learnt from what surely
happened, or else unknown. A visit that no action explains speaks against a hypothesis, and so does an action at a
stack that nobody reached for.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games import Zone
from companion.table.compare import gathered
from companion.table.dealt import again_there, deals, plays, slides
from companion.table.layout import Layout
from companion.table.parts import Part
from companion.table.sight import ZoneSeen
from companion.table.touches import GOES_ON, SPREAD, Touch, alike, came_from, sits_at, touches, was_lost
from companion.vision.types import SeenTable

FORGOTTEN, GOING_ON = 12.0, 20.0
"""A hand that nothing has explained after so long (s) only played about; what it did first counts longer while it
goes on: who exchanges five cards takes his time."""
OFTEN = 2
"""So often a hand is where a stack should lie that is not seen, when something is taken from it, to be no chance."""
AIMLESS, AT_STACK = 2.7, 3.0
"""Costs of a visit that no action explains; of one at a stack, where nobody only straightens a card."""
UNREACHED = 0.15
"""Cost of an action that changes what is seen although nobody was seen to do it: hands are missed now and then."""
LEFT_OUT, SURELY_LEFT_OUT = 2.3, 3.0
"""Costs of a stack that an action takes from, and that nobody reached for: where hands may have been missed, so that
people are asked where only that tells two actions apart; and where they have been watched all the time. On films none
of 297 hands was missed then (one of 298 in all); real ones may be quicker."""
PUTS_DOWN = 1.5
"""Cost of taking a hand that may only have put the stock down for one that drew from it: half of what it costs that
nobody drew. Chosen by hand."""
RESTED = 1.5
"""Cost of a hand at a stack that may only have rested there: whether it has drawn people are asked. Chosen by hand."""
ALL_THE_TIME = 5.0
"""Who has watched for so long before a card came, s, has seen where its player reached."""
OTHERS, STRANGER, FARTHEST = 2.0, 0.3, 3.5
"""Costs of taking a hand for that of a player whose place is not known, though it comes from another's, or from where
nobody is known; and at most of one from elsewhere."""
CLEARLY = 1.0
"""A hand is one player's where every other one's costs so much more."""
BEFORE, SOON = 4.0, 0.3
"""A hand that laid a card was there at most so long before the card was seen to lie, and not so much after it, s."""
COVERED = 1.0
"""The hand of an action was there at most so long before the cards of the action before it were seen to lie, s."""
FEW = 2
"""So many cards are not taken with more hands than cards (on films 1 of 85 times); who takes more was there far oftener
at times (11 times for six cards)."""
OVER = 1.5
"""A hand that is at a stack again so long (s) after all cards of an action lie open begins the next one."""
_SURE = 2.0
"""So many hands of a player have to come from about the same place to know it; his zones count as one."""
_LEARNT = 6.0


@dataclass(slots=True)
class Seats:
    """From where each seat's hands come: sums of unit vectors."""

    sums: dict[int, complex] = field(default_factory=dict)

    @classmethod
    def of(cls, layout: Layout) -> Seats:
        """What the zones before the players tell."""
        seats = cls()
        for shape in layout.zones:
            seat = shape.id.partition(":")[2]
            if seat.isdigit():
                seats.learn(int(seat), sits_at(layout, shape.middle))
        return seats

    def learn(self, seat: int, where: float) -> None:
        """A hand from there was his; one from quite elsewhere than the others of his was not."""
        if abs(self.sums.get(seat, 0j)) >= _SURE and self._far(seat, where) >= OTHERS:
            return
        found = self.sums.get(seat, 0j) + complex(math.cos(math.radians(where)), math.sin(math.radians(where)))
        self.sums[seat] = found * min(1.0, _LEARNT / max(abs(found), 1e-9))

    def cost(self, seat: int | None, where: float) -> float:
        """Of a hand from there being that of this seat."""
        if seat is None:
            return 0.0
        if seat in self.sums:
            return self._far(seat, where) * min(1.0, abs(self.sums[seat]) / _SURE)
        known = (other for other, total in self.sums.items() if abs(total) > _SURE / 3)
        return OTHERS if any(self._far(other, where) < 1.0 for other in known) else STRANGER

    def owner(self, where: float) -> int | None:
        """The player whose hand comes from there far rather than anybody else's."""
        costs = sorted((self.cost(seat, where), seat) for seat in self.sums)
        return costs[0][1] if len(costs) > 1 and costs[1][0] - costs[0][0] > CLEARLY else None

    def _far(self, seat: int, where: float) -> float:
        mean = math.degrees(math.atan2(self.sums[seat].imag, self.sums[seat].real))
        apart = abs((where - mean + 180.0) % 360.0 - 180.0)
        return min(FARTHEST, 0.5 * (apart / SPREAD) ** 2)


def _lasts(found: Sequence[Touch]) -> list[float]:
    """Until when whoever's hand each of these is was at it, s: the same hand, or one from the same side soon after."""
    lasts: list[float] = []
    for at in reversed(range(len(found))):
        touch, ended = found[at], found[at].ended
        for later, last in zip(found[at + 1 :], reversed(lasts), strict=True):
            if later.follows(touch):
                ended = max(ended, last)
        lasts.append(ended)
    return lasts[::-1]


@dataclass(slots=True)
class Hands:
    """The hands that nothing certain explains yet, and whose they may be."""

    seats: Seats = field(default_factory=Seats)
    open: list[Touch] = field(default_factory=list)
    told: bool = False
    """The camera tells of hands at all."""
    stacks: frozenset[str] = frozenset()
    """Zones of which only that cards lie there is seen."""
    lost: bool = False
    """One was lost on its way in since what is known: it may have done something that nobody saw."""
    here: tuple[float, ...] = ()
    """From where (degrees) the hands come that are over the table now."""
    _stays: tuple[tuple[float, float, float], ...] = ()
    """From where (degrees) each hand came, when, and until when it was over the table, s."""
    _left: dict[int, float] = field(default_factory=dict)
    """When the hand of each visit left the table, s."""
    _watched: float = math.inf
    """Since when no hand can have been missed, s."""
    _dealt: set[str] = field(default_factory=set)
    """Stacks from which cards were dealt while nothing was known yet: who plays first may have drawn among the deal."""
    _lay: Mapping[str, Zone] = field(default_factory=dict)
    """The zones, as they should have lain at the last look."""
    _gathered: bool = False
    """All was gathered with what is known last: cards are dealt."""
    _known: float = -math.inf
    _laid: float = -math.inf
    """When the last card of what is known was seen to lie, s."""
    _over: set[tuple[int, str, float]] = field(default_factory=set)
    """Hands (visit, zone, began) that did nothing, or something that is known."""
    _last: Touch | None = None

    def take_in(self, layout: Layout, seen: SeenTable, zones: Mapping[str, Zone]) -> bool:
        """Take in a look; `zones`: those that count, as they should lie. True when there is news."""
        self.stacks = frozenset(name for name, zone in zones.items() if zone.pile and zone.down and not zone.cards)
        before, lay, self._lay = self.open, self._lay, zones
        self._gathered |= gathered(lay, zones)
        self.told |= bool(seen.visits)
        lost = max((visit.stops[-1].ended for visit in seen.visits if was_lost(visit)), default=-math.inf)
        self._watched = max(min(self._watched, seen.time), seen.unseen, seen.astray[1], lost)
        self.lost = lost > max(self._known, seen.time - FORGOTTEN)
        here = [visit for visit in seen.visits if visit.ended is None]
        self.here = tuple(came_from(layout, v.entry, (v.stops[-1].point if v.stops else v.entry)) for v in here)
        self._stays = tuple(
            (came_from(layout, v.entry, v.stops[-1].point), v.began, seen.time if v.ended is None else v.ended)
            for v in seen.visits
            if v.stops
        )
        self._left = {visit.number: visit.ended for visit in seen.visits if visit.ended is not None}
        self.open = []
        self._over = {touch for touch in self._over if touch[2] > seen.time - GOING_ON}
        found, shown = touches(layout, seen), {name for name, zone in zones.items() if not zone.down}
        for touch, last in zip(found, _lasts(found), strict=True):
            forgotten = seen.time - (GOING_ON if last > seen.time - FORGOTTEN else FORGOTTEN)
            if touch.began <= max(self._known, forgotten) or touch.zone not in zones:
                continue
            if (touch.visit, touch.zone, touch.began) in self._over:
                continue
            first, stack = self._known == -math.inf, touch.zone in self.stacks
            deal = (first or (stack and self._gathered)) and not plays(touch, found, self.stacks)
            if deal and slides(touch, found, self.stacks):
                continue
            if deal and first and stack and deals(touch, found):
                self._dealt.add(touch.zone)
                continue
            if self._goes_on(touch, shown):
                self._last = touch
            else:
                dealt = self._known == -math.inf and touch.zone in self.stacks and again_there(touch, found)
                self.open.append(replace(touch, puts_down=True) if dealt else touch)
        return [(t.visit, t.began) for t in before] != [(t.visit, t.began) for t in self.open]

    def _goes_on(self, touch: Touch, shown: Collection[str] = ()) -> bool:
        """It only goes on with what is known: the next card of several, a card straightened; nobody else has done
        anything since, nor has the same hand been where cards lie open (`shown`)."""
        last = self._last
        return (
            last is not None
            and not any(
                hand.began > last.ended
                and (hand.visit != touch.visit or (hand.zone in shown and hand.zone != touch.zone))
                for hand in self.open
            )
            and touch.began < last.ended + GOES_ON
            and touch.zone == last.zone
            and alike(touch.direction, last.direction)
            and len({self.seats.owner(touch.direction), self.seats.owner(last.direction)} - {None}) < 2
        )

    def _by_another(self, hand: Touch) -> bool:
        """It came after whoever did what is known had done it, from another side."""
        last = self._last
        return last is not None and hand.began > last.ended and not alike(hand.direction, last.direction)

    def explain(self, hands: Iterable[Touch], parts: Sequence[Part] = ()) -> None:
        """It is known what these hands did, and so is whatever others did before them, or before the cards of these
        `parts` were seen to lie."""
        self._gathered = False
        seen = max((at for part in parts for at in (part.since, part.began) if at is not None), default=-math.inf)
        self._laid = max(self._laid, seen)
        self._keep(lambda touch: touch.ended > seen - COVERED)
        last = max(hands, key=lambda touch: touch.began, default=None)
        if last is None and parts and any(self._by_another(hand) for hand in self.open):
            self._last = None  # somebody else may have done this
        if last is not None:
            self._known, self._last = max(self._known, last.began), last
            self.open = [touch for touch in self.open if touch.began > self._known]

    def told_already(self, since: float | None) -> bool:
        """Cards that lie since then (s) came with those of what is known, or before: hands that laid them were seen."""
        return self.told and since is not None and since <= self._laid

    def begin(self, there: Iterable[Touch], now: float) -> None:
        """The place of these hands counts from `now` (s) on: what those that have left it did people have told."""
        self._over.update((touch.visit, touch.zone, touch.began) for touch in there if touch.ended < now)

    def idle(self, empty: Mapping[str, ZoneSeen]) -> None:
        """Hands over these places, where no card should lie, did nothing if none was seen from before them to after."""

        def did(touch: Touch) -> bool:
            seen = empty.get(touch.zone)
            return seen is None or not seen.emptied < touch.began <= touch.ended < seen.bare

        self._keep(did)

    def _keep(self, counts: Callable[[Touch], bool]) -> None:
        self._over.update((touch.visit, touch.zone, touch.began) for touch in self.open if not counts(touch))
        self.open = [touch for touch in self.open if counts(touch)]

    def left(self, hand: Touch) -> float:
        """When a hand left the table, s; where it is still there, the zone that it was in."""
        return self._left.get(hand.visit, hand.ended)

    def until(self, time: float) -> list[Touch]:
        """The hands that did something up to then."""
        return [touch for touch in self.open if touch.ended <= time]

    def gone(self, hands: Sequence[Touch]) -> float | None:
        """When whoever did this with these hands left the table, s; None while a hand of his is there, or where nobody
        saw any."""
        left = [self._left.get(hand.visit) for hand in hands]
        if not hands or None in left or any(alike(hands[-1].direction, where) for where in self.here):
            return None
        return max(time for time in left if time is not None)

    def back_until(self, hands: Sequence[Touch]) -> float:
        """Until when whoever did this with these hands was over the table once he had come again soon after, s."""
        last = max(hands, key=lambda hand: hand.ended)
        stays = (one for one in self._stays if last.ended < one[1] < last.ended + GOES_ON)
        return max((left for where, _, left in stays if alike(last.direction, where)), default=-math.inf)

    def went_on(self, zones: Collection[str], since: float) -> bool:
        """A hand that only goes on with what is known has come to one of these zones since (s)."""
        return self._last is not None and self._last.zone in zones and self._last.began > since

    def people(self, zones: Collection[str], until: float = math.inf, after: float = -math.inf) -> int:
        """So many times another person's hand came to one of these zones before a card was seen at `until`, and left
        not before `after`, s."""
        sure = (h for h in self.open if h.zone in zones and not h.glimpse)
        found = [h.direction for h in sure if h.began <= until and h.ended > after]
        return sum(not at or not alike(found[at - 1], where) for at, where in enumerate(found))

    def matched(self, parts: Sequence[Part]) -> tuple[float, tuple[tuple[Touch, ...], ...]]:
        """The cost of the best way to say which hands did which part, in this order, and the hands of each part."""
        if not self.told or (not parts and not self.open):
            return 0.0, ((),) * len(parts)
        hands, n, k = self.open, len(self.open), len(parts)
        came = [part.began if part.first is None else part.first for part in parts]
        after = [max((at for at in came[:i] if at is not None), default=-math.inf) - COVERED for i in range(k)]
        best: list[list[tuple[float, Any]]] = [[(math.inf, None)] * (n + 1) for _ in range(k + 1)]
        best[0][0] = 0.0, None
        for i in range(k + 1):
            for j in range(n + 1):
                here = best[i][j][0]
                if here == math.inf:
                    continue
                if j < n:
                    _better(best, i, j + 1, here + self._aimless(hands[j]), (i, j, False))
                if i < k:
                    _better(best, i + 1, j, here + parts[i].alone, (i, j, False))
                    for last in range(j + 1, n + 1 if j < n and hands[j].ended >= after[i] else 0):
                        own = self._own(parts[i], hands[j:last])
                        price = self._did(parts[i], own)
                        if price is None:
                            break
                        if price == math.inf or own[-1] is not hands[last - 1]:
                            continue
                        price += sum(self._aimless(hand) for hand in hands[j:last] if hand not in own)
                        _better(best, i + 1, last, here + price, (i, j, True))
        ways: list[tuple[Touch, ...]] = [()] * k
        i, j = k, n
        while (back := best[i][j][1]) is not None:
            if back[2]:
                ways[back[0]] = tuple(self._own(parts[back[0]], hands[back[1] : j]))
            i, j = back[0], back[1]
        return best[k][n][0], tuple(ways)

    def _own(self, part: Part, hands: Sequence[Touch]) -> Sequence[Touch]:
        """These hands, less those of others that did something else meanwhile, away from all stacks."""
        away = {*part.touched, *self.stacks}
        return [h for h in hands if h.zone in away or alike(h.direction, hands[0].direction)]

    def _aimless(self, hand: Touch) -> float:
        """The cost of a hand that did nothing."""
        if hand.glimpse or hand.puts_down:
            return 0.0
        if hand.rested:
            return RESTED if hand.zone in self.stacks else 0.0
        return AT_STACK if hand.zone in self.stacks else AIMLESS

    def _did(self, part: Part, hands: Sequence[Touch]) -> float | None:
        """The cost of these hands, all of one person, having done a part; None when they cannot have, infinite when
        more of them could."""
        if any(hand.zone not in part.touched for hand in hands):
            return None
        if part.since is not None:
            first = part.since if part.first is None else part.first
            strange = hands[0].began > part.since + SOON or hands[0].ended < first - BEFORE
            if strange:
                return None
        if part.began is not None and hands[-1].ended < part.began - COVERED:
            return math.inf  # it passed, and somebody else began the stack
        over = math.inf if part.over is None else part.over + OVER
        stacks = [hand.zone for hand in hands if hand.zone in part.most]
        if stacks and hands[-1].began > over and stacks.count(hands[-1].zone) > 1:
            return None
        if not all(alike(hand.direction, hands[0].direction) for hand in hands[1:]):
            return None
        if part.since is not None and hands[-1].ended < part.since - BEFORE:
            return math.inf
        if _too_late(part, hands):
            return math.inf
        if _too_early(part, hands):
            return None
        cost = sum(self.seats.cost(part.actor, hand.direction) for hand in hands) / len(hands)
        reached = Counter(hand.zone for hand in hands)
        came = part.since if part.first is None else part.first
        surely = came is not None and came > self._watched + ALL_THE_TIME
        surely &= self._known > -math.inf or not part.stacks & self._dealt
        cost += (SURELY_LEFT_OUT if surely else LEFT_OUT) * len(part.stacks - reached.keys())
        cost += PUTS_DOWN * any(hand.zone in part.stacks and hand.puts_down for hand in hands)
        cost += part.nearer_to_others([tip for hand in hands if hand.zone == part.place for tip in hand.tips])
        often = any(reached[stack] > cards for stack, cards in part.most.items() if cards <= FEW)
        return cost + (AT_STACK if often else 0.0)


def _too_late(part: Part, hands: Sequence[Touch]) -> bool:
    """These hands came to the stack that gives the one card of a part when it lay open already, or when they had been
    where it lies and were not there again."""
    if part.given is None or part.first is None or part.most.get(part.given) != 1:
        return False
    took = min((hand.began for hand in hands if hand.zone == part.given), default=-math.inf)
    laid = max((hand.ended for hand in hands if hand.zone != part.given), default=math.inf)
    return took > min(part.first + SOON, laid)


def _too_early(part: Part, hands: Sequence[Touch]) -> bool:
    """These hands had left the stack from which others are drawn for the cards of a part well before those lay open."""
    drew = [hand.ended for hand in hands if hand.zone in part.drawn]
    return part.first is not None and bool(drew) and max(drew) < part.first - SOON


def _better(best: list[list[tuple[float, Any]]], i: int, j: int, cost: float, back: Any) -> None:
    if cost < best[i][j][0]:
        best[i][j] = cost, back
