"""Requests at a real application with real tables: any route, any role, spoilt bodies, queries and headers."""

from __future__ import annotations

import json
import random
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from companion.games import ids
from companion.referee import Acted
from companion.referee.record import parse
from companion.server import Config, create_app
from companion.server.config import Opening
from tests.fuzz import mutate
from tests.fuzz.targets import ROOT, Target, _backups, _decks, _pictures

FAR = {"REMOTE_ADDR": "192.0.2.7"}
ROLES = ("host", "scorekeeper", "seat-0", "seat-1", "camera", "board", "owner", "guest", "")
AGAIN = 4_000
"""After so many requests a new application with new tables: a table has only so much room."""


@dataclass(frozen=True, slots=True)
class Request:
    role: str
    method: str
    path: str
    body: bytes
    head: dict[str, str]


class House:
    """An application with a table of each game in the middle of it."""

    def __init__(self) -> None:
        self.app: Flask = create_app(
            Config(Path(tempfile.mkdtemp(prefix="fuzz-")), demo=False, camera="none", opening=Opening.PIN, pin="123456")
        )
        self.app.testing = False
        desk = self.app.extensions["companion"]
        self.tables: list[str] = []
        self.bodies: list[str] = []
        for name in ids():
            file = min((ROOT / "tests" / "records").glob(f"{name}-*.txt"))
            events = parse(file.read_text(encoding="utf-8")).events
            table = desk.open_table(events[0])
            for event in events[1:14]:
                desk.journal.append(table, event)
            self.tables.append(table)
            told = [e.action.to_json() for e in events if isinstance(e, Acted)][10:24]
            self.bodies += [json.dumps({"intent": "act", "action": a}, ensure_ascii=False) for a in told]
        setup = {"game": "three-card-showdown", "players": ["A", "B"], "deck": "52D1", "options": {}, "key": "k" * 20}
        self.bodies += [json.dumps(body) for body in (
            {"intent": "take-back", "of": 3}, {"intent": "play-on", "of": 4, "seq": 14, "key": "x"}, setup,
            {"intent": "correct", "of": 5, "action": {"kind": "lay", "seat": 0, "cards": ["5S"], "args": {"a": 1}}},
            {"camera": "none"}, {"option": 0}, {"game": "aces-king", "players": 4},
            {"face": "5S"}, {"role": "seat-1"}, {"cards": ["5S", "6S"], "seat": 0},
            {"corners": [[0, 0], [1, 0], [1, 1], [0, 1]]}, {"zones": {}},
        )]  # fmt: skip
        self.clients = {role: self.client(role) for role in ROLES}
        self.rules = [r for r in self.app.url_map.iter_rules() if not r.rule.startswith("/owner")]

    def client(self, role: str) -> FlaskClient:
        desk, found = self.app.extensions["companion"], self.app.test_client()
        found.environ_base.update(FAR)
        if role == "owner":
            found.get(f"/owner/{desk.keys.owner}")
        elif role == "guest":
            found.get("/?pin=123456")
        elif role:
            for table in self.tables:
                seats = len(desk.match(table).setup.players)
                found.set_cookie(
                    f"key-{table}", desk.join_key(table, "seat-0" if role == "seat-1" and seats == 1 else role)
                )
        return found


@cache
def _house(_number: int) -> House:
    _house.cache_clear()
    return House()


def _current(count: list[int] = [0]) -> House:  # noqa: B006 - a counter that stays
    count[0] += 1
    return _house(count[0] // AGAIN)


VALUES: dict[str, tuple[str, ...]] = {
    "seq": ("1", "2", "7", "14", "9" * 20), "name": ("52D2", "aces-king", "page.css", "65", "hexa-card"),
    "face": ("5S", "AS", "JK1", "3m"), "deck": ("52D2", "65"), "role": ("seat-1", "host", "camera"),
    "lang": ("en", "ja", "fr"), "suit": ("S", "H"), "kind": ("pdf", "svg", "png"), "board": ("charuco", "aruco"),
    "question": ("0" * 16,), "device": ("0" * 12,), "key": ("0" * 32, "x:host.y"), "version": ("0",),
}  # fmt: skip
QUERIES = (
    "lang=ja", "after=3", "seen=2", "role=host", "page=x", "deck=52D2", "next=/", "pin=123456", "take=1", "sender=a",
    "ranking=52D2", "width=9", "option=straights:on", "player=A", "game=aces-king", "from=2026-01-01",
)  # fmt: skip
TYPES = (
    "application/json", "application/toml", "image/jpeg", "application/vnd.sqlite3", "text/plain", "",
    "a/b; charset=x", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
)  # fmt: skip
HEADS = (
    ("User-Agent", "Mozilla Android Mobile"), ("Accept-Language", "ja,en;q=0.5"), ("Range", "bytes=0-5"),
    ("Last-Event-ID", "3"), ("Authorization", "Bearer x"), ("Cookie", "device=0123456789abcdef; lang=ja"),
    ("If-None-Match", '"x"'), ("If-Modified-Since", "Wed, 21 Oct 2015 07:28:00 GMT"), ("Content-Encoding", "gzip"),
    ("Accept", "text/html,*/*;q=0.1"), ("Accept-Encoding", "gzip, br"), ("Origin", "http://x"), ("Host", "localhost"),
    ("X-Forwarded-For", "1.2.3.4"),
)  # fmt: skip


def _line(chance: random.Random, seed: str) -> str:
    """What a server hands on of a header or an address: no line ends, and nothing beyond Latin-1."""
    spoilt = mutate.text(chance, (seed,)) if chance.random() < 0.5 else seed
    return "".join(c for c in spoilt if c.isprintable() and ord(c) < 256)


def make(chance: random.Random) -> Request:
    """A request; whose tables it names is known when it is sent."""
    number, table = chance.randrange(1 << 30), f"@{chance.randrange(8)}"
    values = {name: chance.choice(known) for name, known in VALUES.items()}
    if chance.random() < 0.3:
        name = chance.choice(sorted(values))
        values[name] = _line(chance, values[name]) or "x"
    query = "&".join(_line(chance, chance.choice(QUERIES)) for _ in range(chance.choice((0, 0, 1, 2, 5))))
    path = json.dumps({"rule": number, "table": table, "values": values, "query": query})
    kind = chance.random()
    if kind < 0.6:
        body = f"@{chance.randrange(1 << 30)}".encode()
    elif kind < 0.7:
        body = mutate.text(chance, _decks()).encode("utf-8", "surrogatepass")
    elif kind < 0.8:
        body = mutate.data(chance, _pictures())
    else:
        body = mutate.data(chance, _backups()[-2:])
    head = {name: _line(chance, value) for name, value in chance.sample(HEADS, chance.choice((0, 0, 1, 3)))}
    if chance.random() < 0.9:
        head["Content-Type"] = chance.choice(TYPES) if chance.random() < 0.3 else "application/json"
    return Request(chance.choice(ROLES), chance.choice(("GET", "POST", "POST", "POST", "PUT")), path, body, head)


def take(request: Request) -> bool:
    """Send it. True where it was taken; AssertionError for an answer of 500 or more."""
    house, told = _current(), json.loads(request.path)
    rule = house.rules[told["rule"] % len(house.rules)]
    values: dict[str, Any] = {**told["values"], "table_id": house.tables[int(told["table"][1:]) % len(house.tables)]}
    path = rule.rule
    for name in rule.arguments:
        for kind in ("", "int:", "path:"):
            path = path.replace(f"<{kind}{name}>", str(values.get(name, "x")))
    method = request.method if request.method in (rule.methods or ()) else sorted(rule.methods or ())[0]
    body = request.body
    if body.startswith(b"@"):
        chance = random.Random(body)
        body = mutate.text(chance, house.bodies, ('"seq": 14', '"key": "k"', '"source": "voice"')).encode(
            "utf-8", "surrogatepass"
        )
    with house.clients[request.role].open(
        path, method=method, query_string=told["query"], data=body if method == "POST" else None, headers=request.head,
        buffered=False,
    ) as answer:  # fmt: skip
        if answer.mimetype == "text/event-stream":
            next(iter(answer.iter_encoded()), b"")
        else:
            answer.get_data()
        text = f"{request.role} {method} {path}: {answer.status_code}"
        assert answer.status_code < 500, text
        return bool(answer.status_code < 400)


HTTP = Target("requests", 0.002, make, take)
