"""The process: it says where it is, refuses a port that is taken in one sentence, and stops when told to."""

import errno
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request

import pytest

from companion.server import ServeError, serve
from companion.server.app import create_app

SERVE = "import sys; from pathlib import Path; from companion.server import serve; serve('127.0.0.1', 0, data=Path(sys.argv[1]), camera='none', game='three-card-showdown')"  # noqa: E501


def test_a_port_in_use_is_one_sentence(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        port = taken.getsockname()[1]
        with pytest.raises(ServeError, match=f"port {port} is in use") as refused:
            serve("127.0.0.1", port, data=tmp_path)
    assert str(refused.value).count(".") == 1
    assert not (tmp_path / "journal.sqlite3").exists()


def test_a_port_once_taken_is_kept_until_it_serves(tmp_path, monkeypatch):
    """Nobody else gets it while the journal is opened, and who calls meanwhile is answered later."""
    others, early = [], []

    def slowly(config):
        port = int(config.address.rpartition(":")[2])
        with socket.socket() as other:
            others.append(other.connect_ex(("127.0.0.1", port)))
        with socket.socket() as other, pytest.raises(OSError) as refused:
            other.bind(("127.0.0.1", port))
        others.append(refused.value.errno)
        early.append(threading.Thread(target=lambda: answers.append(urllib.request.urlopen(config.address).status)))
        early[0].start()
        return create_app(config)

    answers = []
    monkeypatch.setattr("companion.server.run.create_app", slowly)

    def say(line):
        if "Ctrl+C" in line:
            threading.Thread(target=lambda: (early[0].join(30), signal.raise_signal(signal.SIGINT))).start()

    serve("127.0.0.1", 0, data=tmp_path, camera="none", say=say)
    assert others == [0, errno.EADDRINUSE]
    assert answers == [200]


def test_an_address_of_another_machine_is_one_sentence(tmp_path):
    with pytest.raises(ServeError, match="cannot listen on"):
        serve("203.0.113.1", 0, data=tmp_path)


def test_it_shows_its_address_makes_its_opener_host_and_stops_on_interrupt(tmp_path):
    heed = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are told to ignore it
    process = subprocess.Popen([sys.executable, "-u", "-c", SERVE, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    signal.signal(signal.SIGINT, heed)
    lines = []
    try:
        while not (found := re.search(r"(http://127\.0\.0\.1:\d+)(/join/\S+)", lines[-1] if lines else "")):
            line = process.stdout.readline()
            assert line, lines
            lines.append(line)
        assert not any("█" in line for line in lines)  # no other device reaches 127.0.0.1
        with urllib.request.urlopen("".join(found.groups()), timeout=60) as answer:
            assert re.search(r"/tables/\w+$", answer.url)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def test_the_command_shows_a_code_to_scan_and_the_owners_own_link(tmp_path):
    heed = signal.signal(signal.SIGINT, signal.default_int_handler)
    command = ["serve", "--port", "0", "--camera", "none", "--data", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "companion.cli", *command], stdout=subprocess.PIPE, text=True
    )
    signal.signal(signal.SIGINT, heed)
    try:
        text = ""
        while "/owner/" not in text:
            line = process.stdout.readline()
            assert line, text
            text += line
        address, pin = re.search(r"Table Companion: (\S+)/\?pin=(\d{6})\n", text).groups()
        assert "█" in text
        assert f"the code {pin} " in text
        own = re.search(rf"{address}/owner/\S+", text)[0]
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(), urllib.request.ProxyHandler({}))
        assert browser.open(own, timeout=60).url == f"{address}/"
        assert 'href="/backup"' in browser.open(f"{address}/history", timeout=60).read().decode()
        assert b'href="/backup"' not in urllib.request.urlopen(f"{address}/history", timeout=60).read()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.stdout.close()
        process.wait()
