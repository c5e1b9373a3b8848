"""Tables and their events: the JSON API that pages, cameras and programs share. Every error has one shape; every write
takes an idempotency key and the number of the last event its sender has seen. What a handler takes and answers stands
in its `operation`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime

from flask import Blueprint, Response, jsonify, make_response, request

from companion.server.access import device_of, public_name
from companion.server.camera.offers import CameraError
from companion.server.context import (
    access_here,
    acting,
    admitted,
    chosen_camera,
    desk,
    give_key,
    language,
    listed_tables,
    owns,
)
from companion.server.errors import ApiError
from companion.server.intents import intent_from_json, may_write, started_from_json
from companion.server.live.devices import kind_of
from companion.server.live.stream import Feed, Listener, ReplacedError, Snapshot, sse
from companion.server.live.threadless import STREAMED, Live
from companion.server.schema.openapi import body, operation, query
from companion.server.show import hands

tables_api = Blueprint("tables", __name__, url_prefix="/api")

_NUMBER = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
_LINKS = {
    name: {"operationId": name, "parameters": {"table_id": "$response.body#/id"}}
    for name in ("table", "intend", "entries")
}


@tables_api.get("/tables")
@operation("Tables", "Tables")
def tables() -> Response:
    """Every table, the newest first; for those who may not open tables only those that they have a key for, and the
    demonstration."""
    return jsonify(tables=listed_tables())


@tables_api.post("/tables")
@operation(
    "Tables", "Opened", status=201, body="NewTable", checks="AnyNewTable", errors=(403, 409, 422, 429), links=_LINKS
)
def open_table() -> Response:
    """Start a game. The device that does becomes the table's host; a program goes on with the `key` of the answer.
    Where the server's owner asks for a code, it is shown before (`pin`), or by the cookie of the home page."""
    if not _admitted(body().get("pin")):
        raise ApiError("not-admitted", 403)
    if not owns() and not desk().door.opens_another(request, len(desk().journal.tables())):
        raise ApiError("many-tables", 429)
    started = started_from_json(body(), desk().texts.text("ui.player-default", language()))
    source = chosen_camera(body().get("camera"))
    table_id = desk().open_table(started, body().get("key"))
    if source is not None:
        with suppress(CameraError):  # the table is there all the same; it shows what is wrong with its camera
            desk().cameras.choose(table_id, source)
    key = desk().join_key(table_id, "host")
    marked = desk().cameras.marked(table_id)
    answer = make_response(jsonify(id=table_id, url=f"/tables/{table_id}", key=key, marked=marked), 201)
    give_key(answer, table_id, "host")
    return answer


def _admitted(pin: str | None) -> bool:
    if admitted():
        return True
    if pin is None:
        return False
    found = desk().door.knows(pin, request.remote_addr or "")
    if found is None:
        raise ApiError("many-codes", 429)
    return found


@tables_api.get("/tables/<table_id>")
@operation("Tables", "Table")
def table(table_id: str) -> Response:
    """The picture of a table for this device, in its language."""
    access = access_here(table_id)
    picture = desk().table(table_id, language(), access)
    return jsonify(table=picture, around=desk().around(table_id, language(), access))


@tables_api.post("/tables/<table_id>/intents")
@operation("Tables", "Written", body="Intent", acts=True, errors=(409, 422))
def intend(table_id: str) -> Response:
    """Tell the referee something: act, take back, play on, correct. A foul is written down and waits for take-back or
    play-on; everything can be taken back, also that. A seat acts for itself alone: acting for others, and playing on
    after a foul, is for the host and the scorekeeper."""
    access = acting(table_id)
    if desk().practice.note(table_id) is not None:
        raise ApiError("practice-only", 422)
    intent = intent_from_json(body())
    if not may_write(intent.event, desk().match(table_id), access):
        raise ApiError("not-yours", 403)
    seq, picture = desk().append(table_id, intent.event, intent.seq, intent.key, language(), access)
    return jsonify(seq=seq, table=picture)


@tables_api.get("/tables/<table_id>/entries")
@operation("Tables", "Entries", query={"after": {**_NUMBER, "default": 0, "description": "Only what came after it."}})
def entries(table_id: str) -> Response:
    """The whole story of a table, or what came after ``?after=``."""
    presenter = desk().presenter(table_id, language(), access_here(table_id))
    logged = desk().journal.events(table_id, after=query("after"))
    current = [item for item in logged if item.seq <= len(presenter.match.entries)]
    return jsonify(entries=[presenter.entry(presenter.match.entries[item.seq - 1], item.at) for item in current])


@tables_api.get("/tables/<table_id>/entries/<int:seq>")
@operation("Tables", "OneEntry", acts=True)
def entry(table_id: str, seq: int) -> Response:
    """One entry with its action and the prompts it answered, for a correction. A seat gets its own entries."""
    presenter = desk().presenter(table_id, language(), acting(table_id))
    if not 2 <= seq <= len(presenter.match.entries) or presenter.match.entries[seq - 1].action is None:
        raise ApiError("no-entry", 404)
    found = presenter.match.entries[seq - 1]
    if not presenter.may_correct(found):
        raise ApiError("not-yours", 403)
    action = found.action.to_json() if found.action else None
    return jsonify(entry=presenter.entry(found, ""), action=action, prompts=presenter.past_prompts(found))


@tables_api.post("/tables/<table_id>/offers")
@operation("Tables", "Offers", body="Offering", acts=True, errors=(422,))
def offered(table_id: str) -> Response:
    """The actions in order that an open prompt allows with the cards that this device may know of that hand, or with
    the `cards` that it names: they are looked at and forgotten."""
    presenter = desk().presenter(table_id, language(), acting(table_id))
    asked = body()
    return jsonify(offers=hands.offered(presenter, asked["kind"], asked["seat"], asked.get("cards", [])))


@tables_api.get("/tables/<table_id>/events")
@operation(
    "Tables",
    ("text/event-stream",),
    errors=(503,),
    query={
        "seen": {**_NUMBER, "default": 0, "description": "The newest entry the page has; Last-Event-ID counts more."},
        "role": {"type": "string", "maxLength": 20, "description": "The role that the page was drawn for."},
        "page": {
            "type": "string",
            "pattern": "^[0-9A-Za-z]{0,40}$",
            "default": "",
            "description": "A name of the page's own: its new stream takes the place of its old one.",
        },
    },
)
def events(table_id: str) -> Response:
    """The live stream of a table. It tells at once what the listener has not seen yet: `hello` (the device's own id,
    once), `table` (a `Picture`, its entry number as event id), `around` (an `Around`), `beat` when nothing
    happens, and `gone` when the table has been removed."""
    found, lang = desk(), language()
    access = access_here(table_id)
    if found.bus.listeners() >= found.config.streams:
        raise ApiError("too-many", 503)
    known = request.headers.get("Last-Event-ID", "")
    seen = int(known) if known.isascii() and known.isdecimal() and len(known) < 10 else query("seen")
    shown, named = found.keys.credentials(request, table_id), device_of(request)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    device = named or request.remote_addr or ""
    who = Listener(device, access.code, bool(named), kind_of(request.user_agent.string), now, query("page"))
    role = query("role") or access.code

    become: list[Callable[[str], None]] = []

    def look() -> Snapshot:
        current = found.access_of(shown, table_id)
        become[0](current.code)
        return found.look(table_id, lang, current)

    feed = Feed(found.bus, table_id, seen, role, found.config.heartbeat, look)

    def pieces() -> Iterator[bytes]:
        with suppress(ReplacedError), found.bus.listening(table_id, who) as known:
            become.append(known)
            yield b"retry: 1000\n\n" + sse("hello", {"device": public_name(device)})
            try:
                while not found.bus.closed:
                    yield feed.news()
            except ApiError:  # the table has been removed
                yield sse("gone", {})

    def waiting() -> Iterator[bytes]:
        for piece in pieces():
            if piece:
                yield piece
            else:
                feed.wait()

    take = request.environ.get(STREAMED)
    if take is not None and request.method == "GET":  # our own server: no thread waits
        take(Live(found.bus, table_id, feed, pieces()))
        answer = Response(iter(()), mimetype="text/event-stream")
    else:
        answer = Response(waiting(), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    return answer
