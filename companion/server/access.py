"""Who may do what. A link with a signed key makes a device host, scorekeeper, player, camera or board of one table;
everybody else looks on. A key says table and role and is signed with a secret that stays in the data folder, so a
restart keeps every device in its role. Whoever shows the owner's key hosts every table: it lies in the data folder, for
the eyes of the server's user alone, and is in the link that the server prints at its start. Neither an address nor a
name proves anything: behind a proxy everybody comes from the own machine.

Two things are remembered beside the secret (`Book`): which links have been revoked, and which role the host gave to a
device by hand. What the host gave counts more than the link the device came by.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from flask import Request
from itsdangerous import BadSignature, Signer

from companion.games import Role
from companion.journal import write_durably

_ROLE = re.compile(r"(host|scorekeeper|camera|board|spectator|seat-(\d{1,2}))")
_DEVICE = re.compile(r"[0-9a-f]{16}")
COOKIE_AGE = 60 * 60 * 24 * 365
OWNER_FILE, OWNER_COOKIE = "owner.key", "owner"


@dataclass(frozen=True, slots=True)
class Access:
    """What a device may do at a table: its role, and whether it may act."""

    role: Role

    @property
    def acts(self) -> bool:
        """May this device tell the referee anything?"""
        return self.role.name in {"host", "scorekeeper", "seat", "camera"}

    @property
    def hosts(self) -> bool:
        """May this device say who does what?"""
        return self.role.name == "host"

    @property
    def keeps(self) -> bool:
        """Does this device keep the game for everybody: act for all, decide, see what the referee knows?"""
        return self.role.name in {"host", "scorekeeper"}

    @property
    def code(self) -> str:
        """The role as links and lists write it: ``host``, ``seat-2``."""
        return f"seat-{self.role.seat}" if self.role.name == "seat" else self.role.name


SPECTATOR = Access(Role("spectator"))
HOST = Access(Role("host"))


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a request shows of itself at a table. `device`: the secret name of the browser, empty for a program;
    `key`: of a link; `owner`: it shows the owner's key."""

    device: str
    key: str
    owner: bool


class BookError(RuntimeError):
    """What the host decided cannot be read; the message is for people."""


class Book:
    """What the host has decided, in one file that is written anew with every decision. Safe to share between
    threads."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = Lock()
        self._revoked: dict[str, dict[str, int]] = {}
        self._given: dict[str, dict[str, str]] = {}
        if file.exists():
            try:
                data = json.loads(file.read_text(encoding="utf-8"))
                self._revoked, self._given = data["revoked"], data["given"]
            except (ValueError, KeyError, TypeError) as error:
                raise BookError(
                    f"{file} is damaged; without it revoked links would be good again. Restore or remove it."
                ) from error

    def edition(self, table_id: str, role: str) -> int:
        """How often the links for a role have been revoked: only keys of this edition are good."""
        return self._revoked.get(table_id, {}).get(role, 0)

    def given(self, table_id: str, device: str) -> str | None:
        """The role the host gave to a device."""
        return self._given.get(table_id, {}).get(device)

    def revoke(self, table_id: str, role: str, but: str = "") -> None:
        """No link for `role` made so far is good any more, and no device has the role by hand except `but`."""
        with self._lock:
            table = self._revoked.setdefault(table_id, {})
            table[role] = table.get(role, 0) + 1
            kept = {d: r for d, r in self._given.get(table_id, {}).items() if r != role or d == but}
            self._given = {**self._given, table_id: kept}
            if but:
                kept[but] = role
            self._write()

    def give(self, table_id: str, device: str, role: str | None) -> None:
        """Give a device a role; None: what its link says counts again."""
        with self._lock:
            table = {d: r for d, r in self._given.get(table_id, {}).items() if d != device}
            if role is not None:
                table[device] = role
            if table != self._given.get(table_id, {}):
                self._given = {**self._given, table_id: table}
                self._write()

    def _write(self) -> None:
        write_durably(self._file, json.dumps({"revoked": self._revoked, "given": self._given}).encode())


class Keys:
    """Signs and reads the keys in links and cookies, and says what a request may do."""

    def __init__(self, secret: str, owner: str, book: Book) -> None:
        self._signer = Signer(secret, salt="companion.table-key")
        self.owner, self.book = owner, book

    @classmethod
    def stored(cls, folder: Path) -> Keys:
        """Keys signed with the secret in `folder`, and the owner's key beside it; both are made when they are
        missing."""
        secret = kept_secret(folder / "secret", lambda: secrets.token_urlsafe(32))
        owner = kept_secret(folder / OWNER_FILE, lambda: secrets.token_urlsafe(24))
        return cls(secret, owner, Book(folder / "roles.json"))

    def proves_owner(self, shown: str) -> bool:
        """Is this the owner's key?"""
        return hmac.compare_digest(shown.encode(), self.owner.encode())

    def is_owner(self, request: Request) -> bool:
        """Does the request show the owner's key: a program as ``Authorization: Bearer KEY``, a browser as a cookie?"""
        return self.credentials(request, "").owner

    def credentials(self, request: Request, table_id: str) -> Credentials:
        """What `request` shows. A program shows its key as ``Authorization: Bearer KEY``."""
        bearer = request.authorization
        if bearer is not None:
            key = (bearer.token or "") if bearer.type == "bearer" else ""
            return Credentials("", key, self.proves_owner(key))
        if "Authorization" in request.headers:
            return Credentials("", "", owner=False)
        cookies = request.cookies
        owner = self.proves_owner(cookies.get(OWNER_COOKIE, ""))
        return Credentials(device_of(request), cookies.get(cookie_name(table_id), ""), owner)

    def key(self, table_id: str, role: str) -> str:
        """The key that makes a device `role` at the table."""
        if not _ROLE.fullmatch(role):
            raise ValueError(f"a role is host, scorekeeper, camera, board, spectator or seat-N, not {role!r}")
        edition = self.book.edition(table_id, role)
        return self._signer.sign(f"{table_id}:{role}" + (f":{edition}" if edition else "")).decode()

    def read(self, key: str) -> tuple[str, Access] | None:
        """Table and access a key stands for; None when it is not one of ours, or has been revoked."""
        try:
            table_id, role, *rest = self._signer.unsign(key).decode().split(":")
        except (BadSignature, UnicodeDecodeError, UnicodeEncodeError, ValueError):
            return None
        edition = self.book.edition(table_id, role)
        return (table_id, role_access(role)) if rest == ([str(edition)] if edition else []) else None

    def access(self, shown: Credentials, table_id: str) -> Access:
        """What somebody with these credentials may do at the table."""
        given = self.book.given(table_id, shown.device) if shown.device else None
        if given is not None:
            return role_access(given)
        found = self.read(shown.key)
        if found and found[0] == table_id:
            return found[1]
        return HOST if shown.owner else SPECTATOR


def shows_key(request: Request) -> bool:
    """Does the request come with any key, whatever it is worth?"""
    names = request.cookies
    return "Authorization" in request.headers or OWNER_COOKIE in names or any(n.startswith("key-") for n in names)


def device_of(request: Request) -> str:
    """The secret name that the page gave to the browser; empty when it has none."""
    found = request.cookies.get("device", "")
    return found if _DEVICE.fullmatch(found) else ""


def public_name(device: str) -> str:
    """A device in lists: stands for its secret name and does not tell it."""
    return hashlib.sha256(f"device {device}".encode()).hexdigest()[:12]


def cookie_name(table_id: str) -> str:
    """The cookie that keeps a device's key for a table."""
    return f"key-{table_id}"


def role_access(role: str) -> Access:
    """``"seat-2"`` → access for that seat; an unknown role looks on."""
    found = _ROLE.fullmatch(role)
    if not found:
        return SPECTATOR
    return Access(Role("seat", int(found[2]))) if found[2] else Access(Role(found[1]))


def kept_secret(file: Path, make: Callable[[], str]) -> str:
    """The secret in `file`, readable by the server's user alone; made when there is none."""
    if not file.exists() or not file.read_text(encoding="ascii").strip():
        write_durably(file, make().encode())
    file.chmod(0o600)
    return file.read_text(encoding="ascii").strip()
