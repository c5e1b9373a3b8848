"""``companion mat``: the mat of a game, for a table of its own size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from companion.commands import CommandError
from companion.games import game as find_game
from companion.games import places
from companion.referee import Match, Started
from companion.referee.simulate import table_setup
from companion.server.show.mat import mat_pdf, mat_title
from companion.server.show.texts import Context, Texts
from companion.server.show.zones import no_room, reduced, zone_names
from companion.table.solve import NoRoomError, solve


def write(
    game: str,
    players: int | None,
    size: str,
    options: Mapping[str, str],
    paper: str,
    lang: str,
    out: Path,
    deck: str = "",
) -> str:
    """Write the mat as PDF; returns a sentence about zones that have no room, mostly empty. `size`: ``100x70``, cm.
    Raises CommandError, LayoutError, SetupError, UnknownGameError."""
    table = _millimetres(size)
    setup = table_setup(find_game(game), players, **options)
    setup = replace(setup, deck=deck) if deck else setup
    match, texts = Match.of([Started(game, setup)]), Texts.load()
    try:
        plan = solve(places(game, setup), len(setup.players), table)
    except NoRoomError as error:
        raise CommandError(no_room(error, texts, lang)) from error
    context = Context((), match.deck, game, zone_names(match))
    out.write_bytes(mat_pdf(plan.layout, mat_title(match, plan.layout, texts, lang), texts, lang, context, paper))
    return reduced(plan, table, texts, lang)


def _millimetres(size: str) -> tuple[float, float]:
    width, _, height = size.lower().replace("×", "x").replace(",", ".").partition("x")
    try:
        return 10 * float(width), 10 * float(height)
    except ValueError:
        raise CommandError(f"a table is written WIDTHxHEIGHT in cm, such as 100x70, not {size!r}") from None
