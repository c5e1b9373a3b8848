"""A camera as a program of its own: it plays with a real server, is killed, and comes back."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from companion import resources
from companion.cli import main
from companion.vision import images

PICTURE = Path(__file__).parents[1] / "vision" / "pictures" / "table.jpg"


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    """A table on which nothing moves, for a minute and a half."""
    file = tmp_path_factory.mktemp("film") / "table.mp4"
    pixels = images.fit(images.load(PICTURE), 640)[0]
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"mp4v"), 10, (pixels.shape[1], pixels.shape[0]))
    for _ in range(900):
        writer.write(pixels)
    writer.release()
    return file


class Server:
    def __init__(self, data):
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", "companion", "serve", "--camera", "none", "--port", "0", "--host", "127.0.0.1",
             "--data", str(data)],
            stdout=subprocess.PIPE, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"},
        )  # fmt: skip
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                self.url = found[0]
                break
        self.owner = (data / "owner.key").read_text().strip()

    def ask(self, path, body=None):
        head = {"Authorization": f"Bearer {self.owner}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.url + path, data, head), timeout=30) as answer:
            return json.load(answer)


@pytest.fixture
def server(tmp_path):
    if not list((resources.models() / "detector").glob("*.onnx")):
        pytest.skip("the weights are not in this checkout")
    found = Server(tmp_path)
    yield found
    found.process.kill()
    found.process.wait()
    found.process.stdout.close()


@pytest.fixture
def watcher(server, film):
    """Starts the program; all are killed at the end."""
    started = []

    def start(token):
        args = ["watch", "--server", server.url, "--token", token, "--camera", str(film)]
        started.append(subprocess.Popen([sys.executable, "-m", "companion", *args]))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def camera(server, table):
    return server.ask(f"/api/tables/{table}")["around"]["camera"]


def until(condition, patience):
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.1)
    raise AssertionError("it did not happen")


def opened(server):
    start = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D2"}
    table = server.ask("/api/tables", start)["id"]
    links = server.ask(f"/api/tables/{table}/links")["links"]
    return table, next(link["url"] for link in links if link["role"] == "camera")


def test_killed_in_the_middle_of_a_game_it_is_missed_in_five_seconds_taps_go_on_and_it_comes_back(server, watcher):
    table, token = opened(server)
    first = watcher(token)
    until(lambda: camera(server, table)["state"] == "ok", 60)
    time.sleep(1.0)
    first.send_signal(signal.SIGKILL)
    first.wait()
    lost = until(lambda: (now := camera(server, table))["state"] == "lost" and now, 5.0)
    assert "gone away" in lost["text"]
    seq = server.ask(f"/api/tables/{table}")["table"]["seq"]
    action = {"kind": "lay", "seat": 0, "cards": ["AS", "KS", "QS"]}
    written = server.ask(
        f"/api/tables/{table}/intents", {"intent": "act", "action": action, "seq": seq, "key": "tap-1"}
    )
    assert written["table"]["seq"] == seq + 1
    again = watcher(token)
    until(lambda: camera(server, table)["state"] == "ok", 60)
    assert again.poll() is None


def test_what_cannot_be_is_one_sentence(server, film):
    _, token = opened(server)
    for args, said in (
        (["--server", server.url, "--token", "nonsense", "--camera", str(film)], "does not take this key"),
        (["--server", "192.168.0.5", "--token", token, "--camera", str(film)], "--server is an address"),
        (["--server", server.url, "--token", token, "--camera", "nowhere.mp4"], "nowhere.mp4"),
    ):
        result = CliRunner().invoke(main, ["watch", *args])
        assert result.exit_code != 0
        assert said in result.output
        assert "Traceback" not in result.output
