"""Decks of one's own on the page: a whole one taken in from a file, and one's own drawings of its cards."""

from __future__ import annotations

import zipfile

import cv2
import numpy as np
import pytest

from companion.shelf import put
from tests.browser.play import settled

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect

TOML = """[deck]
name = { en = "Lantern cards", ja = "灯籠の札" }
separator = "."
[[suits]]
code = "north"
name = { en = "North", ja = "北" }
[[suits]]
code = "south"
name = { en = "South", ja = "南" }
[[pictures]]
code = "tide"
name = { en = "Tide", ja = "潮" }
[[pictures]]
code = "crane"
name = { en = "Crane", ja = "鶴" }
"""
NAMES = {
    "en": ("Tide, in the middle", "Crane of North", "Crane of South"),
    "ja": ("潮(真ん中)", "北の鶴", "南の鶴"),
}
"""What is drawn, in the order of the list."""


def picture(grey: int, kind: str = ".png") -> bytes:
    return cv2.imencode(kind, np.full((88, 63, 3), grey, np.uint8))[1].tobytes()


def test_a_deck_in_one_file_is_taken_in_and_shown_or_what_is_wrong_with_it(open_page, tmp_path):
    page = open_page("/decks", width=390, height=844)
    good, bad = tmp_path / "Lantern.deck", tmp_path / "bad.deck"
    bad.write_bytes(b"no archive")
    page.set_input_files("#deck-file", str(bad))
    said = page.locator("#deck-said")
    expect(said).to_have_text("This is no packed deck.")
    expect(said).to_be_in_viewport()
    page.wait_for_timeout(900)  # the form that opens with it has itself checked when the typing pauses
    expect(said).to_have_text("This is no packed deck.")
    expect(page.locator("#deck-said.error")).to_have_count(1)
    with zipfile.ZipFile(good, "w") as pack:
        pack.writestr("deck.toml", TOML)
        pack.writestr("pictures/tide.png", picture(90))
    page.set_input_files("#deck-file", str(good))
    page.wait_for_url("**/decks?deck=lantern~*")
    expect(page.locator("h1")).to_have_text("Lantern cards")
    expect(page.locator("#drawings li")).to_have_count(1)
    with page.expect_download() as sent:
        page.click("a[href^='/decks/pack']")
    assert {"deck.toml", "pictures/tide.png"} == set(zipfile.ZipFile(sent.value.path()).namelist())


@pytest.mark.parametrize(("width", "height", "lang"), [(390, 844, "ja"), (1024, 768, "en")])
def test_drawings_of_ones_own_are_put_into_a_deck_and_taken_away(open_page, server, tmp_path, width, height, lang):
    kept = put(server.data, TOML, f"lantern-{lang}")
    assert kept.deck is not None
    page = open_page("/decks", width=width, height=height, lang=lang)  # what lies on the shelf is known from now on
    page.goto(f"{server.url}/decks?deck={kept.deck.name}")
    names = NAMES[lang]
    files = {"tide.png": picture(90), "crane.north.jpg": picture(30, ".jpg"), "moon.png": picture(9), "x.gif": b"GIF"}
    for name, body in files.items():
        (tmp_path / name).write_bytes(body)
    page.set_input_files("#drawing-files", [str(tmp_path / name) for name in files])
    said, drawn = page.locator("#drawings-said .error"), page.locator("#drawings li")
    expect(said).to_contain_text(["moon.png", "x.gif"])
    expect(drawn.locator("span")).to_have_text(names[:2])
    page.wait_for_function("Array.from(document.querySelectorAll('#drawings img')).every((el) => el.naturalWidth > 60)")
    page.select_option("#drawing-of", "crane.south")
    page.set_input_files("#drawing-files", str(tmp_path / "moon.png"))
    expect(drawn.locator("span")).to_have_text(names)
    assert settled(page).evaluate("document.documentElement.scrollWidth") <= width
    drawn.nth(1).locator("button").click()
    expect(drawn.locator("span")).to_have_text([names[0], names[2]])
    page.reload()
    expect(drawn).to_have_count(2)
    assert sorted(file.name for file in (kept.place / "pictures").iterdir()) == ["crane.south.png", "tide.png"]
