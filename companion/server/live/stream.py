"""The live stream: everybody who looks at a table learns of a change at once.

A `Bus` holds, per table, a counter that moves with every change and the people who listen. A listener waits for the
counter, then asks for what he should see: nothing is queued, so a slow page can never fall behind more than one
picture. What a hundred pages of one role and language should see is drawn and written out once (`SnapshotCache`).
Between changes a heartbeat shows that the connection lives.
"""

from __future__ import annotations

import json
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Condition, Lock
from typing import Any


@dataclass(frozen=True, slots=True)
class Listener:
    """Somebody who listens. `device`: the secret name of the browser, or an address for those without (`named` is
    false then); `role`: as `Access.code`; `kind`: ``phone``, ``tablet`` …; `since`: ISO 8601 UTC; `page`: which of the
    device's pages it is, empty where it does not say."""

    device: str
    role: str
    named: bool = False
    kind: str = "other"
    since: str = ""
    page: str = ""


class ReplacedError(Exception):
    """The same page listens anew: this stream is not needed any more."""


class Bus:
    """Change counters and listeners of all tables; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._changed: dict[str, Condition] = {}
        self._versions: Counter[str] = Counter()
        self._people: dict[str, dict[int, Listener]] = {}
        self._numbers = 0
        self._closed = False
        self._told: tuple[Callable[[str], None], ...] = ()

    def watch(self, told: Callable[[str], None]) -> None:
        """Call `told` with the table's id at every change, in the thread of whoever changed it."""
        with self._lock:
            self._told = (*self._told, told)

    def unwatch(self, told: Callable[[str], None]) -> None:
        """Do not call it any more."""
        with self._lock:
            self._told = tuple(one for one in self._told if one != told)

    @property
    def closed(self) -> bool:
        """The server is going down; streams end."""
        return self._closed

    def _condition(self, table_id: str) -> Condition:
        """Every table has its own: what happens at one wakes nobody at another."""
        return self._changed.setdefault(table_id, Condition(self._lock))

    def version(self, table_id: str) -> int:
        """How often the table has changed since this process started. No lock: a hundred listeners ask at once."""
        return self._versions[table_id]

    def publish(self, table_id: str) -> None:
        """Something about the table is new: wake everybody who looks at it."""
        with self._lock:
            self._versions[table_id] += 1
            self._condition(table_id).notify_all()
            told = self._told
        for one in told:
            one(table_id)

    def wait(self, table_id: str, version: int, timeout: float) -> int:
        """Wait until the table's counter is above `version`, at most `timeout` s; returns the counter."""
        with self._lock:
            self._condition(table_id).wait_for(lambda: self._closed or self._versions[table_id] > version, timeout)
            return self._versions[table_id]

    def close(self) -> None:
        """Let every stream end."""
        with self._lock:
            self._closed = True
            for condition in self._changed.values():
                condition.notify_all()

    @contextmanager
    def listening(self, table_id: str, who: Listener) -> Iterator[Callable[[str], None]]:
        """Count a listener in while the block runs, in the place of an earlier stream of the same page: after a lost
        connection nobody is there twice. Gives the function that tells of a new role; it raises ReplacedError when the
        place is another's by now."""
        with self._lock:
            self._numbers += 1
            number = self._numbers
            people = self._people.setdefault(table_id, {})
            for old, other in list(people.items()):
                if who.page and (other.device, other.page) == (who.device, who.page):
                    del people[old]
            people[number] = who
        self.publish(table_id)

        def become(role: str) -> None:
            with self._lock:
                known = people.get(number)
                if known is None:
                    raise ReplacedError
                if known.role == role:
                    return
                people[number] = replace(known, role=role)
            self.publish(table_id)

        try:
            yield become
        finally:
            with self._lock:
                people.pop(number, None)
            self.publish(table_id)

    def become(self, table_id: str, device: str, role: str) -> None:
        """A device has another role from now on: the list of those who listen says so at once, before their streams
        have noticed."""
        with self._lock:
            people = self._people.get(table_id, {})
            for number, who in people.items():
                if who.device == device:
                    people[number] = replace(who, role=role)
        self.publish(table_id)

    def people(self, table_id: str) -> list[Listener]:
        """Everybody who listens to the table, the longest first; one entry a device and role."""
        with self._lock:
            listeners = list(self._people.get(table_id, {}).values())
        first: dict[tuple[str, str], Listener] = {}
        for who in listeners:
            first.setdefault((who.device, who.role), who)
        return list(first.values())

    def listeners(self) -> int:
        """How many streams are open over all tables."""
        with self._lock:
            return sum(len(people) for people in self._people.values())


def sse(event: str, data: Any, number: int | None = None) -> bytes:
    """One server-sent event. `number` becomes its id, which a reconnecting browser sends back."""
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {event}\ndata: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a table looks like to somebody at a version of the bus: both events written out. `seq`: the journal number
    of the picture, `role`: for whom it is."""

    version: int
    seq: int
    role: str
    table: bytes
    around: bytes


class SnapshotCache:
    """The newest look for each table, language and role: whoever asks first draws it, the others wait and take it.
    Safe to share between threads."""

    def __init__(self, bus: Bus, size: int = 256) -> None:
        self._bus, self._size = bus, size
        self._lock = Lock()
        self._locks: OrderedDict[tuple[str, str, str], Lock] = OrderedDict()
        self._kept: dict[tuple[str, str, str], Snapshot] = {}

    def look(self, table_id: str, lang: str, role: str, draw: Callable[[], tuple[int, Any, Any]]) -> Snapshot:
        """The look that is not older than the bus is now. `draw` gives (number, table, around)."""
        key = (table_id, lang, role)
        found = self._kept.get(key)
        if found is not None and found.version >= self._bus.version(table_id):
            return found
        with self._lock:
            own = self._locks.setdefault(key, Lock())
            self._locks.move_to_end(key)
            while len(self._locks) > self._size:
                self._kept.pop(self._locks.popitem(last=False)[0], None)
        with own:
            found = self._kept.get(key)
            version = self._bus.version(table_id)
            if found is None or found.version < version:
                seq, table, around = draw()
                # The picture of an unchanged match is not written out again for a device more.
                same = found is not None and found.seq == seq
                told = found.table if found is not None and same else sse("table", table, seq)
                found = self._kept[key] = Snapshot(version, seq, role, told, sse("around", around))
            return found

    def clear(self) -> None:
        """Forget everything: the journal is another one now."""
        with self._lock:
            self._kept.clear()


class Feed:
    """What one listener has seen, and what is new for him. The events: ``table`` (with the journal number as id) when
    the match is newer than `seen` or his role is not `role` (any more), ``around`` when camera, questions or people
    changed, ``beat`` when he heard nothing for `heartbeat` s."""

    __slots__ = ("_around", "_bus", "_heartbeat", "_look", "_role", "_seen", "_table", "_table_id", "due", "version")

    def __init__(
        self, bus: Bus, table_id: str, seen: int, role: str, heartbeat: float, look: Callable[[], Snapshot]
    ) -> None:
        self._bus, self._table_id, self._look, self._heartbeat = bus, table_id, look, heartbeat
        self._seen, self._role = seen, role
        self._table, self._around = b"", b""
        self.version = -1
        """The counter of the table at the last look."""
        self.due = time.monotonic() + heartbeat
        """When the next beat is due (s, monotonic)."""

    def news(self) -> bytes:
        """The events that are new now; empty when none is. Waits for nothing."""
        now = self._bus.version(self._table_id)
        news = b""
        if now != self.version:
            found = self._look()
            if self.version < 0 and found.seq == self._seen and found.role == self._role:
                self._table = found.table  # the page has it already
            self.version = now
            if found.table != self._table:
                self._seen, self._table = found.seq, found.table
                news += found.table
            if found.around != self._around:
                self._around = found.around
                news += found.around
        if not news and time.monotonic() >= self.due:  # also when much happens that this listener does not see
            news = sse("beat", {"seq": self._seen})
        if news:
            self.due = time.monotonic() + self._heartbeat
        return news

    def wait(self) -> None:
        """Wait until something may be new: for servers that give a stream a thread."""
        self._bus.wait(self._table_id, self.version, max(0.0, self.due - time.monotonic()))
