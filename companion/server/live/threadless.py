"""Live streams without a thread each: one loop sends to all of them.

The HTTP server reads a request and sends its header in a thread, as always; then a stream's connection comes here and
the thread is free. The loop asks a stream for its next piece when its table has changed or a beat is due, and sends
what a connection takes. Nothing is queued: who has not taken the last piece is not asked for news, and who takes
nothing for `STALLED` s is let go. So a slow listener costs nobody anything, himself included: what he gets next is the
newest picture.
"""

from __future__ import annotations

import logging
import math
import selectors
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.server.live.stream import Bus, Feed

_log = logging.getLogger(__name__)

STREAMED = "companion.streamed"
"""In the environment of a request: takes the `Live` stream that is its answer's body, where the server can."""

STALLED = 15.0
"""Seconds in which a listener has to take something of what is sent to him."""

GAP = 0.05
"""The most seconds between two rounds over the listeners of one table, which pause as long as the last one took: a
thousand who come at once are one piece of news, and a few hear each at once."""

_SWEEP = 0.25
"""Seconds between two looks at whose beat is due and who has stalled."""

_LATER = (BlockingIOError, InterruptedError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class Line(Protocol):
    """A connection as the HTTP server has it."""

    socket: socket.socket

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Live:
    """A stream to be sent: `pieces` gives what is new for the listener, or nothing (``b""``) when nothing is; its end
    is the stream's. `feed` says which table it is of and when its beat is due."""

    bus: Bus
    table_id: str
    feed: Feed
    pieces: Iterator[bytes]


@dataclass(slots=True, eq=False)
class _Listening:
    line: Line
    live: Live
    left: memoryview = field(default_factory=lambda: memoryview(b""))
    taken: float = 0.0
    """When the connection last took something (s, monotonic)."""


class Streams:
    """The loop. Safe to use from any thread."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._bell, self._rope = socket.socketpair()
        self._bell.setblocking(False)
        self._rope.setblocking(False)
        self._selector.register(self._bell, selectors.EVENT_READ)
        self._coming: deque[_Listening] = deque()
        self._moved: set[str] = set()
        self._rounds: dict[str, float] = {}
        self._tables: dict[str, set[_Listening]] = {}
        self._watched: dict[Bus, Callable[[str], None]] = {}
        self._guard = threading.Lock()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="streams", daemon=True)
        self._thread.start()

    def take(self, line: Line, live: Live) -> None:
        """From now on the loop sends the stream over this connection, and closes it at its end."""
        with self._guard:
            if live.bus not in self._watched:
                self._watched[live.bus] = self._news
                live.bus.watch(self._news)
            ended = self._ended
            if not ended:
                self._coming.append(_Listening(line, live))
        if ended:
            line.close()
        else:
            self._ring()

    def close(self) -> None:
        """End every stream."""
        with self._guard:
            self._ended = True
            for bus, told in self._watched.items():
                bus.unwatch(told)
        self._ring()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=5)

    def _news(self, table_id: str) -> None:
        if table_id not in self._moved:
            self._moved.add(table_id)
            self._ring()

    def _ring(self) -> None:
        try:
            self._rope.send(b".")
        except OSError:
            _log.debug("the loop is awake already, or has ended")

    # --- in the loop -----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        sweep = 0.0
        while not self._ended:
            due = min((self._rounds.get(one, 0.0) for one in list(self._moved)), default=math.inf)
            pause = min(_SWEEP, max(0.0, due - time.monotonic()))
            for key, mask in self._selector.select(pause):
                self._act(key.data, mask)
            while self._coming:
                self._begin(self._coming.popleft())
            now = time.monotonic()
            for table_id in [one for one in list(self._moved) if now >= self._rounds.get(one, 0.0)]:
                self._moved.discard(table_id)
                began = time.monotonic()
                for who in list(self._tables.get(table_id, ())):
                    self._pump(who)
                ended = time.monotonic()  # others have their turn from here on, however many listen
                self._rounds[table_id] = ended + min(GAP, ended - began)
            if now - sweep >= _SWEEP:
                sweep = now
                self._sweep(now)
        for found in list(self._tables.values()):
            for who in list(found):
                self._drop(who)
        for who in self._coming:
            who.line.close()
        self._selector.close()
        self._bell.close()
        self._rope.close()

    def _act(self, who: Any, mask: int) -> None:
        if who is None:
            try:
                self._bell.recv(4096)
            except BlockingIOError:
                return
            return
        if mask & selectors.EVENT_READ and self._hung_up(who):
            self._drop(who)
        elif mask & selectors.EVENT_WRITE:
            self._pump(who)

    def _begin(self, who: _Listening) -> None:
        try:
            who.line.socket.setblocking(False)
            self._selector.register(who.line.socket, selectors.EVENT_READ, who)
        except (OSError, ValueError, KeyError):  # gone already, or its number still known: he comes again
            who.line.close()
            return
        who.taken = time.monotonic()
        self._tables.setdefault(who.live.table_id, set()).add(who)
        self._pump(who)

    def _hung_up(self, who: _Listening) -> bool:
        try:
            return not who.line.socket.recv(4096)  # what a listener says is of no interest
        except _LATER:
            return False
        except OSError:
            return True

    def _pump(self, who: _Listening) -> None:
        """Send what is left, then what is new, as much as the connection takes now."""
        try:
            while True:
                if not who.left:
                    piece = next(who.live.pieces, None)
                    if piece is None:
                        self._drop(who)
                        return
                    if not piece:
                        break
                    who.left, who.taken = memoryview(piece), time.monotonic()
                try:
                    sent = who.line.socket.send(who.left)
                except _LATER:
                    break
                who.left, who.taken = who.left[sent:], time.monotonic()
            wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if who.left else 0)
            if self._selector.get_key(who.line.socket).events != wanted:
                self._selector.modify(who.line.socket, wanted, who)
        except OSError:
            self._drop(who)
        except Exception:  # one listener's trouble is not the others'
            _log.exception("a live stream has failed")
            self._drop(who)

    def _sweep(self, now: float) -> None:
        for table_id, found in list(self._tables.items()):
            for who in list(found):
                if who.left:
                    if now - who.taken > STALLED:
                        self._drop(who)
                elif now >= who.live.feed.due or who.live.bus.closed:
                    self._pump(who)
            if not found:
                self._tables.pop(table_id, None)
                self._rounds.pop(table_id, None)

    def _drop(self, who: _Listening) -> None:
        found = self._tables.get(who.live.table_id, set())
        if who not in found:
            return
        found.discard(who)
        try:
            self._selector.unregister(who.line.socket)
        except (KeyError, ValueError, OSError):
            _log.debug("a listener had gone before he was let go")
        try:
            close = getattr(who.live.pieces, "close", None)
            if close is not None:
                close()
            who.line.close()
        except Exception as error:  # of a connection that is gone nothing is wanted any more
            _log.debug("a listener could not be let go in order: %s", error)
