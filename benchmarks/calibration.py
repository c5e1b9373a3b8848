"""How long it takes to mark a table on the page, from opening it to the table in use: four ways, in Chromium.

A page that people would tap is tapped by a program, so the figure is the machine's share: loading, finding the table,
the proof (the picture is read), keeping it. What people need beside it is one tap, or four corners.

    python benchmarks/calibration.py            # needs Playwright and a Chromium
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

from companion.vision import images
from companion.vision.camera.calibration import MATS
from companion.vision.images import Pixels

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "tests" / "vision" / "pictures" / "table.jpg"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
SERVE = """
import sys
from pathlib import Path
from companion.server import serve
serve('127.0.0.1', 0, data=Path(sys.argv[1]), camera=sys.argv[2])
"""
PATIENCE = 240_000
WAYS = ("mat", "corners", "cards", "nothing")


def with_mat(pixels: Pixels) -> Pixels:
    """A picture of a table on which a mat's tags lie."""
    mat, scale = MATS["a3"], 3.0
    width, height = round(mat.width * scale), round(mat.height * scale)
    flat = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side, rim = round(mat.tag * scale), round(6 * scale)
    for number in range(4):
        x, y = (round(v * scale) for v in mat.corners(number)[0])
        flat[max(0, y - rim) : y + side + rim, max(0, x - rim) : x + side + rim] = 255
        tag = cv2.aruco.generateImageMarker(dictionary, number, side)
        flat[y : y + side, x : x + side] = tag[: height - y, : width - x, None]
    around = cv2.copyMakeBorder(flat, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(60, 70, 80))
    return np.asarray(around, np.uint8)


def marked(page: Any, url: str, way: str) -> float:
    """Mark the table one way; s from opening the page to being back at the table."""
    began = time.perf_counter()
    page.goto(url + "/calibrate")
    page.wait_for_function("() => document.getElementById('picture').naturalWidth > 100", timeout=PATIENCE)
    if way == "corners":
        box = page.locator("#picture").bounding_box()
        for x, y in ((0.04, 0.05), (0.96, 0.05), (0.96, 0.95), (0.04, 0.95)):
            page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
    else:
        page.click({"mat": "#find-mat", "cards": "#find-cards", "nothing": "#whole"}[way])
    page.wait_for_selector("#save:not([disabled])", timeout=PATIENCE)
    page.click("#save")
    page.wait_for_url(url, timeout=PATIENCE)
    return time.perf_counter() - began


def main() -> None:
    """Measure and print a table."""
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    if chromium is None:
        raise SystemExit("There is no Chromium here.")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as play:
        folder = Path(name)
        picture = folder / "table.png"
        picture.write_bytes(cv2.imencode(".png", with_mat(images.fit(images.load(TABLE), 1280)[0]))[1].tobytes())
        command = [sys.executable, "-u", "-c", SERVE, str(folder / "data"), str(picture)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            assert server.stdout is not None
            url = next(found[0] for line in server.stdout if (found := re.search(r"http://127\.0\.0\.1:\d+", line)))
            page = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"]).new_page()
            page.set_default_timeout(PATIENCE)
            page.goto(f"{url}/owner/{(folder / 'data' / 'owner.key').read_text('ascii')}")
            page.click("[data-game=three-card-showdown]")
            page.fill("[data-player='0']", "Anna")
            page.fill("[data-player='1']", "Ben")
            offered = page.locator("[data-option=camera] option", has_text=picture.name)
            page.select_option("[data-option=camera]", offered.get_attribute("value"))
            page.click("#begin")
            page.wait_for_url("**/tables/**")
            table = url + re.search(r"/tables/\w+", page.url)[0]  # type: ignore[index]
            print(f"load {os.getloadavg()[0]:.1f}\n| way | s |\n|---|--:|")
            for way in WAYS:
                print(f"| {way} | {marked(page, table, way):.1f} |", flush=True)
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
