"""The felt fits its room on a device that follows a game from its start: nothing is cut when more lies there."""

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

# game, players, deck, options, seed, actions that are watched, sizes
FOLLOWED = [
    ("sixty-five-card-poker", 4, "", {}, 1, 12, ((844, 390), (390, 844), (820, 1180))),
    ("three-card-trick-poker", 3, "M7D2", {"end": "S"}, 33, 29, ((1280, 800), (390, 844), (320, 640))),
    ("three-card-trick-poker", 4, "", {"end": "S"}, 33, 34, ((844, 390), (390, 844), (320, 640))),
    ("pokard-trick", 4, "", {"deals": "1"}, 15, 24, ((844, 390), (390, 844), (320, 640))),
    ("trading-poker", 3, "", {"end_kinds": "10"}, 12, 12, ((390, 844), (320, 640))),
]

CUT = """() => {
  const felt = document.getElementById("felt"), dock = document.getElementById("dock"), room = felt.parentNode;
  const low = Math.max(...Array.from(felt.querySelectorAll(".place"), (place) => place.getBoundingClientRect().bottom));
  const above = dock.offsetTop > room.offsetTop; // the dock lies below the felt
  const end = innerHeight - (above ? parseFloat(getComputedStyle(dock).minHeight) : 0);
  const scrolls = getComputedStyle(room).overflowY === "auto" ? room.scrollHeight - room.clientHeight : 0;
  return Math.max(low + scrollY - end, scrolls);
}"""
"""How much of the felt (px) lies out of sight."""


@pytest.mark.parametrize(
    ("name", "players", "deck", "options", "seed", "actions", "sizes"),
    FOLLOWED,
    ids=[f"{c[0]}-{c[1]}" for c in FOLLOWED],
)
def test_the_felt_is_not_cut_while_a_game_goes_on(new_game, name, players, deck, options, seed, actions, sizes):
    play = new_game(name, players, deck=deck, options=options, seed=seed)
    browser, state = play.page.context.browser, play.page.context.storage_state()
    contexts, pages = [], {}
    try:
        for width, height in sizes:
            for lang in ("en", "ja"):
                view = {"width": width, "height": height}
                contexts.append(browser.new_context(viewport=view, storage_state=state, locale=lang))
                page = pages[width, height, lang] = contexts[-1].new_page()
                page.goto(play.url + play.path)
                page.wait_for_selector("body.ready")
        cut = dict.fromkeys(pages, 0.0)
        for _ in range(actions):
            play.on(1)
            for size, page in pages.items():
                page.wait_for_selector(f"[data-seq='{play.table['seq']}']", state="attached")
                cut[size] = max(cut[size], page.evaluate(CUT))
        assert {size: px for size, px in cut.items() if px > 1} == {}
    finally:
        for context in contexts:
            context.close()
