"""The demonstration in the browser: a recording goes through the real reader, referee and journal to the page."""

import pytest

from companion import resources
from companion.games import Action, Setup, game
from companion.training.demo import SHOWDOWNS

PATIENCE = 300_000  # ms: two cores that do other things too


@pytest.fixture
def demo():
    if not list((resources.calibration() / "demo").glob("*.mp4")):
        pytest.skip("the demo recording is not in this checkout")
    if not list((resources.models() / "detector").glob("*.onnx")):
        pytest.skip("the weights are not in this checkout")


def test_the_demo_table_fills_by_itself(open_page, demo):
    page = open_page("/")
    page.click("a.tile[href='/tables/demo']")
    page.wait_for_selector("#camera-view:not([hidden]) img[src*=picture]", timeout=PATIENCE)
    page.wait_for_selector(".event.acted .by-camera", state="attached", timeout=PATIENCE)
    page.wait_for_selector("[data-zone^='hand:'] .card img")
    picture = page.locator("#ruling .evidence img")
    picture.wait_for()
    assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 40


def test_a_game_by_camera_from_the_first_card_to_the_last(open_page, own_server, demo):
    """Nobody taps. What the page shows after three showdowns is what was drawn, judged by the rules alone."""
    page = open_page(own_server.url + "/tables/demo", width=1280, height=800)
    rules = game("three-card-showdown")
    state = rules.start(Setup(("Aki", "Ben", "Chie", "Dan"), "52D2"))
    seq, totals = 1, {}
    for hands in SHOWDOWNS:
        for seat, cards in hands.items():
            state = rules.apply(state, Action.of("lay", seat, cards))
        totals = rules.totals(state)
        state = rules.apply(state, Action.of("next"))
        seq += len(hands) + 1
    page.wait_for_selector(f"[data-seq='{seq}']", state="attached", timeout=PATIENCE)
    assert [int(score) for score in page.locator(".plate .score").all_text_contents()] == list(totals.values())
    rows = page.locator(".event.acted")
    assert rows.count() == seq - 1
    assert page.locator(".event.acted .by-camera").count() == seq - 1
    assert page.locator(".event .verdict.foul").count() == 0
    table = page.request.get(own_server.url + "/api/tables/demo").json()["table"]
    laid = [entry for entry in table["entries"] if entry["kind"] == "acted" and entry["cards"]]
    for number, hands in enumerate(SHOWDOWNS):
        block = laid[4 * number : 4 * number + 4]
        assert {e["seat"]: sorted(e["cards"]) for e in block} == {s: sorted(c) for s, c in hands.items()}
    page.click("[data-key=tab-scores]")
    for player, total in zip(page.locator(".sheet-of summary b").all_text_contents(), totals.values(), strict=True):
        assert int(player) == total
