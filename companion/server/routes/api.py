"""The JSON API that pages, cameras and programs share. Every error has one shape; every write takes an idempotency key
and the number of the last event its sender has seen. What a handler takes and answers stands in its `operation`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime

from flask import Blueprint, Response, current_app, jsonify, make_response, request

from companion.cards import DeckError
from companion.cards import deck as find_deck
from companion.games import game as find_game
from companion.games import ids
from companion.journal import Conflict
from companion.referee import EventError
from companion.server.access import COOKIE_AGE, Access, cookie_name, credentials, device_of, is_own_machine, public_name
from companion.server.camera.cameras import CameraError
from companion.server.camera.table import Answer
from companion.server.desk import Desk
from companion.server.errors import ApiError
from companion.server.intents import intent_from_json, started_from_json
from companion.server.live.devices import kind_of
from companion.server.live.stream import Listener, Look, sse, stream
from companion.server.schema.openapi import body, operation, query
from companion.server.show.language import language
from companion.server.show.present import deck_json
from companion.server.show.rulebook import option_about, rules_of

api = Blueprint("api", __name__, url_prefix="/api")

_NUMBER = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
_LINKS = {
    name: {"operationId": name, "parameters": {"table_id": "$response.body#/id"}}
    for name in ("table", "intend", "entries")
}


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


@api.get("/games")
@operation("Games", "Games")
def games() -> Response:
    """Every game that can be started: players, decks, options with their values."""
    lang, texts = language(), desk().texts
    rows = []
    for name in ids():
        rules, sheet = find_game(name), rules_of(name, lang)
        rows.append(
            {
                "id": name,
                "name": texts.text(f"game.{name}.name", lang),
                "about": sheet.lead,
                "least": rules.least_players,
                "most": rules.most_players,
                "cards": sample(rules.decks[0]),
                "decks": [{"name": d, "text": texts.deck(d, lang)} for d in rules.decks],
                "options": [
                    {
                        "name": o.name,
                        "label": texts.option(name, o.name, lang),
                        "about": option_about(rules, o, sheet, texts, lang),
                        "clause": texts.clause(o.clause, lang),
                        "values": [{"value": v, "text": texts.option(name, o.name, lang, v)} for v in o.values],
                        "free": o.free,
                    }
                    for o in rules.options
                ],
            }
        )
    return jsonify(games=rows)


def sample(name: str) -> list[str]:
    """Three cards that show which deck this is: the last of its first, middle and last suit."""
    found = find_deck(name)
    last = {face.suit: face.code for face in found.faces}
    codes = list(last.values())
    return [codes[0], codes[len(codes) // 2], codes[-1]]


@api.get("/decks/<name>")
@operation("Games", "Deck")
def deck(name: str) -> Response:
    """The faces of a deck by suit, for the picker."""
    try:
        found = find_deck(name)
    except DeckError as error:
        raise ApiError("no-deck", 404, reason=str(error)) from error
    answer = jsonify(deck_json(found, desk().texts, language()))
    answer.headers["Cache-Control"] = "private, max-age=3600"
    return answer


@api.get("/tables")
@operation("Tables", "Tables")
def tables() -> Response:
    """Every table, the newest first."""
    return jsonify(tables=desk().tables(language()))


@api.post("/tables")
@operation("Tables", "Opened", status=201, body="NewTable", checks="AnyNewTable", errors=(422,), links=_LINKS)
def open_table() -> Response:
    """Start a game. The device that does becomes the table's host."""
    started = started_from_json(body(), desk().texts.text("ui.player-default", language()))
    source = body().get("camera")
    _known(source)
    table_id = desk().open_table(started, body().get("key"))
    if source is not None:
        with suppress(CameraError):  # the table is there all the same; it shows what is wrong with its camera
            desk().cameras.choose(table_id, source)
    answer = make_response(jsonify(id=table_id, url=f"/tables/{table_id}"), 201)
    give_key(answer, table_id, "host")
    return answer


def give_key(answer: Response, table_id: str, role: str) -> None:
    """Make the asking device `role` at the table, whatever role it had there."""
    key = desk().join_key(table_id, role)
    desk().keys.book.give(table_id, device_of(request), None)
    answer.set_cookie(
        cookie_name(table_id), key, max_age=COOKIE_AGE, httponly=True, samesite="Lax", secure=request.is_secure
    )


@api.get("/tables/<table_id>")
@operation("Tables", "Table")
def table(table_id: str) -> Response:
    """The picture of a table for this device, in its language."""
    access = access_here(table_id)
    picture = desk().table(table_id, language(), access)
    return jsonify(table=picture, around=desk().around(table_id, language(), access))


@api.post("/tables/<table_id>/intents")
@operation("Tables", "Written", body="Intent", acts=True, errors=(409, 422))
def intend(table_id: str) -> Response:
    """Tell the referee something: act, take back, play on, correct. A foul is written down and waits for take-back or
    play-on; everything can be taken back, also that."""
    access = acting(table_id)
    intent = intent_from_json(body())
    seq, picture = desk().append(table_id, intent.event, intent.seq, intent.key, language(), access)
    return jsonify(seq=seq, table=picture)


@api.get("/tables/<table_id>/entries")
@operation("Tables", "Entries", query={"after": {**_NUMBER, "default": 0, "description": "Only what came after it."}})
def entries(table_id: str) -> Response:
    """The whole story of a table, or what came after ``?after=``."""
    presenter = desk().presenter(table_id, language(), access_here(table_id))
    logged = desk().journal.events(table_id, after=query("after"))
    current = [item for item in logged if item.seq <= len(presenter.match.entries)]
    return jsonify(entries=[presenter.entry(presenter.match.entries[item.seq - 1], item.at) for item in current])


@api.get("/tables/<table_id>/entries/<int:seq>")
@operation("Tables", "OneEntry", acts=True)
def entry(table_id: str, seq: int) -> Response:
    """One entry with its action and the prompts it answered, for a correction."""
    presenter = desk().presenter(table_id, language(), acting(table_id))
    if not 2 <= seq <= len(presenter.match.entries) or presenter.match.entries[seq - 1].action is None:
        raise ApiError("no-entry", 404)
    found = presenter.match.entries[seq - 1]
    action = found.action.to_json() if found.action else None
    return jsonify(entry=presenter.entry(found, ""), action=action, prompts=presenter.past_prompts(found))


@api.get("/cameras")
@operation("Cameras", "Cameras")
def offered_cameras() -> Response:
    """Cameras that a new table can have."""
    return jsonify(cameras=desk().cameras.offered(desk().texts.text("ui.camera.phone", language())))


@api.post("/tables/<table_id>/camera")
@operation("Cameras", "AroundOnly", body="CameraChoice", acts=True, errors=(422,))
def choose_camera(table_id: str) -> Response:
    """Choose the camera of a table; null for taps only. Only a source that is offered (`/api/cameras`) can be chosen
    from another machine: nobody reads files of this one through it."""
    access = acting(table_id)
    source = body()["camera"]
    _known(source)
    try:
        desk().cameras.choose(table_id, source)
    except CameraError as error:
        raise ApiError("bad-camera", 422, reason=str(error)) from error
    return jsonify(around=desk().around(table_id, language(), access))


def _known(source: str | None) -> None:
    known = {offer["source"] for offer in desk().cameras.offered()}
    if source is not None and source not in known and not is_own_machine(request):
        raise ApiError("bad-camera", 422, reason=source)


@api.get("/tables/<table_id>/camera/picture")
@operation(
    "Cameras",
    ("image/jpeg",),
    acts=True,
    query={"width": {"type": "integer", "minimum": 1, "maximum": 9999, "default": 960, "description": "In px."}},
)
def camera_picture(table_id: str) -> Response:
    """What the camera sees now, as JPEG of 160 to 1920 px width: for setting it up. Only for devices that act."""
    acting(table_id)
    picture = desk().cameras.picture(table_id, max(160, min(query("width"), 1920)))
    if picture is None:
        raise ApiError("no-picture", 404)
    return Response(picture, mimetype="image/jpeg")


@api.post("/tables/<table_id>/questions/<question>")
@operation("Cameras", "Asked", body="QuestionAnswer", acts=True, errors=(409, 422))
def answer_question(table_id: str, question: str) -> Response:
    """Answer a question of the camera: one of its options, a card it did not think of, or none of it (put aside; for a
    single card: there is none)."""
    access = acting(table_id)
    option, face = body().get("option"), body().get("face")
    try:
        done = desk().cameras.answer(table_id, question, Answer(None if option is None else int(option), face))
    except Conflict as error:
        raise ApiError("conflict", 409, {"seq": error.current_seq}) from error
    except EventError as error:
        raise ApiError("bad-event", 422, reason=str(error)) from error
    if not done:
        raise ApiError("no-question", 404)
    return jsonify(table=desk().table(table_id, language(), access))


@api.get("/tables/<table_id>/events")
@operation(
    "Tables",
    ("text/event-stream",),
    errors=(503,),
    query={
        "seen": {**_NUMBER, "default": 0, "description": "The newest entry the page has; Last-Event-ID counts more."},
        "role": {"type": "string", "maxLength": 20, "description": "The role that the page was drawn for."},
    },
)
def events(table_id: str) -> Response:
    """The live stream of a table. It tells at once what the listener has not seen yet: `hello` (the device's own id,
    once), `table` (a `Picture`, its entry number as event id), `around` (an `Around`), and `beat` when nothing
    happens."""
    found, lang = desk(), language()
    access = access_here(table_id)
    if found.bus.listeners() >= found.config.streams:
        raise ApiError("too-many", 503)
    known = request.headers.get("Last-Event-ID", "")
    seen = int(known) if known.isascii() and known.isdecimal() and len(known) < 10 else query("seen")
    shown, named = credentials(request, table_id), device_of(request)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    device = named or request.remote_addr or ""
    who = Listener(device, access.code, bool(named), kind_of(request.user_agent.string), now)
    role = query("role") or access.code

    def listen() -> Iterator[bytes]:
        with found.bus.listening(table_id, who) as become:

            def look() -> Look:
                current = found.access_of(shown, table_id)
                become(current.code)
                return found.look(table_id, lang, current)

            yield b"retry: 1000\n\n" + sse("hello", {"device": public_name(device)})
            yield from stream(found.bus, table_id, seen, role, found.config.heartbeat, look)

    answer = Response(listen(), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    return answer
