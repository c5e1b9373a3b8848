"""How quickly an action reaches a hundred pages, and how long the device that made it waits.

One server process, the one that ``companion serve`` starts, with an event stream open for each page; a device posts
actions, and every page says when it had them. Beside it in the same run: the same hundred streams, the same bytes and
the same posts against two small servers that do nothing but pass the body on: Flask under cheroot with a queue for each
stream (the pattern of most tutorials) and aiohttp, an event loop.

    python benchmarks/page.py            # --pages N --actions N --rounds N --json
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import cycle
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

OURS = """
import sys
from pathlib import Path
from companion.server import serve
serve("127.0.0.1", 0, camera="none", data=Path(sys.argv[1]), say=lambda line: print(line, flush=True))
"""

FLASK = """
import queue, sys, threading
from cheroot import wsgi
from flask import Flask, Response, request
app, lock, listeners = Flask(__name__), threading.Lock(), []

@app.get("/events")
def events():
    mine = queue.Queue()
    with lock:
        listeners.append(mine)
    def listen():
        yield b"retry: 1000\\n\\n"
        while True:
            yield mine.get()
    return Response(listen(), mimetype="text/event-stream")

@app.post("/act")
def act():
    body = request.get_data()
    with lock:
        for one in listeners:
            one.put(body)
    return {"done": True}

server = wsgi.Server(("127.0.0.1", 0), app, numthreads=int(sys.argv[1]) + 32, request_queue_size=128)
server.prepare()
print(f"http://127.0.0.1:{server.bind_addr[1]}", flush=True)
server.serve()
"""

AIOHTTP = """
import asyncio
from aiohttp import web
listeners = []

async def events(request):
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    await response.write(b"retry: 1000\\n\\n")
    mine = asyncio.Queue()
    listeners.append(mine)
    while True:
        await response.write(await mine.get())

async def act(request):
    body = await request.read()
    for one in listeners:
        one.put_nowait(body)
    return web.json_response({"done": True})

async def main():
    app = web.Application(client_max_size=2**20)
    app.add_routes([web.get("/events", events), web.post("/act", act)])
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, backlog=256)
    await site.start()
    print(f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


# --- pages -----------------------------------------------------------------------------------------------------------


def listen(pipe: Connection, port: int, requests: Sequence[bytes]) -> None:
    """A process of its own: one connection a request, all read by one loop. ``expect`` a mark, and it answers when each
    page had it; None ends it."""
    selector = selectors.DefaultSelector()
    tails: dict[socket.socket, bytes] = {}
    for request in requests:
        page = socket.create_connection(("127.0.0.1", port), timeout=60)
        page.sendall(request)
        tails[page] = b""
    for page in tails:
        while b"retry: 1000" not in tails[page]:
            tails[page] += page.recv(65536)
        page.setblocking(False)
        selector.register(page, selectors.EVENT_READ)
    selector.register(pipe, selectors.EVENT_READ)
    pipe.send("ready")
    mark, missing, times, size = b"", set[socket.socket](), list[float](), 0
    while True:
        for key, _ in selector.select():
            if key.fileobj is pipe:
                mark = pipe.recv()
                if mark is None:
                    return
                missing, times, size = set(tails), [], 0
                pipe.send("expecting")
                continue
            page = key.fileobj
            assert isinstance(page, socket.socket)
            data = page.recv(1 << 20)
            now = time.perf_counter()
            size += len(data)
            if page in missing and mark in tails[page] + data:
                missing.remove(page)
                times.append(now)
                if not missing:
                    pipe.send((times, size))
            tails[page] = data[-64:]


@contextmanager
def pages(port: int, requests: Sequence[bytes]) -> Iterator[Connection]:
    """The process of `listen` while the block runs."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=listen, args=(theirs, port, requests), daemon=True)
    process.start()
    if not ours.poll(120) or ours.recv() != "ready":
        raise SystemExit("the pages cannot be opened")
    try:
        yield ours
    finally:
        ours.send(None)
        process.join(10)


@contextmanager
def server(code: str, *args: str) -> Iterator[tuple[int, int]]:
    """The port and the process number of a server in a process of its own."""
    process = subprocess.Popen([sys.executable, "-u", "-c", code, *args], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                yield int(found[1]), process.pid
                break
        else:
            raise SystemExit("the server did not start")
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


# --- rounds ----------------------------------------------------------------------------------------------------------


def memory(process: int) -> float:
    """What a process holds in memory (KB); 0 where the system has no /proc."""
    file = Path(f"/proc/{process}/status")
    found = re.search(r"VmRSS:\s+(\d+)", file.read_text()) if file.exists() else None
    return float(found[1]) if found else 0.0


@contextmanager
def others(port: int, path: str) -> Iterator[list[float]]:
    """How long somebody waits (ms) who asks for `path` again and again while the block runs."""
    waited, over = list[float](), threading.Event()

    def ask() -> None:
        device = HTTPConnection("127.0.0.1", port, timeout=60)
        while not over.wait(0.02):
            began = time.perf_counter()
            device.request("GET", path)
            device.getresponse().read()
            waited.append(1000 * (time.perf_counter() - began))
        device.close()

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield waited
    finally:
        over.set()
        asking.join()


def measured(pipe: Connection, port: int, posts: Sequence[tuple[str, bytes, bytes]], keys: str = "") -> dict[str, Any]:
    """Send each post (path, body, mark) when all pages had the one before; times in ms."""
    reached, last, acknowledged, sizes = list[float](), list[float](), list[float](), list[int]()
    device = HTTPConnection("127.0.0.1", port, timeout=60)
    for path, body, mark in posts:
        pipe.send(mark)
        pipe.recv()
        began = time.perf_counter()
        device.request("POST", path, body, {"Content-Type": "application/json", "Cookie": keys})
        answer = device.getresponse()
        answer.read()
        acknowledged.append(1000 * (time.perf_counter() - began))
        if answer.status != 200:
            raise SystemExit(f"{path} answered {answer.status}")
        if not pipe.poll(60):
            raise SystemExit(f"not every page had {mark!r}")
        times, size = pipe.recv()
        reached += [1000 * (at - began) for at in times]
        last.append(1000 * (max(times) - began))
        sizes.append(size)
    device.close()
    return {"reached": reached, "last": last, "acknowledged": acknowledged, "bytes": statistics.median(sizes)}


def ours(count: int, actions: int) -> dict[str, Any]:
    """Our server: a showdown of two on one tablet, everybody else looks on, half of them in Japanese."""
    with tempfile.TemporaryDirectory() as folder, server(OURS, folder) as (port, process):
        device = HTTPConnection("127.0.0.1", port, timeout=60)
        start = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D2"}
        device.request("POST", "/api/tables", json.dumps(start), {"Content-Type": "application/json"})
        opened = device.getresponse()
        keys = "; ".join(value.partition(";")[0] for value in opened.headers.get_all("Set-Cookie", []))
        table = json.loads(opened.read())["id"]
        languages = cycle(("en", "ja"))
        requests = [
            f"GET /api/tables/{table}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"X-Forwarded-For: 192.0.2.{n % 250}\r\nAccept-Language: {next(languages)}\r\n\r\n".encode()
            for n in range(count)
        ]
        round_ = cycle(
            (
                {"kind": "lay", "seat": 0, "cards": ["AS", "KS", "QS"]},
                {"kind": "lay", "seat": 1, "cards": ["2H", "2D", "9C"]},
                {"kind": "next"},
            )
        )
        posts = [
            (
                f"/api/tables/{table}/intents",
                json.dumps({"intent": "act", "action": next(round_), "seq": n + 1, "key": f"k{n}"}).encode(),
                f"id: {n + 2}\n".encode(),
            )
            for n in range(actions)
        ]
        before = memory(process)
        with pages(port, requests) as pipe:
            with others(port, f"/api/tables/{table}") as waited:
                result = measured(pipe, port, posts, keys)
            return {**result, "others": waited, "memory": (memory(process) - before) / count}


def peer(code: str, count: int, actions: int, size: int) -> dict[str, Any]:
    """A server that passes on what it is sent: `size` bytes to each page."""
    with server(code, str(count)) as (port, process):
        requests = [b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"] * count
        posts = []
        for n in range(actions):
            head = f"id: {n + 2}\nevent: table\ndata: ".encode()
            posts.append(("/act", head + b"x" * max(0, size - len(head) - 2) + b"\n\n", f"id: {n + 2}\n".encode()))
        before = memory(process)
        with pages(port, requests) as pipe:
            with others(port, "/") as waited:
                result = measured(pipe, port, posts)
            return {**result, "others": waited, "memory": (memory(process) - before) / count}


def quantile(values: Sequence[float], part: float) -> float:
    """The value that `part` of all are not above."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--actions", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    found: dict[str, list[dict[str, Any]]] = {}
    loads = []
    for _ in range(chosen.rounds):
        loads.append(os.getloadavg()[0])
        result = ours(chosen.pages, chosen.actions)
        size = int(result["bytes"] / chosen.pages)
        found.setdefault("Table Companion", []).append(result)
        for name, code in (("Flask and a queue for each page", FLASK), ("aiohttp", AIOHTTP)):
            found.setdefault(name, []).append(peer(code, chosen.pages, chosen.actions, size))
    rows = []
    for name, results in found.items():
        row: dict[str, Any] = {"server": name, "bytes a page": int(results[0]["bytes"] / chosen.pages)}
        for what in ("reached", "last", "acknowledged", "others"):
            values = [value for result in results for value in result[what]]
            row[what] = {"median": round(statistics.median(values), 1), "p95": round(quantile(values, 0.95), 1)}
            row[what]["p95 of each round"] = [round(quantile(result[what], 0.95), 1) for result in results]
        row["memory a page"] = round(statistics.median(result["memory"] for result in results))
        rows.append(row)
    if chosen.json:
        print(json.dumps({"load": loads, "pages": chosen.pages, "servers": rows}))
        return
    print(f"{chosen.pages} pages, {chosen.actions} actions, {chosen.rounds} rounds; load at each start: {loads}; ms")
    print(f"{'':34}{'page has it':>18}{'last page has it':>20}{'own answer':>18}{'others wait':>18}  bytes  KB a page")
    for row in rows:
        cells = "".join(
            f"{row[w]['median']:>{n}} / {row[w]['p95']:<6}"
            for w, n in (("reached", 10), ("last", 12), ("acknowledged", 10), ("others", 10))
        )
        print(f"{row['server']:34}{cells}  {row['bytes a page']}  {row['memory a page']}")
        print(f"{'':36}p95 by round: {[row[w]['p95 of each round'] for w in ('reached', 'last', 'acknowledged')]}")


if __name__ == "__main__":
    main()
