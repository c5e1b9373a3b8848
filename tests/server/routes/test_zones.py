"""Zones through the API: what is read in each, moved and put back, the straightened table, the mat."""

import json
import time

import cv2
import numpy as np
import pytest

from companion.server.camera.reader import OneReader
from companion.vision.types import CardRead, ReadResult, Side


def until(condition, patience=60.0):
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


class FixedReader:
    """Sees one king in the lower middle of every picture, one in the upper."""

    def read(self, image, deck=None, letters=(), where=None, parts=()):
        height, width = image.shape[:2]
        cards = []
        for face, x, y in (("KS", 0.5, 0.8), ("QH", 0.5, 0.2)):
            across, down = x * width, y * height
            quad = (
                (across - 20, down - 28),
                (across + 20, down - 28),
                (across + 20, down + 28),
                (across - 20, down + 28),
            )
            cards.append(CardRead(face, 0.97, Side.UP, quad))
        return ReadResult(width, height, 1.0, tuple(cards))


@pytest.fixture
def watched(app, client, table):
    """A table under a camera that sees two cards."""
    cameras = app.extensions["companion"].cameras
    cameras._reader = OneReader(FixedReader)
    noise = np.random.default_rng(1).integers(0, 255, (360, 480, 3), np.uint8)
    data = cv2.imencode(".jpg", noise)[1].tobytes()
    address = f"/api/tables/{table}/camera/frame?sender=one&take=1&single=1"
    assert client.post(address, data=data, content_type="image/jpeg").status_code == 200
    until(lambda: cameras.seen(table) == 2)
    return table


def look(client, table, lang="en"):
    answer = client.get(f"/api/tables/{table}/camera/zones?lang={lang}")
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def boxes(found):
    return {zone["id"]: [*zone["outline"][0], *zone["outline"][2]] for zone in found["zones"]}


def move(client, table, **zones):
    body = {"zones": [{"id": zone.replace("_", ":"), "box": box} for zone, box in zones.items()]}
    return client.post(f"/api/tables/{table}/camera/zones", json=body)


def test_zones_are_told_with_what_is_read_in_them(client, watched):
    found = look(client, watched)
    # One look at one picture names no card yet.
    assert {zone["label"]: zone["reads"] for zone in found["zones"]} == {"Hand of Anna": "?", "Hand of Ben": "?"}
    assert {card["zone"] for card in found["cards"]} == {"hand:0", "hand:1"}
    assert (found["moved"], found["fixed"], found["size"], found["note"]) == (False, False, None, "")
    assert [zone["label"] for zone in look(client, watched, "ja")["zones"]] == ["Annaの手札", "Benの手札"]


def test_zones_are_moved_kept_and_put_back(client, watched):
    solved = boxes(look(client, watched))
    answer = move(client, watched, hand_0=[0.3, 0.6, 0.45, 0.95])
    assert answer.status_code == 200, answer.text
    found = look(client, watched)
    assert found["moved"] and boxes(found)["hand:0"] == [0.3, 0.6, 0.45, 0.95]
    assert boxes(found)["hand:1"] == solved["hand:1"]
    assert {zone["id"]: zone["reads"] for zone in found["zones"]}["hand:0"] == ""
    client.post(f"/api/tables/{watched}/camera", json={"camera": None})
    assert client.get(f"/api/tables/{watched}/camera/zones").status_code == 404
    client.post(f"/api/tables/{watched}/camera", json={"camera": "push"})
    noise = cv2.imencode(".jpg", np.full((360, 480, 3), 90, np.uint8))[1].tobytes()
    client.post(f"/api/tables/{watched}/camera/frame?sender=one&single=1", data=noise, content_type="image/jpeg")
    until(lambda: client.get(f"/api/tables/{watched}/camera/zones").status_code == 200)
    assert boxes(look(client, watched))["hand:0"] == [0.3, 0.6, 0.45, 0.95]
    answer = client.post(f"/api/tables/{watched}/camera/zones", json={})
    assert boxes(answer.get_json()) == solved and not answer.get_json()["moved"]


@pytest.mark.parametrize(
    ("box", "code", "sentence"),
    [
        ([0.0, 0.0, 1.0, 1.0], "zones-overlap", "Hand of Anna and Hand of Ben overlap."),
        ([0.2, 0.6, 1.4, 0.9], "zone-outside", "Hand of Anna: the zone leaves the table."),
        ([0.2, 0.6, 0.2, 0.9], "zone-small", "Hand of Anna: the zone is too small."),
    ],
)
def test_zones_that_cannot_be_are_refused_by_name(client, watched, box, code, sentence):
    before = boxes(look(client, watched))
    answer = move(client, watched, hand_0=box)
    assert (answer.status_code, answer.get_json()["error"]) == (422, {"code": code, "message": sentence})
    assert boxes(look(client, watched)) == before


def test_a_strangers_device_moves_nothing(client, stranger, watched):
    assert stranger.get(f"/api/tables/{watched}/camera/zones").status_code == 401
    assert move(stranger, watched, hand_0=[0.3, 0.6, 0.4, 0.9]).status_code == 401
    assert stranger.get(f"/api/tables/{watched}/camera/flat").status_code == 401


def test_the_table_is_shown_from_above(client, watched):
    answer = client.get(f"/api/tables/{watched}/camera/flat?width=320")
    picture = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
    assert answer.mimetype == "image/jpeg" and max(picture.shape) == 320


def test_without_a_camera_there_are_no_zones_but_a_mat(client, table):
    assert client.get(f"/api/tables/{table}/camera/zones").get_json()["error"]["code"] == "no-picture"
    assert client.get(f"/tables/{table}/zones").status_code == 200
    answer = client.get(f"/tables/{table}/mat.pdf?width=80&height=60,5&paper=a3")
    assert answer.status_code == 200 and answer.data.startswith(b"%PDF-1.4")
    assert client.get(f"/tables/{table}/mat.pdf?width=wide").status_code == 400
    assert client.get(f"/tables/{table}/mat.pdf?width=5").status_code == 422


def test_a_table_too_small_for_the_mat_says_what_would_do(client, tap):
    table = tap.open(client, game="pokard-trick", players=[*"ABCDEFG"], deck="54")
    answer = client.get(f"/tables/{table}/mat.pdf?width=60&height=45", headers={"Accept": "application/json"})
    assert answer.status_code == 422
    assert "120 × 80 cm would do" in json.loads(answer.data)["error"]["message"]


def test_a_phone_held_upright_has_zones_in_the_proportions_of_its_picture(app, client, tap):
    """As wide as they are on a table of that form: there real cards fit beside each other."""
    table = tap.open(client, game="trading-poker", players=["A", "B", "C", "D"], deck="trading")
    cameras, found = app.extensions["companion"].cameras, {}
    cameras._reader = OneReader(FixedReader)
    for name, (width, height) in {"wide": (640, 360), "upright": (360, 640)}.items():
        data = cv2.imencode(".jpg", np.full((height, width, 3), 90, np.uint8))[1].tobytes()
        address = f"/api/tables/{table}/camera/frame?sender=one&take=1&single=1"
        client.post(address, data=data, content_type="image/jpeg")
        until(lambda: cameras.calibration(table) is not None)
        until(lambda size=(height, width): cameras.watched(table)[1].shape[:2] == size)
        client.post(address, data=data, content_type="image/jpeg")
        found[name] = {zone["id"]: zone["outline"] for zone in look(client, table)["zones"]}
    assert found["wide"].keys() == found["upright"].keys() and found["wide"] != found["upright"]
    widths = {name: zones["common"][1][0] - zones["common"][0][0] for name, zones in found.items()}
    assert widths["upright"] > widths["wide"]
