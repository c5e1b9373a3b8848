"""Roles: who may do what, by link; devices, hand-over, revoked links; and a hand that stays its owner's."""

import hashlib
import json
import re

import pytest

from companion.server import Config, create_app
from companion.server.access import BookError
from companion.server.config import Opening
from companion.server.live.devices import kind_of

ROLES = ("host", "scorekeeper", "seat-0", "seat-1", "camera", "board", "spectator")
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148"


class Device:
    """A browser somewhere in the network, which opens links, pages and the live stream."""

    def __init__(self, app, table):
        self.app, self.table = app, table
        self.client = app.test_client()
        self.client.environ_base.update(REMOTE_ADDR="192.0.2.77", HTTP_USER_AGENT=PHONE)
        self.open(f"/tables/{table}")
        self.stream = None

    def open(self, path):
        return self.client.get(path)

    def take(self, role):
        """Open the link for a role."""
        desk = self.app.extensions["companion"]
        assert role == "spectator" or self.open(f"/join/{desk.join_key(self.table, role)}").status_code == 302
        return self

    def listen(self):
        """Open the live stream; the answers of `next` are its events."""
        self.stream = self.client.get(f"/api/tables/{self.table}/events", buffered=False)
        self.chunks = (
            (text.split("event: ")[1].split("\n")[0], json.loads(text.split("data: ")[1]))
            for chunk in self.stream.iter_encoded()
            for text in chunk.decode().split("\n\n")
            if "event: " in text
        )
        hello = next(self.chunks)
        assert hello[0] == "hello"
        self.id = hello[1]["device"]
        return self

    def hears(self, name, fits=lambda data: True):
        """The next event of this name that fits."""
        return next(data for event, data in self.chunks if event == name and fits(data))

    def role(self):
        answer = self.client.get(f"/api/tables/{self.table}").get_json()["table"]["role"]
        return "seat-" + str(answer["seat"]) if answer["name"] == "seat" else answer["name"]

    def post(self, path, **body):
        return self.client.post(f"/api/tables/{self.table}/{path}", json=body)

    def lay(self, seat, cards):
        return self.post("intents", intent="act", action={"kind": "lay", "seat": seat, "cards": cards.split()})

    def close(self):
        if self.stream is not None:
            self.stream.close()


@pytest.fixture
def device(app, table):
    made = []

    def make(role="spectator"):
        made.append(Device(app, table).take(role))
        return made[-1]

    yield make
    for found in made:
        found.close()


# --- links -----------------------------------------------------------------------------------------------------------


def test_every_role_comes_by_its_link_and_may_do_what_it_may(device):
    acts = {"host": 200, "scorekeeper": 200, "seat-0": 200, "camera": 200, "board": 403, "spectator": 401}
    for role, status in acts.items():
        one = device(role)
        assert one.role() == role
        answer = one.lay(0, "AS KS QS")
        assert answer.status_code == status, role
        if status == 200:
            assert one.post("intents", intent="take-back", of=answer.get_json()["seq"]).status_code == 200
        hosts = 200 if role == "host" else 401 if role == "spectator" else 403
        assert one.client.get(f"/api/tables/{one.table}/devices").status_code == hosts
        assert one.post("links/seat-1/revoke").status_code == hosts


@pytest.mark.parametrize(
    ("role", "offered"),
    [
        ("host", {"spectator", "scorekeeper", "seat-0", "seat-1", "camera", "board", "host"}),
        ("scorekeeper", {"spectator", "scorekeeper", "seat-0", "seat-1", "camera", "board"}),
        ("seat-1", {"spectator", "seat-1", "board"}),
        ("camera", {"spectator", "board"}),
        ("board", {"spectator", "board"}),
        ("spectator", {"spectator", "board"}),
    ],
)
def test_nobody_hands_out_more_than_he_may(device, role, offered):
    one = device(role)
    links = one.client.get(f"/api/tables/{one.table}/links").get_json()["links"]
    assert {link["role"] for link in links} == offered
    keys = {link["role"] for link in links if "/join/" in link["url"]}
    assert keys == (offered - {"spectator"} if "scorekeeper" in offered else offered - {"spectator", "board"})
    page = one.open(f"/tables/{one.table}/join").text
    assert page.count('class="qr"') == len(offered)
    assert ("data-revoke" in page) == (role == "host")


def test_links_open_where_their_role_begins(app, device):
    one, desk = device(), app.extensions["companion"]
    for role, ending in (("camera", "/camera"), ("board", "/board"), ("seat-1", "")):
        answer = one.open(f"/join/{desk.join_key(one.table, role)}")
        assert answer.headers["Location"] == f"/tables/{one.table}{ending}"
        assert one.open(answer.headers["Location"]).status_code == 200


def test_a_program_shows_its_key_in_the_header(app, device, table):
    key = app.extensions["companion"].join_key(table, "camera")
    bare = app.test_client()
    bare.environ_base.update(REMOTE_ADDR="192.0.2.78")

    def role(header):
        found = bare.get(f"/api/tables/{table}", headers={"Authorization": header})
        return found.get_json()["table"]["role"]["name"]

    assert role(f"Bearer {key}") == "camera"
    for wrong in ("Bearer x", "Bearer ", "Basic eDp5", "nonsense", f"Bearer {key}x", f"Bearer {key[:-1]}"):
        assert role(wrong) == "spectator"
    own = app.test_client().get(f"/api/tables/{table}", headers={"Authorization": "Bearer x"})
    assert own.get_json()["table"]["role"]["name"] == "spectator"  # a wrong key is wrong on the own machine too


def test_a_revoked_link_is_worthless_at_once_and_for_all_who_came_by_it(app, device):
    host, player, other = device("host"), device("seat-0"), device("seat-1")
    player.listen()
    assert player.hears("table")["role"]["name"] == "seat"
    old = app.extensions["companion"].join_key(host.table, "seat-0")
    answer = host.post("links/seat-0/revoke")
    assert player.hears("table")["role"] == {"name": "spectator", "seat": None, "acts": False}  # live, not at reload
    assert player.lay(0, "AS KS QS").status_code == 403
    assert device().open(f"/join/{old}").status_code == 403
    assert (host.role(), other.role()) == ("host", "seat-1")
    (new,) = [link["url"] for link in answer.get_json()["links"] if link["role"] == "seat-0"]
    assert not new.endswith(old)
    player.open(new[new.index("/join/") :])
    assert player.role() == "seat-0"


def test_the_host_who_revokes_the_hosts_links_stays_host(device):
    host, second = device("host"), device("host")
    assert host.post("links/host/revoke").status_code == 200
    assert (host.role(), second.role()) == ("host", "spectator")


# --- devices ---------------------------------------------------------------------------------------------------------


def test_the_host_alone_sees_live_who_is_here(device):
    host, player = device("host").listen(), device("seat-1")
    assert [row["role"] for row in host.hears("around")["devices"]] == ["host"]
    player.listen()
    rows = host.hears("around", lambda around: around["people"] == 2)["devices"]
    assert [(row["role"], row["seat"], row["kind"]) for row in rows] == [
        ("host", None, "phone"),
        ("seat-1", 1, "phone"),
    ]
    assert rows[0]["id"] == host.id
    assert rows[1]["id"] == player.id
    secret = player.client.get_cookie("device").value
    assert secret not in json.dumps(rows)
    assert "devices" not in player.hears("around")
    player.close()
    assert [row["role"] for row in host.hears("around", lambda around: around["people"] == 1)["devices"]] == ["host"]


def test_two_devices_of_one_seat_are_noticed_by_everybody(device):
    host = device("host").listen()
    first, second = device("seat-1").listen(), device("seat-1").listen()
    assert host.hears("around", lambda around: around["people"] == 3)["doubled"] == [1]
    assert first.hears("around", lambda around: around["people"] == 3)["doubled"] == [1]
    second.close()
    assert host.hears("around", lambda around: around["people"] == 2)["doubled"] == []


@pytest.mark.parametrize(
    ("agent", "kind"),
    [
        (PHONE, "phone"),
        ("Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36", "phone"),
        ("Mozilla/5.0 (Linux; Android 9; SM-T510) AppleWebKit/537.36 Chrome/120.0 Safari/537.36", "tablet"),
        ("Mozilla/5.0 (iPad; CPU OS 9_3_5 like Mac OS X) AppleWebKit/601.1.46 Mobile/13G36 Safari/601.1", "tablet"),
        ("Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 Chrome/79.0 Safari/537.36", "tv"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0", "computer"),
        ("curl/8.0", "other"),
        ("", "other"),
    ],
)
def test_a_device_is_called_what_it_is(agent, kind):
    assert kind_of(agent) == kind


def test_a_name_of_a_browser_that_never_ends_costs_nothing():
    """With the square of its length this would take hours."""
    assert kind_of("Android" * 1_000_000) == "tablet"


def test_the_hosts_role_is_handed_over(device):
    host, other, third = device("host").listen(), device("seat-1").listen(), device("host")
    assert other.hears("table")["role"]["name"] == "seat"
    assert host.hears("table")["role"]["name"] == "host"
    answer = host.post(f"devices/{other.id}/role", role="host")
    assert answer.status_code == 200
    assert [row["role"] for row in answer.get_json()["devices"]] == ["scorekeeper", "host"]
    assert other.hears("table")["role"] == {"name": "host", "seat": None, "acts": True}
    assert host.hears("table")["role"] == {"name": "scorekeeper", "seat": None, "acts": True}
    assert third.role() == "spectator"  # one host, whoever had the link before
    assert host.post(f"devices/{host.id}/role", role="host").status_code == 403
    assert other.post(f"devices/{host.id}/role", role="host").status_code == 200  # and back
    assert (host.role(), other.role()) == ("host", "scorekeeper")


def test_the_host_gives_any_role_to_a_device_that_is_here(device):
    host, other = device("host").listen(), device().listen()
    for role in ("seat-0", "scorekeeper", "board", "camera", "spectator", "seat-1"):
        answer = host.post(f"devices/{other.id}/role", role=role)
        assert answer.status_code == 200
        assert {row["id"]: row["role"] for row in answer.get_json()["devices"]} == {host.id: "host", other.id: role}
        assert other.role() == role
    refused = host.post(f"devices/{host.id}/role", role="spectator")
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (422, "own-role")
    assert host.post(f"devices/{other.id}/role", role="seat-2").status_code == 422
    assert other.post(f"devices/{host.id}/role", role="spectator").status_code == 403
    other.close()
    assert host.post(f"devices/{other.id}/role", role="seat-0").status_code == 404
    assert other.role() == "seat-1"
    other.take("seat-0")  # a link that the device opens later counts
    assert other.role() == "seat-0"


def test_roles_hold_over_a_restart(app, device, tmp_path):
    host, other, player = device("host"), device().listen(), device("seat-0")
    host.post(f"devices/{other.id}/role", role="host")
    other.post("links/seat-0/revoke")
    app.extensions["companion"].close()
    again = create_app(Config(tmp_path / "data", demo=False, opening=Opening.HOUSE))
    for one, role in ((host, "scorekeeper"), (other, "host"), (player, "spectator")):
        fresh = again.test_client()
        fresh.environ_base.update(one.client.environ_base)
        fresh._cookies = one.client._cookies  # the same browser
        one.client = fresh
        assert one.role() == role
    again.extensions["companion"].close()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"revoked": {}}'])
def test_a_damaged_book_of_roles_does_not_make_revoked_links_good(tmp_path, text):
    (tmp_path / "roles.json").write_text(text)
    with pytest.raises(BookError, match=r"roles.json is damaged"):
        create_app(Config(tmp_path, demo=False))


# --- a hand of one's own ---------------------------------------------------------------------------------------------


def everything(one):
    """All that a device can get to see of the table and its past."""
    table = one.table
    paths = [f"/tables/{table}", f"/tables/{table}/board", f"/history/{table}", "/history", "/"]
    paths += [f"/api/tables/{table}{more}" for more in ("", "/entries", "/entries/2", "/at/2", "/links", "/devices")]
    paths += [f"/history/{table}/{file}" for file in ("scores.csv", "events.json", "record.txt")]
    return [re.sub(rb'"now": "[^"]*"', b"", one.open(path).data) for path in paths]  # but what time it is


def files(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.is_file()}


def test_a_hand_tapped_in_for_the_referee_is_nobody_elses(app, device, tmp_path):
    """Two devices of every role look before and after: not a byte of anything they can reach changes, nor of
    anything the server keeps; the streams tell nothing."""
    devices = [device(role) for role in ROLES]
    owner = device("seat-1")
    devices[0].lay(0, "AS KS QS")
    listeners = [device(role).listen() for role in ROLES]
    for one in listeners:
        one.hears("around", lambda around: around["people"] == len(ROLES))
    before = [everything(one) for one in (*devices, owner)]
    kept = files(tmp_path / "data")
    version = app.extensions["companion"].bus.version(owner.table)
    answer = owner.post("hand/check", cards=["7D", "8D", "9D"])
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    (play,) = answer.get_json()["plays"]
    assert (play["cards"], play["verdict"]) == (["7D", "8D", "9D"], "legal")
    assert play["note"]
    assert [everything(one) for one in (*devices, owner)] == before
    assert files(tmp_path / "data") == kept
    assert app.extensions["companion"].bus.version(owner.table) == version
    owner.lay(1, "2H 2D 9C")  # the next thing that anybody hears is what was really laid
    for one in listeners:
        assert "7D" not in json.dumps(one.hears("table"))


def test_only_a_seat_has_a_hand_to_be_checked(device):
    for role in ROLES:
        status = {"seat-0": 200, "seat-1": 200, "spectator": 401}.get(role, 403)
        assert device(role).post("hand/check", cards=["7D"]).status_code == status


def test_a_hand_that_cannot_be_is_told_so_in_words(device):
    host, owner = device("host"), device("seat-1")
    host.lay(0, "AS KS QS")
    answer = owner.client.post(
        f"/api/tables/{owner.table}/hand/check?lang=en", json={"cards": ["AS", "2D", "JK1"]}
    ).get_json()
    assert [note["code"] for note in answer["notes"]] == ["too-many-copies", "not-in-deck"]
    assert all("{" not in note["text"] and note["text"] for note in answer["notes"])
    assert answer["plays"][0]["verdict"] == "foul"
