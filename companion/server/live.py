"""The live stream: everybody who looks at a table learns of a change at once.

A `Bus` holds, per table, a counter that moves with every change and the people who listen. A listener waits for the
counter, then asks for what he should see: nothing is queued, so a slow page can never fall behind more than one
picture. Between changes a heartbeat shows that the connection lives.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition
from typing import Any


class Bus:
    """Change counters and listeners of all tables; safe to share between threads."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._versions: Counter[str] = Counter()
        self._people: dict[str, Counter[tuple[str, str]]] = {}
        self._closed = False

    @property
    def closed(self) -> bool:
        """The server is going down; streams end."""
        return self._closed

    def version(self, table_id: str) -> int:
        """How often the table has changed since this process started."""
        with self._changed:
            return self._versions[table_id]

    def publish(self, table_id: str) -> None:
        """Something about the table is new: wake everybody who looks at it."""
        with self._changed:
            self._versions[table_id] += 1
            self._changed.notify_all()

    def wait(self, table_id: str, version: int, timeout: float) -> int:
        """Wait until the table's counter is above `version`, at most `timeout` s; returns the counter."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._versions[table_id] > version, timeout)
            return self._versions[table_id]

    def close(self) -> None:
        """Let every stream end."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @contextmanager
    def listening(self, table_id: str, role: str, device: str) -> Iterator[None]:
        """Count a listener in while the block runs."""
        with self._changed:
            self._people.setdefault(table_id, Counter())[role, device] += 1
        self.publish(table_id)
        try:
            yield
        finally:
            with self._changed:
                people = self._people[table_id]
                people[role, device] -= 1
                if people[role, device] <= 0:
                    del people[role, device]
            self.publish(table_id)

    def people(self, table_id: str) -> list[tuple[str, str]]:
        """Everybody who listens to the table, as (role, device); one entry a device and role."""
        with self._changed:
            return sorted(self._people.get(table_id, Counter()))

    def listeners(self) -> int:
        """How many streams are open over all tables."""
        with self._changed:
            return sum(sum(people.values()) for people in self._people.values())


def sse(event: str, data: Any, number: int | None = None) -> bytes:
    """One server-sent event. `number` becomes its id, which a reconnecting browser sends back."""
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {event}\ndata: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


def stream(
    bus: Bus, table_id: str, seen: int, heartbeat: float, look: Callable[[], tuple[int, Any, Any]]
) -> Iterator[bytes]:
    """The events of one listener: ``table`` (with the journal number as id) when the match is newer than `seen`,
    ``around`` when camera, questions or people changed, ``beat`` when nothing did. `look` gives (number, table,
    around)."""
    yield b"retry: 1000\n\n"
    around: Any = None
    version = -1
    while not bus.closed:
        now = bus.version(table_id)
        if now != version:
            version = now
            seq, table, surroundings = look()
            if seq != seen:
                seen = seq
                yield sse("table", table, seq)
            if surroundings != around:
                around = surroundings
                yield sse("around", around)
        if bus.wait(table_id, version, heartbeat) == version:
            yield sse("beat", {"seq": seen})
