"""The board on a television: large enough for four metres, nothing cut off, nothing to press."""

import cv2
import numpy as np
import pytest

from tests.browser.play import settled

HANDS = ("AS KS QS", "2H 2D 9C", "3H 4D 9S", "7H 7D 7C", "8H 8D JC", "10H JD QC", "5H 6D KC", "5S 6S 9H")
LEAST = 0.035
"""Least size of a text that matters, as share of the screen's height: 17 mm on a television of 40 inches, which is the
usual 1/230 of a distance of four metres."""

MATTERS = ".plate h2, .score, .note-tag, .results p, #ruling .ruling-what"


@pytest.mark.parametrize("players", [4, 8])
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080), (3840, 2160)])
def test_it_can_be_read_from_four_metres(open_page, server, width, height, players):
    page = open_page("/", width=width, height=height)
    body = {
        "game": "three-card-showdown",
        "players": ["Anna", "Ben", "Chie", "Dan", "Emi", "Finn", "Gen", "Hana"][:players],
    }
    path = page.request.post(f"{server.url}/api/tables", data=body).json()["url"]
    for seat, cards in enumerate(HANDS[:players]):
        action = {"kind": "lay", "seat": seat, "cards": cards.split(), "args": {}}
        assert page.request.post(f"{server.url}/api{path}/intents", data={"intent": "act", "action": action}).ok
    page.goto(server.url + path + "/board")
    page.wait_for_selector(".results p")
    settled(page)
    sizes = page.eval_on_selector_all(MATTERS, "(all) => all.map((e) => parseFloat(getComputedStyle(e).fontSize))")
    assert len(sizes) == 3 * players + 2
    assert min(sizes) >= LEAST * height
    cards = page.eval_on_selector_all(".card", "(all) => all.map((e) => e.getBoundingClientRect().width)")
    assert len(cards) == 3 * players
    assert min(cards) >= 0.04 * width
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert (
        page.eval_on_selector_all(".card", "(all) => Math.max(...all.map((e) => e.getBoundingClientRect().bottom))")
        <= height
    )
    seen = "(all) => all.filter((e) => e.getClientRects().length && getComputedStyle(e).opacity !== '0').length"
    assert page.eval_on_selector_all("header a, header button, main button", seen) == 0
    assert page.locator(".board-join .qr svg").bounding_box()["height"] >= 0.12 * height


@pytest.mark.parametrize(("size", "shown"), [((640, 480),) * 2, ((1280, 720), (960, 540)), ((480, 640),) * 2])
def test_the_picture_of_the_camera_is_whole(open_page, server, size, shown):
    """A phone has sent a picture, lying or upright, and the board shows it beside the table."""
    page = open_page("/", width=1280, height=720)
    body = {"game": "three-card-showdown", "players": ["Anna", "Ben", "Chie", "Dan"]}
    path = page.request.post(f"{server.url}/api/tables", data=body).json()["url"]
    felt = np.full((size[1], size[0], 3), (70, 120, 60), np.uint8)
    answer = page.request.post(
        f"{server.url}/api{path}/camera/frame?sender=one&take=1&single=1",
        data=cv2.imencode(".jpg", felt)[1].tobytes(),
        headers={"Content-Type": "image/jpeg"},
    )
    assert answer.ok, answer.text()
    page.goto(server.url + path + "/board")
    image = page.locator("#camera-view:not([hidden]) img[src*=picture]")
    image.wait_for()
    for width, height in ((1280, 720), (1920, 1080), (3840, 2160)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(COMPLETE, arg=shown)
        settled(page)
        assert image.evaluate("(el) => getComputedStyle(el).objectFit") == "contain"
        box = image.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        assert box["y"] >= 0 and box["y"] + box["height"] <= height
        scale = min(box["width"] / size[0], box["height"] / size[1])
        assert max(scale * size[0] / width, scale * size[1] / height) >= 0.2


COMPLETE = """([width, height]) => { const img = document.querySelector("#camera-view img");
  return img.complete && img.naturalWidth === width && img.naturalHeight === height; }"""


SAID = """() => { const dock = document.getElementById("dock"), end = dock.getBoundingClientRect().bottom;
  const texts = Array.from(dock.querySelectorAll(".ruling-what, .reason, .results p, .question p"));
  return texts.filter((el) => el.getClientRects().length).map((el) => { const range = document.createRange();
    const lines = [], words = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) { range.selectNodeContents(words.currentNode);
      lines.push(...Array.from(range.getClientRects(), (r) => r.bottom)); }
    const size = parseFloat(getComputedStyle(el).fontSize);
    return [el.className || el.textContent, Math.max(...lines) - Math.min(end, el.getBoundingClientRect().bottom + 12),
      size / innerHeight]; }); }"""
"""What is said on the board: how far (px) a text reaches out of its room, and its size as share of the height."""


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize(
    ("name", "players", "options", "seed", "steps"),
    [("sixty-five-card-poker", 4, {}, 1, 5), ("three-card-trick-poker", 3, {"end": "S"}, 33, 29)],
)
def test_a_long_ruling_is_whole_while_the_camera_asks(
    new_game, asking_server, name, players, options, seed, steps, lang
):
    people = ["Maximiliane", "Christopher", "あかり", "Sebastian-Jo"][:players]
    play = new_game(name, people, options=options, seed=seed, own=asking_server, width=1920, height=1080, lang=lang)
    page = play.page
    frame = cv2.imencode(".jpg", np.full((720, 1280, 3), (70, 120, 60), np.uint8))[1].tobytes()
    answer = page.request.post(
        f"{play.url}/api{play.path}/camera/frame?sender=one&take=1&single=1",
        data=frame,
        headers={"Content-Type": "image/jpeg"},
    )
    assert answer.ok, answer.text()
    page.goto(f"{play.url}{play.path}/board")
    page.wait_for_selector("#camera-view:not([hidden]) img[src*=picture]")
    for _ in range(steps):
        play.on(1)
        page.wait_for_function("(seq) => window.wire.seq >= seq", arg=play.table["seq"])
        page.wait_for_selector(".ruling-what, .results p", state="attached")
        said = settled(page).evaluate(SAID)
        assert said
        assert [text for text in said if text[1] > 1] == []
        assert [text for text in said if text[0] == "ruling-what" and text[2] < LEAST] == []
    assert page.locator("#camera-view").bounding_box()["height"] >= 0.19 * 1080
