"""What people call the zones of a game, and one sentence about those for which a table has no room."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games import Msg, Place, places
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
