"""Who may open tables, and how many: the owner's choice between an open house, a short code, and himself alone.

A code is short because people type it; it holds because only so many are tried a minute. Whoever has shown it keeps a
signed cookie. A program of the server's own user on this machine needs no code: it could read it in the data folder.
It may open tables without it and nothing more; what is the owner's needs the owner's key.
"""

from __future__ import annotations

import hmac
import ipaddress
import os
import secrets
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from flask import Request
from itsdangerous import BadSignature, Signer

from companion.server.access import kept_secret
from companion.server.config import Config, Opening

GUEST_COOKIE = "guest"
PIN_FILE = "pin"
DIGITS = 6
TRIES, TRIES_OF_ALL = 5, 30
"""Wrong codes a minute, of one address and of everybody: six digits last three weeks of guessing night and day."""

TABLES, TABLES_OF_ALL, TABLES_NEAR = 60, 240, 600
"""Tables that one address, everybody together, and this machine may open within a minute."""

MOST_TABLES = 5_000
"""Tables of all time, the owner's own aside: every one costs memory and a line on the page."""

_OWN_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
_FORWARDED = ("X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Forwarded", "Via")


class Quota:
    """So many times a minute, for each key. Safe to share between threads."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic, seconds: float = 60.0) -> None:
        self._most, self._clock, self._seconds = most, clock, seconds
        self._lock = Lock()
        self._taken: OrderedDict[str, list[float]] = OrderedDict()

    def take(self, key: str = "") -> bool:
        """Once more; False when it has been enough."""
        with self._lock:
            recent = self._recent(key)
            if len(recent) < self._most:
                recent.append(self._clock())
                return True
            return False

    def spent(self, key: str = "") -> bool:
        """Has it been enough?"""
        with self._lock:
            return len(self._recent(key)) >= self._most

    def _recent(self, key: str) -> list[float]:
        now = self._clock()
        self._taken[key] = [at for at in self._taken.pop(key, []) if now - at < self._seconds]
        while len(self._taken) > 10_000:
            self._taken.popitem(last=False)
        return self._taken[key]


class Door:
    """See the module. Safe to share between threads."""

    def __init__(self, config: Config, clock: Callable[[], float] = time.monotonic) -> None:
        self.opening, self._straight = config.opening, not config.proxies
        self.pin = config.pin
        if self.opening is Opening.PIN and not self.pin:
            self.pin = kept_secret(config.data / PIN_FILE, _code)
        self._signer = Signer((config.data / "secret").read_text(encoding="ascii"), salt=f"companion.guest.{self.pin}")
        self._wrong_of_one, self._wrong_of_all = Quota(TRIES, clock), Quota(TRIES_OF_ALL, clock)
        self._of_one, self._of_all, self._near = (Quota(n, clock) for n in (TABLES, TABLES_OF_ALL, TABLES_NEAR))

    def admits(self, request: Request) -> bool:
        """May whoever asks open tables and see the list of them? (The owner may always.)"""
        if self.opening is Opening.HOUSE:
            return True
        if self.opening is Opening.OWNER:
            return False
        return self._is_guest(request) or self._is_near(request)

    def _is_near(self, request: Request) -> bool:
        return self._straight and is_same_user(request)

    def _is_guest(self, request: Request) -> bool:
        try:
            self._signer.unsign(request.cookies.get(GUEST_COOKIE, ""))
        except BadSignature:
            return False
        return True

    def guest(self) -> str:
        """What the cookie of somebody says who has shown the code."""
        return self._signer.sign("guest").decode()

    def knows(self, pin: str, address: str) -> bool | None:
        """Is this the code? None: too many wrong ones have been tried lately."""
        if self.opening is not Opening.PIN:
            return False
        if self._wrong_of_one.spent(address) or self._wrong_of_all.spent():
            return None
        if hmac.compare_digest(pin.strip().encode(), self.pin.encode()):
            return True
        self._wrong_of_one.take(address)
        self._wrong_of_all.take()
        return False

    def opens_another(self, request: Request, tables: int) -> bool:
        """May whoever asks open one more table, where there are so many `tables`?"""
        if tables >= MOST_TABLES:
            return False
        if self._is_near(request):
            return self._near.take()
        return self._of_one.take(request.remote_addr or "") and self._of_all.take()


def _code() -> str:
    return "".join(secrets.choice("0123456789") for _ in range(DIGITS))


def is_same_user(request: Request) -> bool:
    """Does the request come straight from a program of this server's user on this machine, under the machine's own
    name? What has been forwarded does not count, nor a program of somebody else (a web server as a proxy)."""
    host = request.host.rsplit(":", 1)[0] if not request.host.endswith("]") else request.host
    if host not in _OWN_NAMES or any(name in request.headers for name in _FORWARDED):
        return False
    try:
        if not ipaddress.ip_address(request.remote_addr or "").is_loopback:
            return False
    except ValueError:
        return False
    port = request.environ.get("REMOTE_PORT")
    if sys.platform == "win32" or port is None:
        return True  # nobody tells whose connection it is
    return _user_of(int(port), int(request.environ["SERVER_PORT"])) in (None, os.getuid())


def _user_of(port: int, to: int) -> int | None:
    """Whose is the socket at `port` of this machine that is connected to port `to`? None where the system does not
    tell (it does on Linux, proc(5))."""
    for name in ("tcp", "tcp6"):
        try:
            lines = Path("/proc/net", name).read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            cells = line.split()
            if [int(cell.rpartition(":")[2], 16) for cell in cells[1:3]] == [port, to]:
                return int(cells[7])
    return None
