"""Zones on the page: shown over the live picture with what is read in each, dragged, resized, kept, reset."""

import re
from pathlib import Path

import pytest

from companion import resources
from tests.browser.play import begin, settled

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
PATIENCE = 240_000  # ms: reading a picture takes as long as the machine needs
STILL = Path(__file__).parents[1] / "vision" / "pictures" / "table.jpg"


@pytest.fixture(scope="module")
def camera_server(server, tmp_path_factory):
    """A server whose camera is a still picture of a table with cards."""
    if not list((resources.models() / "detector").glob("*.onnx")):
        pytest.skip("the weights are not in this checkout")
    found = type(server)(tmp_path_factory.mktemp("zones"), str(STILL))
    found.start()
    yield found
    found.kill()


def start(page, server, names=("Anna", "Ben")):
    """A showdown under the camera, and its zones; returns the path of its table. The owner opens it: the camera may
    watch the table of another test."""
    page.goto(f"{server.url}/owner/{(server.data / 'owner.key').read_text()}")
    page.click("[data-game=three-card-showdown]")
    for seat, name in enumerate(names):
        page.fill(f"[data-player='{seat}']", name)
    offered = page.locator("[data-option=camera] option", has_text=STILL.name)
    page.select_option("[data-option=camera]", offered.get_attribute("value"))
    begin(page)
    path = re.search(r"/tables/(\w+)", page.url)[0]
    page.goto(re.match(r"https?://[^/]+", page.url)[0] + path + "/zones")
    there(page)
    return path


def there(page):
    """The picture is there, and something has been read in a zone."""
    page.wait_for_selector("[data-zone='hand:0']", timeout=PATIENCE)
    page.wait_for_function("() => document.getElementById('picture').naturalWidth > 100", timeout=PATIENCE)
    page.wait_for_function("() => document.querySelectorAll('#cards .seen').length > 0", timeout=PATIENCE)
    settled(page)


def box(page, zone):
    """Left, top, right, bottom of a zone in shares of the table."""
    return page.evaluate(
        """(zone) => {
        const b = document.getElementById('zones').getBoundingClientRect();
        const r = document.querySelector(`[data-zone="${zone}"]`).getBoundingClientRect();
        return [(r.left - b.left) / b.width, (r.top - b.top) / b.height,
                (r.right - b.left) / b.width, (r.bottom - b.top) / b.height]; }""",
        zone,
    )


def drag(page, selector, dx, dy):
    """Drag something with the mouse by shares of the table."""
    whole, held = page.locator("#zones").bounding_box(), page.locator(selector).bounding_box()
    x, y = held["x"] + held["width"] / 2, held["y"] + held["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx * whole["width"], y + dy * whole["height"], steps=4)
    page.mouse.up()


def swipe(page, selector, dx, dy):
    """Drag something with a finger by shares of the table. It rests before it is lifted: a fling takes the next tap."""
    whole, held = page.locator("#zones").bounding_box(), page.locator(selector).bounding_box()
    x, y = held["x"] + held["width"] / 2, held["y"] + held["height"] / 2
    finger = page.context.new_cdp_session(page)
    for part in range(8):
        share = min(1.0, part / 5)
        at = {"x": x + dx * whole["width"] * share, "y": y + dy * whole["height"] * share}
        page.wait_for_timeout(60)
        kind = "touchMove" if part else "touchStart"
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    finger.detach()


def about(*box):
    return pytest.approx(box, abs=0.01)


def test_zones_are_dragged_resized_saved_and_reset(open_page, camera_server):
    page = open_page(camera_server.url, width=1280, height=800)
    start(page, camera_server)
    expect(page.locator("#reads dt").first).to_have_text("Hand of Anna")
    assert any(text != "empty" for text in page.locator("#reads dd").all_text_contents())
    solved = box(page, "hand:1")
    left, top, right, bottom = solved
    drag(page, "[data-zone='hand:1']", 0.02, -0.01)
    assert box(page, "hand:1") == about(left + 0.02, top - 0.01, right + 0.02, bottom - 0.01)
    grip = page.locator("[data-grip='se']").bounding_box()
    assert (grip["width"], grip["height"]) == (44, 44)
    drag(page, "[data-grip='se']", -0.03, -0.04)
    smaller = about(left + 0.02, top - 0.01, right - 0.01, bottom - 0.05)
    assert box(page, "hand:1") == smaller
    page.click("#save")
    expect(page.locator("#said")).to_have_text("Saved. The camera looks at these zones now.")
    page.reload()
    there(page)
    assert box(page, "hand:1") == smaller
    page.click("#reset")
    page.wait_for_function("() => document.getElementById('said').textContent.includes('own places')")
    settled(page)
    assert box(page, "hand:1") == about(*solved)


HIDDEN = """() => Array.from(document.querySelectorAll("#picture, #save, #reset, .zone-bar a"))
  .filter((el) => el.getBoundingClientRect().bottom > innerHeight).map((el) => el.id || el.textContent)"""


def test_the_whole_picture_and_all_actions_are_in_sight_beside_a_notice(open_page, camera_server):
    page = open_page(camera_server.url, width=1280, height=800)
    path = start(page, camera_server, ("Maximiliane", "Christopher"))

    def with_a_notice(route):
        """The answer of the server, and what it says where a table is too small."""
        found = route.fetch()
        route.fulfill(response=found, json=found.json() | {"note": "There is no room for all places. " * 4})

    page.route(f"**/api{path}/camera/zones", with_a_notice)
    for width, height in ((1280, 800), (1024, 768), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        there(page)
        page.wait_for_selector("#note:not([hidden])")
        assert settled(page).evaluate(HIDDEN) == [], (width, height)


def test_zones_that_overlap_are_shown_and_not_saved(open_page, camera_server):
    page = open_page(camera_server.url, width=1280, height=800)
    start(page, camera_server)
    drag(page, "[data-zone='hand:1']", 0, 0.3)
    expect(page.locator(".frame-zone.clash")).to_have_count(2)
    expect(page.locator("#said")).to_contain_text("Two zones overlap: Hand of Anna and Hand of Ben.")
    expect(page.locator("#save")).to_be_disabled()


def test_zones_move_by_finger_and_keys_and_stay_on_the_table(open_page, camera_server):
    page = open_page(camera_server.url, width=390, height=844, has_touch=True, lang="ja")
    start(page, camera_server, ("花子", "太郎"))
    expect(page.locator("#reads dt").first).to_have_text("花子の手札")
    frame = page.locator("[data-zone='hand:1']")
    frame.tap()
    expect(frame).to_have_class(re.compile("chosen"))
    expect(page.locator("[data-grip='nw']")).to_be_visible()
    before = box(page, "hand:1")
    frame.press("ArrowRight")
    assert box(page, "hand:1")[0] > before[0]
    frame.press("Shift+ArrowLeft")
    assert box(page, "hand:1")[2] == pytest.approx(before[2], abs=0.01)
    for _ in range(250):
        frame.press("ArrowUp")
    assert box(page, "hand:1")[1] == pytest.approx(0, abs=0.01)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(("width", "height"), [(820, 1180), (390, 844), (844, 390)])
def test_a_finger_drags_a_zone_that_is_kept_and_the_page_does_not_scroll(open_page, camera_server, width, height):
    page = open_page(camera_server.url, width=width, height=height, has_touch=True, is_mobile=True)
    start(page, camera_server)
    page.evaluate("addEventListener('pointerdown', (event) => { window.pointer = event.pointerType; }, true)")
    frame = page.locator("[data-zone='hand:1']")
    frame.scroll_into_view_if_needed()
    before, scrolled = box(page, "hand:1"), "[scrollX, scrollY]"
    frame.tap()  # the first touch may as well begin a scroll
    assert box(page, "hand:1") == about(*before)
    page.locator("[data-grip='se']").scroll_into_view_if_needed()
    at = page.evaluate(scrolled)
    swipe(page, "[data-grip='se']", -0.3, -0.1)
    left, top, right, bottom = before
    assert box(page, "hand:1") == about(left, top, right - 0.3, bottom - 0.1)
    swipe(page, "[data-zone='hand:1']", 0.2, 0.06)
    moved = about(left + 0.2, top + 0.06, right - 0.1, bottom - 0.04)
    assert box(page, "hand:1") == moved
    assert (page.evaluate("window.pointer"), page.evaluate(scrolled)) == ("touch", at)
    page.locator("#save").tap()
    expect(page.locator("#said")).to_have_text("Saved. The camera looks at these zones now.")
    page.reload()
    there(page)
    assert box(page, "hand:1") == moved


@pytest.mark.parametrize(("theme", "lang"), [("light", "en"), ("dark", "ja")])
def test_axe_finds_nothing_on_the_zones(open_page, camera_server, theme, lang):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    page = open_page(camera_server.url, width=820, height=1180, lang=lang, color_scheme=theme)
    start(page, camera_server)
    page.locator("[data-zone='hand:0']").click()
    page.click("#mat summary")
    found = axe.Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["failureSummary"]) for v in found] == []
