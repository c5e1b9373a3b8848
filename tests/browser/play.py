"""A page at a game: when it rests, and the true cards beside it, held by bots who know what to tap next."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

from companion.games import UNKNOWN, Action, Setup, game
from companion.referee.simulate import choose
from tests.browser.server import DEADLINE

STILL = """() => {
  const layout = JSON.stringify(Array.from(document.querySelectorAll("body *"), (el) => {
    const r = el.getBoundingClientRect();
    return [r.left + scrollX, r.top + scrollY, r.width, r.height, el.scrollWidth, el.scrollHeight]; }));
  const running = (one) => one.playState === "running" && Number.isFinite(one.effect.getComputedTiming().endTime);
  const there = document.readyState === "complete" && document.fonts.status === "loaded"
    && Array.from(document.images).every((image) => image.complete || image.loading === "lazy");
  const same = layout === window.layout && there && !document.getAnimations().some(running);
  const told = !window.wire || !window.wire.streams || window.wire.around > 0; // what is around a table is drawn, too
  window.still = same && told ? window.still + 1 : 0;
  window.layout = layout;
  return window.still >= 3; }"""
"""Asked in every frame: fonts and pictures are there, nothing moves, and all lies where it lay three frames ago."""


def settled(page: Any) -> Any:
    """`page`, when it rests: what is measured on it now is what people are left with."""
    page.evaluate("window.still = 0")
    page.wait_for_function(STILL, timeout=DEADLINE * 1000)
    return page


DOUBLE_TAP = 300
"""How long (ms) the page takes no taps where something has just changed."""

LISTEN = """window.wire = { heard: 0, streams: 0, around: 0, seq: 0 };
window.EventSource = class extends EventSource {
  constructor(url) {
    super(url);
    window.wire.streams += 1;
    const hear = () => { window.wire.heard = Date.now(); };
    for (const kind of ["open", "table", "around", "beat"]) this.addEventListener(kind, hear);
    this.addEventListener("around", () => { window.wire.around += 1; });
    this.addEventListener("table", (event) => { window.wire.seq = JSON.parse(event.data).seq; });
  }
};"""
"""When a page last heard the server, of which change, and whether it was told what is around its table."""


class Play:
    """A game on the server and the true cards beside it, held by bots: they know what may be done next, a page or the
    API does it. `table` is the picture of the table as the page's device gets it; `taps`: how many every action
    took, by its kind."""

    def __init__(
        self, page: Any, url: str, name: str, players: list[str], deck: str, options: dict[str, str], seed: int
    ):
        body = {"game": name, "players": players, "deck": deck, "options": options}
        made = page.request.post(f"{url}/api/tables", data=body).json()
        self.page, self.url, self.path, self.quick, self.bot = page, url, made["url"], False, "simple"
        self.rules, self.chance = game(name), random.Random(seed)
        self.taps: dict[str, list[int]] = {}
        self.table = self.look()
        self.setup = Setup(tuple(p["name"] for p in self.table["players"]), self.table["deck"], tuple(options.items()))
        self.state = self.rules.start(self.setup)
        self.world = self.rules.world(self.setup, self.chance)

    def look(self) -> Any:
        """Ask the server for the table."""
        self.table = self.page.request.get(f"{self.url}/api{self.path}").json()["table"]
        return self.table

    def shown(self, page: Any = None) -> Any:
        """The page, or another one at this table, when it shows the table as it is now and rests."""
        page = page or self.page
        page.wait_for_selector(f"[data-seq='{self.table['seq']}']", state="attached")
        return settled(page)

    def next(self) -> Action | None:
        """What the bots do now; None when the game is over."""
        return choose(self.bot, self.world, self.state, self.chance)

    def done(self, action: Action) -> None:
        """`action` has been done on the real table too."""
        after = self.rules.apply(self.state, action)
        self.world.follow(self.state, action, after)
        self.state = after

    def post(self, action: Action) -> None:
        """Do `action` from another device than the page."""
        key = f"bot-{self.table['seq']}"
        body = {"intent": "act", "action": action.to_json(), "seq": self.table["seq"], "key": key}
        answer = self.page.request.post(f"{self.url}/api{self.path}/intents", data=body).json()
        assert "table" in answer, answer
        self.table = answer["table"]
        self.done(action)

    def on(self, steps: int) -> None:
        """Let the bots do so many actions, away from the page."""
        for _ in range(steps):
            action = self.next()
            if action is None:
                return
            self.post(action)

    def tap(self, action: Action) -> None:
        """Do `action` on the page, the way a person would, and wait until the page shows it."""
        prompt = next(p for p in self.table["prompts"] if _fits(p, action))
        slot, choices = prompt["slot"], [c for c in prompt["choices"] if len(c["values"]) > 1]
        self.taps[action.kind] = [*self.taps.get(action.kind, []), 0]
        many = bool(slot and slot["most"])
        nothing = not choices and (not many or (slot["side"] == "down" and slot["least"] == slot["most"]))
        self._tap(f"[data-key='prompt-{prompt['id']}']", action.kind)
        if not nothing:
            self.page.wait_for_selector(".sheet", state="attached")
        if self._offered(action):
            self._come(action)
            return
        tray = [cell.get_attribute("data-code") for cell in self.page.locator(".in-tray").all()]
        if slot and slot["most"] and slot["side"] == "down":
            if slot["least"] != slot["most"]:
                self._tap(f".sheet .choice >> nth={len(action.cards) - slot['least']}", action.kind)
        else:
            self.tap_cards([card for card in action.cards if card not in tray], action.kind)
        if slot and slot["most"] and slot["least"] == slot["most"] and slot["side"] != "down" and choices:
            self.page.wait_for_selector("#sheet-room:not(:has(.confirm.waiting))", state="attached")
        for choice in choices:
            value = dict(action.args)[choice["name"]]
            at = [v["value"] for v in choice["values"]].index(list(value) if isinstance(value, tuple) else value)
            if not self.page.locator(f"[data-key='choice-{choice['name']}-{at}'][aria-pressed=true]").count():
                self._tap(f"[data-key='choice-{choice['name']}-{at}']", action.kind)
        whole = many and len(action.cards) == slot["most"] and (slot["most"] == slot["least"] or slot["most"] == 1)
        full = whole and slot["side"] != "down" and not choices
        one_choice = not many and len(choices) == 1
        counted = many and slot["side"] == "down" and not choices
        if not (full or one_choice or counted or nothing):
            self._tap("#confirm", action.kind)
        self._come(action)

    def _come(self, action: Action) -> None:
        self.page.wait_for_selector(".sheet", state="detached")
        self.page.wait_for_selector(f"[data-seq='{self.table['seq'] + 1}']", state="attached")
        self.look()
        self.done(action)

    def _offered(self, action: Action) -> bool:
        """Tap the ready answer that is this action, if the sheet has one."""
        room = self.page.locator(".sheet .offers")
        if not room.count():
            return False
        self.page.wait_for_selector(".offers:not(.waiting)", state="attached")
        for offer in room.locator(".offer").all():
            cards, args = json.loads(offer.get_attribute("data-offer"))
            if sorted(cards) == sorted(action.cards) and args == action.to_json()["args"]:
                self.at_rest()
                offer.tap()
                self.taps[action.kind][-1] += 1
                return True
        return False

    def _tap(self, selector: str, kind: str = "") -> None:
        self.at_rest()
        self.page.locator(selector).tap()
        if kind in self.taps:
            self.taps[kind][-1] += 1

    def at_rest(self) -> None:
        """Wait until the page takes the next tap: it hears the server, nothing is on its way, and the time of a double
        tap is over. Where the page has a clock that can be moved by hand, that time passes at once."""
        if self.quick:
            self.page.wait_for_selector("body:not(.offline):not(.busy)", state="attached")
            if self.page.locator(".resting").count():
                self.page.clock.fast_forward(DOUBLE_TAP)
        self.page.wait_for_selector("body:not(.offline):not(.busy):not(:has(.resting))", state="attached")

    def stop_clock(self) -> None:
        """Load the page again with a clock that stands still and is moved by hand, with ``page.clock``: how long the
        page waits does not depend on how slow this machine is."""
        self.page.clock.install()
        self.page.reload()
        self.page.wait_for_selector("body.ready")
        self.page.clock.pause_at(self.page.evaluate("Date.now()") / 1000 + 3_600)
        self.page.wait_for_function("() => window.wire.heard === Date.now()")
        self.page.wait_for_selector("#banner[hidden]", state="attached")
        self.at_rest()

    def tap_cards(self, cards: Sequence[str], kind: str = "") -> None:
        """Choose `cards` in the open picker: first the suit where only one is shown, then the card."""
        for code in cards:
            if code == UNKNOWN:
                self._tap("[data-key=face-down]", kind)
                continue
            cell = self.page.locator(f"[data-face='{code}']")
            cell.wait_for(state="attached")
            if not cell.is_visible():
                suit = cell.evaluate("(el) => Array.from(el.parentNode.parentNode.children).indexOf(el.parentNode)")
                self._tap(f".suit-tabs .tab >> nth={suit}", kind)
            self._tap(f"[data-face='{code}']", kind)


def _fits(prompt: dict[str, Any], action: Action) -> bool:
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


NAMES = ["Anna", "Ben", "Chiyo", "Daichi", "Emi", "Finn"]


def begin(page: Any) -> None:
    """Start the game that is set up, and go to its table, whether or not its camera knows where that lies."""
    page.click("#begin")
    page.wait_for_url("**/tables/**")
    if "calibrate" in page.url:
        page.click("#later")
    page.wait_for_selector("body.ready")
