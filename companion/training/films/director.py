"""Turns the actions of a played game into gestures of hands with times, and notes what truly happened.

A gesture is one hand's way: it comes in over its seat's edge, with cards or without, takes some, carries them, lets go
and leaves. Between taking and letting go the cards are in the hand; at all other times they lie.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from companion.games import Action, Game, Setup, Slot, game
from companion.games.implied import open_prompts
from companion.referee.simulate import Step, play, table_setup
from companion.table.forms import POKER
from companion.training.films.changes import Trace, Way, in_order, shown, trace, ways
from companion.training.films.places import Places, most_cards, place
from companion.training.films.spec import Film, FilmError
from companion.training.films.tabletop import Lying, Tabletop

LEAD, TAIL = 1.5, 2.0
"""Seconds of rest before the first hand and after the last one."""
ENDLESS = 60
"""So many actions of a game that has no end."""
LOOK = 1.5
"""Before all of them do something together people look for so long (s) longer."""
DEALT, BETWEEN, FLIES = 4, 0.17, 0.35
"""So many cards are seen dealt to each, so many seconds apart, each so long on its way."""
TOUCH = 30.0
"""The tips of the fingers lie so far (mm) from a card's middle, on the side of who reaches."""
BEYOND = 250.0
"""A hand comes from so far (mm) beyond the table's edge."""


@dataclass(frozen=True, slots=True)
class Gesture:
    """One hand's way, all times in s: in at `start`, there at `there`, takes at `grab`, lets go at `release`, out at
    `end`. `taken`: cards as they lay (empty: it comes with them); `laid`: as they will lie (empty: it leaves with
    them). `carried`: the faces that show while they are carried. Points are mm: where it takes and where it lays."""

    seat: int
    start: float
    there: float
    grab: float
    release: float
    end: float
    at: tuple[float, float]
    to: tuple[float, float]
    taken: tuple[Lying, ...] = ()
    laid: tuple[Lying, ...] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The cards it moves."""
        return tuple(card.number for card in self.taken or self.laid)


@dataclass(frozen=True, slots=True)
class Flight:
    """A card that is dealt: it slides face down from one point (mm) to another, between two times (s)."""

    start: float
    end: float
    source: tuple[float, float]
    target: tuple[float, float]
    turn: float


@dataclass(frozen=True, slots=True)
class Slip:
    """The table is bumped at `time`: all cards lie in new places."""

    time: float
    cards: tuple[Lying, ...]


@dataclass(frozen=True, slots=True)
class Happened:
    """An action of the game, as it truly was. `time` (s): its last card was let go, or left the table, or, without
    any trace, when it was said. `lying`: all cards afterwards, lowest first."""

    action: Action
    time: float
    start: float
    trace: Trace
    lying: tuple[Lying, ...]


@dataclass(slots=True)
class Script:
    """A whole film before a picture is painted. `skipped`: actions played before it begins."""

    rules: Game[Any]
    setup: Setup
    places: Places
    begins: tuple[Lying, ...]
    skipped: tuple[Action, ...] = ()
    gestures: list[Gesture] = field(default_factory=list)
    slips: list[Slip] = field(default_factory=list)
    flights: list[Flight] = field(default_factory=list)
    happened: list[Happened] = field(default_factory=list)
    pushes: list[float] = field(default_factory=list)
    length: float = 0.0


class _Dealt(random.Random):
    """Chance, but some cards lie first once the deck has been shuffled."""

    def __init__(self, seed: str, first: tuple[str, ...]) -> None:
        super().__init__(seed)
        self._first = list(first)

    def shuffle(self, x: MutableSequence[Any]) -> None:
        super().shuffle(x)
        if not self._first:
            return
        if missing := Counter(self._first) - Counter(x):
            raise FilmError(f"{', '.join(missing)} cannot be dealt: the deck has none, or not so many.")
        for card in self._first:
            x.remove(card)
        x[:0], self._first = self._first, []


def played(film: Film) -> tuple[Game[Any], Setup, list[Step]]:
    """The game of a film: its rules, its set-up, its actions. Raises FilmError."""
    rules = game(film.game)
    setup = table_setup(rules, film.players)
    if film.deck:
        setup = Setup(setup.players, film.deck, setup.options)
    if not rules.least_players <= len(setup.players) <= rules.most_players:
        raise FilmError(f"{film.game} is for {rules.least_players} to {rules.most_players} players.")
    most = film.first + (film.actions if film.actions is not None else (ENDLESS if rules.endless else 20_000))
    steps = list(play(rules, setup, _Dealt(f"film:{film.seed}", film.dealt), film.bot, most))
    if len(steps) <= film.first:
        raise FilmError(f"this game has only {len(steps)} actions, so a film cannot begin after {film.first}.")
    return rules, setup, steps


def direct(film: Film, card: tuple[float, float] = POKER) -> Script:
    """The script of a film with cards of this size in mm. Raises FilmError where no table has room for the game."""
    rules, setup, steps = played(film)
    tables = [rules.expected_table(steps[0].before), *(rules.expected_table(step.after) for step in steps)]
    places = place(film.game, setup, most_cards(tables), film.rng("places").uniform(*film.ranges.roomy))
    return _Director(film, rules, setup, places, steps, card).script


class _Director:
    def __init__(self, film: Film, rules: Game[Any], setup: Setup, places: Places, steps: Sequence[Step],
                 card: tuple[float, float]) -> None:  # fmt: skip
        self._film, self._rng, self._places = film, film.rng("director"), places
        self._top = Tabletop(places, film.ranges, film.rng("poses"), card)
        self._top.lay_out(rules.expected_table(steps[film.first].before))
        skipped = tuple(step.action for step in steps[: film.first])
        self.script = Script(rules, setup, places, self._top.snapshot(), skipped)
        self._now, self._free = LEAD, {}
        todo = steps[film.first :]
        if film.first == 0 and film.game != "three-card-showdown" and self._rng.random() < 0.5:
            self._deal(int(self._rng.integers(len(places.seats))))
        accidents = film.accidents
        pushed = {round((k + 1) * len(todo) / (len(accidents.nudges) + 1)) for k in range(len(accidents.nudges))}
        bumped = {round((k + 0.6) * len(todo) / (accidents.bumps + 0.4)) for k in range(accidents.bumps)}
        for number, step in enumerate(todo):
            if number in pushed:
                self._rest()
                self.script.pushes.append(self._now)
                self._now += 1.5
            if number in bumped:
                self._rest()
                self.script.slips.append(Slip(self._now, self._top.slip()))
                self._now += 1.0
            if self._rng.random() < accidents.excursions:
                self._excursion()
            self._act(rules, step, todo[number + 1].action if number + 1 < len(todo) else None)
        self._rest()
        self.script.length = self._now + TAIL

    def _rest(self) -> None:
        """Wait until all hands have left."""
        self._now = max([self._now, *self._free.values()])

    def _act(self, rules: Game[Any], step: Step, following: Action | None) -> None:
        before, after = rules.expected_table(step.before), rules.expected_table(step.after)
        start = self._now
        between = shown(before, after, step.action.cards, _slot(rules, step).target)
        found = in_order(ways(before, between or after, _held(rules, step)), step.action.cards)
        if not found:
            self._now += self._rng.uniform(*self._film.ranges.think) * 0.6
        for way in found:
            self._go(way, step.action.seat)
        moment = self.script.gestures[-1] if found else None
        time = self._now if moment is None else moment.release if moment.laid else moment.end
        if between is not None:
            self._rest()
            self._now += LOOK
            for way in ways(between, after):
                self._go(way, step.action.seat)
        if step.action.kind == "deal":
            self._deal(step.action.seat or 0)
        self.script.happened.append(
            Happened(step.action, time, start, trace(before, after, step.action.cards), self._top.snapshot())
        )
        hasty = self._rng.random() < self._film.haste
        together = following is not None and following.seat is None  # the table looks before it clears or deals
        if hasty and moment is not None and not together:
            self._now = max(self._now, time) + 0.15
            return
        self._rest()
        self._now += self._rng.uniform(*self._film.ranges.think) + (LOOK if together else 0.0)

    def _go(self, way: Way, seat: int | None) -> None:
        """All gestures of one way."""
        owner = [self._places.owner(z) for z in (way.source, way.target) if z is not None]
        actor = next((s for s in (seat, *owner) if s is not None), 0)
        single = len(way.faces) <= 6 and len(way.faces) > 1 and self._rng.random() < self._film.one_by_one
        parts = [(k, k + 1) for k in range(len(way.faces))] if single else [(0, len(way.faces))]
        for first, last in parts:
            self._gesture(way, actor, slice(first, last))

    def _gesture(self, way: Way, seat: int, part: slice) -> None:
        taken = tuple(self._top.take(way.source, way.taken[part])) if way.source is not None else ()
        laid: tuple[Lying, ...] = ()
        if way.target is not None:
            numbers = [card.number for card in taken] or [None] * len(way.faces[part])
            arriving: list[Lying] = []
            for number, face in zip(numbers, way.faces[part], strict=True):
                twin = bool(self._rng.random() < self._film.accidents.twins)
                arriving.append(self._top.arrival(way.target, face, number, twin=twin, ahead=arriving))
            if way.source == way.target:  # turned over where they lie
                arriving = [replace(new, pose=old.pose) for new, old in zip(arriving, taken, strict=True)]
            laid = tuple(arriving)
            for card in laid:
                self._top.put(card)
        self._add(seat, taken, laid)

    def _add(self, seat: int, taken: tuple[Lying, ...], laid: tuple[Lying, ...], hold: float = 0.0) -> None:
        rng, ranges = self._rng, self._film.ranges
        at = self._touch(seat, taken or laid)
        to = self._touch(seat, laid or taken)
        start = max(self._now, self._free.get(seat, 0.0))
        there = start + rng.uniform(*ranges.reach)
        if taken and laid:
            grab = there + rng.uniform(*ranges.stay)
            far = float(np.hypot(to[0] - at[0], to[1] - at[1]))
            release = grab + 0.25 + far / 900 + rng.uniform(*ranges.stay) + hold
        elif laid:
            grab = start
            release = there + rng.uniform(*ranges.stay)
        else:
            grab = release = there + rng.uniform(*ranges.stay)
        end = release + rng.uniform(*ranges.reach)
        self.script.gestures.append(Gesture(seat, start, there, grab, release, end, at, to, taken, laid))
        self._free[seat] = end + 0.05
        self._now = release + 0.05

    def _touch(self, seat: int, cards: Sequence[Lying]) -> tuple[float, float]:
        """Where the finger tips are when this seat touches these cards."""
        middle = np.mean([(card.pose.x, card.pose.y) for card in cards], axis=0)
        edge = self._places.seats[seat]
        way = np.array((edge.x, edge.y)) - middle
        far = float(np.hypot(*way))
        point = middle + way / max(far, 1.0) * min(TOUCH * self._rng.uniform(0.5, 1.3), far * 0.6)
        return float(point[0]), float(point[1])

    def _deal(self, dealer: int) -> None:
        """Somebody deals: his hand rests near the stock while cards slide to everybody, who takes them up."""
        self._rest()
        width, depth = self._places.layout.size
        at = (width * self._rng.uniform(0.35, 0.65), depth * self._rng.uniform(0.4, 0.6))
        start, there = self._now, self._now + self._rng.uniform(*self._film.ranges.reach)
        seats = self._places.seats
        for number in range(DEALT * len(seats)):
            seat = seats[(dealer + 1 + number) % len(seats)]
            begins = there + number * BETWEEN
            target = seat.at(float(self._rng.normal(0, 25)), 75.0)
            turn = seat.turn + float(self._rng.normal(0, 25))
            self.script.flights.append(Flight(begins, begins + FLIES, at, target, turn))
        done = there + DEALT * len(seats) * BETWEEN + FLIES
        end = done + self._rng.uniform(*self._film.ranges.reach)
        self.script.gestures.append(Gesture(dealer, start, there, there, done, end, at, at))
        self._free[dealer] = end + 0.05
        self._now = end + 0.1

    def _excursion(self) -> None:
        """Somebody picks a card up, looks at it, and puts it back."""
        loose = [card for card in self._top.snapshot() if not self._places.stack(card.zone)]
        if not loose:
            return
        self._rest()
        card = loose[int(self._rng.integers(len(loose)))]
        seat = self._places.owner(card.zone)
        seat = int(self._rng.integers(len(self._places.seats))) if seat is None else seat
        self._top.cards.pop(card.number)
        again = self._top.back_again(card)
        self._add(seat, (card,), (), 0.0)
        self._rest()
        self._now += self._rng.uniform(0.4, 1.5)
        self._top.put(again)
        self._add(seat, (), (again,))
        self._rest()
        self._now += self._rng.uniform(*self._film.ranges.think)


def _slot(rules: Game[Any], step: Step) -> Slot:
    """Where the action of a step puts its cards."""
    who = step.action.kind, step.action.seat
    slots = (p.slot for p in open_prompts(rules, step.before) if (p.kind, p.seat) == who)
    return next((slot for slot in slots if slot is not None), Slot(0, 0))


def _held(rules: Game[Any], step: Step) -> tuple[str, ...]:
    """The cards of a step that come out of a hand."""
    source = _slot(rules, step).source
    lies = any(zone.id == source for zone in rules.expected_table(step.before))
    return () if source is None or lies else step.action.cards
