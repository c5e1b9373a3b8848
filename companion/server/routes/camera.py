"""Setting up a camera on the page: its table's corners, the boards to print, and a phone as the camera."""

from __future__ import annotations

import base64
import time
from typing import Any

from flask import Blueprint, Response, jsonify, make_response, request

from companion import resources
from companion.journal import Conflict
from companion.referee import EventError
from companion.server.camera.asking import Answer
from companion.server.camera.calibrate import PHONE, AreaRequest
from companion.server.camera.cameras import NotTheCameraError
from companion.server.camera.offers import CameraError
from companion.server.certificate import authority_file
from companion.server.context import access_here, admitted, chosen_camera, desk, keeping, language, sent_picture
from companion.server.errors import ApiError
from companion.server.page import render
from companion.server.schema.openapi import body, operation, query
from companion.vision.camera.boards import board_names, board_pdf
from companion.vision.camera.calibration import CalibrationError
from companion.vision.images import PictureError

camera_routes = Blueprint("camera", __name__)

_FLAG = {"type": "integer", "minimum": 0, "maximum": 1, "default": 0}
_FRAME = {
    "sender": {"type": "string", "pattern": "^[0-9A-Za-z]{0,80}$", "default": "", "description": "A key of its own."},
    "take": {**_FLAG, "description": "This phone is the camera from now on, whatever was before."},
    "single": {**_FLAG, "description": "No other picture follows at once: this one stays in view."},
}


# --- pages -----------------------------------------------------------------------------------------------------------


@camera_routes.get("/tables/<table_id>/calibrate")
def calibrate_page(table_id: str) -> Response:
    """Where the table lies in the camera's picture: four corners to drag, or the printed mat."""
    keeping(table_id)
    return _page("calibrate.html", table_id)


@camera_routes.get("/tables/<table_id>/camera")
def phone_page(table_id: str) -> Response:
    """This device as the table's camera."""
    keeping(table_id)
    return _page("phone.html", table_id)


def _page(template: str, table_id: str) -> Response:
    found, lang = desk(), language()
    match = found.match(table_id)
    around = found.around(table_id, lang, found.access(request, table_id))
    back = f"/tables/{table_id}" + ("/camera#on" if request.args.get("back") == "camera" else "")
    first = request.args.get("first") == "1"
    start = {"id": table_id, "camera": around["camera"], "secure": _secure(table_id), "back": back, "first": first}
    start["next"] = f"/tables/{table_id}/zones?first=1" if first else back
    game = found.texts.text(f"game.{match.game.id}.name", lang)
    answer = make_response(render(template, table_id=table_id, game=game, start=start, boards=board_names()))
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _secure(table_id: str) -> str:
    """The same page where the browser gives a page the camera; empty when the server has no such address."""
    base = desk().config.secure.rstrip("/")
    return f"{base}/join/{desk().join_key(table_id, 'camera')}" if base and not request.is_secure else ""


@camera_routes.get("/calibration/<board>.<kind>")
@operation("Cameras", ("application/pdf", "image/svg+xml"))
def board_file(board: str, kind: str) -> Response:
    """A board to print, as PDF or SVG: a mat with a tag in each corner, or the tags alone."""
    if board not in board_names() or kind not in ("pdf", "svg"):
        raise ApiError("404", 404)
    if kind == "pdf":
        answer = Response(board_pdf(board), mimetype="application/pdf")
    else:
        file = resources.calibration() / "boards" / f"{board}.svg"
        answer = Response(file.read_bytes(), mimetype="image/svg+xml")
    answer.headers["Content-Disposition"] = f'attachment; filename="table-companion-{board}.{kind}"'
    return answer


@camera_routes.get("/certificate.crt")
@operation("Cameras", ("application/x-x509-ca-cert",), errors=(404,))
def authority() -> Response:
    """The certificate of this server's own authority. A browser that has it trusts the server's HTTPS."""
    file = authority_file(desk().config.data)
    if not desk().config.secure or not file.exists():
        raise ApiError("404", 404)
    return Response(file.read_bytes(), mimetype="application/x-x509-ca-cert")


# --- which camera, what it sees and asks ------------------------------------------------------------------------------


@camera_routes.get("/api/cameras")
@operation("Cameras", "Cameras")
def offered_cameras() -> Response:
    """Cameras that a new table can have, by ids that say nothing of where they are. Who may not open tables sees only
    that a phone can be one."""
    cameras, phone = desk().cameras, desk().texts.text("ui.camera.phone", language())
    offered = cameras.offers.rows(phone, lambda source: bool(cameras.tables_of(source)))
    return jsonify(cameras=[camera for camera in offered if camera["source"] == PHONE or admitted()])


@camera_routes.post("/api/tables/<table_id>/camera")
@operation("Cameras", "AroundOnly", body="CameraChoice", acts=True, errors=(409, 422))
def choose_camera(table_id: str) -> Response:
    """Choose the camera of a table by its id (`/api/cameras`); null for taps only. Only the owner names sources that
    are not offered: nobody else reads files of this machine through it. A camera that watches a table of somebody else
    is taken. Not for seats."""
    access = keeping(table_id)
    source = chosen_camera(body()["camera"], table_id)
    try:
        desk().cameras.choose(table_id, source)
    except CameraError as error:
        raise ApiError("bad-camera", 422, reason=str(error)) from error
    return jsonify(around=desk().around(table_id, language(), access))


@camera_routes.get("/api/tables/<table_id>/camera/picture")
@operation(
    "Cameras",
    ("image/jpeg",),
    acts=True,
    query={"width": {"type": "integer", "minimum": 1, "maximum": 9999, "default": 960, "description": "In px."}},
)
def camera_picture(table_id: str) -> Response:
    """What the camera sees now, as JPEG of 160 to 1920 px width: for setting it up, and for the big screen. Only for
    devices that act, and those that the host has made big screens."""
    if access_here(table_id).role.name != "board":
        keeping(table_id)
    picture = desk().cameras.picture(table_id, max(160, min(query("width"), 1920)))
    if picture is None:
        raise ApiError("no-picture", 404)
    return Response(picture, mimetype="image/jpeg")


@camera_routes.post("/api/tables/<table_id>/questions/<question>")
@operation("Cameras", "Asked", body="QuestionAnswer", acts=True, errors=(409, 422))
def answer_question(table_id: str, question: str) -> Response:
    """Answer a question of the camera: one of its options, a card it did not think of, or none of it (put aside; for a
    single card: there is none)."""
    access = keeping(table_id)
    option, face, choice = body().get("option"), body().get("face"), body().get("choice")
    try:
        done = desk().cameras.answer(table_id, question, Answer(None if option is None else int(option), face, choice))
    except Conflict as error:
        raise ApiError("conflict", 409, {"seq": error.current_seq}) from error
    except EventError as error:
        raise ApiError("bad-event", 422, reason=str(error)) from error
    if not done:
        raise ApiError("no-question", 404)
    return jsonify(table=desk().table(table_id, language(), access))


# --- the table's corners ---------------------------------------------------------------------------------------------


@camera_routes.get("/api/tables/<table_id>/camera/area")
@operation("Cameras", "Marked", acts=True)
def table_area(table_id: str) -> Response:
    """Which part of the camera's picture is the table."""
    keeping(table_id)
    found = desk().cameras.calibration(table_id)
    if found is None:
        raise ApiError("no-picture", 404)
    return jsonify(found)


@camera_routes.post("/api/tables/<table_id>/camera/proof")
@operation("Cameras", "Proof", body="TableArea", acts=True, errors=(422,))
def prove_area(table_id: str) -> Response:
    """Try a table area on the newest picture without using it. Shows the straightened table, the cards found on it,
    and which part is whose."""
    keeping(table_id)
    area = _area_request()
    try:
        found, picture = desk().cameras.prove(table_id, area, desk().texts, language())
    except CalibrationError as error:
        raise _refused(error) from error
    except CameraError as error:
        raise ApiError("no-picture", 404) from error
    return jsonify({**found, "picture": f"data:image/jpeg;base64,{base64.b64encode(picture).decode()}"})


@camera_routes.post("/api/tables/<table_id>/camera/area")
@operation("Cameras", "Marked", body="TableArea", acts=True, errors=(422,))
def mark_area(table_id: str) -> Response:
    """Say which part of the camera's picture is the table, and keep it with the table."""
    keeping(table_id)
    area = _area_request()
    try:
        desk().cameras.calibrate(table_id, area)
    except CalibrationError as error:
        raise _refused(error) from error
    except CameraError as error:
        raise ApiError("no-picture", 404) from error
    return jsonify(desk().cameras.calibration(table_id))


def _area_request() -> AreaRequest:
    try:
        return AreaRequest.from_json(body())
    except ValueError as error:
        raise ApiError("bad-field", field=str(error)) from error


def _refused(error: CalibrationError) -> ApiError:
    params: dict[str, Any] = dict(error.params)
    return ApiError(f"calibration-{error.code}", 422, **params)


# --- a phone as the camera -------------------------------------------------------------------------------------------


@camera_routes.post("/api/tables/<table_id>/camera/frame")
@operation("Cameras", "NextPicture", body="image/jpeg", query=_FRAME, acts=True, errors=(409, 422))
def send_frame(table_id: str) -> Response:
    """A picture from a phone, as JPEG, PNG or WebP. Answers when the table wants the next one."""
    keeping(table_id)
    data = sent_picture()
    single, take = bool(query("single")), bool(query("take"))
    began = time.monotonic()
    try:
        wait = desk().cameras.push(table_id, data, query("sender"), single=single, take=take)
    except NotTheCameraError as error:
        raise ApiError("other-phone" if error.other else "no-phone", 409) from error
    except PictureError as error:
        raise ApiError("not-picture", 422) from error
    except CameraError as error:
        raise ApiError("bad-camera", 422, reason=str(error)) from error
    held = time.monotonic() - began
    return jsonify(wait=wait, held=round(held, 3), cards=desk().cameras.seen(table_id))
