"""`companion watch` in a process of its own beside a tapped game: killed, it is missed, and nobody waits for it."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import cv2
import numpy as np

from tests.drill.taps import DrillError

MISSED_S = 5.0
"""So soon the page says that the camera is gone."""


@cache
def bare_cloth() -> Path:
    """A minute of a table on which nothing lies."""
    file = Path(mkdtemp(prefix="drill-film-")) / "cloth.mp4"
    chance = np.random.default_rng(1)
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"mp4v"), 10, (640, 360))
    for _ in range(600):
        writer.write(np.clip(chance.normal((60, 110, 70), 4, (360, 640, 3)), 0, 255).astype(np.uint8))
    writer.release()
    return file


def killed(server: str, token: str, state: Callable[[], dict[str, Any]], patience: float) -> None:
    """Start a watcher for the table, kill it when its pictures come, and see it missed. Raises DrillError."""
    command = [sys.executable, "-m", "companion", "watch", "--server", server, "--token", token]
    process = subprocess.Popen(
        [*command, "--camera", str(bare_cloth())], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        until(lambda: state()["state"] == "ok" or process.poll() is not None, patience, "no picture came")
    finally:
        process.kill()
        said = process.communicate()[0]
    if "Traceback" in said or re.search(r"^Error", said, re.M):
        raise DrillError(f"the watcher said {said}")
    until(lambda: state()["state"] == "lost", MISSED_S, "nobody says that the camera is gone")
    if not state()["text"]:
        raise DrillError("the page does not say that the camera is gone")


def until(condition: Callable[[], bool], patience: float, otherwise: str) -> None:
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            raise DrillError(otherwise)
        time.sleep(0.1)
