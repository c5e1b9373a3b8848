"""A phone on its side and a page at 200 %: felt and what is to do beside each other, the picker beside the felt."""

import pytest

from tests.browser.play import settled

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

SIDEWAYS = [(844, 390), (640, 400)]


def test_the_felt_keeps_its_size_while_somebody_reads_the_story_below_it(new_game):
    play = new_game("aces-king", 3, steps=6, width=844, height=390)
    page, size = play.page, "getComputedStyle(document.getElementById('felt')).getPropertyValue('--size')"
    before = page.evaluate(size)
    page.mouse.move(200, 200)
    page.mouse.wheel(0, 90)
    page.wait_for_function("() => window.scrollY > 80")
    for _ in range(4):
        play.on(1)
        play.shown()
    page.set_viewport_size({"width": 840, "height": 388})  # all is measured anew
    settled(page)
    assert abs(float(page.evaluate(size)[:-2]) - float(before[:-2])) < 6


@pytest.mark.parametrize(("width", "height"), SIDEWAYS)
def test_felt_and_dock_and_then_felt_and_picker_are_both_in_sight(new_game, width, height):
    page = new_game("three-card-showdown", 3, deck="52D1", steps=5, width=width, height=height).page
    felt, dock = page.locator("#felt").bounding_box(), page.locator("#dock").bounding_box()
    assert felt["x"] + felt["width"] <= dock["x"] + 1, "two columns"
    assert dock["y"] + dock["height"] <= height + 1, "all of what is to do is in sight"
    assert felt["width"] >= 0.5 * width
    page.click("[data-kind=lay]")
    page.wait_for_selector(".picker")
    settled(page)  # the sheet has risen
    picker = page.locator(".sheet").bounding_box()
    assert picker["x"] >= 0.35 * width, "the felt stays in sight beside the picker"
    assert picker["x"] + picker["width"] <= width + 1
    assert picker["height"] >= height - 1
    if width == SIDEWAYS[0][0]:
        last = page.locator(".suit-row.on .cell").last.bounding_box()
        go = page.locator(".confirm").bounding_box()
        assert last["y"] + last["height"] <= go["y"] + 2, "the whole suit is in sight above the button"


UNDER = """() => Array.from(document.querySelectorAll(".plate"), (plate) => [".tag", ".score"]
    .map((what) => plate.querySelector(what)))
  .filter(([tag, score]) => tag && score).map((both) => both.map((el) => el.getBoundingClientRect()))
  .filter(([a, b]) => a.right > b.left + 1 && b.right > a.left + 1)
  .filter(([a, b]) => a.bottom > b.top + 1 && b.bottom > a.top + 1).length"""


def test_no_score_covers_what_a_player_is_and_news_that_go_on_fade_out(new_game):
    play = new_game(
        "three-card-trick-poker", 3, deck="M7D2", options={"end": "S"}, seed=33, steps=28, width=844, height=390
    )
    page, news = play.page, play.page.locator(".news")
    for _ in range(6):
        play.on(1)
        play.shown()
        assert page.locator(".plate .tag").count()
        assert page.evaluate(UNDER) == 0
        below = news.evaluate("(el) => el.scrollHeight - el.clientHeight")
        assert below > 4
        assert "more" in news.get_attribute("class").split()
