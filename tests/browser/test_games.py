"""Every game can be started and played by taps: bots hold the true cards, the page is what they tap on.

One script plays all games, because the page knows none of them: it reads which prompts are open, opens the right one,
and fills its cards and choices.
"""

import random
import re

import pytest

from companion.games import UNKNOWN, Setup, game, ids

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
STEPS = 7
SIZES = {0: (1024, 768), 1: (390, 844)}


def fits(prompt, action):
    """May `action` be the answer to this prompt?"""
    slot, args = prompt["slot"], dict(action.args)
    if (prompt["kind"], prompt["seat"]) != (action.kind, action.seat):
        return False
    least, most = (slot["least"], slot["most"]) if slot else (0, 0)
    values = {c["name"]: [v["value"] for v in c["values"]] for c in prompt["choices"]}
    given = {name: list(v) if isinstance(v, tuple) else v for name, v in args.items()}
    return (
        least <= len(action.cards) <= most
        and given.keys() == values.keys()
        and all(given[name] in values[name] for name in given)
        and (not slot or not slot["faces"] or all(c in slot["faces"] for c in action.cards if c != UNKNOWN))
    )


def tap(page, table, action):
    """Do `action` on the page, the way a person would."""
    prompt = next(p for p in table["prompts"] if fits(p, action))
    page.click(f"[data-key='prompt-{prompt['id']}']")
    slot, choices = prompt["slot"], [c for c in prompt["choices"] if len(c["values"]) > 1]
    if slot and slot["most"] and slot["side"] == "down":
        if slot["least"] != slot["most"]:
            page.locator(".sheet .choice").nth(len(action.cards) - slot["least"]).click()
    else:
        tap_cards(page, action.cards)
    for choice in choices:
        value = dict(action.args)[choice["name"]]
        at = [v["value"] for v in choice["values"]].index(list(value) if isinstance(value, tuple) else value)
        page.click(f"[data-key='choice-{choice['name']}-{at}']")
    many = bool(slot and slot["most"])
    one_card = many and slot["most"] == 1 and slot["side"] != "down" and not choices
    one_choice = not many and len(choices) == 1
    nothing = not choices and (not many or (slot["side"] == "down" and slot["least"] == slot["most"]))
    if not (one_card or one_choice or nothing):
        page.click("#confirm")
    page.wait_for_selector(".sheet", state="detached")


def tap_cards(page, cards):
    for code in cards:
        if code == UNKNOWN:
            page.click("[data-key=face-down]")
            continue
        cell = page.locator(f"[data-face='{code}']")
        if not cell.is_visible():
            suit = cell.evaluate("(el) => Array.from(el.parentNode.parentNode.children).indexOf(el.parentNode)")
            page.locator(".suit-tabs .tab").nth(suit).click()
        cell.click()


@pytest.mark.parametrize("name", ids())
def test_a_game_is_played_by_taps(open_page, server, name):
    rules, chance = game(name), random.Random(5)
    width, height = SIZES[ids().index(name) % 2]
    page = open_page(width=width, height=height)
    page.click(f"[data-game='{name}']")
    page.click("#begin")
    page.wait_for_selector("body.ready")
    path = re.search(r"/tables/(\w+)", page.url)[0]

    def table():
        return page.request.get(f"{server.url}/api{path}").json()["table"]

    now = table()
    setup = Setup(tuple(p["name"] for p in now["players"]), now["deck"])
    state = rules.start(setup)
    world = rules.world(setup, chance)
    for _ in range(STEPS):
        actions = world.actions(state)
        if not actions:
            break
        action = max(actions, key=lambda a: (world.worth(state, a), chance.random()))
        tap(page, now, action)
        page.wait_for_selector(f"[data-seq='{now['seq'] + 1}']", state="attached")
        now = table()
        newest = now["entries"][-1]
        assert newest["verdict"] in ("legal", "unproven"), newest["text"]
        assert newest["cards"] == list(action.cards)
        after = rules.apply(state, action)
        world.follow(state, action, after)
        state = after
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
