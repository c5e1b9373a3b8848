"""History: every game again, step by step; what can be taken away from it; everything in one file and back."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections import OrderedDict
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from threading import Lock
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, current_app, jsonify, request, send_file

from companion.journal import BackupError, Journal, backup
from companion.referee import Match
from companion.referee.record import record_of
from companion.referee.record import text as record_text
from companion.server.access import is_own_machine
from companion.server.config import journal_file
from companion.server.errors import ApiError
from companion.server.routes.api import desk
from companion.server.routes.pages import render
from companion.server.schema.openapi import operation
from companion.server.show.language import language
from companion.server.show.present import Presenter

history_pages = Blueprint("history", __name__)

BACKUP_TYPE = "application/vnd.sqlite3"
MOST_BACKUP = 4 * 2**30
"""Bytes of a backup that the page takes."""

BG_STATS = "https://app.bgstatsapp.com/createPlay.html"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Past:
    """Matches as they were after each event, for the tables looked at last. Safe to share between threads."""

    def __init__(self, tables: int = 4) -> None:
        self._tables = tables
        self._lock = Lock()
        self._folds: OrderedDict[str, list[Match]] = OrderedDict()

    def match(self, journal: Journal, table_id: str, seq: int) -> Match:
        """The match after event `seq` (1-based, not beyond the last)."""
        with self._lock:
            folds = self._folds.setdefault(table_id, [])
            self._folds.move_to_end(table_id)
            while len(self._folds) > self._tables:
                self._folds.popitem(last=False)
            if len(folds) < seq:
                for item in journal.events(table_id, after=len(folds))[: seq - len(folds)]:
                    folds.append(folds[-1].then(item.event) if folds else Match.of([item.event]))
            return folds[seq - 1]

    def clear(self) -> None:
        """Forget everything: the journal is another one now."""
        with self._lock:
            self._folds.clear()


def _past() -> Past:
    found: Past = current_app.extensions.setdefault("companion-past", Past())
    return found


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
        match = _past().match(found.journal, table_id, seq)
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


# --- everything in one file ----------------------------------------------------------------------------------------


def _own_machine() -> None:
    if not is_own_machine(request):
        raise ApiError("own-machine", 403)
    if desk().config.database:
        raise ApiError("own-database", 422)


@history_pages.get("/backup")
@operation("Files", (BACKUP_TYPE,), errors=(403, 422, 500))
def take_backup() -> Response:
    """All games and pictures in one file. Only on the server's own machine: it holds everybody's hands."""
    _own_machine()
    folder = Path(mkdtemp(dir=desk().config.data))
    file = folder / "backup"
    try:
        backup(journal_file(desk().config.data), file)
    except BackupError as error:
        shutil.rmtree(folder)
        raise ApiError(f"backup-{error.code}", 500, reason=str(error)) from error
    name = f"table-companion-{datetime.now():%Y%m%d-%H%M%S}.backup"
    answer = send_file(file, mimetype=BACKUP_TYPE, as_attachment=True, download_name=name, max_age=0)
    answer.direct_passthrough = False  # handed straight to the server, the end of the sending would not be told
    answer.call_on_close(lambda: shutil.rmtree(folder, ignore_errors=True))
    return answer


@history_pages.post("/api/restore")
@operation("Files", "Restored", body=BACKUP_TYPE, errors=(403, 422))
def put_back() -> Response:
    """Put a backup, the body of the request, in the place of the present journal, which is kept beside it. Only on
    the server's own machine; asking for the content type keeps other sites' forms out."""
    _own_machine()
    if request.mimetype != BACKUP_TYPE:
        raise ApiError("not-backup", 415)
    request.max_content_length = MOST_BACKUP
    with TemporaryDirectory(dir=desk().config.data) as folder:
        file = Path(folder) / "backup"
        with file.open("wb") as out:
            shutil.copyfileobj(request.stream, out)
        try:
            kept = desk().restore(file, datetime.now())
        except BackupError as error:
            raise ApiError(f"backup-{error.code}", 422, reason=str(error)) from error
    _past().clear()
    desk().memory.clear()  # what was drawn from the old past while the new journal came
    return jsonify(tables=len(desk().journal.tables()), kept=kept.name if kept else None)
