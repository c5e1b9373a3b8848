"""The board on a television: large enough for four metres, nothing cut off, nothing to press."""

import pytest

from companion import resources

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


CAMERA = """([width, height]) => { const img = document.querySelector("#camera-view img");
  img.width = width;
  img.height = height;
  img.src = "/static/demo/four.jpg?as-if-it-were-live"; }"""


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("picture", [(640, 480), (1280, 720)])
def test_the_picture_of_the_camera_is_whole(open_page, server, width, height, picture):
    page = open_page("/", width=width, height=height, bypass_csp=True)
    body = {"game": "three-card-showdown", "players": ["Anna", "Ben", "Chie", "Dan"]}
    path = page.request.post(f"{server.url}/api/tables", data=body).json()["url"]
    film = resources.web() / "static" / "demo" / "four.jpg"
    page.route("**/four.jpg**", lambda route: route.fulfill(path=film))
    page.goto(server.url + path + "/board")
    page.wait_for_selector("body.ready")
    page.add_style_tag(content=".board .camera-corner[hidden] { display: block; }")  # as if a camera watched
    page.evaluate(CAMERA, picture)
    image = page.locator("#camera-view img")
    image.evaluate("(el) => el.decode()")
    box, natural = image.bounding_box(), image.evaluate("(el) => el.naturalWidth / el.naturalHeight")
    assert image.evaluate("(el) => getComputedStyle(el).objectFit") == "contain"
    assert box["y"] >= 0 and box["y"] + box["height"] <= height and box["x"] + box["width"] <= width
    assert min(box["width"], box["height"] * natural) >= 0.2 * width
