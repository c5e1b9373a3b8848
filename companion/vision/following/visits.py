"""Hands that come over the table: from which edge, where their finger tips stopped, when they left.

A hand is what differs from the table as it was last read, or moves, and hangs together with the edge of the picture:
an arm does, a card that lies does not. Its tip is the part that is farthest from where it comes in. That costs no
reading, and it tells who acted where no card can: who drew, who took, which of two equal players.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.vision.following import parameters
from companion.vision.following.lasting import Cells, Mask
from companion.vision.following.motion import arms, loose
from companion.vision.types import Point, Stop, Visit

Spot = tuple[float, float]


@dataclass(slots=True)
class _Open:
    """A hand that is there, in px of the motion picture."""

    number: int
    entry: Spot
    tip: Spot
    began: float
    seen: float
    stops: list[tuple[Spot, float, float]] = field(default_factory=list)

    def reach(self, tip: Spot, now: float) -> None:
        """The tip is here now. What hardly moves is one stop, as long as it is seen."""
        paused = now - self.seen > parameters.UNSEEN_S
        self.tip, self.seen = tip, now
        if self.stops and not paused and _far(self.stops[-1][0], tip) <= parameters.STOP_PX:
            where, since, _ = self.stops[-1]
            self.stops[-1] = where, since, now
            return
        self.stops.append((tip, now, now))
        del self.stops[: -parameters.MOST_STOPS]

    @property
    def stayed(self) -> Spot | None:
        """Where the tip was last, if it stayed there."""
        where, since, until = self.stops[-1]
        return where if until - since >= parameters.STAYED_S else None


class Visits:
    """Feed it what differs in every frame. Not thread-safe."""

    def __init__(self) -> None:
        self._open: list[_Open] = []
        self._done: list[tuple[_Open, float]] = []
        self._next = 1
        self._noted: float | None = None
        self._loose: _Open | None = None
        self._astray: float | None = None
        self._stayed: list[Spot] = []
        self.unseen = -math.inf
        """When a hand may last have come and gone unseen, s: between frames too far apart."""
        self.astray = (-math.inf, -math.inf)
        """From when to when a hand last moved that had come out from under one at rest, s."""

    @property
    def present(self) -> bool:
        """Some hand is over the table."""
        return bool(self._open)

    def note(self, foreign: Mask | None, now: float, moving: Cells | None = None, card: float = math.inf) -> None:
        """`foreign`: pixels of the motion picture that differ from the table as read, or move; None: nothing does.
        `now` in s. `moving`: cells in which something moves; `card`: how large a card is, px of the motion picture."""
        if self._noted is not None and now - self._noted > parameters.UNSEEN_S:
            self.unseen = now
        self._noted = now
        left = list(self._open)
        for entry, tip in map(_ends, arms(foreign)) if foreign is not None else ():
            near = self._known(left, entry)
            if near is None:
                near = self._again(entry, tip) or self._opened(_Open(0, entry, tip, now, now))
            self._reach(near, entry, tip, now)
        self._note_loose(left, foreign, now, moving, card)
        for gone in left:
            if now - gone.seen > parameters.ARM_GONE_S:
                self._stayed += [gone.stayed] if gone.stayed is not None else []
                self._open.remove(gone)
                self._done.append((gone, gone.seen))
        self._done = [(one, end) for one, end in self._done if now - end < parameters.VISIT_S]

    def _known(self, left: list[_Open], entry: Spot) -> _Open | None:
        """That one of those not yet found that comes in there; it is found."""
        near = min(left, key=lambda one: _far(one.entry, entry), default=None)
        if near is None or _far(near.entry, entry) > parameters.SAME_ARM_PX:
            return None
        left.remove(near)
        return near

    def _again(self, entry: Spot, tip: Spot) -> _Open | None:
        """A hand that was there and does not come in now: it rested until it was taken for the table. One that comes is
        seen on its way."""
        if _far(entry, tip) < parameters.SAME_ARM_PX:
            return None
        for one, end in reversed(self._done):
            there = any(_far(where, tip) <= parameters.STOP_PX for where, _, _ in one.stops)
            if there and _far(one.entry, entry) <= parameters.SAME_ARM_PX:
                self._done.remove((one, end))
                self._open.append(one)
                return one
        return None

    def _opened(self, one: _Open) -> _Open:
        one.number, self._next = self._next, self._next + 1
        self._open.append(one)
        return one

    def _reach(self, one: _Open, entry: Spot, tip: Spot, now: float) -> None:
        before, stops = one.stayed if one.stops else None, len(one.stops)
        one.entry = entry
        one.reach(tip, now)
        self._stayed += [before] if before is not None and len(one.stops) > stops else []

    def _note_loose(
        self, left: list[_Open], foreign: Mask | None, now: float, moving: Cells | None, card: float
    ) -> None:
        """What moves for a while, larger than cards that slide, and hangs together neither with the edge nor with a
        hand that is seen, is one that came out from under a hand at rest: where it was seen to reach out from the
        edge it comes from there, or else nobody knows whose it is."""
        least = parameters.ASTRAY_CARDS * card
        found = loose(foreign, moving, least) if foreign is not None and moving is not None else ()
        tips = [one.tip for one in self._open if one.seen == now]
        ends = [_ends_near(part) for part in found if not any(_beside(part, tip) for tip in tips)]
        self._astray = None if not ends else now if self._astray is None else self._astray
        own = 0
        for entry, tip, far in ends:
            near = self._known(left, entry)
            if near is None and self._loose is not None and _far(self._loose.entry, entry) <= parameters.SAME_ARM_PX:
                near = self._loose
            elif near is None and far <= parameters.RESTING_PX:
                near = self._loose = _Open(0, entry, tip, now, now)
            if near is None:
                continue
            self._reach(near, entry, tip, now)
            grown = near is not self._loose or _far(entry, tip) - _far(entry, near.stops[0][0]) >= parameters.REACHES_PX
            own += grown
            if near is self._loose and grown and now - near.began >= parameters.ASTRAY_S:
                self._opened(near)
                self._loose = None
        if not ends:
            self._loose = None
        if self._astray is not None and own < len(ends) and now - self._astray >= parameters.ASTRAY_S:
            self.astray = self._astray, now

    def leaves(self, scale: float) -> list[Spot]:
        """Where a hand's tip had stayed that has left there since this was last asked, px of the frame, of which
        `scale` are one of the motion picture."""
        spots, self._stayed = self._stayed, []
        return [(x * scale, y * scale) for x, y in spots]

    def pushed(self, since: float, now: float) -> None:
        """The camera was pushed after `since` (s), which was found out `now`: what seemed a hand since then was the
        table, and one that came meanwhile was not seen."""
        self._open = [one for one in self._open if one.began <= since]
        self._done = [(one, end) for one, end in self._done if one.began <= since]
        self._loose, self.unseen = None, now

    def told(self, places: Callable[[Sequence[Spot]], Sequence[Point]]) -> tuple[Visit, ...]:
        """All visits that are going on or were lately, the earliest first. `places`: where these px of the motion
        picture lie on the table; nothing where that is not known."""
        every = [*((one, end) for one, end in self._done), *((one, None) for one in self._open)]
        every.sort(key=lambda pair: pair[0].number)
        spots = [spot for one, _ in every for spot in (one.entry, *(where for where, _, _ in one.stops))]
        points = iter(places(spots))
        return tuple(
            Visit(one.number, entry,
                  tuple(Stop(next(points), since, until) for _, since, until in one.stops), one.began, end)
            for (one, end), entry in zip(every, points, strict=False)
        )  # fmt: skip


def _ends(arm: Mask) -> tuple[Spot, Spot]:
    """Where an arm comes in, and its tip."""
    height, width = arm.shape
    ys, xs = np.nonzero(arm)
    edge = (xs <= 1) | (ys <= 1) | (xs >= width - 2) | (ys >= height - 2)
    entry = float(xs[edge].mean()), float(ys[edge].mean())
    far = np.hypot(xs - entry[0], ys - entry[1])
    tips = far >= far.max() - parameters.TIP_PX
    return entry, (float(xs[tips].mean()), float(ys[tips].mean()))


def _ends_near(part: Mask) -> tuple[Spot, Spot, float]:
    """Where a part that does not reach the edge would come in: where that is nearest; its tip, and how far off that
    edge is, px."""
    height, width = part.shape
    ys, xs = np.nonzero(part)
    ways = (xs, ys, width - 1 - xs, height - 1 - ys)
    side = int(np.argmin([way.min() for way in ways]))
    near = ways[side] <= ways[side].min() + 1
    x, y = float(xs[near].mean()), float(ys[near].mean())
    entry = ((0.0, y), (x, 0.0), (width - 1.0, y), (x, height - 1.0))[side]
    far = np.hypot(xs - entry[0], ys - entry[1])
    tips = far >= far.max() - parameters.TIP_PX
    return entry, (float(xs[tips].mean()), float(ys[tips].mean())), float(ways[side].min())


def _beside(part: Mask, tip: Spot) -> bool:
    """A part of the picture goes on where the tip of an arm is: between them the sleeve looks like the cloth."""
    ys, xs = np.nonzero(part)
    return bool(np.hypot(xs - tip[0], ys - tip[1]).min() <= parameters.SAME_ARM_PX)


def _far(one: Spot, other: Spot) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))
