"""Takes a picture of every screen: ``python tests/browser/gallery.py FOLDER [GAME …]`` (needs the dev extra). Each game
is played to its end by taps on six devices at one table, of six sizes, in both languages and both themes, that take
turns; all of them are photographed at the start, in the middle, with a foul, with a question of the camera and at the
end. A page that complains in its console or is wider than its screen is said at the end, and the exit code is 1."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.play import Play
from tests.browser.server import ASKS, CHROMIUM, FLAGS, Server

SIZES = ((1920, 1080), (1280, 800), (820, 1180), (390, 844), (844, 390), (320, 640))
PEOPLE = ("千代", "Benjamin", "あかり", "David", "Emi")
GAMES: dict[str, tuple[int, str, dict[str, str], int]] = {
    "three-card-showdown": (4, "52D2", {}, 11),
    "three-card-trick-poker": (3, "M7D2", {"end": "S"}, 33),
    "trading-poker": (3, "", {"end_kinds": "10"}, 12),
    "pokard-trick": (2, "", {"deals": "1"}, 15),
    "aces-king": (4, "", {}, 22),
    "hexa-card": (2, "", {"out": "auto"}, 2),
    "joker-quest": (2, "", {"relative": "starts"}, 32),
    "sixty-five-card-poker": (4, "", {}, 1),
}
"""Players, deck, options and seed of each game."""
ENDLESS = 13
"""So many actions of a game that goes on as long as the table likes; then it is ended."""


DECODED = """Promise.all(Array.from(document.images).filter((image) => image.complete || image.loading !== "lazy")
  .map((image) => image.decode().catch(() => null)))"""
"""Pictures far below the screen may wait."""


class Gallery:
    """Where pictures go, and what was wrong with the pages."""

    def __init__(self, browser: Browser, server: Server, folder: Path) -> None:
        self.browser, self.server, self.folder = browser, server, folder
        self.wrong: list[str] = []

    def device(self, size: tuple[int, int], lang: str, theme: Any, state: Any = None) -> Page:
        """A device of its own."""
        width, height = size
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, locale=lang, color_scheme=theme, has_touch=True,
            storage_state=state, service_workers="block",
        )  # fmt: skip
        context.set_default_timeout(90_000)
        page = context.new_page()
        page.on("pageerror", lambda error: self.wrong.append(f"{page.url}: {error}"))
        return page

    def shot(self, page: Page, name: str, full: bool = False) -> None:
        """Take a picture, and see that nothing is wider than the screen."""
        page.evaluate(DECODED)
        page.wait_for_timeout(150)
        page.screenshot(path=self.folder / f"{name}.png", full_page=full)
        wide, screen = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        if wide > screen and not page.url.endswith(".svg"):  # a picture to save is as large as it is
            self.wrong.append(f"{name}: {wide} px wide on a screen of {screen} px")

    def game(self, name: str, turn: int) -> None:
        """One game from its first action to its end."""
        count, deck, options, seed = GAMES[name]
        host = self.device(SIZES[0], "en", "light")
        play = Play(host, self.server.url, name, list(PEOPLE[:count]), deck, options, seed)
        state = host.context.storage_state()
        devices = []
        for i, size in enumerate(SIZES):
            lang, theme = ("ja", "en")[(i + turn) % 2], ("light", "dark")[(i + turn // 2) % 2]
            page = self.device(size, lang, theme, state)
            page.clock.install()
            page.goto(self.server.url + play.path)
            page.wait_for_selector("body.ready")
            devices.append((f"{size[0]}x{size[1]}-{lang}-{theme}", page))
        play.quick = True

        def shots(moment: str) -> None:
            for _, page in devices:
                page.wait_for_selector(f"[data-seq='{play.table['seq']}']", state="attached")
            for what, page in devices:
                self.shot(page, f"{name}-{moment}-{what}")

        shots("1start")
        steps, foul = 0, False
        while (action := play.next()) is not None and steps < (ENDLESS if name == "three-card-showdown" else 200):
            play.page = devices[steps % len(devices)][1]
            play.tap(action)
            steps += 1
            if steps == 7:
                shots("2middle")
            if steps >= 4 and not foul and (foul := self.foul(play)):
                shots("3foul")
                self.tell(play, {"intent": "take-back", "of": play.table["pending"][0]["seq"]})
            if steps == 9:
                self.question(devices, f"{name}-4question")
        if name == "three-card-showdown":
            self.tell(play, {"intent": "finish"})
        shots("5end")
        print(name, steps, "actions", "" if foul else "no foul found", flush=True)
        for _, page in devices:
            page.context.close()
        host.context.close()

    def foul(self, play: Play) -> bool:
        """Lay more copies of a card than there are, or what lies there already; True when that is a foul that waits."""
        lying = [c["face"] for z in play.table["zones"] for c in z["cards"] if c["face"]]
        for prompt in play.table["prompts"]:
            slot = prompt["slot"]
            if not slot or not slot["most"] or slot["side"] == "down" or not lying:
                continue
            args = {choice["name"]: choice["values"][0]["value"] for choice in prompt["choices"]}
            count = max(1, slot["least"])
            often = max(lying, key=lying.count)
            for cards in ([often] * count, lying[:count]):
                action = {"kind": prompt["kind"], "seat": prompt["seat"], "cards": cards, "args": args}
                self.tell(play, {"intent": "act", "action": action})
                if play.table["pending"]:
                    return True
                self.tell(play, {"intent": "take-back", "of": play.table["entries"][-1]["seq"]})
        return False

    def tell(self, play: Play, body: dict[str, Any]) -> None:
        """Something that is told by another device."""
        sent = {**body, "seq": play.table["seq"], "key": f"gallery-{play.table['seq']}-{body['intent']}"}
        answer = play.page.request.post(f"{play.url}/api{play.path}/intents", data=sent)
        assert answer.ok, answer.text()
        play.table = answer.json()["table"]

    def question(self, devices: list[tuple[str, Page]], name: str) -> None:
        flag = self.server.data / "asks"
        flag.touch()
        for what, page in devices:
            page.reload()
            page.wait_for_selector("body.ready")
            page.wait_for_selector(".question", state="attached")
            self.shot(page, f"{name}-{what}")
        flag.unlink()
        for _, page in devices:
            page.reload()
            page.wait_for_selector("body.ready")

    def pages(self) -> None:
        """Every screen that is no table."""
        made = self.device(SIZES[0], "en", "light")
        owner = (self.server.data / "owner.key").read_text().strip()
        tables = []
        for name, deck in (("three-card-showdown", "52D2"), ("trading-poker", "")):
            play = Play(made, self.server.url, name, list(PEOPLE[:3]), deck, {}, 4)
            play.on(9)
            tables.append(play.path)
        self.tell(
            Play(made, self.server.url, "three-card-showdown", ["千代", "Benjamin"], "52D1", {}, 4),
            {"intent": "finish"},
        )
        ended = Play(made, self.server.url, "trading-poker", list(PEOPLE[:3]), "", {"end_kinds": "10"}, 12)
        ended.on(200)
        practice = made.request.post(f"{self.server.url}/api/practice", data={"game": "hexa-card"}).json()["url"]
        state, newest = made.context.storage_state(), tables[0].rsplit("/", 1)[1]
        over = ended.path.rsplit("/", 1)[1]
        made.goto(f"{self.server.url}/tables/demo")  # somebody looks on: the recording plays
        made.wait_for_selector(".event.acted .by-camera", state="attached", timeout=300_000)
        ways = {
            "home": "/", "join": f"{tables[0]}/join", "zones": "/tables/demo/zones",
            "calibrate": "/tables/demo/calibrate", "untold": f"{tables[0]}/zones",
            "demo-live": "/tables/demo", "board": f"{tables[1]}/board", "history": f"/history/{newest}",
            "games": "/history", "players": "/players",
            "practice": "/practice", "rules": "/rules/trading-poker", "odds": "/odds", "install": "/install",
            "sheet": f"/history/{newest}/sheet", "decks": "/decks", "player": "/players/千代",
            "sheet-whole": f"/history/{over}/sheet", "history-whole": f"/history/{over}",
            "history-demo": "/history/demo", "result": f"/history/{over}/result.svg",
            "deck": "/decks?deck=65", "deck-tiles": "/decks?deck=M7D1",
            "enrol": "/decks/enrol?deck=65", "phone": f"{tables[0]}/camera", "practice-table": practice,
            "guided": f"{tables[1]}#guide",
        }  # fmt: skip
        for i, size in enumerate(SIZES):
            for j, (name, path) in enumerate(ways.items()):
                lang, theme = ("ja", "en")[(i + j) % 2], ("light", "dark")[(i + j // 2) % 2]
                page = self.device(size, lang, theme, state)
                page.goto(f"{self.server.url}/owner/{owner}")
                page.goto(self.server.url + path)
                page.wait_for_load_state("load")
                page.wait_for_timeout(700)
                self.shot(page, f"page-{name}-{size[0]}x{size[1]}-{lang}-{theme}")
                if name == "home":
                    page.click("[data-game=three-card-trick-poker]")
                    page.wait_for_selector("#begin")
                    self.shot(page, f"page-setup-{size[0]}x{size[1]}-{lang}-{theme}")
                page.context.close()
            for step, name in ((0, "start"), (2, "foul"), (5, "question"), (7, "end")):
                page = self.device(size, ("ja", "en")[i % 2], ("light", "dark")[(i + step) % 2])
                page.goto(f"{self.server.url}/demo")
                page.wait_for_selector("body.ready")
                for _ in range(step):
                    page.click("[data-key=next]")
                self.shot(page, f"page-demo-{name}-{size[0]}x{size[1]}")
                page.context.close()
            fresh = self.device(size, ("en", "ja")[i % 2], ("light", "dark")[i % 2])
            fresh.goto(self.server.url)
            self.shot(fresh, f"page-welcome-{size[0]}x{size[1]}")
            fresh.context.close()
        made.context.close()


def main(folder: Path, names: list[str]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as driver:
        server = Server(Path(data))
        server.prelude = ASKS.format(flag=str(Path(data) / "asks"))
        server.start()
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        gallery = Gallery(browser, server, folder)
        try:
            for turn, name in enumerate(GAMES):
                if not names or name in names:
                    gallery.game(name, turn)
            if not names or "pages" in names:
                gallery.pages()
        finally:
            browser.close()
            server.kill()
    print(*gallery.wrong, sep="\n")
    return 1 if gallery.wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
