"""Takes the pictures of the first evening in docs/install.md again: ``python tests/browser/evening.py [FOLDER]`` (needs
the dev extra). The camera is the recording of the demo."""

from __future__ import annotations

import io
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.server import CHROMIUM, FLAGS, Server

ROOT = Path(__file__).parents[2]
FILM = ROOT / "calibration" / "demo" / "showdown.mp4"
WIDE = (1000, 700)
WIDTH = 800
"""Pictures are made so wide (px): enough to read them beside the text."""


def shot(page: Any, file: Path) -> None:
    page.wait_for_load_state("load")
    page.evaluate("Promise.all(Array.from(document.images, (image) => image.decode().catch(() => null)))")
    picture = Image.open(io.BytesIO(page.screenshot()))
    picture = picture.resize((WIDTH, round(picture.height * WIDTH / picture.width)), Image.Resampling.LANCZOS)
    picture.convert("RGB").save(file, quality=78, method=6)
    print(file, file.stat().st_size)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as driver:
        server = Server(Path(data), str(FILM))
        server.start()
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            evening(browser, server, (Path(data) / "owner.key").read_text().strip(), folder)
        finally:
            browser.close()
            server.kill()


def evening(browser: Any, server: Server, owner: str, folder: Path) -> None:
    width, height = WIDE
    page = browser.new_context(viewport={"width": width, "height": height}, locale="en").new_page()
    page.goto(f"{server.url}/owner/{owner}")
    shot(page, folder / "1-home.webp")
    cameras = page.request.get(f"{server.url}/api/cameras").json()["cameras"]
    film = next(camera["source"] for camera in cameras if camera["source"] != "phone")
    setup = {
        "game": "three-card-showdown",
        "players": ["Anna", "Ben", "Chloe", "David"],
        "deck": "52D2",
        "camera": film,
    }
    table = page.request.post(f"{server.url}/api/tables", data={**setup, "camera": film}).json()["id"]
    page.goto(f"{server.url}/tables/{table}/join")
    shot(page, folder / "3-join.webp")
    page.goto(f"{server.url}/tables/{table}/calibrate")
    time.sleep(8)  # the film is played to its first result
    page.click("#whole")
    page.wait_for_selector("#save:not([disabled])")
    shot(page, folder / "2-mark.webp")
    page.click("#save")
    page.wait_for_url(lambda url: "calibrate" not in url)
    page.goto(f"{server.url}/tables/{table}")
    page.wait_for_selector("body.ready")
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if len(page.request.get(f"{server.url}/api/tables/{table}").json()["table"]["entries"]) >= 5:
            break
        time.sleep(1)
    time.sleep(2)
    shot(page, folder / "4-play.webp")
    page.goto(f"{server.url}/history/{table}")
    page.wait_for_selector("body.ready")
    shot(page, folder / "5-history.webp")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "evening")
