"""The zones of a table under a camera: what is read in each, moved by people, and the mat to print."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, make_response, request

from companion.games import places
from companion.server.camera.calibrate import flat_jpeg
from companion.server.camera.offers import CameraError
from companion.server.camera.zones import ZoneError, moved, zones_json
from companion.server.context import desk, keeping, language
from companion.server.errors import ApiError
from companion.server.page import render
from companion.server.schema.openapi import body, operation, query
from companion.server.show.mat import PAPERS, mat_pdf, mat_title
from companion.server.show.texts import Context
from companion.server.show.zones import no_room, zone_names
from companion.table import LayoutError
from companion.table.solve import NoRoomError, solve
from companion.vision.camera.calibration import Calibration
from companion.vision.types import Unit

zone_routes = Blueprint("zones", __name__)


@zone_routes.get("/tables/<table_id>/zones")
def zones_page(table_id: str) -> Response:
    """The table from above with its zones, to be dragged; and the mat to print."""
    keeping(table_id)
    found, lang = desk(), language()
    match = found.match(table_id)
    around = found.around(table_id, lang, found.access(request, table_id))
    first = request.args.get("first") == "1"
    start = {"id": table_id, "camera": around["camera"], "back": f"/tables/{table_id}", "first": first}
    game = found.texts.text(f"game.{match.game.id}.name", lang)
    answer = make_response(render("zones.html", table_id=table_id, game=game, start=start))
    answer.headers["Cache-Control"] = "no-store"
    return answer


@zone_routes.get("/api/tables/<table_id>/camera/zones")
@operation("Cameras", "Zones", acts=True)
def table_zones(table_id: str) -> Response:
    """Every zone of the table with what is read in it now, and every card, in shares of the table."""
    keeping(table_id)
    return jsonify(_zones(table_id))


@zone_routes.post("/api/tables/<table_id>/camera/zones")
@operation("Cameras", "Zones", body="ZoneBoxes", acts=True, errors=(422,))
def move_zones(table_id: str) -> Response:
    """Move zones, and keep them with the table; an empty object puts all back into their own places."""
    keeping(table_id)
    cameras, match = desk().cameras, desk().match(table_id)
    boxes = body().get("zones")
    try:
        watch, _ = cameras.watched(table_id)
        if table_id == cameras.demo:
            raise ZoneError("zones-fixed")
        if boxes is None:
            cameras.layouts.forget(table_id)
        else:
            cameras.layouts.keep(table_id, moved(watch.layout, {zone["id"]: zone["box"] for zone in boxes}))
        watch.use(cameras.layouts.find(table_id, match, watch.calibration).layout)
    except ZoneError as error:
        raise _refused(table_id, error) from error
    except CameraError as error:
        raise ApiError("no-picture", 404) from error
    return jsonify(_zones(table_id))


@zone_routes.get("/api/tables/<table_id>/camera/flat")
@operation(
    "Cameras",
    ("image/jpeg",),
    acts=True,
    query={"width": {"type": "integer", "minimum": 1, "maximum": 9999, "default": 960, "description": "In px."}},
)
def flat_picture(table_id: str) -> Response:
    """The table as seen from straight above, as JPEG; its longer side measures 160 to 1920 px."""
    keeping(table_id)
    try:
        watch, picture = desk().cameras.watched(table_id)
    except CameraError as error:
        raise ApiError("no-picture", 404) from error
    seen_through = watch.calibration or Calibration.whole_picture(picture.shape[1], picture.shape[0])
    return Response(flat_jpeg(picture, seen_through, max(160, min(query("width"), 1920))), mimetype="image/jpeg")


_CENTIMETRES = {"type": "string", "pattern": "^[0-9]{1,3}([.,][0-9]{0,2})?$", "description": "In cm."}
_MAT = {
    "width": {**_CENTIMETRES, "default": "100"},
    "height": {**_CENTIMETRES, "default": "70"},
    "paper": {"enum": [*PAPERS], "default": "a4"},
}


@zone_routes.get("/tables/<table_id>/mat.pdf")
@operation("Cameras", ("application/pdf",), acts=True, query=_MAT, errors=(422,))
def mat_file(table_id: str) -> Response:
    """The mat of this table's game to print: every zone, where people have moved it, and a tag in each corner."""
    keeping(table_id)
    found, lang = desk(), language()
    match = found.match(table_id)
    width, height = (10 * float(query(side).replace(",", ".")) for side in ("width", "height"))
    try:
        plan = solve(places(match.game.id, match.setup), len(match.setup.players), (width, height))
    except NoRoomError as error:
        raise ApiError("mat", 422, reason=no_room(error, found.texts, lang)) from error
    except LayoutError as error:
        raise ApiError("table-size", 422) from error
    own = found.cameras.layouts.find(table_id, match, None)
    layout = own.layout.for_table(Unit.MM, (width, height)) if own.moved else plan.layout
    context = Context(match.setup.players, match.deck, match.game.id, zone_names(match))
    pdf = mat_pdf(layout, mat_title(match, layout, found.texts, lang), found.texts, lang, context, query("paper"))
    answer = Response(pdf, mimetype="application/pdf")
    answer.headers["Content-Disposition"] = f'attachment; filename="mat-{match.game.id}.pdf"'
    return answer


def _zones(table_id: str) -> dict[str, Any]:
    found = desk()
    try:
        watch, _ = found.cameras.watched(table_id)
    except CameraError as error:
        raise ApiError("no-picture", 404) from error
    match = found.match(table_id)
    laid = found.cameras.layouts.in_use(table_id, match, watch.calibration, watch.layout)
    return zones_json(laid, watch.calibration, watch.seen, match, found.texts, language())


def _refused(table_id: str, error: ZoneError) -> ApiError:
    found, lang = desk(), language()
    match = found.match(table_id)
    context = Context(match.setup.players, match.deck, match.game.id, zone_names(match))
    names = [found.texts.zone(zone, lang, context) for zone in error.zones]
    params: dict[str, Any] = dict(zip(("one", "other"), names, strict=False))
    return ApiError(error.code, 422, **params)
