"""One film: its frames, one after the other, and the truth about them; as a stream, or written to a folder."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.cards import deck
from companion.referee import Acted, Started
from companion.table.forms import POKER
from companion.training.films.camera import Camera, Push, Sensor, hang, project
from companion.training.films.cards import DeckPictures, deck_pictures
from companion.training.films.director import BEYOND, Gesture, Happened, Script, direct
from companion.training.films.hands import hands, laid_at
from companion.training.films.picture import Painter, lay, table_top
from companion.training.films.spec import Film, FilmError
from companion.training.films.tabletop import Lying, Pose

Array = np.ndarray
RESTING = 0.17
"""Share of the films in which a hand with the deck rests in view."""
FIDGET = 16.0
"""So far (mm) a dealer's hands move to and fro."""
MOST_CARRIED = 6
"""Of a packet in a hand no more cards are painted."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame of a film: `time` s since its beginning, `pixels` (height, width, 3) BGR, `hands`: share of it that
    hands cover."""

    time: float
    pixels: Array
    hands: float


class Filmed:
    """A film ready to be shown. Script and truth are there at once; frames are painted as they are asked for."""

    def __init__(self, film: Film) -> None:
        self.film = film
        rough = direct(film)
        cards = deck(rough.setup.deck or rough.rules.recommended_deck(len(rough.setup.players)))
        self.deck: DeckPictures = deck_pictures(film, cards)
        self.script: Script = direct(film, self.deck.size) if self.deck.size != POKER else rough
        self.camera: Camera = self._hung()

    def _hung(self) -> Camera:
        camera = hang(self.film, self.script.places.layout.size)
        rng, pushes = self.film.rng("pushes"), []
        for time, far in zip(self.script.pushes, self.film.accidents.nudges, strict=True):
            angle = rng.uniform(0, 2 * np.pi)
            pushes.append(
                Push(time, (float(far * np.cos(angle)), float(far * np.sin(angle))), float(rng.normal(0, 0.6)))
            )
        return replace(camera, pushes=tuple(pushes))

    @property
    def started(self) -> Started:
        """The first event of its journal."""
        return Started(self.film.game, self.script.setup)

    @cached_property
    def count(self) -> int:
        """How many frames it has."""
        return int(self.script.length * self.film.fps) + 1

    # --- frames ----------------------------------------------------------------------------------------------------

    def frames(self, times: Iterable[float] | None = None) -> Iterator[Frame]:
        """All frames, in order; or only those at `times` (s, rising), as they look but for the sensor's noise."""
        painter, sensor = self._painter(), Sensor(self.film, self.script.length)
        resting = self._resting_hand()
        for time in (number / self.film.fps for number in range(self.count)) if times is None else times:
            painter.look_from(self.camera.at(time))
            painter.show(self.lying(time))
            canvas, covered = painter.still, 0.0
            moving = [gesture for gesture in self.script.gestures if gesture.start <= time < gesture.end]
            dealt = [flight for flight in self.script.flights if flight.start <= time < flight.end]
            if moving or dealt or resting is not None:
                canvas = canvas.copy()
            for number, flight in enumerate(dealt):
                x, y = _between(flight.source, flight.target, flight.start, flight.end, time)
                lay(canvas, painter.card(None, number, Pose(x, y, flight.turn), lift=3.0))
            for gesture in moving:
                covered += self._paint_gesture(painter, canvas, gesture, time)
            if resting is not None:
                covered += self._paint_resting(painter, canvas, *resting, time)
            share = min(1.0, covered / (canvas.shape[0] * canvas.shape[1]))
            yield Frame(time, sensor.take(canvas, share, time), share)

    def lying(self, time: float) -> list[Lying]:
        """The cards that lie at a time, lowest first: what a hand carries does not."""
        at = bisect_right(self._turns, time)
        return self._states[at]

    @cached_property
    def _turns(self) -> list[float]:
        return [time for time, _ in self._events()]

    @cached_property
    def _states(self) -> list[list[Lying]]:
        lying = {card.number: card for card in self.script.begins}
        states = [sorted(lying.values(), key=lambda card: card.level)]
        for _, change in self._events():
            match change:
                case ("take", cards):
                    for card in cards:
                        lying.pop(card.number, None)
                case ("lay", cards):
                    lying |= {card.number: card for card in cards}
            states.append(sorted(lying.values(), key=lambda card: card.level))
        return states

    def _events(self) -> list[tuple[float, tuple[str, tuple[Lying, ...]]]]:
        found = []
        for gesture in self.script.gestures:
            if gesture.taken:
                found.append((gesture.grab, ("take", gesture.taken)))
            if gesture.laid:
                found.append((gesture.release, ("lay", gesture.laid)))
        found += [(slip.time, ("lay", slip.cards)) for slip in self.script.slips]
        return sorted(found, key=lambda event: event[0])

    def _painter(self) -> Painter:
        rng, places = self.film.rng("table"), self.script.places
        size = places.layout.size
        glasses = self._free_points(2, 48.0) if self.film.chance("clutter", 0.33, self.film.clutter) else []
        surface, floor = table_top(rng, size, glasses)
        drawn = hands(self.film, len(places.seats) + 1)
        return Painter(self.camera, self.deck, drawn, surface, floor, self._held_hands())

    def _free_points(self, count: int, radius: float) -> list[tuple[float, float]]:
        """Points of the table where nothing will lie within `radius` mm, as far as there are any."""
        places, rng = self.script.places, self.film.rng("free points")
        wide, deep = places.layout.size
        boxes = [places.box(shape.id) for shape in places.layout.zones]
        found: list[tuple[float, float]] = []
        for x, y in rng.uniform((0, 0), (wide, deep), (400, 2)):
            clear = all(np.hypot(max(a - x, 0, x - c), max(b - y, 0, y - d)) > radius for a, b, c, d in boxes)
            if clear and all(np.hypot(x - u, y - v) > 2 * radius for u, v in found) and len(found) < count:
                found.append((float(x), float(y)))
        return found

    def _held_hands(self) -> list[Lying]:
        """Cards that people hold beyond the table's edge, backs to the camera."""
        if self.film.game == "three-card-showdown" or not self.film.chance("holders", 0.67, self.film.holders):
            return []
        rng, held = self.film.rng("held"), []
        for number, seat in enumerate(self.script.places.seats):
            count, far = int(rng.integers(4, 9)), rng.uniform(38, 60)
            for k in range(count):
                angle = (k - (count - 1) / 2) * 7
                x, y = seat.at(angle * 1.6 + 110, far)
                held.append(Lying(-1 - number * 20 - k, None, "", Pose(x, y, seat.turn + angle), k))
        return held

    # --- what moves ------------------------------------------------------------------------------------------------

    def _elbow(self, seat: int, point: tuple[float, float]) -> tuple[float, float]:
        one = self.script.places.seats[seat]
        return one.at(one.aside(point) * 0.35, 420)

    def _tips(self, gesture: Gesture, time: float) -> tuple[float, float]:
        """Where the finger tips are at a time of a gesture, mm."""
        seat = self.script.places.seats[gesture.seat]
        first = gesture.at if gesture.taken else gesture.to
        if time < gesture.there:
            away = seat.at(seat.aside(first) * 0.4, BEYOND)
            return _between(away, first, gesture.start, gesture.there, time)
        if time < gesture.release:
            return _between(first, gesture.to, gesture.grab, gesture.release, time)
        return _between(gesture.to, seat.at(seat.aside(gesture.to) * 0.4, BEYOND), gesture.release, gesture.end, time)

    def _paint_gesture(self, painter: Painter, canvas: Array, gesture: Gesture, time: float) -> float:
        tips = self._tips(gesture, time)
        if self._carries(gesture, time):
            for card, pose, lift, face, narrow in self._carried(gesture, time, tips):
                lay(canvas, painter.card(face, card.number, pose, lift, narrow))
        sprite, covered = painter.hand(gesture.seat, laid_at(tips, self._elbow(gesture.seat, tips)))
        lay(canvas, sprite)
        return covered

    @staticmethod
    def _carries(gesture: Gesture, time: float) -> bool:
        if gesture.taken and gesture.laid:
            return gesture.grab <= time < gesture.release
        return time < gesture.release if gesture.laid else time >= gesture.grab

    def _carried(
        self, gesture: Gesture, time: float, tips: tuple[float, float]
    ) -> Iterator[tuple[Lying, Pose, float, str | None, float]]:
        """Card, pose, mm above the table, face and share of its width for every card in the hand, lowest first."""
        cards = (gesture.laid or gesture.taken)[-MOST_CARRIED:]
        before = {card.number: card for card in gesture.taken}
        seat = self.script.places.seats[gesture.seat]
        for k, card in enumerate(cards):
            spread = (k - (len(cards) - 1) / 2) * min(14.0, 40 / len(cards))
            x, y = seat.at(seat.aside(tips) + spread, -26)
            inwards = (tips[0] - seat.x) * seat.out[0] + (tips[1] - seat.y) * seat.out[1]
            packet = Pose(x + inwards * seat.out[0], y + inwards * seat.out[1], seat.turn + spread * 0.6)
            pose, height, face, narrow = packet, 1.0, card.face, 1.0
            old = before.get(card.number)
            if old is not None:
                since = (time - gesture.grab) / 0.25
                height = _eased(since)
                pose = old.pose.towards(packet, height)
                face = old.face
            if gesture.laid:
                left = (gesture.release - time) / 0.25
                near = 1 - _eased(left)
                pose, height = pose.towards(card.pose, near), min(height, 1 - near)
                if old is not None and old.face != card.face:
                    face, narrow = _turning(old.face, card.face, gesture, time)
            yield card, pose, 6.0 + 14.0 * height, face, narrow

    def _resting_hand(self) -> tuple[tuple[float, float], int] | None:
        if not (self.film.dealer or self.film.chance("resting", RESTING, self.film.resting_hand)):
            return None
        wide, deep = self.script.places.layout.size
        free = self._free_points(1, 75.0 if self.film.dealer else 30.0)
        free = free or [(wide * 0.03, deep * (0.05 if self.film.dealer else 0.5))]
        return free[0], len(self.script.places.seats)

    def _paint_resting(self, painter: Painter, canvas: Array, at: tuple[float, float], seat: int, time: float) -> float:
        """A dealer's hand with the deck, all the time, or both of them, never still; he sits at the nearer end of the
        table."""
        wide, deep = self.script.places.layout.size
        if self.film.dealer:
            at = at[0] + FIDGET * float(np.sin(5.1 * time)), at[1] + FIDGET * float(np.sin(3.4 * time + 1))
        end = (-380.0 if at[0] < wide / 2 else wide + 380.0, deep * 0.5)
        for k in range(4):
            pose = Pose(at[0] - 2 + k * 0.8, at[1] - 10 - k * 0.8, 90.0)
            lay(canvas, painter.card(None, 0, pose, 20.0 + k))
        sprite, covered = painter.hand(seat, laid_at(at, end))
        lay(canvas, sprite)
        if self.film.dealer:
            other = at[0] + FIDGET * float(np.sin(4.3 * time)), at[1] + 62.0
            sprite, more = painter.hand(seat, laid_at(other, end))
            lay(canvas, sprite)
            covered += more
        return covered

    # --- truth -----------------------------------------------------------------------------------------------------

    def header(self) -> dict[str, Any]:
        """The film's first line of truth: its choices, its set-up, its layout, its calibrations by time."""
        times = [0.0, *(push.time for push in self.camera.pushes)]
        return {
            "film": self.film.to_json(),
            "split": self.film.split,
            "print": self.deck.name,
            "seconds": round(self.script.length, 3),
            "frames": self.count,
            "hands in view": round(self._hands_in_view(), 3),
            "started": self.started.to_json(),
            "skipped": [action.to_json() for action in self.script.skipped],
            "layout": self.script.places.layout.to_toml(),
            "calibrations": [{"from": t, "matrix": list(self.camera.calibration(t).matrix)} for t in times],
            "begins": self.seen(self.script.begins, 0.0),
        }

    def _hands_in_view(self) -> float:
        """The share of its time in which a hand acts or rests in view."""
        if self.film.dealer or self.film.chance("resting", RESTING, self.film.resting_hand):
            return 1.0
        busy, last = 0.0, 0.0
        for one in sorted(self.script.gestures, key=lambda gesture: gesture.start):
            busy += max(0.0, one.end - max(one.start, last))
            last = max(last, one.end)
        return busy / self.script.length

    def line(self, number: int) -> dict[str, Any]:
        """The line of truth of one action."""
        one = self.script.happened[number]
        return {
            "event": Acted(one.action, "camera").to_json(),
            "time": round(one.time, 3),
            "start": round(one.start, 3),
            "trace": one.trace.value,
            "cards": self.seen(one.lying, one.time),
        }

    def seen(self, lying: tuple[Lying, ...], time: float) -> list[dict[str, Any]]:
        """What of these cards can be seen: id, face, zone, outline in px, and the share of it that nothing covers."""
        matrix = np.linalg.inv(np.reshape(self.camera.calibration(time).matrix, (3, 3)))
        width, height = (v // 2 for v in self.film.size)
        owner = np.zeros((height, width), np.int32)
        quads = [project(matrix, card.pose.corners(self.deck.size)) for card in lying]
        for number, quad in enumerate(quads, 1):
            cv2.fillConvexPoly(owner, np.round(quad / 2 - 0.25).astype(np.int32), number)
        left = np.bincount(owner.ravel(), minlength=len(lying) + 1)
        found = []
        for number, (card, quad) in enumerate(zip(lying, quads, strict=True), 1):
            share = min(1.0, left[number] / max(1.0, cv2.contourArea((quad / 2).astype(np.float32))))
            if share >= 0.02:
                corners = [[round(float(x), 1), round(float(y), 1)] for x, y in quad]
                found.append({"id": card.number, "face": card.face, "zone": card.zone, "quad": corners,
                              "visible": round(float(share), 2)})  # fmt: skip
        return found

    @property
    def happened(self) -> list[Happened]:
        """All actions of the film, in order."""
        return self.script.happened

    def write(self, folder: Path) -> Path:
        """Write the film (.mp4), its truth (.jsonl) and the hands' share of every frame (in its last line) into
        `folder`; returns the video. Raises FilmError where this OpenCV cannot write MPEG-4."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.film.name}.mp4"
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), self.film.fps, self.film.size)
        if not writer.isOpened():
            raise FilmError(f"this OpenCV cannot write {path.name}: its FFmpeg lacks MPEG-4.")
        shares = []
        for frame in self.frames():
            writer.write(frame.pixels)
            shares.append(round(frame.hands, 3))
        writer.release()
        lines = [self.header(), *(self.line(number) for number in range(len(self.happened))), {"hands": shares}]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        path.with_suffix(".jsonl").write_text(text, "utf-8")
        return path


def _eased(share: float) -> float:
    share = min(1.0, max(0.0, share))
    return share * share * (3 - 2 * share)


def _between(one: tuple[float, float], other: tuple[float, float], start: float, end: float,
             time: float) -> tuple[float, float]:  # fmt: skip
    share = _eased((time - start) / max(1e-6, end - start))
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def _turning(before: str | None, after: str | None, gesture: Gesture, time: float) -> tuple[str | None, float]:
    """The side that shows while a card is turned over, and the share of its width."""
    share = min(1.0, max(0.0, (time - gesture.grab) / max(1e-6, gesture.release - gesture.grab)))
    return (before if share < 0.5 else after), abs(float(np.cos(np.pi * share)))
