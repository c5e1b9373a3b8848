"""axe, the accessibility checker, finds nothing: on every kind of page, light and dark, in both languages."""

import pytest

from tests.browser.play import Play

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")

LOOKS = [("light", "en"), ("dark", "ja"), ("dark", "en"), ("light", "ja")]
GAMES = {
    "three-card-showdown": (2, 1),
    "three-card-trick-poker": (2, 9),
    "trading-poker": (3, 9),
    "pokard-trick": (3, 9),
    "aces-king": (3, 9),
    "hexa-card": (2, 5),
    "joker-quest": (2, 9),
    "sixty-five-card-poker": (3, 4),
}
AROUND = (
    "/",
    "/history",
    "/history/{}",
    "/rules",
    "/rules/hexa-card",
    "/odds",
    "/tables/{}/join",
    "/tables/{}/zones",
    "/tables/{}/board",
    "/history/{}/sheet",
    "/practice",
    "/install",
    "/decks",
    "/players",
    "/players/anna",
    "/nowhere",
)
READY = {"/": "[data-game]", "/history/{}": "body.ready"}
"""What is there when a page has drawn all of itself."""


def violations(page):
    """What axe has to say of the page at rest, readable: rule, why, where."""
    page.wait_for_selector("body:not(.busy):not(:has(.resting))", state="attached")
    found = axe.Axe().run(page).response["violations"]
    return [(v["id"], v["help"], [n["target"] for n in v["nodes"]][:5], v["nodes"][0]["failureSummary"]) for v in found]


@pytest.mark.parametrize(("theme", "lang"), LOOKS)
def test_axe_finds_nothing_on_the_pages_around_the_table(new_game, theme, lang):
    play = new_game("three-card-showdown", steps=5, color_scheme=theme, lang=lang, width=820, height=1180)
    page, found = play.page, {}
    ended = Play(page, play.url, "three-card-showdown", ["Anna", "Ben"], "", {}, 5)  # players have figures
    ended.on(3)
    body = {"intent": "finish", "seq": ended.table["seq"], "key": "the-end"}
    assert page.request.post(f"{ended.url}/api{ended.path}/intents", data=body).ok
    for path in AROUND:
        page.goto(play.url + path.format(play.path.rsplit("/", 1)[1]))
        page.wait_for_load_state("load")
        if path in READY:
            page.wait_for_selector(READY[path])
        found[path] = violations(page)
    assert {path: said for path, said in found.items() if said} == {}


@pytest.mark.parametrize(("theme", "lang"), LOOKS[:2])
@pytest.mark.parametrize("name", GAMES)
def test_axe_finds_nothing_on_the_table(new_game, name, theme, lang):
    players, steps = GAMES[name]
    width, height = {"en": (390, 844), "ja": (1280, 800)}[lang]
    play = new_game(name, players, steps=steps, color_scheme=theme, lang=lang, width=width, height=height)
    page = play.page
    assert page.locator(".prompt").count()
    assert violations(page) == []
    page.click("[data-key=tab-scores]")
    page.locator("button.prompt").first.click()
    assert violations(page) == []


@pytest.mark.parametrize(("theme", "lang"), LOOKS)
def test_axe_finds_nothing_where_the_table_decides(new_game, theme, lang):
    play = new_game("three-card-showdown", 3, deck="52D1", color_scheme=theme, lang=lang, width=390, height=844)
    page = play.page
    page.click("[data-kind=lay][data-seat='0']")
    play.tap_cards(("AS", "AS"))
    assert violations(page) == []
    page.click(".why button")
    play.tap_cards(("QS",))
    page.wait_for_selector(".foul-box")
    assert violations(page) == []
    board = page.context.new_page()
    board.goto(play.url + play.path + "/board")
    board.wait_for_selector("body.ready")
    assert violations(board) == []
