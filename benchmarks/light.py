"""What a first visit costs: requests and bytes over the wire, how long until the page can be used on a processor four
times slower than this one (median, range, and the work in it), and how far things shift meanwhile, for every screen
that a phone opens, tables with few and with all players.

    python benchmarks/light.py            # --rounds N, --only NAME, --json; needs the dev extra and Chromium
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Browser, sync_playwright
from taps import GAMES

from companion.games import game
from tests.browser.play import NAMES, Play
from tests.browser.server import CHROMIUM, FLAGS, Server
from tests.browser.test_light import SHIFTS

PHONE = {"width": 390, "height": 844}
SLOWER = 4
STEPS = 40
"""A table is measured after so many actions: then most cards lie open."""

WORK = {"script": "ScriptDuration", "style": "RecalcStyleDuration", "layout": "LayoutDuration", "all": "TaskDuration"}
"""What the page's thread did until then, beside the clock, which also counts what it waited for."""

USABLE = """window.usable = null;
const look = () => {
  if (usable === null && document.body && document.body.matches(".ready")) usable = performance.now();
};
new MutationObserver(look).observe(document, { subtree: true, childList: true, attributeFilter: ["class"] });
document.addEventListener("DOMContentLoaded", () => {
  if (usable === null && !document.body.matches(".table")) usable = performance.now(); // its scripts have run
});"""


def visit(browser: Browser, url: str, rate: int) -> dict[str, float]:
    """One visit of a device that has never been here; times in ms, bytes as they came over the wire."""
    context = browser.new_context(viewport=PHONE, locale="en", service_workers="block")
    try:
        page = context.new_page()
        page.add_init_script(SHIFTS)
        page.add_init_script(USABLE)
        cdp, sizes = context.new_cdp_session(page), {}
        cdp.send("Network.enable")
        cdp.send("Performance.enable", {"timeDomain": "threadTicks"})  # of this thread alone, not of a busy machine
        cdp.send("Emulation.setCPUThrottlingRate", {"rate": rate})
        cdp.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
        page.goto(url)
        page.wait_for_function("() => usable !== null", timeout=60_000)
        usable = page.evaluate("usable")
        work = {one["name"]: one["value"] * 1000 for one in cdp.send("Performance.getMetrics")["metrics"]}
        cdp.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        page.wait_for_function("() => Array.from(document.images).every((image) => image.complete)")
        page.wait_for_timeout(700)  # what has arrived is reported a little later
        return {
            "requests": sum(size > 0 for size in sizes.values()),  # a card that came with its deck has none
            "bytes": sum(sizes.values()),
            "usable": usable,
            **{kind: work[name] for kind, name in WORK.items()},
            "shift": page.evaluate("shifted"),
        }
    finally:
        context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="a regular expression")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    rows: list[dict[str, Any]] = []
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as data, sync_playwright() as driver:
        server = Server(Path(data))
        server.start()
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            ways: dict[str, Any] = {
                "home": "/",
                "decks": "/decks",
                "practice": "/practice",
                "demo": "/demo",
                "history": "/history",
            }
            for name, (players, deck, options) in GAMES.items():
                ways[f"{name}-{players}"] = (players, deck, options)
                if (most := game(name).most_players) > players:
                    ways[f"{name}-{most}"] = (most, "", {})
            for name, path in ways.items():
                if not re.search(chosen.only, name):
                    continue
                if not isinstance(path, str):
                    page = browser.new_context().new_page()
                    players, deck, options = path
                    names = [f"{NAMES[n % len(NAMES)]} {n}" for n in range(max(2, players))]
                    play = Play(page, server.url, name.rpartition("-")[0], names, deck, options, 5)
                    play.on(STEPS)
                    path = play.path
                seen = [visit(browser, server.url + path, SLOWER) for _ in range(chosen.rounds)]
                times = [one["usable"] for one in seen]
                rows.append(
                    {
                        "screen": name,
                        "requests": round(statistics.median(one["requests"] for one in seen)),
                        "KB": round(statistics.median(one["bytes"] for one in seen) / 1000, 1),
                        "usable_ms": round(statistics.median(times)),
                        "range_ms": [round(min(times)), round(max(times))],
                        "work_ms": {kind: round(statistics.median(one[kind] for one in seen)) for kind in WORK},
                        "shift": round(max(one["shift"] for one in seen), 3),
                    }
                )
                if not chosen.json:
                    print(*rows[-1].values(), sep="\t", flush=True)
        finally:
            browser.close()
            server.kill()
    print(json.dumps({"load": load, "rows": rows}) if chosen.json else f"load at the start: {load:.1f}")


if __name__ == "__main__":
    main()
