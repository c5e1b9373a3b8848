"""Which part of a camera's picture is the table: kept with the table, tried on a picture before it is used.

A calibration is kept as a camera profile, ``cameras/<table>.toml`` in the data folder. A new table under a camera that
has watched before takes over the newest profile of that camera: who calibrated it last week need not do it again. A
camera that people hold or put up anew for each game, such as a phone, hands nothing on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from companion.journal import write_durably
from companion.server.show.texts import Context, Texts
from companion.table import Layout
from companion.table.solve import TAG
from companion.vision.camera.calibration import (
    Calibration,
    CameraProfile,
    Mat,
    calibrate_by_tags,
    find_mat,
    straightened,
)
from companion.vision.images import Pixels
from companion.vision.types import CardRead, Point, ReadResult, Side, Unit

PHONE = "push"
"""The source that is the browser of a phone."""


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
    printed mat (`mat`), or the cut-out tags (`tags`) on a table of `size` mm, or the whole picture (nothing)."""

    corners: tuple[Point, ...] = ()
    mat: bool = False
    tags: bool = False
    size: tuple[float, float] | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AreaRequest:
        """Read a ``TableArea`` of the API. Raises ValueError with the name of the field that does not go with the
        others."""
        corners, size = data.get("corners", []), data.get("size")
        mat, tags = data.get("mat", False), data.get("tags", False)
        if sum([bool(corners), mat, tags]) > 1:
            raise ValueError("mat" if mat else "tags")
        if tags and size is None:
            raise ValueError("size")
        return cls(tuple((x, y) for x, y in corners), mat, tags, (size[0], size[1]) if size else None)

    def on(self, picture: Pixels) -> Calibration:
        """The calibration that the area means on this picture. Raises CalibrationError."""
        height, width = picture.shape[:2]
        if self.mat:
            return find_mat(picture)[1]
        if self.tags and self.size is not None:
            return calibrate_by_tags(picture, Mat(*self.size, TAG))
        if self.corners:
            corners = [(x * width, y * height) for x, y in self.corners]
            return Calibration.from_corners(corners, self.size, (width, height))
        return Calibration.whole_picture(width, height)


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
    return {"corners": corners_of(calibration), "size": _measured(calibration), "cards": cards, "zones": zones}


def _measured(calibration: Calibration) -> list[float] | None:
    return list(calibration.size) if calibration.unit is Unit.MM else None


def flat_jpeg(picture: Pixels, calibration: Calibration, longest: int = 900) -> bytes:
    """The straightened table as JPEG."""
    return bytes(cv2.imencode(".jpg", straightened(picture, calibration, longest))[1])
