"""Who is at a table and who does what there: the devices, links made and revoked, the host's role handed over, and a
hand that only its owner and the referee see."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from companion.referee import weigh_hand
from companion.server.access import device_of, public_name, role_access
from companion.server.context import access_here, acting, desk, hosting, language
from companion.server.errors import ApiError
from companion.server.links import links
from companion.server.live.devices import device_rows
from companion.server.schema.openapi import body, operation
from companion.server.show.hands import weighed
from companion.server.show.present import Presenter

roles = Blueprint("roles", __name__, url_prefix="/api/tables/<table_id>")


@roles.get("/links")
@operation("Roles", "Links")
def links_of_table(table_id: str) -> Response:
    """The links that this device may hand out, by role. Whoever opens one has its role from then on."""
    return jsonify(links=links(table_id, access_here(table_id)))


@roles.post("/links/<role>/revoke")
@operation("Roles", "Links", body="Empty", acts=True, errors=(422,))
def revoke(table_id: str, role: str) -> Response:
    """Make every link for a role worthless, with all devices that came by it, and make a new one. Only for the host,
    who keeps the role."""
    hosting(table_id)
    _known_role(table_id, role)
    found = desk()
    found.keys.book.revoke(table_id, role, device_of(request) if role == "host" else "")
    found.bus.publish(table_id)
    return jsonify(links=links(table_id, desk().access(request, table_id)))


@roles.get("/devices")
@operation("Roles", "Devices", acts=True)
def devices(table_id: str) -> Response:
    """Every device that looks at the table, with its role, the longest here first. Only for the host; the live stream
    tells it too."""
    hosting(table_id)
    return jsonify(devices=device_rows(desk().bus.people(table_id)))


@roles.post("/devices/<device>/role")
@operation("Roles", "Devices", body="RoleChoice", acts=True, errors=(422,))
def give_role(table_id: str, device: str) -> Response:
    """Give a device that is here another role. With the role of host it is handed over: links for hosts become
    worthless, the device that did it keeps the record from then on, and there is one host. Only for the host."""
    hosting(table_id)
    found, role = desk(), body()["role"]
    _known_role(table_id, role)
    here = {who.device for who in found.bus.people(table_id) if who.named and public_name(who.device) == device}
    if not here:
        raise ApiError("no-device", 404)
    (secret,), own = here, device_of(request)
    if secret == own and role != "host":
        raise ApiError("own-role", 422)
    if role == "host" and secret != own:
        found.keys.book.revoke(table_id, "host", secret)
        if own:
            found.keys.book.give(table_id, own, "scorekeeper")
            found.bus.become(table_id, own, "scorekeeper")
    elif secret != own:
        found.keys.book.give(table_id, secret, role)
    found.bus.become(table_id, secret, role)
    return jsonify(devices=device_rows(found.bus.people(table_id)))


def _known_role(table_id: str, role: str) -> None:
    seat = role_access(role).role.seat
    if seat is not None and seat >= len(desk().match(table_id).setup.players):
        raise ApiError("bad-field", 422, field="role")


@roles.post("/hand/check")
@operation("Roles", "HandCheck", body="PrivateHand", acts=True, errors=(422,))
def check_hand(table_id: str) -> Response:
    """What the referee says of the hand that a seat's owner holds: can it be, and what would each open action of his
    be worth. Nothing of it is kept, not even for a moment after the answer; nobody else can learn it here. Only for a
    seat."""
    access = acting(table_id)
    if access.role.seat is None:
        raise ApiError("seat-only", 403)
    found = desk()
    match = found.match(table_id)
    presenter = Presenter(found.texts, match, language(), access)
    found_of_it = weigh_hand(match, access.role.seat, tuple(body()["cards"]))
    answer = jsonify(weighed(presenter, found_of_it))
    answer.headers["Cache-Control"] = "no-store"
    return answer
