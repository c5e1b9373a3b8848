"""A server of its own and Debian's Chromium, driven by Playwright. Skipped where Chromium is missing."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]  # fmt: skip
SERVE = (
    "import sys; from pathlib import Path; from companion.server import serve; "
    "serve('127.0.0.1', int(sys.argv[1]), data=Path(sys.argv[2]), camera=sys.argv[3] or None)"
)
DEADLINE = 60.0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="Chromium is not installed (Debian: apt install chromium)"))


class Server:
    """A server process on a port that stays the same when it is started again."""

    def __init__(self, data: Path, camera: str = "none") -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.data, self.camera = data, camera
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-c", SERVE, str(self.port), str(self.data), self.camera]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            try:
                with urllib.request.urlopen(f"{self.url}/api/tables", timeout=2):
                    return
            except OSError:
                time.sleep(0.1)
        self.kill()
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """As if the power had gone."""
        if self.process is not None:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server of all tests that leave it alone."""
    found = Server(tmp_path_factory.mktemp("server"))
    found.start()
    yield found
    found.kill()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may kill."""
    found = Server(tmp_path / "data")
    found.start()
    yield found
    found.kill()


@pytest.fixture
def open_page(chromium: Any, server: Server) -> Iterator[Callable[..., Any]]:
    """Opens a device: a browser of its own with one page. A page that complains in its console fails the test."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def start(path: str = "/", width: int = 1024, height: int = 768, lang: str = "en", **more: Any) -> Any:
        context = chromium.new_context(viewport={"width": width, "height": height}, locale=lang, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(DEADLINE * 1000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path if path.startswith("http") else server.url + path)
        return page

    yield start
    for context in contexts:
        context.close()
    assert complaints == []
