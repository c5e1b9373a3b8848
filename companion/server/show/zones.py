"""What people call the zones of a game, and one sentence about those for which a table has no room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games import Msg, Place, View, ZoneView, places
from companion.games.places import Form, Shows
from companion.referee import Match
from companion.server.show.texts import Texts
from companion.table import LayoutError
from companion.table.forms import Size
from companion.table.solve import NoRoomError, Plan


def zone_names(match: Match) -> dict[str, Msg]:
    """The name of every zone that the game can have, by id."""
    seats = range(len(match.setup.players))
    return {
        place.id(seat): place.name(seat)
        for place in places(match.game.id, match.setup)
        for seat in (seats if place.own else (None,))
    }


ROOM = 6
"""So many cards of a row have their own room on a screen; more of them close up."""


def rooms(match: Match, view: View) -> list[tuple[ZoneView, int]]:
    """The zones of a picture, each with the number of cards that it keeps room for, so that nothing moves when they
    come; with those that a game cannot do without and that are empty still, in the order that the game names its places
    in. No room: no card is ever seen there, only what is said of it."""
    seats = range(len(match.setup.players))
    declared = places(match.game.id, match.setup)
    kinds = {place.kind: (turn, place) for turn, place in enumerate(declared)}
    zones = list(view.zones)
    shown = {zone.id for zone in zones}
    for place in declared:
        if place.spare or place.shows is not Shows.ALL:
            continue
        kind = str(place.form) if place.form in (Form.ROW, Form.FAN) else "pile"
        zones.extend(
            ZoneView(place.id(seat), place.name(seat), (), seat, kind)
            for seat in (seats if place.own else (None,))
            if place.id(seat) not in shown
        )

    def turn(zone: ZoneView) -> int:
        return kinds.get(zone.id.partition(":")[0], (len(declared),))[0] if zone.seat is not None else 0

    def room(zone: ZoneView) -> int:
        found = kinds.get(zone.id.partition(":")[0])
        if found and found[1].shows is Shows.NOTHING:
            return 0
        if zone.kind in ("pile", "stack"):
            return 1
        usual = found[1].usual if found and found[1].shows is Shows.ALL else ROOM // 2
        return max(1, min(usual, ROOM))

    def drawn(zone: ZoneView) -> ZoneView:
        found = kinds.get(zone.id.partition(":")[0])
        counted = found is not None and found[1].shows is Shows.COUNT and zone.kind in ("row", "fan")
        if counted:
            return replace(zone, kind="pile")
        return replace(zone, kind="fan") if found and zone.kind == "row" and found[1].form is Form.FAN else zone

    return [(zone, room(zone)) for zone in map(drawn, sorted(zones, key=turn))]


def place_names(found: Sequence[Place], texts: Texts, lang: str) -> str:
    """Zones in words, those of the seats for everybody."""
    everybody = Msg("place.everybody")
    named = [Msg.of(place.label, player=everybody) if place.own else Msg(place.label) for place in found]
    return texts.text("ui.list-comma", lang).join(texts.text(name, lang) for name in named)


def centimetres(size: Size) -> str:
    """``100 × 70 cm``."""
    return f"{size[0] / 10:g} × {size[1] / 10:g} cm"


def no_room(error: LayoutError, texts: Texts, lang: str) -> str:
    """Why a table holds no layout, in one sentence."""
    if not isinstance(error, NoRoomError):
        return texts.text("layout.size", lang)
    return _said("layout.refused", error.zones, error.table, error.needs, texts, lang)


def reduced(plan: Plan, table: Size, texts: Texts, lang: str) -> str:
    """Which zones a table has no room for, in one sentence; empty when it holds all."""
    return _said("layout.reduced", plan.dropped, table, plan.needs, texts, lang) if plan.dropped else ""


def _said(key: str, zones: Sequence[Place], table: Size, needs: Size | None, texts: Texts, lang: str) -> str:
    hint = texts.text("layout.needs", lang, size=centimetres(needs)) if needs else texts.text("layout.none", lang)
    return texts.text(key, lang, names=place_names(zones, texts, lang), size=centimetres(table), hint=hint)
