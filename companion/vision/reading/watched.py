"""What is known of watched tables from the pictures before: what has not changed is not looked at or read anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.vision.geometry import Array
from companion.vision.images import Pixels
from companion.vision.reading.changes import Answers, Before, Changes
from companion.vision.reading.detections import Detection
from companion.vision.reading.detector import Detector, Views
from companion.vision.reading.tile_memory import TileMemory
from companion.vision.types import Region


@dataclass(frozen=True, slots=True)
class _Look:
    """What was seen and read of a picture."""

    views: Views
    answers: Answers[Any]


class Watched:
    """The detector, and what it found in the latest pictures of some cameras. Not thread-safe."""

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self._before = Before[_Look]()
        self._tiles = TileMemory()

    def look(
        self, picture: Pixels, where: Sequence[Region] | None, *, beside: Sequence[Array] = ()
    ) -> tuple[list[Detection], Answers[Any]]:
        """All cards and indices that a picture shows, and what is known of such already. Of a camera that watches
        (`where` is not None) what closer views showed before, where nothing has changed and nothing matters; where
        nothing matters at all (`where` is empty) all that was found and read where nothing has changed. `beside`: see
        `Detector.look`."""
        latest: tuple[list[Detection], Answers[Any]] = [], Answers()

        def found(detections: list[Detection], views: Views | None, answers: Answers[Any]) -> _Look | None:
            nonlocal latest
            latest = detections, answers
            return None if views is None else _Look(views, answers)

        def whole() -> _Look | None:
            return found(*self._detector.look(picture, beside=beside), Answers())

        def parts(before: _Look, changes: Changes) -> _Look | None:
            seen = self._detector.look_again(picture, before.views, changes)
            return None if seen is None else found(*seen, before.answers.unchanged(changes))

        if where is None:
            whole()
        elif where:
            found(*self._detector.look(picture, self._tiles, where), Answers())
        else:
            self._before.look(picture, (), whole, parts)
        return latest
