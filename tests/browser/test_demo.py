"""The demonstration in the browser: a recording goes through the real reader, referee and journal to the page."""

import pytest

from companion import resources

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
