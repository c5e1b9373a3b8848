"""The command line: thin wrappers around the rooms, with one-sentence errors and exit code 2.

One long file, as it is the list of all commands with their options, and nothing else: what a command does stands in
`companion.commands`.
"""

from __future__ import annotations

import io
import json
import signal
import sys
from pathlib import Path
from typing import Any

import click

from companion import __version__

INTERRUPTED = 128 + signal.SIGINT
"""The exit status of a command that Ctrl-C has stopped, as shells count."""


class OneSentence(click.ClickException):
    """A user's error: printed as one sentence, exit code 2."""

    exit_code = 2


class Commands(click.Group):
    """A command group that turns every error of our own into `OneSentence`; nobody sees a traceback."""

    def main(self, *args: Any, **more: Any) -> Any:
        for stream in (sys.stdout, sys.stderr):  # what a terminal cannot show is a question mark there, no error
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        return super().main(*args, **more)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(limit=1000)) for name, one in found if one is not None])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            click.echo(err=True)
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            ctx.exit(0)
        except OSError as error:
            raise OneSentence(f"{error.strerror or error}: {error.filename or ''}".rstrip(": ")) from error
        except Exception as error:
            if _interrupted(error):
                click.echo(err=True)
                ctx.exit(INTERRUPTED)
            if type(error).__module__.startswith("companion."):
                raise OneSentence(str(error)) from error
            raise


def _interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C lies behind an error: a compiled library that is loading makes an ImportError of it."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _options(pairs: tuple[str, ...]) -> dict[str, str]:
    chosen = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise OneSentence(f"an option is written name=value, not {pair!r}")
        chosen[name] = value
    return chosen


def _games(_ctx: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """Games that begin so, for the shell."""
    from companion.commands.games import with_games
    from companion.games import ids

    with_games(None)
    return [name for name in ids() if name.startswith(begun)]


def _rankings(_ctx: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """Rankings that begin so, for the shell."""
    from companion.hands import ranking_names

    return [name for name in ranking_names() if name.lower().startswith(begun.lower())]


def _decks(_ctx: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """Decks that begin so, for the shell."""
    from companion.cards import NAMES

    return [name for name in NAMES if name.lower().startswith(begun.lower())]


_DATA = click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), default=None, help="Folder for games and pictures."
)


_DECK = click.option(
    "--deck", "deck_name", metavar="D", shell_complete=_decks, default=None,
    help="The deck, of the program's or your own (a name, file or folder); default: the one the game recommends.",
)  # fmt: skip


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="companion")
def main() -> None:
    """Table Companion: reads real cards on a real table, referees and scores.

    Cards are written rank then suit: A 2 … 10 J Q K and S H D C (spades, hearts, diamonds, clubs), jokers JK1 JK2;
    T for 10 and the signs ♠♥♦♣ are understood too.

    \b
    Environment:
      COMPANION_DATABASE   as --database of serve and doctor
      COMPANION_RUNTIME    onnxruntime or openvino: what the networks run with
      COMPANION_THREADS    threads that reading uses, 1 or more; 2 if unset
      XDG_DATA_HOME        Linux: where the data folder lies; ~/.local/share if unset
      LC_ALL, LANG         ja…: the commands speak Japanese
    """


# --- serve -----------------------------------------------------------------------------------------------------------


@main.command()
@click.option(
    "--camera", metavar="SRC", help="Webcam number, picture, folder, video file or URL; 'none' for taps only."
)
@click.option("--game", metavar="G", default=None, shell_complete=_games, help="Start a table with this game at once.")
@click.option("--host", metavar="H", default="0.0.0.0", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    metavar="P",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    help="Port; 0 takes a free one.",
)
@_DATA
@click.option("--https", is_flag=True, help="HTTPS too, on the next port: a phone can then be the camera.")
@click.option(
    "--database",
    metavar="URL",
    default="",
    envvar="COMPANION_DATABASE",
    help="Keep the games in this PostgreSQL database.",
)
@click.option(
    "--open-tables",
    "opening",
    type=click.Choice(["house", "pin", "owner"]),
    default="pin",
    show_default=True,
    help="Who may open tables: everybody, who knows the code shown at the start, or you alone.",
)
@click.option("--pin", metavar="CODE", default="", help="The code; without it one is made and kept.")
@click.option(
    "--behind-proxy",
    "proxies",
    metavar="N",
    type=click.IntRange(0, 9),
    default=0,
    help="So many reverse proxies stand before this server: believe what they say of who asks.",
)
def serve(
    camera: str | None,
    game: str | None,
    host: str,
    port: int,
    data: Path | None,
    https: bool,
    database: str,
    opening: str,
    pin: str,
    proxies: int,
) -> None:
    """Start the page: real cards read, refereed and scored; without a camera a demo table and taps."""
    from companion.server import serve as run_server
    from companion.server.config import Opening

    if pin and not (pin.isascii() and pin.isalnum() and len(pin) <= 40):
        raise OneSentence("--pin is made of at most 40 letters and digits.")
    run_server(
        host=host,
        port=port,
        camera=camera,
        game=game,
        data=data,
        https=https,
        database=database,
        opening=Opening(opening),
        pin=pin,
        proxies=proxies,
        say=click.echo,
    )


# --- watch ------------------------------------------------------------------------------------------------------------


@main.command()
@click.option("--server", metavar="URL", required=True, help="Address of the server, as it prints it.")
@click.option("--token", metavar="T", required=True, help="The table's link for a camera, or the key at its end.")
@click.option("--camera", metavar="SRC", required=True, help="Webcam number, picture, folder, video file or URL.")
def watch(server: str, token: str, camera: str) -> None:
    """Be the camera of a table: a program of its own, on this machine or another one.

    The link stands under Join on the page of the table. If this program dies, the page says so and play goes on by
    taps; started again, it goes on.
    """
    from companion.commands import watch as watching
    from companion.vision.camera.source import SourceError

    try:
        watching.run(server, token, camera, click.echo)
    except SourceError as error:
        raise OneSentence(str(error)) from error
    except KeyboardInterrupt:
        click.echo("Stopped.")


# --- backup, restore, doctor ------------------------------------------------------------------------------------------


@main.command()
@_DATA
@click.option("--verify", is_flag=True, help="Write nothing: try the backup FILE by restoring it aside.")
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
def backup(data: Path | None, verify: bool, file: Path) -> None:
    """Write all games and evidence pictures into the new file FILE, also while a server runs."""
    from companion.commands import keep
    from companion.journal import backup as write_backup
    from companion.server.config import default_data, journal_file

    if verify:
        click.echo(keep.verified(file))
        return

    write_backup(journal_file(data or default_data()), file)
    click.echo(f"{file}: {file.stat().st_size:,} bytes")


@main.command()
@_DATA
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(dir_okay=False, path_type=Path))
def restore(data: Path | None, file: Path | None) -> None:
    """Put the games of the backup FILE in the place of the present ones, which are kept beside them.

    Without FILE the newest whole backup that made itself. Also where the present games are damaged. A running server
    has to be stopped first; its page restores while it runs.
    """
    from datetime import datetime

    from companion.commands import keep
    from companion.server.config import default_data

    for line in keep.put_back(data or default_data(), file, datetime.now()):
        click.echo(line)


@main.command()
@_DATA
@click.option("--database", metavar="URL", default="", envvar="COMPANION_DATABASE", help="The PostgreSQL database.")
@click.option(
    "--port", metavar="P", type=click.IntRange(1, 65535), default=8765, show_default=True, help="The port to try."
)
def doctor(data: Path | None, database: str, port: int) -> None:
    """Look at the data folder, the games, backups, networks, cameras and address, and say what to do.

    Exit code 1 where something has to be done before the server can work.
    """
    from companion.commands.doctor import examine
    from companion.server.config import default_data

    grave = False
    for found in examine(data or default_data(), database, port):
        grave = grave or found.grave
        click.echo(f"{'!!' if found.grave else '--' if found.cure else 'ok'}  {found.what:<12} {found.said}")
        if found.cure:
            click.echo(f"    {'':<12} {found.cure}")
    if grave:
        raise SystemExit(1)


# --- read ------------------------------------------------------------------------------------------------------------


@main.command()
@click.option(
    "--deck",
    "deck_name",
    metavar="D",
    shell_complete=_decks,
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
        raise OneSentence(f"{summary.failed} of {summary.read + summary.failed} pictures could not be read.")


# --- mat -------------------------------------------------------------------------------------------------------------


@main.command()
@click.option("--players", metavar="N", type=int, default=None, help="Number of players; default: four, or as near.")
@click.option("--table", "size", metavar="WxH", default="100x70", show_default=True, help="Width and height, cm.")
@click.option("--out", metavar="FILE", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The PDF.")
@click.option("--paper", type=click.Choice(["a4", "a3"]), default="a4", show_default=True, help="Size of the sheets.")
@click.option("-o", "--option", "options", metavar="NAME=VALUE", multiple=True, help="House-rule option.")
@click.option("--lang", type=click.Choice(["en", "ja"]), default="en", show_default=True, help="Language of the mat.")
@_DATA
@_DECK
@click.argument("game", metavar="GAME", shell_complete=_games)
def mat(
    game: str, players: int | None, size: str, out: Path, paper: str, options: tuple[str, ...], lang: str,
    data: Path | None, deck_name: str | None,
) -> None:  # fmt: skip
    """Write the mat of GAME to print, as PDF: every zone with its name, and a tag in each corner."""
    from companion.commands.decks import deck_for
    from companion.commands.games import with_games
    from companion.commands.mat import write

    with_games(data)
    rules = _options(options)
    deck = deck_for(deck_name, rules, data)
    gone = write(game, players, size, rules, paper, lang, out, deck)
    click.echo(f"{out}: {out.stat().st_size:,} bytes")
    if gone:
        click.echo(gone, err=True)


# --- hand, odds, referee ---------------------------------------------------------------------------------------------

_LANG = click.option("--lang", type=click.Choice(["en", "ja"]), default=None, help="Language; default: the terminal's.")


@main.command()
@click.option(
    "--ranking", metavar="R", required=True, shell_complete=_rankings, help="52D2, M9D4C3, T44D1, 65, five-card …"
)
@click.option("-o", "--option", "options", metavar="NAME=VALUE", multiple=True, help="House-rule option.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@_LANG
@click.argument("cards", nargs=-1, required=True, metavar="CARD...")
def hand(ranking: str, options: tuple[str, ...], as_json: bool, lang: str | None, cards: tuple[str, ...]) -> None:
    """Say what a hand is worth in a deck, or what is wrong with it.

    After the category: + what else it could count as, - why no stronger category holds, = what decides a tie.
    """
    from companion.commands import hand
    from companion.commands.decks import ranking_named
    from companion.commands.language import chosen

    laid, rules = hand.split(cards), _options(options)
    ranking = ranking_named(ranking, rules)
    if as_json:
        click.echo(hand.hand_json(ranking, rules, laid))
        return
    for line in hand.hand_lines(ranking, rules, laid, chosen(lang)):
        click.echo(line)


@main.command()
@click.option("-o", "--option", "options", metavar="NAME=VALUE", multiple=True, help="House-rule option.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@_LANG
@click.argument("ranking", metavar="RANKING", shell_complete=_rankings)
def odds(ranking: str, options: tuple[str, ...], as_json: bool, lang: str | None) -> None:
    """Count exactly how many hands make each category of RANKING (52D2, M9D4C3, T44D1, 65, five-card)."""
    from companion.commands import hand
    from companion.commands.decks import ranking_named
    from companion.commands.language import chosen

    rules = _options(options)
    ranking = ranking_named(ranking, rules)
    if as_json:
        click.echo(hand.odds_json(ranking, rules))
        return
    for line in hand.odds_lines(ranking, rules, chosen(lang)):
        click.echo(line)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@_LANG
@_DATA
@click.argument("record", metavar="RECORD", type=click.Path(dir_okay=False, path_type=Path))
@click.pass_context
def referee(ctx: click.Context, as_json: bool, lang: str | None, data: Path | None, record: Path) -> None:
    """Replay a game record (- for standard input): each action's ruling, then the scores line by line.

    Exit code 1 where the record says something else than the referee.
    """
    from companion.commands import referee
    from companion.commands.games import with_games
    from companion.commands.language import chosen

    with_games(data)
    game = referee.record_of(record)
    result = referee.report(game)
    if as_json:
        click.echo(referee.as_json(result))
        return
    for line in referee.lines(game, result, chosen(lang)):
        click.echo(line)
    if result["differences"]:
        click.echo("Differs: " + "; ".join(result["differences"]), err=True)
        ctx.exit(1)


# --- simulate --------------------------------------------------------------------------------------------------------

BOT = click.Choice(["random", "simple", "strong"])


@main.command()
@click.option(
    "--games", "count", type=click.IntRange(1, 10_000_000), default=1000, show_default=True, help="How many games."
)
@click.option("--seed", default="1", show_default=True, help="Any text: the same seed plays the same games.")
@click.option(
    "--players", type=int, default=None, help="Number of players; default: four, or as near as the game allows."
)
@click.option("--bots", type=BOT, default="random", show_default=True, help="How well they play.")
@click.option("--against", "rival", type=BOT, default=None, help="One seat has the bot above, the others this one.")
@click.option("-o", "--option", "options", metavar="NAME=VALUE", multiple=True, help="House-rule option.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@_DATA
@_DECK
@click.argument("game", metavar="GAME", shell_complete=_games)
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
    from companion.commands.decks import deck_for
    from companion.commands.games import with_games
    from companion.commands.simulate import as_table, simulated

    rules, folder = _options(options), with_games(data)
    total = simulated(game, count, seed, players, bots, rival, rules, folder, deck_for(deck_name, rules, data))
    click.echo(json.dumps(total.to_json(), ensure_ascii=False) if as_json else "\n".join(as_table(total, count)))
    if total.games < count:
        sys.exit(INTERRUPTED)


# --- eval-films ------------------------------------------------------------------------------------------------------


@main.command("eval-films")
@click.option("--render", metavar="SPEC", multiple=True, help="Paint this film while it plays: GAME:SEED[:ACTIONS].")
@click.option(
    "--deck",
    "deck_name",
    metavar="DECK",
    shell_complete=_decks,
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
    from companion.commands.decks import known
    from companion.commands.read import with_enrolled
    from companion.training.evaluation.films import evaluate, parsed, recorded, shipped_reader
    from companion.training.evaluation.reels import Reel
    from companion.training.evaluation.tally import table

    if (folder is None) == (not render) or (replay and folder is None):
        raise OneSentence("say which films: a folder of them, or --render GAME:SEED.")
    try:
        played = known(deck_name).name if deck_name else ""
        reader = None if perfect_eyes or replay else with_enrolled(shipped_reader(), deck_name)
    except (ValueError, FileNotFoundError) as error:
        raise OneSentence(str(error)) from None
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


# --- decks ------------------------------------------------------------------------------------------------------------


@main.command()
@_DATA
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@_LANG
def decks(data: Path | None, as_json: bool, lang: str | None) -> None:
    """List every deck: those of the program, and your own; and what lies among them and cannot be read, and why."""
    from companion.commands import decks as listing
    from companion.commands.games import with_games
    from companion.commands.language import chosen

    with_games(data)
    click.echo(listing.as_json(data) if as_json else "\n".join(listing.as_table(data, chosen(lang))))


@main.group()
def deck() -> None:
    """Decks of your own: check one, begin one, print one.

    A deck is named (52D2, 65, or one of your own), or a deck file (TOML), a deck's folder or a packed deck (.deck).
    """


@deck.command()
@_DATA
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@_LANG
@click.argument("deck_name", metavar="DECK", shell_complete=_decks)
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
@_DATA
@click.argument("deck_name", metavar="DECK", shell_complete=_decks)
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
@_DATA
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
@_DATA
@_LANG
@click.argument("deck_name", metavar="DECK", shell_complete=_decks)
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


# --- games, rankings, completion, new-game ----------------------------------------------------------------------------


@main.command()
@_DATA
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def games(data: Path | None, as_json: bool) -> None:
    """List every game: its names, players, decks, and where it comes from; and what cannot be played, and why."""
    from companion.commands import games as listing

    folder = listing.with_games(data)
    click.echo(listing.as_json() if as_json else "\n".join(listing.as_table(folder)))


@main.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def rankings(as_json: bool) -> None:
    """List every ranking that `hand` and `odds` know: its deck, its categories, its house rules and their values."""
    from companion.commands import rankings

    click.echo(rankings.as_json() if as_json else "\n".join(rankings.as_table()))


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what lets SHELL complete commands, options and their values.

    bash: companion completion bash > ~/.local/share/bash-completion/completions/companion

    zsh: companion completion zsh > a folder of $fpath, as _companion

    fish: companion completion fish > ~/.config/fish/completions/companion.fish
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is None:
        raise OneSentence(f"no completion is known for {shell}.")
    click.echo(found(main, {}, "companion", "_COMPANION_COMPLETE").source())


@main.command("new-game")
@click.option(
    "--into",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write it; default: the folder in which games of one's own are looked for.",
)
@_DATA
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


if __name__ == "__main__":
    main()
