"""History: every game again, step by step; what can be taken away from it; everything in one file and back."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, jsonify, request

from companion.games import GameError
from companion.journal import Logged
from companion.referee import Match, Started
from companion.referee.league import evening_of
from companion.referee.record import record_as_ruled, record_of
from companion.referee.record import text as record_text
from companion.server.camera.rounds import photographs
from companion.server.context import access_here, admitted, desk, language, listed_tables, owns
from companion.server.errors import ApiError
from companion.server.evenings import local
from companion.server.page import render
from companion.server.schema.openapi import operation
from companion.server.show.games import picture
from companion.server.show.present import Presenter

history_pages = Blueprint("history", __name__)

BACKUP_TYPE = "application/vnd.sqlite3"
MOST_BACKUP = 4 * 2**30
"""Bytes of a backup that the page takes."""

DRAWN = 24
"""So many games of the history, the newest, have the picture of their game beside them."""

BG_STATS = "https://app.bgstatsapp.com/createPlay.html"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


# --- pages -------------------------------------------------------------------------------------------------------


@history_pages.get("/history")
def history_page() -> str:
    """All games, the newest first, with what came of them; for the owner also backup and restore."""
    rows = [_row(table) for table in listed_tables() if not table["demo"]]
    shown = [row for row in rows if not row["archived"]]
    played = {info.id: info.game for info in desk().journal.tables()}
    for row in shown[:DRAWN]:
        if row["playable"]:
            row["drawing"] = picture(played[row["id"]])
    return render(
        "history.html",
        games=rows,
        evenings=[_evening(day, list(games)) for day, games in groupby(shown, _day)],
        archived=[row for row in rows if row["archived"]],
        removed=desk().evenings.removed() if owns() else [],
        admitted=admitted(),
        own=owns(),
    )


def _day(row: dict[str, Any]) -> str:
    return evening_of(local(row["created"]))


def _evening(day: str, games: list[dict[str, Any]]) -> dict[str, Any]:
    """The games of one evening, and who won how many of them, when there was more than one."""
    wins = Counter(p["name"] for game in games for p in game["players"] if p["won"] and game["over"])
    return {"day": day, "games": games, "wins": wins.most_common() if len(games) > 1 else []}


def _row(table: dict[str, Any]) -> dict[str, Any]:
    totals: dict[int, int] = {}
    winners: tuple[int, ...] = ()
    scored = False
    with suppress(GameError):
        if table["playable"]:
            match = desk().match(table["id"])
            totals, winners = match.game.totals(match.state), match.winners()
            scored = bool(match.scores())
    names = enumerate(table["players"])
    players = [{"name": name, "total": totals.get(seat, 0), "won": seat in winners} for seat, name in names]
    return {**table, "players": players, "scored": scored, "won": bool(winners)}


@history_pages.get("/history/<table_id>")
def replay_page(table_id: str) -> Response:
    """A game again: a slider over its events, the table as it was after each, chart and story. A game that cannot be
    told again shows why, and what was written down can be taken away."""
    try:
        match = desk().match(table_id)
    except ApiError as error:
        if error.code == "no-table":
            raise
        return _untold(table_id, error)
    seq = len(match.entries)
    info = desk().journal.info(table_id)
    runs = [match.game.totals(entry.state) for entry in match.entries]
    start = {
        "id": table_id,
        "picture": _picture(table_id, seq),
        "photographs": photographs(info.meta) if match.over or _may_take_whole(table_id, match) else {},
        "runs": [[run.get(seat, 0) for run in runs] for seat in range(len(match.setup.players))],
    }
    page = render(
        "history_table.html",
        archived=bool(info.meta.get("archived")) and desk().access(request, table_id).hosts,
        start=start,
        table_id=table_id,
        game=desk().texts.text(f"game.{match.game.id}.name", language()),
        bg_stats=_bg_stats(table_id, match),
        whole=_may_take_whole(table_id, match),
    )
    answer = Response(page, mimetype="text/html")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _untold(table_id: str, error: ApiError) -> Response:
    """The page of a table whose game is not installed, or fails."""
    lang = language()
    table = next(row for row in desk().tables(lang) if row["id"] == table_id)
    message = desk().texts.text(f"ui.error.{error.code}", lang, **error.params)
    page = render("untold.html", table=table, message=message, whole=_may_take_whole(table_id, None))
    return Response(page, status=error.status, mimetype="text/html", headers={"Cache-Control": "no-store"})


@history_pages.get("/api/tables/<table_id>/at/<int:seq>")
@operation("Tables", "Past", errors=(403,))
def at(table_id: str, seq: int) -> Response:
    """The picture of a table as it was after event `seq`; nothing can be done on it. While a game goes on in which
    remembering counts, only those who keep it look back."""
    presenter = desk().presenter(table_id, language(), access_here(table_id))
    last = len(presenter.match.entries)
    if not 1 <= seq <= last:
        raise ApiError("no-entry", 404)
    if seq != last and presenter.mask.hidden:
        raise ApiError("still-going", 403)
    return jsonify(table=_picture(table_id, seq))


def _picture(table_id: str, seq: int) -> dict[str, Any]:
    found, lang = desk(), language()
    access = found.access(request, table_id)
    key = ("at", table_id, seq, lang, access.code)
    picture = found.memory.get(key)
    if picture is None:
        match = found.past.match(found.journal, table_id, seq)
        picture = Presenter(found.texts, match, lang, access).table(table_id, ())
        picture["role"]["acts"] = False
        picture["prompts"], picture["changes"] = [], []
        found.memory.put(key, picture)
    return picture


# --- to take away ------------------------------------------------------------------------------------------------


def _download(body: str, table_id: str, game: str, ending: str, mime: str) -> Response:
    answer = Response(body, mimetype=mime)
    answer.headers["Content-Disposition"] = f'attachment; filename="{game}-{table_id}{ending}"'
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _may_take_whole(table_id: str, match: Match | None) -> bool:
    """The events tell also what somebody holds in hand: while a game goes on they are for who keeps its score. Of a
    game that cannot be told again (None) nobody knows whether it is over; the owner may take it."""
    if desk().access(request, table_id).role.name in {"host", "scorekeeper"}:
        return True
    return owns() if match is None else match.over


def _whole(table_id: str) -> tuple[Logged, ...]:
    """Everything that was written down of a table, the start first. Raises ApiError."""
    match = None
    try:
        match = desk().match(table_id)
    except ApiError as error:
        if error.code == "no-table":
            raise
    if not _may_take_whole(table_id, match):
        raise ApiError("still-going", 403)
    return desk().journal.events(table_id)


def _game_of(logged: tuple[Logged, ...]) -> str:
    started = logged[0].event
    return started.game if isinstance(started, Started) else ""


@history_pages.get("/history/<table_id>/scores.csv")
@operation("Files", ("text/csv",))
def scores_csv(table_id: str) -> Response:
    """The score lines for a spreadsheet, in the reader's language: UTF-8 with a byte order mark."""
    found, lang = desk(), language()
    match = found.match(table_id)
    presenter = Presenter(found.texts, match, lang, found.access(request, table_id))
    out = io.StringIO()
    out.write("\ufeff")  # without it spreadsheets take the text for another encoding
    writer = csv.writer(out)
    columns = ("seat", "player", "points", "total", "reason", "cards")
    writer.writerow(found.texts.text(f"history.csv.{column}", lang) for column in columns)
    totals = dict.fromkeys(range(len(match.setup.players)), 0)
    for line in presenter.score_lines():
        totals[line.seat] += line.points
        name = match.setup.players[line.seat]
        reason = found.texts.text(line.reason, lang, presenter.context)
        cells = (harmless(name), line.points, totals[line.seat], harmless(reason), harmless(" ".join(line.cards)))
        writer.writerow((line.seat + 1, *cells))
    return _download(out.getvalue(), table_id, match.game.id, "-scores.csv", "text/csv")


def harmless(cell: str) -> str:
    """Text that no spreadsheet runs as a formula."""
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULA) else cell


@history_pages.get("/history/<table_id>/events.json")
@operation("Files", "EventsFile", errors=(403,))
def events_json(table_id: str) -> Response:
    """All events with their times and the rulings they got when they were written."""
    logged = _whole(table_id)
    events = [{"seq": item.seq, "at": item.at, "event": item.event.to_json(), "ruling": item.ruling} for item in logged]
    body = json.dumps({"format": "table-companion-events-1", "table": table_id, "events": events}, ensure_ascii=False)
    return _download(body + "\n", table_id, _game_of(logged), ".json", "application/json")


@history_pages.get("/history/<table_id>/record.txt")
@operation("Files", ("text/plain",), errors=(403,))
def record_file(table_id: str) -> Response:
    """The game as a text record, which the command line referees again."""
    logged = _whole(table_id)
    when, events = logged[0].at[:10], [item.event for item in logged]
    try:
        record = record_of(events, (when,))
    except (ValueError, GameError):
        record = record_as_ruled(events, [item.ruling for item in logged], (when,))
    return _download(record_text(record), table_id, _game_of(logged), ".txt", "text/plain")


def _bg_stats(table_id: str, match: Match) -> str | None:
    """A link that hands the play to the app BG Stats, which asks before it keeps it; None while a game goes on. The
    shape is the app's own (bgstatsapp.com, "push plays to BG Stats from other apps or websites")."""
    if not (match.over or (match.game.endless and match.scores())):
        return None
    totals = match.game.totals(match.state)
    winners = match.winners() or tuple(s for s, n in totals.items() if n == max(totals.values()))
    ended = datetime.fromisoformat(desk().journal.events(table_id, after=len(match.entries) - 1)[-1].at)
    name = desk().texts.text(f"game.{match.game.id}.name", language())
    play = {
        "sourceName": "Table Companion",
        "sourcePlayId": table_id,
        "playDate": f"{ended.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
        "game": {
            "name": name,
            "sourceGameId": match.game.id,
            "highestWins": True,
            "noPoints": not match.scores(),
        },
        "players": [
            {
                "name": player,
                "sourcePlayerId": player,
                "startPlayer": False,
                "score": str(totals.get(seat, 0)),
                "winner": seat in winners,
            }
            for seat, player in enumerate(match.setup.players)
        ],
    }
    return f"{BG_STATS}?{urlencode({'data': json.dumps(play, ensure_ascii=False)})}"
