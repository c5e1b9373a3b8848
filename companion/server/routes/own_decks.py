"""A deck of one's own that comes as one file, and one's own drawings of its cards."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

from flask import Blueprint, Response, jsonify, request

from companion.cards import Deck, DeckFileError
from companion.packs import MOST_PACK, aside, land, opened_up, unpack
from companion.server.camera.header import picture_size
from companion.server.context import MOST_PIXELS, admitted, desk, language, sent_picture
from companion.server.errors import ApiError
from companion.server.routes.decks import NAME, bad_deck_file, found_deck, own_json
from companion.server.schema.openapi import body, operation, query
from companion.server.show.drawings import drawings_json, small
from companion.shelf import PACKED, draw, drawings, meant, place_on_shelf, rub_out
from companion.vision.images import PictureError, decode

own_deck_routes = Blueprint("own_decks", __name__)

PACK = "application/zip"
KINDS = {"image/jpeg": (b"\xff\xd8", ".jpg"), "image/png": (b"\x89PNG\r\n\x1a\n", ".png")}
_DECK = {"type": "string", "maxLength": 60, "default": "65", "description": "A deck's name."}
_FACE = {"type": "string", "maxLength": 80, "default": "", "description": "A card's code, or a picture's."}
_CHANGED = {"type": "string", "maxLength": 30, "default": "", "description": "As the list of drawings says."}
_unpacking = threading.Lock()
"""One picture is unpacked at a time."""


# --- a deck as one file ----------------------------------------------------------------------------------------------


@own_deck_routes.post("/api/deck-files/pack")
@operation("Games", "OwnDeck", body=PACK, query=NAME, status=201, errors=(403, 422))
def take_pack() -> Response:
    """Take in a packed deck (`.deck`): its file, its drawings and what a camera has learned of it. Where a deck of its
    name is there, the new files take the place of those of the same name, and the others stay."""
    if not admitted():
        raise ApiError("not-admitted", 403)
    if request.mimetype != PACK:
        raise ApiError("not-pack", 415)
    request.max_content_length = MOST_PACK
    try:
        with aside(desk().config.data) as working:
            with (working / "pack").open("wb") as out:
                shutil.copyfileobj(request.stream, out)
            unpack(working / "pack", working / "deck", _fits)
            kept = _landed(working / "deck", query("name"))
    except DeckFileError as error:
        raise bad_deck_file(error) from error
    except OSError as error:
        raise ApiError("enrolment-failed", 422, reason=error.strerror or str(error)) from error
    answer = jsonify(own_json(kept))
    answer.status_code = 201
    return answer


def _landed(fresh: Path, name: str) -> Deck:
    cameras, data = desk().cameras, desk().config.data
    with cameras.learned.writing:
        kept = land(data, fresh, name, _fits)
    for place in (kept.place, kept.place.with_name(f"{kept.place.name}{PACKED}")):
        cameras.enrolling.end(place)
    assert kept.deck is not None
    return kept.deck


def _fits(data: bytes) -> bool:
    """A PNG or JPEG that does not fill the memory when it is unpacked."""
    size = picture_size(data)
    return _suffix(data) != "" and size is not None and 0 < size[0] * size[1] <= MOST_PIXELS


def _suffix(data: bytes) -> str:
    return next((suffix for begins, suffix in KINDS.values() if data.startswith(begins)), "")


# --- drawings --------------------------------------------------------------------------------------------------------


@own_deck_routes.get("/decks/drawing.jpg")
@operation("Decks", ("image/jpeg",), query={"deck": _DECK, "face": _FACE, "of": _CHANGED}, errors=(403, 404))
def drawing_picture() -> Response:
    """One's own drawing of a card or picture, small."""
    deck, place = _kept(query("deck"))
    found = drawings(place, deck).get(query("face"))
    if found is None:
        raise ApiError("no-picture", 404)
    try:
        with _unpacking:
            answer = Response(small(found), mimetype="image/jpeg")
    except (PictureError, OSError) as error:
        raise ApiError("no-picture", 404) from error
    answer.headers["Cache-Control"] = "private, max-age=86400"
    return answer


@own_deck_routes.post("/api/deck-files/pictures")
@operation("Decks", "Drawings", body="image/png", query={"deck": _DECK, "face": _FACE}, errors=(403, 404, 422))
def take_drawing() -> Response:
    """Put one's own drawing (PNG or JPEG) of the card or picture `face` into a deck, in the place of the one before."""
    deck, place = _kept(query("deck"))
    face = meant(query("face"), deck)
    if face is None:
        raise bad_deck_file(DeckFileError(f"the deck has no {query('face')!r}", "unnamed", value=query("face")))
    data = sent_picture(KINDS, "not-drawing")
    try:
        with _unpacking:
            decode(data)
    except PictureError as error:
        raise ApiError("not-drawing", 422) from error
    if not _suffix(data):
        raise ApiError("not-drawing", 422)
    return _changed(deck, place, lambda folder: draw(folder, face, data, _suffix(data)))


@own_deck_routes.post("/api/deck-files/pictures/remove")
@operation("Decks", "Drawings", body="DrawingChoice", errors=(403, 404, 422))
def remove_drawing() -> Response:
    """Take one's own drawing of a card or picture away."""
    deck, place = _kept(body()["deck"])
    face = body()["face"]
    if face not in drawings(place, deck):
        raise ApiError("no-picture", 404)
    return _changed(deck, place, lambda folder: rub_out(folder, face))


def _kept(name: str) -> tuple[Deck, Path]:
    """A deck of one's own, and where it lies on the shelf, for those who may change it. Raises ApiError 403, 404."""
    if not admitted():
        raise ApiError("not-admitted", 403)
    deck = found_deck(name)
    place = place_on_shelf(desk().config.data, deck.name)
    if place is None:
        raise ApiError("no-deck", 404, reason=name)
    return deck, place


def _changed(deck: Deck, place: Path, change: Callable[[Path], None]) -> Response:
    """The drawings of a deck after `change` to its folder; a deck that lies on the shelf as one file becomes one."""
    try:
        with desk().cameras.learned.writing:
            folder = opened_up(place, _fits)
            change(folder)
    except DeckFileError as error:
        raise bad_deck_file(error) from error
    except OSError as error:
        raise ApiError("enrolment-failed", 422, reason=error.strerror or str(error)) from error
    if folder != place:
        desk().cameras.enrolling.end(place)
    return jsonify(drawn=drawings_json(folder, deck, language())["drawn"])
