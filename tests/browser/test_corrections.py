"""Nothing on the table is a dead end: fouls of one player wait as one, a correction says what it changed for others."""

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect


def lay(page, server, path, seat, cards):
    action = {"kind": "lay", "seat": seat, "cards": cards.split(), "args": {}}
    answer = page.request.post(f"{server.url}/api{path}/intents", data={"intent": "act", "action": action})
    assert answer.ok, answer.text()


def begin(open_page, server, width, height):
    page = open_page("/rules", width=width, height=height)
    body = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D1"}
    path = page.request.post(f"{server.url}/api/tables", data=body).json()["url"]
    return page, path


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_waiting_fouls_of_one_player_are_one_box(open_page, server, width, height):
    page, path = begin(open_page, server, width, height)
    lay(page, server, path, 1, "2H 2D 9C")
    lay(page, server, path, 0, "AS AS QS")
    lay(page, server, path, 0, "KS KS QS")
    page.goto(server.url + path)
    page.wait_for_selector("body.ready")
    expect(page.locator(".foul-box")).to_have_count(1)
    expect(page.locator(".more-fouls summary")).to_have_text("1 more waiting")
    page.click(".more-fouls summary")
    expect(page.locator(".more-fouls div")).to_contain_text("K♠")
    for name in ("back-", "fix-", "on-"):
        expect(page.locator(f"[data-key^={name}]")).to_be_in_viewport(ratio=0.9)
    page.click("[data-key^=back-]")
    expect(page.locator(".more-fouls")).to_have_count(0)
    expect(page.locator(".foul-box")).to_contain_text("K♠")
    page.wait_for_selector("body:not(.busy):not(:has(.resting))", state="attached")
    page.click("[data-key^=back-]")
    expect(page.locator(".foul-box")).to_have_count(0)
    expect(page.locator("[data-kind=lay][data-seat='0']")).to_be_visible()


def test_a_correction_says_what_it_changes_for_others(open_page, server):
    page, path = begin(open_page, server, 390, 844)
    lay(page, server, path, 0, "3H 3D 9C")
    lay(page, server, path, 1, "2H 2D KC")
    page.goto(server.url + path)
    page.wait_for_selector("body.ready")
    expect(page.locator("#changed")).to_be_empty()
    page.click("[data-key='card-hand:1-2']")  # one tap on the misread card, one on the right face
    page.wait_for_selector(".picker")
    page.click("[data-face='2C']")
    page.wait_for_selector(".sheet", state="detached")
    expect(page.locator("#changed")).to_contain_text("The correction also changed")
    expect(page.locator("#changed")).to_contain_text("Anna: Scores 1 → 0")


def test_a_card_too_many_for_the_deck_leads_to_the_deck(open_page, server):
    page, path = begin(open_page, server, 390, 844)
    lay(page, server, path, 0, "3H 3D 9C")
    lay(page, server, path, 1, "3H 2D KC")
    page.goto(server.url + path)
    link = page.locator(".foul-box .clause")
    expect(link).to_have_text("52 playing cards")
    page.goto(server.url + link.get_attribute("href"))
    expect(page.locator("h1")).to_have_text("52 playing cards")


def test_a_captured_card_is_corrected_where_it_lies(new_game):
    """Who captured a card is not who laid it."""
    play = new_game("pokard-trick", 2, seed=15, width=820, height=1180)
    layer, found = {}, []
    while not found:
        action = play.next()
        if action.kind == "play":
            layer |= dict.fromkeys(action.cards, action.seat)
        play.post(action)
        zones = [zone for zone in play.table["zones"] if zone["id"].startswith("captured:")]
        lying = [(zone, card["face"]) for zone in zones for card in zone["cards"] if card["face"] in layer]
        found = [(zone["id"], card) for zone, card in lying if zone["seat"] != layer[card]]
    zone, card = found[0]
    page = play.shown()
    page.click(f"[data-zone='{zone}'] [data-card='{card}']")
    expect(page.locator(".card-sheet")).to_contain_text("Play a card")
    true = page.locator(".sheet .cell:not(.gone)").first
    face = true.get_attribute("data-face")
    true.click()
    page.wait_for_selector(".sheet", state="detached")
    expect(page.locator(f"[data-zone='{zone}'] [data-card='{face}']")).to_have_count(1)
