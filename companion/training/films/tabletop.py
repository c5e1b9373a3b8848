"""The physical cards of a table: every card has a number and a pose, and keeps both until somebody moves it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.games import Zone
from companion.table.forms import POKER
from companion.training.films.places import Places
from companion.training.films.spec import Ranges, Rng

Array = np.ndarray
THICK = 0.3
"""A card's thickness, mm."""

CARELESS = 0.15
"""How often a card that fills a gap lies over its neighbour's index."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Centre in mm, turn in degrees clockwise (0: upright for who sits at the lower edge)."""

    x: float
    y: float
    turn: float

    def corners(self, card: tuple[float, float] = POKER) -> Array:
        """The corners (4, 2) in mm of a card of this size, clockwise from its own top left."""
        angle = math.radians(self.turn)
        c, s = math.cos(angle), math.sin(angle)
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(card) / 2
        return half @ np.array([[c, s], [-s, c]]) + (self.x, self.y)

    def towards(self, other: Pose, share: float) -> Pose:
        """`share` 0..1 of the way to another pose, turning the shorter way."""
        turn = (other.turn - self.turn + 180) % 360 - 180
        return Pose(self.x + (other.x - self.x) * share, self.y + (other.y - self.y) * share, self.turn + turn * share)


@dataclass(frozen=True, slots=True)
class Lying:
    """A physical card on the table. `face`: None while it lies face down. `level`: higher ones lie over lower ones."""

    number: int
    face: str | None
    zone: str
    pose: Pose
    level: float
    slot: int = 0


class Tabletop:
    """All cards that lie. Cards come from and go to hands, where they are no longer known."""

    def __init__(self, places: Places, ranges: Ranges, rng: Rng, card: tuple[float, float] = POKER) -> None:
        self._places, self._ranges, self._rng, self._card = places, ranges, rng, card
        self.cards: dict[int, Lying] = {}
        self._numbers = 0
        self._levels = 0

    def lay_out(self, zones: Iterable[Zone]) -> None:
        """What lies there from the beginning."""
        for zone in zones:
            for face in (*(None,) * zone.down, *zone.cards):
                self.put(self.arrival(zone.id, face))

    def of(self, zone: str) -> list[Lying]:
        """The cards of a zone, lowest first."""
        return sorted((card for card in self.cards.values() if card.zone == zone), key=lambda card: card.level)

    def snapshot(self) -> tuple[Lying, ...]:
        """All cards, lowest first."""
        return tuple(sorted(self.cards.values(), key=lambda card: card.level))

    def take(self, zone: str, faces: Sequence[str | None]) -> list[Lying]:
        """Remove cards from a zone, of equal ones the topmost: those of `faces`, None being one face down."""
        taken = []
        for face in faces:
            found = [card for card in self.of(zone) if card.face == face]
            if not found:
                raise AssertionError(f"no {face} lies in {zone}: {[card.face for card in self.of(zone)]}")
            taken.append(self.cards.pop(found[-1].number))
        return taken

    def put(self, card: Lying) -> None:
        """A card comes to lie."""
        self.cards[card.number] = card

    def arrival(self, zone: str, face: str | None, number: int | None = None, *, twin: bool = False,
                ahead: Sequence[Lying] = ()) -> Lying:  # fmt: skip
        """Where the next card of a zone will lie: on the stack, or in the first free place of its row.

        `twin`: exactly on another card of the zone. `ahead`: cards that come with it and do not lie there yet.
        """
        if number is None:
            self._numbers += 1
            number = self._numbers
        self._levels += 1
        others = [*self.of(zone), *(card for card in ahead if card.zone == zone)]
        if self._places.stack(zone):
            return Lying(number, face, zone, self._on_stack(zone, len(others), face), self._levels)
        slot = self._slot(zone, {card.slot for card in others})
        level = self._level(others, slot)
        if twin and others:
            below = others[-1]
            pose = replace(below.pose, x=below.pose.x + self._rng.normal(0, 0.5), y=below.pose.y)
            return Lying(number, face, zone, pose, self._levels, slot)
        return Lying(number, face, zone, self._in_row(zone, slot), level, slot)

    def _slot(self, zone: str, taken: set[int]) -> int:
        """The place after the last card of a row while there is one, then the first gap."""
        after = max(taken, default=-1) + 1
        return after if after < self._places.slots(zone) else next(n for n in range(after + 1) if n not in taken)

    def _level(self, others: Sequence[Lying], slot: int) -> float:
        """On top; but who fills a gap of an overlapping row mostly pushes the card under the next one, unless one of
        those before lies higher, too: it would not be seen."""
        over = [card.level for card in others if card.slot > slot]
        hidden = any(card.slot < slot and card.level > min(over) for card in others) if over else False
        if not over or hidden or self._rng.random() < CARELESS:
            return float(self._levels)
        under = [card.level for card in self.cards.values() if card.level < min(over)]
        return (min(over) + max(under, default=min(over) - 1.0)) / 2

    def back_again(self, card: Lying) -> Lying:
        """A card that was picked up, about where it lay, on top of what lies there."""
        self._levels += 1
        shift = self._rng.normal(0, 3.0, 2)
        pose = Pose(card.pose.x + shift[0], card.pose.y + shift[1], card.pose.turn + self._rng.normal(0, 2.0))
        return replace(card, pose=pose, level=self._levels)

    def slip(self, most: float = 4.0) -> tuple[Lying, ...]:
        """The table is bumped: every card slips a little. Returns all cards in their new places."""
        common = self._rng.normal(0, most / 2, 2)
        for number, card in self.cards.items():
            own = common + self._rng.normal(0, most / 6, 2)
            pose = Pose(card.pose.x + own[0], card.pose.y + own[1], card.pose.turn + self._rng.normal(0, 0.6))
            self.cards[number] = replace(card, pose=pose)
        return self.snapshot()

    def _in_row(self, zone: str, slot: int) -> Pose:
        x, y = self._places.slot(zone, slot)
        spread = self._rng.normal(0, self._ranges_value("scatter"), 2)
        askew = self._rng.normal(0, self._ranges_value("askew"))
        return Pose(float(x + spread[0]), float(y + spread[1]), float(self._places.turn(zone) + askew))

    def _on_stack(self, zone: str, height: int, face: str | None) -> Pose:
        x0, y0, x1, y1 = self._places.box(zone)
        tidy = 0.25 if face is None else 1.0
        spread = self._rng.normal(0, 2.2 * tidy, 2)
        askew = self._rng.normal(0, 5.0 * tidy)
        y = (y0 + y1) / 2 + spread[1] - height * THICK * 0.4
        return Pose(float((x0 + x1) / 2 + spread[0]), float(y), float(self._places.turn(zone) + askew))

    def _ranges_value(self, name: str) -> float:
        low, high = getattr(self._ranges, name)
        return (low + high) / 2
