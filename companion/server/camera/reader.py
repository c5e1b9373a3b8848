"""The reader of the process, shared by all tables."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from typing import Any

from companion.vision.images import Pixels
from companion.vision.types import Part, PictureReader, ReadResult, Region


class OneReader:
    """The reader of the process, made when it is first needed; one picture at a time, so that several tables share
    the processor instead of fighting for it."""

    def __init__(self, make: Callable[[], PictureReader] | None = None) -> None:
        self._make = make or _shipped_reader
        self._lock = threading.Lock()
        self._reader: PictureReader | None = None

    def warm(self) -> None:
        """Load the weights now. Raises whatever the reader raises when they are missing."""
        with self._lock:
            self._reader = self._reader or self._make()

    def read(self, image: Pixels, deck: Any = None, letters: Collection[str] = (),
             where: Sequence[Region] | None = None, parts: Sequence[Part] = ()) -> ReadResult:  # fmt: skip
        """All cards in a picture."""
        self.warm()
        with self._lock:
            assert self._reader is not None
            return self._reader.read(image, deck, letters, where, parts)


def _shipped_reader() -> PictureReader:
    from companion.vision.pipeline import Reader, TwoPassReader

    return TwoPassReader(Reader())
