"""History: every game again, step by step; what can be taken away from it; everything in one file and back."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, jsonify, request

from companion.referee import Match
from companion.referee.record import record_of
from companion.referee.record import text as record_text
from companion.server.access import is_own_machine
from companion.server.context import desk, language
from companion.server.errors import ApiError
from companion.server.page import render
from companion.server.schema.openapi import operation
from companion.server.show.present import Presenter

history_pages = Blueprint("history", __name__)

BACKUP_TYPE = "application/vnd.sqlite3"
MOST_BACKUP = 4 * 2**30
"""Bytes of a backup that the page takes."""

BG_STATS = "https://app.bgstatsapp.com/createPlay.html"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


# --- pages -------------------------------------------------------------------------------------------------------


@history_pages.get("/history")
def history_page() -> str:
    """All games, the newest first, with what came of them; on the server's own machine also backup and restore."""
    rows = [_row(table) for table in desk().tables(language()) if not table["demo"]]
    return render("history.html", games=rows, own=is_own_machine(request))


def _row(table: dict[str, Any]) -> dict[str, Any]:
    match = desk().match(table["id"])
    totals, winners = match.game.totals(match.state), match.game.winners(match.state)
    names = match.setup.players
    players = [{"name": n, "total": totals.get(seat, 0), "won": seat in winners} for seat, n in enumerate(names)]
    return {**table, "players": players, "scored": bool(match.scores()), "won": bool(winners)}


@history_pages.get("/history/<table_id>")
def replay_page(table_id: str) -> Response:
    """A game again: a slider over its events, the table as it was after each, chart and story."""
    match = desk().match(table_id)
    seq = len(match.entries)
    runs = [match.game.totals(entry.state) for entry in match.entries]
    start = {
        "id": table_id,
        "picture": _picture(table_id, seq),
        "runs": [[run.get(seat, 0) for run in runs] for seat in range(len(match.setup.players))],
    }
    page = render(
        "history_table.html",
        start=start,
        table_id=table_id,
        game=desk().texts.text(f"game.{match.game.id}.name", language()),
        bg_stats=_bg_stats(table_id, match),
        whole=_may_take_whole(table_id, match),
    )
    answer = Response(page, mimetype="text/html")
    answer.headers["Cache-Control"] = "no-store"
    return answer


@history_pages.get("/api/tables/<table_id>/at/<int:seq>")
@operation("Tables", "Past")
def at(table_id: str, seq: int) -> Response:
    """The picture of a table as it was after event `seq`; nothing can be done on it."""
    if not 1 <= seq <= len(desk().match(table_id).entries):
        raise ApiError("no-entry", 404)
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


def _download(body: str, table_id: str, match: Match, ending: str, mime: str) -> Response:
    answer = Response(body, mimetype=mime)
    answer.headers["Content-Disposition"] = f'attachment; filename="{match.game.id}-{table_id}{ending}"'
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _may_take_whole(table_id: str, match: Match) -> bool:
    """The events tell also what somebody holds in hand: while a game goes on they are for who keeps its score."""
    return match.over or desk().access(request, table_id).role.name in {"host", "scorekeeper"}


def _whole(table_id: str) -> Match:
    match = desk().match(table_id)
    if not _may_take_whole(table_id, match):
        raise ApiError("still-going", 403)
    return match


@history_pages.get("/history/<table_id>/scores.csv")
@operation("Files", ("text/csv",))
def scores_csv(table_id: str) -> Response:
    """The score lines for a spreadsheet, in the reader's language: UTF-8 with a byte order mark."""
    found, lang = desk(), language()
    match = found.match(table_id)
    context = Presenter(found.texts, match, lang, found.access(request, table_id)).context
    out = io.StringIO()
    out.write("\ufeff")  # without it spreadsheets take the text for another encoding
    writer = csv.writer(out)
    columns = ("seat", "player", "points", "total", "reason", "cards")
    writer.writerow(found.texts.text(f"history.csv.{column}", lang) for column in columns)
    totals = dict.fromkeys(range(len(match.setup.players)), 0)
    for line in match.scores():
        totals[line.seat] += line.points
        name = match.setup.players[line.seat]
        reason = found.texts.text(line.reason, lang, context)
        cells = (harmless(name), line.points, totals[line.seat], harmless(reason), harmless(" ".join(line.cards)))
        writer.writerow((line.seat + 1, *cells))
    return _download(out.getvalue(), table_id, match, "-scores.csv", "text/csv")


def harmless(cell: str) -> str:
    """Text that no spreadsheet runs as a formula."""
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULA) else cell


@history_pages.get("/history/<table_id>/events.json")
@operation("Files", "EventsFile", errors=(403,))
def events_json(table_id: str) -> Response:
    """All events with their times and the rulings they got when they were written."""
    match = _whole(table_id)
    logged = desk().journal.events(table_id)
    events = [{"seq": item.seq, "at": item.at, "event": item.event.to_json(), "ruling": item.ruling} for item in logged]
    body = json.dumps({"format": "table-companion-events-1", "table": table_id, "events": events}, ensure_ascii=False)
    return _download(body + "\n", table_id, match, ".json", "application/json")


@history_pages.get("/history/<table_id>/record.txt")
@operation("Files", ("text/plain",), errors=(403,))
def record_file(table_id: str) -> Response:
    """The game as a text record, which the command line referees again."""
    match = _whole(table_id)
    when = desk().journal.events(table_id)[0].at[:10]
    body = record_text(record_of(match.events, (when,)))
    return _download(body, table_id, match, ".txt", "text/plain")


def _bg_stats(table_id: str, match: Match) -> str | None:
    """A link that hands the play to the app BG Stats, which asks before it keeps it; None while a game goes on. The
    shape is the app's own (bgstatsapp.com, "push plays to BG Stats from other apps or websites")."""
    if not (match.over or (match.game.endless and match.scores())):
        return None
    totals = match.game.totals(match.state)
    winners = match.game.winners(match.state) or tuple(s for s, n in totals.items() if n == max(totals.values()))
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
