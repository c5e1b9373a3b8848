"""Cards on the page: two colours or four, as a device likes it; how many are still to be chosen."""

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect

DIAMOND = """async () => {
  const picture = document.querySelector("img[src*='7D']");
  return (await (await fetch(picture.src)).text()).toLowerCase(); }"""


def test_four_colours_are_a_switch_that_a_device_remembers(open_page):
    page = open_page("/decks?deck=52D1", width=390, height=844)
    switch = page.locator("#colours")
    expect(switch).to_have_attribute("aria-pressed", "false")
    two = page.evaluate(DIAMOND)
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    four = page.evaluate(DIAMOND)
    assert four != two
    page.reload()
    expect(page.locator("#colours")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(DIAMOND) == four


def test_one_more_is_said_when_one_card_is_missing_and_only_then(new_game):
    page = new_game("three-card-showdown", 2, width=390, height=844, lang="ja").page
    page.locator("#prompts button").first.tap()
    confirm = page.locator("#confirm")
    expect(confirm).to_have_text("あと3枚")
    for card, left in (("AS", "あと2枚"), ("KH", "あと1枚")):
        page.wait_for_selector("body:not(.busy):not(:has(.resting))", state="attached")
        page.locator(f"[data-face='{card}']").tap()
        expect(confirm).to_have_text(left)
