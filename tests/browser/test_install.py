"""The page as an app: installable, an own page while the server is away, and never stale after an update."""

import base64
import json
import shutil

import pytest

from companion import resources
from tests.browser.play import settled

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect

CONTROLLED = "() => navigator.serviceWorker.controller && navigator.serviceWorker.controller.state === 'activated'"


def test_the_offline_page_stands_in_and_goes_when_the_server_is_back(open_page, own_server):
    page = open_page(own_server.url + "/?lang=ja", service_workers="allow", lang="ja")
    page.wait_for_function(CONTROLLED)
    own_server.kill()
    page.goto(own_server.url + "/rules")
    expect(page.locator(".offline-page h2")).to_have_text("サーバーにつながりません")
    assert page.evaluate("getComputedStyle(document.querySelector('.button.primary')).borderRadius") != "0px"
    own_server.start()
    page.wait_for_selector("body:not(.offline-page)")
    assert page.url == own_server.url + "/rules"


def test_what_is_installable_says_so(open_page, own_server):
    page = open_page(own_server.url, service_workers="allow")
    page.wait_for_function(CONTROLLED)
    address = page.get_attribute("link[rel=manifest]", "href")
    manifest = json.loads(page.request.get(own_server.url + address).text())
    assert manifest["name"] == manifest["short_name"] == "Table Companion"
    for icon in manifest["icons"]:
        shown = page.evaluate(
            "(src) => { const i = new Image(); i.src = src; return i.decode().then(() => `${i.width}x${i.height}`); }",
            icon["src"],
        )
        assert shown == icon["sizes"]
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    session = page.context.new_cdp_session(page)
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in errors if error["errorId"] not in ("in-incognito",)] == []


def test_an_update_takes_the_place_of_what_was_kept(open_page, own_server, tmp_path):
    """The server comes back with another look: the next visit has it, and nothing of the old one is kept."""
    page = open_page(own_server.url, service_workers="allow")
    page.wait_for_function(CONTROLLED)
    keys = page.evaluate("caches.keys()")
    assert len(keys) == 1
    own_server.kill()
    web = tmp_path / "web"
    shutil.copytree(resources.web(), web)
    sheet = web / "static" / "css" / "page.css"
    sheet.write_text(sheet.read_text(encoding="utf-8") + "\nh1 { letter-spacing: 7px; }\n", encoding="utf-8")
    own_server.prelude = (
        f"import pathlib; from companion import resources; resources.web = lambda: pathlib.Path({str(web)!r}); "
    )
    own_server.start()
    page.goto(own_server.url)
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).letterSpacing") == "7px"
    page.wait_for_function("(old) => caches.keys().then((now) => now.length === 1 && now[0] !== old)", arg=keys[0])


# --- https: a device comes to trust the server, step by step ----------------------------------------------------------

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
]
NAME = "table.test"
"""An address as devices in the network have it: over plain http no browser takes it for secure."""

HTTPS = "import functools, companion.server as s; s.serve = functools.partial(s.serve, https=True); "
DEVICES = {
    "ios": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1",
    "android": "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36",
    "desktop": None,
}
TRUST = {
    "en": {"ios": "Certificate Trust Settings", "android": "CA certificate", "desktop": "Trusted Root Certification"},
    "ja": {"ios": "証明書信頼設定", "android": "CA証明書", "desktop": "信頼されたルート証明機関"},
}


@pytest.fixture
def secured(own_server):
    """A server that listens for https on the next port too."""
    pytest.importorskip("cryptography", reason="cryptography is not installed")
    own_server.kill()
    own_server.prelude = HTTPS
    own_server.start()
    return own_server


@pytest.fixture
def network(chromium, chromium_file):
    """Opens a page of a device in the network, which knows the server as `NAME`. `trusted`: the server's certificate
    (PEM) that the device trusts; without one its browser warns, and the people go on."""
    browsers = []

    def start(address, *, trusted=None, **device):
        args = [*FLAGS, f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
        if trusted:
            args.append(f"--ignore-certificate-errors-spki-list={public_key(trusted)}")
        browser = chromium.browser_type.launch(executable_path=chromium_file, args=args)
        browsers.append(browser)
        page = browser.new_context(ignore_https_errors=not trusted, **device).new_page()
        page.goto(address)
        return page

    yield start
    for browser in browsers:
        browser.close()


def public_key(pem):
    """What a browser knows a certificate by: the SHA-256 of its public key, in base 64."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = x509.load_pem_x509_certificate(pem).public_key()
    digest = hashes.Hash(hashes.SHA256())
    digest.update(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))
    return base64.b64encode(digest.finalize()).decode()


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_device_is_led_from_the_plain_address_to_the_app(network, secured, lang):
    plain, secure = f"http://{NAME}:{secured.port}", f"https://127.0.0.1:{secured.port + 1}"
    certificates = secured.data / "https"
    for kind, agent in DEVICES.items():
        page = network(plain + "/install", locale=lang, **({"user_agent": agent} if agent else {}))
        steps = page.locator("#secure-no .steps-list > li")
        expect(steps).to_have_count(3)
        expect(page.locator("#secure-why")).to_be_visible()
        file = page.request.get(f"http://127.0.0.1:{secured.port}" + steps.nth(0).locator("a").get_attribute("href"))
        assert file.body() == (certificates / "authority.pem").read_bytes()
        ways = steps.nth(1).locator(".install-steps li")
        expect(steps.nth(1).locator(".this")).to_contain_text(TRUST[lang][kind])
        settled(page)
        tops = ways.evaluate_all(
            "(all) => all.map((e) => [e.getBoundingClientRect().top, e.getBoundingClientRect().left])"
        )
        first = min(range(len(tops)), key=tops.__getitem__)
        assert "this" in ways.nth(first).get_attribute("class")
        expect(page.locator("section:not(#secure-no) .install-steps .this")).to_be_visible()
        assert steps.nth(2).locator("a").get_attribute("href") == secure + "/install"
    steps.nth(2).locator("a").click()  # without the second step, on through the warning
    page.wait_for_url(secure + "/install")
    expect(page.locator("#untrusted-why")).to_be_visible()
    expect(steps).to_have_count(3)
    expect(page.locator("#secure-yes")).to_be_hidden()
    page = network(secure + "/install", trusted=(certificates / "server.pem").read_bytes(), locale=lang)
    page.wait_for_function(CONTROLLED)
    expect(page.locator("#secure-yes")).to_be_visible()
    expect(page.locator("#secure-no")).to_be_hidden()


def test_a_phone_that_would_be_the_camera_is_led_through_the_certificate(network, secured):
    plain = f"http://{NAME}:{secured.port}"
    page = network(plain + "/install", viewport={"width": 320, "height": 640})
    body = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D1", "camera": "push"}
    post = """async (body) => { const headers = { "Content-Type": "application/json" };
      const answer = await fetch("/api/tables", { method: "POST", headers, body: JSON.stringify(body) });
      return (await answer.json()).url; }"""
    page.goto(f"{plain}{page.evaluate(post, body)}/camera")
    expect(page.locator("#secure-room")).to_be_visible()
    assert page.locator("a[href$='.crt']").count() == 0  # a bare file helps nobody
    page.locator("#secure-room a:not(#secure)").click()
    page.wait_for_url(plain + "/install")
    expect(page.locator("#secure-no .steps-list > li")).to_have_count(3)


def test_without_https_the_page_says_how_to_start_it_and_offers_no_certificate(network, own_server):
    page = network(f"http://{NAME}:{own_server.port}/install")
    steps = page.locator("#secure-no .steps-list > li")
    expect(steps.first).to_contain_text("companion serve --https")
    expect(steps.first).to_be_visible()
    expect(page.locator("#secure-no a")).to_have_count(0)


@pytest.mark.parametrize(("theme", "lang"), [("light", "ja"), ("dark", "en")])
def test_the_steps_fit_a_small_phone_and_axe_finds_nothing(network, secured, theme, lang):
    checker = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is missing")
    small = {"width": 320, "height": 640}
    page = network(f"http://{NAME}:{secured.port}/install", locale=lang, color_scheme=theme, viewport=small)
    expect(page.locator("#secure-no")).to_be_visible()
    assert settled(page).evaluate("document.documentElement.scrollWidth") == 320
    assert [found["id"] for found in checker.Axe().run(page).response["violations"]] == []
