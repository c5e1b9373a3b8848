"""A first visit is light and nothing moves: bytes and requests over the wire, the games in the first paint, and how far
things shift while a page loads and while others play."""

import re
import urllib.request
from contextlib import contextmanager

import pytest

from tests.browser.play import LISTEN, settled

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

MOST_BYTES, MOST_REQUESTS = 70_000, 15
MOST_SHIFT = 0.05
"""What counts as still: the layout shift of a load, and of each action of others."""

SHIFTS = """window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""


@contextmanager
def first_visit(chromium, url):
    """The page as somebody sees it who never was here, and the bytes of each answer that it took."""
    fresh = chromium.new_context(viewport={"width": 390, "height": 844})
    try:
        page = fresh.new_page()
        page.add_init_script(SHIFTS)
        cdp, asked, sizes = fresh.new_cdp_session(page), set(), {}
        cdp.send("Network.enable")
        cdp.on("Network.requestWillBeSent", lambda event: asked.add(event["requestId"]))
        cdp.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
        page.goto(url)
        page.wait_for_load_state("networkidle")
        while not asked <= sizes.keys():  # what has arrived is reported a little later
            page.wait_for_timeout(50)
        yield settled(page), list(sizes.values())
    finally:
        fresh.close()


def test_home_is_light_and_shows_its_games_at_once(chromium, server):
    with urllib.request.urlopen(server.url, timeout=60) as answer:
        assert len(re.findall(r'data-game="', answer.read().decode())) >= 7  # no script has to run
    with first_visit(chromium, server.url) as (page, sizes):
        assert 5 <= len(sizes) <= MOST_REQUESTS
        assert sum(sizes) <= MOST_BYTES
        assert page.evaluate("shifted") <= MOST_SHIFT


def test_what_is_told_of_the_connection_moves_nothing(new_game, own_server):
    play = new_game("three-card-showdown", 4, own=own_server, width=390, height=844)
    page = play.page
    page.evaluate(SHIFTS)
    own_server.kill()
    page.wait_for_selector("#banner:not([hidden])")
    settled(page)
    assert page.locator("#banner p").bounding_box()["height"] > 30
    assert page.evaluate("shifted") < 0.01


@pytest.mark.parametrize("path", ["/decks", "/practice", "/history", "/players"])
def test_every_first_visit_is_light(chromium, server, path):
    with first_visit(chromium, server.url + path) as (page, sizes):
        assert 1 <= len(sizes) <= MOST_REQUESTS
        assert sum(sizes) <= MOST_BYTES
        assert page.evaluate("shifted") <= MOST_SHIFT


# game: players, deck, options, seed, actions before the first look, actions that are watched
GAMES = {
    "three-card-showdown": (4, "52D2", {}, 8, 2, 4),
    "three-card-trick-poker": (2, "M7D1", {"end": "S"}, 8, 14, 6),
    "trading-poker": (3, "", {"end_kinds": "10"}, 8, 0, 9),
    "pokard-trick": (2, "", {"deals": "1"}, 15, 3, 6),
    "aces-king": (3, "", {}, 8, 2, 6),
    "hexa-card": (2, "", {"out": "auto"}, 8, 6, 10),
    "joker-quest": (2, "", {"relative": "starts"}, 8, 13, 6),
    "sixty-five-card-poker": (3, "", {}, 8, 2, 6),
}
SIZES = ((390, 844), (820, 1180), (1280, 800))


@pytest.mark.parametrize("size", [*SIZES, (844, 390), (320, 640)])
def test_nothing_shifts_while_the_demonstration_loads(chromium, server, size):
    context = chromium.new_context(viewport={"width": size[0], "height": size[1]})
    try:
        page = context.new_page()
        page.add_init_script(SHIFTS)
        page.goto(f"{server.url}/demo")
        page.wait_for_selector("body.ready")
        assert settled(page).evaluate("shifted") <= MOST_SHIFT
    finally:
        context.close()


@pytest.mark.parametrize("name", GAMES)
def test_nothing_shifts_while_a_table_loads_and_others_play(new_game, name):
    """Devices of three sizes at one table, each of which only looks at what the bots do, to the end of some games."""
    players, deck, options, seed, before, watched = GAMES[name]
    play = new_game(name, players, deck=deck, options=options, seed=seed, steps=before, width=1280, height=800)
    browser, state = play.page.context.browser, play.page.context.storage_state()
    contexts = []
    try:
        pages = {}
        for width, height in SIZES:
            contexts.append(
                browser.new_context(viewport={"width": width, "height": height}, locale="en", storage_state=state)
            )
            page = pages[width, height] = contexts[-1].new_page()
            page.add_init_script(LISTEN + SHIFTS)
            page.goto(play.url + play.path)
            page.wait_for_selector("body.ready")
            settled(page)
        shifted = {size: [page.evaluate("shifted")] for size, page in pages.items()}
        for _ in range(watched):
            for page in pages.values():
                page.evaluate("shifted = 0")
            play.on(1)
            for size, page in pages.items():
                shifted[size].append(play.shown(page).evaluate("shifted"))
        assert {size: max(found) for size, found in shifted.items() if max(found) > MOST_SHIFT} == {}
    finally:
        for context in contexts:
            context.close()
