"""What the camera sees: cards read in pictures, filmed games followed."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from companion.commands import CommandError
from companion.commands.declared.options import decks_begun


@click.command()
@click.option(
    "--deck",
    "deck_name",
    metavar="D",
    shell_complete=decks_begun,
    default=None,
    help="The deck in use, e.g. 52D2 or a deck file (TOML): only its cards are read; what lies there too "
    "often or is missing is said.",
)
@click.option("--json", "form", flag_value="json", help="One JSON object a picture.")
@click.option("--csv", "form", flag_value="csv", help="One line a card.")
@click.option("-r", "--recursive", is_flag=True, help="Look into the folders below a folder, too.")
@click.option("--every", metavar="TIME", default="1s", show_default=True, help="A video: read a picture so often.")
@click.option(
    "--annotate",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write pictures with outlines and names into DIR.",
)
@click.argument("images", nargs=-1, required=True, metavar="IMAGE...", type=click.Path(path_type=Path))
def read(
    deck_name: str | None,
    form: str | None,
    recursive: bool,
    every: str,
    annotate: Path | None,
    images: tuple[Path, ...],
) -> None:
    """Read the cards in pictures: files, folders, videos, or - for standard input."""
    from companion.commands import pictures, read
    from companion.vision.pipeline import Reader, TwoPassReader

    deck = None if deck_name is None else read.deck_named(deck_name)
    between = pictures.seconds(every)
    files = pictures.find(images, recursive=recursive)
    drawn = None if annotate is None else read.Annotations(annotate, files)
    reader = read.with_enrolled(TwoPassReader(Reader()), deck_name)
    summary = read.Summary()
    shown = len(files) > 3 and sys.stderr.isatty() and not sys.stdout.isatty()
    if form == "csv":
        click.echo(read.csv_lines([read.CSV_HEAD]))
    with click.progressbar(length=len(files), label="reading", file=sys.stderr, hidden=not shown) as bar:
        for picture in pictures.pictures(files, between):
            bar.update(0 if picture.time else 1)
            result = None if picture.pixels is None else reader.read(picture.pixels, deck and deck.multiset)
            summary.add(result)
            if result is None:
                click.echo(picture.error, err=True)
            if form == "json":
                click.echo(read.as_json(picture, result, deck))
            elif form == "csv" and result is not None and result.cards:
                click.echo(read.as_csv(picture, result))
            elif form is None and result is not None:
                click.echo(read.as_table(picture, result, deck))
            if drawn is not None and result is not None:
                drawn.write(picture, result)
    if form is None and summary.read and (summary.read > 1 or deck is not None):
        click.echo("\n".join(summary.lines(deck)))
    if summary.failed:
        raise CommandError(f"{summary.failed} of {summary.read + summary.failed} pictures could not be read.")


@click.command("eval-films")
@click.option("--render", metavar="SPEC", multiple=True, help="Paint this film while it plays: GAME:SEED[:ACTIONS].")
@click.option(
    "--deck",
    "deck_name",
    metavar="DECK",
    shell_complete=decks_begun,
    help="Films to paint are played with this deck; an enrolled one is read as such.",
)
@click.option("--real-time", is_flag=True, help="At the film's own speed; frames that come too fast are lost.")
@click.option(
    "--listeners", metavar="N", type=click.IntRange(0, 1000), default=0, help="So many pages listen meanwhile."
)
@click.option("--perfect-eyes", is_flag=True, help="Reading never errs: how well is it followed then?")
@click.option("--only-invisible", is_flag=True, help="Nobody taps what shows a little, only what shows nothing.")
@click.option("--nobody", is_flag=True, help="Nobody taps, and nobody takes back what is wrong.")
@click.option(
    "--record",
    metavar="TO",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Only keep what the camera tells of each film there, to be replayed.",
)
@click.option("--replay", is_flag=True, help="FOLDER holds what --record kept: played in seconds.")
@click.option(
    "--json", "target", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Figures as JSON."
)
@click.argument("folder", metavar="[FOLDER]", required=False, type=click.Path(file_okay=False, path_type=Path))
def eval_films(
    folder: Path | None, render: tuple[str, ...], deck_name: str | None, real_time: bool, listeners: int,
    perfect_eyes: bool, only_invisible: bool, nobody: bool, record: Path | None, replay: bool, target: Path | None,
) -> None:  # fmt: skip
    """Play filmed games to the program and count how it followed them, by game.

    FOLDER holds films as `python -m companion.training films` writes them, or recordings of `--record`.
    """
    import json

    from companion.commands.decks import known
    from companion.commands.read import with_enrolled
    from companion.training.evaluation.films import evaluate, parsed, recorded, shipped_reader
    from companion.training.evaluation.reels import Reel
    from companion.training.evaluation.tally import table

    if (folder is None) == (not render) or (replay and folder is None):
        raise CommandError("say which films: a folder of them, or --render GAME:SEED.")
    try:
        played = known(deck_name).name if deck_name else ""
        reader = None if perfect_eyes or replay else with_enrolled(shipped_reader(), deck_name)
    except (ValueError, FileNotFoundError) as error:
        raise CommandError(str(error)) from None
    films = [parsed(spec, deck=played) for spec in render]
    below = Reel.recorded if replay else Reel.below
    reels = (Reel.painted(film) for film in films) if folder is None else below(folder)
    if record is not None:
        for reel in reels:
            click.echo(recorded(reel, reader).write(record))
        return
    found = evaluate(
        reels, reader, lambda line: click.echo(line, err=True),
        real_time=real_time, tap_hands=not only_invisible, correct=not nobody, pages=listeners,
    )  # fmt: skip
    click.echo(table(found))
    if target is not None:
        figures = {game: tally.to_json() for game, tally in found.items()}
        target.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


COMMANDS = (read, eval_films)
