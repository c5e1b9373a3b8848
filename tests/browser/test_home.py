"""From the home page to a game: how many taps, what a first visit offers, every house rule, decks and deck files."""

import re

import pytest

from companion.games import game, ids
from tests.browser.play import settled

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
SIZES = [(390, 844), (1280, 800)]
MOST_TAPS = 4
COUNT = (
    "addEventListener('click', () => sessionStorage.setItem('taps', 1 + Number(sessionStorage.getItem('taps'))), true)"
)


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", ids())
def test_a_game_without_camera_starts_in_four_taps(open_page, server, width, height, name):
    page = open_page("/", width=width, height=height, has_touch=True)
    page.evaluate(COUNT)
    page.locator(f"[data-game={name}]").tap()
    assert page.locator("#new h3").evaluate("(e) => e.getBoundingClientRect().top < innerHeight")
    most = page.locator("[data-count]").last
    players = int(most.get_attribute("data-count"))
    most.tap()
    expect(page.locator("[data-option=camera]")).to_have_value("")
    page.locator("#begin").tap()
    page.wait_for_selector("body.ready")
    assert int(page.evaluate("sessionStorage.getItem('taps')")) <= MOST_TAPS
    expect(page.locator(".scorestrip li")).to_have_count(players)
    expect(page.locator("#prompts button").first).to_be_attached()
    expect(page.locator("#banner")).to_be_hidden()


def test_a_first_visit_shows_the_demonstration_and_the_other_language(open_page, server):
    page = open_page("/", lang="en")
    page.locator("#language").click()
    page.wait_for_selector("html[lang=ja]")
    expect(page.locator(".welcome")).to_have_count(0)
    other = open_page("/", lang="en")
    other.locator(".welcome .watch a").click()
    other.wait_for_selector("body.ready")
    assert re.search(r"/demo$", other.url)
    expect(other.locator(".scorestrip li")).to_have_count(4)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_house_rule_can_be_reached_and_says_what_it_is_about(open_page, lang):
    page = open_page("/", lang=lang)
    for name in ids():
        page.click(f"[data-game={name}]")
        page.click("#new details.rules summary")
        shown = page.eval_on_selector_all(
            ".rule-field",
            """(all) => all.map((e) => [e.querySelector('select').dataset.option, e.querySelector('.told').textContent,
            e.querySelectorAll('option').length, e.querySelector('select').offsetParent !== null])""",
        )
        options = game(name).options
        assert [option for option, *_ in shown] == [option.name for option in options]
        for (option, told, values, visible), meant in zip(shown, options, strict=True):
            assert visible
            assert len(told) > 6, (name, option)
            assert values == len(meant.values) + bool(meant.free)
        page.click(".setup-head button")
        page.wait_for_selector(f"[data-game={name}]")


def test_a_house_rule_and_the_names_reach_the_table(open_page, server):
    page = open_page("/")
    page.click("[data-game=three-card-showdown]")
    for seat, name in enumerate(("Anna", "Ben")):
        page.fill(f"[data-player='{seat}']", name)
    page.click("#lot")
    assert {page.input_value(f"[data-player='{seat}']") for seat in range(2)} == {"Anna", "Ben"}
    page.click("#new details.rules summary")
    page.select_option("[data-option=ace]", "high")
    page.click("#begin")
    page.wait_for_selector("body.ready")
    assert {"Anna", "Ben"} == set(page.locator(".scorestrip .name").all_text_contents())
    page.goto(f"{server.url}/rules/three-card-showdown?table={page.url.rpartition('/')[2]}")
    expect(page.locator(".house .chosen", has_text="above K only")).to_have_count(1)


def test_a_phone_as_the_camera_leads_to_its_code(open_page, server):
    page = open_page("/")
    page.click("[data-game=three-card-showdown]")
    page.select_option("[data-option=camera]", "push")
    page.click("#begin")
    page.wait_for_url("**/join#camera")
    expect(page.locator("#camera .qr svg")).to_be_visible()
    expect(page.locator("#camera")).to_be_in_viewport()


EXAMPLE = """
[deck]
name = { en = "Harbour cards", ja = "港の札" }
separator = "."
[[suits]]
code = "north"
name = { en = "North", ja = "北" }
colour = "blue"
[[suits]]
code = "south"
colour = "red"
[[pictures]]
code = "tide"
name = { en = "Tide", ja = "潮" }
[[pictures]]
code = "crane"
[[extras]]
code = "JK1"
"""


def test_a_deck_file_is_shown_or_what_is_wrong_with_it(open_page, tmp_path):
    page = open_page("/decks")
    good, bad, odd = tmp_path / "harbour.toml", tmp_path / "bad.toml", tmp_path / "odd.toml"
    good.write_text(EXAMPLE, encoding="utf-8")
    bad.write_text(EXAMPLE.replace("colour =", "color =", 1), encoding="utf-8")
    odd.write_bytes(b"\xff\xfe\x00")
    page.set_input_files("#deck-file", str(bad))
    expect(page.locator("#deck-said.error")).to_contain_text("did you mean “colour”")
    page.set_input_files("#deck-file", str(odd))
    expect(page.locator("#deck-said.error")).to_contain_text("UTF-8")
    page.set_input_files("#deck-file", str(good))
    expect(page.locator("#deck-cards img")).to_have_count(5)
    expect(page.locator("#deck-said:not(.error)")).to_contain_text("Harbour cards, 5 cards")
    expect(page.locator("#deck-games .no")).to_have_count(8)


def test_a_deck_is_made_on_the_page_kept_and_played(open_page):
    page = open_page("/decks")
    page.click("#maker > summary")
    page.select_option("#start", "65-original")
    expect(page.locator("#deck-cards img")).to_have_count(65)
    expect(page.locator("#deck-games .yes")).to_have_count(4)
    page.locator(".parts input[aria-label*=English]").first.fill("Wanderers")
    expect(page.locator("#deck-cards h3").first).to_have_text("Wanderers")
    page.click("#deck-keep")
    page.wait_for_url("**/decks?deck=*")
    expect(page.locator("h2", has_text="Wanderers")).to_be_visible()
    with page.expect_download() as sent:
        page.click("form.print button")
    assert sent.value.path().read_bytes().startswith(b"%PDF")
    page.goto(page.url.split("/decks")[0])
    page.click("[data-game=aces-king]")
    own = page.locator("[data-option=deck] option", has_text="The 65 cards, the author's earlier order")
    page.select_option("[data-option=deck]", own.get_attribute("value"))
    page.click("#begin")
    page.wait_for_url("**/tables/*")
    table = page.evaluate("fetch(`/api${location.pathname}`).then((answer) => answer.json())")
    assert table["table"]["deck"].startswith("the-65-cards")


@pytest.mark.parametrize("path", ["/", "/decks", "/decks?deck=65"])
@pytest.mark.parametrize(("width", "height"), [(320, 640), (390, 844), (1280, 800)])
def test_nothing_is_cut_off_or_too_small_to_tap(open_page, path, width, height):
    page = open_page(path, width=width, height=height, lang="ja")
    if path == "/":
        page.click("[data-game=sixty-five-card-poker]")
        page.click("#new details.rules summary")
        page.wait_for_selector("#known-names", state="attached")
    assert settled(page).evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    small = page.evaluate(
        """Array.from(document.querySelectorAll("button, a, select, input:not(.sr), summary, label.button"))
        .filter((e) => e.offsetParent && !e.classList.contains("skip"))
        .map((e) => [e.id || e.className, e.getBoundingClientRect()])
        .map(([c, r]) => [c, Math.round(r.width), Math.round(r.height)]).filter(([, w, h]) => w < 48 || h < 48)"""
    )
    assert small == []
    if "deck" in path:
        page.wait_for_function("() => Array.from(document.images).every((i) => i.complete || i.loading === 'lazy')")
        broken = "Array.from(document.images).filter((i) => i.complete && !i.naturalWidth).map((i) => i.src)"
        assert page.evaluate(broken) == []


@pytest.mark.parametrize("name", ["Maximiliane-Konstantin", "W" * 38, "長い名前の人が座るところ" * 3])
def test_people_who_played_before_fit_a_small_screen_whatever_their_names(open_page, own_server, name):
    page = open_page(own_server.url, width=320, height=640, lang="ja")
    body = {"game": "sixty-five-card-poker", "deck": "", "options": {}}
    people = [f"{name}{seat}" for seat in range(5)]
    assert page.request.post(f"{own_server.url}/api/tables", data={**body, "players": people}).ok
    page.reload()
    page.click("[data-game=sixty-five-card-poker]")
    offered = page.locator(".rounds button")
    expect(offered).to_have_text("、".join(people))
    page.click("#teams")
    inside = """Array.from(document.querySelectorAll("#new *")).every((el) => {
        const { left, right } = el.getBoundingClientRect();
        return left >= 0 && right <= innerWidth || el.closest(".sr, svg");
    })"""
    assert settled(page).evaluate("document.documentElement.scrollWidth") <= 320
    assert page.evaluate(inside)
    offered.click()
    for seat, person in enumerate(people):
        expect(page.locator("[data-player]").nth(seat)).to_have_value(person)
    expect(page.locator("[data-player]")).to_have_count(len(people))


def test_the_decks_that_the_sheet_recommends_come_first(open_page):
    page = open_page("/")
    page.locator("[data-game=three-card-trick-poker]").click()
    page.locator("[data-count='5']").click()
    first = page.locator("[data-option=deck] optgroup").first
    expect(first).to_have_attribute("label", "The rule sheet, for 5 players")
    values = [option.get_attribute("value") for option in first.locator("option").all()]
    assert values == ["40D3", "48D2", "36D2", "M9D4C3", "M7D3", "T52D2", "T44D2"]
    page.select_option("[data-option=deck]", "M9D4C3")
    page.locator("[data-count='4']").click()
    expect(page.locator("[data-option=deck]")).to_have_value("M9D4C3")  # a choice stays
    expect(first.locator("option").first).to_contain_text("Long game: 48 playing cards × 2 sets · 48D2")
    page.locator("#begin").click()
    page.wait_for_url("**/tables/*")


def test_all_seats_of_a_set_up_are_as_wide(open_page):
    page = open_page("/", width=390, height=844)
    page.click("[data-game=three-card-showdown]")
    page.wait_for_selector("[data-player='1']")
    widths = settled(page).eval_on_selector_all("[data-player]", "(all) => all.map((el) => el.offsetWidth)")
    assert len(widths) == 2
    assert len(set(widths)) == 1


@pytest.mark.parametrize("part", ["zones", "calibrate"])
def test_where_there_is_no_camera_the_page_leads_to_one(open_page, server, part):
    page = open_page("/rules", width=390, height=844)
    body = {"game": "three-card-showdown", "players": ["Anna", "Ben"]}
    path = page.request.post(f"{server.url}/api/tables", data=body).json()["url"]
    page.goto(f"{server.url}{path}/{part}")
    page.wait_for_selector("body.sightless")
    expect(page.locator("#said")).to_have_text("No camera: everything is tapped.")
    expect(page.locator(f".ways-on a[href='{path}']")).to_be_visible()
    page.click(".ways-on .primary")
    expect(page.locator("#camera.code.on .qr")).to_be_visible()
