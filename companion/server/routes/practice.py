"""Practice games against bots: the page of the games, the table, and what the player tells."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, make_response, request

from companion.games import Setup, SetupError, UnknownGameError, ids
from companion.games import game as find_game
from companion.journal import Conflict
from companion.referee import Started
from companion.server.access import Access, device_of, public_name
from companion.server.context import access_here, admitted, desk, give_key, language
from companion.server.errors import ApiError
from companion.server.page import render
from companion.server.practice import LEVELS, ME, BusyError, Move, NotSoError
from companion.server.schema.openapi import body, operation
from companion.server.show.games import picture
from companion.server.show.present import Presenter
from companion.server.show.rulebook import rules_or_sentence

practice_pages = Blueprint("practice", __name__)

_MOST_BOTS = 7
"""So many have a name."""


def _sitting(table_id: str) -> Access:
    """Go on for the one who plays this practice game. Raises ApiError 403, 404."""
    access = access_here(table_id)
    if access.role.seat is None:
        raise ApiError("practice-yours", 403)
    if desk().practice.note(table_id) is None:
        raise ApiError("no-practice", 404)
    if access.role.seat != ME:
        raise ApiError("practice-yours", 403)
    return access


# --- pages -----------------------------------------------------------------------------------------------------------


@practice_pages.get("/practice")
def practice_page() -> str:
    """All games, to play one against bots; the device's own that are not over."""
    lang, texts = language(), desk().texts
    games = [
        {
            "id": name,
            "name": texts.text(f"game.{name}.name", lang),
            "about": rules_or_sentence(name, lang, texts).lead,
            "picture": picture(name),
            "least": max(2, find_game(name).least_players),
            "most": min(_MOST_BOTS + 1, find_game(name).most_players),
        }
        for name in ids()
    ]
    mine = [info for info in desk().practice.games(_device()) if not desk().match(info.id).over]
    rows = [{"id": i.id, "name": texts.text(f"game.{i.game}.name", lang), "created": i.created} for i in mine]
    return render(
        "practice.html",
        games=games,
        mine=rows,
        admitted=admitted(),
        chosen=request.args.get("game"),
    )


@practice_pages.get("/practice/<table_id>")
def practice_table(table_id: str) -> Response:
    """A practice game, for the one who plays it."""
    access = _sitting(table_id)
    answer = make_response(render("practice_table.html", start=_state(table_id, access)))
    answer.headers["Cache-Control"] = "no-store"
    return answer


# --- the API ---------------------------------------------------------------------------------------------------------


@practice_pages.post("/api/practice")
@operation("Practice", "Opened", status=201, body="NewPractice", errors=(403, 422, 429))
def open_practice() -> Response:
    """Start a practice game: the program deals, bots hold the other seats, the asking device has the first one."""
    if not admitted():
        raise ApiError("not-admitted", 403)
    if not desk().door.opens_another(request, 0):
        raise ApiError("many-tables", 429)
    asked, texts, lang = body(), desk().texts, language()
    try:
        rules = find_game(asked["game"])
        count = asked.get("players") or max(2, rules.least_players)
        if not 2 <= count <= _MOST_BOTS + 1:
            raise ApiError("bad-field", 400, field="players")
        names = texts.text("practice.bots", lang).split()
        bots = [texts.text("practice.bot", lang, name=name) for name in names[: count - 1]]
        start = Started(rules.id, Setup((texts.text("practice.you", lang), *bots)))
    except (SetupError, UnknownGameError) as error:
        raise ApiError("bad-setup", 422, reason=str(error)) from error
    table_id = desk().open_table(start, asked.get("key"))
    if desk().practice.note(table_id) is None:
        desk().practice.open(table_id, asked.get("bots", LEVELS[0]), _device())
    role = f"seat-{ME}"
    url = f"/practice/{table_id}"
    answer = make_response(jsonify(id=table_id, url=url, key=desk().join_key(table_id, role), marked=True), 201)
    give_key(answer, table_id, role)
    return answer


def _device() -> str:
    return public_name(device_of(request) or request.remote_addr or "")


@practice_pages.get("/api/practice/<table_id>")
@operation("Practice", "Practice", acts=True)
def practice(table_id: str) -> Response:
    """A practice game as its player sees it: the table, his hand, what he may do, who is to act."""
    return jsonify(_state(table_id, _sitting(table_id)))


@practice_pages.post("/api/practice/<table_id>/move")
@operation("Practice", "Practice", body="PracticeMove", acts=True, errors=(409, 422))
def practice_move(table_id: str) -> Response:
    """Make one of the moves. What breaks a rule is refused with the referee's reason, nothing is written; a move that
    can be meant in several ways is refused with the `ways`: say one of them in `args`."""
    access, told = _sitting(table_id), body()
    args = {k: tuple(v) if isinstance(v, list) else v for k, v in told.get("args", {}).items()}
    try:
        desk().practice.play(table_id, told["move"], told.get("cards", []), told.get("option"), args, int(told["seq"]))
    except Conflict as error:
        raise ApiError("conflict", 409, {"seq": error.current_seq}) from error
    except NotSoError as error:
        raise _refusal(error, Presenter(desk().texts, desk().match(table_id), language(), access)) from error
    desk().bus.publish(table_id)
    return jsonify(_state(table_id, access))


def _refusal(error: NotSoError, presenter: Presenter) -> ApiError:
    if error.ways:
        ways = [
            {
                "args": {k: list(v) if isinstance(v, tuple) else v for k, v in way.args},
                "text": _way(way.args, presenter),
            }
            for way in error.ways
        ]
        return ApiError("practice-ways", 422, {"ways": ways})
    if not error.violations:
        return ApiError("practice-cards", 422)
    said = " ".join(presenter.violation(v)["text"] for v in error.violations)
    return ApiError("practice-refused", 422, reason=said)


def _way(args: tuple[tuple[str, Any], ...], presenter: Presenter) -> str:
    comma = desk().texts.text("ui.list-comma", language())
    return comma.join(
        desk().texts.choice(presenter.game, name, value, language(), presenter.context) for name, value in args
    )


@practice_pages.post("/api/practice/<table_id>/step")
@operation("Practice", "Practice", body="PracticeStep", acts=True, errors=(429,))
def practice_step(table_id: str) -> Response:
    """One of the bots acts, if it is for them; with `let` the player lets them although he could act himself. The page
    asks for every step, so bots think only while somebody plays."""
    access, told = _sitting(table_id), body()
    seq = int(told["seq"])
    try:
        if told.get("let"):
            desk().practice.let(table_id, seq)
        if desk().practice.step(table_id, seq):
            desk().bus.publish(table_id)
    except BusyError as error:
        raise ApiError("practice-busy", 429) from error
    return jsonify(_state(table_id, access))


@practice_pages.post("/api/practice/<table_id>/back")
@operation("Practice", "Practice", body="Empty", acts=True)
def practice_back(table_id: str) -> Response:
    """Everything back to before the player's last move; the cards lie where they lay."""
    access = _sitting(table_id)
    if desk().practice.back(table_id):
        desk().bus.publish(table_id)
    return jsonify(_state(table_id, access))


# --- what the player sees --------------------------------------------------------------------------------------------


def _state(table_id: str, access: Access) -> dict[str, Any]:
    practice = desk().practice
    table = desk().table(table_id, language(), access)
    waits = practice.waits(table_id)
    deal = practice.deal(table_id)
    presenter = Presenter(desk().texts, deal.match, language(), access)
    drawing = practice.drawing(table_id, deal.match)
    with deal.lock:
        moves = [] if waits == "over" else deal.moves(drawing)
        lets = waits == "you" and drawing is None and deal.bots("simple", passed=True) is not None
        hand, aside = deal.hand(), deal.aside()
        if drawing is not None and moves and moves[0].cards is not None:
            hand = list(moves[0].cards)
    rows = presenter.prompts([move.prompt for move in moves])
    note = practice.note(table_id) or {}
    return {
        "table": table,
        "hand": hand,
        "aside": aside,
        "moves": [_move(move, row) for move, row in zip(moves, rows, strict=True)],
        "waits": waits,
        "lets": lets,
        "bots": str(note.get("bots")),
    }


def _move(move: Move, row: dict[str, Any]) -> dict[str, Any]:
    slot = move.prompt.slot
    return {
        "id": move.id,
        "kind": move.prompt.kind,
        "label": row["label"],
        "detail": row["detail"],
        "cards": None if move.cards is None else list(move.cards),
        "least": move.least,
        "most": move.most,
        "down": move.down,
        "ordered": bool(slot and slot.ordered),
        "draws": move.draws,
        "options": [{"n": len(a.cards), "cards": list(a.cards) if move.open else []} for a in move.options],
    }
