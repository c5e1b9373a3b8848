"""How exactly the table is marked: in millimetres by the tags of a mat or by the cards that lie there, or why not."""

import json
import re

import cv2
import pytest

from companion.server.show.texts import Texts
from companion.vision.camera.calibration import MATS, find_mat
from tests.browser.play import settled
from tests.browser.server import Server
from tests.vision.camera.test_calibration import photograph

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
LIES = """
import json, companion.server.camera.reader as reader
from pathlib import Path
from companion.vision.types import Candidate, CardRead, ReadResult, Side
class Reader:
    def read(self, image, deck=None, letters=(), where=None, parts=()):
        file = Path({file!r})
        found = json.loads(file.read_text()) if file.exists() else []
        high, wide = image.shape[:2]
        cards = [CardRead("9S", 0.99, Side.UP, tuple(map(tuple, one)), (Candidate("9S", 0.99),)) for one in found]
        return ReadResult(wide, high, 1.0, tuple(cards))
reader._shipped_reader = Reader
"""
"""A reader that finds outlines (px) that a file says."""

DEVICES = [(820, 1180, "en"), (390, 844, "ja"), (844, 390, "en")]


def card(x, y, mm=2.0, wide=63.5):
    """The outline (px) of a card whose top left lies at (x, y), `mm` px to a millimetre."""
    w, h = wide * mm, 88.9 * mm
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]


def on_the_mat(x, y, across=False):
    """The outline (px) of a card on the mat, `x` and `y` mm from its corner."""
    w, h = (88.9, 63.5) if across else (63.5, 88.9)
    return find_mat(photograph(MATS["a3"]))[1].to_picture([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])


CARDS = [card(x, y) for x in (150, 500, 850) for y in (80, 400)]
TEXTS = Texts.load()


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A server whose camera shows a printed mat, and the file that says which cards lie there."""
    folder = tmp_path_factory.mktemp("measured")
    cv2.imwrite(str(folder / "mat.png"), photograph(MATS["a3"]))
    server = Server(folder / "data", str(folder / "mat.png"))
    server.prelude = LIES.format(file=str(folder / "lies.json"))
    server.start()
    yield server, folder / "lies.json"
    server.kill()


@pytest.fixture
def marking(open_page, measured):
    """The page that marks the table of a new game, and `lay(cards)`; and what it says of how exact it is."""
    server, file = measured
    used = []

    def start(width, height, lang):
        file.write_text("[]")
        page = open_page(server.url, width, height, lang, has_touch=True)
        made = page.request.post(
            f"{server.url}/api/tables", data={"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D2"}
        ).json()
        api = f"{server.url}/api{made['url']}"
        source = page.request.get(f"{server.url}/api/cameras").json()["cameras"][0]["source"]
        assert page.request.post(f"{api}/camera", data={"camera": source}).ok
        used.append((page, api))
        page.goto(f"{server.url}{made['url']}/calibrate")
        page.wait_for_function("() => document.getElementById('picture').naturalWidth > 100")
        page.wait_for_selector("#save:not([disabled])")  # the mat that lies there was found unasked
        return page, lambda cards: file.write_text(json.dumps(cards))

    yield start
    for page, api in used:
        page.request.post(f"{api}/camera", data={"camera": None})  # it is free for the next table


def exact(page, lang, key):
    """Wait for that sentence on how exact it is, in sight of the proof; the mm in it, None without."""
    said = TEXTS.text(f"ui.calibrate.exact.{key}", lang, mm="@", width="#", height="#")
    pattern = re.compile(re.escape(said).replace("@", r"(\d+(?:\.\d+)?)").replace(r"\#", r"\d+"))
    line = page.locator("#exact")
    expect(line).to_have_text(pattern)
    line.scroll_into_view_if_needed()
    box = settled(page).locator("#exact").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"] and box["height"] >= 12
    found = pattern.search(line.text_content())
    return float(found[1]) if "@" in said else None


@pytest.mark.parametrize(("width", "height", "lang"), DEVICES)
def test_by_a_mat_the_error_is_told_in_millimetres(marking, width, height, lang):
    page, lay = marking(width, height, lang)
    lay([card(500, 300, 1.2)])
    page.click("#find-mat")
    assert exact(page, lang, "tags") < 1
    page.click("summary")
    assert (page.input_value("#width"), page.input_value("#height")) == ("40", "27.7")


@pytest.mark.parametrize(("width", "height", "lang"), DEVICES)
def test_by_cards_the_error_is_told_in_millimetres(marking, width, height, lang):
    page, lay = marking(width, height, lang)
    lay(CARDS)
    page.click("#find-cards")
    assert exact(page, lang, "cards") < 1
    told = page.text_content("#exact")
    page.click("summary")
    page.fill("#width", "150")  # no table of that width has cards that look so narrow
    page.press("#width", "Tab")
    expect(page.locator("#exact")).not_to_have_text(told)
    assert exact(page, lang, "off") > 10
    expect(page.locator("#exact")).to_have_class(re.compile(r"\bbad\b"))


@pytest.mark.parametrize(("width", "height", "lang"), DEVICES)
def test_where_nothing_measures_the_table_the_page_says_so(marking, width, height, lang):
    page, lay = marking(width, height, lang)
    lay(CARDS[:2])
    page.click("#find-cards")
    expect(page.locator("#said.bad")).to_have_text(TEXTS.text("ui.error.calibration-cards", lang))
    expect(page.locator("#exact")).to_be_empty()
    page.click("summary")
    for side in ("#width", "#height"):
        page.fill(side, "")
    page.click("#whole")
    exact(page, lang, "none")
    lay([])
    for side in ("#width", "#height"):
        page.fill(side, "60")
    page.press("#height", "Tab")
    exact(page, lang, "unknown")


@pytest.mark.parametrize(("width", "height", "lang"), DEVICES)
def test_cards_inside_four_corners_say_how_large_and_how_exact(marking, width, height, lang):
    page, lay = marking(width, height, lang)
    lay([on_the_mat(60, 50), on_the_mat(250, 150), on_the_mat(180, 60, across=True)])
    page.click("summary")
    for side in ("#width", "#height"):
        page.fill(side, "")
    page.click("#turn")
    assert exact(page, lang, "sized") < 2
    shown = page.text_content("#exact")
    assert all(any(str(n) in shown for n in side) for side in ((27, 28), (39, 40, 41)))
    lay([*CARDS[:4], [(650, 200), (828, 200), (828, 327), (650, 327)]])
    page.click("#turn")  # the camera stands aslant, and these lie as if it did not
    assert exact(page, lang, "off") > 10
    page.click("#whole")
    assert exact(page, lang, "cards") < 1


def test_what_was_measured_is_there_again_when_the_page_is_opened_anew(marking):
    page, lay = marking(*DEVICES[0])
    lay([on_the_mat(60, 50), on_the_mat(250, 150), on_the_mat(180, 60, across=True)])
    page.click("summary")
    for side in ("#width", "#height"):
        page.fill(side, "")
    page.click("#turn")
    exact(page, "en", "sized")
    address = page.url
    page.click("#save")
    page.wait_for_url(lambda url: "calibrate" not in url)
    lay([])
    page.goto(address)
    page.wait_for_selector("#save:not([disabled])")
    exact(page, "en", "unknown")
    page.click("summary")
    found = [float(page.input_value(side)) for side in ("#width", "#height")]
    assert found == pytest.approx([27.7, 40.0], abs=0.6)
    page.click("#turn")
    assert [float(page.input_value(side)) for side in ("#width", "#height")] == found[::-1]
    page.locator("[aria-label^='Corner 1']").press("ArrowRight")  # of other corners it is not the size
    exact(page, "en", "none")
    assert [page.input_value(side) for side in ("#width", "#height")] == ["", ""]
    page.fill("#width", "60")
    page.fill("#height", "40")
    page.press("#height", "Tab")
    exact(page, "en", "unknown")
    page.locator("[aria-label^='Corner 1']").press("ArrowRight")
    assert page.input_value("#width") == "60"  # somebody has typed it
