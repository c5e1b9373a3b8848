"""The devices at a table, as the host sees them, from who listens to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from companion.server.access import public_name, role_access
from companion.server.live.stream import Listener

_READ = 400
"""So many characters of a User-Agent are looked at; no browser's own is as long."""

_KINDS = (
    ("tv", r"TV|BRAVIA|Web0S|CrKey|AFT[A-Z]"),
    ("phone", r"iPhone|Android.*Mobile|Mobile.*Firefox"),
    ("tablet", r"iPad|Tablet|Android|Kindle|Silk"),
    ("computer", r"Windows|Macintosh|X11|CrOS|Linux"),
)


def kind_of(user_agent: str) -> str:
    """``phone``, ``tablet``, ``tv``, ``computer`` or ``other``, as far as a browser tells."""
    return next((kind for kind, signs in _KINDS if re.search(signs, user_agent[:_READ])), "other")


def device_rows(people: Sequence[Listener]) -> list[dict[str, Any]]:
    """One row a device and role, the longest here first."""
    return [
        {
            "id": public_name(who.device),
            "role": who.role,
            "seat": role_access(who.role).role.seat,
            "kind": who.kind,
            "since": who.since,
            "movable": who.named,
        }
        for who in people
    ]


def taken_seats(people: Sequence[Listener]) -> list[int]:
    """Seats that a device acts for."""
    return sorted({seat for who in people if (seat := role_access(who.role).role.seat) is not None})


def doubled_seats(people: Sequence[Listener]) -> list[int]:
    """Seats that several devices act for."""
    seats = [role_access(who.role).role.seat for who in people]
    return [seat for seat in taken_seats(people) if seats.count(seat) > 1]
