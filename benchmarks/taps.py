"""How many taps an action takes on a phone: bots hold the true cards and say what to do, a phone of 390 × 844 in
Chromium does it on the real page, and every tap is counted, by game and kind of action.

    python benchmarks/taps.py            # --games N a game, --json; needs the dev extra and Chromium
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "browser"))

from conftest import CHROMIUM, FLAGS, NAMES, Play, Server
from playwright.sync_api import Browser, sync_playwright

PHONE = {"width": 390, "height": 844}
MOST_ACTIONS = 80
GAMES: dict[str, tuple[int, str, dict[str, str]]] = {
    "three-card-showdown": (3, "52D2", {}),
    "three-card-trick-poker": (2, "M7D1", {"end": "S"}),
    "trading-poker": (3, "", {"end_kinds": "10"}),
    "pokard-trick": (2, "", {"deals": "1"}),
    "aces-king": (3, "", {}),
    "hexa-card": (2, "", {}),
    "joker-quest": (2, "", {"relative": "starts"}),
    "sixty-five-card-poker": (3, "", {}),
}
"""Players, deck and options of the games."""


def played(browser: Browser, server: Server, name: str, seed: int) -> dict[str, list[int]]:
    """One game on a phone of its own, to its end or for a good while; the taps of every action, by kind."""
    players, deck, options = GAMES[name]
    context = browser.new_context(viewport=PHONE, locale="en", has_touch=True)
    context.set_default_timeout(60_000)
    page = context.new_page()
    play = Play(page, server.url, name, NAMES[:players], deck, options, seed)
    page.clock.install()
    play.quick = True
    page.goto(server.url + play.path)
    page.wait_for_selector("body.ready")
    for _ in range(MOST_ACTIONS):
        action = play.next()
        if action is None:
            break
        play.tap(action)
    context.close()
    return play.taps


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--only", choices=GAMES)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as data, sync_playwright() as driver:
        server = Server(Path(data))
        server.start()
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            for name in [chosen.only] if chosen.only else GAMES:
                taps: dict[str, list[int]] = {}
                for seed in range(1, chosen.games + 1):
                    for kind, counts in played(browser, server, name, seed).items():
                        taps[kind] = taps.get(kind, []) + counts
                for kind, counts in taps.items():
                    mean = round(statistics.mean(counts), 2)
                    row = {"game": name, "action": kind, "times": len(counts), "mean": mean, "most": max(counts)}
                    rows.append(row)
                    if not chosen.json:
                        print(f"{name:24}{kind:14}{len(counts):>6}{mean:>8}{max(counts):>6}", flush=True)
        finally:
            browser.close()
            server.kill()
    if chosen.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
