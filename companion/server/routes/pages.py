"""The HTML pages. Each is a shell: its words, its scripts, and the first picture of what it shows."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, make_response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from companion.resources import LANGUAGES
from companion.server.access import COOKIE_AGE, OWNER_COOKIE
from companion.server.config import Opening
from companion.server.context import (
    LANGUAGE_COOKIE,
    access_here,
    admitted,
    desk,
    give_key,
    language,
    listed_tables,
)
from companion.server.door import GUEST_COOKIE
from companion.server.errors import ApiError
from companion.server.links import links
from companion.server.page import render
from companion.server.show.games import picture, tiles
from companion.server.show.qr import qr_svg

NEWEST = 2
"""So many tables, and the demonstration, stand open on the home page; the others fold away."""

pages = Blueprint("pages", __name__)
_SIGNS = {"spectator": "eye", "scorekeeper": "pencil", "camera": "camera", "board": "tv", "host": "crown"}
"""The icon of each role."""

_DOORS = {"camera": "/camera", "board": "/board"}
"""Where a role begins, below its table's address."""


@pages.get("/")
def home() -> BaseResponse | str:
    """Running tables and a new game; on a first visit the language and the demonstration before everything else. With
    ``?pin=`` whoever knows the code may open tables from now on."""
    pin = request.args.get("pin")
    known = None if pin is None else desk().door.knows(pin[:40], request.remote_addr or "")
    if known:
        answer = redirect("/")
        answer.set_cookie(GUEST_COOKIE, desk().door.guest(), **_kept())
        return answer
    played = {info.id: info.game for info in desk().journal.tables()}
    shown = [table for table in listed_tables() if not table["archived"]]
    tables = [{**row, "drawing": picture(played[row["id"]]) if row["playable"] else None} for row in shown]
    first = [*[t for t in tables if not t["demo"]][:NEWEST], *[t for t in tables if t["demo"]]]
    rest = [t for t in tables if t not in first]
    asks = pin is not None and desk().door.opening is Opening.PIN
    return render(
        "home.html",
        first=first,
        rest=rest,
        demo=desk().cameras.demo,
        games=tiles(desk().texts, language()),
        new_here=LANGUAGE_COOKIE not in request.cookies,
        opening=str(desk().door.opening),
        admitted=admitted(),
        refused=("wrong" if known is False else "many") if asks else "",
    )


def _kept() -> dict[str, Any]:
    """A cookie for a year that no script reads."""
    return {"max_age": COOKIE_AGE, "httponly": True, "samesite": "Lax", "secure": request.is_secure}


@pages.get("/owner/<owner>")
def become_owner(owner: str) -> BaseResponse:
    """The link that the server printed at its start: this browser is the owner's from now on."""
    if not desk().keys.proves_owner(owner):
        raise ApiError("bad-key", 403)
    answer = redirect("/")
    answer.set_cookie(OWNER_COOKIE, owner, **_kept())
    return answer


@pages.get("/tables/<table_id>")
def table(table_id: str) -> BaseResponse:
    """The table."""
    return _table_page(table_id, "table")


@pages.get("/tables/<table_id>/board")
def board(table_id: str) -> BaseResponse:
    """The table for a big screen."""
    return _table_page(table_id, "board")


def _table_page(table_id: str, mode: str) -> BaseResponse:
    access = desk().access(request, table_id)
    lang = language()
    try:
        desk().match(table_id)
    except ApiError as error:
        if error.code == "no-table":
            raise
        return redirect(f"/history/{table_id}")  # what is left of it, and what is wrong
    start = {
        "table": desk().table(table_id, lang, access),
        "around": desk().around(table_id, lang, access),
        "mode": mode,
        "now": datetime.now(UTC).isoformat(timespec="milliseconds"),
    }
    look_on = links(table_id, access)[0]["url"]
    values = {"look_on": look_on, "qr": qr_svg(look_on)} if mode == "board" else {}
    answer = make_response(render("table.html", start=start, mode=mode, **values))
    if "device" not in request.cookies:
        answer.set_cookie("device", secrets.token_hex(8), max_age=COOKIE_AGE, httponly=True, samesite="Lax")
    answer.headers["Cache-Control"] = "no-store"
    return answer


@pages.get("/tables/<table_id>/join")
def join(table_id: str) -> str:
    """QR codes: take a seat, look on, act, be the camera or the big screen. Only devices that act hand out keys."""
    access = access_here(table_id)
    rows = [{**link, "qr": qr_svg(link["url"])} for link in links(table_id, access)]
    if access.role.seat is None:
        rows.sort(key=lambda link: link["seat"] is None)  # most who scan a code come to play
    taken = desk().around(table_id, language(), access)["seats"]
    signs = _SIGNS | {link["role"]: "person" for link in rows if link["seat"] is not None}
    return render("join.html", table_id=table_id, links=rows, hosts=access.hosts, signs=signs, taken=taken)


@pages.get("/join/<key>")
def take_role(key: str) -> BaseResponse:
    """A join link was opened: keep its key on this device and show the table, or its camera page to a camera."""
    found = desk().keys.read(key)
    if found is None:
        raise ApiError("bad-key", 403)
    table_id, access = found
    answer = redirect(f"/tables/{table_id}" + _DOORS.get(access.role.name, ""))
    give_key(answer, table_id, access.code)  # type: ignore[arg-type]
    return answer


@pages.get("/language/<lang>")
def switch(lang: str) -> BaseResponse:
    """The language switch: keep the choice and go back to ``?next=``, a path of this server."""
    try:
        target = urlsplit(request.args.get("next", "/").replace("\\", "/"))
    except ValueError:  # an address that no browser has: ``http://[``
        target = urlsplit("/")
    path = "/" + target.path.lstrip("/")
    answer = redirect(path + (f"?{target.query}" if target.query else ""))
    if lang in LANGUAGES:
        answer.set_cookie(LANGUAGE_COOKIE, lang, max_age=COOKIE_AGE, samesite="Lax")
    return answer
