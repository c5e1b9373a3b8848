"""Showing a deck to a camera: the guided page, the pictures that come in, what was learned, and taking it back."""

from __future__ import annotations

import hmac
from pathlib import Path

import cv2
from flask import Blueprint, Response, jsonify, make_response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from companion.cards import NAMES, Deck, DeckError, DeckFileError, NotationError
from companion.cards import deck as find_deck
from companion.server.camera.calibrate import PHONE
from companion.server.camera.enrolling import Session
from companion.server.camera.learned import place_of
from companion.server.camera.offers import CameraError
from companion.server.camera.shown import enrolment_json, kept_at
from companion.server.context import admitted, chosen_camera, desk, language, sent_picture
from companion.server.errors import ApiError
from companion.server.page import render
from companion.server.schema.openapi import body, operation, query
from companion.server.show.decks import shown_cards
from companion.server.show.qr import qr_svg
from companion.shelf import place_on_shelf, take_away
from companion.vision.decks.enrolled import EnrolledDeck, EnrolledDeckError
from companion.vision.images import PictureError

enrol_routes = Blueprint("enrol", __name__)

_NAME = {"type": "string", "maxLength": 60, "default": "65", "description": "A deck's name."}
_PHONE = {
    "type": "string",
    "pattern": "^[0-9A-Za-z_-]{0,40}$",
    "default": "",
    "description": "The key of the session: whoever shows it may send pictures.",
}
_SESSION = {"deck": _NAME, "phone": _PHONE}
_SAMPLE = {"type": "integer", "minimum": 0, "maximum": 9999, "default": 0, "description": "Its number."}


# --- which deck ------------------------------------------------------------------------------------------------------


def _deck(name: str) -> Deck:
    try:
        return find_deck(name)
    except DeckError as error:
        raise ApiError("no-deck", 404, reason=str(error)) from error


def _session(name: str, phone: str) -> Session:
    """The session of a deck, for whoever may take part in it. Raises ApiError 403, 404."""
    may, deck = admitted(), _deck(name)
    place = kept_at(deck, desk().config.data)
    found = desk().cameras.enrolling.find(place) if place is not None else None
    if not may and (found is None or not hmac.compare_digest(found.key, phone)):
        raise ApiError("not-admitted", 403)
    if found is None:
        raise ApiError("no-enrolment", 404)
    return found


def _begun(deck: Deck) -> Session:
    place = kept_at(deck, desk().config.data, make=True)
    if place is None:
        raise ApiError("no-deck", 404, reason=deck.name)
    try:
        return desk().cameras.enrolling.open(place)
    except (EnrolledDeckError, DeckFileError, FileNotFoundError, ValueError, OSError) as error:
        raise ApiError("enrolment-failed", 422, reason=str(error)) from error


def _told(session: Session) -> Response:
    answer = jsonify(enrolment_json(session.progress(), desk().texts, language()))
    answer.headers["Cache-Control"] = "no-store"
    return answer


# --- the page --------------------------------------------------------------------------------------------------------


@enrol_routes.get("/decks/enrol")
def enrol_page() -> BaseResponse:
    """The guided page: lay one card after the other before the camera. ``?phone=``: this device is the camera."""
    name, phone = request.args.get("deck", "65"), request.args.get("phone", "")
    found, lang = _deck(name), language()
    if phone or not admitted():
        _session(name, phone)
    cameras = desk().cameras
    offered = [] if phone else cameras.offers.rows("", lambda source: bool(cameras.tables_of(source)))
    title = found.names[lang] if found.design else desk().texts.deck(found.name, lang)
    start = {"deck": found.name, "phone": phone, "cameras": [one for one in offered if one["source"] != PHONE]}
    answer = make_response(
        render(
            "enrol.html", title=title, start=start, deck=found.name, shown=shown_cards(found)[:1], as_phone=bool(phone)
        )
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


@enrol_routes.get("/decks/enrol/phone.svg")
@operation("Decks", ("image/svg+xml",), query={"deck": _NAME}, errors=(403, 404))
def phone_code() -> Response:
    """The QR code that makes a phone the camera of the session."""
    return Response(qr_svg(_phone_address()), mimetype="image/svg+xml")


@enrol_routes.get("/decks/enrol/phone")
def to_phone() -> BaseResponse:
    """The same as a link; to the page where nobody has begun."""
    try:
        return redirect(_phone_address())
    except ApiError as error:
        if error.code != "no-enrolment":
            raise
        return redirect(f"/decks/enrol?deck={request.args.get('deck', '65')}")


def _phone_address() -> str:
    if not admitted():
        raise ApiError("not-admitted", 403)
    name = request.args.get("deck", "65")
    session, config = _session(name, ""), desk().config
    base = config.secure or (request.host_url if config.proxies else config.address or request.host_url)
    return f"{base.rstrip('/')}/decks/enrol?deck={name}&phone={session.key}"


@enrol_routes.get("/decks/enrol/view.jpg")
@operation("Decks", ("image/jpeg",), query=_SESSION, errors=(403, 404))
def enrol_view() -> Response:
    """The newest picture of the session."""
    view = _session(query("deck"), query("phone")).view
    if view is None:
        raise ApiError("no-picture", 404)
    answer = Response(view, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "no-store"
    return answer


# --- the session -----------------------------------------------------------------------------------------------------


@enrol_routes.get("/api/enrolment")
@operation("Decks", "Enrolment", query=_SESSION, errors=(403, 404))
def enrolment() -> Response:
    """Which card is wanted now, what was wrong with the last picture, and how far it is."""
    return _told(_session(query("deck"), query("phone")))


@enrol_routes.post("/api/enrolment/frame")
@operation("Decks", "Enrolment", body="image/jpeg", query=_SESSION, errors=(403, 404, 422))
def enrolment_frame() -> Response:
    """A picture from a phone, as JPEG, PNG or WebP. One that comes while another is looked at is left out."""
    session = _session(query("deck"), query("phone"))
    data = sent_picture()
    try:
        session.show(data)
    except PictureError as error:
        raise ApiError("not-picture", 422) from error
    except OSError as error:
        raise ApiError("enrolment-failed", 422, reason=str(error)) from error
    return _told(session)


@enrol_routes.post("/api/enrolment/do")
@operation("Decks", "Enrolment", body="EnrolmentStep", errors=(403, 404, 422))
def enrolment_step() -> Response:
    """Begin, and go on otherwise than by laying the next card. What was taken before is kept."""
    given = body()
    if given["do"] == "begin":
        if not admitted():
            raise ApiError("not-admitted", 403)
        return _told(_begun(_deck(given["deck"])))
    session = _session(given["deck"], given.get("phone", ""))
    try:
        session.do(given["do"], given.get("face"))
    except NotationError as error:
        raise ApiError("enrolment-failed", 422, reason=str(error)) from error
    except OSError as error:
        raise ApiError("enrolment-failed", 422, reason=str(error)) from error
    return _told(session)


@enrol_routes.post("/api/enrolment/camera")
@operation("Decks", "Enrolment", body="EnrolmentCamera", errors=(403, 404, 409, 422))
def enrolment_camera() -> Response:
    """Look through a camera of this machine (an id of `/api/cameras`); null: give it back."""
    if not admitted():
        raise ApiError("not-admitted", 403)
    given = body()
    session = _session(given["deck"], "")
    source = chosen_camera(given["camera"])
    if source == PHONE:
        source = None
    if source is not None and desk().cameras.tables_of(source):
        raise ApiError("camera-taken", 409)
    try:
        session.watch(source)
    except CameraError as error:
        raise ApiError("bad-camera", 422, reason=str(error)) from error
    return _told(session)


# --- what was learned ------------------------------------------------------------------------------------------------


@enrol_routes.get("/decks/sample.jpg")
@operation("Decks", ("image/jpeg",), query={"deck": _NAME, "sample": _SAMPLE}, errors=(403, 404))
def sample_picture() -> Response:
    """What the camera has learned of a card: one straightened picture."""
    held, _ = _held(query("deck"))
    if query("sample") >= len(held.samples):
        raise ApiError("no-picture", 404)
    _, data = cv2.imencode(".jpg", held.samples[query("sample")].pixels, [cv2.IMWRITE_JPEG_QUALITY, 80])
    answer = Response(data.tobytes(), mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "no-store"
    return answer


@enrol_routes.post("/api/deck-files/samples/remove")
@operation("Decks", "DeckLeft", body="SampleChoice", errors=(403, 404, 409, 422))
def remove_sample() -> Response:
    """Take back what the camera has learned of a card from one picture. 409 where it is not that picture any more."""
    given = body()
    with desk().cameras.learned.writing:
        held, place = _held(given["deck"])
        number = given["sample"]
        if number >= len(held.samples) or held.samples[number].face != given["face"]:
            raise ApiError("sample-gone", 409)
        left = held.samples[:number] + held.samples[number + 1 :]
        try:
            EnrolledDeck(held.deck, held.described, left).save(place)
        except OSError as error:
            raise ApiError("enrolment-failed", 422, reason=str(error)) from error
    desk().cameras.enrolling.end(place)
    return jsonify(samples=len(left))


@enrol_routes.post("/api/deck-files/remove")
@operation("Decks", "DeckLeft", body="DeckChoice", errors=(403, 404, 409, 422))
def remove_deck() -> Response:
    """Delete a deck from the shelf, with its pictures and what the camera has learned of it. Not while a table plays
    with it. Games that were played with it bring its file along and stay what they were."""
    if not admitted():
        raise ApiError("not-admitted", 403)
    name, data = body()["deck"], desk().config.data
    place = place_on_shelf(data, name)
    if place is None:
        raise ApiError("no-deck", 404, reason=name)
    if body()["sure"] != name:
        raise ApiError("deck-not-sure", 422)
    if table := _plays_with(name, place):
        raise ApiError("deck-in-use", 409, table=table)
    desk().cameras.enrolling.end(place)
    try:
        take_away(place)
    except OSError as error:
        raise ApiError("enrolment-failed", 422, reason=str(error)) from error
    return jsonify(samples=0)


def _held(name: str) -> tuple[EnrolledDeck, Path]:
    """What was enrolled of a deck, and where. Raises ApiError."""
    if not admitted():
        raise ApiError("not-admitted", 403)
    place = kept_at(_deck(name), desk().config.data)
    if place is None:
        raise ApiError("no-deck", 404, reason=name)
    try:
        return EnrolledDeck.load(place), place
    except (EnrolledDeckError, DeckFileError) as error:
        raise ApiError("enrolment-failed", 422, reason=str(error)) from error


def _plays_with(name: str, place: Path) -> str:
    """A table that is not over and plays with a deck, or looks at its samples; empty where none does."""
    for row in desk().tables(language()):
        if row["over"] or not row["playable"]:
            continue
        learned = row["deck"] in NAMES and place_of(find_deck(row["deck"]), desk().config.data) == place
        if row["deck"] == name or learned:
            return str(row["id"])
    return ""
