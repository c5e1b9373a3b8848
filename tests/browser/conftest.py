"""A server of its own and Debian's Chromium, driven by Playwright. Skipped where Chromium is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.play import LISTEN, NAMES, Play, settled
from tests.browser.server import ASKS, CHROMIUM, DEADLINE, FLAGS, Server

AGAIN = [r"^TimeoutError: ", r"^AssertionError: (Locator|Page) expected "]
"""A test that waited in vain, which ends like this, is run once more, and listed as RERUN at the end."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    reruns = config.pluginmanager.hasplugin("rerunfailures")
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if reruns:
                item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=AGAIN))
            if CHROMIUM is None:
                item.add_marker(
                    pytest.mark.skip(reason="Chromium is not installed (Debian: apt install chromium-headless-shell)")
                )


@pytest.fixture(scope="session")
def chromium_file() -> str:
    """The program, for tests that start a browser of their own."""
    assert CHROMIUM is not None
    return CHROMIUM


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    playwright.expect.set_options(timeout=DEADLINE * 1000)
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
def asking_server(tmp_path: Path) -> Iterator[Server]:
    """A server whose cameras ask for a card at every table."""
    flag = tmp_path / "asks"
    flag.touch()
    found = Server(tmp_path / "data")
    found.prelude = ASKS.format(flag=str(flag))
    found.start()
    yield found
    found.kill()


@pytest.fixture
def open_page(chromium: Any, server: Server) -> Iterator[Callable[..., Any]]:
    """Opens a device: a browser of its own with one page. A page that complains in its console fails the test."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def start(path: str = "/", width: int = 1024, height: int = 768, lang: str = "en", **more: Any) -> Any:
        more.setdefault("service_workers", "block")  # a test meets the server itself, unless it says otherwise
        context = chromium.new_context(viewport={"width": width, "height": height}, locale=lang, **more)
        context.set_default_timeout(DEADLINE * 1000)
        contexts.append(context)
        context.add_init_script(LISTEN)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path if path.startswith("http") else server.url + path)
        return page

    yield start
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def new_game(open_page: Callable[..., Any], server: Server) -> Callable[..., Play]:
    """Starts a game on a device of its own and shows its table there. `more` is what `open_page` takes."""

    def start(
        name: str,
        players: int | list[str] = 2,
        *,
        deck: str = "",
        options: dict[str, str] | None = None,
        seed: int = 5,
        steps: int = 0,
        own: Server | None = None,
        quick: bool = False,
        **more: Any,
    ) -> Play:
        url = (own or server).url
        page = open_page(f"{url}/rules", has_touch=True, **more)
        names = NAMES[:players] if isinstance(players, int) else players
        play = Play(page, url, name, names, deck, dict(sorted((options or {}).items())), seed)
        play.on(steps)
        if quick:  # the page's clock goes on by itself, and nobody has to wait for the end of a double tap
            page.clock.install()
            play.quick = True
        page.goto(url + play.path)
        page.wait_for_selector("body.ready")
        settled(page)
        return play

    return start
