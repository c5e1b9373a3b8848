"""The page as an app: installable, an own page while the server is away, and never stale after an update."""

import json
import shutil

import pytest

from companion import resources

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
