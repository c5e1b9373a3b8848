"""The guided first round at a real table, in every game: each hint stands at a control that can be seen, none comes
twice, every action that was open has had its own, and the last one leads on."""

import pytest

from tests.browser.play import settled

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect

# players, deck, options, seed, actions that are watched at most
GAMES = {
    "three-card-showdown": (2, "52D1", {}, 5, 4),
    "three-card-trick-poker": (2, "M7D1", {"end": "S"}, 5, 12),
    "trading-poker": (3, "", {}, 5, 12),
    "pokard-trick": (2, "", {"deals": "1"}, 34, 12),
    "aces-king": (2, "", {}, 5, 8),
    "hexa-card": (2, "", {"out": "auto"}, 5, 8),
    "joker-quest": (2, "", {"relative": "starts"}, 5, 12),
    "sixty-five-card-poker": (2, "", {}, 5, 8),
}
POINTED = """() => { const el = document.querySelector(".pointed"); if (!el) return null;
  const box = el.getBoundingClientRect(), coach = document.querySelector(".coach").getBoundingClientRect();
  return box.width > 20 && box.height > 20 && box.bottom > 0 && box.top < innerHeight
    && coach.bottom <= innerHeight + 1; }"""


@pytest.mark.parametrize("name", GAMES)
def test_a_first_round_is_guided_at_a_table_of_every_game(new_game, name):
    players, deck, options, seed, most = GAMES[name]
    play = new_game(name, players, deck=deck, options=options, seed=seed, quick=True, width=390, height=844)
    page, told, open_kinds = play.page, [], set()
    steps = page.request.get(f"{play.url}/api/guide/{name}?lang=en").json()["steps"]
    page.goto(f"{play.url}/rules")  # a page of its own: the place after # alone loads nothing
    page.goto(f"{play.url}{play.path}#guide")
    page.wait_for_selector(".coach")
    assert page.evaluate("location.hash") == ""  # a reload does not begin again
    for _ in range(most):
        while page.locator(".coach").count():
            told.append(page.locator(".coach p").inner_text())
            assert settled(page).evaluate(POINTED), told[-1]
            if told[-1] == steps["end"]:
                expect(page.locator(".coach a")).to_be_visible()
            page.locator("[data-key=guide-ok]").tap()
        open_kinds |= {prompt["kind"] for prompt in play.table["prompts"]}
        action = play.next()
        if action is None or steps["end"] in told:
            break
        play.post(action)
        play.shown()
    assert len(told) == len(set(told))
    assert steps["goal"] in told
    assert {steps[kind] for kind in open_kinds if kind in steps} <= set(told)
