"""The guided page and what it learned: who may, what is told in which language, what is kept, taken back, deleted."""

from __future__ import annotations

import io
import time
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

pytest.importorskip("PIL", reason="invented decks are drawn with what training needs")

from companion import resources
from companion.server import Config, create_app
from companion.server.config import Opening
from companion.shelf import put
from companion.training.decks import scenes
from companion.training.decks.invented import HELDOUT, Invented
from companion.vision.decks.enrolled import EnrolledDeck, Origin, Sample
from companion.vision.decks.photographs import BadPhotographError, the_card

if not list((resources.models() / "detector").glob("*.onnx")):
    pytest.skip("the weights are not in this checkout", allow_module_level=True)

MARKS, PICTURES = 1, 3
DRAWN = Invented(HELDOUT + 9, "clear", PICTURES, 2)
TOML = '[deck]\nname = { en = "Harbour", ja = "港" }\nseparator = "."\n' + "".join(
    [f'[[suits]]\ncode = "m{k}"\nname = {{ en = "Blue", ja = "青" }}\ncolour = "red"\n' for k in range(MARKS)]
    + [f'[[pictures]]\ncode = "p{k}"\nname = {{ en = "Tide {k}", ja = "潮{k}" }}\n' for k in range(PICTURES)]
)
FAR = {"REMOTE_ADDR": "192.0.2.77"}


def photograph(code: str) -> np.ndarray:
    for seed in range(8, 20):
        picture = scenes.photograph(DRAWN, code, seed)[0]
        try:
            the_card(picture, ())
            return picture
        except BadPhotographError:
            continue
    raise AssertionError(code)


PHOTOS = {f"p{k}.m0": photograph(f"p{k}.m0") for k in range(PICTURES)}


def jpeg(picture: np.ndarray) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


@pytest.fixture
def own(app: Flask) -> str:
    kept = put(app.extensions["companion"].config.data, TOML, "harbour")
    assert kept.deck is not None
    return kept.deck.name


def place(app: Flask) -> Path:
    return app.extensions["companion"].config.data / "decks" / "harbour"


def sent(client: FlaskClient, own: str, picture: np.ndarray, phone: str = "", times: int = 3) -> dict:
    """A camera's pictures of one card; what the page is told at last."""
    said: dict = {}
    for _ in range(times):
        answer = client.post(
            f"/api/enrolment/frame?deck={own}&phone={phone}", data=jpeg(picture), content_type="image/jpeg"
        )
        assert answer.status_code == 200, answer.text
        said = answer.get_json()
        if said["step"] in ("taken", "done", "bad"):
            break
        time.sleep(0.35)
    return said


def begin(client: FlaskClient, own: str, lang: str = "en") -> dict:
    answer = client.post(f"/api/enrolment/do?lang={lang}", json={"deck": own, "do": "begin"})
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def test_a_deck_is_shown_and_learned_and_look_alikes_are_told(app: Flask, client: FlaskClient, own: str) -> None:
    said = begin(client, own, "ja")
    assert said["now"]["code"] == "p0.m0"
    assert "潮0" in said["now"]["name"], "in the player's language"
    assert (said["known"], said["total"]) == (0, 3)
    for number, code in enumerate(PHOTOS, 1):
        said = sent(client, own, PHOTOS[code])
        assert said["taken"] == number, said
        assert said["last"]["code"] == code
        assert [sample.face for sample in EnrolledDeck.load(place(app)).samples][-1] == code, "kept at once"
    assert (said["now"], said["step"], said["missing"]) == (None, "done", [])
    end = time.monotonic() + 60
    while said["alike"] is None and time.monotonic() < end:
        time.sleep(0.1)
        said = client.get(f"/api/enrolment?deck={own}").get_json()
    assert said["alike"] == []
    page = client.get(f"/decks?deck={own}&lang=en").text
    assert "The camera knows 3 of 3 cards." in page
    assert client.get(f"/decks/enrol/view.jpg?deck={own}").mimetype == "image/jpeg"
    assert client.get(f"/decks/sample.jpg?deck={own}&sample=2").mimetype == "image/jpeg"
    assert client.get(f"/decks/sample.jpg?deck={own}&sample=3").status_code == 404


def test_a_bad_picture_is_said_at_once_and_steps_are_obeyed(client: FlaskClient, own: str) -> None:
    begin(client, own)
    two = np.hstack([PHOTOS["p0.m0"], PHOTOS["p1.m0"]])
    said = sent(client, own, two, times=8)
    assert said["step"] == "bad"
    assert said["said"] == "2 cards are to be seen: one at a time."

    def do(what: str, **more: str) -> dict:
        return client.post("/api/enrolment/do", json={"deck": own, "do": what, **more}).get_json()

    assert do("skip")["now"]["code"] == "p1.m0"
    assert do("back")["now"]["code"] == "p0.m0"
    assert do("go", face="p2.m0")["now"]["code"] == "p2.m0"
    do("take")
    assert sent(client, own, PHOTOS["p2.m0"], times=1)["taken"] == 1
    assert do("again")["known"] == 0
    assert client.post("/api/enrolment/do", json={"deck": own, "do": "go", "face": "AS"}).status_code == 422
    assert client.post("/api/enrolment/do", json={"deck": own, "do": "fly"}).status_code == 400
    for data, kind, status in ((b"x", "image/jpeg", 422), (b"x", "text/plain", 415)):
        answer = client.post(f"/api/enrolment/frame?deck={own}", data=data, content_type=kind)
        assert answer.status_code == status
        assert answer.get_json()["error"]["message"]


def test_it_goes_on_where_it_stopped_and_a_ready_made_deck_gets_a_place(
    app: Flask, client: FlaskClient, own: str
) -> None:
    EnrolledDeck.load(place(app)).with_samples([Sample("p0.m0", the_card(PHOTOS["p0.m0"], ()))]).save(place(app))
    assert begin(client, own)["now"]["code"] == "p1.m0"
    assert client.get("/decks/enrol?deck=65").status_code == 200
    assert begin(client, "65")["total"] == 65
    assert (place(app).parent / "65" / "deck.toml").is_file()


def test_a_camera_of_the_machine_shows_a_folder_of_pictures(
    app: Flask, owner: FlaskClient, own: str, tmp_path: Path
) -> None:
    folder = tmp_path / "shown"
    folder.mkdir()
    for number, picture in enumerate(PHOTOS.values()):
        (folder / f"{number}.jpg").write_bytes(jpeg(picture))
    begin(owner, own)
    answer = owner.post("/api/enrolment/camera", json={"deck": own, "camera": str(folder)})
    assert answer.status_code == 200, answer.text
    assert answer.get_json()["camera"] == "shown"
    said, end = {"now": 1}, time.monotonic() + 60
    while said["now"] is not None and time.monotonic() < end:
        time.sleep(0.2)
        said = owner.get(f"/api/enrolment?deck={own}").get_json()
    assert said["known"] == 3, said
    wrong = owner.post("/api/enrolment/camera?lang=en", json={"deck": own, "camera": str(tmp_path / "none.mp4")})
    assert wrong.status_code == 422
    assert "none.mp4" in wrong.get_json()["error"]["message"]


def test_only_guests_begin_and_the_phone_needs_the_sessions_key(tmp_path: Path) -> None:
    app = create_app(Config(tmp_path / "data", demo=False, opening=Opening.PIN, pin="123456"))
    desk = app.extensions["companion"]
    kept = put(desk.config.data, TOML, "harbour")
    assert kept.deck is not None
    own = kept.deck.name
    stranger, guest, phone = (app.test_client() for _ in range(3))
    for device in (stranger, guest, phone):
        device.environ_base.update(FAR)
    guest.get("/?pin=123456")
    assert stranger.post("/api/enrolment/do", json={"deck": own, "do": "begin"}).status_code == 403
    assert stranger.get(f"/decks/enrol?deck={own}").status_code == 403
    begin(guest, own)
    assert stranger.get(f"/api/enrolment?deck={own}").status_code == 403
    assert stranger.get(f"/decks/enrol/phone?deck={own}").status_code == 403
    assert guest.get(f"/decks/enrol/phone.svg?deck={own}").mimetype == "image/svg+xml"
    link = guest.get(f"/decks/enrol/phone?deck={own}").headers["Location"]
    key = link.rpartition("phone=")[2]
    assert phone.get(f"/decks/enrol?deck={own}&phone={key}").status_code == 200
    said = sent(phone, own, PHOTOS["p0.m0"], key)
    assert said["taken"] == 1
    assert guest.get(f"/api/enrolment?deck={own}").get_json()["taken"] == 1, "whoever looks on sees it"
    # The phone may show cards and nothing else.
    assert phone.get(f"/api/enrolment?deck={own}&phone=x").status_code == 403
    assert phone.post("/api/enrolment/camera", json={"deck": own, "camera": None}).status_code == 403
    assert phone.post("/api/deck-files/remove", json={"deck": own, "sure": own}).status_code == 403
    assert phone.get(f"/decks/sample.jpg?deck={own}").status_code == 403
    desk.close()


def test_a_correction_is_shown_and_taken_back(app: Flask, client: FlaskClient, own: str) -> None:
    photo = the_card(PHOTOS["p0.m0"], ())
    held = EnrolledDeck.load(place(app))
    held.with_samples([Sample("p0.m0", photo), Sample("p1.m0", photo, Origin.CORRECTION)]).save(place(app))
    page = client.get(f"/decks?deck={own}&lang=en").text
    assert "Corrected at a table (1)" in page
    assert client.post(
        "/api/deck-files/samples/remove", json={"deck": own, "sample": 0, "face": "p1.m0"}
    ).status_code == 409  # fmt: skip
    answer = client.post("/api/deck-files/samples/remove", json={"deck": own, "sample": 1, "face": "p1.m0"})
    assert answer.get_json() == {"samples": 1}
    assert [sample.origin for sample in EnrolledDeck.load(place(app)).samples] == [Origin.PHOTO]
    assert "Corrected at a table" not in client.get(f"/decks?deck={own}&lang=en").text


def test_a_deck_is_deleted_but_not_while_a_table_plays_with_it(app: Flask, client: FlaskClient, tap) -> None:
    kept = put(app.extensions["companion"].config.data, '[deck]\nname = "Blue"\nlike = "52D1"\n', "blue")
    assert kept.deck is not None
    own = kept.deck.name
    table = tap.open(client, deck=own)
    assert client.post("/api/deck-files/remove", json={"deck": own, "sure": "x"}).status_code == 422
    refused = client.post("/api/deck-files/remove?lang=en", json={"deck": own, "sure": own})
    assert refused.status_code == 409
    assert table in refused.get_json()["error"]["message"]
    assert kept.place.is_dir()
    tap.intend(client, table, intent="finish")
    assert client.post("/api/deck-files/remove", json={"deck": own, "sure": own}).status_code == 200
    assert not kept.place.exists()
    assert own not in client.get("/decks").text
    assert client.get(f"/history/{table}").status_code == 200, "what was played stays"
    assert client.post("/api/deck-files/remove", json={"deck": own, "sure": own}).status_code == 404


def test_samples_of_a_newer_version_are_one_sentence_on_the_page(app: Flask, client: FlaskClient, own: str) -> None:
    EnrolledDeck.load(place(app)).with_samples([Sample("p0.m0", the_card(PHOTOS["p0.m0"], ()))]).save(place(app))
    file = place(app) / "samples.json"
    file.write_text(file.read_text("utf-8").replace('"version": 1', '"version": 2'), "utf-8")
    assert "newer version" in client.get(f"/decks?deck={own}&lang=en").text
    answer = client.post("/api/enrolment/do?lang=en", json={"deck": own, "do": "begin"})
    assert answer.status_code == 422
    assert "newer version" in answer.get_json()["error"]["message"]
    assert '"version": 2' in file.read_text("utf-8"), "what was enrolled is kept"


def test_a_packed_deck_with_its_samples_is_one_file(app: Flask, client: FlaskClient, own: str) -> None:
    EnrolledDeck.load(place(app)).with_samples([Sample("p0.m0", the_card(PHOTOS["p0.m0"], ()))]).save(place(app))
    pack = zipfile.ZipFile(io.BytesIO(client.get(f"/decks/pack?deck={own}").data))
    assert "samples.json" in pack.namelist()
