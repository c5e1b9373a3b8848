"""The API's own description, as OpenAPI for programs and as a page for people; and whether all is well."""

from __future__ import annotations

import json

from flask import Blueprint, Response, current_app, jsonify

from companion import __version__
from companion.journal import JournalError
from companion.server.context import desk
from companion.server.errors import ApiError
from companion.server.page import render
from companion.server.schema.openapi import document, operation

api_pages = Blueprint("api_pages", __name__)


@api_pages.get("/api/openapi.json")
@operation("Description", "OpenApi")
def openapi_json() -> Response:
    """This document."""
    answer = jsonify(document(current_app))
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@api_pages.get("/api")
def api_page() -> str:
    """The document as a page."""
    found = document(current_app)
    groups: dict[str, list[dict[str, object]]] = {}
    for path, methods in found["paths"].items():
        for method, what in methods.items():
            groups.setdefault(what["tags"][0], []).append({"method": method.upper(), "path": path, **what})
    shapes = {
        name: json.dumps(schema, ensure_ascii=False, indent=1)
        for name, schema in sorted(found["components"]["schemas"].items())
    }
    return render("api.html", info=found["info"], groups=groups, shapes=shapes)


@api_pages.get("/api/health")
@operation("Description", "Health", errors=(503,))
def health() -> Response:
    """Is the server well? Answers 503 while the games can be neither read nor written: for whatever watches over it and
    starts it again."""
    try:
        desk().journal.ask()
    except JournalError as error:
        raise ApiError("journal-failed", 503, reason=str(error).rstrip(".")) from error
    return jsonify(status="ok", version=__version__)
