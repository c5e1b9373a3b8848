"""Who may do what: the owner by a key that only he has, guests by a code, seats for themselves; all others look on."""

import inspect
import os
import stat

import pytest

from companion.server import Config, create_app, door, serve
from companion.server.camera.offers import Offers, shown_source
from companion.server.config import Opening
from companion.server.door import Quota

BODY = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D1"}
NEAR = {"REMOTE_ADDR": "127.0.0.1"}
FAR = {"REMOTE_ADDR": "192.0.2.77"}
HOST = "http://127.0.0.1:8765"
SECRET = "http://user:hunter2@192.0.2.9:8080/video?user=me&pwd=hunter2"


@pytest.fixture
def start(tmp_path):
    """Makes a server with these settings."""
    made = []

    def make(**settings):
        app = create_app(
            Config(tmp_path / f"data{len(made)}", demo=False, heartbeat=0.05, **{"opening": Opening.HOUSE, **settings})
        )
        app.testing = False
        made.append(app)
        return app

    yield make
    for app in made:
        app.extensions["companion"].close()


def opens(app, client=None, body=BODY, **environ):
    client = client or app.test_client()
    return client.post("/api/tables", json=body, base_url=HOST, environ_base=environ or FAR).status_code


# --- the owner -------------------------------------------------------------------------------------------------------


def test_who_says_nothing_asks_for_the_code(tmp_path):
    """As the command does: a server that a program starts is no open house by accident."""
    app = create_app(Config(tmp_path / "data", demo=False))
    setup = {"game": "three-card-showdown", "players": ["A", "B"]}
    assert app.test_client().post("/api/tables", json=setup, environ_base=FAR).status_code == 403
    assert inspect.signature(serve).parameters["opening"].default is Opening.PIN
    app.extensions["companion"].close()


def test_behind_a_proxy_nobody_is_the_owner(app, table):
    """``proxy_pass http://127.0.0.1:PORT``: everybody comes from this machine, asks under its own name, and no header
    says more."""
    visitor = app.test_client()
    asked = {"base_url": HOST, "environ_base": NEAR}
    assert visitor.get(f"/api/tables/{table}", **asked).get_json()["table"]["role"]["name"] == "spectator"
    assert visitor.get("/backup", **asked).status_code == 403
    assert visitor.post("/api/restore", data=b"", content_type="application/vnd.sqlite3", **asked).status_code == 403
    assert 'href="/backup"' not in visitor.get("/history", **asked).text
    path = visitor.post("/api/tables", json={**BODY, "camera": "/etc/hostname"}, **asked)
    assert (path.status_code, path.get_json()["error"]["code"]) == (422, "bad-camera")


def test_the_owners_key_and_every_secret_are_for_the_servers_user_alone(start, tmp_path):
    app = start(opening=Opening.PIN)
    desk = app.extensions["companion"]
    desk.keys.book.give("t", "0" * 16, "host")
    desk.cameras._remember()
    data = desk.config.data
    files = {"owner.key", "secret", "pin", "roles.json", "cameras.json"}
    assert files <= {file.name for file in data.iterdir()}
    for name in files:
        assert stat.S_IMODE((data / name).stat().st_mode) == 0o600, name
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    os.chmod(data / "owner.key", 0o644)  # noqa: PTH101 (what an older version or a copy may have left)
    again = create_app(Config(data, demo=False))
    assert stat.S_IMODE((data / "owner.key").stat().st_mode) == 0o600
    assert again.extensions["companion"].keys.owner == desk.keys.owner
    again.extensions["companion"].close()


def test_a_wrong_owners_link_opens_nothing(app, client):
    assert client.get("/owner/nonsense").status_code == 403
    assert client.get_cookie("owner") is None


def test_a_script_with_the_file_does_everything(start):
    app = start(opening=Opening.OWNER)
    key = (app.extensions["companion"].config.data / "owner.key").read_text()
    script = app.test_client()
    more = {"headers": {"Authorization": f"Bearer {key}"}, "environ_base": FAR}
    opened = script.post("/api/tables", json=BODY, **more)
    assert opened.status_code == 201
    table = opened.get_json()["id"]
    lay = {"intent": "act", "action": {"kind": "lay", "seat": 0, "cards": ["AS", "KS", "QS"]}}
    assert script.post(f"/api/tables/{table}/intents", json=lay, **more).status_code == 200
    with script.get("/backup", **more) as saved:
        assert saved.status_code == 200


def test_the_key_of_a_new_table_makes_a_program_its_host(client, app):
    opened = client.post("/api/tables", json=BODY).get_json()
    program = app.test_client()
    headers = {"Authorization": f"Bearer {opened['key']}"}
    found = program.get(f"/api/tables/{opened['id']}", headers=headers, environ_base=FAR).get_json()
    assert found["table"]["role"]["name"] == "host"


# --- proxies ---------------------------------------------------------------------------------------------------------


def test_what_a_forwarding_header_says_counts_only_behind_the_owners_proxies(start):
    def remote(app, header):
        answer = app.test_client().get(
            "/history", headers={"X-Forwarded-For": header, "X-Forwarded-Proto": "https"}, environ_base=NEAR
        )
        return answer.request.remote_addr if answer.status_code == 200 else None

    seen = []
    for app in (start(), start(proxies=1)):
        app.before_request(lambda: seen.append(_address()))
        remote(app, "203.0.113.5, 198.51.100.7")
    assert seen == ["127.0.0.1", "198.51.100.7"]


def _address():
    from flask import request

    return request.remote_addr


def test_behind_the_owners_proxies_nobody_is_near(start):
    app = start(opening=Opening.PIN, proxies=1)
    assert opens(app, **NEAR) == 403
    assert opens(app, body={**BODY, "pin": app.extensions["companion"].door.pin}, **NEAR) == 201


# --- who opens tables ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opening", "stranger", "guest", "near"),
    [(Opening.HOUSE, 201, 201, 201), (Opening.PIN, 403, 201, 201), (Opening.OWNER, 403, 403, 403)],
)
def test_the_owner_chooses_who_opens_tables(start, opening, stranger, guest, near):
    app = start(opening=opening)
    pin = app.extensions["companion"].door.pin or "123456"
    assert opens(app) == stranger
    assert opens(app, body={**BODY, "pin": pin}) == guest
    assert opens(app, **NEAR) == near
    scanned = app.test_client()
    landed = scanned.get(f"/?pin={pin}", base_url=HOST, environ_base=FAR)
    assert opens(app, scanned) == guest
    assert landed.status_code == (302 if opening is Opening.PIN else 200)
    owner = app.test_client()
    owner.get(f"/owner/{app.extensions['companion'].keys.owner}", base_url=HOST, environ_base=FAR)
    assert opens(app, owner) == 201


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
def test_what_was_forwarded_is_not_near(start, header):
    app = start(opening=Opening.PIN)
    answer = app.test_client().post("/api/tables", json=BODY, headers={header: "x"}, base_url=HOST, environ_base=NEAR)
    assert answer.status_code == 403
    answer = app.test_client().post("/api/tables", json=BODY, base_url="http://evil.example", environ_base=NEAR)
    assert answer.status_code == 403


def test_a_program_of_another_user_is_not_near(start, monkeypatch):
    """nginx runs as a user of its own: what it passes on is not the owner's."""
    app = start(opening=Opening.PIN)
    environ = {**NEAR, "REMOTE_PORT": "50000", "SERVER_PORT": "8765"}
    for user, status in ((os.getuid() + 1, 403), (os.getuid(), 201), (None, 201)):
        monkeypatch.setattr(door, "_user_of", lambda *_, user=user: user)
        assert opens(app, **environ) == status


def test_whose_a_connection_is_says_the_system():
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        to = listener.getsockname()[1]
        with socket.create_connection(("127.0.0.1", to)) as one:
            assert door._user_of(one.getsockname()[1], to) in (os.getuid(), None)
            assert door._user_of(1, to) is None


def test_codes_cannot_be_guessed_and_who_guesses_locks_out_himself_alone(start):
    app = start(opening=Opening.PIN, pin="123456")
    for number in range(door.TRIES):
        assert opens(app, body={**BODY, "pin": str(number)}) == 403
    assert opens(app, body={**BODY, "pin": "123456"}) == 429
    assert "minute" in app.test_client().get("/?pin=123456", environ_base=FAR).text
    assert opens(app, body={**BODY, "pin": "123456"}, REMOTE_ADDR="192.0.2.78") == 201
    for number in range(door.TRIES_OF_ALL):
        opens(app, body={**BODY, "pin": "0"}, REMOTE_ADDR=f"198.51.100.{number}")
    assert opens(app, body={**BODY, "pin": "123456"}, REMOTE_ADDR="192.0.2.79") == 429


def test_the_code_stays_and_the_page_asks_for_it(start):
    app = start(opening=Opening.PIN)
    found = app.extensions["companion"]
    assert found.door.pin.isdecimal() and len(found.door.pin) == door.DIGITS
    again = create_app(found.config)
    assert again.extensions["companion"].door.pin == found.door.pin
    again.extensions["companion"].close()
    page = app.test_client().get("/", environ_base=FAR).text
    assert 'name="pin"' in page and 'id="new"' not in page
    assert "That is not the code" in app.test_client().get("/?pin=1", environ_base=FAR).text


def test_tables_are_listed_only_to_those_who_may_open_some(start):
    app = start(opening=Opening.PIN, pin="123456")
    guest, stranger = app.test_client(), app.test_client()
    guest.get("/?pin=123456", environ_base=FAR)
    table = guest.post("/api/tables", json=BODY, environ_base=FAR).get_json()["id"]
    assert [row["id"] for row in guest.get("/api/tables", environ_base=FAR).get_json()["tables"]] == [table]
    assert stranger.get("/api/tables", environ_base=FAR).get_json()["tables"] == []
    for page in ("/", "/history"):
        assert table not in stranger.get(page, environ_base=FAR).text
        assert table in guest.get(page, environ_base=FAR).text
    assert stranger.get(f"/tables/{table}", environ_base=FAR).status_code == 200  # whoever has its link looks on


def test_tables_are_opened_at_a_human_pace(app, client):
    statuses = [client.post("/api/tables", json=BODY).status_code for _ in range(door.TABLES + 1)]
    assert statuses == [201] * door.TABLES + [429]


def test_a_quota_is_of_a_minute_and_of_each():
    clock = [0.0]
    quota = Quota(2, lambda: clock[0])
    assert [quota.take("a"), quota.take("a"), quota.take("a"), quota.take("b")] == [True, True, False, True]
    assert quota.spent("a") and not quota.spent("b")
    clock[0] = 60.0
    assert quota.take("a")


# --- cameras ---------------------------------------------------------------------------------------------------------


def test_a_camera_is_told_without_its_password(start, tmp_path):
    app = start(camera=SECRET)
    client = app.test_client()
    told = client.get("/api/cameras", environ_base=FAR)
    assert "hunter2" not in told.text
    assert told.get_json()["cameras"][0]["name"] == "http://192.0.2.9:8080/video"
    refused = client.post("/api/tables", json={**BODY, "camera": SECRET}, environ_base=FAR)
    assert refused.status_code == 422 and "hunter2" not in refused.text
    table = client.post("/api/tables", json=BODY, environ_base=FAR).get_json()["id"]
    cameras = app.extensions["companion"].cameras
    cameras._sources[table], cameras._failed[table] = SECRET, "gone"
    assert "hunter2" not in client.get(f"/api/tables/{table}", environ_base=FAR).text


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (SECRET, "http://192.0.2.9:8080/video"),
        ("rtsp://me:p@ss/word@cam/stream", "rtsp://word@cam/stream".replace("word@cam", "ss/word@cam")),
        ("rtsp://cam.local/live#secret", "rtsp://cam.local/live"),
        ("/home/me/film.mp4", "film.mp4"),
        ("0", "0"),
    ],
)
def test_how_a_source_is_shown(source, shown):
    if "p@ss" in source:
        assert "me:p" not in shown_source(source)
    else:
        assert shown_source(source) == shown


def test_ids_of_cameras_say_nothing_and_change_with_the_process():
    one, other = Offers(SECRET), Offers(SECRET)
    (first, *_), (second, *_) = one.rows("phone", lambda _: False), other.rows("phone", lambda _: False)
    assert first["source"] != second["source"]
    assert one.source(first["source"]) == SECRET
    assert one.source(second["source"]) is None
    assert one.source(SECRET) is None


def test_a_camera_in_use_is_taken_and_strangers_are_offered_none(start):
    app = start(opening=Opening.PIN, pin="123456", camera="/film.mp4")
    guest, other, stranger = (app.test_client() for _ in range(3))
    for one in (guest, other):
        one.get("/?pin=123456", environ_base=FAR)

    def offered(one):
        return one.get("/api/cameras", environ_base=FAR).get_json()["cameras"]

    assert [row["source"] for row in offered(stranger)] == ["push"]
    camera = offered(guest)[0]
    assert not camera["taken"]
    table = guest.post("/api/tables", json=BODY, environ_base=FAR).get_json()["id"]
    app.extensions["companion"].cameras._sources[table] = "/film.mp4"
    assert offered(other)[0]["taken"]
    refused = other.post("/api/tables", json={**BODY, "camera": camera["source"]}, environ_base=FAR)
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (409, "camera-taken")
    assert app.extensions["companion"].cameras.tables_of("/film.mp4") == [table]
    assert guest.post("/api/tables", json={**BODY, "camera": camera["source"]}, environ_base=FAR).status_code == 201


# --- seats -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def seated(app, table):
    """A device at seat 1 of the table."""
    found = app.test_client()
    found.environ_base.update(FAR)
    found.get(f"/join/{app.extensions['companion'].join_key(table, 'seat-1')}")
    return found


def test_a_seat_acts_for_itself_alone(client, seated, table, tap):
    assert tap.lay(seated, table, 0, "AS KS QS").get_json()["error"]["code"] == "not-yours"
    assert tap.lay(client, table, 0, "AS KS QS").status_code == 200
    for what in ({"intent": "take-back", "of": 2}, {"intent": "play-on", "of": 2}):
        assert tap.intend(seated, table, **what).status_code == 403
    mine = {"kind": "lay", "seat": 1, "cards": ["2H", "2D", "9C"], "args": {}}
    assert tap.intend(seated, table, intent="correct", of=2, action=mine).status_code == 403
    assert seated.get(f"/api/tables/{table}/entries/2").status_code == 403
    assert tap.lay(seated, table, 1, "2H 2D 9C").status_code == 200
    rivals = {**mine, "seat": 0}
    assert tap.intend(seated, table, intent="correct", of=3, action=rivals).status_code == 403
    assert seated.get(f"/api/tables/{table}/entries/3").status_code == 200
    assert tap.intend(seated, table, intent="take-back", of=3).status_code == 200


def test_a_seat_is_shown_what_it_may_do_and_no_more(client, seated, table, tap):
    def seen(one):
        return one.get(f"/api/tables/{table}").get_json()["table"]

    assert {prompt["seat"] for prompt in seen(client)["prompts"]} == {0, 1}
    assert {prompt["seat"] for prompt in seen(seated)["prompts"]} == {1}
    tap.lay(client, table, 0, "AS KS QS")
    tap.lay(seated, table, 1, "2H 2D 9C")
    assert [entry["revocable"] for entry in seen(seated)["entries"]] == [False, False, True]
    assert [entry["correctable"] for entry in seen(client)["entries"]] == [False, True, True]
    links = seated.get(f"/api/tables/{table}/links").get_json()["links"]
    assert [link["role"] for link in links] == ["spectator", "seat-1", "board"]


def test_what_is_of_the_whole_table_is_not_for_seats(seated, table):
    base = f"/api/tables/{table}"
    assert seated.post(f"{base}/camera", json={"camera": "push"}).status_code == 403
    assert seated.get(f"{base}/camera/picture").status_code == 403
    assert seated.post(f"{base}/camera/area", json={}).status_code == 403
    assert seated.post(f"{base}/questions/{'0' * 16}", json={}).status_code == 403
    assert seated.post(f"{base}/camera/frame", data=b"", content_type="image/jpeg").status_code == 403
