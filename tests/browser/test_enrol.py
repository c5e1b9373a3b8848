"""A deck is shown to a camera on its page: the card that is wanted, the tick, the end; deleted from its page."""

from __future__ import annotations

import cv2
import pytest

from tests.browser.play import settled

pytest.importorskip("PIL", reason="invented decks are drawn with what training needs")

from companion import resources
from companion.shelf import put
from companion.training.decks import scenes
from companion.training.decks.invented import HELDOUT, Invented
from companion.vision.decks.photographs import BadPhotographError, the_card

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
DRAWN = Invented(HELDOUT + 9, "clear", 3, 2)
TOML = (
    '[deck]\nname = { en = "Harbour", ja = "港" }\nseparator = "."\n'
    '[[suits]]\ncode = "m0"\nname = { en = "Blue", ja = "青" }\ncolour = "red"\n'
    + "".join(f'[[pictures]]\ncode = "p{k}"\nname = {{ en = "Tide {k}", ja = "潮{k}" }}\n' for k in range(3))
)


@pytest.fixture
def harbour(own_server, tmp_path_factory: pytest.TempPathFactory):
    """A server whose camera is a folder of photographs, with a deck on its shelf."""
    if not list((resources.models() / "detector").glob("*.onnx")):
        pytest.skip("the weights are not in this checkout")
    folder = tmp_path_factory.mktemp("shown")
    for code in ("p0.m0", "p1.m0", "p2.m0"):
        for seed in range(8, 20):
            picture = scenes.photograph(DRAWN, code, seed)[0]
            try:
                the_card(picture, ())
            except BadPhotographError:
                continue
            cv2.imwrite(str(folder / f"{code}.jpg"), picture)
            break
    kept = put(own_server.data, TOML, "harbour")
    assert kept.deck is not None
    own_server.kill()
    own_server.camera = str(folder)
    own_server.start()
    return own_server, kept.deck.name


@pytest.mark.parametrize(("width", "height", "lang"), [(390, 844, "ja")])
def test_a_deck_is_shown_from_its_page(harbour, chromium, width: int, height: int, lang: str) -> None:
    server, deck = harbour
    page = chromium.new_page(viewport={"width": width, "height": height})
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{server.url}/language/{lang}?next=/decks")
    page.goto(f"{server.url}/decks?deck={deck}")
    page.click(".learned .button.primary")
    page.click("#cameras [data-source]")
    expect(page.locator("#now")).to_contain_text("潮")
    expect(page.locator("#end")).to_be_visible()
    expect(page.locator("#none-missing")).to_be_visible()
    expect(page.locator("#no-alike")).to_be_visible()
    assert settled(page).evaluate("document.documentElement.scrollWidth") <= width
    page.click("#end a.button")
    expect(page.locator(".learned")).to_contain_text("3枚中3枚")
    page.click(".remove summary")
    page.click("#remove")
    page.wait_for_url("**/decks")
    expect(page.locator(f'a[href*="{deck}"]')).to_have_count(0)
    assert wrong == []
    page.close()
