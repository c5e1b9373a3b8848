"""What the screens owe to the eye: cards as large as the room allows, the whole deck in sight on an upright tablet,
titles whole, names of places once, pictures instead of equal fans, one family of icons, games put away."""

import re

import pytest

from companion import resources
from companion.games import ids
from tests.browser.play import settled

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect

WIDEST = "(all) => Math.max(...all.map((el) => el.offsetWidth))"
LARGE = [
    ("trading-poker", 3, "", 9, (1280, 800), "[data-zone^=common]", 130),
    ("trading-poker", 3, "", 9, (1280, 800), ".place.seat", 95),
    ("trading-poker", 3, "", 9, (390, 844), "[data-zone^=common]", 66),
    ("three-card-showdown", 3, "52D2", 3, (1280, 800), ".place.seat", 120),
    ("three-card-showdown", 4, "52D2", 4, (1280, 800), ".place.seat", 120),
    ("three-card-showdown", 3, "52D2", 3, (390, 844), ".place.seat", 72),
    ("three-card-showdown", 4, "52D2", 4, (390, 844), ".place.seat", 66),
    ("sixty-five-card-poker", 4, "", 30, (1280, 800), ".place.seat", 100),
    ("sixty-five-card-poker", 4, "", 30, (390, 844), ".place.seat", 55),
    ("sixty-five-card-poker", 4, "", 30, (844, 390), ".place.seat", 60),
    ("three-card-trick-poker", 4, "M7D2", 24, (1280, 800), ".place.seat", 78),
    ("three-card-trick-poker", 4, "M7D2", 24, (820, 1180), ".place.seat", 80),
    ("three-card-trick-poker", 4, "M7D2", 24, (390, 844), ".place.seat", 42),
    ("pokard-trick", 4, "", 12, (1280, 800), ".place.seat", 70),
    ("pokard-trick", 4, "", 12, (390, 844), ".place.seat", 46),
    ("pokard-trick", 4, "", 12, (320, 640), ".place.seat", 36),
    ("pokard-trick", 5, "", 12, (320, 640), ".place.seat", 33),
    ("three-card-trick-poker", 4, "M7D2", 24, (320, 640), ".place.seat", 31),
    ("joker-quest", 3, "", 12, (1280, 800), ".place.middle", 125),
]
"""Game, players, deck, actions, screen, where, and the least width of the largest card there (px)."""


@pytest.mark.parametrize(("name", "players", "chosen", "steps", "size", "where", "least"), LARGE)
def test_cards_are_as_large_as_told(new_game, name, players, chosen, steps, size, where, least):
    width, height = size
    page = new_game(name, players, deck=chosen, steps=steps, width=width, height=height).page
    page.wait_for_selector(f"#felt {where} .card")
    assert page.eval_on_selector_all(f"#felt {where} .card", WIDEST) >= least


@pytest.mark.parametrize(("width", "height"), [(600, 960), (820, 1180)])
def test_an_upright_tablet_shows_the_whole_deck_a_suit_a_line(new_game, width, height):
    page = new_game("three-card-showdown", 3, deck="52D1", steps=1, width=width, height=height).page
    page.click("[data-kind=lay]")
    page.wait_for_selector(".picker")
    settled(page)  # the sheet has risen
    boxes = page.eval_on_selector_all(
        ".picker [data-face]",
        "(all) => all.map((el) => el.getBoundingClientRect()).map((r) => [r.top, r.bottom, r.right])",
    )
    assert len(boxes) == 52
    assert all(top >= 0 and bottom <= height and right <= width for top, bottom, right in boxes)
    lines = [round(top) for top, _, _ in boxes]
    assert sorted(lines.count(line) for line in set(lines)) == [13] * 4


CUT = """() => Array.from(document.querySelectorAll("header h1, header .where, #table-title, #phase, .sheet h2"))
  .filter((el) => el.getClientRects().length && el.scrollWidth > el.clientWidth + 1).map((el) => el.textContent)"""
TWICE = """() => { const seen = Array.from(document.querySelectorAll("#felt .place.seat .zone-label:not(.sr)"))
  .filter((el) => el.clientWidth > 2).map((el) => el.firstChild.data);
  return seen.filter((text, i) => seen.indexOf(text) !== i); }"""
PLAYERS = {"joker-quest": 2}


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", ids())
def test_titles_are_whole_and_no_name_of_a_place_is_told_at_every_seat(new_game, name, lang):
    play, found = new_game(name, PLAYERS.get(name, 3), steps=9, lang=lang), {}
    for width, height in ((1280, 800), (820, 1180), (390, 844), (844, 390), (320, 640)):
        play.page.set_viewport_size({"width": width, "height": height})
        play.page.reload()
        play.page.wait_for_selector("body.ready")
        settled(play.page)
        found[width] = play.page.evaluate(CUT), play.page.evaluate(TWICE)
        assert play.page.locator("#dock .primary:visible").count() <= 1
    assert {width: texts for width, texts in found.items() if texts != ([], [])} == {}


def test_an_upright_tablet_says_whole_what_the_game_does(new_game, open_page):
    play, found = new_game("three-card-trick-poker", 3, seed=33, width=820, height=1180), set()
    open_page(play.url + play.path)  # somebody else looks on, which the bar says too
    play.page.wait_for_selector(".sign-chip.people")
    for _ in range(40):
        play.on(1)
        play.page.wait_for_selector(f"[data-seq='{play.table['seq']}']", state="attached")
        found |= set(play.page.evaluate(CUT))
    assert found == set()


def test_every_game_and_every_deck_has_a_picture_of_its_own(open_page, server):
    page = open_page("/")
    pictures = page.eval_on_selector_all(
        "[data-game]", "(all) => all.map((el) => (el.querySelector('img, use, svg') || el).outerHTML)"
    )
    assert len(pictures) == len(set(pictures)) == len(ids())
    assert not [
        picture for picture in pictures if "<img" not in picture and "<use" not in picture and "<svg" not in picture
    ]
    page.goto(f"{server.url}/decks")
    drawn = page.request.get(f"{server.url}/decks/fans.svg").text()
    fans = {}
    for at, fan in re.findall(r'<symbol id="(fan-\d+)" (.*?)</symbol>', drawn, re.S):
        deck = page.locator(f"a.deck:has(use[href$='#{at}'])").get_attribute("href").rpartition("=")[2]
        sets = min(3, int(found[1])) if (found := re.search(r"D(\d)", deck)) else 1
        fans.setdefault(re.sub(r"\d+-\d+-", "", fan), set()).add(re.sub(r"D\d(C\d)?", f"D{sets}", deck))
    assert len(fans) >= 30
    assert [decks for decks in fans.values() if len(decks) > 1] == []  # three sets of tiles or four look alike


EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u265f\u2667-\u26ff\u2700-\u2712\u2714-\u27bf]")


def test_no_control_is_an_emoji():
    web = resources.web()
    files = [*web.glob("templates/*.html"), *web.glob("static/js/*.js"), *web.glob("messages/*/*.json")]
    files += resources.package("companion.games").glob("*/words.*.json")
    assert len(files) > 50
    assert {file.name for file in files if EMOJI.search(file.read_text(encoding="utf-8"))} == set()


def test_a_game_is_put_away_and_taken_out_again(open_page, own_server):
    page = open_page(own_server.url)
    body = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D1"}
    path = page.request.post(f"{own_server.url}/api/tables", data=body).json()["url"]
    page.goto(own_server.url + path)
    page.wait_for_selector("body.ready")
    page.click("#evening")
    page.click("#archive")
    page.wait_for_url(own_server.url + "/")
    expect(page.locator(f"a[href='{path}']")).to_have_count(0)
    page.goto(own_server.url + path.replace("/tables/", "/history/"))
    with page.expect_navigation():
        page.click("[data-unarchive]")
    page.goto(own_server.url)
    expect(page.locator(f"a[href='{path}']")).to_have_count(1)


@pytest.mark.parametrize(("lang", "title"), [("ja", "卓上レフェリー"), ("en", "Table Companion")])
def test_the_product_has_its_name_in_each_language(open_page, lang, title):
    page = open_page("/", lang=lang)
    expect(page).to_have_title(re.compile(title))
    expect(page.locator("h1")).to_have_text(title)
    assert "コンパニオン" not in page.locator("body").inner_text()


CUT_NEWS = """() => { const news = document.querySelector(".news"), acts = document.getElementById("prompts");
  const low = acts.lastElementChild.getBoundingClientRect().bottom;
  return [news.scrollHeight - news.clientHeight, acts.getBoundingClientRect().bottom - low]; }"""
"""How much of the news lies out of sight, and how much room the actions leave, px."""


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_a_bout_came_to_is_whole_where_the_actions_leave_room(new_game, lang):
    play = new_game("three-card-trick-poker", 2, seed=3, width=390, height=844, lang=lang)
    told = 0
    for _ in range(30):  # the dock was crowded once
        play.on(1)
        hidden, free = play.shown().evaluate(CUT_NEWS)
        told += len(play.table["results"]) > 0
        assert hidden <= 4 or free < 12
    assert told > 2
