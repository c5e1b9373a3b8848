"""The server and what belongs to it: the page, a camera apart, what is kept, and whether all is well."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands import CommandError
from companion.commands.declared.options import DATA, games_begun


@click.command()
@click.option(
    "--camera", metavar="SRC", help="Webcam number, picture, folder, video file or URL; 'none' for taps only."
)
@click.option(
    "--game", metavar="G", default=None, shell_complete=games_begun, help="Start a table with this game at once."
)
@click.option("--host", metavar="H", default="0.0.0.0", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    metavar="P",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    help="Port; 0 takes a free one.",
)
@DATA
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
        raise CommandError("--pin is made of at most 40 letters and digits.")
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


@click.command()
@click.option("--server", metavar="URL", required=True, help="Address of the server, as it prints it.")
@click.option("--token", metavar="T", required=True, help="The table's link for a camera, or the key at its end.")
@click.option("--camera", metavar="SRC", required=True, help="Webcam number, picture, folder, video file or URL.")
def watch(server: str, token: str, camera: str) -> None:
    """Be the camera of a table: a program of its own, on this machine or another one.

    The link stands under Join on the page of the table. If this program dies, the page says so and play goes on by
    taps; started again, it goes on.
    """
    from companion.commands import watch as watching

    try:
        watching.run(server, token, camera, click.echo)
    except KeyboardInterrupt:
        click.echo("Stopped.")


@click.command()
@DATA
@click.option("--verify", is_flag=True, help="Write nothing: try the backup FILE by restoring it aside.")
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
def backup(data: Path | None, verify: bool, file: Path) -> None:
    """Write all games, evidence pictures and own decks into the new file FILE, also while a server runs."""
    from companion.commands import keep
    from companion.journal import backup as write_backup
    from companion.server.config import default_data, journal_file

    if verify:
        click.echo(keep.verified(file))
        return

    write_backup(journal_file(data or default_data()), file)
    click.echo(f"{file}: {file.stat().st_size:,} bytes")


@click.command()
@DATA
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(dir_okay=False, path_type=Path))
def restore(data: Path | None, file: Path | None) -> None:
    """Put the games of the backup FILE in the place of the present ones, which are kept beside them; its decks too.

    Without FILE the newest whole backup that made itself. Also where the present games are damaged. A running server
    has to be stopped first; its page restores while it runs.
    """
    from datetime import datetime

    from companion.commands import keep
    from companion.server.config import default_data

    for line in keep.put_back(data or default_data(), file, datetime.now()):
        click.echo(line)


@click.command()
@DATA
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


COMMANDS = (serve, watch, backup, restore, doctor)
