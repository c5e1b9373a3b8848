"""What the camera says on the page: what it waits for, what is probably done, what somebody may have done, and what it
corrects. What it concludes from a picture is told to a server; all that follows is the server's own."""

import json

import cv2
import numpy as np
import pytest

from companion.games import Action
from tests.browser.play import settled
from tests.browser.server import Server

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
PATIENCE = 60_000
WIDTH, HEIGHT = 640, 480
SEES = """
import json
from pathlib import Path
import companion.server.camera.reader as reader
from companion.games import Action
from companion.games.implied import is_foul, open_prompts
from companion.table import Observation, Observer
from companion.table.ask import about_steps
from companion.table.fill import Filled
from companion.table.hypotheses import Step
from companion.table.mend import Correction
from companion.table.observation import Proposal
from companion.vision.types import ReadResult
class Reader:
    def read(self, image, deck=None, letters=(), where=None, parts=()):
        return ReadResult({width}, {height}, 1.0, ())
reader._shipped_reader = Reader
def look(self, match, seen):
    file = Path({file!r})
    found = json.loads(file.read_text()) if file.exists() else {{}}
    acts = {{kind: [Action.from_json(one) for one in found.get(kind, ())] for kind in ("did", "now", "wrote", "was")}}
    steps = [
        Step(Filled(one), (), match.state, False, False, None, 0.0)
        for one in acts["did"] if not is_foul(match.game.check(match.state, one))
    ]
    asked = [about_steps("did", steps, {{}})] if steps else []
    told = [entry.action for entry in match.entries]
    return Observation(
        tuple(Proposal(one, (), ()) for one in acts["wrote"] if one not in told and not acts["was"]),
        tuple(one for one in asked if one.key not in self._dismissed),
        corrections=tuple(
            Correction(told.index(wrote) + 1, one, Filled(one))
            for wrote, one in zip(acts["wrote"], acts["was"]) if wrote in told
        ),
        tentative=tuple(acts["now"]),
        waits=open_prompts(match.game, match.state) if found.get("waits") else (),
        due=seen.time + 0.2,
    )
Observer.look = look
"""
"""A camera that sees an empty table, and concludes from it what a file says."""

DEVICES = [(820, 1180, "en"), (390, 844, "ja"), (844, 390, "en"), (1280, 800, "ja")]


@pytest.fixture(scope="module")
def seeing(tmp_path_factory):
    """A server whose camera concludes what the file beside its data says."""
    folder = tmp_path_factory.mktemp("seeing")
    cv2.imwrite(str(folder / "table.png"), np.full((HEIGHT, WIDTH, 3), (70, 120, 60), np.uint8))
    server = Server(folder / "data", str(folder / "table.png"))
    server.prelude = SEES.format(width=WIDTH, height=HEIGHT, file=str(folder / "concludes.json"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def watched(new_game, seeing):
    """Starts a game under that camera; `conclude(**what)` is what it concludes from then on."""
    file = seeing.data.parent / "concludes.json"
    used = []

    def conclude(**what):
        written = {name: [one.to_json() for one in acts] if name != "waits" else acts for name, acts in what.items()}
        fresh = file.with_suffix(".new")
        fresh.write_text(json.dumps(written))
        fresh.replace(file)

    def start(name, players=2, steps=0, **device):
        conclude()
        play = new_game(name, players, steps=steps, own=seeing, **device)
        api = f"{seeing.url}/api{play.path}"
        source = play.page.request.get(f"{seeing.url}/api/cameras").json()["cameras"][0]["source"]
        assert play.page.request.post(f"{api}/camera", data={"camera": source}).ok
        used.append((play.page, api))
        until_marked(play.page, api)
        return play, conclude

    yield start
    for page, api in used:
        page.request.post(f"{api}/camera", data={"camera": None})  # it is free for the next table


def until_marked(page, api):
    """The camera shows a picture, and the whole of it is the table."""
    for _ in range(200):
        if page.request.post(f"{api}/camera/area", data={}).ok:
            return
        page.wait_for_timeout(100)
    raise AssertionError("the camera shows no picture")


CUT = """(el) => {
  const [one, out] = [el.getBoundingClientRect(), [el.scrollWidth - el.clientWidth, el.scrollHeight - el.clientHeight]];
  for (let up = el.parentElement; up; up = up.parentElement) {
    const room = up === document.body ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
      : getComputedStyle(up).overflow === "visible" ? null : up.getBoundingClientRect();
    if (room) out.push(room.left - one.left, room.top - one.top, one.right - room.right, one.bottom - room.bottom);
  }
  return Math.max(...out); }"""
"""By how much (px) a text does not fit what holds it, or the screen."""


def whole(page, el):
    """All of the text is in sight."""
    return settled(page) and el.evaluate(CUT) <= 1


WAITS = {
    "en": "Please tap, no card tells it. Ben: Play this deal / Fold and pay 1 chip",
    "ja": "札だけではわかりません。タップしてください。Ben:出る / 降りる(降り賃1チップ)",
}


@pytest.mark.parametrize(("width", "height", "lang"), DEVICES)
def test_the_page_says_for_which_tap_the_game_waits(watched, width, height, lang):
    play, conclude = watched("pokard-trick", width=width, height=height, lang=lang)
    conclude(waits=True)
    line = play.page.locator("#tentative .tentative")
    expect(line).to_have_text(WAITS[lang], timeout=PATIENCE)
    assert whole(play.page, line)
    labels = play.page.locator("#prompts .prompt").all_text_contents()
    words = WAITS[lang].split("Ben")[1][1:].strip().split(" / ")
    assert all(any(word in label for label in labels) for word in words), labels
    play.post(Action("in", 1))
    expect(line).to_contain_text("Anna", timeout=PATIENCE)
    expect(line).not_to_contain_text("Ben")


NOW = {"en": "Probably: Anna: Play a card: 9♠", "ja": "たぶん:Anna:カードを出す:9♠"}


@pytest.mark.parametrize(("width", "height", "lang"), DEVICES)
def test_what_is_probably_done_is_shown_and_goes(watched, width, height, lang):
    play, conclude = watched("aces-king", width=width, height=height, lang=lang)
    conclude(now=[Action("play", 0, ("9S",))])
    line = play.page.locator("#tentative .tentative")
    expect(line).to_have_text(NOW[lang], timeout=PATIENCE)
    assert whole(play.page, line)
    conclude()
    expect(line).to_have_count(0, timeout=PATIENCE)


DID = {
    "en": ("Did Anna draw from the stock? The camera could not see it.", "No", "Anna: Draw from the stock (2)"),
    "ja": ("Annaさんは「山札から補充」をしましたか?カメラには見えませんでした。", "いいえ", "Anna:山札から補充 (2)"),
}


def ready(page):
    """What has just come takes no taps: until then."""
    page.wait_for_selector("body:not(:has(.resting))", state="attached")


@pytest.mark.parametrize(("width", "height", "lang"), DEVICES)
def test_what_somebody_may_have_done_is_asked_and_told_with_one_tap(watched, width, height, lang):
    play, conclude = watched("three-card-trick-poker", width=width, height=height, lang=lang)
    for _ in range(200):
        if any(one["kind"] == "draw" and len(one["choices"][0]["values"]) == 2 for one in play.table["prompts"]):
            break
        play.on(1)
    seat = next(one["seat"] for one in play.table["prompts"] if one["kind"] == "draw")
    asked, no, told = (text.replace("Anna", play.table["players"][seat]["name"]) for text in DID[lang])
    conclude(did=[Action.of("draw", seat, count=n) for n in (1, 2)])
    question = play.page.locator(".question", has_text=asked)
    expect(question).to_be_visible(timeout=PATIENCE)
    ready(play.page)
    answers = question.locator("button.choice")
    expect(answers).to_have_text(["1", "2"])
    expect(question.get_by_role("button", name=no, exact=True)).to_be_visible()
    assert told in answers.last.get_attribute("aria-label")
    heights = [el.bounding_box()["height"] for el in settled(play.page).locator(".question button").all()]
    assert min(heights) >= 44
    answers.last.click()
    expect(play.page.locator(".question")).to_have_count(0, timeout=PATIENCE)
    expect(play.page.locator("#ruling .ruling-what")).to_have_text(told)
    last = play.look()["entries"][-1]
    assert (last["source"], last["verdict"]) == ("tap", "legal")


def test_who_did_nothing_says_so_with_one_tap(watched):
    play, conclude = watched("pokard-trick", width=390, height=844)
    conclude(did=[Action("in", 1)])
    question = play.page.locator(".question", has_text="Did Ben play this deal?")
    expect(question).to_be_visible(timeout=PATIENCE)
    ready(play.page)
    expect(question.locator("button.choice")).to_have_text(["Yes"])
    before = len(play.look()["entries"])
    question.get_by_role("button", name="No", exact=True).click()
    expect(play.page.locator(".question")).to_have_count(0, timeout=PATIENCE)
    assert len(play.look()["entries"]) == before


CORRECTED = {"en": "The camera corrects #2: Anna: Play a card: 6♠", "ja": "カメラが#2を訂正:Anna:カードを出す:6♠"}


@pytest.mark.parametrize(("width", "height", "lang"), DEVICES)
def test_what_the_camera_corrects_of_its_own_is_told(watched, width, height, lang):
    play, conclude = watched("aces-king", width=width, height=height, lang=lang)
    wrote, was = Action("play", 0, ("9S",)), Action("play", 0, ("6S",))
    line = play.page.locator("#ruling .ruling-what")
    conclude(wrote=[wrote])
    expect(line).to_contain_text("9♠", timeout=PATIENCE)
    conclude(wrote=[wrote], was=[was])
    expect(line).to_have_text(CORRECTED[lang], timeout=PATIENCE)
    assert whole(play.page, line)
    story = play.page.locator("#story").get_by_text(CORRECTED[lang])
    story.scroll_into_view_if_needed()
    expect(story).to_be_visible()
    expect(play.page.locator("[data-zone=discard] .card")).to_have_count(1)
    table = play.look()
    assert [card["face"] for zone in table["zones"] if zone["id"] == "discard" for card in zone["cards"]] == ["6S"]
