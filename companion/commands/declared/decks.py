"""The decks there are, and those of one's own."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands.declared.options import AS_JSON, DATA, LANG, decks_begun


@click.command()
@DATA
@AS_JSON
@LANG
def decks(data: Path | None, as_json: bool, lang: str | None) -> None:
    """List every deck: those of the program, and your own; and what lies among them and cannot be read, and why."""
    from companion.commands import decks as listing
    from companion.commands.games import with_games
    from companion.commands.language import chosen

    with_games(data)
    click.echo(listing.as_json(data) if as_json else "\n".join(listing.as_table(data, chosen(lang))))


@click.group()
def deck() -> None:
    """Decks of your own: check one, begin one, print one.

    A deck is named (52D2, 65, or one of your own), or a deck file (TOML), a deck's folder or a packed deck (.deck).
    """


@deck.command()
@DATA
@AS_JSON
@LANG
@click.argument("deck_name", metavar="DECK", shell_complete=decks_begun)
def check(deck_name: str, data: Path | None, as_json: bool, lang: str | None) -> None:
    """Say what cards DECK has, and which games can be played with it, or what is wrong with its file."""
    from companion.commands import decks as listing
    from companion.commands.games import with_games
    from companion.commands.language import chosen

    with_games(data)
    if as_json:
        click.echo(listing.checked_json(deck_name, data))
        return
    for line in listing.checked(deck_name, chosen(lang), data):
        click.echo(line)


@deck.command("print")
@click.option("--out", metavar="FILE", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The PDF.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The sheets.")
@click.option(
    "--size", type=click.Choice(["deck", "poker", "bridge"]), default="deck", show_default=True,
    help="The cards; deck: as the deck's own file says.",
)  # fmt: skip
@click.option("--backs/--no-backs", default=True, show_default=True, help="A sheet of backs after each of faces.")
@click.option("--save-ink", is_flag=True, help="Areas are printed in a light tint.")
@DATA
@click.argument("deck_name", metavar="DECK", shell_complete=decks_begun)
def print_deck(
    deck_name: str, out: Path, paper: str, size: str, backs: bool, save_ink: bool, data: Path | None
) -> None:
    """Write DECK as PDF to print and cut out, nine cards of poker or bridge size a sheet, with marks where to cut.

    Backs fit printers that turn the paper over its long edge. Pictures of your own in the deck's folder (pictures/,
    named after a card's code or a picture's) take the place of the drawn ones.
    """
    from companion.commands.decks import printed
    from companion.commands.games import with_games

    with_games(data)
    click.echo(printed(deck_name, data, out, paper, size, backs, save_ink))


@deck.command()
@DATA
@click.argument("deck_name", metavar="DECK")
def show(deck_name: str, data: Path | None) -> None:
    """Write the deck file of DECK to the terminal, to begin one of your own with: 65, 65-original, 52, 54, tesca-52,
    tesca-44, tesca-36, mahjong-9, mahjong-7, hanafuda, or any deck's name."""
    from companion.commands import decks as listing

    click.echo(listing.shown(deck_name, data), nl=False)


@deck.command()
@click.option(
    "--photos",
    metavar="PHOTOS",
    required=True,
    type=click.Path(exists=True, path_type=Path),
    help="A folder of photographs, each named after its card (judge.fed.jpg, judge.fed-2.jpg), or one photograph of "
    "many cards that lie in rows in the deck's order.",
)
@click.option(
    "--out",
    metavar="OUT",
    required=True,
    type=click.Path(path_type=Path),
    help="Where the deck is kept: a folder, or one file that ends in .deck. What was enrolled there is kept.",
)
@click.option("--order", metavar="CODES", default="", help="In which order cards lie in one photograph, by rows.")
@DATA
@LANG
@click.argument("deck_name", metavar="DECK", shell_complete=decks_begun)
def enrol(deck_name: str, photos: Path, out: Path, order: str, data: Path | None, lang: str | None) -> None:
    """Make the camera know the cards of DECK from photographs. One of each card is enough, three are better.

    Exit code 1 where a photograph was refused or a card has none yet.
    """
    from companion.commands.enrol import Enroller
    from companion.commands.language import chosen

    enroller = Enroller(deck_name, out, chosen(lang), data)
    done = enroller.enrol(photos, order.replace(",", " ").split())
    for sentence in done.refused:
        click.echo(sentence, err=True)
    click.echo("\n".join(enroller.lines(done)))
    if done.refused or done.missing:
        raise SystemExit(1)


COMMANDS = (decks, deck)
