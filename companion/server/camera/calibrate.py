"""Which part of a camera's picture is the table: kept with the table, tried on a picture before it is used.

A calibration is kept as a camera profile, ``cameras/<table>.toml`` in the data folder. A new table under a camera that
has watched before takes over the newest profile of that camera: who calibrated it last week need not do it again. A
camera that people hold or put up anew for each game, such as a phone, hands nothing on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

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
            return Calibration.from_corners(corners, self.size, (width, height), self.lens)
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


def card_error(calibration: Calibration, read: ReadResult) -> float | None:
    """By how much (mm, median) the sides of the cards on the table differ from those of a real card of either width;
    None without cards or without millimetres."""
    if calibration.unit is not Unit.MM:
        return None
    wrong = []
    for card in read.cards:
        outline = np.array(calibration.to_table(card.polygon, (read.width, read.height)))
        middle = outline.mean(axis=0)
        if (middle < 0).any() or (middle > calibration.size).any():
            continue
        short, long = sorted(side_lengths(outline[None])[0].tolist())
        wrong.append(max(min(abs(short - width) for width in CARD_WIDTHS), abs(long - CARD_MM[1])))
    return round(float(np.median(wrong)), 1) if wrong else None


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
    by_tags, measured = calibration.error, card_error(calibration, read)
    return {
        "corners": corners_of(calibration),
        "size": _measured(calibration),
        "lens": calibration.lens,
        "error": by_tags if by_tags is not None else measured,
        "by": "tags" if by_tags is not None else "cards" if measured is not None else None,
        "cards": cards,
        "zones": zones,
    }


def _measured(calibration: Calibration) -> list[float] | None:
    return list(calibration.size) if calibration.unit is Unit.MM else None


def flat_jpeg(picture: Pixels, calibration: Calibration, longest: int = 900) -> bytes:
    """The straightened table as JPEG."""
    return bytes(cv2.imencode(".jpg", straightened(picture, calibration, longest))[1])
