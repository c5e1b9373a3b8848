"""The table of routes and roles in the documents is what the application does, and its threats have their tests."""

import re
from pathlib import Path

import pytest

from companion.server import Config, create_app
from companion.server.config import Opening

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROUTES = dict(re.findall(r"^\| `((?:GET|POST) [^`]+)` \| (.+?) \|$", PAGE, re.M))
FAR = {"REMOTE_ADDR": "192.0.2.77"}
ROLES = ("everybody", "guest", "board", "seat", "camera", "scorekeeper", "host", "owner")
MAY = {
    "everybody": set(ROLES),
    "guest": {"guest", "owner"},
    "acts": {"seat", "camera", "scorekeeper", "host", "owner"},
    "keeps": {"camera", "scorekeeper", "host", "owner"},
    "keeps, board": {"camera", "scorekeeper", "host", "owner", "board"},
    "seat": {"seat"},
    "host": {"host", "owner"},
    "seat, keeps the record, host": {"seat", "scorekeeper", "host", "owner"},
    "keeps the record, host": {"scorekeeper", "host", "owner"},
    "owner": {"owner"},
}
SETUP = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D1"}
LAY = {"kind": "lay", "seat": 1, "cards": ["AS", "KS", "QS"]}
BODIES = {
    "/api/tables": SETUP,
    "/api/tables/<table_id>/camera": {"camera": None},
    "/api/practice": {"game": "hexa-card"},
    "/api/practice/<table_id>/move": {"move": "x", "seq": 1},
    "/api/practice/<table_id>/step": {"seq": 1},
    "/api/tables/<table_id>/archive": {"archived": True},
    "/api/tables/<table_id>/remove": {"sure": "not-this-one"},
    "/api/tables/<table_id>/intents": {"intent": "act", "action": LAY},
    "/api/tables/<table_id>/hand/check": {"cards": ["AS"]},
    "/api/tables/<table_id>/offers": {"kind": "lay", "seat": 1},
    "/api/tables/<table_id>/devices/<device>/role": {"role": "board"},
    "/api/deck-files/pictures/remove": {"deck": "65", "face": "judge"},
    "/api/deck-files/remove": {"deck": "65", "sure": "65"},
    "/api/deck-files/samples/remove": {"deck": "65", "sample": 0, "face": "judge.fed"},
    "/api/enrolment/camera": {"deck": "65", "camera": None},
    "/api/enrolment/do": {"deck": "65", "do": "skip"},
}
VALUES = {
    "table_id": "world",
    "int:seq": "2",
    "device": "0" * 12,
    "role": "board",
    "question": "0" * 16,
    "name": "three-card-showdown",
    "lang": "en",
    "board": "mat-a4",
    "kind": "svg",
    "deck": "52D1",
    "face": "AS",
    "suit": "S",
    "key": "0" * 32,
    "version": "x",
    "path:name": "icon.svg",
    "owner": "x",
    "player": "Anna",
    "kept": "20260101-000000-x",
}


def test_every_route_is_in_the_table(tmp_path):
    app = create_app(Config(tmp_path / "data", demo=False))
    rules = app.url_map.iter_rules()
    assert set(ROUTES) == {f"{method} {rule}" for rule in rules for method in rule.methods - {"HEAD", "OPTIONS"}}
    app.extensions["companion"].close()


@pytest.mark.parametrize("route", ROUTES)
def test_a_route_is_for_those_whom_the_table_names(tmp_path, route):
    """A role that may not is refused with 401 or 403; one that may is not, whatever else the answer says."""
    method, path = route.split(" ")
    if path in ("/join/<key>", "/owner/<owner>"):
        pytest.skip("the key in the address is the proof itself")
    may = MAY[ROUTES[route].partition(";")[0]]
    app = create_app(Config(tmp_path / "data", demo=False, heartbeat=0.05, opening=Opening.PIN, pin="123456"))
    app.testing = False
    desk = app.extensions["companion"]
    owner = app.test_client()
    owner.get(f"/owner/{desk.keys.owner}", environ_base=FAR)
    VALUES["table_id"] = table = owner.post("/api/tables", json=SETUP, environ_base=FAR).get_json()["id"]
    owner.post(f"/api/tables/{table}/intents", json={"intent": "act", "action": LAY}, environ_base=FAR)
    address = re.sub(r"<([^>]+)>", lambda found: VALUES[found[1]], path)
    allowed = set()
    for role in ROLES:
        device = app.test_client()
        if role == "guest":
            device.get("/?pin=123456", environ_base=FAR)
        elif role == "owner":
            device.get(f"/owner/{desk.keys.owner}", environ_base=FAR)
        elif role != "everybody":
            key = desk.join_key(table, "seat-1" if role == "seat" else role)
            device.get(f"/join/{key}", environ_base=FAR)
        more = {"json": BODIES.get(path, {})} if method == "POST" else {}
        if path == "/api/enrolment/frame":
            more = {"data": b"x", "content_type": "image/jpeg"}
        if path in ("/api/restore", "/api/deck-files", "/api/deck-files/check"):
            more = {"data": b"x", "content_type": "application/toml"}
        with device.open(address, method=method, environ_base=FAR, buffered=False, **more) as answer:
            if answer.status_code not in (401, 403):
                allowed.add(role)
    desk.close()
    assert allowed == may


def test_every_test_that_the_page_names_is_there():
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    there = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py"))
    assert len(named) > 15
    assert {name for name in named if f"def {name}(" not in there} == set()
