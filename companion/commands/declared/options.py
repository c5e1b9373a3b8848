"""Options that several commands take, and what the shell completes of them."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands import CommandError


def house_rules(pairs: tuple[str, ...]) -> dict[str, str]:
    """The values of `HOUSE_RULES` by name. Raises CommandError where one is not written so."""
    chosen = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise CommandError(f"an option is written name=value, not {pair!r}")
        chosen[name] = value
    return chosen


def games_begun(_ctx: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """Games that begin so, for the shell."""
    from companion.commands.games import with_games
    from companion.games import ids

    with_games(None)
    return [name for name in ids() if name.startswith(begun)]


def rankings_begun(_ctx: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """Rankings that begin so, for the shell."""
    from companion.hands import ranking_names

    return [name for name in ranking_names() if name.lower().startswith(begun.lower())]


def decks_begun(_ctx: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """Decks that begin so, for the shell."""
    from companion.cards import NAMES

    return [name for name in NAMES if name.lower().startswith(begun.lower())]


DATA = click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), default=None, help="Folder for games and pictures."
)
DECK = click.option(
    "--deck", "deck_name", metavar="D", shell_complete=decks_begun, default=None,
    help="The deck, of the program's or your own (a name, file or folder); default: the one the game recommends.",
)  # fmt: skip
HOUSE_RULES = click.option("-o", "--option", "options", metavar="NAME=VALUE", multiple=True, help="House-rule option.")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object.")
LANG = click.option("--lang", type=click.Choice(["en", "ja"]), default=None, help="Language; default: the terminal's.")
