"""Of a table that a camera watches, closer views that show what they showed are known."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.geometry import bounds
from companion.vision.images import Pixels, load
from companion.vision.pipeline import Reader
from companion.vision.reading.detector import Detector
from companion.vision.reading.tiles import Tile
from companion.vision.types import NOWHERE, ReadResult, Region

PICTURE = Path(__file__).parents[1] / "pictures" / "table.jpg"


@pytest.fixture
def table() -> Pixels:
    """Cards so small that closer views are needed."""
    small = cv2.resize(load(PICTURE), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    canvas = np.full((720, 1280, 3), np.median(small[:9], axis=(0, 1)), np.uint8)
    for left, top in ((40, 30), (760, 370)):
        canvas[top : top + small.shape[0], left : left + small.shape[1]] = small
    return canvas


class Counted:
    """A reader whose closer views are counted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reader, self.tiles = Reader(), list[Tile]()
        real = Detector.detect_tile

        def detect(detector: Detector, image: Pixels, tile: Tile, *given: object, **more: object) -> object:
            self.tiles += [tile] if tile.width < image.shape[1] else []
            return real(detector, image, tile, *given, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(Detector, "detect_tile", detect)

    def read(self, picture: Pixels, where: tuple[Region, ...] | None) -> tuple[ReadResult, int]:
        """What was read, and how many closer views it took."""
        self.tiles = []
        return self.reader.read(picture, where=where), len(self.tiles)


def names(result: ReadResult) -> list[str]:
    """In reading order."""
    return [card.face for card in result.cards if card.face]


def noisy(picture: Pixels, seed: int) -> Pixels:
    """The same as a camera shows it another time."""
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def test_what_lies_still_is_looked_at_closely_once(monkeypatch: pytest.MonkeyPatch, table: Pixels) -> None:
    counted = Counted(monkeypatch)
    first, every = counted.read(noisy(table, 0), (NOWHERE,))
    again, none = counted.read(noisy(table, 1), (NOWHERE,))
    assert every > 2 and none == 0
    assert names(again) == names(first) and len(names(first)) > 8
    matters, some = counted.read(noisy(table, 2), (bounds(first.cards[0].polygon),))
    assert names(matters) == names(first) and 0 < some < every


def test_a_card_that_goes_is_gone(monkeypatch: pytest.MonkeyPatch, table: Pixels) -> None:
    counted = Counted(monkeypatch)
    first, every = counted.read(noisy(table, 0), (NOWHERE,))
    gone = next(one for one in first.cards if one.face)
    left, top, right, bottom = bounds(gone.polygon)
    bare = table.copy()
    bare[max(0, top - 6) : bottom + 6, max(0, left - 6) : right + 6] = table[5, 5]
    now, some = counted.read(noisy(bare, 1), (NOWHERE,))
    assert 0 < some < every
    assert not any(one.centre == pytest.approx(gone.centre, abs=30) for one in now.cards)
    back, none = counted.read(noisy(table, 2), (NOWHERE,))
    assert names(back) == names(first) and none == 0


def test_a_single_picture_is_looked_at_whole(monkeypatch: pytest.MonkeyPatch, table: Pixels) -> None:
    counted = Counted(monkeypatch)
    _, every = counted.read(table, None)
    assert [counted.read(table, None)[1] for _ in range(2)] == [every, every]
    assert counted.read(table, (NOWHERE,))[1] == every
