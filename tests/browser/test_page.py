"""The table page under the finger and under the keyboard: targets, stillness, focus, names, weight."""

import pytest

from tests.browser.play import settled

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect

SIZES = [(1280, 800), (820, 1180), (390, 844), (320, 640)]
TARGET = 48  # px
MOST_BYTES, MOST_REQUESTS = 70_000, 15  # over the wire, for a device that has never been here
NAME = "Benjamin Alexander"
SMALL = """(least) => Array.from(document.querySelectorAll("button, a[href], input, select, summary, textarea"))
  .map((e) => (e.matches("[type=checkbox], [type=radio], [type=file]") && e.labels.length ? e.labels[0] : e))
  .filter((e) => e.getClientRects().length && getComputedStyle(e).visibility !== "hidden" && !e.matches(".skip, .sr"))
  .map((e) => [e.tagName, e.className, e.textContent.trim().slice(0, 30), e.getBoundingClientRect()])
  .map(([tag, name, text, r]) => [tag, name, text, Math.round(r.width * 10) / 10, Math.round(r.height * 10) / 10])
  .filter(([, , , w, h]) => w < least || h < least)"""
READY = {"/": "[data-game]", "/history/{}": "body.ready"}  # what is there when a page has drawn all of itself
WIDTH = "[document.documentElement.scrollWidth, window.innerWidth]"


def check(page, found, where):
    small, (inner, outer) = settled(page).evaluate(SMALL, TARGET - 0.5), page.evaluate(WIDTH)
    if small or inner > outer:
        found[where] = small, inner


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_target_is_as_large_as_a_finger_and_nothing_is_cut_off(new_game, width, height):
    play = new_game("three-card-showdown", 3, deck="52D1", steps=5, width=width, height=height)
    page, found = play.page, {}
    check(page, found, "table")
    page.click("[data-kind=lay]")
    page.wait_for_selector(".picker")
    check(page, found, "picker")
    play.tap_cards(("JC",))
    page.keyboard.press("Escape")
    page.locator("[data-key^=card-hand]").first.click()
    page.wait_for_selector(".card-sheet")
    check(page, found, "card")
    page.keyboard.press("Escape")
    page.click("[data-key=tab-scores]")
    check(page, found, "scores")
    for path in ("/", "/history", "/history/{}", "/rules", "/rules/three-card-showdown", "/odds", "/tables/{}/join"):
        page.goto(play.url + path.format(play.path.rsplit("/", 1)[1]))
        if path in READY:
            page.wait_for_selector(READY[path])
        check(page, found, path)
    page.goto(play.url)
    page.click("[data-game=trading-poker]")
    page.wait_for_selector("#begin")
    check(page, found, "set-up")
    assert found == {}


def boxes(page):
    """Where the buttons of the dock are, by what they do."""
    found = page.eval_on_selector_all(
        ".prompts button, .tools button",
        """(all) => all.map((e) => [e.dataset.key === "undo" ? "undo" : e.textContent, e.getBoundingClientRect()])
        .map(([what, r]) => [what, [r.x, r.y, r.width, r.height]])""",
    )
    return dict(found)


HOLES = """() => { const room = document.getElementById("prompts"), holes = room.querySelectorAll(".gone").length;
  return [holes, holes && room.scrollHeight > room.clientHeight + 2]; }"""


def test_nothing_holds_the_place_of_what_is_gone_where_nobody_else_acts_or_room_is_short(new_game):
    for name, players, size in (("joker-quest", 1, (390, 844)), ("trading-poker", 3, (844, 390))):
        play, found = new_game(name, players, seed=7, width=size[0], height=size[1]), []
        for _ in range(32):
            play.on(1)
            play.page.wait_for_selector(f"[data-seq='{play.table['seq']}']", state="attached")
            found.append(play.page.evaluate(HOLES))
        assert not any(hides for _, hides in found)
        assert players > 1 or not any(holes for holes, _ in found)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_what_others_do_moves_no_button(new_game, width, height):
    play = new_game("three-card-showdown", 4, deck="52D2", width=width, height=height)
    page = play.page
    before = boxes(page)
    assert len(before) == 5
    for seat in (1, 0, 3):
        play.post(next(a for a in play.world.actions(play.state) if a.seat == seat))
        after = boxes(play.shown())
        assert len(after) == len(before) - 1
        assert {what: before[what] for what in after} == after
        before = after


@pytest.mark.parametrize(("width", "height"), [SIZES[0], SIZES[2]])
def test_a_finger_that_is_down_gets_what_it_aimed_at(new_game, width, height):
    play = new_game("three-card-showdown", 3, deck="52D2", width=width, height=height)
    page = play.page
    play.stop_clock()  # the page waits for a finger, but not for ever
    box = page.locator("[data-kind=lay][data-seat='2']").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    play.post(next(a for a in play.world.actions(play.state) if a.seat == 0))
    page.clock.run_for(1_000)  # where the stream broke, it is opened again, and the finger still waits
    expect(page.locator("#live")).to_contain_text("Anna")  # it has come, and is told
    assert page.locator("[data-place=seat-0] .card").count() == 0  # but not drawn
    page.mouse.up()
    expect(page.locator("#sheet-title")).to_contain_text("Chiyo")


def focused(page):
    """What has the focus, and whether that can be seen."""
    return page.evaluate(
        """() => { const e = document.activeElement; const s = getComputedStyle(e);
        return [e.dataset.key || e.id || e.tagName, s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2]; }"""
    )


def tab_to(page, key, most=60):
    for _ in range(most):
        page.keyboard.press("Tab")
        at, visible = focused(page)
        assert visible or at == "BODY", at
        if at.startswith(key):
            return
    raise AssertionError(f"{key} cannot be reached with Tab")


@pytest.mark.parametrize(("width", "height"), [SIZES[0], SIZES[2]])
def test_keys_alone_play(new_game, width, height):
    play = new_game("three-card-showdown", 2, deck="52D1", width=width, height=height)
    page = play.page
    tab_to(page, "prompt-lay:0")
    page.keyboard.press("Enter")
    page.wait_for_selector(".picker")
    tab_to(page, "cell-AS")
    page.keyboard.press("Enter")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
    expect(page.locator("[data-zone='hand:0'] .card")).to_have_count(3)
    assert play.look()["entries"][-1]["cards"] == ["AS", "2S", "3S"]
    expect(page.locator(".sheet")).to_have_count(0)
    play.at_rest()
    tab_to(page, "prompt-lay:1")
    page.keyboard.press("Enter")
    page.wait_for_selector(".picker")
    page.keyboard.press("Escape")
    expect(page.locator(".sheet")).to_have_count(0)
    assert focused(page)[0].startswith("prompt-lay:1")
    tab_to(page, "undo")
    page.keyboard.press("Enter")
    expect(page.locator("[data-zone='hand:0'] .card")).to_have_count(0)
    play.at_rest()
    tab_to(page, "tab-events")
    page.keyboard.press("ArrowRight")
    assert focused(page)[0] == "tab-scores"
    assert page.locator("[data-key=tab-scores]").get_attribute("aria-selected") == "true"


NAMES = [
    "W" * 40,
    "👩‍👩‍👧‍👦🇯🇵 かなり長い名前の人 👍🏽",
    "محمد عبد الرحمن بن عبد الله",
    "<script>alert(1)</script>",
]
OUTSIDE = """() => Array.from(document.querySelectorAll("main *"))
  .filter((e) => e.getClientRects().length && !e.closest(".sr, svg, .who, .await"))
  .filter((e) => e.getBoundingClientRect().right > window.innerWidth + 1)
  .map((e) => [e.tagName, e.className, e.textContent.slice(0, 40)])"""


def test_any_name_is_shown_right_everywhere(new_game):
    play = new_game("three-card-showdown", NAMES, deck="52D2", steps=4, width=320, height=640)
    page = play.page
    page.on("dialog", lambda dialog: pytest.fail("a name ran as a script"))
    expect(page.locator(".place h2 .name")).to_have_text(NAMES)
    expect(page.locator(".scorestrip .name")).to_have_text(NAMES)
    settled(page)
    assert page.evaluate(OUTSIDE) == []
    play.on(1)
    play.shown().click("[data-kind=lay]")
    page.wait_for_selector(".picker")
    assert settled(page).evaluate(WIDTH) == [320, 320]
    for path in ("/", "/history", "/history/{}"):
        page.goto(play.url + path.format(play.path.rsplit("/", 1)[1]))
        if path in READY:
            page.wait_for_selector(READY[path])
        shown = settled(page).locator("bdi").all_text_contents()
        assert set(NAMES) <= set(shown), path
        assert page.evaluate(OUTSIDE) == [], path
        assert page.evaluate(WIDTH) == [320, 320]
    assert page.locator("script:not([src]):not([type='application/json'])").count() == 0


HEAVIEST = [
    ("three-card-showdown", 8, "hanafuda"),
    ("trading-poker", 5, ""),
    ("sixty-five-card-poker", 13, ""),
]
"""Most places, most cards to draw, most players; tests/server measures every game and number of players."""


@pytest.mark.parametrize(("name", "players", "deck"), HEAVIEST)
def test_a_first_visit_is_light(new_game, name, players, deck):
    """With all seats taken, after forty actions."""
    names = [f"{NAME} {n}" for n in range(players)]
    play = new_game(name, names, deck=deck, steps=40, width=390, height=844)
    fresh = play.page.context.browser.new_context(viewport={"width": 390, "height": 844})
    try:
        fresh.set_default_timeout(60_000)
        page = fresh.new_page()
        cdp, sizes = fresh.new_cdp_session(page), {}
        cdp.send("Network.enable")
        cdp.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
        page.goto(play.url + play.path)
        page.wait_for_selector("body.ready")
        page.wait_for_function("() => Array.from(document.images).every((image) => image.complete)")
        for _ in range(600):
            if sum(size > 0 for size in sizes.values()) >= 5:
                break
            page.wait_for_timeout(100)  # what has arrived is reported a little later
        found = [size for size in sizes.values() if size]  # a card that came with its deck has none
        assert 5 <= len(found) <= MOST_REQUESTS
        assert 40_000 < sum(found) <= MOST_BYTES
    finally:
        fresh.close()


@pytest.mark.parametrize(("width", "height"), [SIZES[0], SIZES[2]])
def test_where_the_order_of_the_cards_matters_they_are_numbered(new_game, width, height):
    play = new_game("joker-quest", 2, options={"relative": "starts"}, steps=5, width=width, height=height)
    play.page.click("[data-kind=play]")
    play.page.wait_for_selector(".picker")
    play.tap_cards(("3C", "4C", "5C"))
    places = play.page.locator(".in-tray .place")
    expect(places).to_have_text(["1", "2", "3"])
    play.page.locator(".in-tray").first.click()
    expect(places).to_have_text(["1", "2"])
    expect(play.page.locator(".in-tray").first).to_have_accessible_name("Card 1: Remove 4 of Clubs")
