"""The process: finds its address, says it, and serves until it is stopped."""

from __future__ import annotations

import errno
import io
import socket
from collections.abc import Callable
from pathlib import Path

import segno
from cheroot import wsgi

from companion.games import Setup
from companion.games import game as find_game
from companion.referee import Started
from companion.server.app import create_app
from companion.server.camera import NONE
from companion.server.config import Config, default_data
from companion.server.desk import Desk

THREADS = 192
"""One a listening page, and some for everything else."""


class ServeError(RuntimeError):
    """The server cannot start; the message is one sentence."""


def lan_address() -> str:
    """The address of this machine in its network, ``127.0.0.1`` when it has none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1: picks the outgoing interface, sends no packet
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def serve(
    host: str = "0.0.0.0",
    port: int = 8765,
    *,
    camera: str | None = None,
    game: str | None = None,
    data: Path | None = None,
    say: Callable[[str], object] = print,
) -> None:
    """Serve until interrupted. `port` 0 takes a free one. Raises ServeError when the port cannot be had."""
    listener = _listen(host, port)
    port = listener.getsockname()[1]
    shown = lan_address() if host in ("0.0.0.0", "::", "") else host
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"
    app = create_app(Config(data or default_data(), address=address, camera=camera))
    desk: Desk = app.extensions["companion"]
    server = wsgi.Server((host, port), app, numthreads=THREADS, server_name="companion", request_queue_size=128)
    try:
        path = _first_table(desk, game, camera)
        desk.cameras.start()
        listener.close()
        server.prepare()
        _announce(say, address, path)
        server.serve()
    except KeyboardInterrupt:
        say("Stopped.")
    except OSError as error:
        raise ServeError(_refused(host, port, error)) from error
    finally:
        desk.close()
        server.stop()


def _listen(host: str, port: int) -> socket.socket:
    """Try the port before anything is opened."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    probe = socket.socket(family, socket.SOCK_STREAM)
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        probe.bind((host, port))
        probe.listen(1)
    except (OSError, OverflowError) as error:
        probe.close()
        raise ServeError(_refused(host, port, error)) from error
    return probe


def _refused(host: str, port: int, error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number == errno.EADDRINUSE:
        return f"port {port} is in use by another program; choose another one with --port."
    if number == errno.EACCES:
        return f"port {port} needs special rights; choose one above 1023 with --port."
    return f"cannot listen on {host} port {port}: {getattr(error, 'strerror', None) or error}."


def _first_table(desk: Desk, game: str | None, camera: str | None) -> str:
    """Open the table that the command line asked for, with its camera; returns the path to show."""
    if game is None:
        return ""
    rules = find_game(game)
    names = tuple(desk.texts.text("ui.player-default", "en", n=n + 1) for n in range(rules.least_players))
    table_id = desk.open_table(Started(game, Setup(names)))
    if camera not in (None, NONE):
        desk.cameras.choose(table_id, camera)
    return f"/join/{desk.join_key(table_id, 'host')}"  # whoever opens what the terminal shows is the host


def _announce(say: Callable[[str], object], address: str, path: str) -> None:
    code = io.StringIO()
    segno.make(address + path).terminal(out=code, border=2, compact=True)
    say(code.getvalue().rstrip("\n"))
    say(f"Table Companion: {address}{path}")
    say("Open this address on any device in the same network, or scan the code. Stop with Ctrl+C.")
