"""Marking the table on the page: corners by finger, mouse and keys, the proof, and that it is used."""

import re
from pathlib import Path

import pytest

from companion import resources
from tests.browser.play import begin, settled

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
PATIENCE = 240_000  # ms: reading a picture takes as long as the machine needs
LOOKING = re.compile("Looking …|確認中…")
STILL = Path(__file__).parents[1] / "vision" / "pictures" / "table.jpg"
PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def camera_server(server, tmp_path_factory):
    """A server whose camera is a still picture of a table with cards."""
    if not list((resources.models() / "detector").glob("*.onnx")):
        pytest.skip("the weights are not in this checkout")
    found = type(server)(tmp_path_factory.mktemp("camera"), str(STILL))
    found.start()
    yield found
    found.kill()


def start(page, server, names=("Anna", "Ben")):
    """A showdown under the camera; returns the path of its table. The owner opens it: the camera may watch the table of
    another test."""
    page.goto(f"{server.url}/owner/{(server.data / 'owner.key').read_text()}")
    page.click("[data-game=three-card-showdown]")
    for seat, name in enumerate(names):
        page.fill(f"[data-player='{seat}']", name)
    page.select_option("[data-option=deck]", "52D2")
    offered = page.locator("[data-option=camera] option", has_text=STILL.name)
    page.select_option("[data-option=camera]", offered.get_attribute("value"))
    begin(page)
    return re.search(r"/tables/(\w+)", page.url)[0]


def ready(page):
    """The picture of the camera is there."""
    page.wait_for_function("() => document.getElementById('picture').naturalWidth > 100", timeout=PATIENCE)
    expect(page.locator("#said")).not_to_be_empty(timeout=PATIENCE)
    expect(page.locator("#said")).not_to_have_text(LOOKING, timeout=PATIENCE)  # the first try, that nobody asked for
    settled(page)


def proof(page):
    """Wait for the proof; how many cards lie on the table and beside it, as the sentence over it says."""
    page.wait_for_selector("#save:not([disabled])", timeout=PATIENCE)
    numbers = [int(number) for number in re.findall(r"\d+", page.text_content("#said"))]
    expect(page.locator("#drawn .seen")).to_have_count(numbers[0])
    return numbers[0], numbers[-1]


def drag(page, corner, x, y):
    """Drag corner 0..3 to (x, y), fractions of the picture."""
    settled(page)
    box = page.locator("#picture").bounding_box()
    handle = page.locator(f"[data-corner='{corner}']").bounding_box()
    page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], steps=4)
    expect(page.locator("#loupe")).to_be_visible()
    page.mouse.up()
    expect(page.locator("#loupe")).to_be_hidden()


def corners(page):
    return page.evaluate(
        """Array.from(document.querySelectorAll('.handle'))
        .map((e) => [parseFloat(e.style.left) / 100, parseFloat(e.style.top) / 100])"""
    )


def moved(page, corner, x, y):
    """Wait until corner 0..3 is at (x, y), fractions of the picture; a hundredth more or less counts as there."""
    page.wait_for_function(
        """([corner, x, y]) => {
        const { left, top } = document.querySelector(`[data-corner="${corner}"]`).style;
        return Math.hypot(parseFloat(left) - 100 * x, parseFloat(top) - 100 * y) < 2; }""",
        arg=[corner, x, y],
    )


TOPS = "(all) => all.map((el) => Math.round(el.getBoundingClientRect().top))"


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
def test_the_first_evening_goes_from_start_over_table_and_places_to_the_game(
    open_page, server, tmp_path, width, height
):
    fresh = type(server)(tmp_path, str(STILL))
    fresh.start()
    try:
        page = open_page(fresh.url, width=width, height=height)
        path = start(page, fresh)
        expect(page.locator("#mark-whole")).to_be_visible(timeout=PATIENCE)
        page.click("#mark")
        page.wait_for_url(f"**{path}/calibrate?first=1")
        ready(page)
        tops = page.eval_on_selector_all(".pair .row .button", TOPS)
        assert len(set(tops)) == 2  # two ways a line: what is read stands below them
        page.click("#whole")
        assert proof(page)[0] >= 5
        page.click("#save")
        page.wait_for_url(f"**{path}/zones?first=1")
        expect(page.locator("[data-zone]").first).to_be_visible(timeout=PATIENCE)
        page.click("#go")
        page.wait_for_url(fresh.url + path)
        page.wait_for_selector("body.ready")
        expect(page.locator("#mark")).to_have_count(0)
    finally:
        fresh.kill()


def test_four_corners_by_dragging_with_the_proof_saved_and_used(open_page, camera_server):
    page = open_page(camera_server.url, width=1280, height=800)
    path = start(page, camera_server)
    page.goto(camera_server.url + path + "/calibrate")
    ready(page)
    for corner, (x, y) in enumerate(((0.02, 0.03), (0.6, 0.03), (0.6, 0.97), (0.02, 0.97))):
        drag(page, corner, x, y)
    inside, outside = proof(page)
    assert inside >= 3
    assert outside >= 1
    expect(page.locator("#drawn .whose")).to_have_text(["Hand of Anna", "Hand of Ben"])
    assert "A♠" in page.locator("#drawn .what").all_text_contents()
    assert page.locator("#flat").evaluate("(image) => image.naturalWidth") >= 400
    page.click("#save")
    page.wait_for_url(camera_server.url + path)
    page.goto(camera_server.url + path + "/calibrate")
    ready(page)
    moved(page, 1, 0.6, 0.03)
    assert inside == proof(page)[0]


def test_taps_keys_and_turning_move_the_corners(open_page, camera_server):
    page = open_page(camera_server.url, **PHONE)
    path = start(page, camera_server)
    page.goto(camera_server.url + path + "/calibrate")
    ready(page)
    box = page.locator("#picture").bounding_box()
    page.touchscreen.tap(box["x"] + 0.95 * box["width"], box["y"] + 0.03 * box["height"])
    moved(page, 1, 0.95, 0.03)
    left = corners(page)[1][0]
    page.focus("[data-corner='1']")
    page.keyboard.press("Shift+ArrowLeft")
    assert corners(page)[1][0] == pytest.approx(left - 0.02, abs=0.001)
    before = corners(page)
    page.click("#turn")
    assert corners(page) == [*before[1:], before[0]]
    page.click("#whole")
    assert corners(page) == [[0, 0], [1, 0], [1, 1], [0, 1]]
    assert proof(page)[0] >= 5
    page.click("#find-mat")
    expect(page.locator("#said.bad")).to_contain_text("tags", timeout=PATIENCE)
    assert page.is_disabled("#save")


@pytest.mark.parametrize("size", [(320, 640), (1280, 800)])
def test_everything_fits_and_can_be_tapped(open_page, camera_server, size):
    page = open_page(camera_server.url, width=size[0], height=size[1], lang="ja")
    path = start(page, camera_server)
    page.goto(camera_server.url + path + "/calibrate")
    ready(page)
    page.click("summary")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    small = page.evaluate(
        """Array.from(document.querySelectorAll("button, a, input, summary"))
        .filter((e) => e.offsetParent && !e.classList.contains("skip"))
        .map((e) => [e.id || e.className, e.getBoundingClientRect()])
        .map(([c, r]) => [c, Math.round(r.width), Math.round(r.height)]).filter(([, w, h]) => w < 48 || h < 48)"""
    )
    assert small == []
