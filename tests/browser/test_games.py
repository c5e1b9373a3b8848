"""Every game is played to its end by taps, at a tablet's and at a phone's size: bots hold the true cards and say what
to do, the page is what they tap on. At the end the page names the winner and shows the scores that the referee has.

One script plays all games, because the page knows none of them: it opens the right prompt and fills its cards and
choices.
"""

import re

import pytest

from tests.browser.play import settled

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect

WIDE, TALL, PHONE, SMALL = (1280, 800), (820, 1180), (390, 844), (320, 640)
GAMES = [
    ("three-card-trick-poker", TALL, 2, "M7D1", {}, 1),
    ("three-card-trick-poker", SMALL, 2, "M7D1", {"end": "S"}, 33),
    ("trading-poker", WIDE, 3, "", {"end_kinds": "10"}, 8),
    ("trading-poker", PHONE, 4, "", {"end_kinds": "10"}, 12),
    ("pokard-trick", TALL, 3, "", {"deals": "1"}, 34),
    ("pokard-trick", SMALL, 2, "", {"deals": "1"}, 33),
    ("aces-king", WIDE, 3, "", {}, 22),
    ("aces-king", SMALL, 2, "", {}, 6),
    ("hexa-card", TALL, 3, "", {}, 7),
    ("hexa-card", PHONE, 2, "", {"out": "auto"}, 2),
    ("joker-quest", WIDE, 2, "", {"relative": "starts"}, 32),
    ("joker-quest", PHONE, 1, "", {}, 13),
    ("sixty-five-card-poker", WIDE, 4, "", {}, 1),
    ("sixty-five-card-poker", SMALL, 3, "", {}, 2),
]

MOST_TAPS = {
    "trading-poker": {"take": 2, "swap": 4, "give": 1, "done": 1, "claim": 7},
    "hexa-card": {"loop": 2, "dice": 2, "deal": 1, "holy": 7, "out": 7},
    "joker-quest": {"turn-up": 2, "pass": 2, "kings": 5},
}
"""So many taps an action takes at most on a phone; `benchmarks/taps.py` counts them over more games."""


@pytest.mark.parametrize(("name", "size", "players", "deck", "options", "seed"), GAMES)
def test_a_game_is_played_to_its_end_by_taps(new_game, name, size, players, deck, options, seed):
    width, height = size
    play = new_game(name, players, deck=deck, options=options, seed=seed, width=width, height=height, quick=True)
    page = play.page
    while (action := play.next()) is not None:
        play.tap(action)
        newest = play.table["entries"][-1]
        assert newest["verdict"] in ("legal", "unproven"), newest["text"]
        assert sorted(newest["cards"]) == sorted(action.cards)  # a ready answer may have them in another order
    assert play.table["over"]
    if size == PHONE:
        most = {kind: max(counts) for kind, counts in play.taps.items() if kind in MOST_TAPS[name]}
        assert most
        assert not {kind: n for kind, n in most.items() if n > MOST_TAPS[name][kind]}
    totals, winners = play.rules.totals(play.state), play.rules.winners(play.state)
    end = page.locator(".standing")
    expect(end).to_be_in_viewport(ratio=0.99)
    settled(page)
    shown = {int(row.get_attribute("data-seat")): row for row in end.locator("li").all()}
    assert {seat for seat, row in shown.items() if "won" in row.get_attribute("class")} == set(winners)
    for seat, row in shown.items():
        assert play.setup.players[seat] in row.text_content()
        score = row.locator("b")
        assert [int(s) for s in score.all_text_contents()] in ([], [totals[seat]])
        assert score.count() == (play.table["players"][seat]["score"] is not None)
    expect(page.locator(".results > p")).to_have_text(play.table["results"])
    expect(page.locator("[data-kind]")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.locator("[href^='/history/']").first.tap()
    page.wait_for_selector("#slider")
    assert play.path.rsplit("/", 1)[1] in page.url


@pytest.mark.parametrize(
    ("name", "players", "options", "kinds"),
    [
        ("trading-poker", 3, {"end_kinds": "10"}, ("claim",)),
        ("hexa-card", 2, {}, ("holy", "out")),
        ("sixty-five-card-poker", 2, {}, ("open",)),
    ],
)
def test_a_hand_that_its_owners_phone_was_told_is_put_forward_with_two_taps(
    new_game, open_page, name, players, options, kinds
):
    play = new_game(name, players, options=options, seed=3, width=1280, height=800)
    host = play.page
    while (action := play.next()).kind not in kinds:
        play.post(action)
    links = {link["role"]: link["url"] for link in host.request.get(f"{play.url}/api{play.path}/links").json()["links"]}
    path = re.sub(r"^https?://[^/]+", "", links[f"seat-{action.seat}"])
    phone = open_page(play.url + path, width=390, height=844, has_touch=True)
    phone.wait_for_selector("body.ready")
    told = [f"hand-{play.table['id']}-{action.seat}", play.world.zones()[f"hand:{action.seat}"]]
    phone.evaluate("([key, cards]) => sessionStorage.setItem(key, JSON.stringify(cards))", told)
    play.page = phone
    play.look()
    play.tap(action)
    assert play.taps[action.kind] == [2]
    assert play.table["entries"][-1]["verdict"] in ("legal", "unproven")


def test_a_showdown_goes_on_as_long_as_the_table_likes(new_game):
    play = new_game("three-card-showdown", 3, deck="52D2", seed=3, width=390, height=844, quick=True)
    for _ in range(7):
        play.tap(play.next())
        assert play.table["entries"][-1]["verdict"] == "legal"
    assert max(play.taps["lay"]) <= 4  # a hand of three
    assert [p["score"] for p in play.table["players"]] == list(play.rules.totals(play.state).values())
    expect(play.page.locator("[data-kind=next]")).to_have_count(1)


def test_the_last_ruling_does_not_slide_sideways(new_game):
    """In a window as narrow as a phone, with a mouse: a bar below the ruling would hide its clause."""
    play = new_game("hexa-card", 2, seed=5, steps=1, width=390, height=844)
    news = play.page.locator(".news")
    expect(news.locator(".verdict")).to_be_visible()
    news.hover()
    play.page.mouse.wheel(60, 0)
    settled(play.page)
    assert news.evaluate("element => element.scrollLeft") == 0


def test_the_name_of_chosen_cards_is_filled_in_and_what_was_said_instead_counts(new_game):
    play = new_game("sixty-five-card-poker", 2, seed=3, width=390, height=844, quick=True)
    while (action := play.next()).kind != "open":
        play.on(1)
    page = play.page
    page.wait_for_selector(f"[data-seq='{play.table['seq']}']", state="attached")
    prompt = next(p for p in play.table["prompts"] if (p["kind"], p["seat"]) == ("open", action.seat))
    page.locator(f"[data-key='prompt-{prompt['id']}']").tap()
    play.tap_cards(action.cards)
    named = page.locator(".choice-part [aria-pressed=true]")
    expect(named).to_have_count(1)
    values = prompt["choices"][0]["values"]
    true = next(v["text"] for v in values if v["value"] == dict(action.args)["hand"])
    expect(named).to_have_text(true)
    assert play.table["seq"] == page.request.get(f"{play.url}/api{play.path}").json()["table"]["seq"]  # it waits
    other = page.locator(".choice-part .choice[aria-pressed=false]").first
    said = other.text_content()
    play.at_rest()
    other.tap()
    expect(named).to_have_text(said)
    play.at_rest()
    page.locator("#confirm").tap()
    expect(page.locator(".foul-box")).to_be_visible()
