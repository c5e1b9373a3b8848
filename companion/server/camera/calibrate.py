"""Which part of a camera's picture is the table: kept with the table, tried on a picture before it is used.

A calibration is kept as a camera profile, ``cameras/<table>.toml`` in the data folder. A new table under a camera that
has watched before takes over the newest profile of that camera: who calibrated it last week need not do it again. A
camera that people hold or put up anew for each game, such as a phone, hands nothing on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.journal import write_durably
from companion.server.show.texts import Context, Texts
from companion.table import Layout
from companion.table.solve import TAG
from companion.vision.assembly.plane import TablePlane
from companion.vision.camera.calibration import (
    Calibration,
    CalibrationError,
    CameraProfile,
    Mat,
    calibrate_by_tags,
    find_mat,
    straightened,
)
from companion.vision.geometry import CARD_MM, side_lengths
from companion.vision.images import Pixels
from companion.vision.types import CardRead, Point, ReadResult, Side, Unit

PHONE = "push"
"""The source that is the browser of a phone."""

LEAST_CARDS = 4
"""So many cards tell where the table lies."""

LEAST_TABLE, MOST_TABLE = 200.0, 4000.0
"""Sides (mm) that a table under a camera may have."""

LEAST_SIZED = 2
"""So many cards inside four marked corners tell how large the marked part is."""

MOST_SIZED, MOST_WRONG = 5.0, 10.0
"""A table's size is not taken from cards that look so much (mm) too large or too small on it; and what was marked with
cards that look so wrong does not lie so."""

CARD_WIDTHS = (57.0, CARD_MM[0])
"""Bridge and poker cards, mm."""


class Profiles:
    """The camera profiles in a folder, one a table."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, table_id: str, source: str) -> Calibration | None:
        """The calibration for a table under `source`: its own, else the newest of this camera."""
        own = self._read(self._file(table_id))
        if own is not None and own.source == source:
            return own.calibration
        if source == PHONE or not self._folder.is_dir():
            return None
        files = sorted(self._folder.glob("*.toml"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
        profiles = (self._read(file) for file in files)
        return next((p.calibration for p in profiles if p is not None and p.source == source), None)

    def keep(self, table_id: str, source: str, calibration: Calibration) -> None:
        """Keep the calibration of a table under `source`."""
        self._folder.mkdir(parents=True, exist_ok=True)
        write_durably(self._file(table_id), CameraProfile(table_id, source, calibration).to_toml().encode())

    def _file(self, table_id: str) -> Path:
        return self._folder / f"{table_id}.toml"

    @staticmethod
    def _read(file: Path) -> CameraProfile | None:
        """A profile; None where there is none, or one that people wrote and that cannot be."""
        try:
            return CameraProfile.from_toml(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None


MOST_OBLONG, SHAPES = 4.0, 801
"""Tables that four corners may mark are so oblong at most; so many shapes are tried, in equal ratios."""

TOLD, UNSURE = 0.5, 0.06
"""Where cards fit a table as well (mm) whose sides differ by that share, as bridge cards that all lie alike fit a
narrower one, they do not tell its size."""


@dataclass(frozen=True, slots=True)
class AreaRequest:
    """What a person asks for: `corners` (fractions of the picture, clockwise from the table's own top left), or the
    printed mat (`mat`), or the cut-out tags (`tags`) on a table of `size` mm, or all that is seen, measured by the
    cards that lie there (`cards`), or the whole picture (nothing). `lens`: how the lens bends it, as found before.
    """

    corners: tuple[Point, ...] = ()
    mat: bool = False
    tags: bool = False
    cards: bool = False
    size: tuple[float, float] | None = None
    lens: float = 0.0

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AreaRequest:
        """Read a ``TableArea`` of the API. Raises ValueError with the name of the field that does not go with the
        others."""
        corners, size = data.get("corners", []), data.get("size")
        mat, tags, cards = data.get("mat", False), data.get("tags", False), data.get("cards", False)
        if sum([bool(corners), mat, tags, cards]) > 1:
            raise ValueError("mat" if mat else "tags" if tags else "cards")
        if tags and size is None:
            raise ValueError("size")
        lens = float(data.get("lens", 0.0))
        return cls(tuple((x, y) for x, y in corners), mat, tags, cards, (size[0], size[1]) if size else None, lens)

    def on(self, picture: Pixels, read: Callable[[], ReadResult]) -> Calibration:
        """The calibration that the area means on this picture; `read` reads it, if it must be. Raises
        CalibrationError."""
        height, width = picture.shape[:2]
        if self.mat:
            return find_mat(picture)[1]
        if self.tags and self.size is not None:
            return calibrate_by_tags(picture, Mat(*self.size, TAG))
        if self.cards:
            return by_cards(read())
        if self.corners:
            corners = [(x * width, y * height) for x, y in self.corners]
            marked = Calibration.from_corners(corners, self.size, (width, height), self.lens)
            return marked if self.size is not None or is_whole_picture(marked) else sized(marked, read())
        return Calibration.whole_picture(width, height)


def by_cards(read: ReadResult) -> Calibration:
    """What is seen of the table, in mm by the cards that lie on it. Raises CalibrationError when too few do."""
    outlines = [np.asarray(card.polygon, np.float64) for card in read.cards]
    refused = CalibrationError("Lay at least four cards on the table, apart from each other, and try again.", "cards")
    if len(outlines) < LEAST_CARDS:
        raise refused
    plane = TablePlane.fit(outlines, [])
    picture = np.array([[0, 0], [read.width, 0], [read.width, read.height], [0, read.height]], np.float64)
    (a, b), (c, d), (e, f), (g, h) = plane.to_mm(picture).tolist()
    left, right, top, bottom = max(a, g), min(c, e), max(b, d), min(f, h)
    if not (LEAST_TABLE < right - left < MOST_TABLE and LEAST_TABLE < bottom - top < MOST_TABLE):
        raise refused
    corners = plane.to_px(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]))
    size = (round(right - left, 1), round(bottom - top, 1))
    return Calibration.from_corners([(x, y) for x, y in corners.tolist()], size, (read.width, read.height))


def sized(marked: Calibration, read: ReadResult) -> Calibration:
    """The marked part in mm, as large as the cards that lie there say; as it was where they do not say it."""
    found = by_shares(marked, read)
    error = None if found is None else card_error(found, read)
    return marked if found is None or error is None or error > MOST_SIZED else found


def by_shares(marked: Calibration, read: ReadResult) -> Calibration | None:
    """Places known as shares, in mm of that width and height at which the cards inside are most like real ones of
    either width; None with too few cards, or where they tell one of the two only."""
    least = LEAST_CARDS if is_whole_picture(marked) else LEAST_SIZED
    outlines = _inside(marked, read)
    if marked.unit is not Unit.FRACTION or len(outlines) < least:
        return None
    fits = np.concatenate([_shapes(outlines, width) for width in CARD_WIDTHS])
    wrong, wide, high = fits[fits[:, 0].argmin()].tolist()
    like = fits[fits[:, 0] <= wrong + TOLD, 1:]
    known = wrong > MOST_WRONG or (like.max(axis=0) < like.min(axis=0) * (1 + UNSURE)).all()
    possible = all(LEAST_TABLE < side < MOST_TABLE for side in (wide, high))
    return _in_mm(marked, (round(wide, 1), round(high, 1))) if known and possible else None


def _shapes(outlines: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """Tables of many shapes under cards (n, 4, 2, shares of it) of this width (mm): by how much (mm, mean) the sides
    of the cards differ from real ones, width and height (mm)."""
    shapes = np.geomspace(1 / MOST_OBLONG, MOST_OBLONG, SHAPES)
    stretched = outlines * np.stack([shapes, np.ones(SHAPES)], axis=1)[:, None, None]
    sides = np.sort(side_lengths(stretched.reshape(-1, 4, 2)).reshape(SHAPES, -1, 2), axis=2)
    high = np.median(np.array([width, CARD_MM[1]]) / sides, axis=(1, 2))
    wrong = _mean(np.abs(sides * high[:, None, None] - (width, CARD_MM[1])).max(axis=2))
    return np.column_stack([wrong, shapes * high, high])


def _in_mm(marked: Calibration, size: tuple[float, float]) -> Calibration:
    matrix = np.diag([*size, 1.0]) @ np.reshape(marked.matrix, (3, 3))
    return replace(marked, unit=Unit.MM, size=size, matrix=tuple(matrix.ravel().tolist()))


def _inside(calibration: Calibration, read: ReadResult) -> NDArray[np.float64]:
    """Outlines (n, 4, 2) of the cards on the table, in its own units."""
    outlines = [calibration.to_table(card.polygon, (read.width, read.height)) for card in read.cards]
    found: NDArray[np.float64] = np.asarray(outlines, np.float64).reshape(-1, 4, 2)
    middles = found.mean(axis=1)
    kept: NDArray[np.float64] = found[((middles >= 0) & (middles <= calibration.size)).all(axis=1)]
    return kept


def card_error(calibration: Calibration, read: ReadResult) -> float | None:
    """By how much (mm, mean) the sides of the cards on the table differ from those of a real card of either width;
    None without cards or without millimetres."""
    if calibration.unit is not Unit.MM:
        return None
    short, long = np.sort(side_lengths(_inside(calibration, read)), axis=1).T
    wrong = np.maximum(np.min([abs(short - width) for width in CARD_WIDTHS], axis=0), abs(long - CARD_MM[1]))
    return round(float(_mean(wrong)), 1) if len(wrong) else None


def _mean(wrong: NDArray[np.float64]) -> NDArray[np.float64]:
    """Over the last axis; what is no whole card, or found badly, counts for so much at most."""
    return np.asarray(np.minimum(wrong, 2 * MOST_WRONG).mean(axis=-1), np.float64)


def corners_of(calibration: Calibration) -> list[list[float]]:
    """The corners of the table area as fractions of the picture, clockwise from the table's own top left."""
    wide, high = calibration.size
    across, down = calibration.picture
    points = calibration.to_picture([(0, 0), (wide, 0), (wide, high), (0, high)])
    return [[round(x / across, 5), round(y / down, 5)] for x, y in points]


def is_whole_picture(calibration: Calibration | None) -> bool:
    """No calibration at all."""
    return calibration is None or corners_of(calibration) == [[0, 0], [1, 0], [1, 1], [0, 1]]


def card_json(card: CardRead, calibration: Calibration, size: tuple[int, int]) -> dict[str, Any]:
    """A card of a picture of `size` px, its outline as fractions of the table area."""
    wide, high = calibration.size
    outline = [[round(x / wide, 4), round(y / high, 4)] for x, y in calibration.to_table(card.polygon, size)]
    inside = all(0 <= sum(p[axis] for p in outline) / 4 <= 1 for axis in (0, 1))
    return {"face": card.face, "side": str(card.side), "outline": outline, "inside": inside}


def proof_json(
    calibration: Calibration, read: ReadResult, layout: Layout, texts: Texts, lang: str, context: Context
) -> dict[str, Any]:
    """What the page draws over the straightened table: the cards found, and which part is whose."""
    cards = [card_json(card, calibration, (read.width, read.height)) for card in read.cards]
    for card in cards:
        known = card["side"] == Side.UP and card["face"] is not None
        card["name"] = texts.card(card["face"], lang, context) if known else ""
    zones = [
        {"id": zone.id, "label": texts.zone(zone.id, lang, context), "outline": [list(p) for p in zone.polygon]}
        for zone in layout.for_table(Unit.FRACTION, (1.0, 1.0)).zones
    ]
    shares = by_shares(calibration, read) if calibration.unit is Unit.FRACTION else None
    by_tags, measured = calibration.error, card_error(shares or calibration, read)
    return {
        "corners": corners_of(calibration),
        "size": size_of(calibration),
        "lens": calibration.lens,
        "error": by_tags if by_tags is not None else measured,
        "by": "tags" if by_tags is not None else "cards" if measured is not None else None,
        "cards": cards,
        "zones": zones,
    }


def size_of(calibration: Calibration) -> list[float] | None:
    """Width and height (mm) of a table that was measured."""
    return list(calibration.size) if calibration.unit is Unit.MM else None


def flat_jpeg(picture: Pixels, calibration: Calibration, longest: int = 900) -> bytes:
    """The straightened table as JPEG."""
    return bytes(cv2.imencode(".jpg", straightened(picture, calibration, longest))[1])
