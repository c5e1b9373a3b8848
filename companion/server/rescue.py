"""When the journal is damaged: a page that says so, and offers the last good backup.

Nothing else is served until the owner has decided; then the server starts as always.
"""

from __future__ import annotations

import logging
import secrets
import socket
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from flask import Flask, Response, jsonify, redirect, render_template, request, send_from_directory
from werkzeug.wrappers import Response as BaseResponse

from companion import resources
from companion.journal import BackupError, DamagedError, Journal, last_good, made_at, restore, set_aside
from companion.server.access import OWNER_COOKIE, Keys
from companion.server.config import Config, backup_folder, journal_file
from companion.server.context import language
from companion.server.serving import Server
from companion.server.show.texts import Texts

_log = logging.getLogger(__name__)


def rescue(listener: socket.socket, config: Config, damage: DamagedError, say: Callable[[str], object]) -> None:
    """Serve the page until the journal has been put right, on a socket that is closed then. KeyboardInterrupt goes
    through."""
    decided = threading.Event()
    host, port = listener.getsockname()[:2]
    server = Server((host, port), rescue_app(config, damage, decided.set), listener=listener)
    server.prepare()
    threading.Thread(target=server.serve, name="rescue", daemon=True).start()
    say(str(damage))
    own = f"{config.address or f'http://localhost:{port}'}/owner/{Keys.stored(config.data).owner}"
    say(f"Open {own} to restore the last backup; or stop and try: companion doctor")
    try:
        decided.wait()
    finally:
        server.stop()


def rescue_app(config: Config, damage: DamagedError, decided: Callable[[], object]) -> Flask:
    """The application with that page; `decided` is called when the answer to a decision has gone out."""
    web = resources.web()
    app = Flask(__name__, template_folder=str(web / "templates"), static_folder=None)
    texts, token, keys = Texts.load(), secrets.token_urlsafe(16), Keys.stored(config.data)
    database = journal_file(config.data)
    good = last_good(backup_folder(config.data))

    def page(key: str, status: int, **params: str) -> Response:
        lang = language()

        def t(key: str, **values: Any) -> str:
            return texts.text(key, lang, **values)

        values = {"own": keys.is_owner(request), "token": token, "good": good is not None, "done": status == 200}
        if good is not None:
            values["made"] = f"{made_at(good):%Y-%m-%d %H:%M}"
        said = t(key, **params)
        text = render_template("rescue.html", lang=lang, t=t, said=said, reason=str(damage), **values)
        return Response(text, status, mimetype="text/html")

    @app.get("/rescue.css")
    def sheet() -> Response:
        return send_from_directory(web / "static" / "css", "page.css")

    @app.post("/rescue")
    def decide() -> Response:
        if not keys.is_owner(request) or not secrets.compare_digest(request.form.get("token", ""), token):
            return page("rescue.owner-only", 403)
        kept = _act(request.form.get("do", ""), database, good)
        if isinstance(kept, BackupError):
            return page("rescue.failed", 500, reason=str(kept))
        answer = page("rescue.done", 200, kept=kept.name if kept else "")
        answer.call_on_close(decided)
        return answer

    @app.get("/owner/<owner>")
    def become_owner(owner: str) -> BaseResponse:
        answer = redirect("/")
        if keys.proves_owner(owner):
            answer.set_cookie(OWNER_COOKIE, owner, httponly=True, samesite="Lax")
        return answer

    @app.route("/", defaults={"path": ""}, methods=["GET", "POST"])
    @app.route("/<path:path>", methods=["GET", "POST"])
    def anything(path: str) -> Response:
        if path.startswith("api/"):
            answer = jsonify(error={"code": "damaged", "message": texts.text("rescue.title", language())})
            answer.status_code = 503
            return answer
        return page("rescue.title", 503)

    return app


def _act(do: str, database: Path, good: Path | None) -> Path | BackupError | None:
    """Restore the backup, or begin anew; where the damaged files are now."""
    try:
        if do == "restore" and good is not None:
            return restore(database, good, datetime.now())
        if do == "anew":
            kept = set_aside(database, datetime.now())
            Journal(f"sqlite:///{database}").close()  # an empty one that is there: nothing is missed any more
            return kept
    except BackupError as error:
        _log.exception("the backup %s could not be restored", good)
        return error
    return BackupError("failed", "there is nothing to restore.")
