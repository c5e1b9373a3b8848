"""What the camera asks is settled with one tap: a card that lies between two places belongs to one of them."""

import json

import cv2
import numpy as np
import pytest

from tests.browser.play import settled
from tests.browser.server import Server

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
PATIENCE = 60_000
WIDTH, HEIGHT = 640, 480
CARD = ((290.0, 190.0), (350.0, 190.0), (350.0, 274.0), (290.0, 274.0))
READER = f"""
import companion.server.camera.reader as reader
from companion.vision.types import Candidate, CardRead, ReadResult, Side
class Reader:
    def read(self, image, deck=None, letters=(), where=None, parts=()):
        card = CardRead("9S", 0.99, Side.UP, {CARD!r}, (Candidate("9S", 0.99),))
        return ReadResult({WIDTH}, {HEIGHT}, 1.0, (card,))
reader._shipped_reader = Reader
"""
"""A reader that knows the one card of the picture; all that follows is the server's own."""

LIES = """async ([api, zone, face]) => {
  const { table } = await (await fetch(api)).json();
  const cards = table.zones.find((one) => one.id === zone).cards;
  return cards.length === 1 && JSON.stringify(cards[0]).includes(face);
}"""

SAYS = {"en": ("lies beside every place", "It belongs here: "), "ja": ("どの置き場所にもありません", "の札です")}


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    """A server whose camera is a picture with a card in the middle, between the stock and the discards."""
    folder = tmp_path_factory.mktemp("watched")
    canvas = np.full((HEIGHT, WIDTH, 3), (70, 120, 60), np.uint8)
    cv2.fillConvexPoly(canvas, np.array(CARD, np.int32), (235, 235, 235))
    cv2.putText(canvas, "9", (300, 222), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (20, 20, 20), 3)
    cv2.imwrite(str(folder / "table.png"), canvas)
    server = Server(folder / "data", str(folder / "table.png"))
    server.prelude = READER
    server.start()
    yield server
    server.kill()


@pytest.mark.parametrize(("width", "height", "lang"), [(1024, 768, "en"), (390, 844, "ja")])
def test_a_card_between_two_places_belongs_to_one_with_one_tap(open_page, watched, width, height, lang):
    page = open_page(watched.url, width, height, lang)
    made = page.request.post(
        f"{watched.url}/api/tables", data={"game": "aces-king", "players": ["Anna", "Ben"], "deck": ""}
    ).json()
    api = f"{watched.url}/api{made['url']}"
    source = page.request.get(f"{watched.url}/api/cameras").json()["cameras"][0]["source"]
    assert page.request.post(f"{api}/camera", data={"camera": source}).ok
    page.goto(watched.url + made["url"])
    asked, belongs = SAYS[lang]
    question = page.locator(".question", has_text=asked)
    unmarked = page.locator("#mark-whole")  # before the table is marked nothing is asked about places
    expect(question.or_(unmarked)).to_be_visible(timeout=PATIENCE)
    if unmarked.count():
        expect(question).to_have_count(0)
        unmarked.click()
    expect(question).to_be_visible(timeout=PATIENCE)
    answers = question.locator("button.choice")
    expect(answers.filter(has_text=belongs)).to_have_count(1)
    expect(answers).to_have_count(2)  # the other one: there is no such card
    expect(question.locator("button.quiet").first).to_be_visible()  # something else
    box = settled(page).locator(".question button.choice").first.bounding_box()
    assert box["height"] >= 40 and box["x"] >= 0 and box["x"] + box["width"] <= width
    page.wait_for_selector("body:not(:has(.resting))", state="attached")  # what has just come takes no taps
    answers.first.click()
    expect(page.locator(".question")).to_have_count(0, timeout=PATIENCE)
    # the answer is heard at once, the card counts there at the next look
    page.wait_for_function(LIES, arg=[api, "discard", "9S"], timeout=PATIENCE)
    page.click("[data-key=camera]")
    used = page.locator(f"[data-source='{source}']")
    expect(used).to_have_attribute("aria-pressed", "true")  # by this table, and not by another one
    expect(used).to_have_text("table.png")
    assert page.request.post(f"{api}/camera", data={"camera": None}).ok  # it is free for the next table


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_beside_a_question_all_actions_are_whole(new_game, asking_server, lang):
    play = new_game(
        "trading-poker", 3, options={"end_kinds": "10"}, seed=12, steps=9, own=asking_server,
        width=1280, height=800, lang=lang,
    )  # fmt: skip
    play.page.wait_for_selector(".question")
    below = """() => { const room = document.getElementById("prompts").getBoundingClientRect().bottom;
      return Array.from(document.querySelectorAll("#prompts .prompt"),
        (el) => el.getBoundingClientRect().bottom - room); }"""
    hidden = settled(play.page).evaluate(below)
    assert len(hidden) >= 6
    assert [px for px in hidden if px > 0] == []


LAID = """
import json, companion.server.camera.reader as reader
from pathlib import Path
from companion.vision.types import Candidate, CardRead, ReadResult, Side
class Reader:
    def read(self, image, deck=None, letters=(), where=None, parts=()):
        file = Path({file!r})
        found = json.loads(file.read_text()) if file.exists() else []
        high, wide = image.shape[:2]
        def card(face, outline):
            corners = tuple((x * wide, y * high) for x, y in outline)
            return CardRead(face, 0.99, Side.UP, corners, (Candidate(face, 0.99),))
        return ReadResult(wide, high, 1.0, tuple(card(*one) for one in found))
reader._shipped_reader = Reader
"""
"""A reader that finds what a file says, in shares of the picture."""

LACKS = {"en": ("One card is not seen. Which one?", "Choose the card"), "ja": ("枚見えません", "札を選ぶ")}


@pytest.mark.parametrize(("width", "height", "lang"), [(390, 844, "en"), (1024, 768, "ja")])
def test_the_card_of_a_row_that_is_not_seen_is_named_on_the_page(open_page, tmp_path, width, height, lang):
    """Two of three cards are seen to come; people name the third, and the hand is told with all three."""
    file = tmp_path / "lies.json"
    server = Server(tmp_path / "data")
    server.prelude = LAID.format(file=str(file))
    server.start()
    try:
        page = open_page(server.url, width, height, lang)
        made = page.request.post(
            f"{server.url}/api/tables", data={"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D1"}
        ).json()
        api = f"{server.url}/api{made['url']}"
        felt = np.full((HEIGHT, WIDTH, 3), (70, 120, 60), np.uint8)

        def send(times: int) -> None:
            for _ in range(times):
                felt[:8, :8] = (felt[:8, :8] + 40) % 200  # no two pictures of a camera are the same
                answer = page.request.post(
                    f"{api}/camera/frame?sender=one&take=1", data=cv2.imencode(".jpg", felt)[1].tobytes(),
                    headers={"Content-Type": "image/jpeg"},
                )  # fmt: skip
                assert answer.ok, answer.text()
                page.wait_for_timeout(250)

        send(2)
        assert page.request.post(f"{api}/camera/area", data={}).ok
        send(12)
        zones = page.request.get(f"{api}/camera/zones").json()["zones"]
        (x, y), _, (right, low), _ = next(zone["outline"] for zone in zones if zone["id"] == "hand:0")
        lies = []
        for i, face in enumerate(("AH", "8S")):
            left, top, w, h = x + (right - x) * (0.3 + 0.2 * i), y + (low - y) * 0.3, 0.08, 0.149
            lies.append((face, [(left, top), (left + w, top), (left + w, top + h), (left, top + h)]))
            corners = np.array([(px * WIDTH, py * HEIGHT) for px, py in lies[-1][1]], np.int32)
            cv2.fillConvexPoly(felt, corners, (235, 235, 235))
        file.write_text(json.dumps(lies))
        page.goto(server.url + made["url"])
        asked, other = LACKS[lang]
        question = page.locator(".question", has_text=asked)
        for _ in range(60):
            send(2)
            if question.count():
                break
        expect(question).to_be_visible()
        seen = question.locator("img.crop")  # the place, and what is seen there
        size = seen.evaluate("(el) => el.decode().then(() => [el.naturalWidth, el.naturalHeight, el.clientWidth])")
        assert size[0] > 300 and size[0] > size[1] and size[2] > 200
        page.wait_for_selector("body:not(:has(.resting))", state="attached")  # what has just come takes no taps
        put_off = page.locator(".put-off")
        question.locator("[data-key^=q-later]").click()
        expect(put_off).to_be_visible()
        page.reload()
        expect(put_off).to_be_visible(timeout=PATIENCE)  # this device has not forgotten it
        expect(question).to_have_count(0)
        page.wait_for_selector("body:not(:has(.resting))", state="attached")
        put_off.click()
        expect(question).to_be_visible()
        page.wait_for_selector("body:not(:has(.resting))", state="attached")
        question.locator("button.primary", has_text=other).click()
        page.locator("[data-face='7C']").click()
        for _ in range(60):
            send(2)
            table = page.request.get(api).json()["table"]
            hand = next(zone for zone in table["zones"] if zone["id"] == "hand:0")
            if hand["cards"]:
                break
        assert sorted(card["face"] for card in hand["cards"]) == ["7C", "8S", "AH"]
        expect(page.locator(".question")).to_have_count(0)
        expect(page.locator("[data-zone='hand:0'] .card")).to_have_count(3)
    finally:
        server.kill()


FOUR = {
    face: ((x, 340.0), (x + 60, 340.0), (x + 60, 424.0), (x, 424.0))
    for face, x in (("9S", 150.0), ("KH", 220.0), ("4D", 290.0), ("JC", 360.0))
}


@pytest.mark.parametrize(("width", "height", "lang"), [(1024, 768, "en"), (390, 844, "ja"), (844, 390, "en")])
def test_of_one_card_more_than_a_hand_has_each_may_be_none(open_page, tmp_path, width, height, lang):
    """Every answer is a whole hand in a row of its own."""
    canvas = np.full((HEIGHT, WIDTH, 3), (70, 120, 60), np.uint8)
    for outline in FOUR.values():
        cv2.fillConvexPoly(canvas, np.array(outline, np.int32), (235, 235, 235))
    cv2.imwrite(str(tmp_path / "table.png"), canvas)
    server = Server(tmp_path / "data", str(tmp_path / "table.png"))
    server.prelude = f"""
import companion.server.camera.reader as reader
from companion.vision.types import Candidate, CardRead, ReadResult, Side
class Reader:
    def read(self, image, deck=None, letters=(), where=None, parts=()):
        cards = tuple(CardRead(face, 0.99, Side.UP, at, (Candidate(face, 0.99),)) for face, at in {FOUR!r}.items())
        return ReadResult({WIDTH}, {HEIGHT}, 1.0, cards)
reader._shipped_reader = Reader
"""
    server.start()
    try:
        page = open_page(server.url, width, height, lang)
        start = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D2"}
        made = page.request.post(f"{server.url}/api/tables", data=start).json()
        api = f"{server.url}/api{made['url']}"
        source = page.request.get(f"{server.url}/api/cameras").json()["cameras"][0]["source"]
        assert page.request.post(f"{api}/camera", data={"camera": source}).ok
        page.wait_for_function(
            "async (api) => (await fetch(`${api}/camera/area`, {method: 'POST', body: '{}', headers: "
            "{'Content-Type': 'application/json'}})).ok", arg=api,
        )  # fmt: skip
        page.goto(server.url + made["url"])
        answers = page.locator(".question .choice")
        expect(answers).to_have_count(4, timeout=PATIENCE)
        settled(page)
        boxes = [answers.nth(n).bounding_box() for n in range(4)]
        assert [round(box["y"]) for box in boxes] == sorted({round(box["y"]) for box in boxes})  # one below the other
        answers.nth(1).click()
        page.wait_for_function(
            "async (api) => JSON.stringify((await (await fetch(api)).json()).table.zones).includes('JC')", arg=api
        )
    finally:
        server.kill()
