"""Cards on the page: two colours or four, as a device likes it; how many are still to be chosen; rows of them."""

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
    page.wait_for_function(f"async (two) => await ({DIAMOND})() !== two", arg=two)
    four = page.evaluate(DIAMOND)
    page.reload()
    expect(page.locator("#colours")).to_have_attribute("aria-pressed", "true")
    page.wait_for_function(f"async (four) => await ({DIAMOND})() === four", arg=four)


@pytest.mark.parametrize(
    ("lang", "three", "two", "one"),
    [("ja", "あと3枚", "あと2枚", "あと1枚"), ("en", "3 more cards", "2 more cards", "1 more card")],
)
def test_how_many_cards_are_missing_is_said_one_in_the_singular(new_game, lang, three, two, one):
    page = new_game("three-card-showdown", 2, width=390, height=844, lang=lang).page
    page.locator("#prompts button").first.tap()
    confirm = page.locator("#confirm")
    expect(confirm).to_have_text(three)
    for card, left in (("AS", two), ("KH", one)):
        page.wait_for_selector("body:not(.busy):not(:has(.resting))", state="attached")
        page.locator(f"[data-face='{card}']").tap()
        expect(confirm).to_have_text(left)


def test_the_next_picker_opens_with_the_suit_that_was_chosen_last(new_game):
    play = new_game("three-card-showdown", 2, deck="M9D4C3", width=844, height=390)
    page, tabs = play.page, "[data-key^='suit-']"
    page.locator("[data-kind=lay]").first.tap()
    assert page.locator(tabs).nth(2).get_attribute("aria-pressed") == "false"
    play.tap_cards(("1m", "2m"))
    page.locator(tabs).nth(2).tap()
    last = page.locator(".suit-row.on .cell").first.get_attribute("data-face")
    play.tap_cards((last,))
    page.wait_for_selector(".sheet", state="detached")
    play.at_rest()
    page.locator("[data-kind=lay]").last.tap()
    expect(page.locator(tabs).nth(2)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".suit-row.on .cell").first).to_have_attribute("data-face", last)


def test_where_few_cards_may_come_they_alone_are_shown_until_all_are_asked_for(new_game):
    play = new_game("trading-poker", 3, options={"end_kinds": "10"}, seed=12, width=390, height=844)
    page, few = play.page, []
    while not few:
        play.on(1)
        slots = [(prompt, prompt["slot"] or {}) for prompt in play.table["prompts"]]
        few = [p for p, slot in slots if 1 < len(slot.get("faces") or ()) <= 15 and slot["side"] != "down"]
    page.wait_for_selector(f"[data-seq='{play.table['seq']}']", state="attached")
    play.at_rest()
    page.locator(f"[data-key='prompt-{few[0]['id']}']").tap()
    page.wait_for_selector(".sheet .cell")
    shown = page.eval_on_selector_all(".sheet .cell", "(all) => all.map((el) => el.dataset.face)")
    assert sorted(shown) == sorted(few[0]["slot"]["faces"])
    page.locator("[data-key=all-cards]").tap()
    page.wait_for_function("(few) => document.querySelectorAll('.sheet .cell').length > few", arg=len(shown))


def test_how_many_cards_face_down_is_a_tap_and_none_of_them_is_chosen_before(new_game):
    play = new_game("sixty-five-card-poker", 2, seed=3, width=844, height=390)
    while (action := play.next()).kind != "exchange":
        play.on(1)
    page = play.shown()
    page.locator(f"[data-kind=exchange][data-seat='{action.seat}']").tap()
    counts = page.locator(".sheet .choice")
    expect(counts).to_have_text(["0 cards", "1 card", "2 cards", "3 cards", "4 cards", "5 cards"])
    expect(page.locator(".sheet .choice.on")).to_have_count(0)
    expect(page.locator("#confirm")).to_be_hidden()
    play.at_rest()
    counts.nth(2).tap()
    page.wait_for_selector(".sheet", state="detached")
    assert play.look()["entries"][-1]["cards"] == ["?", "?"]


CUT = """() => { const top = document.querySelector(".sheet-body").getBoundingClientRect().top;
  return Array.from(document.querySelectorAll(".in-tray .x, .in-tray .place"))
    .filter((el) => el.getBoundingClientRect().top < top).length; }"""


@pytest.mark.parametrize(("width", "height"), [(1180, 820), (390, 844), (844, 390)])
def test_what_stands_on_a_chosen_card_is_whole(new_game, width, height):
    play = new_game("joker-quest", 2, seed=5, width=width, height=height)
    while (action := play.next()).kind != "play":
        play.on(1)
    page = play.shown()
    page.locator(f"[data-kind=play][data-seat='{action.seat}']").first.tap()
    play.tap_cards(action.cards[:1])
    expect(page.locator(".in-tray .place")).to_have_count(1)
    assert page.evaluate(CUT) == 0


def test_cards_face_up_and_face_down_close_up_alike(new_game):
    """In a row that is too long every card but the last lies under the next one."""
    play = new_game("three-card-trick-poker", 3, seed=5, width=390, height=844)
    mixed = []
    while not mixed:
        play.on(1)
        rows = [zone for zone in play.table["zones"] if zone["kind"] not in ("pile", "stack")]
        mixed = [z["id"] for z in rows if {bool(card["face"]) for card in z["cards"]} == {True, False}]
    page = play.shown()
    shrink = "(all) => all.map((el) => getComputedStyle(el).flexShrink)"
    for zone in mixed:
        found = page.eval_on_selector_all(f"[data-zone='{zone}'] .card", shrink)
        assert found == ["1"] * (len(found) - 1) + ["0"]


@pytest.mark.parametrize("takes", [True, False])
def test_a_card_that_may_be_taken_or_not_is_one_tap_or_the_button_that_says_none(new_game, takes):
    play = new_game("joker-quest", 1, seed=7, width=390, height=844)
    while (action := play.next()).kind != "reclaim":
        play.post(action)
    page = play.shown()
    page.locator("[data-kind=reclaim]").tap()
    confirm = page.locator("#confirm")
    expect(confirm).to_have_text("Take a penalty card back: none")
    play.at_rest()
    (page.locator(".sheet .cell").first if takes else confirm).tap()
    page.wait_for_selector(".sheet", state="detached")
    last = play.look()["entries"][-1]
    assert (last["verdict"], len(last["cards"])) == ("legal", int(takes))
