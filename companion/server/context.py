"""What the current request is about: the desk behind it, the language it wants, and what its device may do."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from flask import Response, current_app, request

from companion.resources import LANGUAGES
from companion.server.access import COOKIE_AGE, Access, cookie_name, device_of
from companion.server.camera.calibrate import PHONE
from companion.server.camera.header import picture_size
from companion.server.camera.offers import shown_source
from companion.server.desk import Desk
from companion.server.errors import ApiError

LANGUAGE_COOKIE = "lang"

PICTURE_KINDS = ("image/jpeg", "image/png", "image/webp")

MOST_PICTURE = 12 * 2**20
"""Bytes of a picture that a phone may send."""

MOST_PIXELS = 40_000_000
"""Pixels of it: a few hundred kilobytes can hold a picture that fills the memory when it is unpacked."""


def language() -> str:
    """``"en"`` or ``"ja"`` for the current request; ``?lang=`` wins, for links and programs."""
    for wanted in (request.args.get("lang"), request.cookies.get(LANGUAGE_COOKIE)):
        if wanted in LANGUAGES:
            return wanted
    return request.accept_languages.best_match(LANGUAGES) or "en"


def desk() -> Desk:
    """The desk of the running application."""
    found: Desk = current_app.extensions["companion"]
    return found


def access_here(table_id: str) -> Access:
    """What the asking device may do at the table. Raises ApiError 404."""
    desk().match(table_id)
    return desk().access(request, table_id)


def acting(table_id: str) -> Access:
    """The same, for a device that acts. Raises ApiError 403 for others."""
    access = access_here(table_id)
    if not access.acts:
        raise ApiError("read-only", 403)
    return access


def hosting(table_id: str) -> Access:
    """The same, for the host alone. Raises ApiError 403 for others."""
    access = access_here(table_id)
    if not access.hosts:
        raise ApiError("host-only", 403)
    return access


def give_key(answer: Response, table_id: str, role: str) -> None:
    """Make the asking device `role` at the table, whatever role it had there."""
    key = desk().join_key(table_id, role)
    desk().keys.book.give(table_id, device_of(request), None)
    answer.set_cookie(
        cookie_name(table_id), key, max_age=COOKIE_AGE, httponly=True, samesite="Lax", secure=request.is_secure
    )


def owns() -> bool:
    """Does the request show the owner's key?"""
    return desk().keys.is_owner(request)


def owning() -> None:
    """Go on for the owner alone. Raises ApiError 403."""
    if not owns():
        raise ApiError("owner-only", 403)


def admitted() -> bool:
    """May whoever asks open tables and see the list of them?"""
    return owns() or desk().door.admits(request)


def chosen_camera(name: str | None, table_id: str | None = None) -> str | None:
    """The source that `name` stands for, for whoever may choose it: a camera by the id it is offered under, unless it
    watches a table that is somebody else's; any source by its own name for the owner. Raises ApiError 409, 422."""
    cameras = desk().cameras
    source = cameras.offers.source(name) if name is not None and (admitted() or name == PHONE) else None
    if name is None or source == PHONE:
        return source
    if source is None:
        if not owns():
            raise ApiError("bad-camera", 422, reason=shown_source(name))
        return name
    for other in cameras.tables_of(source):
        mine = other == table_id or desk().access(request, other).hosts
        if not mine and not desk().match(other).over:
            raise ApiError("camera-taken", 409)
    return source


def listed_tables() -> list[dict[str, Any]]:
    """The tables that whoever asks may see in lists: all of them, or those he has a key for and the demonstration."""
    found = desk().tables(language())
    if admitted():
        return found
    return [row for row in found if row["demo"] or desk().access(request, row["id"]).code != "spectator"]


def keeping(table_id: str) -> Access:
    """What the asking device may do at the table, for one that acts for all: not for a seat. Raises ApiError 403."""
    access = acting(table_id)
    if access.role.seat is not None:
        raise ApiError("not-for-seats", 403)
    return access


def sent_picture(kinds: Collection[str] = PICTURE_KINDS, refused: str = "not-picture") -> bytes:
    """The picture in the current request, not unpacked yet. Raises ApiError `refused`: 415 for what is none of `kinds`
    by its type, 422 for what is none by its header; 422 for what would be too large."""
    if request.mimetype not in kinds:
        raise ApiError(refused, 415)
    request.max_content_length = MOST_PICTURE
    data = request.get_data()
    size = picture_size(data)
    if size is None:
        raise ApiError(refused, 422)
    if size[0] * size[1] > MOST_PIXELS:
        raise ApiError("huge-picture", 422, width=size[0], height=size[1], most=MOST_PIXELS // 1_000_000)
    return data
