"""What the current request is about: the desk behind it, the language it wants, and what its device may do."""

from __future__ import annotations

from flask import Response, current_app, request

from companion.resources import LANGUAGES
from companion.server.access import COOKIE_AGE, Access, cookie_name, device_of, is_own_machine
from companion.server.desk import Desk
from companion.server.errors import ApiError

LANGUAGE_COOKIE = "lang"


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


def known_source(source: str | None) -> None:
    """A camera may be chosen by whoever may name it. Raises ApiError 422."""
    known = {offer["source"] for offer in desk().cameras.offered()}
    if source is not None and source not in known and not is_own_machine(request):
        raise ApiError("bad-camera", 422, reason=source)
