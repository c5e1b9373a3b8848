"""Who may do what. A link with a signed key makes a device host, scorekeeper or player of one table; everybody else
looks on. A key says table and role and is signed with a secret that stays in the data folder, so nothing needs to be
stored, and a restart keeps every device in its role. The machine the server runs on hosts every table.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from pathlib import Path

from flask import Request
from itsdangerous import BadSignature, Signer

from companion.games import Role

_OWN_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]", "::1"})
_ROLE = re.compile(r"^(host|scorekeeper|camera|board|spectator|seat-(\d{1,2}))$")
COOKIE_AGE = 60 * 60 * 24 * 365


@dataclass(frozen=True, slots=True)
class Access:
    """What a device may do at a table: its role, and whether it may act."""

    role: Role

    @property
    def acts(self) -> bool:
        """May this device tell the referee anything?"""
        return self.role.name in {"host", "scorekeeper", "seat", "camera"}

    @property
    def code(self) -> str:
        """The role as links and lists write it: ``host``, ``seat-2``."""
        return f"seat-{self.role.seat}" if self.role.name == "seat" else self.role.name


SPECTATOR = Access(Role("spectator"))


class Keys:
    """Signs and reads the keys in links and cookies."""

    def __init__(self, secret: str) -> None:
        self._signer = Signer(secret, salt="companion.table-key")

    @classmethod
    def stored(cls, file: Path) -> Keys:
        """Keys signed with the secret in `file`, which is made when it is missing."""
        if not file.exists():
            file.touch(mode=0o600)
        secret = file.read_text(encoding="ascii").strip()
        if not secret:
            secret = secrets.token_urlsafe(32)
            file.write_text(secret, encoding="ascii")
        return cls(secret)

    def key(self, table_id: str, role: str) -> str:
        """The key that makes a device `role` at the table."""
        if not _ROLE.match(role):
            raise ValueError(f"a role is host, scorekeeper, camera, board, spectator or seat-N, not {role!r}")
        return self._signer.sign(f"{table_id}:{role}").decode()

    def read(self, key: str) -> tuple[str, Access] | None:
        """Table and access a key stands for; None when it is not one of ours."""
        try:
            table_id, _, role = self._signer.unsign(key).decode().rpartition(":")
        except (BadSignature, UnicodeDecodeError, UnicodeEncodeError):
            return None
        return table_id, role_access(role)

    def access(self, request: Request, table_id: str) -> Access:
        """What the device behind `request` may do at the table."""
        found = self.read(request.cookies.get(cookie_name(table_id), ""))
        if found and found[0] == table_id:
            return found[1]
        return Access(Role("host")) if is_own_machine(request) else SPECTATOR


def cookie_name(table_id: str) -> str:
    """The cookie that keeps a device's key for a table."""
    return f"key-{table_id}"


def role_access(role: str) -> Access:
    """``"seat-2"`` → access for that seat; an unknown role looks on."""
    found = _ROLE.match(role)
    if not found:
        return SPECTATOR
    return Access(Role("seat", int(found[2]))) if found[2] else Access(Role(found[1]))


def is_own_machine(request: Request) -> bool:
    """Does the request come from the server's own machine, straight and under its own name? A proxy or a foreign
    page that points its name here does not count."""
    host = request.host.rsplit(":", 1)[0] if not request.host.endswith("]") else request.host
    forwarded = any(name in request.headers for name in ("X-Forwarded-For", "Forwarded", "Via"))
    return request.remote_addr in {"127.0.0.1", "::1"} and host in _OWN_NAMES and not forwarded
