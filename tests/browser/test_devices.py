"""Devices and roles as people use them: who is here, roles by hand, the host's role handed over, the own hand."""

import json
import re
import urllib.request

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1"
TABLET = "Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1"


@pytest.fixture
def opened(server):
    """A new table: its id and the key that makes its bearer the host."""
    body = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D1"}
    request = urllib.request.Request(
        f"{server.url}/api/tables", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


@pytest.fixture
def table(opened):
    return opened["id"]


@pytest.fixture
def links(server, opened):
    """The address of each role's link, as the host gets them."""
    headers = {"Authorization": f"Bearer {opened['key']}"}
    request = urllib.request.Request(f"{server.url}/api/tables/{opened['id']}/links", headers=headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        found = {link["role"]: link["url"] for link in json.load(answer)["links"]}
    return {role: re.sub(r"^http://[^/]+", "", url) for role, url in found.items()}


def ready(page):
    page.wait_for_selector("body.ready")
    return page


def row(page, kind):
    """The row of the device list for the one device of that kind."""
    return page.locator(".device", has=page.locator("span", has_text=kind))


def test_the_host_sees_who_is_here_and_changes_roles(open_page, table, links):
    host = ready(open_page(links["host"]))
    first = ready(open_page(links["seat-1"], width=390, height=800, user_agent=PHONE))
    second = ready(open_page(links["seat-1"], width=820, height=1180, user_agent=TABLET))
    warning = host.locator("#banner p", has_text="Ben")
    warning.wait_for()  # two devices act for one seat, said to everybody at once
    first.locator("#banner p", has_text="Ben").wait_for()
    host.locator("[data-key=devices]").click()
    expect(host.locator(".device .reason.foul")).to_have_count(2)
    own = row(host, "this device")
    expect(own).to_have_count(1)
    expect(own.locator("select")).to_have_count(0)
    row(host, "Tablet").locator("select").select_option("seat-0")
    second.locator(".place.mine[data-place=seat-0]").wait_for()
    expect(row(host, "Tablet").locator("b")).to_have_text("Anna")
    expect(row(host, "Tablet").locator("select")).to_have_value("seat-0")
    expect(row(host, "Phone").locator("b")).to_have_text("Ben")
    warning.wait_for(state="detached")
    expect(second.locator("[data-key=hand]")).to_have_count(1)


def test_an_answer_that_comes_late_puts_no_old_list_over_the_new(open_page, table, links):
    host = ready(open_page(links["host"]))
    guest = ready(open_page(links["seat-1"], user_agent=TABLET))

    def late(route):
        answer = route.fetch()
        row(host, "Tablet").locator("b", has_text="Anna").wait_for()  # the live stream was faster
        old = [{**found, "role": "seat-1", "seat": 1} for found in answer.json()["devices"]]
        route.fulfill(response=answer, json={"devices": old})

    host.route("**/devices/*/role", late)
    host.locator("[data-key=devices]").click()
    row(host, "Tablet").locator("select").select_option("seat-0")
    guest.locator(".place.mine[data-place=seat-0]").wait_for()
    expect(host.locator(".sheet [role=status]")).to_contain_text("Anna")
    expect(row(host, "Tablet").locator("b")).to_have_text("Anna")


def test_a_list_of_roles_that_is_open_holds_still_and_then_catches_up(open_page, table, links):
    host = ready(open_page(links["host"]))
    guest = ready(open_page(links["seat-1"], user_agent=TABLET))
    host.locator("[data-key=devices]").click()
    open_list = row(host, "Tablet").locator("select")
    open_list.focus()
    host.keyboard.press("F4")  # a key that may open it
    element = open_list.element_handle()
    phone = ready(open_page(links["seat-0"], user_agent=PHONE))
    expect(host.locator(".people")).to_contain_text("3")  # the page knows of it
    assert element.evaluate("(select) => select.isConnected && select === document.activeElement")
    expect(row(host, "Phone")).to_have_count(0)
    host.locator("#sheet-title").focus()
    expect(row(host, "Phone")).to_have_count(1)
    for page in (guest, phone):
        page.close()
    expect(host.locator(".device")).to_have_count(1)


def test_the_host_hands_over_and_both_pages_know_at_once(open_page, table, links):
    host = ready(open_page(links["host"]))
    other = ready(open_page(links["scorekeeper"]))
    host.locator("[data-key=devices]").click()
    host.locator(".device select").select_option("host")
    confirm = host.locator(".sheet .note button")
    confirm.wait_for()
    assert other.locator("button[data-key=devices]").count() == 0  # not before it is confirmed
    confirm.click()
    other.locator("button[data-key=devices]").wait_for()
    host.locator("button[data-key=devices]").wait_for(state="detached")
    other.locator("button[data-key=devices]").click()
    other.locator(".device b", has_text="Keep the record").wait_for()


def test_a_revoked_link_takes_the_role_from_an_open_page(open_page, table, links):
    player = ready(open_page(links["seat-0"]))
    player.locator(".prompt").first.wait_for()
    codes = ready(open_page(links["host"]))
    codes.goto(codes.url + "/join")
    codes.locator("[data-role=seat-0]").click()
    button = codes.locator("[data-revoke=seat-0]")
    button.click()
    codes.locator("#toast").wait_for()  # the first tap only asks
    assert player.locator(".prompt").count() > 0
    with codes.expect_navigation():  # it reloads when it is done
        button.click()
    player.locator(".prompt").first.wait_for(state="detached")
    codes.locator("#seat-0 .url").wait_for()
    assert not codes.locator("#seat-0 .url").get_attribute("href").endswith(links["seat-0"])


def test_a_player_asks_the_referee_about_the_hand_he_holds(open_page, table, links):
    host = ready(open_page(links["host"]))
    player = ready(open_page(links["seat-1"], width=390, height=800))
    player.locator("[data-key=hand]").click()
    for face in ("7D", "8D", "9D"):
        player.locator(f"[data-key=cell-{face}]").wait_for(state="attached")
        if not player.locator(f"[data-key=cell-{face}]").is_visible():
            player.locator("[data-key=suit-D]").click()
        player.locator(f"[data-key=cell-{face}]").click()
    player.locator(".sheet .confirm .primary").click()
    player.locator(".hand-check .play .verdict.legal").wait_for()
    expect(player.locator(".hand-check")).to_contain_text("Straight flush")
    player.keyboard.press("Escape")
    player.reload()
    ready(player).locator("[data-key=hand]").click()
    expect(player.locator(".in-tray")).to_have_count(3)  # remembered on the device alone
    assert "7" not in host.locator("#felt").inner_text()
    assert host.locator(".story-entry, #story li").count() <= 1
