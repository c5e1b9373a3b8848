"""The games there are: their mats, games that bots play, and a new one."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from companion.commands import INTERRUPTED
from companion.commands.declared.options import AS_JSON, DATA, DECK, HOUSE_RULES, games_begun, house_rules

BOT = click.Choice(["random", "simple", "strong"])


@click.command()
@DATA
@AS_JSON
def games(data: Path | None, as_json: bool) -> None:
    """List every game: its names, players, decks, and where it comes from; and what cannot be played, and why."""
    from companion.commands import games as listing

    folder = listing.with_games(data)
    click.echo(listing.as_json() if as_json else "\n".join(listing.as_table(folder)))


@click.command()
@click.option("--players", metavar="N", type=int, default=None, help="Number of players; default: four, or as near.")
@click.option("--table", "size", metavar="WxH", default="100x70", show_default=True, help="Width and height, cm.")
@click.option("--out", metavar="FILE", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The PDF.")
@click.option("--paper", type=click.Choice(["a4", "a3"]), default="a4", show_default=True, help="Size of the sheets.")
@HOUSE_RULES
@click.option("--lang", type=click.Choice(["en", "ja"]), default="en", show_default=True, help="Language of the mat.")
@DATA
@DECK
@click.argument("game", metavar="GAME", shell_complete=games_begun)
def mat(
    game: str, players: int | None, size: str, out: Path, paper: str, options: tuple[str, ...], lang: str,
    data: Path | None, deck_name: str | None,
) -> None:  # fmt: skip
    """Write the mat of GAME to print, as PDF: every zone with its name, and a tag in each corner."""
    from companion.commands.decks import deck_for
    from companion.commands.games import with_games
    from companion.commands.mat import write

    with_games(data)
    rules = house_rules(options)
    deck = deck_for(deck_name, rules, data)
    gone = write(game, players, size, rules, paper, lang, out, deck)
    click.echo(f"{out}: {out.stat().st_size:,} bytes")
    if gone:
        click.echo(gone, err=True)


@click.command()
@click.option(
    "--games", "count", type=click.IntRange(1, 10_000_000), default=1000, show_default=True, help="How many games."
)
@click.option("--seed", default="1", show_default=True, help="Any text: the same seed plays the same games.")
@click.option(
    "--players", type=int, default=None, help="Number of players; default: four, or as near as the game allows."
)
@click.option("--bots", type=BOT, default="random", show_default=True, help="How well they play.")
@click.option("--against", "rival", type=BOT, default=None, help="One seat has the bot above, the others this one.")
@HOUSE_RULES
@AS_JSON
@DATA
@DECK
@click.argument("game", metavar="GAME", shell_complete=games_begun)
def simulate(
    game: str,
    count: int,
    seed: str,
    players: int | None,
    bots: str,
    rival: str | None,
    options: tuple[str, ...],
    as_json: bool,
    data: Path | None,
    deck_name: str | None,
) -> None:
    """Let bots play whole games: length, scores and seat advantage, on all cores. Ctrl-C stops and shows what was
    played so far; the exit status is then 130."""
    import json

    from companion.commands.decks import deck_for
    from companion.commands.games import with_games
    from companion.commands.simulate import as_table, simulated

    rules, folder = house_rules(options), with_games(data)
    total = simulated(game, count, seed, players, bots, rival, rules, folder, deck_for(deck_name, rules, data))
    click.echo(json.dumps(total.to_json(), ensure_ascii=False) if as_json else "\n".join(as_table(total, count)))
    if total.games < count:
        sys.exit(INTERRUPTED)


@click.command("new-game")
@click.option(
    "--into",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write it; default: the folder in which games of one's own are looked for.",
)
@DATA
@click.argument("name", metavar="NAME")
def new_game(into: Path | None, data: Path | None, name: str) -> None:
    """Write a small whole game to begin with: rules, words, rule pages, a record, tests.

    NAME is its id, such as my-game.
    """
    from companion.commands.games import with_games
    from companion.commands.new_game import write
    from companion.extensions import FOLDER

    folder = with_games(data)
    click.echo("\n".join(map(str, write(name, into or folder / FOLDER))))


COMMANDS = (games, mat, simulate, new_game)
