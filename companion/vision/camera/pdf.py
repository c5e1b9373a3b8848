"""PDF documents of black, white and grey figures in millimetres: what every printer prints at its true size.

Boards and mats are squares, lines and a few words, so their PDF is written here (PDF 1.4, ISO 32000-1: objects,
cross-reference table, content streams). Words that Helvetica lacks are set in the Japanese font that every PDF reader
brings or replaces (9.7.5.2, predefined CMaps), so that none has to be embedded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

POINTS = 72 / 25.4

_FONTS = (
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    b"<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiKakuGo-W5 /Encoding /UniJIS-UTF16-H /DescendantFonts [5 0 R] >>",
    b"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiKakuGo-W5 /DW 1000 /FontDescriptor 6 0 R "
    b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>",
    b"<< /Type /FontDescriptor /FontName /HeiseiKakuGo-W5 /Flags 4 /FontBBox [-92 -250 1010 922] /ItalicAngle 0 "
    b"/Ascent 752 /Descent -221 /CapHeight 737 /StemV 114 >>",
)


@dataclass(frozen=True, slots=True)
class Page:
    """A sheet of `width` × `height` mm; `content`: operators that count mm from its lower left corner."""

    width: float
    height: float
    content: str


def document(pages: Sequence[Page], figure: Page | None = None) -> bytes:
    """A PDF of these pages. `figure`: drawn once, placed by pages with ``/Fig Do``."""
    resources = b"<< /Font << /F1 3 0 R /F2 4 0 R >>" + (b" /XObject << /Fig 7 0 R >>" if figure else b"") + b" >>"
    first = 8 if figure else 7
    kids = " ".join(f"{first + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        *_FONTS,
    ]
    if figure is not None:
        head = f"/Type /XObject /Subtype /Form /BBox [0 0 {figure.width:.3f} {figure.height:.3f}] /Resources ".encode()
        objects.append(_stream(figure.content, head + b"<< /Font << /F1 3 0 R /F2 4 0 R >> >>"))
    for number, page in enumerate(pages):
        size = f"/MediaBox [0 0 {page.width * POINTS:.3f} {page.height * POINTS:.3f}]".encode()
        content = f"/Contents {first + 2 * number + 1} 0 R".encode()
        objects.append(b"<< /Type /Page /Parent 2 0 R %s %s /Resources %s >>" % (size, content, resources))
        objects.append(_stream(f"{POINTS:.6f} 0 0 {POINTS:.6f} 0 0 cm\n{page.content}"))
    return _file(objects)


def _stream(content: str, head: bytes = b"") -> bytes:
    stream = content.encode("cp1252")
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (head, len(stream), stream)


def _file(objects: Sequence[bytes]) -> bytes:
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))
    return out + head + table + trailer


def words(text: str, x: float, y: float, size: float, grey: float = 0.35, turn: float = 0.0) -> str:
    """`text` with its baseline beginning at (x, y), mm from the lower left; `turn`: degrees clockwise."""
    cos, sin = math.cos(math.radians(turn)), -math.sin(math.radians(turn))
    runs = " ".join(f"/{font} {size:g} Tf {shown} Tj" for font, shown in _runs(text))
    return f"BT {grey:g} g {cos:.4f} {sin:.4f} {-sin:.4f} {cos:.4f} {x:.3f} {y:.3f} Tm {runs} ET"


def width_of(text: str, size: float) -> float:
    """About how wide `text` is set, mm: Japanese letters are square, others half as wide."""
    return sum(size * (1.0 if font == "F2" else 0.56) for font, letters in _fonts(text) for _ in letters)


def _runs(text: str) -> Iterator[tuple[str, str]]:
    for font, letters in _fonts(text):
        if font == "F2":
            yield font, f"<{letters.encode('utf-16-be').hex()}>"
        else:
            escaped = letters.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
            yield font, f"({escaped})"


def _fonts(text: str) -> Iterator[tuple[str, str]]:
    for font, letters in groupby(text, key=_font):
        yield font, "".join(letters)


def _font(letter: str) -> str:
    try:
        letter.encode("cp1252")
    except UnicodeEncodeError:
        return "F2"
    return "F1"


def rectangle(x: float, y: float, width: float, height: float, grey: float = 0.75, line: float = 0.2) -> str:
    """An outline; (x, y) is its lower left corner."""
    return f"{grey:g} G {line:g} w {x:.3f} {y:.3f} {width:.3f} {height:.3f} re S"


def stroke(ax: float, ay: float, bx: float, by: float, grey: float = 0.5, line: float = 0.2) -> str:
    """A line from a to b."""
    return f"{grey:g} G {line:g} w {ax:.3f} {ay:.3f} m {bx:.3f} {by:.3f} l S"
