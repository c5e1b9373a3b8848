"""The demonstration in the browser: a recording goes through the real reader, referee and journal to the page."""

import cv2
import pytest

from companion import resources
from companion.games import Action, Setup, game
from companion.training.demo import SHOWDOWNS
from tests.browser.play import settled

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
PATIENCE = 600_000  # ms: reading a picture takes as long as the machine needs


@pytest.fixture
def demo():
    if not list((resources.calibration() / "demo").glob("*.mp4")):
        pytest.skip("the demo recording is not in this checkout")
    if not list((resources.models() / "detector").glob("*.onnx")):
        pytest.skip("the weights are not in this checkout")


def test_the_demo_table_fills_by_itself(open_page, demo):
    page = open_page("/")
    page.click("a.tile[href='/tables/demo']")
    page.wait_for_selector("#camera-view:not([hidden]) img[src*=picture]", timeout=PATIENCE)
    page.wait_for_selector(".event.acted .by-camera", state="attached", timeout=PATIENCE)
    page.wait_for_selector("[data-zone^='hand:'] .card img")
    picture = page.locator("#ruling .ruling-head .evidence img")  # beside what was done, where it is not cut off
    picture.wait_for()
    assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 40


def test_a_picture_that_cannot_be_had_leaves_no_torn_one_and_comes_once_it_can(open_page, demo):
    page = open_page("/tables/demo")
    image = page.locator("#camera-view:not([hidden]) img")
    expect(image).to_be_visible(timeout=PATIENCE)
    page.route("**/camera/picture*", lambda route: route.fulfill(status=404))
    expect(image).to_be_hidden()
    page.unroute("**/camera/picture*")
    expect(image).to_be_visible()


def test_a_game_by_camera_from_the_first_card_to_the_last(open_page, own_server, demo):
    """Nobody taps. What the page shows after three showdowns is what was drawn, judged by the rules alone."""
    page = open_page(own_server.url + "/tables/demo", width=1280, height=800)
    rules = game("three-card-showdown")
    state = rules.start(Setup(("Aki", "Ben", "Chie", "Dan"), "52D2"))
    seq, totals = 1, {}
    for hands in SHOWDOWNS:
        for seat, cards in hands.items():
            state = rules.apply(state, Action.of("lay", seat, cards))
        totals = rules.totals(state)
        state = rules.apply(state, Action.of("next"))
        seq += len(hands) + 1
    page.wait_for_selector(f"[data-seq='{seq}']", state="attached", timeout=PATIENCE)
    expect(page.locator(".plate .score")).to_have_text([str(total) for total in totals.values()])
    expect(page.locator(".event.acted")).to_have_count(seq - 1)
    expect(page.locator(".event.acted .by-camera")).to_have_count(seq - 1)
    expect(page.locator(".event .verdict.foul")).to_have_count(0)
    table = page.request.get(own_server.url + "/api/tables/demo").json()["table"]
    laid = [entry for entry in table["entries"] if entry["kind"] == "acted" and entry["cards"]]
    for number, hands in enumerate(SHOWDOWNS):
        block = laid[4 * number : 4 * number + 4]
        assert {e["seat"]: sorted(e["cards"]) for e in block} == {s: sorted(c) for s, c in hands.items()}
    page.click("[data-key=tab-scores]")
    expect(page.locator(".sheet-of summary b")).to_have_text([str(total) for total in totals.values()])


def test_zones_of_other_shapes_are_drawn_as_they_are(open_page, demo):
    looker = open_page("/tables/demo")  # somebody looks on: the recording plays
    looker.wait_for_selector("#camera-view:not([hidden]) img[src*=picture]", timeout=PATIENCE)
    page = open_page("/tables/demo/zones", width=1280, height=800)
    page.wait_for_selector("#cards polygon.place-of", state="attached", timeout=PATIENCE)
    settled(page)
    shapes = page.eval_on_selector_all(".place-of", "(all) => all.map((e) => e.points.length)")
    assert shapes == [3, 3, 3, 3]
    spots = page.eval_on_selector_all(
        ".frame-zone .whose",
        "(all) => all.map((e) => e.getBoundingClientRect()).map((r) => [r.x, r.y, r.right, r.bottom])",
    )
    assert all(a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3] for a in spots for b in spots if a != b)
    assert page.locator("#picture").bounding_box()["height"] < 800


def test_the_picture_of_a_camera_that_runs_is_whole(open_page, demo):
    """The demonstration's recording is read while the television shows it."""
    film = cv2.VideoCapture(str(resources.calibration() / "demo" / "showdown.mp4"))
    filmed = [film.get(cv2.CAP_PROP_FRAME_WIDTH), film.get(cv2.CAP_PROP_FRAME_HEIGHT)]
    film.release()
    page = open_page("/tables/demo/board", width=1280, height=720)
    image = page.locator("#camera-view:not([hidden]) img[src*=picture]")
    image.wait_for(timeout=PATIENCE)
    for width, height in ((1280, 720), (1920, 1080), (3840, 2160)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            "([x, y]) => { const img = document.querySelector('#camera-view img');"
            " return img.naturalWidth === x && img.naturalHeight === y; }",
            arg=filmed,
        )
        settled(page)
        assert image.evaluate("(el) => getComputedStyle(el).objectFit") == "contain"
        box = image.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        assert box["y"] >= 0 and box["y"] + box["height"] <= height
        assert min(box["width"], box["height"] * filmed[0] / filmed[1]) >= 0.2 * width
