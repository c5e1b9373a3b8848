"""A showdown played by taps in a real browser, as people at a table do."""

import re

import pytest

from tests.browser.play import settled

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
SIZES = [(1024, 768), (390, 844), (320, 640)]


def start_game(page, names=("Anna", "Ben"), deck="52D1"):
    """From the home page to the table; the taps a person needs."""
    page.click("[data-game=three-card-showdown]")
    for seat, name in enumerate(names):
        page.fill(f"[data-player='{seat}']", name)
    page.select_option("[data-option=deck]", deck)
    page.click("#begin")
    page.wait_for_selector("body.ready")
    return re.search(r"/tables/(\w+)", page.url)[0]


def pick(page, cards):
    """Tap cards in the picker: first the suit where only one is shown, then the card."""
    for code in cards.split():
        page.locator(f"[data-face='{code}']").wait_for(state="attached")
        tab = page.locator(f"[data-key=suit-{code[-1]}]")
        if tab.is_visible():
            tab.click()
        page.locator(f"[data-face='{code}']").click()


def lay(page, seat, cards):
    """Lay `cards`, and wait until the page shows them and takes the next tap."""
    page.wait_for_selector("body:not(.offline)", state="attached")
    page.click(f"[data-kind=lay][data-seat='{seat}']")
    pick(page, cards)
    page.wait_for_selector(".sheet", state="detached")
    page.wait_for_selector("body:not(.busy):not(:has(.resting))", state="attached")
    expect(faces(page, seat)).to_have_count(len(cards.split()))


def scores(page):
    return page.locator(".scorestrip li b")


def faces(page, seat):
    return page.locator(f"[data-place=seat-{seat}] [data-zone='hand:{seat}'] .card img")


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_showdown_by_taps_with_a_second_page_looking_on(open_page, width, height):
    page = open_page(width=width, height=height)
    path = start_game(page)
    other = open_page(path, lang="ja")
    other.wait_for_selector("body.ready")
    lay(page, 0, "AS KS QS")
    expect(other.locator("[data-zone='hand:0'] .card")).to_have_count(3)
    lay(page, 1, "2H 2D 9C")
    page.wait_for_selector("[data-kind=next]")
    expect(scores(page)).to_have_text(["1", "0"])
    expect(page.locator("#results")).to_contain_text("Anna")
    expect(page.locator("[data-place=seat-0] .mark-win")).to_have_count(3)
    expect(other.locator(".mark-win")).to_have_count(3)
    expect(other.locator("[data-place=seat-0]")).to_contain_text("ストレートフラッシュ")
    page.click("[data-kind=next]")
    page.wait_for_selector("[data-kind=lay]")
    expect(other.locator(".mark-win")).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_is_cut_off_or_too_small_to_tap(open_page, width, height):
    page = open_page(width=width, height=height)
    start_game(page, ("Anna", "A name as long as forty characters allow"))
    lay(page, 0, "AS KS QS")
    page.click("[data-kind=lay]")
    page.wait_for_selector(".picker")
    assert settled(page).evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    small = page.evaluate(
        """Array.from(document.querySelectorAll("button, a, select, input, summary"))
        .filter((e) => e.offsetParent && !e.classList.contains("skip") && !e.classList.contains("evidence"))
        .map((e) => [e.className, e.getBoundingClientRect()])
        .map(([c, r]) => [c, Math.round(r.width), Math.round(r.height)])
        .filter(([, w, h]) => w < 48 || h < 48)"""
    )
    assert small == []


def test_a_foul_is_explained_and_taken_back_or_played_on(open_page):
    page = open_page()
    start_game(page)
    page.click("[data-kind=lay][data-seat='0']")
    pick(page, "AS AS")
    expect(page.locator(".why")).to_contain_text("already lies")
    page.click(".why button")
    pick(page, "QS")
    page.wait_for_selector(".foul-box")
    expect(page.locator(".foul-box")).to_contain_text("152")
    expect(page.locator(".foul-box")).to_contain_text("A♠")
    page.wait_for_selector(".sheet", state="detached")
    page.click("[data-key^=back-]")
    page.wait_for_selector(".foul-box", state="detached")
    expect(faces(page, 0)).to_have_count(0)
    page.click("[data-kind=lay][data-seat='0']")
    pick(page, "AS AS")
    page.click(".why button")
    pick(page, "QS")
    page.wait_for_selector(".sheet", state="detached")
    page.click("[data-key^=on-]")
    page.wait_for_selector(".foul-box", state="detached")
    expect(faces(page, 0)).to_have_count(3)


def test_undo_and_the_correction_of_one_card(open_page):
    page = open_page()
    start_game(page)
    lay(page, 0, "AS KS QS")
    page.click("[data-key='card-hand:0-0']")
    page.wait_for_selector(".picker")
    pick(page, "JS")  # one tap on the card, one on the right face
    page.wait_for_selector("[data-zone='hand:0'] [aria-label^='Jack of Spades']")
    expect(page.locator("[data-zone='hand:0'] [aria-label^='Ace']")).to_have_count(0)
    page.wait_for_selector(".sheet", state="detached")
    page.click("[data-key=undo]")
    expect(page.locator("[data-zone='hand:0'] .card")).to_have_count(0)


def test_a_reload_loses_nothing_and_the_language_switch_stays(open_page):
    page = open_page()
    start_game(page)
    lay(page, 0, "AS KS QS")
    page.reload()
    page.wait_for_selector("body.ready")
    expect(faces(page, 0)).to_have_count(3)
    page.click("#language")
    page.wait_for_selector("html[lang=ja] body.ready")
    expect(page.locator("h1")).to_contain_text("三枚役くらべ")
    expect(faces(page, 0)).to_have_count(3)
    page.reload()
    page.wait_for_selector("html[lang=ja] body.ready")


def test_a_server_killed_and_started_again_under_an_open_page(open_page, own_server):
    page = open_page(own_server.url)
    start_game(page)
    lay(page, 0, "AS KS QS")
    own_server.kill()
    page.wait_for_selector("#banner:not([hidden])")
    own_server.start()
    expect(page.locator("#banner")).to_be_hidden()
    lay(page, 1, "2H 2D 9C")
    page.wait_for_selector("[data-kind=next]")
    expect(scores(page).first).to_have_text("1")
    expect(page.locator(".event.acted")).to_have_count(2)


def test_a_tap_that_comes_too_late_is_told_and_changes_nothing(open_page):
    page = open_page()
    start_game(page)
    lay(page, 0, "AS KS QS")

    def late(route):
        route.continue_(post_data={**route.request.post_data_json, "seq": 1})

    page.route("**/intents", late)
    page.click("[data-kind=lay][data-seat='1']")
    pick(page, "2H 2D 9C")
    expect(page.locator("#toast")).to_contain_text("moved on")
    expect(page.locator(".in-tray")).to_have_count(3)  # what was chosen is still there
    page.unroute("**/intents")
    page.click("#confirm")
    page.wait_for_selector("[data-kind=next]")
    expect(page.locator(".event.acted")).to_have_count(2)


def test_hostile_names_are_names(open_page):
    page = open_page()
    page.on("dialog", lambda dialog: pytest.fail("a name ran as a script"))
    hostile = "<img src=x onerror=alert(1)>"
    start_game(page, (hostile, "أنا اسم طويل"))
    expect(page.locator("[data-place=seat-0] h2")).to_have_text(hostile)
    lay(page, 1, "AS KS QS")
    expect(page.locator("#ruling")).to_contain_text("\u2068أنا اسم طويل\u2069")
    assert page.locator("img[src=x]").count() == 0


def test_the_keyboard_alone_is_enough(open_page):
    page = open_page()
    start_game(page)
    page.focus("[data-kind=lay][data-seat='0']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".sheet")
    page.keyboard.press("Escape")
    page.wait_for_selector(".sheet", state="detached")
    expect(page.locator("[data-kind=lay][data-seat='0']")).to_be_focused()
    page.keyboard.press("Enter")
    for code in ("AS", "KS", "QS"):
        page.focus(f"[data-face='{code}']")
        page.keyboard.press("Space")
    expect(page.locator("[data-zone='hand:0'] .card")).to_have_count(3)


def test_the_board_shows_and_takes_nothing(open_page):
    page = open_page()
    path = start_game(page)
    board = open_page(path + "/board", width=1280, height=720)
    board.wait_for_selector("body.ready")
    lay(page, 0, "AS KS QS")
    expect(board.locator("[data-zone='hand:0'] .card")).to_have_count(3)
    assert board.locator("main button:visible").count() == 0


def test_whoever_has_no_key_only_looks_on(open_page, server):
    page = open_page(extra_http_headers={"X-Forwarded-For": "192.0.2.9"})
    path = start_game(page)
    guest = open_page(path, extra_http_headers={"X-Forwarded-For": "192.0.2.8"})
    guest.wait_for_selector("body.ready")
    expect(guest.locator("#prompts")).to_contain_text("looking on")
    assert guest.locator("[data-kind=lay]").count() == 0
    page.goto(server.url + path + "/join")
    link = page.locator("a.url", has_text="seat-1").get_attribute("href")
    guest.goto(server.url + re.sub(r"^https?://[^/]+", "", link))
    guest.wait_for_selector("body.ready")
    lay(guest, 1, "AS KS QS")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1280, 800)])
def test_who_has_laid_stays_in_the_list_and_who_has_not_is_in_sight(new_game, width, height):
    names = ["千代", "Benjamin", "あかり", "David"]
    play = new_game("three-card-showdown", names, deck="52D2", seed=11, steps=4, width=width, height=height)
    page, url = play.page, f"{play.url}/api{play.path}/intents"
    assert page.locator("[data-kind=next]").count() == 1
    for seat, cards in (
        (1, ["2S", "3S", "4S"]),
        (2, ["2H", "3H", "4H"]),
    ):  # the first goes on to the next showdown, too
        action = {"kind": "lay", "seat": seat, "cards": cards, "args": {}}
        assert page.request.post(
            url, data={"intent": "act", "action": action, "seq": play.look()["seq"], "key": cards[0]}
        ).ok
        play.look()
        play.shown()
    assert page.locator("#prompts .prompt-names .who").all_inner_texts() == names
    assert page.locator("#prompts button").count() == 2
    hidden = "(all) => all.filter((el) => getComputedStyle(el).visibility === 'hidden').length"
    assert page.eval_on_selector_all("#prompts .prompt-names > *", hidden) == 0
    room = page.locator("#prompts").evaluate("(el) => [el.scrollHeight, el.clientHeight]")
    assert room[0] <= room[1] + 1
