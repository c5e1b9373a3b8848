"""Cards as a phone draws them, 32 px wide: each is still told from every other one of the decks, even out of focus, and
its sign is high and dark enough to be read."""

import io
from functools import cache

import cv2
import numpy as np
import pytest
from PIL import Image

from companion.cards import NAMES, deck

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

WIDTH, HEIGHT, ACROSS = 32, 45, 12
DECKS = ("54", "trading", "M9D4C3", "T52D1", "65", "hanafuda")
"""Together they hold every face of the ready-made decks."""

SHOWN = """async ([cards, width, height]) => {
  document.body.innerHTML = "";
  document.body.style.cssText = "margin:0;background:#fff";
  await Promise.all(Object.values(cards).map((svg, i) => new Promise((done) => {
    const img = new Image();
    img.style.cssText = `position:absolute;width:${width}px;height:${height}px;`
      + `left:${40 * (i % 12)}px;top:${50 * Math.floor(i / 12)}px`;
    img.onload = done;
    img.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    document.body.append(img);
  })));
}"""

FEWER = 24, 34
"""Pixels of a card that is seen out of focus."""

LEAST_MARGIN = 1.2
"""So much nearer, at least, is a card out of focus to itself than to any other face."""

LEAST_SIGN = 9
"""Height (px) of what stands largest on a card: on a screen held at 40 cm, letters of a newspaper."""

LEAST_CONTRAST = 3.0
"""What WCAG 2.1 asks of graphics (1.4.11)."""


@pytest.fixture(scope="module")
def drawn(chromium, server):
    """All faces of a deck, as pixels of (n, height, width, 3): ``drawn(deck, width, height)``, both in px."""
    page = chromium.new_page(viewport={"width": 480, "height": 400})

    @cache
    def draw(name, width=WIDTH, height=HEIGHT):
        page.goto(f"{server.url}/rules")
        cards = page.request.get(f"{server.url}/cards/{name}.json").json()
        page.evaluate(SHOWN, [cards, width, height])
        pixels = np.asarray(Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB"), float)
        at = [(50 * (i // ACROSS), 40 * (i % ACROSS)) for i in range(len(cards))]
        return list(cards), np.stack([pixels[y : y + height, x : x + width] for y, x in at])

    yield draw
    page.close()


def luminance(pixels):
    """Relative luminance (WCAG 2.1), 0 to 1."""
    linear = np.where(pixels <= 10.0, pixels / 255 / 12.92, ((pixels / 255 + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def test_no_face_of_any_deck_is_left_out():
    assert {face for name in NAMES for face in deck(name).codes} == {f for name in DECKS for f in deck(name).codes}


@pytest.mark.parametrize("name", DECKS)
def test_each_card_is_itself_even_out_of_focus(drawn, name):
    codes, known = drawn(name)
    _, fewer = drawn(name, *FEWER)
    seen = np.stack([cv2.resize(card, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR) for card in fewer])
    apart = np.sqrt(((seen[:, None] - known[None]) ** 2).mean((2, 3, 4)))
    own = apart.diagonal()
    others = apart + np.where(np.eye(len(codes), dtype=bool), np.inf, 0)
    margin = others.min(1) / own
    assert {codes[i]: (codes[others[i].argmin()], margin[i]) for i in np.flatnonzero(margin < LEAST_MARGIN)} == {}


@pytest.mark.parametrize("name", DECKS)
def test_the_sign_of_each_card_is_high_and_dark_enough(drawn, name):
    codes, sharp = drawn(name)
    light = luminance(sharp[:, 2:-2, 2:-2])
    paper = np.quantile(light, 0.9, axis=(1, 2), keepdims=True)
    ink = (paper + 0.05) / (light + 0.05) >= LEAST_CONTRAST
    rows = ink.any(2)
    high = [max(map(len, "".join("#" if row else " " for row in card).split()), default=0) for card in rows]
    assert {code: size for code, size in zip(codes, high, strict=True) if size < LEAST_SIGN} == {}
