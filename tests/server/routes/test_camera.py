"""Setting up a camera through the API: the table's corners, the boards to print, a phone that sends its pictures."""

import base64
import threading
import time
from itertools import count

import cv2
import numpy as np
import pytest

from companion.server import Config, create_app
from companion.server.camera.calibrate import PHONE, Profiles
from companion.server.camera.offers import Offers
from companion.server.camera.reader import OneReader
from companion.server.config import Opening
from companion.vision.camera.calibration import MATS, Calibration, mat_svg
from companion.vision.types import CardRead, ReadResult, Side

SIZE = (480, 360)
INK = (40, 40, 200)
SENT = count()
CORNERS = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]


def picture(*places):
    """A felt with white cards of 40 × 56 px at (left, top), each with a red patch."""
    canvas = np.full((SIZE[1], SIZE[0], 3), (70, 120, 60), np.uint8)
    for x, y in places:
        cv2.rectangle(canvas, (x, y), (x + 39, y + 55), (235, 235, 235), -1)
        cv2.rectangle(canvas, (x + 10, y + 14), (x + 29, y + 41), INK, -1)
    return canvas


def jpeg(pixels):
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


def photograph(mat, leave_out=()):
    """The mat on a grey table, seen from straight above, 2 px a mm."""
    sheet = np.full((int(mat.height * 2) + 80, int(mat.width * 2) + 80, 3), 200, np.uint8)
    sheet[20:-20, 20:-20] = 255
    side = int(mat.tag * 2)
    for number in {0, 1, 2, 3} - {*leave_out}:
        x, y = (int(40 + 2 * v) for v in mat.corners(number)[0])
        marker = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), number, side)
        sheet[y : y + side, x : x + side] = marker[:, :, None]
    return sheet


class RedReader:
    """Takes every red patch for the king of spades."""

    def read(self, image, deck=None, letters=(), where=None, parts=()):
        mask = (np.abs(image.astype(int) - INK).max(axis=2) < 60).astype(np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(mask)
        cards = []
        for x, y, w, h, area in stats[1:count]:
            if area > 250:
                across, down = w // 2, h // 2
                left, top, right, bottom = x - across, y - down, x + w + across, y + h + down
                quad = ((left, top), (right, top), (right, bottom), (left, bottom))
                cards.append(CardRead("KS", 0.97, Side.UP, quad))
        return ReadResult(image.shape[1], image.shape[0], 1.0, tuple(cards))


@pytest.fixture
def desk(app):
    found = app.extensions["companion"]
    found.cameras._reader = OneReader(RedReader)
    return found


def until(condition, patience=60.0):
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    raise AssertionError("it did not happen")


def send(client, table, pixels, query="sender=one&take=1"):
    pixels = pixels.copy()
    pixels[:8, :8] = next(SENT) % 8 * 8  # no lens gives the same picture twice
    return client.post(f"/api/tables/{table}/camera/frame?{query}", data=jpeg(pixels), content_type="image/jpeg")


def around(client, table):
    return client.get(f"/api/tables/{table}").get_json()["around"]["camera"]


@pytest.fixture
def watched(desk, client, table):
    """A table whose camera is a phone that has sent one picture: two cards in the marked part, one beyond it."""
    answer = send(client, table, picture((100, 250), (300, 60), (2, 2)), "sender=one&take=1&single=1")
    assert answer.status_code == 200, answer.text
    until(lambda: desk.cameras.seen(table) == 3)
    return table


def test_a_phone_becomes_the_camera_and_learns_when_the_next_picture_is_wanted(desk, client, table):
    for number in range(12):
        answer = send(client, table, picture((100, 250)), "sender=one" + ("&take=1" if number == 0 else ""))
        assert answer.status_code == 200, answer.text
        assert 0 < answer.get_json()["wait"] < 1
    assert until(lambda: send(client, table, picture((100, 250)), "sender=one").get_json()["cards"] == 1)
    found = around(client, table)
    assert (found["state"], found["phone"], found["marked"], found["source"]) == ("ok", True, False, "Phone")
    assert client.get(f"/api/tables/{table}/camera/picture").mimetype == "image/jpeg"


def test_a_reading_that_takes_long_holds_up_no_phone(desk, client, table):
    reading, go = threading.Event(), threading.Event()

    class Slow(RedReader):
        def read(self, image, deck=None, letters=(), where=None, parts=()):
            reading.set()
            go.wait(60)
            return super().read(image, deck)

    desk.cameras._reader = OneReader(Slow)
    send(client, table, picture((100, 250)), "sender=one&take=1")
    until(lambda: send(client, table, picture((100, 250)), "sender=one").status_code == 200 and reading.is_set())
    try:
        for _ in range(5):
            answer = send(client, table, picture((100, 250)), "sender=one").get_json()
            assert answer["held"] < 2
            assert not answer["cards"]
    finally:
        go.set()
    assert until(lambda: send(client, table, picture((100, 250)), "sender=one").get_json()["cards"] == 1)


def test_two_phones_do_not_mix_their_pictures(desk, client, table):
    assert send(client, table, picture(), "sender=one&take=1").status_code == 200
    answer = send(client, table, picture(), "sender=two")
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (409, "other-phone")
    assert send(client, table, picture(), "sender=two&take=1").status_code == 200
    assert send(client, table, picture(), "sender=one").status_code == 409


def test_a_phone_that_is_not_wanted_any_more_is_told_so(desk, client, table):
    assert send(client, table, picture(), "sender=one").get_json()["error"]["code"] == "no-phone"
    assert send(client, table, picture(), "sender=one&take=1").status_code == 200
    client.post(f"/api/tables/{table}/camera", json={"camera": None})
    assert send(client, table, picture(), "sender=one").get_json()["error"]["code"] == "no-phone"


def test_what_is_no_picture_is_refused(desk, client, table):
    path = f"/api/tables/{table}/camera/frame?sender=one&take=1"
    for body, mime, status in (
        (b"no picture", "image/jpeg", 422),
        (b"", "image/jpeg", 422),
        (jpeg(picture()), "application/octet-stream", 415),
        (jpeg(picture()), "text/plain", 415),
        (b"\xff" * (13 * 2**20), "image/jpeg", 413),
    ):
        answer = client.post(path, data=body, content_type=mime)
        assert answer.status_code == status, (mime, len(body))
        assert answer.get_json()["error"]["message"]
    odd = path.replace("sender=one", "sender=%20")
    assert client.post(odd, data=jpeg(picture()), content_type="image/jpeg").status_code == 400


def test_only_who_acts_may_send_pictures_or_set_the_corners(desk, stranger, watched):
    assert send(stranger, watched, picture()).status_code in (401, 403)
    for path in ("camera/area", "camera/proof"):
        assert stranger.post(f"/api/tables/{watched}/{path}", json={}).status_code in (401, 403)
    assert stranger.get(f"/api/tables/{watched}/camera/area").status_code in (401, 403)
    for path in ("calibrate", "camera"):
        assert stranger.get(f"/tables/{watched}/{path}").status_code == 403


def test_the_link_of_the_camera_leads_to_its_page(app, desk, stranger, watched):
    answer = stranger.get(f"/join/{desk.join_key(watched, 'camera')}")
    assert answer.headers["Location"] == f"/tables/{watched}/camera"
    assert send(stranger, watched, picture(), "sender=mine&take=1").status_code == 200


def test_a_proof_shows_the_straightened_table_with_cards_and_seats(desk, client, watched):
    answer = client.post(f"/api/tables/{watched}/camera/proof", json={"corners": CORNERS})
    found = answer.get_json()
    assert answer.status_code == 200, found
    inside = [card for card in found["cards"] if card["inside"]]
    assert len(found["cards"]) == 3
    assert len(inside) == 2
    assert {card["name"] for card in inside} == {"K♠"}
    lower = max(inside, key=lambda card: card["outline"][0][1])
    assert np.allclose(lower["outline"][0], [(100 / 480 - 0.1) / 0.8, (250 / 360 - 0.1) / 0.8], atol=0.02)
    assert [zone["label"] for zone in found["zones"]] == ["Hand of Anna", "Hand of Ben"]
    assert (found["size"], found["by"], found["error"]) == (None, None, None)  # both cards lie the same way round
    head, _, data = found["picture"].partition(",")
    flat = cv2.imdecode(np.frombuffer(base64.b64decode(data), np.uint8), cv2.IMREAD_COLOR)
    assert head == "data:image/jpeg;base64"
    assert flat.shape == (675, 900, 3)
    assert around(client, watched)["marked"] is False


def test_saved_corners_are_used_at_once_and_survive_a_restart(app, desk, client, watched, tmp_path):
    answer = client.post(f"/api/tables/{watched}/camera/area", json={"corners": CORNERS})
    assert np.allclose(answer.get_json()["corners"], CORNERS, atol=1e-4)
    assert around(client, watched)["marked"] is True
    watch = desk.cameras._watches[watched]
    corner = min((card.centre for card in until(lambda: watch.seen.cards and watch.seen).cards), default=None)
    until(lambda: any(x < 0 for card in watch.seen.cards for x, _ in card.polygon))
    assert corner is not None
    desk.close()
    again = create_app(Config(tmp_path / "data", demo=False, heartbeat=0.05, opening=Opening.HOUSE))
    cameras = again.extensions["companion"].cameras
    cameras._reader = OneReader(RedReader)
    cameras.start()
    until(lambda: watched in cameras._watches)
    host = again.test_client()
    host.set_cookie(f"key-{watched}", client.get_cookie(f"key-{watched}").value)
    assert send(host, watched, picture((100, 250)), "sender=one&single=1").status_code == 200
    until(lambda: cameras.seen(watched) == 1)
    assert np.allclose(cameras.calibration(watched)["corners"], CORNERS, atol=1e-4)
    again.extensions["companion"].close()


def test_corners_can_be_given_up_again(desk, client, watched):
    client.post(f"/api/tables/{watched}/camera/area", json={"corners": CORNERS})
    assert client.post(f"/api/tables/{watched}/camera/area", json={}).get_json()["corners"] is None
    assert around(client, watched)["marked"] is True  # somebody said so


def test_a_new_table_says_whether_its_camera_knows_where_it_lies(desk, client, watched, tmp_path):
    cv2.imwrite(str(tmp_path / "table.png"), picture((100, 250)))
    desk.cameras.offers = Offers(str(tmp_path / "table.png"))
    source = client.get("/api/cameras").get_json()["cameras"][0]["source"]
    new = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "camera": source}
    first = client.post("/api/tables", json=new).get_json()
    assert first["marked"] is False
    until(lambda: desk.cameras.calibration(first["id"]))
    client.post(f"/api/tables/{first['id']}/camera/area", json={})
    assert client.post("/api/tables", json=new).get_json()["marked"] is True  # as it was marked before
    assert client.post("/api/tables", json={**new, "camera": None}).get_json()["marked"] is True


def test_a_measured_table_is_known_in_millimetres(desk, client, watched):
    body = {"corners": CORNERS, "size": [800, 450]}
    assert client.post(f"/api/tables/{watched}/camera/proof", json=body).get_json()["size"] == [800, 450]
    client.post(f"/api/tables/{watched}/camera/area", json=body)
    assert until(lambda: desk.cameras._watches[watched].seen.size == (800, 450))


def test_cards_that_lie_there_measure_what_four_corners_mark(desk, client, watched):
    lying = picture((100, 60), (200, 250), (320, 120))
    lying[120:160, 320:376] = picture((0, 0))[:56, :40].transpose(1, 0, 2)
    lying[160:180, 320:376] = (70, 120, 60)
    send(client, watched, lying, "sender=one&single=1")
    body = {"corners": CORNERS}
    found = until(
        lambda: (one := client.post(f"/api/tables/{watched}/camera/proof", json=body).get_json())["size"] and one
    )
    assert np.allclose(found["size"], (605, 454), rtol=0.03)  # 384 × 288 px
    assert found["by"] == "cards" and found["error"] < 3
    client.post(f"/api/tables/{watched}/camera/area", json=body)
    assert until(lambda: np.allclose(desk.cameras._watches[watched].seen.size, found["size"]))
    kept = client.get(f"/api/tables/{watched}/camera/area").get_json()
    assert (kept["size"], kept["lens"]) == (found["size"], 0.0)


def test_the_printed_mat_is_found_or_what_hinders_is_said(desk, client, table):
    send(client, table, photograph(MATS["a3"]), "sender=one&take=1&single=1")
    until(lambda: desk.cameras.calibration(table))
    found = client.post(f"/api/tables/{table}/camera/proof", json={"mat": True}).get_json()
    assert found["size"] == [400, 277]
    assert found["by"] == "tags" and found["error"] < 1
    few = client.post(f"/api/tables/{table}/camera/proof?lang=ja", json={"cards": True})
    assert few.status_code == 422 and few.get_json()["error"]["code"] == "calibration-cards"
    send(client, table, photograph(MATS["a3"], leave_out=(1, 2)), "sender=one&single=1")
    until(lambda: client.post(f"/api/tables/{table}/camera/proof", json={"mat": True}).status_code == 422)
    error = client.post(f"/api/tables/{table}/camera/proof?lang=ja", json={"mat": True}).get_json()["error"]
    assert error["code"] == "calibration-tags"
    assert "1, 2" in error["message"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"corners": [[0, 0], [1, 0]]}, "corners"),
        ({"corners": [[0, 0], [1, 0], [1, 1], [0, "x"]]}, "corners"),
        ({"corners": "all"}, "corners"),
        ({"corners": CORNERS, "size": [0, 5]}, "size"),
        ({"tags": True}, "size"),
        ({"mat": 1}, "mat"),
        ({"mat": True, "corners": CORNERS}, "mat"),
    ],
)
def test_a_wish_of_the_wrong_shape_is_refused(desk, client, watched, body, field):
    answer = client.post(f"/api/tables/{watched}/camera/proof", json=body)
    assert answer.status_code == 400
    assert field in answer.get_json()["error"]["message"]


def test_corners_that_cross_are_refused_in_the_readers_language(desk, client, watched):
    body = {"corners": [CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]]}
    for lang, word in (("en", "clockwise"), ("ja", "時計回り")):
        answer = client.post(f"/api/tables/{watched}/camera/area?lang={lang}", json=body)
        assert answer.status_code == 422
        assert word in answer.get_json()["error"]["message"]


def test_without_a_picture_there_is_nothing_to_mark(desk, client, table):
    assert client.get(f"/api/tables/{table}/camera/area").status_code == 404
    assert client.post(f"/api/tables/{table}/camera/area", json={}).status_code == 404


def test_boards_are_there_to_print(client, watched, desk):
    text = client.get(f"/tables/{watched}/calibrate").text
    for board in ("mat-a4", "mat-a3", "mat-a2", "tags-a4"):
        assert f"/calibration/{board}.pdf" in text
        assert client.get(f"/calibration/{board}.pdf").data.startswith(b"%PDF-")
    answer = client.get("/calibration/mat-a3.svg")
    assert answer.text == mat_svg(MATS["a3"])
    assert "attachment" in answer.headers["Content-Disposition"]
    for path in ("mat-a9.pdf", "mat-a3.png", "..%2f..%2fREADME.svg"):
        assert client.get(f"/calibration/{path}").status_code == 404


def test_a_new_table_takes_over_the_newest_corners_of_its_camera(tmp_path):
    profiles = Profiles(tmp_path / "cameras")
    mine, newer = (Calibration.from_corners([(x, 0), (90, 0), (90, 90), (x, 90)], None, (100, 100)) for x in (0, 10))
    assert profiles.find("t", "0") is None
    profiles.keep("t", "0", mine)
    profiles.keep("u", "0", newer)
    profiles.keep("p", PHONE, mine)
    assert profiles.find("t", "0") == mine
    assert profiles.find("v", "0") == newer
    assert profiles.find("t", "1") is None
    assert profiles.find("v", PHONE) is None
    (tmp_path / "cameras" / "u.toml").write_text("what is this")
    assert profiles.find("u", "0") == mine


def test_a_picture_that_would_fill_the_memory_is_refused_by_its_header(client, table):
    """390 KB of PNG that unpack to 300 MB: what is refused unread costs nothing."""
    small = bytearray(cv2.imencode(".png", np.zeros((20, 20, 3), np.uint8))[1].tobytes())
    small[16:24] = (10_000).to_bytes(4) * 2
    path = f"/api/tables/{table}/camera/frame?take=1&single=1"
    refused = client.post(path, data=bytes(small), content_type="image/png")
    assert refused.status_code == 422
    assert refused.get_json()["error"] == {
        "code": "huge-picture",
        "message": "A picture of 10000×10000 pixels is too large: at most 40 million.",
    }
    for data in (b"BM" + b"\0" * 60, b"II*\0" + b"\0" * 60):
        assert client.post(path, data=data, content_type="image/png").get_json()["error"]["code"] == "not-picture"


# --- a photograph with every round -------------------------------------------------------------------------------


def test_every_round_has_a_photograph_of_the_whole_table(desk, client, tap, table):
    answer = send(client, table, picture((100, 250), (300, 60)), "sender=one&take=1&single=1")
    assert answer.status_code == 200
    until(lambda: desk.cameras.seen(table) == 2)
    assert tap.lay(client, table, 0, "AS AH AD").status_code == 200
    assert "photographs" not in desk.journal.info(table).meta
    seq = tap.lay(client, table, 1, "2S 3H 5D").get_json()["seq"]
    taken = desk.journal.info(table).meta["photographs"]
    assert list(taken) == [str(seq)]
    shot = cv2.imdecode(np.frombuffer(client.get(f"/evidence/{taken[str(seq)]}").data, np.uint8), cv2.IMREAD_COLOR)
    assert shot.shape[:2] == (SIZE[1], SIZE[0])
    assert f'"{seq}": "{taken[str(seq)]}"' in client.get(f"/history/{table}").text
    other = client.application.test_client()  # who looks on gets it when the game is over
    assert taken[str(seq)] not in other.get(f"/history/{table}", environ_base={"REMOTE_ADDR": "192.0.2.9"}).text
    assert tap.intend(client, table, intent="finish").status_code == 200
    assert taken[str(seq)] in other.get(f"/history/{table}", environ_base={"REMOTE_ADDR": "192.0.2.9"}).text
