"""The JSON API that pages, cameras and programs share. Every error has one shape; every write takes an idempotency key
and the number of the last event its sender has seen."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, make_response, request
from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from companion.cards import DeckError
from companion.cards import deck as find_deck
from companion.games import game as find_game
from companion.games import ids
from companion.journal import Conflict
from companion.referee import EventError
from companion.server.access import COOKIE_AGE, Access, cookie_name, is_own_machine
from companion.server.camera import CameraError
from companion.server.desk import Desk
from companion.server.errors import ApiError
from companion.server.intents import intent_from_json, started_from_json
from companion.server.language import language
from companion.server.present import deck_json
from companion.server.watch import Answer

api = Blueprint("api", __name__, url_prefix="/api")


def desk() -> Desk:
    """The desk of the running application."""
    found: Desk = current_app.extensions["companion"]
    return found


def _json() -> Any:
    """The body as JSON. Asking for the content type keeps other sites' forms out."""
    try:
        return request.get_json()
    except UnsupportedMediaType as error:
        raise ApiError("not-json", 415) from error
    except BadRequest as error:
        raise ApiError("bad-json") from error


def _access(table_id: str) -> Access:
    return desk().access(request, table_id)


def _acting(table_id: str) -> Access:
    access = _access(table_id)
    if not access.acts:
        raise ApiError("read-only", 403)
    return access


@api.get("/games")
def games() -> Response:
    """Every game that can be started: players, decks, options with their values."""
    lang, texts = language(), desk().texts
    rows = []
    for name in ids():
        rules = find_game(name)
        rows.append(
            {
                "id": name,
                "name": texts.text(f"game.{name}.name", lang),
                "about": texts.text(f"game.{name}.about", lang) if texts.has(f"game.{name}.about", lang) else "",
                "least": rules.least_players,
                "most": rules.most_players,
                "cards": _sample(rules.decks[0]),
                "decks": [{"name": d, "text": texts.deck(d, lang)} for d in rules.decks],
                "options": [
                    {
                        "name": o.name,
                        "label": texts.option(name, o.name, lang),
                        "clause": texts.clause(o.clause, lang),
                        "values": [{"value": v, "text": texts.option(name, o.name, lang, v)} for v in o.values],
                        "free": o.free,
                    }
                    for o in rules.options
                ],
            }
        )
    return jsonify(games=rows)


def _sample(name: str) -> list[str]:
    """Three cards that show which deck this is: the last of its first, middle and last suit."""
    found = find_deck(name)
    last = {face.suit: face.code for face in found.faces}
    codes = list(last.values())
    return [codes[0], codes[len(codes) // 2], codes[-1]]


@api.get("/decks/<name>")
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
def tables() -> Response:
    """Every table, the newest first."""
    return jsonify(tables=desk().tables(language()))


@api.post("/tables")
def open_table() -> Response:
    """Start a game. The device that does becomes the table's host."""
    body = _json()
    started = started_from_json(body, desk().texts.text("ui.player-default", language()))
    source = _source({"camera": body.get("camera")})
    _known(source)
    table_id = desk().open_table(started)
    if source is not None:
        with suppress(CameraError):  # the table is there all the same; it shows what is wrong with its camera
            desk().cameras.choose(table_id, source)
    answer = make_response(jsonify(id=table_id, url=f"/tables/{table_id}"), 201)
    give_key(answer, table_id, "host")
    return answer


def give_key(answer: Response, table_id: str, role: str) -> None:
    """Make the asking device `role` at the table."""
    key = desk().join_key(table_id, role)
    answer.set_cookie(
        cookie_name(table_id), key, max_age=COOKIE_AGE, httponly=True, samesite="Lax", secure=request.is_secure
    )


@api.get("/tables/<table_id>")
def table(table_id: str) -> Response:
    """The picture of a table for this device, in its language."""
    access = _access(table_id)
    picture = desk().table(table_id, language(), access)
    return jsonify(table=picture, around=desk().around(table_id, language(), access))


@api.post("/tables/<table_id>/intents")
def intend(table_id: str) -> Response:
    """Tell the referee something: act, take back, play on, correct."""
    access = _acting(table_id)
    intent = intent_from_json(_json())
    seq = desk().append(table_id, intent.event, intent.seq, intent.key)
    return jsonify(seq=seq, table=desk().table(table_id, language(), access))


@api.get("/tables/<table_id>/entries")
def entries(table_id: str) -> Response:
    """The whole story of a table, or what came after ``?after=``."""
    after = request.args.get("after", 0, type=int)
    presenter = desk().presenter(table_id, language(), _access(table_id))
    logged = desk().journal.events(table_id, after=max(0, after))
    current = [item for item in logged if item.seq <= len(presenter.match.entries)]
    return jsonify(entries=[presenter.entry(presenter.match.entries[item.seq - 1], item.at) for item in current])


@api.get("/tables/<table_id>/entries/<int:seq>")
def entry(table_id: str, seq: int) -> Response:
    """One entry with its action and the prompts it answered, for a correction."""
    _acting(table_id)
    presenter = desk().presenter(table_id, language(), _access(table_id))
    if not 2 <= seq <= len(presenter.match.entries) or presenter.match.entries[seq - 1].action is None:
        raise ApiError("no-entry", 404)
    found = presenter.match.entries[seq - 1]
    action = found.action.to_json() if found.action else None
    return jsonify(entry=presenter.entry(found, ""), action=action, prompts=presenter.past_prompts(found))


@api.get("/cameras")
def offered_cameras() -> Response:
    """Cameras that a new table can have."""
    return jsonify(cameras=desk().cameras.offered())


def _source(body: Any) -> str | None:
    source = body.get("camera") if isinstance(body, dict) else False
    if source is not None and (not isinstance(source, str) or not 1 <= len(source) <= 400):
        raise ApiError("bad-field", field="camera")
    return source


@api.post("/tables/<table_id>/camera")
def choose_camera(table_id: str) -> Response:
    """Choose the camera of a table: ``{"camera": "0"}``, or ``{"camera": null}`` for taps only. Only a source that is
    offered (`/api/cameras`) can be chosen from another machine: nobody reads files of this one through it."""
    _acting(table_id)
    source = _source(_json())
    desk().match(table_id)
    _known(source)
    try:
        desk().cameras.choose(table_id, source)
    except CameraError as error:
        raise ApiError("bad-camera", 422, reason=str(error)) from error
    return jsonify(around=desk().around(table_id, language(), _access(table_id)))


def _known(source: str | None) -> None:
    known = {offer["source"] for offer in desk().cameras.offered()}
    if source is not None and source not in known and not is_own_machine(request):
        raise ApiError("bad-camera", 422, reason=source)


@api.get("/tables/<table_id>/camera/picture")
def camera_picture(table_id: str) -> Response:
    """What the camera sees now, as JPEG of ``?width=`` px: for setting it up. Only for devices that act."""
    _acting(table_id)
    width = request.args.get("width", 960, type=int)
    picture = desk().cameras.picture(table_id, max(160, min(width, 1920)))
    if picture is None:
        raise ApiError("no-picture", 404)
    return Response(picture, mimetype="image/jpeg")


@api.post("/tables/<table_id>/questions/<question>")
def answer_question(table_id: str, question: str) -> Response:
    """Answer a question of the camera: ``{"option": n}`` one of its options, ``{"face": code}`` a card it did not
    think of, ``{}`` none of it (put aside; for a single card: there is none)."""
    access = _acting(table_id)
    body = _json()
    option, face = (body.get("option"), body.get("face")) if isinstance(body, dict) else (False, None)
    if option is not None and (not isinstance(option, int) or isinstance(option, bool)):
        raise ApiError("bad-field", field="option")
    if face is not None and (not isinstance(face, str) or len(face) > 40):
        raise ApiError("bad-field", field="face")
    try:
        done = desk().cameras.answer(table_id, question, Answer(option, face))
    except Conflict as error:
        raise ApiError("conflict", 409, {"seq": error.current_seq}) from error
    except EventError as error:
        raise ApiError("bad-event", 422, reason=str(error)) from error
    if not done:
        raise ApiError("no-question", 404)
    return jsonify(table=desk().table(table_id, language(), access))
