"""The boards as PDF, which every printer prints at its true size; browsers scale an SVG to the sheet.

A board is black and white squares, thin lines and a few words, so its PDF is written here, in millimetres (PDF 1.4,
ISO 32000-1: objects, cross-reference table, content stream).
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.camera.calibration import MATS, TAG_CELLS, TAG_DICTIONARY, Mat

MARGIN = 10.0
_POINTS = 72 / 25.4


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
    drawn = [_frame(MARGIN, MARGIN, mat.width, mat.height, tall)]
    for number in range(4):
        left, top = mat.corners(number)[0]
        drawn.append(_tag(number, MARGIN + float(left), MARGIN + float(top), mat.tag, tall))
    drawn.append(_text(f"{mat.width:g} × {mat.height:g} mm", MARGIN + mat.width / 2 - 14, MARGIN + 5, 4, tall))
    return _document(mat.width + 2 * MARGIN, tall, drawn)


def _tags(side: float) -> bytes:
    """An A4 page with the four tags to cut out, each with its number."""
    drawn = []
    for number in range(4):
        x = 30.0 if number in (0, 3) else 60.0 + side
        y = 30.0 if number in (0, 1) else 70.0 + side
        drawn.append(_frame(x - 8, y - 8, side + 16, side + 22, 297))
        drawn.append(_tag(number, x, y, side, 297))
        drawn.append(_text(f"{number} · {side:g} mm", x + side / 2 - 10, y + side + 9, 5, 297))
    return _document(210, 297, drawn)


def _tag(number: int, x: float, y: float, side: float, tall: float) -> str:
    """A tag with its top left at (x, y) mm: a black square with white cells."""
    dictionary = cv2.aruco.getPredefinedDictionary(TAG_DICTIONARY)
    bits = np.asarray(cv2.aruco.generateImageMarker(dictionary, number, TAG_CELLS, borderBits=1)) > 127
    cell = side / TAG_CELLS
    rows = [f"0 g {_square(x, y, side, tall)}", "1 g"]
    rows += [_square(x + column * cell, y + row * cell, cell, tall) for row, column in np.argwhere(bits)]
    return "\n".join(rows)


def _square(x: float, y: float, side: float, tall: float) -> str:
    return f"{x:.3f} {tall - y - side:.3f} {side:.3f} {side:.3f} re f"


def _frame(x: float, y: float, width: float, height: float, tall: float) -> str:
    return f"0.75 G 0.2 w {x:.3f} {tall - y - height:.3f} {width:.3f} {height:.3f} re S"


def _text(words: str, x: float, y: float, size: float, tall: float) -> str:
    return f"BT 0.55 g /F1 {size:g} Tf {x:.3f} {tall - y:.3f} Td ({words}) Tj ET"


def _document(width: float, height: float, drawn: list[str]) -> bytes:
    """One page of `width` × `height` mm; what is drawn counts mm from the page's lower left."""
    content = f"{_POINTS:.6f} 0 0 {_POINTS:.6f} 0 0 cm\n" + "\n".join(drawn)
    stream = content.encode("cp1252")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width * _POINTS:.3f} {height * _POINTS:.3f}] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>".encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))
    return out + head + table + trailer
