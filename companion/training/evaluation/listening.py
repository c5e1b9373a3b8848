"""Pages that listen while a film is played: the server's own application over the film's journal, in this process as
under a real camera, and so many live streams, read by a process of their own."""

from __future__ import annotations

import multiprocessing
import selectors
import socket
import threading
from multiprocessing.connection import Connection
from pathlib import Path

from companion.server.app import create_app
from companion.server.camera.table import Watch
from companion.server.config import Config
from companion.server.desk import Desk
from companion.server.serving import Server
from companion.training.films.spec import FilmError

WAIT_S = 60.0
"""So long everybody may take to come."""


class Audience:
    """`count` pages at one table. Its games lie in `folder`, a journal that exists; `close` ends everything."""

    def __init__(self, folder: Path, table_id: str, watch: Watch, count: int) -> None:
        """Raises FilmError where the pages cannot listen."""
        app = create_app(Config(folder, demo=False))
        self._desk: Desk = app.extensions["companion"]
        self._table = table_id
        self._desk.cameras.hold(table_id, table_id, watch)
        self._server = Server(("127.0.0.1", 0), app, places=0)
        self._server.prepare()
        self._serving = threading.Thread(target=self._server.serve, name="audience", daemon=True)
        self._serving.start()
        self._pipe, theirs = multiprocessing.Pipe()
        asked = f"GET /api/tables/{table_id}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        self._pages = multiprocessing.get_context("spawn").Process(
            target=listen, args=(theirs, self._server.bind_addr[1], asked, count), daemon=True
        )
        self._pages.start()
        theirs.close()
        if not self._pipe.poll(WAIT_S) or self._pipe.recv() != count:
            self.close()
            raise FilmError(f"{count} pages cannot listen.")

    def told(self) -> None:
        """Something about the table is new."""
        self._desk.bus.publish(self._table)

    def close(self) -> int:
        """End all streams. Returns how many pages were still there, and had seen the match change."""
        try:
            self._pipe.send(None)
            heard = int(self._pipe.recv()) if self._pipe.poll(WAIT_S) else 0
        except (OSError, EOFError):
            heard = 0
        self._pages.join(WAIT_S)
        self._server.stop()
        self._serving.join(WAIT_S)
        self._desk.close()
        return heard


def listen(pipe: Connection, port: int, asked: bytes, count: int) -> None:
    """A process of its own: `count` live streams, read by one loop until the pipe says something. Tells how many have
    begun, and at the end how many were still there and had seen the match change."""
    heard: dict[socket.socket, bool] = {}
    with selectors.DefaultSelector() as selector:
        for _ in range(count):
            page = socket.create_connection(("127.0.0.1", port), timeout=WAIT_S)
            page.sendall(asked)
            begun = b""
            while b"event: around" not in begun and (more := page.recv(1 << 16)):
                begun += more
            if more:
                heard[page] = False
                selector.register(page, selectors.EVENT_READ)
        pipe.send(len(heard))
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if not isinstance(key.fileobj, socket.socket):
                    pipe.send(sum(heard.values()))
                    return
                if more := key.fileobj.recv(1 << 20):
                    heard[key.fileobj] |= b"event: table" in more
                else:
                    selector.unregister(key.fileobj)
                    del heard[key.fileobj]
