"""Nothing is lost and nothing is done twice, whatever happens to the server, the network or the page.

What a page was told counts: for every tap that the server acknowledged, the journal holds exactly that action; for the
others it holds it once or not at all, and the page shows the journal in the end.
"""

import os
import signal

import pytest

from companion.journal import Journal
from companion.referee import Acted

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
KNOWN = 5_000  # ms: after so long without a sign of life the page says that it is offline
STEP = 1_000  # ms: so often it looks


class Taps:
    """Every action that the page sends, by its key, and the number it was acknowledged with."""

    def __init__(self, page):
        self.sent, self.acknowledged = {}, {}
        page.on("request", self.note)
        page.on("response", self.hear)

    def note(self, request):
        if request.url.endswith("/intents"):
            body = request.post_data_json
            self.sent[body["key"]] = body["action"]

    def hear(self, response):
        if response.url.endswith("/intents") and response.status == 200:
            self.acknowledged[response.request.post_data_json["key"]] = response.json()["seq"]


def journal_of(own_server, play):
    journal = Journal(f"sqlite:///{own_server.data / 'journal.sqlite3'}")
    try:
        table = play.path.rsplit("/", 1)[1]
        return {item.seq: item.event for item in journal.events(table) if isinstance(item.event, Acted)}
    finally:
        journal.close()


def centre(page, selector):
    """The middle of what is there now; None when it is not."""
    return page.evaluate(
        """(selector) => { const found = document.querySelector(selector), r = found && found.getBoundingClientRect();
        return r && [r.left + r.width / 2, r.top + r.height / 2]; }""",
        selector,
    )


def shown(page):
    """The numbers of the actions that the page shows."""
    return set(page.eval_on_selector_all(".event.acted", "(all) => all.map((e) => Number(e.dataset.seq))"))


def tap_until(page, done):
    """Tap on until `done()`: many times as often as it can take."""
    for _ in range(2_000):
        if done():
            return
        tap_on(page)
    raise AssertionError("tapped 2000 times, and nothing came of it")


def clock_until(page, done, most=30):
    """Move the page's clock step by step until `done()`."""
    for _ in range(most):
        if done():
            return
        page.clock.run_for(STEP)
    raise AssertionError(f"nothing came of it in {most} steps")


def tap_on(page):
    """Somebody impatient: taps whatever passes, and never looks whether it was taken."""
    for selector in ("[data-kind=pass]", "[data-kind=draw]", ".prompt[data-kind]"):
        at = centre(page, selector)
        if at:
            page.mouse.click(*at)
            break
    page.wait_for_timeout(60)
    if page.locator(".sheet").count():
        page.keyboard.press("Escape")


def test_a_server_killed_under_a_page_that_keeps_tapping(new_game, own_server):
    play = new_game("aces-king", 3, seed=6, steps=4, own=own_server, width=390, height=844)
    page, taps = play.page, Taps(play.page)
    tap_until(page, lambda: len(taps.acknowledged) >= 5)
    for _ in range(2):
        own_server.kill()
        tap_until(page, page.locator("#banner").is_visible)
        for _ in range(5):
            tap_on(page)
        before = len(taps.acknowledged)
        own_server.start()
        tap_until(page, lambda least=before + 3: len(taps.acknowledged) >= least)
    expect(page.locator("#banner")).to_be_hidden()
    play.at_rest()
    journal = journal_of(own_server, play)
    tapped = {seq: event.action.to_json() for seq, event in journal.items() if seq > play.table["seq"]}
    for key, seq in taps.acknowledged.items():
        assert tapped[seq] == taps.sent[key]
    assert len(set(taps.acknowledged.values())) == len(taps.acknowledged)
    assert len(tapped) <= len(taps.sent)
    page.wait_for_selector(f"[data-seq='{max(tapped)}']", state="attached")
    assert shown(page) == set(journal)
    page.reload()
    page.wait_for_selector("body.ready")
    assert shown(page) == set(journal)


def test_an_answer_lost_on_its_way_does_nothing_twice(new_game):
    play = new_game("aces-king", 3, seed=6, steps=4, width=390, height=844)
    page, taps = play.page, Taps(play.page)
    lost = []

    def lose(route):
        if not lost:
            lost.append(route.fetch().status)
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/intents", lose)
    page.locator("[data-kind=pass]").tap()
    page.wait_for_selector(f"[data-seq='{play.table['seq'] + 1}']", state="attached")
    play.at_rest()
    assert lost == [200]
    assert len(taps.sent) == 1
    assert play.look()["seq"] == 6
    expect(page.locator(".event.acted .event-text").first).to_have_text(play.table["entries"][-1]["text"])


def test_two_quick_taps_are_one(new_game):
    """The second one comes while the first is on its way."""
    play = new_game("aces-king", 3, seed=6, steps=4, width=390, height=844)
    page, sent = play.page, []
    page.route("**/intents", lambda route: sent.append(route))
    for selector, seq in (("[data-kind=pass]", 6), ("[data-key=undo]", 7)):
        page.wait_for_selector(selector)
        play.at_rest()
        with page.expect_request("**/intents"):
            page.mouse.dblclick(*centre(page, selector))
        page.wait_for_selector("body.busy")
        sent.pop().continue_()
        page.wait_for_selector(f"[data-seq='{seq}']", state="attached")
        play.at_rest()
        assert sent == []
        assert page.locator(".sheet").count() == 0
        assert play.look()["seq"] == seq


def test_a_tap_on_what_has_just_changed_is_not_taken(new_game):
    """The second tap comes when the first has been answered: it was not meant for what lies under the finger now."""
    play = new_game("aces-king", 3, seed=6, steps=4, width=390, height=844)
    page = play.page
    play.stop_clock()
    page.mouse.click(*centre(page, "[data-kind=pass]"))
    page.wait_for_selector("body:not(.busy)")
    page.clock.run_for(50)  # the finger is up: the table is drawn
    page.wait_for_selector("[data-seq='6']", state="attached")
    at = centre(page, "[data-kind=draw]")
    page.mouse.click(*at)
    assert page.locator("body.busy, .sheet").count() == 0
    page.clock.run_for(300)
    play.at_rest()
    assert play.look()["seq"] == 6
    page.mouse.click(*at)
    page.wait_for_selector("body.busy, .sheet, [data-seq='7']", state="attached")


def test_the_network_goes_and_comes_back(new_game, own_server):
    play = new_game("aces-king", 3, seed=6, steps=4, own=own_server, width=390, height=844)
    page, taps, banner = play.page, Taps(play.page), play.page.locator("#banner")
    tries = []
    page.on("request", lambda request: tries.append(request.url) if request.url.endswith("/intents") else None)
    play.stop_clock()
    os.kill(own_server.process.pid, signal.SIGSTOP)  # as when the Wi-Fi is gone: nothing is refused, nothing arrives
    try:
        page.locator("[data-kind=pass]").tap()
        page.wait_for_selector("body.busy")
        clock_until(page, banner.is_visible)
        assert page.evaluate("Date.now() - window.wire.heard") <= KNOWN + STEP
        clock_until(page, lambda: len(tries) > 1)  # the tap has gone out a second time
    finally:
        os.kill(own_server.process.pid, signal.SIGCONT)
    page.clock.resume()
    expect(banner).to_be_hidden()
    page.wait_for_selector("[data-seq='6']", state="attached")
    play.at_rest()
    assert len(taps.sent) == 1
    assert play.look()["seq"] == 6


def test_a_tap_while_offline_is_refused_and_said_so(new_game, own_server):
    play = new_game("aces-king", 3, seed=6, steps=4, own=own_server, width=390, height=844)
    page = play.page
    own_server.kill()
    page.wait_for_selector("#banner:not([hidden])")
    page.locator("[data-kind=pass]").tap()
    expect(page.locator("#toast")).to_contain_text("not recorded")
    own_server.start()
    expect(page.locator("#banner")).to_be_hidden()
    assert play.look()["seq"] == 5
    page.locator("[data-kind=pass]").tap()
    page.wait_for_selector("[data-seq='6']", state="attached")


def test_a_device_that_slept_shows_what_happened_meanwhile(new_game):
    play = new_game("aces-king", 3, seed=6, steps=4, width=390, height=844)
    page = play.page
    cdp = page.context.new_cdp_session(page)
    cdp.send("Page.setWebLifecycleState", {"state": "frozen"})
    play.on(3)
    cdp.send("Page.setWebLifecycleState", {"state": "active"})
    page.wait_for_selector(f"[data-seq='{play.table['seq']}']", state="attached")
    expect(page.locator(".event.acted")).to_have_count(7)
