"""A small table of cards that differ by their ink, its reader and its film: real frames, nothing trained."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence

import cv2
import numpy as np

from companion.vision.camera.source import Frame, Source, SourceState, SourceStatus
from companion.vision.following.watcher import Watcher
from companion.vision.images import Pixels
from companion.vision.types import Candidate, CardRead, Quad, ReadResult, Region, SeenTable, Side

SIZE = (320, 240)
INKS = {"AS": (200, 40, 40), "KH": (40, 40, 200), "7D": (40, 160, 40), "2C": (200, 40, 200)}
NOISE = np.random.default_rng(1).normal(0, 2, (SIZE[1], SIZE[0], 3)).astype(np.float32)
Cards = list[tuple[str, int, int]]


def picture(cards: Cards, hand: tuple[int, int] | None = None, number: int = 0) -> Pixels:
    """A felt with cards of 40 × 56 px (face, left, top), each with a patch of its own colour, and perhaps a hand."""
    canvas = np.full((SIZE[1], SIZE[0], 3), (70, 120, 60), np.float32)
    for face, x, y in cards:
        cv2.rectangle(canvas, (x, y), (x + 39, y + 55), (235, 235, 235), -1)
        cv2.rectangle(canvas, (x + 10, y + 14), (x + 29, y + 41), INKS[face], -1)
    if hand:
        cv2.circle(canvas, hand, 40, (130, 160, 215), -1)
    return np.clip(canvas + np.roll(NOISE, number * 7, axis=0), 0, 255).astype(np.uint8)


class ColourReader:
    """Reads the invented cards of `picture` from the pixels alone."""

    def __init__(self, p: float = 0.97) -> None:
        self.p = p
        self.calls = 0
        self.decks: list[Collection[str] | None] = []
        self.letters = self.inks = frozenset[str]()
        self.known: list[set[str]] = []
        self.where: list[Sequence[Region] | None] = []
        self.last: tuple[CardRead, ...] = ()
        self.fail = False

    def read(self, image: Pixels, deck: Collection[str] | None = None, letters: Collection[str] = (),
             where: Sequence[Region] | None = None, parts: object = ()) -> ReadResult:  # fmt: skip
        self.calls += 1
        self.known.append(set(letters))
        self.decks.append(deck)
        self.where.append(where)
        if self.fail:
            raise RuntimeError("no network")
        found = []
        for face, ink in INKS.items():
            mask = (np.abs(image.astype(int) - ink).max(axis=2) < 40).astype(np.uint8)
            count, _, stats, _ = cv2.connectedComponentsWithStats(mask)
            for x, y, w, h, area in stats[1:count]:
                if area > 350:
                    quad: Quad = (
                        (x - 10, y - 14),
                        (x + w + 10, y - 14),
                        (x + w + 10, y + h + 14),
                        (x - 10, y + h + 14),
                    )
                    guess = (Candidate(face, self.p),)
                    found.append(CardRead(face if self.p > 0.8 else None, self.p, Side.UP, quad, guess))
        self.last = tuple(found)
        return ReadResult(image.shape[1], image.shape[0], 1.0, self.last, self.letters, self.inks)


class Film(Source):
    """Frames made beforehand."""

    waits = True

    def __init__(self, pictures: Iterable[Pixels], fps: float = 10.0) -> None:
        super().__init__("film")
        self._pictures, self._fps, self._number = iter(pictures), fps, 0

    def read(self, timeout: float = 0.5) -> Frame | None:
        pixels = next(self._pictures, None)
        if pixels is None:
            self._status = SourceStatus.of(SourceState.ENDED, self.name)
            return None
        self._number += 1
        return Frame(pixels, self._number / self._fps, self._number)

    def close(self) -> None:
        self._pictures = iter(())


def play(watcher: Watcher, pictures: Iterable[Pixels], start: int = 0) -> int:
    """Feed pictures at ten a second; returns the number of the next frame."""
    for number, pixels in enumerate(pictures, start):
        watcher.feed(Frame(pixels, number / 10, number))
        start = number + 1
    return start


def still(cards: Cards, count: int = 12, hand: tuple[int, int] | None = None) -> list[Pixels]:
    return [picture(cards, hand, n) for n in range(count)]


def waving(cards: Cards, count: int = 12) -> list[Pixels]:
    return [picture(cards, (40 + 20 * n, 100), n) for n in range(count)]


def told(**options: object) -> tuple[Watcher, list[SeenTable], ColourReader]:
    tables: list[SeenTable] = []
    reader = options.pop("reader", None) or ColourReader()
    assert isinstance(reader, ColourReader)
    watcher = Watcher(Film([]), reader, on_table=tables.append, **options)  # type: ignore[arg-type]
    return watcher, tables, reader


def names(table: SeenTable) -> list[str | None]:
    return sorted((c.face for c in table.cards), key=str)


def wait_until(condition: Callable[[], bool], seconds: float = 60.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.01)
    return False


TWO: Cards = [("AS", 30, 40), ("KH", 200, 140)]
