"""Takes the pictures of README.md and docs/players.md again: ``python tests/browser/pictures.py [FOLDER]`` (needs the
dev extra)."""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.play import Play
from tests.browser.server import CHROMIUM, FLAGS, Server

TABLET, TALL, PHONE = (1280, 800), (820, 1180), (390, 844)
PEOPLE = {"en": ["Anna", "Ben", "Chloe", "David"], "ja": ["千代", "大地", "あかり", "ケン"]}


def foul(play: Play) -> None:
    """A card that lies there already is laid once more."""
    laid = play.table["entries"][-1]["cards"]
    play.page.click("[data-kind=lay]")
    play.tap_cards([card for card in ("AS", "KH", "9C", "JD", "4H") if card not in laid][:2])
    play.tap_cards(laid[:1])
    play.page.click(".why button")
    play.page.wait_for_selector(".foul-box")


def picker(play: Play) -> None:
    """Two of three cards are chosen."""
    play.page.click("[data-kind=lay]")
    play.tap_cards(("KH", "10D"))


# name: size, theme, language, game, players, deck, options, seed, actions before the picture (99: to the end), then
PICTURES: dict[str, tuple[Any, ...]] = {
    "tablet-en-light": (TABLET, "light", "en", "three-card-showdown", 4, "52D2", {}, 11, 4, None),
    "tablet-en-dark": (TABLET, "dark", "en", "sixty-five-card-poker", 3, "", {}, 1, 99, None),
    "tablet-ja-light": (TABLET, "light", "ja", "trading-poker", 3, "", {}, 8, 12, None),
    "tablet-ja-dark": (TALL, "dark", "ja", "pokard-trick", 3, "", {"deals": "1"}, 34, 12, None),
    "phone-en-light": (PHONE, "light", "en", "aces-king", 3, "", {}, 22, 11, None),
    "phone-en-dark": (PHONE, "dark", "en", "three-card-showdown", 3, "52D1", {}, 4, 1, picker),
    "phone-ja-light": (PHONE, "light", "ja", "hexa-card", 3, "", {}, 7, 99, None),
    "phone-ja-dark": (PHONE, "dark", "ja", "joker-quest", 2, "", {"relative": "starts"}, 32, 8, None),
    "foul": (TABLET, "light", "en", "three-card-showdown", 3, "52D1", {}, 15, 1, foul),
}


def take(browser: Any, server: Server, picture: tuple[Any, ...]) -> Image.Image:
    """One picture, as the screen shows it."""
    (width, height), theme, lang, name, players, deck, options, seed, steps, then = picture
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=theme, locale=lang, has_touch=True
    )
    page = context.new_page()
    play = Play(page, server.url, name, PEOPLE[lang][:players], deck, options, seed)
    play.on(steps)
    page.goto(server.url + play.path)
    page.wait_for_selector("body.ready")
    act: Callable[[Play], None] | None = then
    if act is not None:
        act(play)
    page.wait_for_selector(".resting", state="detached")
    page.evaluate("Promise.all(Array.from(document.images, (image) => image.decode().catch(() => null)))")
    shot = Image.open(io.BytesIO(page.screenshot()))
    context.close()
    return shot


def demo(browser: Any, server: Server, file: Path) -> None:
    """The recorded game after its first round, as the camera has read it."""
    width, height = TABLET
    page = browser.new_context(viewport={"width": width, "height": height}, locale="en").new_page()
    page.goto(f"{server.url}/tables/demo")
    page.wait_for_selector("#results:not(:empty)", timeout=300_000)
    page.wait_for_selector("[data-zone^='hand:3'] .card img")
    page.evaluate("Promise.all(Array.from(document.images, (image) => image.decode().catch(() => null)))")
    page.wait_for_timeout(1_000)  # the last card has come to rest
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    shot.quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)
    print(file, file.stat().st_size)
    page.context.close()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as driver:
        server = Server(Path(data))
        server.start()
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            demo(browser, server, folder.parent / "page.png")
            for name, picture in PICTURES.items():
                file = folder / f"{name}.webp"
                take(browser, server, picture).save(file, quality=82, method=6)
                print(file, file.stat().st_size)
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "docs" / "pictures")
