"""The API's document: it is made from the handlers, covers every route, and real answers are what it says."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from companion.referee.record import parse
from companion.server.desk import Desk
from companion.server.schema.openapi import document, errors_in, path_of
from companion.server.schema.requests import PATH, STATUS, schemas

RECORDS = sorted((Path(__file__).parents[2] / "records").glob("*.txt"))


@pytest.fixture
def spec(client):
    answer = client.get("/api/openapi.json")
    assert answer.status_code == 200
    return answer.get_json()


def test_every_route_is_in_the_document_or_is_a_page_for_people(app, client, spec, table):
    """A route that answers data and is not described cannot hide: what is not in the document is HTML, a redirect or
    a static file."""
    desk = app.extensions["companion"]
    values = {
        "table_id": table,
        "key": desk.join_key(table, "board"),
        "lang": "en",
        "name": "three-card-showdown",
        "version": "x",
        "board": "a4-mat",
        "owner": desk.keys.owner,
        "player": "anna",
    }
    client.post(f"/api/tables/{table}/intents", json={"intent": "finish"})  # so that Anna is a player of this house
    pages = 0
    host = client.get_cookie(f"key-{table}").value
    for rule in app.url_map.iter_rules():
        client.set_cookie(f"key-{table}", host)  # one of the pages is a join link
        path = path_of(rule)
        methods = {m.lower() for m in rule.methods - {"HEAD", "OPTIONS"}}
        if path in spec["paths"]:
            assert methods <= set(spec["paths"][path])
            continue
        assert methods == {"get"}, path
        assert not path.startswith("/api/"), path
        if path in (
            "/static/{version}/{name}",
            "/favicon.ico",
            "/service-worker.js",
            "/manifest.webmanifest",
            "/calibration/{board}.svg",
        ):
            continue
        if path == "/practice/{table_id}":  # for the one who plays it
            path = client.post("/api/practice", json={"game": "hexa-card"}).get_json()["url"]
        answer = client.get(path.format(**values))
        assert answer.status_code in (200, 302), path
        assert answer.mimetype == "text/html", path
        pages += 1
    assert pages >= 8


def test_the_document_is_well_formed(spec):
    assert spec["openapi"].startswith("3.1.")
    ids = [one["operationId"] for methods in spec["paths"].values() for one in methods.values()]
    assert len(ids) == len(set(ids))
    known = set(spec["components"]["schemas"])
    assert set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(spec))) <= known
    for schema in (*schemas().values(), *PATH.values()):
        Draft202012Validator.check_schema(schema)
    for path, methods in spec["paths"].items():
        for one in methods.values():
            named = {parameter["name"] for parameter in one["parameters"] if parameter["in"] == "path"}
            assert named == set(re.findall(r"{(\w+)}", path))
            assert one["summary"] and one["description"]
            for status, answer in one["responses"].items():
                assert answer["description"] == STATUS[int(status)]


def test_every_schema_is_used(spec):
    """Starting from the operations, every shape is reached."""
    used, open_ends = set(), [spec["paths"]]
    while open_ends:
        for name in re.findall(r'"#/components/schemas/(\w+)"', json.dumps(open_ends.pop())):
            if name not in used:
                used.add(name)
                open_ends.append(spec["components"]["schemas"][name])
    checked_by_handlers = {"AnyNewTable"}
    assert used | checked_by_handlers == set(spec["components"]["schemas"])


def test_the_page_shows_every_operation_in_both_languages(client, spec):
    for lang in ("en", "ja"):
        page = client.get("/api", headers={"Accept-Language": lang})
        assert page.status_code == 200
        assert f'<html lang="{lang}">' in page.text
        assert "api." not in re.sub(r"<(script|pre|a|code)\b.*?</\1>", "", page.text, flags=re.S).replace("/api/", "")
        for path in spec["paths"]:
            assert f"<code>{path}</code>" in page.text
        assert not re.search(r'(src|href)="https?://', page.text)


def fits(name, answer, status=200):
    assert answer.status_code == status, answer.text
    found = errors_in(name, answer.get_json())
    assert found == [], (name, [(list(e.absolute_path), e.message[:200]) for e in found[:3]])
    return answer.get_json()


def test_plain_answers_are_what_the_document_says(client, table, tap):
    fits("Games", client.get("/api/games"))
    fits("Deck", client.get("/api/decks/65"))
    fits("Tables", client.get("/api/tables"))
    fits("Cameras", client.get("/api/cameras"))
    fits("Written", tap.lay(client, table, 0, "AS AS QS"))
    fits("OneEntry", client.get(f"/api/tables/{table}/entries/2"))
    fits("Links", client.get(f"/api/tables/{table}/links"))
    fits("Devices", client.get(f"/api/tables/{table}/devices"))
    fits("AroundOnly", client.post(f"/api/tables/{table}/camera", json={"camera": None}))
    fits("OpenApi", client.get("/api/openapi.json"))
    fits("Error", client.get("/api/tables/none"), 404)


@pytest.mark.parametrize("file", RECORDS, ids=lambda path: path.stem)
def test_every_game_fits_the_shapes_at_every_step(app, client, file):
    """Pictures, entries, prompts and starts of recorded games of every kind, as host and as somebody who looks on."""
    record = parse(file.read_text(encoding="utf-8"))
    desk = app.extensions["companion"]
    setup = record.started.setup
    start = {"game": record.started.game, "players": list(setup.players), "options": dict(setup.options)}
    for shape in ("NewTable", "AnyNewTable"):
        assert errors_in(shape, start | ({"deck": setup.deck} if setup.deck else {})) == []
    table = desk.open_table(record.started)
    client.get(f"/join/{desk.join_key(table, 'host')}")
    step = max(1, len(record.events) // 12)
    for number, event in enumerate(record.events[1:]):
        if number % step == 0:
            fits("Table", client.get(f"/api/tables/{table}"))
        desk.journal.append(table, event)
    fits("Table", client.get(f"/api/tables/{table}?lang=ja"))
    fits("Entries", client.get(f"/api/tables/{table}/entries"))
    fits("Past", client.get(f"/api/tables/{table}/at/2"))
    fits("EventsFile", client.get(f"/history/{table}/events.json"))
    assert document(app)["paths"]


# --- one error shape -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "more", "status"),
    [
        ("GET", "/api/nothing", {}, 404),
        ("GET", "/api/tables/%00", {}, 404),
        ("GET", "/api/tables/x/entries/" + "9" * 5000, {}, 404),
        ("GET", "/api/tables/{t}/entries/999999999", {}, 404),
        ("GET", "/api/tables/{t}/entries?after=x", {}, 400),
        ("GET", "/api/tables/{t}/entries?after=-1", {}, 400),
        ("GET", "/api/tables/{t}/entries?after=" + "9" * 30, {}, 400),
        ("GET", "/api/tables?lang=xx", {}, 400),
        ("DELETE", "/api/tables", {}, 405),
        ("PATCH", "/api/tables/{t}/intents", {}, 405),
        ("POST", "/api/tables", {"data": "{", "content_type": "application/json"}, 400),
        ("POST", "/api/tables", {"data": b"\xff\xfe", "content_type": "application/json"}, 400),
        ("POST", "/api/tables", {"data": "[" * 30_000, "content_type": "application/json"}, 400),
        ("POST", "/api/tables", {"data": "9" * 5000, "content_type": "application/json"}, 400),
        ("POST", "/api/tables", {"data": '{"game": "\\ud800"}', "content_type": "application/json"}, 400),
        ("POST", "/api/tables", {"data": "null", "content_type": "application/json"}, 400),
        ("POST", "/api/tables", {"data": "x=1", "content_type": "application/x-www-form-urlencoded"}, 415),
        ("POST", "/api/tables", {"data": "x" * 70_000, "content_type": "application/json"}, 413),
        ("POST", "/api/tables/{t}/intents", {"json": {"intent": "act", "action": {"kind": "lay"}, "sequ": 1}}, 400),
        ("POST", "/api/tables/{t}/intents", {"json": {"intent": "take-back", "of": 99}}, 422),
        ("POST", "/api/tables/{t}/links/seat-9/revoke", {"json": {}}, 422),
        ("POST", "/api/tables/{t}/devices/0123456789ab/role", {"json": {"role": "host"}}, 404),
        ("POST", "/api/restore", {"data": b"x"}, 403),
    ],
)
def test_every_refusal_has_one_shape(client, table, method, path, more, status):
    answer = client.open(path.format(t=table), method=method, **more)
    error = fits("Error", answer, status)["error"]
    assert answer.mimetype == "application/json"
    assert not error["message"].startswith("ui.")
    if status == 405:
        assert set(answer.headers["Allow"].split(", ")) >= {"OPTIONS", "POST"}


def test_a_crash_has_the_same_shape_and_tells_nothing(client, monkeypatch):
    monkeypatch.setattr(Desk, "tables", None)
    answer = client.get("/api/tables")
    error = fits("Error", answer, 500)["error"]
    assert error["code"] == "http-500"
    assert "NoneType" not in answer.text


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"intent": "dance"}, "intent"),
        ({"intent": "act"}, "action"),
        ({"intent": "act", "action": {"kind": "lay"}, "seq": "1"}, "seq"),
        ({"intent": "act", "action": {"kind": "lay"}, "sequ": 1}, "sequ"),
        ({"intent": "act", "action": {"kind": "lay", "cards": [5]}}, "action"),
        ({"intent": "correct", "of": 2}, "action"),
        ({}, "intent"),
    ],
)
def test_a_refused_body_names_its_field(client, table, body, field):
    message = client.post(f"/api/tables/{table}/intents?lang=en", json=body).get_json()["error"]["message"]
    assert f"“{field}”" in message


def test_a_whole_number_may_be_written_with_a_point(client, tap, table):
    answer = client.post("/api/practice?lang=en", json={"game": "aces-king", "players": 4.0})
    assert answer.status_code == 201, answer.text
    assert tap.intend(client, table, intent="act", action={"kind": "lay", "seat": 0.0, "cards": []}).status_code == 200
    assert isinstance(client.get(f"/api/tables/{table}/entries").get_json()["entries"][-1]["seq"], int)
    answer = client.post("/api/practice?lang=en", json={"game": "aces-king", "players": 4.5})
    assert answer.status_code == 400
