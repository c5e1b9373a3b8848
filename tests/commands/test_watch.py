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
from companion.server.camera.calibrate import corners_of
from companion.training.evaluation.reels import Reel
from companion.training.films.spec import Film
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

    def start(token, shown=film):
        args = ["watch", "--server", server.url, "--token", token, "--camera", str(shown)]
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


HEAD, TAIL = 8.0, 12.0
"""So long (s) the first picture of a film stands still, until its table is marked, and the last one."""


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    """A filmed game: its file, and its truth."""
    reel = Reel.painted(
        Film("three-card-showdown", 3, players=2, actions=4, artwork=True, clutter=False, resting_hand=False,
             holders=False)
    )  # fmt: skip
    file, truth, shown = tmp_path_factory.mktemp("game") / "game.mp4", reel.truth, None
    for _, pixels in reel.frames():
        if shown is None:
            shown = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"mp4v"), truth.fps, pixels.shape[1::-1])
            for _ in range(int(HEAD * truth.fps)):
                shown.write(pixels)
        shown.write(pixels)
    for _ in range(int(TAIL * truth.fps)):
        shown.write(pixels)
    shown.release()
    return file, truth


def test_a_filmed_game_that_it_sends_is_followed(server, watcher, game):
    """From the camera's program over the wire to the journal: each action whose cards show it, and no other one."""
    file, truth = game
    setup = truth.started.setup
    start = {"game": truth.started.game, "players": list(setup.players), "deck": setup.deck}
    table = server.ask("/api/tables", start)["id"]
    links = server.ask(f"/api/tables/{table}/links")["links"]
    watcher(next(link["url"] for link in links if link["role"] == "camera"), file)
    until(lambda: camera(server, table)["state"] == "ok", 60)
    marked = {"corners": corners_of(truth.calibration), "size": list(truth.calibration.size)}
    server.ask(f"/api/tables/{table}/camera/area", marked)
    wanted = [(one.action.seat, sorted(one.action.cards)) for one in truth.actions if one.action.cards]
    assert len(wanted) >= 2

    def written():
        entries = server.ask(f"/api/tables/{table}/entries")["entries"]
        told = [entry for entry in entries if entry["source"] == "camera" and entry["cards"]]
        return [(entry["seat"], sorted(entry["cards"])) for entry in told]

    until(lambda: len(written()) >= len(wanted) and written(), 150)
    assert written() == wanted


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
