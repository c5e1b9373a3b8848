"""The zones of a table under a camera: solved for its size, moved by people, kept with the table.

What people have moved is kept in shares of the table area, ``layouts/<table>.toml`` in the data folder, so it stays
right when the table is marked anew. Without it a measured table has the layout that was solved for its millimetres
(the one that is printed, too), any other the one for an unmeasured table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from companion.games import places
from companion.referee import Match
from companion.server.camera.calibrate import is_whole_picture
from companion.server.camera.table import Watch
from companion.server.show.texts import Context, Texts
from companion.server.show.zones import no_room, reduced, zone_names
from companion.table import Layout, LayoutError, ZoneShape
from companion.table.solve import Plan, solve, typical
from companion.vision.camera.calibration import Calibration, proportions
from companion.vision.images import Pixels
from companion.vision.types import SeenCard, SeenTable, Side, Unit

LEAST_SIDE = 0.02
"""No zone is narrower than this share of the table."""

FORMS = (0.5, 2.5)
"""Width over height of marked tables, at least and at most."""

TOUCHING = 1e-4
"""Zones that overlap by less than this share of the table only touch."""


class ZoneError(ValueError):
    """These zones cannot be: `code` says why, for the catalogues, and `zones` which ones."""

    def __init__(self, code: str, *zones: str) -> None:
        super().__init__(f"{code}: {', '.join(zones)}")
        self.code, self.zones = code, zones


@dataclass(frozen=True, slots=True)
class Laid:
    """The layout of a table, and the plan it comes from; `refused`: why the measured size holds none."""

    layout: Layout
    plan: Plan
    moved: bool = False
    refused: LayoutError | None = None


class Layouts:
    """The layouts of all tables; those that people have moved lie in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pictures: WeakKeyDictionary[Watch, tuple[int, int] | None] = WeakKeyDictionary()
        """Whose zones suit which pictures (width, height); None: where people marked the table."""

    def find(self, table_id: str, match: Match, calibration: Calibration | None) -> Laid:
        """The layout of a table that is seen through `calibration`."""
        plan, refused = _planned(match, calibration)
        own = self._read(table_id)
        if own is not None and own.ids <= zone_names(match).keys():
            return Laid(own, plan, moved=True, refused=refused)
        return Laid(plan.layout, plan, refused=refused)

    def suit(self, watch: Watch, pixels: Pixels, match: Callable[[str], Match], *, single: bool) -> None:
        """Let a watch look at its next picture through zones that suit it. A phone may be held upright over a table
        that nobody has marked; over a marked one only a `single` photograph is taken as it is, whatever its shape."""
        if watch.frame is None:
            return  # the first picture
        height, width = pixels.shape[:2]
        marked = watch.given if watch.given is not None and (watch.given.suits(pixels) or not single) else None
        suited = None if marked is not None else (width, height)
        if self._pictures.get(watch) == suited:
            return
        self._pictures[watch] = suited
        through = marked or Calibration.whole_picture(width, height)
        layout = self.find(watch.table_id, match(watch.table_id), through).layout
        if suited is not None or layout != watch.layout:
            watch.use(layout)

    def in_use(self, table_id: str, match: Match, calibration: Calibration | None, layout: Layout) -> Laid:
        """What is known of `layout`, which a watch looks through: a recording brings its own."""
        found = self.find(table_id, match, calibration)
        return Laid(layout, found.plan, found.moved and found.layout == layout, found.refused)

    def keep(self, table_id: str, layout: Layout) -> None:
        """Keep zones that people have moved, in shares of the table."""
        self._folder.mkdir(parents=True, exist_ok=True)
        new = self._file(table_id).with_suffix(".new")
        new.write_text(layout.to_toml(), encoding="utf-8")
        new.replace(self._file(table_id))

    def forget(self, table_id: str) -> None:
        """Back to the solved layout."""
        self._file(table_id).unlink(missing_ok=True)

    def moved(self, table_id: str) -> bool:
        """Whether people have moved the zones of a table."""
        return self._read(table_id) is not None

    def _file(self, table_id: str) -> Path:
        return self._folder / f"{table_id}.toml"

    def _read(self, table_id: str) -> Layout | None:
        try:
            return Layout.from_toml(self._file(table_id).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None


def _planned(match: Match, calibration: Calibration | None) -> tuple[Plan, LayoutError | None]:
    declared, seats = places(match.game.id, match.setup), len(match.setup.players)
    if calibration is None:
        return typical(declared, seats), None
    form = round(min(FORMS[1], max(FORMS[0], proportions(calibration))), 1)
    if calibration.unit is not Unit.MM:
        return typical(declared, seats, form), None
    try:
        return solve(declared, seats, calibration.size), None
    except LayoutError as error:
        return typical(declared, seats, form), error


def moved(layout: Layout, boxes: Mapping[str, Sequence[float]]) -> Layout:
    """`layout` in shares of the table, with zones in other places: left, top, right, bottom in shares.

    Raises ZoneError when a zone is unknown, leaves the table, is too small, or lies over another one.
    """
    if not rectangular(layout):
        raise ZoneError("zones-fixed")
    whole = layout.for_table(Unit.FRACTION, (1.0, 1.0))
    for zone, (left, top, right, bottom) in boxes.items():
        if zone not in whole.ids:
            raise ZoneError("zone-unknown", zone)
        if min(left, top) < -TOUCHING or max(right, bottom) > 1 + TOUCHING:
            raise ZoneError("zone-outside", zone)
        if right - left < LEAST_SIDE or bottom - top < LEAST_SIDE:
            raise ZoneError("zone-small", zone)
    shapes = tuple(
        ZoneShape(shape.id, _polygon(boxes[shape.id]), shape.turn) if shape.id in boxes else shape
        for shape in whole.zones
    )
    for one, other in combinations(shapes, 2):
        if _overlap(box_of(one), box_of(other)):
            raise ZoneError("zones-overlap", one.id, other.id)
    return Layout(layout.name, Unit.FRACTION, (1.0, 1.0), shapes)


def _polygon(box: Sequence[float]) -> tuple[tuple[float, float], ...]:
    left, top, right, bottom = (round(min(1.0, max(0.0, v)), 5) for v in box)
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def box_of(shape: ZoneShape) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a zone."""
    xs, ys = zip(*shape.polygon, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > TOUCHING and down > TOUCHING


def rectangular(layout: Layout) -> bool:
    """Every zone is a rectangle along the edges: only such can be dragged."""
    return all(
        len(zone.polygon) == 4 and len({x for x, _ in zone.polygon}) == 2 == len({y for _, y in zone.polygon})
        for zone in layout.zones
    )


def zones_json(
    laid: Laid, calibration: Calibration | None, seen: SeenTable | None, match: Match, texts: Texts, lang: str
) -> dict[str, Any]:
    """What the page draws: every zone with its name and what is read in it, and every card, in shares of the table."""
    context = Context(match.setup.players, match.deck, match.game.id, zone_names(match))
    whole = laid.layout.for_table(Unit.FRACTION, (1.0, 1.0))
    cards = _in_shares(seen) if seen is not None else ()
    placed = whole.place(cards)
    measured = calibration is not None and calibration.unit is Unit.MM
    zones = [
        {
            "id": shape.id,
            "label": texts.zone(shape.id, lang, context),
            "outline": [[round(x, 5), round(y, 5)] for x, y in shape.polygon],
            "turn": shape.turn,
            "reads": _read(placed[shape.id], texts, lang, context),
        }
        for shape in whole.zones
    ]
    return {
        "size": list(calibration.size) if calibration is not None and measured else None,
        "whole": is_whole_picture(calibration),
        "moved": laid.moved,
        "fixed": not rectangular(whole),
        "note": _note(laid, texts, lang),
        "zones": zones,
        "cards": [_card(card, whole, texts, lang, context) for card in cards],
    }


def _in_shares(seen: SeenTable) -> tuple[SeenCard, ...]:
    wide, high = seen.size
    return tuple(
        SeenCard(
            card.track, card.face, card.confidence, card.side,
            tuple((x / wide, y / high) for x, y in card.polygon),  # type: ignore[arg-type]
        )
        for card in seen.cards
    )  # fmt: skip


def _read(cards: Sequence[SeenCard], texts: Texts, lang: str, context: Context) -> str:
    known = [_name(card, texts, lang, context) for card in cards if card.side is Side.UP]
    down = sum(card.side is Side.DOWN for card in cards)
    backs = texts.text("ui.cards-down", lang, n=down)
    said = ([" ".join(known)] if known else []) + ([backs] if down else [])
    return texts.text("ui.list-comma", lang).join(said)


def _name(card: SeenCard, texts: Texts, lang: str, context: Context) -> str:
    return texts.card(card.face, lang, context) if card.face is not None else "?"


def _card(card: SeenCard, layout: Layout, texts: Texts, lang: str, context: Context) -> dict[str, Any]:
    return {
        "name": _name(card, texts, lang, context) if card.side is Side.UP else "",
        "side": str(card.side),
        "outline": [[round(x, 4), round(y, 4)] for x, y in card.polygon],
        "zone": layout.zone_of(card.centre),
    }


def _note(laid: Laid, texts: Texts, lang: str) -> str:
    """One sentence about zones for which there is no room; empty when all have theirs."""
    if laid.refused is not None:
        return " ".join((no_room(laid.refused, texts, lang), texts.text("layout.shares", lang)))
    measured = laid.plan.layout.unit is Unit.MM and not laid.moved
    return reduced(laid.plan, laid.plan.layout.size, texts, lang) if measured else ""
