"""The HTTP server: what one connection may cost, and that the others do not notice."""

import logging
import socket
import ssl
import threading
import time
from contextlib import ExitStack, contextmanager

import pytest
from flask import Flask, Response

from companion.server import log, serving
from companion.server.certificate import certificate
from companion.server.log import Sparing, start_log
from companion.server.serving import Server


def application():
    app = Flask(__name__)

    @app.get("/")
    def index():
        return "here"

    @app.get("/stream")
    def stream():
        def beats():
            while True:
                yield b"event: beat\n\n"
                time.sleep(0.02)

        return Response(beats(), mimetype="text/event-stream")

    @app.get("/long")
    def long():
        return b"x" * 30_000_000

    return app


@contextmanager
def running(secured=None, places=400):
    server = Server(("127.0.0.1", 0), application(), secured, places)
    server.prepare()
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()


@pytest.fixture
def server():
    with running() as found:
        yield found


def connect(server, text=b""):
    found = socket.create_connection(server.bind_addr[:2], timeout=20)
    found.sendall(text)
    return found


def answer(server, request=b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", wrap=lambda sock: sock):
    with wrap(connect(server)) as sock:
        sock.sendall(request)
        parts = []
        while part := sock.recv(65536):
            parts.append(part)
    return b"".join(parts)


def test_it_answers(server):
    assert answer(server).endswith(b"here")


def test_a_header_without_end_is_refused_at_its_bound(server):
    """Without a bound it would be kept in memory until the client is tired."""
    with connect(server, b"GET / HTTP/1.1\r\n") as sock:
        sent = 0
        with pytest.raises(OSError):
            while sent < 8_000_000:
                sock.sendall(b"X-%d: " % sent + b"a" * 10_000 + b"\r\n")
                sent += 10_000
        assert sent < 8_000_000


def test_connections_that_say_nothing_or_dribble_do_not_keep_others_waiting(server, monkeypatch):
    monkeypatch.setattr(serving, "HEADER_SECONDS", 1.0)
    with ExitStack() as stack:
        for _ in range(195):
            stack.enter_context(connect(server))
        assert answer(server).endswith(b"here")
        slow = [stack.enter_context(connect(server, b"GET / HTTP/1.1\r\nX-Slow: ")) for _ in range(195)]
        stop = threading.Event()

        def dribble():
            while not stop.wait(0.2):
                for sock in slow:
                    try:
                        sock.send(b"a")
                    except OSError:
                        continue

        feeding = threading.Thread(target=dribble)
        feeding.start()
        try:
            assert answer(server).endswith(b"here")  # their deadline has let them go, however busily they dribble
        finally:
            stop.set()
            feeding.join()


@pytest.mark.parametrize(
    ("address", "house"),
    [("192.0.2.7", "192.0.2.7"), ("2001:db8::1:2", "2001:db8::/64"), ("127.0.0.1", ""), ("::1", ""), ("?", "?")],
)
def test_whose_connections_are_counted_together(address, house):
    assert serving._house(address) == house


def test_one_address_has_only_so_many_connections_and_gets_them_back(monkeypatch):
    monkeypatch.setattr(serving, "_house", lambda address: address)
    with running(places=3) as server:
        with ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(connect(server))
            with connect(server) as refused:
                assert refused.recv(10) == b""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            with connect(server, b"GET / HTTP/1.0\r\n\r\n") as sock:
                if sock.recv(10):
                    return
        pytest.fail("the places did not become free")


def test_an_answer_that_nobody_takes_is_given_up_but_a_stream_is_not(server, monkeypatch):
    monkeypatch.setattr(serving, "ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(serving, "SLOWEST", 100_000_000)
    with (
        connect(server, b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n"),
        connect(server, b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n") as live,
    ):
        deadline = time.monotonic() + 20
        while len(server._busy) != 1 or time.monotonic() < deadline - 19:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        live.settimeout(5)
        got = b""
        while got.count(b"beat") < 20:
            got += live.recv(65536)


def test_a_peer_that_confirms_nothing_is_given_up_by_the_kernel(server):
    if not hasattr(socket, "TCP_USER_TIMEOUT"):
        pytest.skip("this system has no TCP_USER_TIMEOUT")
    with connect(server, b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n") as live:
        assert live.recv(10)
        (conn,) = server._busy
        assert conn.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 15_000
        assert conn.socket.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


def test_https_answers_while_others_never_begin_it_and_a_hundred_listen(tmp_path):
    pytest.importorskip("cryptography", reason="cryptography is not installed")
    secured = certificate(tmp_path, [])
    trusted = ssl.create_default_context(cafile=secured.authority)

    def wrap(sock):
        return trusted.wrap_socket(sock, server_hostname="127.0.0.1")

    with running(secured) as server, ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(connect(server))
            stack.enter_context(connect(server, b"\x16\x03\x01"))
        for _ in range(100):
            live = stack.enter_context(wrap(connect(server)))
            live.sendall(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
            assert live.recv(10)
        started = time.monotonic()
        assert answer(server, wrap=wrap).endswith(b"here")
        assert time.monotonic() - started < 9  # the silent ones would have kept it for ten seconds each


def test_who_hangs_up_leaves_no_trace(server, tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(logging.getLogger("companion"), "handlers", [])
    monkeypatch.setattr(logging.getLogger("companion"), "propagate", True)
    start_log(tmp_path)
    try:
        for text in (
            b"",
            b"GE",
            b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n",
            b"\x16\x03\x01\x02",
            b"GET / HTTP/9.9\r\n\r\n",
        ):
            with connect(server, text) as sock:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        assert answer(server).endswith(b"here")
        assert capfd.readouterr().err == ""
        assert (tmp_path / "server.log").read_text() == ""
    finally:
        for handler in logging.getLogger("companion").handlers:
            handler.close()


def test_a_flood_of_errors_stays_a_small_file(tmp_path, monkeypatch):
    logger = logging.getLogger("companion")
    monkeypatch.setattr(logger, "handlers", [])
    monkeypatch.setattr(logger, "propagate", True)
    monkeypatch.setattr(log, "BYTES", 20_000)
    start_log(tmp_path)
    try:
        for number in range(2000):
            logger.warning("the same again: %d", number)
        assert (tmp_path / "server.log").read_text().count("\n") == log.A_MINUTE
        assert (tmp_path / "server.log").stat().st_mode & 0o077 == 0
        monkeypatch.setattr(log, "A_MINUTE", 10**6)
        for _ in range(2000):
            logger.error("x" * 200)
        assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 20_000 * (log.FILES + 1)
    finally:
        for handler in logger.handlers:
            handler.close()


def test_after_a_minute_the_same_line_is_heard_again():
    clock = [0.0]
    sparing = Sparing(lambda: clock[0])
    record = logging.LogRecord("companion", logging.ERROR, "file.py", 7, "text", (), None)
    assert [sparing.filter(record) for _ in range(7)] == [True] * 5 + [False] * 2
    clock[0] = 61.0
    assert sparing.filter(record)
