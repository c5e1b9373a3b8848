"""Devices and roles as people use them: who is here, roles by hand, the host's role handed over, the own hand."""

import json
import re
import urllib.request

import pytest


@pytest.fixture
def table(server):
    body = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D1"}
    request = urllib.request.Request(
        f"{server.url}/api/tables", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["id"]


@pytest.fixture
def links(server, table):
    """The address of each role's link, as the host gets them."""
    with urllib.request.urlopen(f"{server.url}/api/tables/{table}/links", timeout=60) as answer:
        found = {link["role"]: link["url"] for link in json.load(answer)["links"]}
    return {role: re.sub(r"^http://[^/]+", "", url) for role, url in found.items()}


def ready(page):
    page.wait_for_selector("body.ready")
    return page


def test_the_host_sees_who_is_here_and_changes_roles(open_page, table, links):
    host = ready(open_page(f"/tables/{table}"))
    first, second = (ready(open_page(links["seat-1"], width=390, height=800)) for _ in range(2))
    warning = host.locator("#banner p", has_text="Ben")
    warning.wait_for()  # two devices act for one seat, said to everybody at once
    first.locator("#banner p", has_text="Ben").wait_for()
    host.locator("[data-key=devices]").click()
    rows = host.locator(".device")
    rows.nth(2).wait_for()
    assert rows.locator(".reason.foul").count() == 2
    own = rows.filter(has=host.locator(".dim", has_text="this device"))
    assert own.count() == 1
    assert own.locator("select").count() == 0
    rows.last.locator("select").select_option("seat-0")
    second.wait_for_function("document.querySelector('.await') && document.body.classList.contains('acts')")
    rows.locator("b", has_text="Anna").wait_for()
    warning.wait_for(state="detached")
    assert second.locator("[data-key=hand]").count() == 1


def test_the_host_hands_over_and_both_pages_know_at_once(open_page, table, links):
    host = ready(open_page(f"/tables/{table}"))
    other = ready(open_page(links["scorekeeper"]))
    host.locator("[data-key=devices]").click()
    host.locator(".device select").select_option("host")
    assert other.locator("button[data-key=devices]").count() == 0  # not before it is confirmed
    host.locator(".sheet .note button").click()
    other.locator("button[data-key=devices]").wait_for()
    host.locator("button[data-key=devices]").wait_for(state="detached")
    other.locator("button[data-key=devices]").click()
    other.locator(".device b", has_text="Keep the record").wait_for()


def test_a_revoked_link_takes_the_role_from_an_open_page(open_page, table, links):
    elsewhere = {"X-Forwarded-For": "192.0.2.9"}  # the server's own machine would be host without any link
    player = ready(open_page(links["seat-0"], extra_http_headers=elsewhere))
    player.locator(".prompt").first.wait_for()
    codes = open_page(f"/tables/{table}/join")
    button = codes.locator("[data-revoke=seat-0]")
    button.click()
    codes.locator("#toast").wait_for()  # the first tap only asks
    assert player.locator(".prompt").count() > 0
    with codes.expect_navigation():
        button.click()
    player.locator(".prompt").first.wait_for(state="detached")
    assert codes.locator("#seat-0 .url").get_attribute("href").endswith(links["seat-0"]) is False


def test_a_player_asks_the_referee_about_the_hand_he_holds(open_page, table, links):
    host = ready(open_page(f"/tables/{table}"))
    player = ready(open_page(links["seat-1"], width=390, height=800))
    player.locator("[data-key=hand]").click()
    for face in ("7D", "8D", "9D"):
        if not player.locator(f"[data-key=cell-{face}]").is_visible():
            player.locator("[data-key=suit-D]").click()
        player.locator(f"[data-key=cell-{face}]").click()
    player.locator(".sheet .confirm .primary").click()
    player.locator(".hand-check .play .verdict.legal").wait_for()
    assert "Straight flush" in player.locator(".hand-check").inner_text()
    player.keyboard.press("Escape")
    player.reload()
    ready(player).locator("[data-key=hand]").click()
    assert player.locator(".in-tray").count() == 3  # remembered on the device alone
    assert "7" not in host.locator("#felt").inner_text()
    assert host.locator(".story-entry, #story li").count() <= 1
