"""Join links: who may hand out which."""

from __future__ import annotations

from typing import Any

from flask import request

from companion.server.access import Access, role_access
from companion.server.context import desk


def links(table_id: str, access: Access) -> list[dict[str, Any]]:
    """The links that somebody may hand out: everybody shows how to look on, a seat takes another device of its owner
    in, the scorekeeper lets others act, and only the host makes hosts."""
    found = desk()
    players = found.match(table_id).setup.players
    base = (request.host_url if found.config.proxies else found.config.address or request.host_url).rstrip("/")
    doors = {"camera": (found.config.secure or base).rstrip("/")}  # browsers give a page the camera only there
    plain = {"spectator": f"{base}/tables/{table_id}", "board": f"{base}/tables/{table_id}/board"}
    names = ["spectator", "board"]
    if access.role.seat is not None:
        names[1:] = [access.code, "board"]
    elif access.role.name in {"host", "scorekeeper"}:
        del plain["board"]
        names[1:] = ["scorekeeper", *(f"seat-{seat}" for seat in range(len(players))), "camera", "board"]
    if access.hosts:
        names.append("host")
    rows = []
    for name in names:
        seat = role_access(name).role.seat
        player = None if seat is None else players[seat]
        url = plain.get(name) or f"{doors.get(name, base)}/join/{found.join_key(table_id, name)}"
        rows.append({"role": name, "seat": seat, "player": player, "url": url})
    return rows
