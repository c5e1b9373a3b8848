"""The boards as PDF, which every printer prints at its true size; browsers scale an SVG to the sheet."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.camera.calibration import MATS, TAG_CELLS, TAG_DICTIONARY, Mat
from companion.vision.camera.pdf import Page, document, rectangle, words

MARGIN = 10.0


def board_names() -> tuple[str, ...]:
    """``mat-a4`` …, ``tags-a4``."""
    return (*(f"mat-{name}" for name in MATS), "tags-a4")


def board_pdf(name: str) -> bytes:
    """The board `name` as a PDF of one page. Raises KeyError for a board that does not exist."""
    if name == "tags-a4":
        return _tags(60.0)
    return _mat(MATS[name.removeprefix("mat-")])


def _mat(mat: Mat) -> bytes:
    """The mat: four tags, a thin frame between them, its size as plain numbers."""
    tall = mat.height + 2 * MARGIN
    drawn = [rectangle(MARGIN, MARGIN, mat.width, mat.height)]
    for number in range(4):
        left, top = mat.corners(number)[0]
        drawn.append(tag_figure(number, MARGIN + float(left), MARGIN + float(top), mat.tag, tall))
    size = f"{mat.width:g} × {mat.height:g} mm"
    drawn.append(words(size, MARGIN + mat.width / 2 - 14, tall - MARGIN - 5, 4, 0.55))
    return document([Page(mat.width + 2 * MARGIN, tall, "\n".join(drawn))])


def _tags(side: float) -> bytes:
    """An A4 page with the four tags to cut out, each with its number."""
    tall, drawn = 297.0, []
    for number in range(4):
        x = 30.0 if number in (0, 3) else 60.0 + side
        y = 30.0 if number in (0, 1) else 70.0 + side
        drawn.append(rectangle(x - 8, tall - (y - 8) - (side + 22), side + 16, side + 22))
        drawn.append(tag_figure(number, x, y, side, tall))
        drawn.append(words(f"{number} · {side:g} mm", x + side / 2 - 10, tall - (y + side + 9), 5, 0.55))
    return document([Page(210, tall, "\n".join(drawn))])


def tag_figure(number: int, x: float, y: float, side: float, tall: float) -> str:
    """A tag with its top left at (x, y) mm of a sheet `tall` mm high: a black square with white cells."""
    dictionary = cv2.aruco.getPredefinedDictionary(TAG_DICTIONARY)
    bits = np.asarray(cv2.aruco.generateImageMarker(dictionary, number, TAG_CELLS, borderBits=1)) > 127
    cell = side / TAG_CELLS
    rows = [f"0 g {_square(x, y, side, tall)}", "1 g"]
    rows += [_square(x + column * cell, y + row * cell, cell, tall) for row, column in np.argwhere(bits)]
    return "\n".join(rows)


def _square(x: float, y: float, side: float, tall: float) -> str:
    return f"{x:.3f} {tall - y - side:.3f} {side:.3f} {side:.3f} re f"
