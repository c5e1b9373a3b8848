"""Many clients at once at one or two servers of one table, over connections that break, while servers are killed; with
everything they saw, for `history`."""

from __future__ import annotations

import http.client
import json
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from companion.journal import Journal
from tests.drill.history import CONFLICT, OK, READ, UNKNOWN, Log, Seen
from tests.drill.taps import DrillError

CLIENTS = 6
ENOUGH = 6
"""So many taps taken, and so many looks, say something."""
LONGEST = 15
SETUP = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D1"}


class Server:
    """A server that is started again on its port whenever it has been killed."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.database = folder, database
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = int(probe.getsockname()[1])
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-u", "-m", "companion", "serve", "--host", "127.0.0.1", "--camera", "none"]
        command += ["--port", str(self.port), "--data", str(self.folder), "--open-tables", "house"]
        command += ["--database", self.database] if self.database else []
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = ""
        for line in self.process.stdout:  # type: ignore[union-attr]
            said += line
            if re.search("Version: ", line):
                return
        raise DrillError(f"the server does not start: {said}")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()  # type: ignore[union-attr]


def ask(port: int, path: str, body: Any, key: str, cut: float | None = None) -> tuple[int, dict[str, Any]] | None:
    """One request; None without an answer. `cut`: hang up after so many seconds."""
    device = http.client.HTTPConnection("127.0.0.1", port, timeout=30 if cut is None else cut)
    head = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
    try:
        device.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), head)
        answer = device.getresponse()
        found = answer.status, json.loads(answer.read())
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        device.close()
    return found if found[0] < 500 else None


def rush(
    folder: Path, database: str, count: int, seconds: float, chance: random.Random
) -> tuple[list[Seen], Log, Log, int]:
    """What was seen in so many seconds by `CLIENTS` at `count` servers, the journal before and after, and how often a
    server was killed. A busy machine takes longer to see `ENOUGH`, at most `LONGEST` times as long."""
    data = folder / "data"
    servers = [Server(data, database) for _ in range(count)]
    opened = ask(servers[0].port, "/api/tables", {**SETUP, "key": f"rush-{chance.getrandbits(64):016x}"}, "")
    if opened is None or opened[0] != 201:
        raise DrillError(f"no table was opened: {opened}")
    table, key = str(opened[1]["id"]), str(opened[1]["key"])
    lay = {"intent": "act", "action": {"kind": "lay", "seat": 0, "cards": ["5S", "6H", "7C"]}, "seq": 1, "key": "first"}
    if ask(servers[0].port, f"/api/tables/{table}/intents", lay, key) is None:
        raise DrillError("the first tap was not taken")
    history: list[Seen] = []
    over = threading.Event()

    def client(number: int, own: random.Random) -> None:
        taps, seq, again = 0, 2, ""
        while not over.is_set():
            port = own.choice(servers).port
            cut = own.choice((None, None, None, own.uniform(0.001, 0.03)))
            begin = time.monotonic()
            if own.random() < 0.35:
                found = ask(port, f"/api/tables/{table}", None, key, cut)
                if found is not None and found[0] == 200:
                    seq = int(found[1]["table"]["seq"])
                    history.append(Seen(number, begin, time.monotonic(), None, 0, READ, seq))
                continue
            # Each tap undoes the entry before it, so it is always possible; one without an answer is sent again.
            taps += not again
            name = again or f"{number}-{taps}"
            body = {"intent": "take-back", "of": seq, "seq": seq, "key": name}
            found, end = ask(port, f"/api/tables/{table}/intents", body, key, cut), time.monotonic()
            again = ""
            if found is None:
                history.append(Seen(number, begin, end, name, seq, UNKNOWN))
                over.wait(0.05)
                again = name if own.random() < 0.7 else ""
            elif found[0] == 200:
                history.append(Seen(number, begin, end, name, seq, OK, int(found[1]["seq"])))
                seq = int(found[1]["table"]["seq"])
            elif found[0] == 409:
                history.append(Seen(number, begin, end, name, seq, CONFLICT, int(found[1]["seq"])))
                seq = int(found[1]["seq"])
            else:
                raise DrillError(f"a tap was answered {found[0]} {found[1].get('error')}")

    def counted(kind: str) -> int:
        return sum(one.answer == kind for one in list(history))

    clients = [threading.Thread(target=client, args=(n, random.Random(chance.random()))) for n in range(CLIENTS)]
    for one in clients:
        one.start()
    kills, end = 0, time.monotonic() + seconds
    latest = time.monotonic() + LONGEST * seconds
    while time.monotonic() < (end if all(counted(kind) >= ENOUGH for kind in (OK, READ)) else latest):
        time.sleep(chance.uniform(0.3, 1.5))
        victim = chance.choice(servers)
        victim.kill()
        victim.start()
        kills += 1
    over.set()
    for one in clients:
        one.join()
    for server in servers:
        server.kill()
    journal = Journal(database or f"sqlite:///{data / 'journal.sqlite3'}")
    log = tuple(str(row.key) for row in journal.events(table))
    journal.close()
    return history, log[:2], log, kills
