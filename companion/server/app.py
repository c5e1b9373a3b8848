"""The application factory: one Flask application with its desk, its errors and its headers."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from flask import Flask, Response, jsonify, request, send_from_directory
from sqlalchemy.exc import DatabaseError, OperationalError
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.middleware.proxy_fix import ProxyFix

from companion import artwork, resources
from companion.games import GameError
from companion.journal import JournalError
from companion.server.access import device_of, shows_key
from companion.server.compress import compress
from companion.server.config import Config
from companion.server.context import desk, language
from companion.server.desk import Desk
from companion.server.errors import ApiError
from companion.server.joined import joined
from companion.server.page import render
from companion.server.routes import BLUEPRINTS
from companion.server.schema import openapi

MOST_BYTES = 64 * 1024
_LEAN = {".js": "text/javascript", ".css": "text/css"}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

_PICTURE = "default-src 'none'"


def create_app(config: Config) -> Flask:
    """The application for `config`. Opens (or makes) the journal in its data folder. ``app.extensions["companion"]``
    is the `Desk`; close it when the application is done with."""
    web = resources.web()
    app = Flask(__name__, template_folder=str(web / "templates"), static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    if config.proxies:
        n = config.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=n, x_proto=n, x_host=n)  # type: ignore[method-assign]
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.extensions["companion"] = Desk.open(config)
    app.extensions["companion-version"] = _version(web / "static", Path(artwork.__file__).parent)
    openapi.install(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    _serve_static(app, web / "static")
    app.register_error_handler(ApiError, _api_error)
    app.register_error_handler(GameError, _game_failed)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(500, _crash)
    app.after_request(_headers)
    app.after_request(compress)
    return app


def _serve_static(app: Flask, folder: Path) -> None:
    """Scripts and styles under a path that names their content: browsers keep them until they change."""

    @app.get("/static/<version>/<path:name>")
    def static_file(version: str, name: str) -> Response:
        text = joined(folder, name)
        if text is not None:
            answer = Response(text, mimetype=_LEAN[Path(name).suffix])
            answer.add_etag()
            answer.make_conditional(request)
        else:
            answer = send_from_directory(folder, name)
        current = version == app.extensions["companion-version"]
        answer.headers["Cache-Control"] = "public, max-age=31536000, immutable" if current else "no-cache"
        return answer

    @app.get("/favicon.ico")
    def favicon() -> Response:
        return send_from_directory(folder, "icon.svg")


def _version(*folders: Path) -> str:
    """Of everything that browsers keep: scripts, styles, pictures, and how cards are drawn."""
    digest = hashlib.sha256()
    for file in sorted(file for folder in folders for file in folder.rglob("*") if file.suffix != ".pyc"):
        if file.is_file():
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _answer(code: str, message: str, status: int, extra: dict[str, Any] | None = None) -> Response:
    """The error as JSON to programs; as a page to people who opened a page, or a file outside the API."""
    described = openapi.current() is not None
    people = not request.path.startswith("/api/") and (
        not described or request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html"
    )
    if people:
        answer = Response(render("error.html", message=message, status=status), mimetype="text/html")
    else:
        answer = jsonify(error={"code": code, "message": message}, **(extra or {}))
    answer.status_code = status
    return answer


def _has_come_by_a_role() -> bool:
    """Does the device show any key, or has the host given it a role by hand?"""
    table_id = (request.view_args or {}).get("table_id", "")
    return shows_key(request) or desk().keys.book.given(table_id, device_of(request)) is not None


def _api_error(error: ApiError) -> Response:
    texts = desk().texts
    message = texts.text(f"ui.error.{error.code}", language(), **error.params)
    found = openapi.current()
    if error.status == 403 and found is not None and found.acts and not _has_come_by_a_role():
        answer = _answer(error.code, message, 401, error.extra)
        answer.headers["WWW-Authenticate"] = "Bearer"
        return answer
    return _answer(error.code, message, error.status, error.extra)


def _http_error(error: HTTPException) -> Response:
    status = error.code or 500
    key = f"ui.error.{status}"
    texts = desk().texts
    message = texts.text(key if texts.has(key, "en") else "ui.error.other", language())
    answer = _answer(f"http-{status}", message, status)
    if isinstance(error, MethodNotAllowed):
        answer.headers["Allow"] = ", ".join(sorted(error.valid_methods or ()))
    return answer


def _game_failed(error: GameError) -> Response:
    return _api_error(ApiError("game-failed", 500, game=error.game, reason=error.reason))


def _crash(error: Exception) -> Response:
    cause = getattr(error, "original_exception", None) or error
    if isinstance(cause, JournalError):
        said = desk().texts.text("ui.error.journal-failed", language(), reason=str(cause).rstrip("."))
        return _answer("journal-failed", said, 500)
    if isinstance(cause, DatabaseError):
        code = "journal-failed" if isinstance(cause, OperationalError) else "journal-damaged"
        said = desk().texts.text(f"ui.error.{code}", language(), reason=str(cause.orig))
        return _answer(code, said, 500)
    return _answer("http-500", desk().texts.text("ui.error.500", language()), 500)


def _headers(answer: Response) -> Response:
    answer.headers["X-Content-Type-Options"] = "nosniff"
    if answer.mimetype not in _LEAN.values():  # what is no page of its own needs no policy
        picture = answer.mimetype == "image/svg+xml"  # a card, opened on its own: it loads nothing and leads nowhere
        answer.headers.setdefault("Content-Security-Policy", _PICTURE if picture else _POLICY)
        if not picture:
            answer.headers["Referrer-Policy"] = "no-referrer"
    if request.path.startswith("/api/"):
        answer.headers.setdefault("Cache-Control", "no-store")
    return answer
