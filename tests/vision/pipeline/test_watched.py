"""Of a table that a camera watches, what was read where nothing has changed and nothing matters is known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from companion.vision.geometry import bounds
from companion.vision.images import Pixels, load
from companion.vision.pipeline import Reader
from companion.vision.reading.classifier import FaceClassifier
from companion.vision.types import NOWHERE, ReadResult

PICTURE = Path(__file__).parents[1] / "pictures" / "table.jpg"


class Counted:
    """A reader whose crops are counted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reader, self.crops = Reader(), 0
        for name in ("classify_indices", "classify_faces"):
            monkeypatch.setattr(FaceClassifier, name, self._counting(getattr(FaceClassifier, name)))

    def _counting(self, real: object) -> object:
        def ask(classifier: FaceClassifier, crops: Sequence[Pixels]) -> object:
            self.crops += len(crops)
            return real(classifier, crops)  # type: ignore[operator]

        return ask

    def read(self, picture: Pixels, where: tuple[tuple[int, int, int, int], ...] | None) -> tuple[ReadResult, int]:
        """What was read, and how many crops of it were looked at."""
        self.crops = 0
        result = self.reader.read(picture, where=where)
        return result, self.crops


def names(result: ReadResult) -> list[str | None]:
    """In reading order."""
    return [card.face for card in result.cards]


def noisy(picture: Pixels, seed: int) -> Pixels:
    """The same as a camera shows it another time."""
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def test_what_lies_still_and_does_not_matter_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, picture = Counted(monkeypatch), load(PICTURE)
    counted.read(noisy(picture, 0), (NOWHERE,))
    first, every = counted.read(noisy(picture, 1), (NOWHERE,))  # a table is read whole twice
    again, few = counted.read(noisy(picture, 2), (NOWHERE,))
    assert names(again) == names(first) and len(names(first)) > 5
    assert few < every / 4
    matters, some = counted.read(noisy(picture, 2), tuple(bounds(card.polygon) for card in first.cards))
    assert names(matters) == names(first) and some > few + 5


def test_a_card_that_goes_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, picture = Counted(monkeypatch), load(PICTURE)
    for seed in range(3):
        first, _ = counted.read(noisy(picture, seed), (NOWHERE,))
    gone = next(one for one in first.cards if one.face)
    left, top, right, bottom = bounds(gone.polygon)
    bare = picture.copy()
    bare[max(0, top - 9) : bottom + 9, max(0, left - 9) : right + 9] = np.median(picture[:9], axis=(0, 1))
    now, _ = counted.read(noisy(bare, 1), (NOWHERE,))
    assert gone.face not in [one.face for one in now.cards if one.centre == pytest.approx(gone.centre, abs=60)]
    back, _ = counted.read(noisy(picture, 2), (NOWHERE,))
    assert names(back) == names(first)


def test_a_single_picture_is_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, picture = Counted(monkeypatch), load(PICTURE)
    _, every = counted.read(picture, None)
    _, whole = counted.read(picture, (NOWHERE,))
    assert [counted.read(picture, None)[1] for _ in range(2)] == [every, every] and whole == every
