"""Rulings spoken: off at first, certain things only, in the page's language. A recorder listens where a voice would
speak: browsers without a screen have none."""

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
LISTEN = """SpeechSynthesis.prototype.speak = (words) => {
(window.heard = window.heard || []).push([words.text, words.lang]); }"""


@pytest.fixture
def table(open_page, server):
    """Opens a page of a fresh showdown in a language."""

    def start(lang, mode=""):
        page = open_page("/", lang=lang)
        page.add_init_script(LISTEN)
        answer = page.request.post(
            server.url + "/api/tables", data={"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D1"}
        )
        page.goto(server.url + answer.json()["url"] + mode)
        page.wait_for_selector("body.ready")
        return page

    return start


def lay(page, server, seat, cards, kind="lay"):
    path = page.url.replace(server.url, server.url + "/api").removesuffix("/board")
    action = {"kind": kind, "seat": seat, "cards": cards.split(), "args": {}}
    answer = page.request.post(f"{path}/intents", data={"intent": "act", "action": action})
    assert answer.ok, answer.text()


def heard(page):
    return page.evaluate("window.heard || []")


def test_it_is_silent_until_it_is_switched_on_and_remembers_the_switch(table, server):
    page = table("en")
    switch = page.locator("#speech")
    expect(switch).to_have_attribute("aria-pressed", "false")
    lay(page, server, 0, "AS AS QS")
    page.wait_for_selector(".foul-box")
    assert heard(page) == []
    switch.click()
    assert [lang for _, lang in heard(page)] == ["en-US"]
    page.reload()
    page.wait_for_selector("body.ready")
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert heard(page) == []


@pytest.mark.parametrize(("lang", "card", "voice"), [("en", "A of spades", "en-US"), ("ja", "スペードのA", "ja-JP")])
def test_fouls_and_results_are_spoken_once_and_nothing_else(table, server, lang, card, voice):
    page = table(lang)
    page.click("#speech")
    before = len(heard(page))
    lay(page, server, 0, "AS KS QS")
    expect(page.locator("[data-zone='hand:0'] .card")).to_have_count(3)
    assert len(heard(page)) == before
    lay(page, server, 1, "AS 2D 9C")
    page.wait_for_selector(".foul-box")
    spoken = heard(page)[before:]
    assert len(spoken) == 1
    assert card in spoken[0][0]
    assert spoken[0][1] == voice
    page.click("[data-key^=back-]")
    page.wait_for_selector(".foul-box", state="detached")
    lay(page, server, 1, "2H 2D 9C")
    expect(page.locator("#results p")).not_to_have_count(0)
    results = page.locator("#results p").all_text_contents()
    assert [text for text, _ in heard(page)[before + 1 :]] == results


def test_the_board_has_the_switch_too(table, server):
    page = table("en", "/board")
    expect(page.locator("#speech")).to_be_visible()
