"""Nothing leaves the house: no command asks for a name in the network, and none leaves a file in the user's home that
nobody wanted. A library that reads our networks does both of its own accord, unless it is told not to in time."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

RECORD = next((Path(__file__).parent / "records").glob("*.txt"))
COMMANDS = {
    "read": ["read", "--json", "picture.png"],
    "hand": ["hand", "--ranking", "52D2", "5S", "5S", "9H"],
    "odds": ["odds", "52D1"],
    "referee": ["referee", str(RECORD)],
    "simulate": ["simulate", "three-card-showdown", "--games", "4"],
    "doctor": ["doctor", "--port", "48767"],
    "games": ["games"],
    "decks": ["decks"],
    "rankings": ["rankings"],
    "mat": ["mat", "joker-quest", "--out", "mat.pdf"],
    "new-game": ["new-game", "my-game", "--into", "games"],
}
OURS = "table-companion"
PROBE = "192.0.2.1"
"""An address of a network that does not exist; `serve` finds its own address with it and sends nothing."""


def home(folder: Path) -> dict[str, str]:
    """An environment whose every path of the user lies in `folder`, and in which no library knows that it is tested."""
    hidden = ("CI", "GITHUB_", "TF_BUILD", "PYTEST_", "ORT_", "XDG_", "COMPANION_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    return {**kept, "HOME": str(folder), "TMPDIR": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


def run(arguments: list[str], folder: Path, traced: Path | None = None) -> None:
    """Run a command to its end; `serve` until its demonstration has read cards."""
    watch = ["strace", "-f", "-qq", "-e", "trace=connect,openat", "-o", str(traced)] if traced else []
    command = [*watch, sys.executable, "-m", "companion.cli", *arguments]
    out = (folder.parent / "out").open("wb")
    with out, subprocess.Popen(command, cwd=folder.parent, env=home(folder), stdout=out, stderr=out) as process:
        if arguments[0] == "serve":
            deadline = time.monotonic() + 120
            while "http://" not in (folder.parent / "out").read_text() and time.monotonic() < deadline:
                time.sleep(0.2)
            time.sleep(12 if traced else 5)  # the reader starts behind the page; a look-up would come after a while
            process.send_signal(signal.SIGINT) if not traced else subprocess.run(
                ["pkill", "-INT", "-P", str(process.pid)], check=True
            )
        try:
            assert process.wait(timeout=180) == 0, (folder.parent / "out").read_text()
        finally:
            process.kill()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "picture.png"), np.full((480, 640, 3), 90, np.uint8))
    found = tmp_path / "home"
    found.mkdir()
    return found


SERVE = ["serve", "--port", "0", "--host", "127.0.0.1", "--camera", "none"]


@pytest.mark.parametrize("name", [*COMMANDS, "serve"])
def test_no_command_leaves_anything_in_the_home_but_the_games(name: str, folder: Path) -> None:
    run(COMMANDS.get(name, SERVE), folder)
    left = [str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file() and OURS not in file.parts]
    assert left == []


def test_the_library_that_tells_is_told_before_any_of_our_modules_can_load_it(folder: Path) -> None:
    """Whatever is imported first, the package itself comes before it."""
    code = "import os, companion.vision.reading.runtime as r; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    code += "\nimport sys; print(list(sys.modules).index('companion') < list(sys.modules).index('onnxruntime'))"
    done = subprocess.run([sys.executable, "-c", code], env=home(folder), capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "True"]


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_the_server_asks_for_no_name_and_no_address(folder: Path) -> None:
    traced = folder.parent / "trace"
    run(SERVE, folder, traced)
    calls = traced.read_text(errors="replace")
    assert "openat(" in calls
    asked = re.findall(r'connect\(.*?port=htons\((\d+)\).*?inet_(?:addr|pton)\((?:AF_INET6, )?"([^"]+)"', calls)
    assert [(port, to) for port, to in asked if to != PROBE and (to != "127.0.0.1" or port in {"53", "443"})] == []
    assert "resolv.conf" not in calls
