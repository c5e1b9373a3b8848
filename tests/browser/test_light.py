"""A first visit is light and nothing moves: bytes and requests over the wire, the games in the first paint, and how far
things shift while a page loads and while others play."""

import re
import urllib.request

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

MOST_BYTES, MOST_REQUESTS = 70_000, 15
MOST_SHIFT = 0.05
"""What counts as still: the layout shift of a load, and of each action of others."""

SHIFTS = """window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""


def test_home_is_light_and_shows_its_games_at_once(chromium, server):
    with urllib.request.urlopen(server.url, timeout=60) as answer:
        assert len(re.findall(r'data-game="', answer.read().decode())) >= 7  # no script has to run
    fresh = chromium.new_context(viewport={"width": 390, "height": 844})
    try:
        page = fresh.new_page()
        page.add_init_script(SHIFTS)
        cdp, sizes = fresh.new_cdp_session(page), []
        cdp.send("Network.enable")
        cdp.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        page.goto(server.url)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(300)  # what has arrived is reported a little later
        assert 5 <= len(sizes) <= MOST_REQUESTS
        assert sum(sizes) <= MOST_BYTES
        assert page.evaluate("shifted") <= MOST_SHIFT
    finally:
        fresh.close()


@pytest.mark.parametrize(
    ("name", "width", "height"), [("aces-king", 1280, 800), ("aces-king", 390, 844), ("trading-poker", 1280, 800)]
)
def test_nothing_shifts_while_a_table_loads_and_others_play(new_game, name, width, height):
    play = new_game(name, 3, seed=8, steps=2, width=width, height=height)
    page = play.page
    page.add_init_script(SHIFTS)
    page.reload()
    page.wait_for_selector("body.ready")
    assert page.evaluate("shifted") <= MOST_SHIFT
    for _ in range(8):
        before = page.evaluate("shifted")
        play.on(1)
        page.wait_for_selector(f"[data-seq='{play.table['seq']}']", state="attached")
        page.wait_for_timeout(100)
        assert page.evaluate("shifted") - before <= MOST_SHIFT
