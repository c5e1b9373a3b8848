"""Does what one picture needs on several threads: small networks gain little from a second thread, two of them much.

NumPy, OpenCV and ONNX Runtime let other threads work while they compute, so threads suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")
A = TypeVar("A")

_PARTS_A_THREAD = 2
"""More parts than threads, as parts take unequally long and threads start late."""


class Begun(Generic[T]):
    """Work that was given away: it is done by another thread, or by who asks for its result, whoever is there first."""

    def __init__(self, work: Callable[[], T], others: ThreadPoolExecutor | None) -> None:
        self._work = work
        self._future: Future[T] | None = others.submit(work) if others else None
        self._own: list[T] = []
        self._asked = Lock()

    def result(self) -> T:
        """What the work gives, whoever asks, and how often; raises what it raises."""
        if self._future is not None and not self._future.cancel():
            return self._future.result()
        with self._asked:
            if not self._own:
                self._own.append(self._work())
            return self._own[0]


class Workers:
    """The caller's thread and `threads` - 1 others."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._others = ThreadPoolExecutor(threads - 1, "reading") if threads > 1 else None

    def begin(self, work: Callable[[], T]) -> Begun[T]:
        """Have something done beside what the caller does next."""
        return Begun(work, self._others)

    def in_parts(self, work: Callable[[Sequence[A]], Sequence[T]], things: Sequence[A], least: int) -> list[T]:
        """What `work` makes of all things, one of each, in order: begun in parts of at least so many."""
        count = max(1, min(self._threads * _PARTS_A_THREAD if self._others else 1, len(things) // least))
        ends = [len(things) * k // count for k in range(count + 1)]
        first, *others = (things[start:end] for start, end in pairwise(ends))
        later = [self.begin(partial(work, part)) for part in others]
        own = work(first)
        rest = [part.result() for part in reversed(later)]  # the last ones are begun last
        return [one for part in (own, *reversed(rest)) for one in part]
