"""Who comes to a table by its codes: one after the other, players first."""

import re

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_codes_of_the_players_come_one_after_the_other(open_page, server, lang):
    page = open_page(width=390, height=844, lang=lang)
    body = {"game": "aces-king", "players": ["Anna", "Ben"], "deck": ""}
    made = page.request.post(f"{server.url}/api/tables", data=body).json()
    page.goto(f"{server.url}{made['url']}/join")
    shown, taken = page.locator(".code.on"), page.locator(".who-tile.taken")
    for seat in (0, 1):
        expect(shown).to_have_attribute("id", f"seat-{seat}")
        expect(taken).to_have_count(seat)
        expect(page.locator("#all-here")).to_be_hidden()
        phone = open_page(page.get_attribute(f"#seat-{seat} a.url", "href"), 390, 844, lang)
        phone.wait_for_selector("body.ready")
        expect(phone.locator(".await.you")).to_contain_text(("Anna", "Ben")[seat])
    expect(page.locator("#all-here")).to_be_visible()
    expect(taken).to_have_count(2)
    page.locator("[data-role=spectator]").click()
    for _ in range(2):  # it has looked again who has come, and what somebody chose stays
        page.wait_for_event("response", lambda answer: "/api/tables/" in answer.url)
    expect(shown).to_have_attribute("id", "spectator")
    page.click("#all-here a")
    page.wait_for_url(re.compile(r"/tables/\w+$"))
