"""The process: finds its address, says it, and serves until it is stopped."""

from __future__ import annotations

import errno
import io
import ipaddress
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import segno
from flask import Flask

from companion import __version__
from companion.games import Setup, refused
from companion.games import game as find_game
from companion.journal import DamagedError, make_private, used
from companion.referee import Started
from companion.server.app import create_app
from companion.server.camera.calibrate import PHONE
from companion.server.camera.offers import NONE, shown_source
from companion.server.certificate import CertificateError, certificate
from companion.server.config import Config, Opening, default_data
from companion.server.desk import Desk
from companion.server.keeping import Keeper
from companion.server.log import start_log
from companion.server.rescue import rescue
from companion.server.serving import FROM_ONE_ADDRESS, Server
from companion.vision.camera.live import cameras
from companion.vision.camera.source import SourceError
from companion.vision.camera.sources import open_source
from companion.vision.reading.runtime import runtime_said

MOST_FILES = 8192
"""Open files and connections of the process, where the system lets it have so many."""


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
    https: bool = False,
    database: str = "",
    opening: Opening = Opening.PIN,
    pin: str = "",
    proxies: int = 0,
    say: Callable[[str], object] = print,
) -> None:
    """Serve until interrupted. `port` 0 takes a free one. `https`: beside plain HTTP also HTTPS on the next port, for
    a phone as the camera. `database`: a PostgreSQL URL for the games, instead of a file in `data`. `opening`: who may
    open tables, with which code (`pin`, empty: one is made and kept). `proxies`: so many reverse proxies stand before
    the server, whose headers are believed. Raises ServeError when a port, a camera's file or a certificate cannot be
    had, and JournalError when the database or the folder cannot. A damaged journal is no error: until somebody has
    restored a backup, a page says so."""
    _check_camera(camera)
    _end_like_interrupt()
    listeners = [_listen(host, port)]
    port = listeners[0].getsockname()[1]
    shown = lan_address() if host in ("0.0.0.0", "::", "") else host
    own = f"//{f'[{shown}]' if ':' in shown else shown}"
    config = Config(data or default_data(), address=f"http:{own}:{port}", camera=camera, database=database)
    config = replace(config, opening=opening, pin=pin, proxies=proxies)
    places = 0 if proxies else FROM_ONE_ADDRESS  # before a proxy everybody has its address
    with ExitStack() as held:
        held.callback(listeners[0].close)
        if database:
            make_private(config.data)
        else:  # a file is one server's
            held.enter_context(used(config.data))
        try:
            if https:
                secured = certificate(config.data, [shown])
                listeners.append(_listen(host, port + 1))
                held.callback(listeners[1].close)
                config = replace(config, secure=f"https:{own}:{port + 1}")
            start_log(config.data)
            app = _application(listeners[0], config, say)
        except CertificateError as error:
            raise ServeError(str(error)) from error
        except KeyboardInterrupt:
            say("Stopped.")
            return
        servers = [Server((host, port), app, places=places, listener=listeners[0])]
        if https:
            servers.append(Server((host, port + 1), app, secured, places=places, listener=listeners[1]))
        if not database:
            held.callback(Keeper(config.data).close)
        _run(servers, app, config, game, say)


def _application(listener: socket.socket, config: Config, say: Callable[[str], object]) -> Flask:
    """The application; where the journal is damaged, when somebody has put it right."""
    try:
        return create_app(config)
    except DamagedError as damage:
        rescue(listener.dup(), config, damage, say)
    return create_app(config)


def _run(servers: list[Server], app: Flask, config: Config, game: str | None, say: Callable[[str], object]) -> None:
    desk: Desk = app.extensions["companion"]
    _many_files()
    for found in refused():
        say(f"The game {found.name} cannot be played. {found.reason} ({found.origin})")
    try:
        path = _first_table(desk, game, config.camera)
        desk.cameras.start()
        for server in servers:
            server.prepare()
        for server in servers[1:]:
            threading.Thread(target=server.serve, name="https", daemon=True).start()
        _announce(say, config, desk, path)
        servers[0].serve()
    except KeyboardInterrupt:
        say("Stopped.")
    except OSError as error:
        raise ServeError(_refused(str(servers[0].bind_addr[0]), int(servers[0].bind_addr[1]), error)) from error
    finally:
        desk.bus.close()
        for server in servers:
            server.stop()  # what has begun is answered
        desk.close()


def _end_like_interrupt() -> None:
    """Whoever asks the process to end (a service manager, a shutdown) gets the same farewell as Ctrl+C."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)


def _many_files() -> None:
    """Every listener is a file to the system: take as many as this process may have, up to some thousands."""
    if sys.platform == "win32":  # it has no such limit
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def free_port(port: int) -> None:
    """Can this port be had? Raises ServeError with one sentence."""
    _listen("0.0.0.0", port).close()


def _listen(host: str, port: int) -> socket.socket:
    """Take the port before anything is opened, and keep it: whoever calls early waits until the server serves."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":  # there it would let two programs have one port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6 and host == "::":  # every address, of the older kind, too
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        listener.bind((host, port))
        listener.listen(1)
    except (OSError, OverflowError) as error:
        listener.close()
        raise ServeError(_refused(host, port, error)) from error
    return listener


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


def _announce(say: Callable[[str], object], config: Config, desk: Desk, path: str) -> None:
    """What the terminal shows: the code to scan, which lets its reader open tables, and the owner's own link."""
    own = f"/owner/{desk.keys.owner}"
    first = path or {Opening.PIN: f"/?pin={desk.door.pin}", Opening.OWNER: own, Opening.HOUSE: ""}[config.opening]
    reached = not _own_machine(config.address)
    if reached:
        code = io.StringIO()
        segno.make(config.address + first).terminal(out=code, border=2, compact=True)
        say(code.getvalue().rstrip("\n"))
    say(f"Table Companion: {config.address}{first}")
    if config.secure:
        say(f"With HTTPS, for a phone as the camera: {config.secure}{first}")
    if reached:
        say("Open this address on any device in the same network, or scan the code. Stop with Ctrl+C.")
    else:
        say("Only this machine reaches this address; --host 0.0.0.0 lets other devices in. Stop with Ctrl+C.")
    if config.opening is Opening.PIN:
        say(f"Who opens the page otherwise is asked for the code {desk.door.pin} before opening a table.")
    say(f"Yours alone (every table, all cameras, backup): {config.address}{own}")
    say(f"Games: {config.database and 'in the PostgreSQL database; the rest in '}{config.data}")
    say(f"Camera: {_camera_said(config.camera)}")
    say(f"Networks: {runtime_said()}")
    say(f"Version: {__version__}")


def _own_machine(address: str) -> bool:
    """Does no other device reach this address?"""
    host = urlsplit(address).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _camera_said(named: str | None) -> str:
    """The state of what `--camera` named, or of what is plugged in where it named nothing."""
    if named == NONE:
        return "none; everything is tapped"
    if named == PHONE:
        return "a phone's browser"
    plugged = cameras()
    there = ", ".join(f"{camera.index} ({camera.name})" for camera in plugged) or "none"
    if named is None:
        return f"plugged in: {there}" if plugged else "none is plugged in; the demo shows a recording, and taps work"
    if named.strip().isdecimal() and int(named) not in {camera.index for camera in plugged}:
        return f"{named} is not plugged in (plugged in: {there}); it is taken up when it comes, and taps work meanwhile"
    return shown_source(named)


def _check_camera(named: str | None) -> None:
    """A file or folder that is not there or shows nothing is told before anything starts. Raises ServeError. What may
    still be plugged in, and what lies in the network, is taken up when it comes."""
    if named in (None, NONE, PHONE) or named.strip().isdecimal() or "://" in named:
        return
    try:
        open_source(named).close()
    except SourceError as error:
        raise ServeError(f"--camera {shown_source(named)}: {error}") from error
