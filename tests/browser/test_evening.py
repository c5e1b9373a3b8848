"""An evening on the page: people who played before, the end of an endless game, the next one, what a device does for
its holder, and a game that is deleted and comes back."""

import pytest

from tests.browser.play import settled

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect


def lay(page, server, path, hands):
    for seat, cards in enumerate(hands):
        action = {"kind": "lay", "seat": seat, "cards": cards.split(), "args": {}}
        answer = page.request.post(f"{server.url}/api{path}/intents", data={"intent": "act", "action": action})
        assert answer.ok, answer.text()


def test_who_plays_alone_has_no_seats_to_turn(open_page, server):
    page = open_page("/", width=390, height=844, has_touch=True)
    page.click("[data-game=joker-quest]")
    page.click("[data-count='2']")
    expect(page.locator("#lot")).to_be_visible()
    page.click("[data-count='1']")
    expect(page.locator("#lot")).to_be_hidden()
    expect(page.locator("#teams")).to_be_hidden()
    page.click("#begin")
    page.wait_for_selector("body.ready")
    path = page.evaluate("location.pathname")
    page.click("#evening")
    page.click("#finish")
    expect(page.locator("[data-key=again-turn]")).to_have_text("Again")
    expect(page.locator("[data-key=again]")).to_have_count(0)
    page.wait_for_selector("body:not(.busy):not(:has(.resting))", state="attached")
    page.click("[data-key=again-turn]")
    page.wait_for_url(lambda url: "/tables/" in url and path not in url)


def test_an_evening_from_names_to_the_next_game(open_page, own_server):
    page = open_page(own_server.url, width=390, height=844, has_touch=True)
    body = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D1"}
    page.request.post(f"{own_server.url}/api/tables", data=body)
    page.reload()
    page.click("[data-game=three-card-showdown]")
    page.click(".round")
    expect(page.locator("[data-player='0']")).to_have_value("Anna")
    page.click(".seat-up")
    expect(page.locator("[data-player='0']")).to_have_value("Ben")
    page.click("#begin")
    page.wait_for_selector("body.ready")
    path = page.evaluate("location.pathname")
    lay(page, own_server, path, ["AS AH AD", "2S 3H 5D"])
    page.click("#evening")
    page.click("#finish")
    expect(page.locator(".standing .won .name")).to_have_text("Ben")
    with page.expect_download() as saved:
        page.click("[data-key=share]")
    assert saved.value.suggested_filename == "three-card-showdown.png"
    assert saved.value.path().read_bytes()[:4] == b"\x89PNG"
    page.click("[data-key=again-turn]")
    page.wait_for_url(lambda url: path not in url)
    expect(page.locator(".plate .name").first).to_have_text("Anna")
    page.goto(own_server.url + "/players")
    page.click("text=Ben")
    expect(page.locator(".big-figures b").nth(1)).to_have_text("1")


@pytest.mark.parametrize(("width", "lang"), [(390, "ja"), (390, "en"), (320, "ja")])
def test_the_table_of_players_is_whole_on_a_phone(open_page, own_server, width, lang):
    page = open_page(own_server.url, width=width, height=844, lang=lang)
    body = {"game": "three-card-showdown", "players": ["Benjamin", "千代", "Alexandra"], "deck": "52D1"}
    path = page.request.post(f"{own_server.url}/api/tables", data=body).json()["url"]
    lay(page, own_server, path, ["2S 3H 5D", "2H 3S 6D", "2D 3C 7D"])
    page.goto(own_server.url + path)
    page.wait_for_selector("body.ready")
    page.click("#evening")
    page.click("#finish")
    expect(page.locator(".standing li")).to_have_count(3)
    page.goto(own_server.url + "/players")
    expect(page.locator(".figures tbody tr")).to_have_count(3)
    assert settled(page).locator(".scroll").first.evaluate("(el) => el.scrollWidth - el.clientWidth") <= 0


def test_a_deleted_game_is_asked_for_twice_and_comes_back(open_page, own_server):
    page = open_page(own_server.url)
    body = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D1"}
    made = page.request.post(f"{own_server.url}/api/tables", data=body).json()
    looker = open_page(own_server.url + made["url"])
    looker.wait_for_selector("body.ready")
    page.goto(own_server.url + made["url"])
    page.wait_for_selector("body.ready")
    page.click("#evening")
    page.click("#remove")
    page.click("#remove-sure")
    page.click("#remove-now")
    page.wait_for_url(own_server.url + "/")
    looker.wait_for_url(own_server.url + "/")
    key = (own_server.data / "owner.key").read_text().strip()
    owner = open_page(f"{own_server.url}/owner/{key}")
    owner.goto(own_server.url + "/history")
    owner.click("[data-removed]")
    owner.click("#removed-said a")
    expect(owner.locator("#event")).to_contain_text("Start")


def test_a_device_keeps_its_own_switches_and_its_clock_counts_down(new_game):
    play = new_game("three-card-showdown", width=390, height=844)
    page = play.page
    page.click("#evening")
    page.select_option("[data-switch=limit]", "30")
    page.click("[data-switch=sound]")
    page.keyboard.press("Escape")
    expect(page.locator("#clock")).to_contain_text("0:")
    page.reload()
    page.wait_for_selector("body.ready")
    expect(page.locator("#clock")).to_contain_text("0:")
    page.click("#evening")
    expect(page.locator("[data-switch=sound]")).to_have_attribute("aria-checked", "true")


WAKE = """window.awake = [];
const real = navigator.wakeLock.request.bind(navigator.wakeLock);
navigator.wakeLock.request = async (kind) => {
  const lock = await real(kind);
  awake.push(kind);
  lock.addEventListener("release", () => awake.push("released"));
  return lock;
};"""


def test_the_screen_stays_on_while_a_game_runs_and_no_longer(new_game):
    play = new_game("three-card-showdown", steps=2, width=390, height=844)
    page = play.page
    page.context.grant_permissions(["screen-wake-lock"])
    page.add_init_script(WAKE)
    page.reload()
    page.wait_for_function("() => awake.join() === 'screen'")
    page.click("#evening")
    page.click("#finish")
    page.wait_for_function("() => awake.join() === 'screen,released'")


HEARD = """window.felt = []; window.tones = 0;
navigator.vibrate = (pattern) => { felt.push(pattern.length); return true; };
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) { tones += 1; return start.apply(this, at); };"""


def test_a_foul_and_a_round_are_heard_and_felt_where_that_is_wished_and_nowhere_else(open_page, server):
    page = open_page("/rules", width=390, height=844)
    body = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D1"}
    path = page.request.post(f"{server.url}/api/tables", data=body).json()["url"]
    quiet = page.context.new_page()
    for one in (quiet, page):
        one.add_init_script(HEARD)
        one.goto(server.url + path)
        one.wait_for_selector("body.ready")
    page.click("#evening")
    page.click("[data-switch=sound]")
    page.click("[data-switch=buzz]")
    page.keyboard.press("Escape")
    page.evaluate("felt.length = 0; tones = 0")  # a switch gives a sample of what it does
    lay(page, server, path, ["AS AS AD"])
    page.wait_for_function("() => felt.join() === '3' && tones === 2")
    page.click("[data-key^=back-]")
    page.wait_for_selector(".foul-box", state="detached")
    lay(page, server, path, ["AS AH AD", "2S 3H 5D"])
    page.wait_for_function("() => felt.join() === '3,3' && tones === 5")
    quiet.wait_for_function("() => document.querySelector('#results').textContent.includes('Anna')")
    assert quiet.evaluate("[felt.length, tones]") == [0, 0]


def test_seats_are_drawn_by_lot_and_teams_are_named(open_page, own_server):
    page = open_page(own_server.url, width=390, height=844)
    page.click("[data-game=three-card-showdown]")
    page.click("[data-count='3']")
    for seat, player in enumerate(("Anna", "Ben", "Chie")):
        page.fill(f"[data-player='{seat}']", player)
    page.evaluate("Math.random = () => 0")  # each is exchanged with the first
    page.click("#lot")
    order = [page.input_value(f"[data-player='{seat}']") for seat in range(3)]
    assert order == ["Ben", "Chie", "Anna"]
    page.click("#teams")
    page.fill("[data-team='0']", "Red")
    page.fill("[data-team='2']", "Red")
    page.click("#begin")
    page.wait_for_selector("body.ready")
    path = page.evaluate("location.pathname")
    assert [p["name"] for p in page.request.get(f"{own_server.url}/api{path}").json()["table"]["players"]] == order
    events = page.request.get(f"{own_server.url}{path.replace('/tables/', '/history/')}/events.json").json()["events"]
    assert events[0]["event"]["teams"] == ["Red", "", "Red"]
