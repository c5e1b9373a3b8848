"""The JSON API that pages, cameras and programs share. Every error has one shape; every write takes an idempotency key
and the number of the last event its sender has seen."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, current_app, jsonify, make_response, request
from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from companion.cards import DeckError
from companion.cards import deck as find_deck
from companion.games import game as find_game
from companion.games import ids
from companion.server.access import COOKIE_AGE, Access, cookie_name
from companion.server.desk import Desk
from companion.server.errors import ApiError
from companion.server.intents import intent_from_json, started_from_json
from companion.server.language import language
from companion.server.present import deck_json

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
    return desk().keys.access(request, table_id)


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
    started = started_from_json(_json(), desk().texts.text("ui.player-default", language()))
    table_id = desk().open_table(started)
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


@api.post("/tables/<table_id>/camera")
def camera(table_id: str) -> Response:
    """Choose the camera of a table: ``{"source": "0"}``, or ``{"source": null}`` for taps only."""
    _acting(table_id)
    body = _json()
    source = body.get("source") if isinstance(body, dict) else False
    if source is not None and (not isinstance(source, str) or not 1 <= len(source) <= 400):
        raise ApiError("bad-field", field="source")
    desk().match(table_id)
    desk().cameras.choose(table_id, source)
    return jsonify(around=desk().around(table_id, language(), _access(table_id)))


@api.post("/tables/<table_id>/questions/<question>")
def answer_question(table_id: str, question: str) -> Response:
    """Answer a question of the camera: ``{"option": n}``, or ``{"option": null}`` to put it aside."""
    _acting(table_id)
    body = _json()
    option = body.get("option") if isinstance(body, dict) else False
    if option is not None and (not isinstance(option, int) or isinstance(option, bool)):
        raise ApiError("bad-field", field="option")
    event = desk().cameras.answer(table_id, question, option)
    if event is not None:
        desk().append(table_id, event, None, f"question-{question}")
    return jsonify(table=desk().table(table_id, language(), _access(table_id)))
