"""A practice game on the page: dealt, played to its end against bots, dealt again."""

import random

import pytest

from tests.browser.play import settled

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect

READY = "() => document.querySelector('#turn b') && (document.querySelector('.practice-tools [data-key=again]') || \
document.querySelector('#turn b').textContent === 'Your move')"
FREE = "#moves .move:not([disabled]), #moves .choice:not([disabled])"
LYING = ".held-card:not(.up) .card:not([disabled])"
ANY = f"{FREE}, {LYING}, [data-key=again]"
"""Something can be tapped: while a tap is on its way to the server, nothing can."""


def test_a_game_of_three_against_bots_to_its_end(open_page):
    page = open_page("/practice?game=sixty-five-card-poker", width=390, height=844, has_touch=True)
    page.clock.install()
    page.locator("[data-game=sixty-five-card-poker] button").click()
    page.wait_for_selector("body.ready")
    expect(page.locator(".held-card")).to_have_count(5)
    chance = random.Random(1)
    exchanged = False
    for _ in range(60):
        page.clock.fast_forward(3_000)
        page.wait_for_function(READY)
        page.locator(ANY).first.wait_for()
        if page.locator("[data-key=again]").count():
            break
        if not exchanged and page.locator("#moves .move").count() == 2:
            page.locator("[data-key='hand-0']").click()
            expect(page.locator(".held-card.up")).to_have_count(1)
            exchanged = True
        free = page.locator(FREE)
        if not free.count():  # several cards are wanted
            page.locator(LYING).nth(chance.randrange(2)).click()
            continue
        seq = page.evaluate("document.querySelectorAll('.event').length")
        free.first.click()
        page.wait_for_function(f"() => document.querySelectorAll('.event').length !== {seq} || {READY[6:]}")
    expect(page.locator("[data-key=again]")).to_be_visible()
    expect(page.locator(".standing li")).to_have_count(3)
    page.locator("[data-key=again]").click()
    page.wait_for_selector("body.ready")
    expect(page.locator(".held-card")).to_have_count(5)


def test_the_first_round_is_guided_at_the_true_controls(open_page):
    page = open_page("/practice", width=390, height=844, has_touch=True)
    page.locator("[data-game=aces-king] button").click()
    expect(page.locator(".coach")).to_contain_text("Get rid of your cards first")
    expect(page.locator("#felt.pointed")).to_have_count(1)
    for _ in range(2):
        page.click("[data-key=guide-ok]")
    expect(page.locator(".coach")).to_contain_text("These are your cards")
    expect(page.locator(".hand-cards.pointed")).to_have_count(1)
    page.click("[data-key=guide-ok]")
    page.wait_for_function(READY)
    expect(page.locator(".coach")).to_contain_text("Lay a card on the pile")
    expect(page.locator("#moves .move.pointed")).to_have_count(1)
    page.click("[data-key=guide-stop]")
    expect(page.locator(".coach")).to_have_count(0)
    page.reload()
    page.wait_for_selector("body.ready")
    expect(page.locator(".coach")).to_have_count(0)


def test_a_move_that_breaks_a_rule_says_why_and_nothing_is_played(open_page):
    page = open_page("/practice", width=1280, height=800)
    made = page.request.post(page.url.replace("/practice", "/api/practice"), data={"game": "aces-king"}).json()
    page.goto(page.url.replace("/practice", made["url"]))
    page.wait_for_selector("body.ready")
    page.wait_for_function(READY)
    page.route("**/move*", lambda route: route.continue_(post_data=route.request.post_data.replace("play", "plax")))
    page.locator(".held-card .card:not([disabled])").first.click()
    page.locator("#moves .move:not([disabled])").first.click()
    expect(page.locator("#said")).to_have_text("Not with these cards.")
    page.unroute("**/move*")
    page.locator(".held-card .card:not([disabled])").first.click()
    if not page.locator(".held-card.up").count():
        page.locator(".held-card .card:not([disabled])").first.click()
    page.locator("#moves .move:not([disabled])").first.click()
    expect(page.locator("#said")).to_be_hidden()
    expect(page.locator("[data-key=back]")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_pictures_of_the_games_are_whole(open_page, width):
    page = open_page("/practice", width=width, height=800)
    pictures = """() => Array.from(document.querySelectorAll(".practice-game .drawing > svg"), (el) => {
      const [room, whole] = [el.getBoundingClientRect(), el.viewBox.baseVal];
      return room.width / room.height / (whole.width / whole.height); })"""
    shapes = settled(page).evaluate(pictures)
    assert len(shapes) >= 7
    assert shapes == pytest.approx([1] * len(shapes), abs=0.02)
