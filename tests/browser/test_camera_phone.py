"""A phone as the camera: its browser films a table (a recording stands in for the lens) and the table reads it."""

import re

import cv2
import numpy as np
import pytest

from companion import resources

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
PATIENCE = 240_000  # ms: reading a picture takes as long as the machine needs
LAID = 132
"""A frame of the demo recording in which four hands of three cards lie."""

HANDS = ({"QD", "QC", "4S"}, {"AH", "10C", "6D"}, {"9C", "10D", "JH"}, {"2H", "6H", "JH"})
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
]  # fmt: skip


@pytest.fixture(scope="module")
def frame():
    """The picture of the demo recording in which all hands lie."""
    if not list((resources.models() / "detector").glob("*.onnx")):
        pytest.skip("the weights are not in this checkout")
    recording = cv2.VideoCapture(str(resources.calibration() / "demo" / "showdown.mp4"))
    recording.set(cv2.CAP_PROP_POS_FRAMES, LAID)
    found, pixels = recording.read()
    recording.release()
    assert found
    return pixels


@pytest.fixture(scope="module")
def phone(frame, chromium, chromium_file, tmp_path_factory):
    """A browser whose camera sees the table."""
    film = tmp_path_factory.mktemp("film") / "table.mjpeg"
    film.write_bytes(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes() * 30)
    args = [*FLAGS, f"--use-file-for-fake-video-capture={film}"]
    browser = chromium.browser_type.launch(executable_path=chromium_file, args=args)
    yield browser
    browser.close()


@pytest.fixture
def table(open_page, server):
    """A showdown of four, open on the host's tablet."""
    page = open_page("/")
    page.click("[data-game=three-card-showdown]")
    page.click("[data-count='4']")
    page.select_option("[data-option=deck]", "52D2")
    page.click("#begin")
    page.wait_for_selector("body.ready")
    return page


def link(page, server):
    """The address of the camera's QR code."""
    page.goto(server.url + re.search(r"/tables/\w+", page.url)[0] + "/join")
    return page.get_attribute("#camera a.url", "href")


def hands(page, server):
    """The cards in front of every seat, as the API says."""
    path = re.search(r"/tables/\w+", page.url)[0]
    zones = page.request.get(f"{server.url}/api{path}").json()["table"]["zones"]
    return [
        {card["face"] for card in zone["cards"]} for seat in range(4) for zone in zones if zone["id"] == f"hand:{seat}"
    ]


@pytest.fixture
def film(phone):
    """Opens an address on a phone with that camera."""
    contexts = []

    def start(address, browser=phone):
        context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(address)
        return page

    yield start
    for context in contexts:
        context.close()


@pytest.fixture
def under_another_name(phone, chromium_file):
    """A browser for which the server is called table.test."""
    browser = phone.browser_type.launch(
        executable_path=chromium_file, args=[*FLAGS, "--host-resolver-rules=MAP table.test 127.0.0.1"]
    )
    yield browser
    browser.close()


def test_a_phone_films_the_table_and_its_cards_are_laid(server, table, film):
    address = link(table, server)
    assert "/join/" in address
    lens = film(address)
    assert lens.url.endswith("/camera")
    expect(lens.locator("#aim")).to_contain_text("whole table")  # a drawing of it, no black picture
    expect(lens.locator(".button.primary:visible")).to_have_count(1)
    lens.tap("#begin")
    expect(lens.locator("#said")).to_contain_text("12", timeout=PATIENCE)
    expect(lens.locator("#aim")).to_be_hidden()
    watched = table
    watched.goto(table.url.removesuffix("/join"))
    for seat in range(4):
        expect(watched.locator(f"[data-zone='hand:{seat}'] .card img")).to_have_count(3, timeout=PATIENCE)
    assert hands(lens, server) == list(HANDS)
    watched.locator(".event.acted .by-camera").nth(3).wait_for(state="attached")
    lens.tap("#to-corners")
    lens.wait_for_selector("#picture")
    expect(lens.locator("#said")).not_to_be_empty(timeout=PATIENCE)
    lens.tap("#whole")
    lens.wait_for_selector("#save:not([disabled])", timeout=PATIENCE)
    lens.tap("#save")
    expect(lens.locator("#said")).to_contain_text("Cards seen", timeout=PATIENCE)
    lens.tap("#end")
    expect(lens.locator("#begin")).to_be_visible()
    expect(lens.locator("#aim")).to_be_visible()
    stopped = "document.getElementById('video').srcObject === null"
    assert lens.evaluate(stopped)


def test_a_second_phone_takes_over_only_when_asked(server, table, film):
    address = link(table, server)
    one, two = film(address), film(address)
    one.tap("#begin")
    expect(one.locator("#end")).to_be_visible()
    expect(one.locator("#said")).to_contain_text("Cards seen", timeout=PATIENCE)
    two.tap("#begin")
    expect(one.locator("#said.bad")).to_contain_text("Another phone", timeout=PATIENCE)
    expect(one.locator("#begin")).to_be_visible()
    expect(two.locator("#said")).to_contain_text("Cards seen", timeout=PATIENCE)


def test_a_phone_that_finds_the_server_gone_goes_on_when_it_is_back(own_server, film):
    page = film(own_server.url)
    page.tap("[data-game=three-card-showdown]")
    page.tap("#begin")
    page.wait_for_selector("body.ready")
    page.goto(re.search(r".*/tables/\w+", page.url)[0] + "/camera")
    page.tap("#begin")
    expect(page.locator("#said")).to_contain_text("Cards seen", timeout=PATIENCE)
    own_server.kill()
    expect(page.locator("#said.bad")).to_be_visible(timeout=PATIENCE)
    own_server.start()
    expect(page.locator("#said:not(.bad)")).to_contain_text("Cards seen", timeout=PATIENCE)


def test_without_a_secure_context_single_pictures_do(server, table, film, under_another_name, frame, tmp_path):
    """Under a name that is not "localhost", plain HTTP gives the page no camera."""
    picture = tmp_path / "table.jpg"
    cv2.imwrite(str(picture), frame)
    address = link(table, server)
    page = film(address.replace("127.0.0.1", "table.test"), under_another_name)
    assert page.evaluate("window.isSecureContext") is False
    expect(page.locator("#live")).to_be_hidden()
    page.set_input_files("#shot", str(picture))
    expect(page.locator("#said")).to_contain_text("arrived", timeout=PATIENCE)
    table.goto(table.url.removesuffix("/join"))
    for seat in range(4):
        expect(table.locator(f"[data-zone='hand:{seat}'] .card img")).to_have_count(3, timeout=PATIENCE)
    assert hands(table, server) == list(HANDS)
    text = tmp_path / "text.jpg"
    text.write_text("no picture")
    page.set_input_files("#shot", str(text))
    expect(page.locator("#said.bad")).to_contain_text("no picture", timeout=PATIENCE)


def test_a_replay_shows_what_the_camera_saw_when_the_round_ended(open_page, server, frame):
    """One picture of four hands comes in; the camera lays them, the last of them ends the round."""
    page = open_page("/rules", width=1280, height=800)
    body = {"game": "three-card-showdown", "players": ["Anna", "Ben", "Chie", "Dan"], "deck": "52D2"}
    path = page.request.post(f"{server.url}/api/tables", data=body).json()["url"]
    sent = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    answer = page.request.post(
        f"{server.url}/api{path}/camera/frame?sender=one&take=1&single=1",
        data=sent,
        headers={"Content-Type": "image/jpeg"},
    )
    assert answer.ok, answer.text()
    page.goto(server.url + path)
    page.locator(".event.acted .by-camera").nth(3).wait_for(state="attached", timeout=PATIENCE)
    page.goto(server.url + path.replace("/tables/", "/history/"))
    shown = page.locator("#photograph img")
    expect(shown).to_be_visible()
    assert shown.evaluate("(image) => image.decode().then(() => image.naturalWidth)") == frame.shape[1]
    file = page.request.get(server.url + shown.get_attribute("src")).body()
    kept = cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_COLOR)
    assert kept.shape == frame.shape
    assert cv2.absdiff(kept, frame).mean() < 3
    for seat, cards in enumerate(HANDS):
        faces = page.locator(f"[data-zone='hand:{seat}'] .card")
        assert {face.get_attribute("data-card") for face in faces.all()} == cards
    page.click("[data-key=step-back]")
    expect(page.locator("#photograph")).to_be_hidden()
    expect(page.locator("[data-zone^='hand:'] .card")).to_have_count(9)
