"""Faults between a device and the server: a whole recorded game is tapped over a bad network into `companion serve`.

Between the devices and the server stands a relay that cuts connections in the middle of a request or an answer, or lets
none through. The server is killed, asked to stop under load, finds its disk full or its file gone; the program that
sends it a camera's pictures is killed. A page listens all the time; after each fault it shows what the journal holds.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import re
import resource
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.journal import Journal
from companion.referee import Acted, Corrected, Event, Overruled, Started, TookBack
from tests.drill import taps, watcher
from tests.drill.taps import DrillError

Answer = tuple[int, dict[str, Any]]
PATIENCE = 60.0


def games(turn: int = 0, most: int | None = None) -> list[tuple[str, list[Event]]]:
    """Every recorded game, one of each kind first, as people tap it."""
    found = taps.games(turn, most)
    return [(name, [Acted(e.action) if isinstance(e, Acted) else e for e in events]) for name, events in found]


class Relay:
    """Passes connections on to the server. `cut`: the next connection ends after so many bytes of its request (up) or
    of its answer (down); `off`: none gets through, and those that are there end."""

    def __init__(self, port: int) -> None:
        self.to, self.off = port, False
        self.cut: tuple[str, int] | None = None
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.door.getsockname()[1])
        self.pairs: set[tuple[socket.socket, socket.socket]] = set()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                device, _ = self.door.accept()
            except OSError:
                return
            cut, self.cut = self.cut, None
            if self.off:
                device.close()
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self.to), timeout=PATIENCE)
            except OSError:
                device.close()
                continue
            threading.Thread(target=self.carry, args=(device, server, cut), daemon=True).start()

    def carry(self, device: socket.socket, server: socket.socket, cut: tuple[str, int] | None) -> None:
        self.pairs.add((device, server))
        left = {"up": 1 << 60, "down": 1 << 60, **({cut[0]: cut[1]} if cut else {})}
        with device, server, selectors.DefaultSelector() as selector, contextlib.suppress(OSError):
            selector.register(device, selectors.EVENT_READ, ("up", server))
            selector.register(server, selectors.EVENT_READ, ("down", device))
            while not self.off:
                for key, _ in selector.select(0.1):
                    way, other = key.data
                    data = key.fileobj.recv(min(65536, max(1, left[way])))  # type: ignore[union-attr]
                    left[way] -= len(data)
                    other.sendall(data)
                    if not data or left[way] <= 0:
                        return

    def close(self) -> None:
        self.off = True
        self.door.close()


class Page(threading.Thread):
    """A page that listens and connects again whenever its stream ends. `seq`: what it shows."""

    def __init__(self, port: int, table: str) -> None:
        super().__init__(daemon=True)
        self.port, self.table, self.seq, self.over = port, table, 0, False
        self.start()

    def run(self) -> None:
        while not self.over:
            try:
                ask = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
                ask.request("GET", f"/api/tables/{self.table}/events", headers={"Last-Event-ID": str(self.seq)})
                answer = ask.getresponse()
                while line := answer.readline():
                    if line.startswith(b"id: "):
                        self.seq = int(line[4:])
            except (OSError, http.client.HTTPException, ValueError):
                time.sleep(0.1)


def intent(event: Event) -> dict[str, Any]:
    """An event as a page asks for it."""
    match event:
        case Acted(action=action):
            return {"intent": "act", "action": action.to_json()}
        case TookBack(seq=seq):
            return {"intent": "take-back", "of": seq}
        case Overruled(seq=seq):
            return {"intent": "play-on", "of": seq}
        case Corrected(seq=seq, action=action):
            return {"intent": "correct", "of": seq, "action": action.to_json()}
    raise AssertionError(event)


class Club:
    """One game at one server. `done`: so many of its events are acknowledged."""

    def __init__(self, events: list[Event], chance: random.Random, folder: Path) -> None:
        self.events, self.chance, self.folder = events, chance, folder
        self.file = folder / "data" / "journal.sqlite3"
        self.keys: dict[int, str] = {}
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.server_port = int(probe.getsockname()[1])
        self.relay = Relay(self.server_port)
        self.start()
        first = events[0]
        assert isinstance(first, Started)
        setup = first.setup
        body = {"game": first.game, "players": list(setup.players), "deck": setup.deck, "options": dict(setup.options)}
        opened = self.until_answered("/api/tables", {**body, "key": f"opening-{chance.getrandbits(64):016x}"})
        if opened[0] != 201:
            raise DrillError(f"the table was not opened: {opened}")
        self.table, self.key, self.done = str(opened[1]["id"]), str(opened[1]["key"]), 1
        self.page = Page(self.relay.port, self.table)

    def start(self) -> None:
        command = [sys.executable, "-u", "-m", "companion", "serve", "--host", "127.0.0.1", "--camera", "none"]
        command += ["--port", str(self.server_port), "--data", str(self.folder / "data"), "--open-tables", "house"]
        heed = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job would ignore it
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        signal.signal(signal.SIGINT, heed)
        said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said += line
            if re.search("Version: ", line):
                return
        raise DrillError(f"the server does not start: {said}")

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()  # type: ignore[union-attr]

    def close(self) -> None:
        if hasattr(self, "page"):
            self.page.over = True
        self.relay.close()
        self.end()

    # --- asking ----------------------------------------------------------------------------------------------------

    def ask(self, path: str, body: dict[str, Any] | None, port: int | None = None) -> Answer | None:
        """One request; None where the connection gave no answer."""
        device = http.client.HTTPConnection("127.0.0.1", port or self.relay.port, timeout=PATIENCE)
        head = {"Content-Type": "application/json", "Authorization": f"Bearer {getattr(self, 'key', 'none')}"}
        if not hasattr(self, "key"):
            del head["Authorization"]
        try:
            device.request("POST" if body is not None else "GET", path, json.dumps(body) if body else None, head)
            answer = device.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError):
            return None
        finally:
            device.close()

    def until_answered(self, path: str, body: dict[str, Any] | None) -> Answer:
        """As a page does: again, with the same key, until there is an answer."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if (found := self.ask(path, body)) is not None:
                return found
            time.sleep(0.05)
        raise DrillError(f"{path} was not answered for {PATIENCE:.0f} s")

    def tap(self, number: int, seq: int | None = None, key: str = "") -> dict[str, Any]:
        return {**intent(self.events[number]), "seq": number if seq is None else seq, "key": key or f"k{number}"}

    @property
    def path(self) -> str:
        return f"/api/tables/{self.table}/intents"

    def sent(self) -> None:
        """The next event is sent until it is answered; the journal has it once, and the page shows it."""
        status, said = self.until_answered(self.path, self.tap(self.done))
        if (status, said.get("seq")) != (200, self.done + 1):
            raise DrillError(f"entry {self.done + 1} was answered {status} {said.get('error', said.get('seq'))}")
        self.done += 1
        self.check()

    def check(self) -> None:
        journal = Journal(f"sqlite:///{self.file}")
        try:
            rows = journal.events(self.table)
        finally:
            journal.close()
        if len(rows) != self.done:
            raise DrillError(f"{len(rows)} entries, acknowledged were {self.done}")
        for number, row in enumerate(rows[1:], 1):
            if (row.seq, row.event, row.key) != (number + 1, self.events[number], self.keys.get(number, f"k{number}")):
                raise DrillError(f"entry {number + 1} is another one: {row}")
        end = time.monotonic() + PATIENCE
        while self.page.seq != self.done:
            if time.monotonic() > end:
                raise DrillError(f"the page shows entry {self.page.seq}, the journal holds {self.done}")
            time.sleep(0.02)


# --- faults ----------------------------------------------------------------------------------------------------------


def cut_in_the_request(club: Club) -> None:
    club.relay.cut = "up", club.chance.randrange(1, 700)
    club.sent()


def cut_in_the_answer(club: Club) -> None:
    club.relay.cut = "down", club.chance.randrange(1, 3000)
    club.sent()


def wifi_gone(club: Club) -> None:
    club.relay.off = True
    back = threading.Timer(club.chance.uniform(0.2, 1.5), setattr, (club.relay, "off", False))
    back.start()
    club.sent()
    back.join()


def server_killed(club: Club) -> None:
    timer = threading.Timer(club.chance.uniform(0.0, 0.06), os.kill, (club.process.pid, signal.SIGKILL))
    timer.start()
    club.ask(club.path, club.tap(club.done))
    timer.join()
    club.end()
    club.start()
    club.sent()


def server_stopped_under_load(club: Club) -> None:
    """It is asked to stop while twenty devices ask: it ends within some seconds, in order."""
    over = threading.Event()

    def busy() -> None:
        while not over.is_set():
            club.ask(f"/api/tables/{club.table}", None, club.server_port)

    devices = [threading.Thread(target=busy) for _ in range(20)]
    for device in devices:
        device.start()
    time.sleep(0.2)
    tap = threading.Thread(target=club.ask, args=(club.path, club.tap(club.done)))
    tap.start()
    club.process.send_signal(club.chance.choice((signal.SIGINT, signal.SIGTERM)))
    try:
        said = club.process.communicate(timeout=PATIENCE)[0]
    except subprocess.TimeoutExpired as error:
        raise DrillError("it did not stop") from error
    finally:
        over.set()
        for device in (*devices, tap):
            device.join()
    if club.process.returncode or "Traceback" in said:
        raise DrillError(f"it did not stop in order: {club.process.returncode} {said}")
    club.start()
    club.sent()


def full_disk(club: Club) -> None:
    """No file of the server grows beyond its size now and a little."""
    size = max(file.stat().st_size for file in club.file.parent.glob("journal.sqlite3*"))
    room = size + club.chance.randrange(0, 20_000)
    resource.prlimit(club.process.pid, resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
    found = club.ask(club.path, club.tap(club.done))
    resource.prlimit(club.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    if found is None or (found[0] != 200 and found[1]["error"]["code"] != "journal-failed"):
        raise DrillError(f"a full disk was answered {found}")
    club.sent()


def database_gone(club: Club) -> None:
    away = club.folder / "away"
    club.file.rename(away)
    found = club.ask(club.path, club.tap(club.done))
    if found is None or found[0] != 500 or found[1]["error"]["code"] != "journal-failed" or club.file.exists():
        raise DrillError(f"a tap without a journal was answered {found}")
    away.rename(club.file)
    club.sent()


def doubled_at_once(club: Club) -> None:
    """The same tap over four connections at once."""
    found: list[Answer | None] = []
    devices = [
        threading.Thread(target=lambda: found.append(club.ask(club.path, club.tap(club.done)))) for _ in range(4)
    ]
    for device in devices:
        device.start()
    for device in devices:
        device.join()
    told = [(one[0], one[1].get("seq", one[1])) for one in found if one is not None]
    if told != [(200, club.done + 1)] * 4:
        raise DrillError(f"the same tap four times was answered {told}")
    club.sent()


def raced(club: Club) -> None:
    """Four devices that have seen the same table tap at once: one is taken, the others are told that they are late."""
    found: dict[str, Answer | None] = {}

    def device(name: str) -> None:
        found[name] = club.ask(club.path, club.tap(club.done, key=name))

    devices = [threading.Thread(target=device, args=(f"device-{n}-{club.done}",)) for n in range(4)]
    for one in devices:
        one.start()
    for one in devices:
        one.join()
    if sorted(one[0] if one else 0 for one in found.values()) != [200, 409, 409, 409]:
        raise DrillError(f"four that raced were answered {[one and one[0] for one in found.values()]}")
    club.keys[club.done] = next(name for name, one in found.items() if one and one[0] == 200)
    club.done += 1
    club.check()


def reordered(club: Club) -> None:
    if club.done + 1 < len(club.events):
        found = club.ask(club.path, club.tap(club.done + 1))
        if found is None or found[0] != 409:
            raise DrillError(f"a tap from the future was answered {found}")
    club.sent()


def watcher_killed(club: Club) -> None:
    """The program that sends the camera's pictures is killed: the page says so, and taps go on."""
    table = f"/api/tables/{club.table}"
    links = club.until_answered(f"{table}/links", None)[1]["links"]
    token = next(link["url"] for link in links if link["role"] == "camera")
    server = f"http://127.0.0.1:{club.server_port}"
    watcher.killed(server, token, lambda: club.until_answered(table, None)[1]["around"]["camera"], PATIENCE)
    club.sent()


FAULTS: tuple[Callable[[Club], None], ...] = (
    cut_in_the_request, cut_in_the_answer, wifi_gone, server_killed, server_stopped_under_load, full_disk,
    database_gone, doubled_at_once, raced, reordered, watcher_killed,
)  # fmt: skip


def play(events: list[Event], chance: random.Random, folder: Path, told: Callable[[str], None]) -> None:
    """One game in an empty folder, a fault at every event. Raises DrillError."""
    club = Club(events, chance, folder)
    bag: list[Callable[[Club], None]] = []
    try:
        while club.done < len(events):
            bag = bag or chance.sample(FAULTS, len(FAULTS))
            fault = bag.pop()
            try:
                fault(club)
            except Exception as error:
                raise DrillError(f"event {club.done + 1}, {fault.__name__}: {error}") from error
            told(fault.__name__)
    finally:
        club.close()
