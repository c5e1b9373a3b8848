"""How many taps an action takes on a phone: bots hold the true cards and say what to do, a phone of 390 × 844 in
Chromium does it on the real page, and every tap is counted, by game and kind of action. Hands that are put forward as
a whole are counted once more where their cards are known: to the table, or to the phone of their owner, who told it.

    python benchmarks/taps.py      # --games N, --hands N a game, --only GAME …, --json; needs Chromium
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Browser, Error, sync_playwright

from tests.browser.play import NAMES, Play
from tests.browser.server import CHROMIUM, FLAGS, Server

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


HANDS = {
    "trading-poker": ("claim",),
    "hexa-card": ("holy", "out"),
    "sixty-five-card-poker": ("open",),
}
"""Actions that put a hand forward."""


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


def put_forward(browser: Browser, server: Server, name: str, seed: int) -> dict[str, list[int]]:
    """One game of which only the `HANDS` are tapped: on the host's phone where the table knows all their cards, else on
    the phone of their owner, which has been told the whole hand; the taps, by kind and who knew."""
    players, deck, options = GAMES[name]
    contexts = [browser.new_context(viewport=PHONE, locale="en", has_touch=True) for _ in range(players + 1)]
    host, *phones = [context.new_page() for context in contexts]
    play = Play(host, server.url, name, NAMES[:players], deck, options, seed)
    play.quick = True
    links = host.request.get(f"{server.url}/api{play.path}/links").json()["links"]
    seats = [re.sub(r"^https?://[^/]+", "", link["url"]) for link in links if link["role"].startswith("seat-")]
    for page, path in zip((host, *phones), (play.path, *seats), strict=True):
        page.clock.install()
        page.goto(server.url + path)
        page.wait_for_selector("body.ready")
    counts: dict[str, list[int]] = {}
    for _ in range(4 * MOST_ACTIONS):
        if (action := play.next()) is None:
            break
        if action.kind not in HANDS[name] or action.seat is None:
            play.post(action)
            continue
        hand = play.table["players"][action.seat]["hand"]
        known = bool(hand) and not Counter(action.cards) - Counter(hand["known"])
        play.page = host if known else phones[action.seat]
        play.page.wait_for_selector(f"[data-seq='{play.table['seq']}']", state="attached")
        if not known:
            holds = play.world.zones()[f"hand:{action.seat}"]
            key = f"hand-{play.table['id']}-{action.seat}"
            play.page.evaluate("([key, cards]) => sessionStorage.setItem(key, JSON.stringify(cards))", [key, holds])
        play.look()
        play.tap(action)
        counts.setdefault(f"{action.kind}, {'known' if known else 'told'}", []).append(play.taps[action.kind][-1])
        play.page = host
        play.look()
    for context in contexts:
        context.close()
    return counts


def counted(browser: Browser, server: Server, name: str, games: int, hands: int) -> dict[str, list[int]]:
    """The taps of every action of a game, by kind. A game that breaks off is told on stderr; what was counted stays."""
    taps: dict[str, list[int]] = {}
    for way, times in ((played, games), (put_forward, hands if name in HANDS else 0)):
        for seed in range(1, times + 1):
            try:
                found = way(browser, server, name, seed)
            except (Error, AssertionError) as error:
                print(
                    f"{name}, {way.__name__}, seed {seed}: {str(error).splitlines()[:1]}", file=sys.stderr, flush=True
                )
                continue
            for kind, counts in found.items():
                taps[kind] = taps.get(kind, []) + counts
    return taps


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--hands", type=int, default=6, help="games of which only hands are tapped")
    parser.add_argument("--only", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as data, sync_playwright() as driver:
        server = Server(Path(data))
        server.start()
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            for name in chosen.only:
                for kind, counts in counted(browser, server, name, chosen.games, chosen.hands).items():
                    mean = round(statistics.mean(counts), 2)
                    row = {"game": name, "action": kind, "times": len(counts), "mean": mean, "most": max(counts)}
                    rows.append(row)
                    if not chosen.json:
                        print(f"{name:24}{kind:16}{len(counts):>6}{mean:>8}{max(counts):>6}", flush=True)
        finally:
            browser.close()
            server.kill()
    if chosen.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
