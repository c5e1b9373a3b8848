"""What people read where they choose: names first and never a raw code, no English in Japanese sentences, and no badge
of gold for a hand that is worth nothing. Every screen that offers something is walked, the pages of all games too."""

import re

import pytest

from companion.cards import NAMES as DECKS
from companion.cards import deck
from companion.games import game, ids
from tests.browser.play import settled

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect

CHOICES = "a, button, summary, label, legend, option, optgroup, h1, h2, h3, th, [role=tab], [role=img], .rule-field *"
"""Where people choose, or read what they choose."""

OFFERED = """(choices) => Array.from(document.querySelectorAll(choices))
  .filter((el) => el.matches("option, optgroup") || el.getClientRects().length)
  .map((el) => el.matches("optgroup") ? el.label : el.getAttribute("aria-label") || el.innerText || el.textContent)
  .map((text) => text.trim().replace(/\\s+/g, " ")).filter(Boolean)"""

READ = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const el = node.parentElement;
    if (el.closest("script, style, noscript, bdi, .url, code, textarea")) continue;
    if (el.matches("option") || el.getClientRects().length) found.push(node.data.trim());
  }
  for (const el of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
    for (const of of ["aria-label", "title", "placeholder", "alt"]) found.push(el.getAttribute(of) || "");
  return found.filter(Boolean);
}"""

RAW = {name for name in DECKS if not name.isdecimal()} | set(ids())
"""What the program calls decks and games. A number is the name of a deck too: the 65 cards."""

INNER = re.compile(r"[a-z0-9]_[a-z0-9]|[a-z]\.[a-z]|\{\w+\}|" + "|".join(ids()))
"""How the program writes names for itself: `hexa-card`, `no_pair`, `judge.fed`; `{n}`: a value left out."""

ENGLISH = re.compile(r"[A-Za-z]{2,}")
ADDRESS = re.compile(r"(?:https?://|\d+(?:\.\d+){3}:)\S+")
PROPER = {
    *("QR", "PDF", "CSV", "JSON", "TOML", "API", "PIN", "OK", "USB", "TESCA", "ZAT", "BoW", "CFL", "UD", "CD"),
    *("BG", "Stats", "JavaScript", "Wi", "Fi", "English", "iPhone", "iPad", "Android", "Windows", "macOS", "Linux"),
    *("Safari", "Chrome", "Edge", "VPN", "CA", "https", "Rev", "TOSAKA", "GAMES", "px", "cm", "mm", "Letter"),
    *("CLF", "HF", "RN", "FL", "ST", "RaP", "SF", "MW"),
    *(token for name in DECKS for token in ENGLISH.findall(name) if name.isupper()),
}  # fmt: skip
"""Latin letters that a Japanese sentence may hold: names, units, codes of the rule sheets for decks and hands."""

TABLES = {
    "three-card-showdown": (3, "52D2", 2),
    "three-card-trick-poker": (3, "M9D4C3", 14),
    "trading-poker": (3, "", 9),
    "pokard-trick": (3, "", 12),
    "aces-king": (3, "", 6),
    "hexa-card": (3, "", 6),
    "joker-quest": (2, "", 12),
    "sixty-five-card-poker": (3, "", 6),
}
"""Players, deck, and actions after which a table is read once more."""

PEOPLE = ["千代", "大地", "あかり"]
SCREENS = ["/", "/practice", "/decks", "/odds", "/rules", "/players", "/history", "/install", "/demo", "/decks/enrol"]


def raw(texts):
    """Those that are a code, begin with one, or show how the program calls something."""
    inner = {text for text in texts if INNER.search(ADDRESS.sub("", text))}
    return sorted({text for text in texts if text.split(" ")[0].rstrip(":·,") in RAW} | inner)


def english(texts):
    """Those that hold a Latin word which is no name."""
    return sorted({text for text in texts if set(ENGLISH.findall(ADDRESS.sub("", text))) - PROPER})


def look(page, lang, found, where):
    offered = raw(settled(page).evaluate(OFFERED, CHOICES))
    read = english(page.evaluate(READ)) if lang == "ja" else []
    if offered or read:
        found[where] = offered, read


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_screen_names_what_it_offers(open_page, server, lang):
    page, found = open_page("/", lang=lang), {}
    for path in SCREENS:
        page.goto(server.url + path)
        page.wait_for_load_state("load")
        if path == "/demo":
            page.wait_for_selector("body.ready")
        look(page, lang, found, path)
    assert found == {}


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_game_is_set_up_by_names(open_page, server, lang):
    page, found = open_page("/", lang=lang), {}
    people = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D1"}  # the page offers them again
    assert page.request.post(f"{server.url}/api/tables", data=people).ok
    page.reload()
    for name in ids():
        page.click(f"[data-game={name}]")
        page.click("#new details.rules summary")
        decks = page.locator("[data-option=deck] option").all_text_contents()
        assert all(text and text.split()[0] not in RAW for text in decks), name
        look(page, lang, found, name)
        page.click(".setup-head button")
        page.wait_for_selector(f"[data-game={name}]")
    assert found == {}


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_cards_of_every_deck_have_names(open_page, server, lang):
    page, found = open_page("/decks", lang=lang), {}
    for name in ("52D2", "54", "trading", "M9D4C3", "T52D1", "65", "hanafuda"):
        page.goto(f"{server.url}/decks?deck={name}")
        codes = set(deck(name).codes)
        told = page.eval_on_selector_all(".faces img", "(all) => all.map((el) => el.alt || el.parentNode.innerText)")
        assert len(told) == len(codes)
        assert [text for text in told if not text.strip() or text.strip() in codes] == []
        look(page, lang, found, name)
    assert found == {}


def a_tap_does_it(prompt):
    """Nothing is left to choose: no sheet comes."""
    slot = prompt["slot"]
    told = not slot or not slot["most"] or (slot["side"] == "down" and slot["least"] == slot["most"])
    return told and all(len(choice["values"]) < 2 for choice in prompt["choices"])


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", TABLES)
def test_the_table_of_every_game_names_actions_and_cards(new_game, name, lang):
    players, chosen, steps = TABLES[name]
    play = new_game(name, PEOPLE[:players], deck=chosen, width=1280, height=800, lang=lang)
    page, found, kinds = play.page, {}, set()
    codes = set(deck(play.setup.deck).codes)
    for step in range(steps + 1):
        page.wait_for_selector(f"[data-seq='{play.table['seq']}']", state="attached")
        for prompt in play.table["prompts"]:
            if prompt["kind"] in kinds or page.locator(f"[data-key='prompt-{prompt['id']}']").count() != 1:
                continue
            kinds.add(prompt["kind"])
            if a_tap_does_it(prompt):
                continue
            play.at_rest()
            page.locator(f"[data-key='prompt-{prompt['id']}']").click()
            page.wait_for_selector(".sheet")
            look(page, lang, found, (prompt["kind"], step))
            cells = "(all) => all.map((el) => el.getAttribute('aria-label') || el.innerText)"
            told = page.eval_on_selector_all(".sheet [data-face]", cells)
            assert [text for text in told if text.split(",")[0].strip() in codes] == []
            page.keyboard.press("Escape")
            page.wait_for_selector(".sheet", state="detached")
        look(page, lang, found, step)
        play.on(1)
    assert kinds
    for path in ("/rules/{0}", "/history/{1}", "/history/{1}/sheet", "/tables/{1}/join", "/tables/{1}/board"):
        page.goto(play.url + path.format(name, play.path.rsplit("/", 1)[1]))
        page.wait_for_load_state("load")
        look(page, lang, found, path)
    assert found == {}


NOTHING, WORTH = "2S 5H 9C", "AS AH AD"
BADGES = """() => Array.from(document.querySelectorAll(".place.seat .note-tag")).map((el) => [
  el.textContent, getComputedStyle(el).backgroundColor])"""
GOLD = """() => { const el = document.body.appendChild(document.createElement("i"));
  el.style.background = "var(--gold)";
  return getComputedStyle(el).backgroundColor; }"""


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (320, 640)])
def test_a_hand_worth_nothing_wears_no_gold(new_game, width, height):
    play = new_game("three-card-showdown", PEOPLE[:2], deck="52D1", width=width, height=height)
    for seat, cards in enumerate((NOTHING, WORTH)):
        action = {"kind": "lay", "seat": seat, "cards": cards.split(), "args": {}}
        body = {"intent": "act", "action": action}
        assert play.page.request.post(f"{play.url}/api{play.path}/intents", data=body).ok
    play.page.wait_for_selector("[data-zone='hand:1'] .note-tag")
    gold, worn = play.page.evaluate(GOLD), dict(play.page.evaluate(BADGES))
    assert worn.pop("nothing") != gold
    assert list(worn.values()) == [gold]


@pytest.mark.parametrize(
    ("name", "players", "seed", "steps", "bot", "nothing", "worth"),
    [
        ("three-card-trick-poker", 3, 16, 75, "random", "nothing", ["Colour flush"]),
        ("hexa-card", 2, 15, 14, "random", "No hand", []),
        ("sixty-five-card-poker", 3, 1, 5, "simple", "No pair", ["One pair"]),
    ],
)
def test_no_game_gives_gold_for_nothing(new_game, name, players, seed, steps, bot, nothing, worth):
    """The other games whose hands have a badge; bots play until a hand that is worth nothing lies open."""
    play = new_game(name, players, seed=seed, width=1280, height=800)
    play.bot = bot
    play.on(steps)
    play.page.wait_for_selector(f"[data-seq='{play.table['seq']}']", state="attached")
    gold, worn = play.page.evaluate(GOLD), play.page.evaluate(BADGES)
    assert [text for text, colour in worn if colour != gold] == [nothing]
    assert [text for text, colour in worn if colour == gold] == worth


BROKEN = """() => Array.from(document.querySelectorAll(".zone-label:not(.sr)"))
  .filter((el) => el.clientWidth > 2).flatMap((el) => Array.from(el.childNodes))
  .filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())
  .filter((node) => { const range = document.createRange(); range.selectNodeContents(node);
    return new Set(Array.from(range.getClientRects(), (box) => Math.round(box.top))).size > 1; })
  .map((node) => node.data).filter((text) => !text.includes(" "))"""


@pytest.mark.parametrize("name", TABLES)
def test_the_name_of_a_place_breaks_only_between_words(new_game, name):
    players, chosen, steps = TABLES[name]
    play, found = new_game(name, PEOPLE[:players], deck=chosen, steps=steps, lang="ja"), {}
    for width, height in ((1920, 1080), (1280, 800), (820, 1180), (390, 844), (844, 390), (320, 640)):
        for path in ("", "/board") if width == 1920 else ("",):
            play.page.set_viewport_size({"width": width, "height": height})
            play.page.goto(play.url + play.path + path)
            play.page.wait_for_selector("body.ready")
            found[path, width] = settled(play.page).evaluate(BROKEN)
    assert {size: texts for size, texts in found.items() if texts} == {}


LONE = """() => { const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.trimEnd(), el = node.parentElement;
    if (text.length < 4 || el.closest("script, style, bdi, .url") || !el.getClientRects().length) continue;
    const range = document.createRange(), tops = [];
    for (let i = text.length - 3; i < text.length; i += 1) {
      range.setStart(node, i); range.setEnd(node, i + 1); tops.push(Math.round(range.getBoundingClientRect().top)); }
    const at = tops.findIndex((top) => top > tops[0] + 4);
    if (at > 0 && /^[ぁ-ん]+。?$/.test(text.slice(text.length - 3 + at))) found.push(text);
  }
  return found; }"""
"""Texts of which the last line holds one or two kana, the end of a word that begins above."""


@pytest.mark.parametrize(("width", "height"), [(820, 1180), (390, 844), (844, 390)])
def test_no_japanese_word_ends_alone_in_the_last_line(open_page, server, width, height):
    page, found = open_page("/", width, height, lang="ja"), {}
    if not page.evaluate("CSS.supports('word-break', 'auto-phrase')"):
        pytest.skip("this browser does not know phrases")
    for path in SCREENS:
        page.goto(server.url + path)
        page.wait_for_load_state("load")
        found[path] = settled(page).evaluate(LONE)
    assert {path: texts for path, texts in found.items() if texts} == {}


def test_lines_of_the_scores_say_their_game_once(new_game):
    play = new_game("hexa-card", 2, options={"out": "auto"}, seed=2, width=1280, height=800)
    while (action := play.next()) is not None and not len(play.table["scores"]) > 2:
        play.post(action)
    assert len({line["text"].split(":")[0] for line in play.table["scores"]}) == 1
    page = play.page
    page.wait_for_selector(f"[data-seq='{play.table['seq']}']", state="attached")
    page.click("[data-key=tab-scores]")
    told = page.locator(".sheet-of td:first-child").all_text_contents()
    assert len(told) == len(play.table["scores"])
    assert sum(text.startswith("Game 1:") for text in told) == len({line["seat"] for line in play.table["scores"]})


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_players_without_names_are_told_apart_and_all_of_them_are_everybody(new_game, lang):
    play = new_game("three-card-showdown", ["", "", "", ""], width=390, height=844, lang=lang)
    strip = play.page.locator("#scorestrip .name")
    expect(strip).to_have_text(["P1", "P2", "P3", "P4"])
    expect(play.page.locator("#awaits b")).to_have_text("everybody" if lang == "en" else "全員")
    play.on(1)
    expect(play.page.locator("#awaits b .name")).to_have_count(3)


def test_the_page_beside_the_felt_is_never_scrolled(new_game):
    """What is only said aloud makes the story longer, not the page."""
    page = new_game("three-card-showdown", 3, steps=40, width=1280, height=800).page
    assert page.evaluate("document.querySelector('.side').scrollHeight") > 1000
    assert page.evaluate("document.documentElement.scrollHeight") == 800


@pytest.mark.parametrize(("width", "height"), [(820, 1180), (390, 844)])
def test_no_empty_place_waits_when_the_game_is_over(new_game, width, height):
    play = new_game("hexa-card", 2, options={"out": "auto"}, seed=2, steps=60, width=width, height=height)
    assert play.table["over"]
    places = play.page.locator("#felt .nothing")
    assert places.count()
    assert [place.is_visible() for place in places.all()] == [False] * places.count()


def test_every_game_has_a_table_here():
    assert set(TABLES) == set(ids())
    assert all(game(name).least_players <= players for name, (players, _, _) in TABLES.items())
