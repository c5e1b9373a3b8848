"""Whose device it is: a seat's phone says who it is and acts for itself, the one who keeps the game sees the rest."""

import re

import pytest

from tests.browser.play import settled

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect


def test_a_seats_phone_offers_its_own_actions_and_says_why_no_others(new_game, open_page):
    play = new_game("three-card-showdown", ["千代", "大地"], width=390, height=844)
    links = play.page.request.get(f"{play.url}/api{play.path}/links").json()["links"]
    path = next(re.sub(r"^https?://[^/]+", "", link["url"]) for link in links if link["role"] == "seat-1")
    phone = open_page(play.url + path, width=390, height=844, lang="ja")
    expect(phone.locator("#awaits")).to_contain_text("あなたは大地")
    expect(phone.locator("[data-kind=lay]")).to_have_count(1)
    expect(phone.locator("[data-kind=lay]")).to_have_attribute("data-seat", "1")
    phone.click("[data-key=for-others]")
    expect(phone.locator(".for-others")).to_contain_text("千代")
    expect(phone.locator(".for-others [data-kind]")).to_have_count(0)


def test_who_keeps_the_game_may_play_too_and_finds_the_others_behind_a_fold(new_game):
    play = new_game("three-card-showdown", ["Anna", "Ben"], width=390, height=844)
    page = play.page
    expect(page.locator("#prompts > .prompt-group [data-kind=lay]")).to_have_count(2)
    page.click("[data-key=whose]")
    page.click("[data-key=whose-1]")
    expect(page.locator("#awaits")).to_contain_text("You are Ben")
    expect(page.locator("[data-kind=lay][data-seat='1']")).to_be_visible()
    expect(page.locator("[data-kind=lay][data-seat='0']")).to_be_hidden()
    page.click("[data-key=for-others]")
    expect(page.locator(".for-others [data-kind=lay][data-seat='0']")).to_be_visible()
    page.reload()
    expect(page.locator("#awaits")).to_contain_text("You are Ben")  # this device keeps it


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_seats_phone_has_room_for_actions_beside_undo_and_the_own_hand(new_game, open_page, lang):
    play, busy = new_game("trading-poker", 3, options={"end_kinds": "10"}, seed=12, steps=9), []
    while not busy:
        play.on(1)
        seats = [prompt["seat"] for prompt in play.table["prompts"] if prompt["seat"] is not None]
        busy = [seat for seat in seats if seats.count(seat) >= 4]
    links = play.page.request.get(f"{play.url}/api{play.path}/links").json()["links"]
    path = next(re.sub(r"^https?://[^/]+", "", link["url"]) for link in links if link["role"] == f"seat-{busy[0]}")
    phone = settled(open_page(play.url + path, width=390, height=844, lang=lang))
    undo, hand = (phone.locator(f"[data-key={key}]").bounding_box() for key in ("undo", "hand"))
    assert undo["y"] == hand["y"]
    assert undo["width"] >= 48
    room = phone.locator("#prompts").bounding_box()
    boxes = [one.bounding_box() for one in phone.locator("#prompts > .prompt").all()]
    assert sum(box["y"] + box["height"] <= room["y"] + room["height"] + 2 for box in boxes) >= 3
