"""The HTTP server under the application: cheroot, with bounds on what a connection may cost.

A connection waits for its first bytes without a thread. From then on it has a deadline for its header, for its body and
for taking its answer; a live stream has none, but a listener who has vanished is noticed by the kernel. One address has
only so many connections at once. TLS begins in the thread of the connection, never in the one that accepts.
"""

from __future__ import annotations

import ipaddress
import logging
import socket
import ssl
import threading
import time
from collections import Counter
from typing import Any

from cheroot import server, wsgi
from cheroot.ssl.builtin import BuiltinSSLAdapter
from flask import Flask

from companion.server.certificate import Certificate
from companion.server.live.threadless import STREAMED, Live, Streams

_log = logging.getLogger(__name__)

THREADS = 192
"""Requests at once; a live stream has none once its header is sent."""

HEADER_BYTES = 64 * 1024
"""Of a request's line and headers: room for the keys of a hundred tables in cookies."""

HEADER_SECONDS = 10.0
"""From the first byte of a request to the last of its header."""

BODY_SECONDS, ANSWER_SECONDS = 60.0, 60.0
"""For a body and for an answer, besides a second for every `SLOWEST` bytes."""

SLOWEST = 20_000
"""Bytes a second: slower is no network, but somebody who holds a place."""

VANISHED = 15
"""Seconds after which a peer that confirms nothing counts as gone."""

FROM_ONE_ADDRESS = 64
"""Connections at once. A browser has six and a stream for every page that is open. Those of this machine itself are not
counted."""

_STREAM = b"text/event-stream"


class _Request(server.HTTPRequest):
    """A request that has to come, and whose answer has to be taken, within bounds."""

    def parse_request(self) -> None:
        self.conn.due = time.monotonic() + HEADER_SECONDS
        super().parse_request()
        self.conn.due = time.monotonic() + BODY_SECONDS + _length(self.inheaders) / SLOWEST

    def send_headers(self) -> None:
        if self.conn.live is not None:  # its end is the connection's, and nobody frames its pieces
            self.response_protocol = "HTTP/1.0"
            self.outheaders.append((b"Connection", b"close"))
        super().send_headers()
        headers = {name.lower(): value for name, value in self.outheaders}
        endless = headers.get(b"content-type", b"").startswith(_STREAM) or b"content-length" not in headers
        seconds = ANSWER_SECONDS + _length({b"Content-Length": headers.get(b"content-length", b"0")}) / SLOWEST
        self.conn.due = None if endless else time.monotonic() + seconds


def _length(headers: dict[bytes, bytes]) -> int:
    value = headers.get(b"Content-Length", b"0")
    return int(value) if value.isdigit() and len(value) < 16 else 0


class _Connection(server.HTTPConnection):
    """A connection with a deadline (`due`, of the monotonic clock) and a place among those of its address."""

    RequestHandlerClass = _Request

    def __init__(self, server: Server, sock: Any, makefile: Any) -> None:
        super().__init__(server, sock, makefile)
        self.due: float | None = None
        self.counted = ""
        self.live: Live | None = None
        _notice_vanished(sock)

    def communicate(self) -> bool:
        with self.server.bounded(self):
            self.due = time.monotonic() + HEADER_SECONDS
            return bool(super().communicate())  # type: ignore[no-untyped-call]

    def stream(self, live: Live) -> None:
        """The answer's body is a live stream: when its header is sent, the loop goes on."""
        self.live = live

    def close(self) -> None:
        if self.live is not None:
            live, self.live = self.live, None
            self.server.streams.take(self, live)
            return
        self.server.left(self)
        super().close()


class _Gateway(wsgi.Gateway_10):
    """Tells the application that this server takes live streams."""

    def get_environ(self) -> dict[str, Any]:  # type: ignore[override]
        found: dict[str, Any] = super().get_environ()  # type: ignore[no-untyped-call]
        return {**found, STREAMED: self.req.conn.stream}


def _notice_vanished(sock: socket.socket) -> None:
    """Who has gone without a word (Wi-Fi, a flat battery) is noticed by what he does not confirm."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_USER_TIMEOUT", VANISHED * 1000), ("TCP_KEEPIDLE", 5), ("TCP_KEEPINTVL", 3)):
        if hasattr(socket, name):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class _Tls(BuiltinSSLAdapter):
    """TLS whose greeting happens at the first read, in the thread of the connection."""

    def wrap(self, sock: socket.socket) -> tuple[ssl.SSLSocket, dict[str, str]]:
        wrapped = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return wrapped, {"wsgi.url_scheme": "https", "HTTPS": "on"}


class Server(wsgi.Server):
    """One listening address of the application; with a `certificate` it speaks HTTPS alone. `places`: so many
    connections may one address have at once; 0: any number. `listener`: a socket that listens there already, so that
    no other program takes the port before this one serves; it is this one's to close."""

    ConnectionClass = _Connection
    max_request_header_size = HEADER_BYTES
    keep_alive_conn_limit = 256

    def __init__(
        self,
        address: tuple[str, int],
        app: Flask,
        certificate: Certificate | None = None,
        places: int = FROM_ONE_ADDRESS,
        listener: socket.socket | None = None,
    ) -> None:
        super().__init__(address, app, THREADS, "companion", request_queue_size=128)
        self._listener = listener
        self.gateway = _Gateway
        self.streams = Streams()
        if certificate is not None:
            self.ssl_adapter = _Tls(str(certificate.certificate), str(certificate.key))
        self._busy: set[_Connection] = set()
        self._most, self._places = places, Counter[str]()
        self._guard = threading.Lock()

    def prepare(self) -> None:
        """Listen, and watch the deadlines from now on."""
        super().prepare()
        threading.Thread(target=self._watch, name="deadlines", daemon=True).start()

    def bind(self, family: int, type: int, proto: int = 0) -> socket.socket:
        """Called by `prepare`; `type`: cheroot's name for the kind of socket."""
        if self._listener is None:
            bound: socket.socket = super().bind(family, type, proto)
            return bound
        self.socket = self._listener
        return self._listener

    def error_log(self, msg: str = "", level: int = logging.INFO, traceback: bool = False) -> None:
        """What cheroot would print. A client that goes away in the middle is no news for anybody."""
        _log.log(level if level >= logging.ERROR else logging.DEBUG, msg, exc_info=traceback)

    def stop(self) -> None:
        """End every connection, live streams first."""
        self.streams.close()
        super().stop()

    # --- places ----------------------------------------------------------------------------------------------------

    def process_conn(self, conn: _Connection) -> None:
        """Called for a new connection, and for one that has waited and can be read now. A new one waits first."""
        if conn.last_used is not None:
            super().process_conn(conn)
        elif self._comes(conn):
            self.put_conn(conn)
        else:
            conn.close()

    def put_conn(self, conn: _Connection) -> None:
        """Let a connection wait for its next request; while the server ends nobody waits any more."""
        try:
            super().put_conn(conn)
        except (ValueError, KeyError, OSError):  # the list of those who wait has just been closed
            conn.close()

    def _comes(self, conn: _Connection) -> bool:
        address = _house(conn.remote_addr or "")
        with self._guard:
            if not address or not self._most:
                return True
            if self._places[address] >= self._most:
                return False
            self._places[address] += 1
            conn.counted = address
        return True

    def left(self, conn: _Connection) -> None:
        """A connection is closed: its place is free."""
        with self._guard:
            if conn.counted:
                self._places[conn.counted] -= 1
                if not self._places[conn.counted]:
                    del self._places[conn.counted]
                conn.counted = ""

    # --- deadlines -------------------------------------------------------------------------------------------------

    def bounded(self, conn: _Connection) -> _Bounded:
        """While the block runs, the connection is cut when its deadline is over."""
        return _Bounded(self._busy, conn)

    def _watch(self) -> None:
        while self.ready:
            time.sleep(0.5)
            now = time.monotonic()
            for conn in list(self._busy):
                if conn.due is not None and conn.due < now:
                    _cut(conn)


class _Bounded:
    """See `Server.bounded`."""

    def __init__(self, busy: set[_Connection], conn: _Connection) -> None:
        self._busy, self._conn = busy, conn

    def __enter__(self) -> None:
        self._busy.add(self._conn)

    def __exit__(self, *_: object) -> None:
        self._busy.discard(self._conn)


def _cut(conn: _Connection) -> None:
    """Whatever waits for the connection's next byte wakes up and finds it ended."""
    try:
        socket.socket.shutdown(conn.socket, socket.SHUT_RDWR)  # of the TCP connection: TLS would wait for a farewell
    except OSError:
        _log.debug("a connection had ended before its deadline")


def _house(address: str) -> str:
    """Whose connections are counted together: an address, or the network of an IPv6 one; empty for this machine."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.is_loopback:
        return ""
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else address
