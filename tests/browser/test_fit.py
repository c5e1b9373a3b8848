"""The felt fits its room on a device that follows a game from its start: nothing is cut when more lies there."""

import pytest

from tests.browser.play import LISTEN, settled

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect

# game, players, deck, options, seed, actions that are watched, sizes
FOLLOWED = [
    ("sixty-five-card-poker", 4, "", {}, 1, 12, ((844, 390), (390, 844), (820, 1180))),
    ("three-card-trick-poker", 3, "M7D2", {"end": "S"}, 33, 29, ((1280, 800), (390, 844), (360, 640), (320, 640))),
    ("three-card-trick-poker", 4, "", {"end": "S"}, 33, 34, ((844, 390), (390, 844), (320, 640))),
    ("pokard-trick", 3, "", {"deals": "1"}, 15, 16, ((320, 640),)),
    ("pokard-trick", 4, "", {"deals": "1"}, 15, 24, ((844, 390), (390, 844), (320, 640))),
    ("pokard-trick", 5, "", {"deals": "1"}, 15, 14, ((844, 390), (390, 844), (320, 640))),
    ("trading-poker", 3, "", {"end_kinds": "10"}, 12, 12, ((390, 844), (360, 640), (320, 640))),
    ("three-card-showdown", 4, "52D2", {}, 11, 9, ((844, 390), (390, 844), (360, 640), (300, 649))),
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

OVER = """() => Math.max(...Array.from(document.querySelectorAll("#felt .place.seat"), (place) =>
  Math.max(0, ...Array.from(place.querySelectorAll(".zones .card, .zones .nothing"), (card) =>
    card.getBoundingClientRect().right - place.getBoundingClientRect().right))))
  - parseFloat(getComputedStyle(document.getElementById("felt")).columnGap)"""
"""How far (px) a card reaches into the place beside its player's."""


HIDDEN = """() => {
  const box = (el) => el.getBoundingClientRect(), found = [];
  for (const text of document.querySelectorAll("#felt .counter, #felt h2, #felt .tag")) {
    const b = box(text), cut = text.scrollWidth > text.clientWidth + 1;
    if (cut && getComputedStyle(text).overflow !== "visible") found.push(text.textContent);
    for (const card of document.querySelectorAll("#felt .card")) {
      const a = box(card);
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      if (wide > 3 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4) found.push(text.textContent);
    }
  }
  return found;
}"""
"""What is told of a player and cannot be read: cut off, or under a card."""


BADGES = """() => {
  const box = (el) => el.getBoundingClientRect(), shares = [0];
  for (const badge of document.querySelectorAll("#felt .seat .note-tag, #felt .pile-count")) {
    const b = box(badge);
    for (const card of document.querySelectorAll("#felt .card")) {
      const a = box(card), wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 0 && high > 0) shares.push(wide * high / (a.width * a.height));
    }
  }
  return Math.max(...shares);
}"""
"""How much of a card, as a share of it, lies at most under what its hand is worth or how many lie there."""


WAY = """() => ["beside", "oneline", "low", "pairs", "round", "stacked"]
  .filter((way) => document.getElementById("felt").classList.contains(way)).join()"""
"""How the places of the seats lie: it stays as it is while a game goes on."""


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
                contexts.append(
                    browser.new_context(viewport=view, storage_state=state, locale=lang, reduced_motion="reduce")
                )
                contexts[-1].add_init_script(LISTEN)
                page = pages[width, height, lang] = contexts[-1].new_page()
                page.goto(play.url + play.path)
                page.wait_for_selector("body.ready")
        cut = dict.fromkeys(pages, 0.0)
        covered = dict.fromkeys((size for size in pages if size[0] < 860), 0.0)
        hidden: dict[object, set[str]] = {size: set() for size in pages}
        ways: dict[object, set[str]] = {size: set() for size in pages}
        for _ in range(actions):
            play.on(1)
            for size, page in pages.items():
                play.shown(page)
                cut[size] = max(cut[size], page.evaluate(CUT), page.evaluate(OVER))
                if size in covered:
                    covered[size] = max(covered[size], page.evaluate(BADGES))
                hidden[size].update(page.evaluate(HIDDEN))
                ways[size].add(page.evaluate(WAY))
        assert {size: px for size, px in cut.items() if px > 1} == {}
        assert {size: share for size, share in covered.items() if share > 0.15} == {}
        assert {size: texts for size, texts in hidden.items() if texts} == {}
        assert {size: seen for size, seen in ways.items() if len(seen) > 1} == {}
    finally:
        for context in contexts:
            context.close()


LONG = ["Maximiliane", "Christopher", "Sebastian-Jo", "Alessandra", "Bartholomew"]

LOST = """() => Array.from(document.querySelectorAll("#felt .counter"), (el) =>
  [el.textContent, el.getBoundingClientRect().right - innerWidth, 0])
  .concat(Array.from(document.querySelectorAll("#felt h2, #prompts, .decide, .scorestrip"), (el) =>
  [el.id || el.textContent, el.scrollWidth - el.clientWidth, el.scrollHeight - el.clientHeight]))
  .filter(([, wide, high]) => wide > 1 || high > 3)"""
"""Names on the felt, what is told beside them, the open actions, what has to be decided and the scores,
where a part of them is out of sight."""


@pytest.mark.parametrize(("width", "height"), [(320, 640), (390, 844), (844, 390)])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_five_long_names_are_read_whole_and_so_is_a_foul_of_theirs(new_game, width, height, lang):
    play = new_game("pokard-trick", LONG, options={"deals": "1"}, seed=15, width=width, height=height, lang=lang)
    play.on(11)
    assert play.shown().evaluate(LOST) == []
    prompt = next(p for p in play.table["prompts"] if p["slot"] and p["slot"]["most"])
    lies = next(c["face"] for zone in play.table["zones"] for c in zone["cards"] if c["face"])
    action = {"kind": prompt["kind"], "seat": prompt["seat"], "cards": [lies], "args": {}}
    body = {"intent": "act", "action": action, "seq": play.table["seq"], "key": "a-foul"}
    assert play.page.request.post(f"{play.url}/api{play.path}/intents", data=body).ok
    play.page.wait_for_selector(".foul-box")
    assert settled(play.page).evaluate(LOST) == []


@pytest.mark.parametrize("players", [2, 4])
def test_the_first_actions_of_a_game_with_many_are_whole_on_a_tablet(new_game, players):
    for lang in ("en", "ja"):
        play = new_game("hexa-card", players, options={"out": "auto"}, seed=2, width=820, height=1180, lang=lang)
        assert play.page.locator("#prompts button").count() >= players
        assert play.page.evaluate(LOST) == []


@pytest.mark.parametrize(
    ("name", "players", "deck", "options", "seed", "steps", "width", "height"),
    [
        ("hexa-card", 2, "", {"out": "auto"}, 2, 1, 390, 844),
        ("hexa-card", 2, "", {"out": "auto"}, 2, 6, 390, 844),
        ("hexa-card", 2, "", {"out": "auto"}, 2, 1, 320, 640),
        ("hexa-card", 2, "", {"out": "auto"}, 2, 6, 320, 640),
        ("three-card-showdown", 4, "52D2", {}, 4, 5, 390, 844),
        ("three-card-showdown", 4, "52D2", {}, 4, 5, 320, 640),
        ("three-card-showdown", 3, "52D2", {}, 4, 4, 320, 640),
    ],
)
def test_every_action_is_in_sight_on_a_phone(new_game, name, players, deck, options, seed, steps, width, height):
    people = ["千代", "Benjamin", "あかり", "David"][:players]
    for lang in ("en", "ja"):
        play = new_game(
            name, people, deck=deck, options=options, seed=seed, steps=steps, width=width, height=height, lang=lang
        )
        assert play.page.locator("#prompts button").count() >= players
        assert play.page.evaluate(LOST) == []


WHERE = """() => Array.from(document.querySelectorAll("#felt .place, #dock > div, #prompts .prompt, #tools .button"),
  (el) => { const r = el.getBoundingClientRect(); return [el.id || el.className, r.x, r.y, r.width, r.height]; })"""
"""Where everything lies that people look at or press."""

SILENT = "window.EventSource = class { addEventListener() {} close() {} };"


@pytest.mark.parametrize("steps", [1, 6])
def test_the_first_drawing_of_a_table_is_the_one_that_stays(new_game, steps):
    """Nothing has to be heard of the server before all actions are in sight: its word may come late."""
    play = new_game("hexa-card", 2, options={"out": "auto"}, seed=2, steps=steps, width=390, height=844)
    drawn = settled(play.page).evaluate(WHERE)
    play.page.add_init_script(SILENT)
    play.page.reload()
    play.page.wait_for_selector("body.ready")
    assert settled(play.page).evaluate(LOST) == []
    assert play.page.evaluate(WHERE) == drawn


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_last_hands_are_in_sight_at_the_end_on_an_upright_tablet(new_game, lang):
    play = new_game("sixty-five-card-poker", 4, steps=40, width=820, height=1180, lang=lang)
    assert play.table["over"]
    play.page.wait_for_selector("[data-key=again-turn], #after a")
    under = """() => { const dock = document.querySelector("#dock").getBoundingClientRect().top;
      return Array.from(document.querySelectorAll("#felt .card"), (el) => el.getBoundingClientRect().bottom - dock)
        .filter((cut) => cut > 0); }"""
    assert settled(play.page).evaluate(under) == []


@pytest.mark.parametrize(
    "names",
    [["Anna", "Ben", "Chiyo", "Daichi"], ["千代", "大地", "あかり", "David"], ["千代", "Benjamin", "あかり", "David"]],
)
def test_short_names_are_whole_in_the_strip_of_scores(new_game, names):
    play = new_game("pokard-trick", names, options={"deals": "1"}, seed=15, steps=40, width=320, height=640)
    assert play.table["over"]  # one of them has a star, too
    shown = play.page.eval_on_selector_all(
        ".scorestrip .name",
        "(all) => all.map((e) => [e.textContent, e.scrollHeight - e.clientHeight, e.scrollWidth - e.clientWidth])",
    )
    assert [name for name, _, _ in shown] == names
    assert [name for name, high, wide in shown if high > 4 or wide > 1] == []


def test_five_names_are_whole_in_the_strip_of_a_phone(new_game):
    people = ["千代", "Benjamin", "あかり", "David", "Emi"]
    play = new_game("three-card-showdown", people, deck="52D2", seed=4, steps=5, width=390, height=844)
    cut = "(all) => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)"
    assert play.page.eval_on_selector_all(".scorestrip .name", cut) == []
    assert (
        play.page.evaluate(
            "(() => { const s = document.getElementById('scorestrip'); return s.scrollWidth - s.clientWidth; })()"
        )
        <= 0
    )


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_no_pile_lies_over_what_is_counted_of_a_player(new_game, lang):
    play = new_game(
        "three-card-trick-poker", 4, options={"end": "S"}, seed=33, steps=40, width=320, height=640, lang=lang
    )
    covered = """(all) => all.filter((el) => { const at = el.getBoundingClientRect();
      return !el.contains(document.elementFromPoint((at.left + at.right) / 2, (at.top + at.bottom) / 2)); })
      .map((el) => el.innerText)"""
    assert play.page.locator("#felt .counter b").count() == 4
    assert play.page.eval_on_selector_all("#felt .counter b", covered) == []


WIDE_LETTERS = """addEventListener('DOMContentLoaded',
  () => document.body.style.setProperty('font-family', 'DejaVu Sans', 'important'))"""


@pytest.mark.parametrize(("width", "height"), [(844, 390), (390, 844), (320, 640)])
def test_beside_many_actions_there_is_room_for_what_was_done(new_game, width, height):
    play = new_game("hexa-card", 4, options={"out": "auto"}, seed=2, steps=12, width=width, height=height)
    play.page.add_init_script(WIDE_LETTERS)
    play.page.reload()
    play.page.wait_for_selector("#dock.crowded")
    settled(play.page)
    wide = "(el) => el.getBoundingClientRect().width"
    news, told = (play.page.eval_on_selector(what, wide) for what in ("#dock .news", "#ruling .ruling-what"))
    sign = play.page.locator("#ruling .verdict")
    assert told + sign.evaluate(wide) <= news
    assert sign.evaluate(wide) <= 24  # the word for it is said, not shown
    assert sign.inner_text().strip()


SIZE = "() => parseFloat(document.getElementById('felt').style.getPropertyValue('--size'))"


@pytest.mark.parametrize(("width", "height"), [(320, 640), (390, 844), (844, 390)])
@pytest.mark.parametrize("name", ["aces-king", "pokard-trick"])
def test_a_foul_leaves_the_felt_as_it_is(new_game, name, width, height):
    play = new_game(name, 4, seed=22, steps=9, width=width, height=height)
    page, before = play.page, play.page.evaluate(SIZE)
    lies = next(c["face"] for zone in play.table["zones"] for c in zone["cards"] if c["face"])
    prompt = next(p for p in play.table["prompts"] if p["slot"] and p["slot"]["most"])
    action = {
        "kind": prompt["kind"],
        "seat": prompt["seat"],
        "cards": [lies] * max(1, prompt["slot"]["least"]),
        "args": {},
    }
    body = {"intent": "act", "action": action, "seq": play.table["seq"], "key": "a-foul"}
    assert page.request.post(f"{play.url}/api{play.path}/intents", data=body).ok
    page.wait_for_selector(".foul-box")
    assert settled(page).evaluate(SIZE) == before
    row = page.locator(".foul-box > .row")
    gap = page.locator("#tools").bounding_box()["y"] - row.bounding_box()["y"] - row.bounding_box()["height"]
    assert gap < (30 if width < 600 else height)  # the dock is no higher than it has to say


def test_cards_are_as_large_before_the_first_one_lies(new_game):
    play = new_game("hexa-card", 2, options={"out": "auto"}, seed=2, width=390, height=844)
    assert play.page.evaluate(SIZE) >= 70


TAGS = """(all) => all.map((el) => {
  const r = el.getBoundingClientRect(), size = parseFloat(getComputedStyle(el).fontSize);
  return [el.textContent, Math.round(r.width / size), Math.round(r.height / size)]; })"""
"""What players are, and the width and height of it in letters."""


@pytest.mark.parametrize(
    ("name", "players", "deck", "options", "seed", "steps"),
    [
        ("three-card-trick-poker", 3, "M7D2", {"end": "S"}, 33, 200),
        ("pokard-trick", 2, "", {"deals": "1"}, 15, 6),
        ("hexa-card", 2, "", {"out": "auto"}, 2, 20),
    ],
)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_a_player_is_stands_in_words_beside_a_name(new_game, name, players, deck, options, seed, steps, lang):
    people = ["千代", "Benjamin", "あかり"][:players]
    play = new_game(name, people, deck=deck, options=options, seed=seed, steps=steps, width=844, height=390, lang=lang)
    tags = play.page.eval_on_selector_all("#felt .tag", TAGS)
    assert tags
    assert [tag for tag in tags if tag[1] < 3 or tag[2] > 2] == []


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_game_that_the_table_ended_waits_for_nobody(new_game, lang):
    play = new_game("three-card-showdown", 3, deck="52D2", seed=4, steps=5, width=390, height=844, lang=lang)
    body = {"intent": "finish", "seq": play.table["seq"], "key": "the-end"}
    assert play.page.request.post(f"{play.url}/api{play.path}/intents", data=body).ok
    play.page.wait_for_selector(".standing li")
    expect(play.page.locator(".active")).to_have_count(0)
    expect(play.page.locator("#phase")).to_have_text({"en": "The game is over", "ja": "ゲーム終了"}[lang])
