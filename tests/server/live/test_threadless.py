"""Live streams in one loop: many cost no thread each, and slow, silent or vanished ones harm nobody."""

import json
import socket
import ssl
import threading
import time
import urllib.request
from contextlib import ExitStack, contextmanager

import pytest

from companion.games import Setup
from companion.referee import Started
from companion.server.certificate import certificate
from companion.server.desk import Desk
from companion.server.live import threadless
from companion.server.serving import THREADS, Server

LISTENERS = 300


@contextmanager
def serving(app, secured=None):
    server = Server(("127.0.0.1", 0), app, secured)
    server.prepare()
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()


@pytest.fixture
def opened(app):
    desk = app.extensions["companion"]
    return desk, desk.open_table(Started("three-card-showdown", Setup(("Anna", "Ben"), "52D2")))


def listen(server, table, wrap=lambda sock: sock):
    sock = socket.create_connection(server.bind_addr[:2], timeout=20)
    sock = wrap(sock)
    sock.sendall(f"GET /api/tables/{table}/events HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    return sock


def until(sock, mark):
    got = b""
    while mark not in got:
        part = sock.recv(65536)
        assert part, got
        got += part
    return got


def soon(true):
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def act(server, desk, table, **more):
    body = {"intent": "act", "action": {"kind": "lay", "seat": 0, "cards": ["AS", "KS", "QS"]}}
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {desk.join_key(table, 'host')}"}
    address = f"http://127.0.0.1:{server.bind_addr[1]}/api/tables/{table}/intents"
    request = urllib.request.Request(address, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert answer.status == 200


def test_listeners_beyond_the_threads_all_hear_and_the_page_answers(app, opened):
    desk, table = opened
    assert LISTENERS > THREADS
    with serving(app) as server, ExitStack() as stack:
        people = [stack.enter_context(listen(server, table)) for _ in range(LISTENERS)]
        for sock in people:
            assert b"event: hello" in until(sock, b"event: around")
        act(server, desk, table)
        for sock in people:
            until(sock, b"id: 2\n")
        assert desk.bus.listeners() == LISTENERS
        for sock in people:
            sock.close()
        soon(lambda: desk.bus.listeners() == 0)


def test_over_https_too(app, opened, tmp_path):
    pytest.importorskip("cryptography", reason="cryptography is not installed")
    desk, table = opened
    secured = certificate(tmp_path, [])
    trusted = ssl.create_default_context(cafile=secured.authority)
    with (
        serving(app, secured) as server,
        listen(server, table, lambda sock: trusted.wrap_socket(sock, server_hostname="127.0.0.1")) as sock,
    ):
        until(sock, b"event: around")
        desk.bus.publish(table)
        until(sock, b"event: beat")
        assert desk.bus.listeners() == 1
    soon(lambda: desk.bus.listeners() == 0)


def test_who_takes_nothing_is_let_go_and_nobody_else_waits(app, opened, monkeypatch):
    """His window is full after some kilobytes; the beats of a bustling table would pile up without end."""
    monkeypatch.setattr(threadless, "STALLED", 1.0)
    desk, table = opened
    with serving(app) as server, socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        slow.connect(server.bind_addr[:2])
        slow.sendall(f"GET /api/tables/{table}/events HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        soon(lambda: desk.bus.listeners() == 1)
        monkeypatch.setattr(Desk, "look", big(Desk.look))
        with listen(server, table) as quick:
            for _ in range(20):
                desk.bus.publish(table)
                until(quick, b"event: table")
            soon(lambda: desk.bus.listeners() == 1)
            until(quick, b"event: beat")


def big(look):
    """Every picture is new and has half a megabyte."""

    def draw(*more):
        found = look(*more)
        filled = json.dumps({"at": time.monotonic(), "text": "x" * 500_000}).encode()
        return type(found)(found.version, found.seq, found.role, b"event: table\ndata: " + filled + b"\n\n", b"")

    return draw


def test_a_listener_whose_picture_fails_ends_alone(app, opened, monkeypatch):
    desk, table = opened
    other = desk.open_table(Started("three-card-showdown", Setup(("Anna", "Ben"), "52D2")))
    look = Desk.look

    def failing(self, table_id, *more):
        if table_id == table:
            raise RuntimeError("no picture")
        return look(self, table_id, *more)

    with serving(app) as server, listen(server, other) as well:
        until(well, b"event: around")
        monkeypatch.setattr(Desk, "look", failing)
        with listen(server, table) as ill:
            while ill.recv(65536):
                pass
        until(well, b"event: beat")
        assert desk.bus.listeners() == 1


def test_streams_end_when_the_server_stops(app, opened):
    desk, table = opened
    with ExitStack() as stack:
        with serving(app) as server:
            people = [stack.enter_context(listen(server, table)) for _ in range(20)]
            for sock in people:
                until(sock, b"event: around")
            began = time.monotonic()
        assert time.monotonic() - began < 10
        for sock in people:
            while sock.recv(65536):
                pass
        assert desk.bus.listeners() == 0
