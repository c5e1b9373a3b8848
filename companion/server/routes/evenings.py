"""Evenings: the next game of the same people, players and seasons, results to show around, tables put away."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, jsonify, make_response, request

from companion.games import Setup, ids
from companion.journal import BackupError, TakenError
from companion.referee import Match, Started
from companion.referee.league import Profile, Result, key, ranking, seasons, teams
from companion.server.access import Access
from companion.server.context import access_here, admitted, desk, give_key, hosting, language, owning, owns
from companion.server.errors import ApiError
from companion.server.evenings import local
from companion.server.page import render
from companion.server.schema.openapi import body, operation
from companion.server.show.present import Presenter
from companion.server.show.result import Row, result_svg, score_rounds, shared_head

evening_pages = Blueprint("evenings", __name__)


# --- players and seasons ---------------------------------------------------------------------------------------------


def _admitting() -> None:
    """Who plays here is for those who may open tables."""
    if not admitted():
        raise ApiError("not-admitted", 403)


@evening_pages.get("/players")
def players_page() -> str:
    """The table of a season (``?season=2026-11``, ``?game=``), teams, and every player."""
    _admitting()
    season, game = request.args.get("season", "")[:7], request.args.get("game", "")[:80]
    results = desk().evenings.results()
    chosen = [r for r in results if r.evening.startswith(season) and (not game or r.game == game)]
    return render(
        "players.html",
        table=_placed(ranking(desk().evenings.profiles(season, game).values())),
        teams=teams(chosen),
        seasons=seasons(results),
        games=[name for name in ids() if any(r.game == name for r in results)],
        season=season,
        game=game,
        key=key,
        half=_half,
    )


def _placed(table: list[Profile]) -> list[tuple[int, Profile]]:
    """Everybody with his place; who is level in points and wins shares it."""
    places: list[tuple[int, Profile]] = []
    for at, one in enumerate(table):
        before = table[at - 1] if at else one
        level = at > 0 and (before.points, before.wins) == (one.points, one.wins)
        places.append((places[-1][0] if level else at + 1, one))
    return places


def _half(points: float) -> str:
    """Points with their halves: ``3½``."""
    whole = int(points)
    return f"{whole or ''}½" if points != whole else str(whole)


@evening_pages.get("/players/<player>")
def player_page(player: str) -> str:
    """One player: games, wins, streaks, everybody he met, his last games."""
    _admitting()
    found = desk().evenings.profiles()
    profile = found.get(key(player))
    if profile is None:
        raise ApiError("no-player", 404)
    return render(
        "player.html",
        profile=profile,
        rivals=sorted(profile.rivals.values(), key=lambda r: (-r.games, key(r.name))),
        last=_last(profile, desk().evenings.results()),
        known=found,
        key=key,
        half=_half,
    )


LAST = 20
"""So many of a player's games are listed."""


def _last(profile: Profile, results: list[Result]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for result in results:
        seat = next((s for s, name in enumerate(result.players) if key(name) == key(profile.name)), None)
        if seat is not None and len(rows) < LAST:
            points = result.points[seat] if result.points else None
            rows.append(
                {"result": result, "place": result.place(seat), "points": points, "won": seat in result.winners}
            )
    return rows


@evening_pages.get("/api/players")
@operation("Evenings", "Names", errors=(403,))
def names() -> Response:
    """Names for a new game: those who have played here, and people who play together. For those who may open
    tables."""
    _admitting()
    return jsonify(desk().evenings.names())


# --- the next game ---------------------------------------------------------------------------------------------------


@evening_pages.post("/api/tables/<table_id>/again")
@operation("Evenings", "Opened", status=201, body="Again", acts=True, errors=(422, 429))
def again(table_id: str) -> Response:
    """The next game of the same people with the same deck and house rules, everybody one seat on when they `turn`: the
    first to act is then the next one. For the host, who is the host of the new table too."""
    hosting(table_id)
    match = desk().match(table_id)
    if not owns() and not desk().door.opens_another(request, len(desk().journal.tables())):
        raise ApiError("many-tables", 429)
    new = desk().open_table(_next(match, body().get("turn", False)), body().get("key"))
    key, marked = desk().join_key(new, "host"), desk().cameras.marked(new)
    answer = make_response(jsonify(id=new, url=f"/tables/{new}", key=key, marked=marked), 201)
    give_key(answer, new, "host")
    return answer


def _next(match: Match, turn: bool) -> Started:
    first = match.entries[0].event
    assert isinstance(first, Started)
    if not turn:
        return first
    setup = first.setup
    people = (*setup.players[1:], setup.players[0])
    turned = (*first.teams[1:], *first.teams[:1])
    return replace(first, setup=Setup(people, setup.deck, setup.options), teams=turned)


# --- put away, taken out, brought back -------------------------------------------------------------------------------


def _not_the_demo(table_id: str) -> None:
    if table_id == desk().cameras.demo:
        raise ApiError("demo-stays", 422)


@evening_pages.post("/api/tables/<table_id>/archive")
@operation("Evenings", "Done", body="Archive", acts=True, errors=(422,))
def archive(table_id: str) -> Response:
    """Put a table away: the home page no longer shows it, its result still counts. For the host."""
    hosting(table_id)
    _not_the_demo(table_id)
    desk().evenings.archive(table_id, body()["archived"])
    return jsonify(done=True)


@evening_pages.post("/api/tables/<table_id>/remove")
@operation("Evenings", "Removed", body="Remove", acts=True, errors=(422, 500))
def remove(table_id: str) -> Response:
    """Take a table out of the journal with all its entries and pictures. Whoever asks says the table's id once more
    (`sure`). It is kept in a file of its own beside the journal, from which the owner can bring it back. For the host.
    """
    hosting(table_id)
    _not_the_demo(table_id)
    if body()["sure"] != table_id:
        raise ApiError("not-sure", 422)
    try:
        kept = desk().remove(table_id, datetime.now())
    except BackupError as error:
        raise ApiError(f"backup-{error.code}", 500, reason=str(error)) from error
    return jsonify(kept=kept)


@evening_pages.post("/api/removed/<kept>/restore")
@operation("Evenings", "Brought", body="Empty", errors=(403, 409, 422))
def bring_back(kept: str) -> Response:
    """Bring a table back that was taken out. For the owner."""
    owning()
    try:
        table_id = desk().evenings.bring_back(kept)
    except TakenError as error:
        raise ApiError("table-there", 409) from error
    except BackupError as error:
        raise ApiError(f"backup-{error.code}", 422, reason=str(error)) from error
    if table_id is None:
        raise ApiError("no-table", 404)
    desk().forget()
    desk().bus.publish(table_id)
    return jsonify(id=table_id, url=f"/tables/{table_id}")


# --- to show around --------------------------------------------------------------------------------------------------


@evening_pages.get("/history/<table_id>/result.svg")
@operation("Files", ("image/svg+xml",))
def result_picture(table_id: str) -> Response:
    """The standing as a picture to send around: places, points, how they came about."""
    match, texts, lang = desk().match(table_id), desk().texts, language()
    totals, winners = match.game.totals(match.state), match.winners()
    scored = bool(match.scores())
    whole = Result(table_id, match.game.id, local(_begun(table_id)), match.setup.players,
                   tuple(totals.get(s, 0) for s in range(len(match.setup.players))) if scored else None,
                   winners, match.teams)  # fmt: skip
    runs = [match.game.totals(entry.state) for entry in match.entries]
    order = sorted(range(len(match.setup.players)), key=lambda seat: (whole.place(seat), seat))
    rows = [
        Row(
            whole.place(seat),
            match.setup.players[seat],
            totals.get(seat, 0) if scored else None,
            seat in winners,
            [run.get(seat, 0) for run in runs],
        )
        for seat in order
    ]
    note = texts.text("ui.list-comma", lang).join(f"{team} {n}" for team, n in whole.team_points().items())
    key_of = "ui.over" if match.over else "history.running"
    under = f"{whole.at:%Y-%m-%d %H:%M} · {texts.text(key_of, lang)}"
    svg = result_svg(texts.text(f"game.{match.game.id}.name", lang), under, rows, note, texts.text("ui.app", lang))
    answer = Response(svg, mimetype="image/svg+xml")
    answer.headers["Content-Disposition"] = f'inline; filename="{match.game.id}-{table_id}.svg"'
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _begun(table_id: str) -> str:
    return desk().journal.info(table_id).created


@evening_pages.get("/history/<table_id>/sheet")
def score_sheet(table_id: str) -> Response:
    """The score sheet to print: every round, everybody's points and why, the totals."""
    access: Access = access_here(table_id)
    match = desk().match(table_id)
    presenter = Presenter(desk().texts, match, language(), access)
    rounds = score_rounds(match, presenter.score_lines())
    told = [[desk().texts.text(line.reason, language(), presenter.context) for line in one.lines] for one in rounds]
    heads = [shared_head(lines) for lines in told]
    why = [list(zip(one.lines, lines, strict=True)) for one, lines in zip(rounds, told, strict=True)]
    page = render(
        "sheet.html",
        table_id=table_id,
        game=desk().texts.text(f"game.{match.game.id}.name", language()),
        deck=desk().texts.deck(match.deck.name, language()),
        begun=_begun(table_id),
        players=match.setup.players,
        rounds=rounds,
        totals=match.game.totals(match.state),
        winners=match.winners(),
        teams=match.teams,
        over=match.over,
        heads=heads,
        why=why,
    )
    return Response(page, mimetype="text/html", headers={"Cache-Control": "no-store"})
