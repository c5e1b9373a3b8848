"""A server process of its own, and Debian's Chromium: for tests, and for the programs that take pictures."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
"""The first of these that is here: the same engine, at half the price where it has no window to draw."""

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]  # fmt: skip
SERVE = (
    "import sys; from pathlib import Path; from companion.server import serve; "
    "from companion.server.config import Opening; "
    "serve('127.0.0.1', int(sys.argv[1]), data=Path(sys.argv[2]), camera=sys.argv[3] or None, opening=Opening.HOUSE)"
)
ASKS = """
from pathlib import Path
from companion.server.camera import cameras
_state = cameras.Cameras.state
def state(self, table_id, texts, lang, match):
    found = _state(self, table_id, texts, lang, match)
    if Path({flag!r}).exists():
        deck = [face.code for face in match.deck.faces[:2]]
        from companion.server.show.zones import zone_names
        from companion.server.show.texts import Context
        context = Context(match.setup.players, match.deck, match.game.id, zone_names(match))
        zone = next(iter(zone_names(match)))
        options = [{{"id": f, "text": texts.card(f, lang, context), "cards": [f]}} for f in deck]
        text = texts.text("question.card", lang, context, zone=texts.zone(zone, lang, context))
        asked = {{"id": "0" * 16, "kind": "card", "text": text, "crop": None, "part": False,
                 "options": options, "any": True}}
        found["questions"] = [asked]
    return found
cameras.Cameras.state = state
"""
"""The camera of a table asks for a card while a file is there: no camera is needed for the pictures."""

PORTS = range(20000, 32000)
DEADLINE = 60.0
"""How long (s) a test waits for anything: a machine may have other things to do. No test expects a thing sooner."""


def free_port() -> int:
    """A port that nobody listens at, nor at the next one, where a server with https does; none of those that a system
    gives to whoever asks for any, as browsers do all the time."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
    first = (2000 * worker + os.getpid() * 2 % 1000) % len(PORTS)  # others look for one at the same time
    for port in (*PORTS[first::2], *PORTS[:first:2]):
        with socket.socket() as one, socket.socket() as other:
            try:
                one.bind(("127.0.0.1", port))
                other.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


class Server:
    """A server process on a port that stays the same when it is started again."""

    def __init__(self, data: Path, camera: str = "none") -> None:
        self.port = free_port()
        self.data, self.camera = data, camera
        self.url = f"http://127.0.0.1:{self.port}"
        self.prelude = ""
        """Python that the server process runs first."""
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-c", self.prelude + SERVE, str(self.port), str(self.data), self.camera]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 3 * DEADLINE  # all that it reads with is loaded first
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/api/tables", timeout=DEADLINE):
                    return
            except OSError:
                time.sleep(0.1)
        self.kill()
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """As if the power had gone."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
