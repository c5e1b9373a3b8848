"""The demonstration with captions: a foul, a question, a correction, then a table of one's own."""

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect


def test_the_demonstration_shows_a_foul_a_question_a_correction_and_ends_at_ones_own_table(open_page):
    page = open_page("/demo", width=390, height=844)
    page.wait_for_selector("body.ready")
    seen = []
    expect(page.locator("[data-zone='hand:0'] .card")).to_have_count(3)  # the first look is no empty table
    for step in range(7):
        expect(page.locator("#caption")).to_contain_text(f"{step + 1} of 8")
        seen += [
            name
            for name, sign in (("foul", ".foul-box .reason"), ("question", ".question .choice"))
            if page.locator(sign).count()
        ]
        page.click("[data-key=next]")
    assert seen == ["foul", "question"]
    expect(page.locator("#story")).to_contain_text("Entry 6 corrected")
    expect(page.locator("#mine")).to_be_visible()
    page.click("#mine")
    page.wait_for_selector("#new-title")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (820, 1180), (390, 844), (844, 390), (320, 640)])
@pytest.mark.parametrize(("lang", "of"), [("en", "{} of 8"), ("ja", "8のうち{}")])
def test_the_cards_that_a_caption_tells_of_are_in_sight(open_page, width, height, lang, of):
    page = open_page("/demo", width=width, height=height, lang=lang)
    page.wait_for_selector("body.ready")
    for step in range(8):
        expect(page.locator("#caption")).to_contain_text(of.format(step + 1))
        for seat in range(4):
            expect(page.locator(f"[data-place=seat-{seat}]")).to_be_in_viewport(ratio=0.97)
        if step < 7:
            page.click("[data-key=next]")
