"""A server of its own and Debian's Chromium, driven by Playwright. Skipped where Chromium is missing.

One long file: the programs beside it that take pictures load it by itself.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.games import UNKNOWN, Action, Setup, game
from companion.referee.simulate import choose

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
"""The first of these that is here: the same engine, at half the price where it has no window to draw."""

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]  # fmt: skip
SERVE = (
    "import sys; from pathlib import Path; from companion.server import serve; "
    "from companion.server.config import Opening; "
    "serve('127.0.0.1', int(sys.argv[1]), data=Path(sys.argv[2]), camera=sys.argv[3] or None, opening=Opening.HOUSE)"
)
ASKS = """
from pathlib import Path
from companion.server.camera import cameras
_state = cameras.Cameras.state
def state(self, table_id, texts, lang, match):
    found = _state(self, table_id, texts, lang, match)
    if Path({flag!r}).exists():
        deck = [face.code for face in match.deck.faces[:2]]
        from companion.server.show.zones import zone_names
        from companion.server.show.texts import Context
        context = Context(match.setup.players, match.deck, match.game.id, zone_names(match))
        zone = next(iter(zone_names(match)))
        options = [{{"id": f, "text": texts.card(f, lang, context), "cards": [f]}} for f in deck]
        text = texts.text("question.card", lang, context, zone=texts.zone(zone, lang, context))
        asked = {{"id": "0" * 16, "kind": "card", "text": text, "crop": None, "part": False,
                 "options": options, "any": True}}
        found["questions"] = [asked]
    return found
cameras.Cameras.state = state
"""
"""The camera of a table asks for a card while a file is there: no camera is needed for the pictures."""

PORTS = range(20000, 32000)
DEADLINE = 60.0
"""How long (s) a test waits for anything: a machine may have other things to do. No test expects a thing sooner."""

AGAIN = [r"^TimeoutError: ", r"^AssertionError: (Locator|Page) expected "]
"""A test that waited in vain, which ends like this, is run once more, and listed as RERUN at the end."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    reruns = config.pluginmanager.hasplugin("rerunfailures")
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if reruns:
                item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=AGAIN))
            if CHROMIUM is None:
                item.add_marker(
                    pytest.mark.skip(reason="Chromium is not installed (Debian: apt install chromium-headless-shell)")
                )


def free_port() -> int:
    """A port that nobody listens at, nor at the next one, where a server with https does; none of those that a system
    gives to whoever asks for any, as browsers do all the time."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
    first = (2000 * worker + os.getpid() * 2 % 1000) % len(PORTS)  # others look for one at the same time
    for port in (*PORTS[first::2], *PORTS[:first:2]):
        with socket.socket() as one, socket.socket() as other:
            try:
                one.bind(("127.0.0.1", port))
                other.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


class Server:
    """A server process on a port that stays the same when it is started again."""

    def __init__(self, data: Path, camera: str = "none") -> None:
        self.port = free_port()
        self.data, self.camera = data, camera
        self.url = f"http://127.0.0.1:{self.port}"
        self.prelude = ""
        """Python that the server process runs first."""
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-c", self.prelude + SERVE, str(self.port), str(self.data), self.camera]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 3 * DEADLINE  # all that it reads with is loaded first
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/api/tables", timeout=DEADLINE):
                    return
            except OSError:
                time.sleep(0.1)
        self.kill()
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """As if the power had gone."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@pytest.fixture(scope="session")
def chromium_file() -> str:
    """The program, for tests that start a browser of their own."""
    assert CHROMIUM is not None
    return CHROMIUM


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    playwright.expect.set_options(timeout=DEADLINE * 1000)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server of all tests that leave it alone."""
    found = Server(tmp_path_factory.mktemp("server"))
    found.start()
    yield found
    found.kill()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may kill."""
    found = Server(tmp_path / "data")
    found.start()
    yield found
    found.kill()


@pytest.fixture
def asking_server(tmp_path: Path) -> Iterator[Server]:
    """A server whose cameras ask for a card at every table."""
    flag = tmp_path / "asks"
    flag.touch()
    found = Server(tmp_path / "data")
    found.prelude = ASKS.format(flag=str(flag))
    found.start()
    yield found
    found.kill()


@pytest.fixture
def open_page(chromium: Any, server: Server) -> Iterator[Callable[..., Any]]:
    """Opens a device: a browser of its own with one page. A page that complains in its console fails the test."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def start(path: str = "/", width: int = 1024, height: int = 768, lang: str = "en", **more: Any) -> Any:
        more.setdefault("service_workers", "block")  # a test meets the server itself, unless it says otherwise
        context = chromium.new_context(viewport={"width": width, "height": height}, locale=lang, **more)
        context.set_default_timeout(DEADLINE * 1000)
        contexts.append(context)
        context.add_init_script(LISTEN)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path if path.startswith("http") else server.url + path)
        return page

    yield start
    for context in contexts:
        context.close()
    assert complaints == []


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


@pytest.fixture
def new_game(open_page: Callable[..., Any], server: Server) -> Callable[..., Play]:
    """Starts a game on a device of its own and shows its table there. `more` is what `open_page` takes."""

    def start(
        name: str,
        players: int | list[str] = 2,
        *,
        deck: str = "",
        options: dict[str, str] | None = None,
        seed: int = 5,
        steps: int = 0,
        own: Server | None = None,
        quick: bool = False,
        **more: Any,
    ) -> Play:
        url = (own or server).url
        page = open_page(f"{url}/rules", has_touch=True, **more)
        names = NAMES[:players] if isinstance(players, int) else players
        play = Play(page, url, name, names, deck, dict(sorted((options or {}).items())), seed)
        play.on(steps)
        if quick:  # the page's clock goes on by itself, and nobody has to wait for the end of a double tap
            page.clock.install()
            play.quick = True
        page.goto(url + play.path)
        page.wait_for_selector("body.ready")
        settled(page)
        return play

    return start


def begin(page: Any) -> None:
    """Start the game that is set up, and go to its table, whether or not its camera knows where that lies."""
    page.click("#begin")
    page.wait_for_url("**/tables/**")
    if "calibrate" in page.url:
        page.click("#later")
    page.wait_for_selector("body.ready")
