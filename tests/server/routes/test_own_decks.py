"""A deck that comes as one file, and one's own drawings: who may, what is kept, and what is wrong in one sentence."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.server import Config, create_app
from companion.server.config import Opening
from companion.server.routes import own_decks
from companion.shelf import packed, put
from companion.vision.decks.enrolled import EnrolledDeck, Sample

TOML = """[deck]
name = { en = "Harbour", ja = "港" }
separator = "."
[[suits]]
code = "n"
[[suits]]
code = "s"
[[pictures]]
code = "tide"
name = { en = "Tide", ja = "潮" }
[[pictures]]
code = "が"
"""
FAR = {"REMOTE_ADDR": "192.0.2.77"}


def picture(kind: str = ".png", width: int = 60, height: int = 80, grey: int = 90) -> bytes:
    return cv2.imencode(kind, np.full((height, width, 3), grey, np.uint8))[1].tobytes()


def zipped(**files: bytes | str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, body in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), body)
    return out.getvalue()


def take(client: FlaskClient, body: bytes, kind: str = "application/zip", lang: str = "en") -> TestResponse:
    return client.post(f"/api/deck-files/pack?name=Harbour&lang={lang}", data=body, content_type=kind)


def shelf(app: Flask) -> Path:
    return app.extensions["companion"].config.data / "decks"


@pytest.fixture
def own(app: Flask) -> str:
    kept = put(app.extensions["companion"].config.data, TOML, "harbour")
    assert kept.deck is not None
    return kept.deck.name


def draw(client: FlaskClient, own: str, face: str, body: bytes, kind: str = "image/png") -> TestResponse:
    return client.post(
        "/api/deck-files/pictures", data=body, content_type=kind, query_string={"deck": own, "face": face, "lang": "en"}
    )


def rub_out(client: FlaskClient, own: str, face: str) -> TestResponse:
    return client.post("/api/deck-files/pictures/remove", json={"deck": own, "face": face})


def message(answer: TestResponse) -> str:
    return str(answer.get_json()["error"]["message"])


# --- a deck as one file ----------------------------------------------------------------------------------------------


def test_a_deck_that_was_packed_here_is_taken_in_there_with_all_that_belongs_to_it(
    app: Flask, client: FlaskClient, own: str, tmp_path: Path
) -> None:
    draw(client, own, "tide", picture())
    place, pixels = shelf(app) / "harbour", np.full((330, 250, 3), 120, np.uint8)
    EnrolledDeck.load(place).with_samples([Sample("tide.n", pixels)]).save(place)
    body = client.get(f"/decks/pack?deck={own}").data
    there = create_app(Config(tmp_path / "there", demo=False, opening=Opening.HOUSE))
    other = there.test_client()
    answer = take(other, body)
    assert answer.status_code == 201, answer.text
    assert answer.get_json()["name"] == own and answer.get_json()["title"] == "Harbour"
    page = other.get(f"/decks?deck={own}&lang=en").text
    assert "The camera knows 1 of 4 cards." in page and "drawing.jpg" not in page
    assert '"face": "tide"' in page
    assert other.get(f"/decks/pack?deck={own}").status_code == 200
    there.extensions["companion"].close()


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_file_that_cannot_be_taken_in_is_one_sentence_and_leaves_all_as_it_was(
    app: Flask, client: FlaskClient, own: str, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw(client, own, "tide", picture())
    before = sorted(shelf(app).rglob("*"))
    texts = app.extensions["companion"].texts.catalogues[lang]
    bad = {
        "packed": b"PK no archive",
        "nothing": zipped(readme_txt="x"),
        "key": zipped(deck_toml="[deck]\ncopy = 2\n"),
        "picture": zipped(deck_toml=TOML, pictures__tide_png=b"\x89PNG"),
    }
    huge = picture()[:16] + (9000).to_bytes(4) * 2 + picture()[24:]
    for code, body in (*bad.items(), ("picture", zipped(deck_toml=TOML, pictures__tide_png=huge))):
        answer = take(client, body, lang=lang)
        assert answer.status_code == 422
        assert message(answer).startswith(texts[f"deckfile.{code}"].split("{")[0]) and "{" not in message(answer)
    assert take(client, zipped(deck_toml=TOML), "text/plain", lang).status_code == 415
    monkeypatch.setattr(own_decks, "MOST_PACK", 50_000)
    assert take(client, zipped(deck_toml=TOML, large=bytes(60_000))).status_code == 413
    assert sorted(shelf(app).rglob("*")) == before


def test_a_list_of_what_was_learned_that_says_nonsense_is_one_sentence_on_the_page(client: FlaskClient) -> None:
    entry = {"file": "samples/a.jpg", "face": "tide.n", "origin": "photo", "source": ""}
    for listed in (
        {"version": 2, "samples": []},
        {"version": "x", "samples": []},
        {"version": 1, "samples": [{**entry, "face": "moon"}]},
        {"version": 1, "samples": [{**entry, "origin": None}]},
        {"version": 1, "samples": [entry]},
        {"version": 1, "samples": 7},
        [1],
        7,
    ):
        answer = take(client, zipped(deck_toml=TOML, samples_json=json.dumps(listed)))
        assert answer.status_code == 201, answer.text
        page = client.get(f"/decks?deck={answer.get_json()['name']}&lang=en")
        assert page.status_code == 200 and "What the camera had learned cannot be used" in page.text, listed


def test_only_those_who_may_open_tables_take_decks_in_and_draw(tmp_path: Path) -> None:
    app = create_app(Config(tmp_path / "data", demo=False, opening=Opening.PIN, pin="123456"))
    kept = put(app.extensions["companion"].config.data, TOML, "harbour")
    assert kept.deck is not None
    own, stranger, guest = kept.deck.name, app.test_client(), app.test_client()
    for device in (stranger, guest):
        device.environ_base.update(FAR)
    guest.get("/?pin=123456")
    for device, may in ((stranger, False), (guest, True)):
        assert (take(device, zipped(deck_toml=TOML)).status_code == 201) is may
        assert (draw(device, own, "tide", picture()).status_code == 200) is may
        assert (device.get(f"/decks/drawing.jpg?deck={own}&face=tide").status_code == 200) is may
        assert (rub_out(device, own, "tide").status_code == 200) is may
        assert ('id="drawings"' in device.get(f"/decks?deck={own}").text) is may
    app.extensions["companion"].close()


# --- drawings --------------------------------------------------------------------------------------------------------


def test_a_drawing_is_put_into_the_deck_seen_printed_replaced_and_taken_away(
    app: Flask, client: FlaskClient, own: str
) -> None:
    plain = client.get(f"/decks/print.pdf?deck={own}").data
    answer = draw(client, own, "tide", picture())
    assert answer.status_code == 200, answer.text
    assert draw(client, own, "tide.n", picture(".jpg"), "image/jpeg").status_code == 200
    folder = shelf(app) / "harbour" / "pictures"
    assert sorted(file.name for file in folder.iterdir()) == ["tide.n.jpg", "tide.png"]
    drawn = draw(client, own, "tide", picture(".jpg", grey=200), "image/png").get_json()["drawn"]
    assert sorted(file.name for file in folder.iterdir()) == ["tide.jpg", "tide.n.jpg"], "its bytes say what it is"
    assert [(one["face"], one["whole"]) for one in drawn] == [("tide", False), ("tide.n", True)]
    small = client.get("/decks/drawing.jpg", query_string={"deck": own, "face": "tide", "of": drawn[0]["of"]})
    assert small.mimetype == "image/jpeg" and cv2.imdecode(np.frombuffer(small.data, np.uint8), 1)[0, 0, 0] > 190
    assert len(client.get(f"/decks/print.pdf?deck={own}").data) > len(plain)
    assert rub_out(client, own, "tide").get_json()["drawn"] == drawn[1:]
    assert rub_out(client, own, "tide").status_code == 404
    assert rub_out(client, own, "tide.n").get_json()["drawn"] == []
    assert client.get(f"/decks/drawing.jpg?deck={own}&face=tide").status_code == 404
    assert client.get(f"/decks/print.pdf?deck={own}").data == plain


def test_a_name_is_meant_however_a_keyboard_writes_it(app: Flask, client: FlaskClient, own: str) -> None:
    assert draw(client, own, "か\u3099.s", picture()).status_code == 200
    assert [file.name for file in (shelf(app) / "harbour" / "pictures").iterdir()] == ["が.s.png"]


def test_what_is_no_drawing_is_said_in_one_sentence(app: Flask, client: FlaskClient, own: str) -> None:
    none = "This is no PNG or JPEG picture that can be read, or a very small one."
    huge = picture()[:16] + (9000).to_bytes(4) * 2 + picture()[24:]
    for face, body, kind, status, said in (
        ("tide", b"x", "image/png", 422, none),
        ("tide", picture(".webp"), "image/png", 422, none),
        ("tide", picture(".webp"), "image/webp", 415, none),
        ("tide", picture()[:60], "image/png", 422, none),
        ("tide", picture(width=9), "image/png", 422, none),
        ("tide", huge, "image/png", 422, "A picture of 9000×9000 pixels is too large: at most 40 million."),
        ("tide", picture() + bytes(13 * 2**20), "image/png", 413, "That is too much at once."),
        ("moon", picture(), "image/png", 422, "The deck has no card and no picture “moon”; "),
        ("../../x", picture(), "image/png", 422, "The deck has no card and no picture “../../x”; "),
    ):
        answer = draw(client, own, face, body, kind)
        assert (answer.status_code, message(answer)[: len(said)]) == (status, said)
    assert not (shelf(app) / "harbour" / "pictures").exists()
    assert draw(client, "65", "judge", picture()).status_code == draw(client, "66", "x", picture()).status_code == 404


def test_codes_that_no_file_can_bear_everywhere_get_no_drawing(app: Flask, client: FlaskClient) -> None:
    text = "".join(f'[[extras]]\ncode = "{code}"\n' for code in ("a", "A", ".x", "C:x"))
    kept = put(app.extensions["companion"].config.data, text, "odd")
    assert kept.deck is not None
    said = {code: draw(client, kept.deck.name, code, picture()) for code in ("a", "A", ".x", "C:x")}
    assert {code: answer.status_code for code, answer in said.items()} == {"a": 200, "A": 422, ".x": 422, "C:x": 422}
    assert "capital letters" in message(said["A"]) and "no name that a file" in message(said["C:x"])
    assert take(client, packed(kept.place)).status_code == 201, "what can be drawn can be packed and taken in"


@pytest.mark.parametrize("suffix", [".toml", ".deck"])
def test_a_deck_that_lies_there_as_one_file_becomes_a_folder_with_the_drawing(
    app: Flask, client: FlaskClient, suffix: str
) -> None:
    shelf(app).mkdir(exist_ok=True)
    lone = shelf(app) / f"lone{suffix}"
    lone.write_bytes(TOML.encode() if suffix == ".toml" else zipped(deck_toml=TOML, pictures__が_png=picture()))
    found = client.get("/decks").text.partition('href="/decks?deck=lone')[2].partition('"')[0]
    own = f"lone{found}"
    assert draw(client, own, "tide", picture()).status_code == 200
    assert not lone.exists() and (shelf(app) / "lone" / "deck.toml").read_text("utf-8") == TOML
    drawn = {file.name for file in (shelf(app) / "lone" / "pictures").iterdir()}
    assert drawn == ({"tide.png"} if suffix == ".toml" else {"tide.png", "が.png"})
    assert client.get(f"/decks?deck={own}").status_code == 200, "it is the same deck"
