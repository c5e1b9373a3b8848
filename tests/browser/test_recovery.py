"""Nothing is lost and nothing is done twice, whatever happens to the server, the network or the page.

What a page was told counts: for every tap that the server acknowledged, the journal holds exactly that action; for the
others it holds it once or not at all, and the page shows the journal in the end.
"""

import os
import signal
import time

import pytest

from companion.journal import Journal
from companion.referee import Acted

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
KNOWN = 5_000  # ms: by then the page says that it is offline
PATIENCE = 60_000


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
    box = page.locator(selector).first.bounding_box()
    return (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) if box else None


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
    while len(taps.acknowledged) < 5:
        tap_on(page)
    for _ in range(2):
        own_server.kill()
        gone = time.monotonic()
        while page.locator("#banner").is_hidden():
            tap_on(page)
            assert (time.monotonic() - gone) * 1000 < KNOWN + 1000  # and the time the looking takes
        for _ in range(5):
            tap_on(page)
        before = len(taps.acknowledged)
        own_server.start()
        while len(taps.acknowledged) < before + 3:
            tap_on(page)
    expect(page.locator("#banner")).to_be_hidden(timeout=PATIENCE)
    page.wait_for_function("() => !document.body.classList.contains('busy')")
    journal = journal_of(own_server, play)
    tapped = {seq: event.action.to_json() for seq, event in journal.items() if seq > play.table["seq"]}
    for key, seq in taps.acknowledged.items():
        assert tapped[seq] == taps.sent[key]
    assert len(set(taps.acknowledged.values())) == len(taps.acknowledged)
    assert len(tapped) <= len(taps.sent)
    page.wait_for_selector(f"[data-seq='{max(tapped)}']", state="attached")
    shown = {int(row.get_attribute("data-seq")) for row in page.locator(".event.acted").all()}
    assert shown == set(journal)
    page.reload()
    page.wait_for_selector("body.ready")
    assert {int(row.get_attribute("data-seq")) for row in page.locator(".event.acted").all()} == set(journal)


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
    expect(page.locator("body.busy")).to_have_count(0)
    assert lost == [200]
    assert len(taps.sent) == 1
    assert play.look()["seq"] == 6
    assert play.table["entries"][-1]["text"] == page.locator(".event.acted .event-text").first.text_content()


def test_two_quick_taps_are_one(new_game):
    play = new_game("aces-king", 3, seed=6, steps=4, width=390, height=844)
    page = play.page
    page.wait_for_selector(".resting", state="detached")
    page.mouse.dblclick(*centre(page, "[data-kind=pass]"))
    page.wait_for_selector("[data-seq='6']", state="attached")
    page.wait_for_selector(".resting", state="detached")
    page.wait_for_selector("[data-kind=draw]")
    assert page.locator(".sheet").count() == 0
    assert play.look()["seq"] == 6
    page.mouse.dblclick(*centre(page, "[data-key=undo]"))
    page.wait_for_selector("[data-seq='7']", state="attached")
    page.wait_for_selector(".resting", state="detached")
    assert play.look()["seq"] == 7


def test_the_network_goes_and_comes_back(new_game, own_server):
    play = new_game("aces-king", 3, seed=6, steps=4, own=own_server, width=390, height=844)
    page = play.page
    os.kill(own_server.process.pid, signal.SIGSTOP)  # as when the Wi-Fi is gone: nothing is refused, nothing arrives
    try:
        page.locator("[data-kind=pass]").tap()
        page.wait_for_selector("body.busy")
        page.wait_for_selector("#banner:not([hidden])", timeout=KNOWN + 1000)
        page.wait_for_timeout(2_000)  # the tap has gone out a second time
    finally:
        os.kill(own_server.process.pid, signal.SIGCONT)
    expect(page.locator("#banner")).to_be_hidden(timeout=PATIENCE)
    expect(page.locator("body.busy")).to_have_count(0, timeout=PATIENCE)
    page.wait_for_selector("[data-seq='6']", state="attached")
    assert play.look()["seq"] == 6


def test_a_tap_while_offline_is_refused_and_said_so(new_game, own_server):
    play = new_game("aces-king", 3, seed=6, steps=4, own=own_server, width=390, height=844)
    page = play.page
    own_server.kill()
    page.wait_for_selector("#banner:not([hidden])", timeout=KNOWN + 1000)
    page.locator("[data-kind=pass]").tap()
    expect(page.locator("#toast")).to_contain_text("not recorded")
    own_server.start()
    expect(page.locator("#banner")).to_be_hidden(timeout=PATIENCE)
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
    page.wait_for_selector(f"[data-seq='{play.table['seq']}']", state="attached", timeout=PATIENCE)
    assert page.locator(".event.acted").count() == 7
