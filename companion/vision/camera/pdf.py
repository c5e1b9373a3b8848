"""PDF documents of figures in millimetres: what every printer prints at its true size.

Boards, mats and cards are shapes, lines and a few words, so their PDF is written here (PDF 1.4, ISO 32000-1: objects,
cross-reference table, content streams). Words that Helvetica lacks are set in the Japanese font that every PDF reader
brings or replaces (9.7.5.2, predefined CMaps), so that none has to be embedded.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
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


@dataclass(frozen=True, slots=True)
class Form:
    """What is drawn once and placed often. `box`: left, lower, right and upper end, mm; `content`: operators."""

    box: tuple[float, float, float, float]
    content: str


@dataclass(frozen=True, slots=True)
class Image:
    """A picture of `width` x `height` px as JPEG, placed in the unit square."""

    width: int
    height: int
    jpeg: bytes


def catalogue(pages: Sequence[Page], forms: Mapping[str, Form | Image]) -> bytes:
    """A PDF of these pages, which place `forms` by name with ``/Name Do``; forms may place images. Streams are packed;
    fonts are ``/F1`` to ``/F3``, opacity ``/G1`` … ``/G19`` in steps of a twentieth."""
    first = 9 + len(forms)
    kids = " ".join(f"{first + 2 * n} 0 R" for n in range(len(pages)))
    placed = " ".join(f"/{name} {9 + n} 0 R" for n, name in enumerate(forms))
    images = " ".join(f"/{name} {9 + n} 0 R" for n, name in enumerate(forms) if isinstance(forms[name], Image))
    steps = " ".join(f"/G{n} << /ca {n / 20:g} /CA {n / 20:g} >>" for n in range(1, 20))
    shared = f"/Font << /F1 3 0 R /F2 4 0 R /F3 7 0 R >> /ExtGState << {steps} >>"
    objects: list[bytes] = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        *_FONTS,
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
        f"<< {shared} /XObject << {placed} >> >>".encode(),
    ]
    for form in forms.values():
        if isinstance(form, Image):
            head = (
                f"/Type /XObject /Subtype /Image /Width {form.width} /Height {form.height} /ColorSpace /DeviceRGB "
                "/BitsPerComponent 8 /Filter /DCTDecode"
            )
            objects.append(_raw(form.jpeg, head.encode()))
        else:
            box = " ".join(f"{value:.3f}" for value in form.box)
            inner = f"<< {shared} /XObject << {images} >> >>"
            objects.append(_packed(form.content, f"/Type /XObject /Subtype /Form /BBox [{box}] /Resources {inner}"))
    for number, page in enumerate(pages):
        size = f"/MediaBox [0 0 {page.width * POINTS:.3f} {page.height * POINTS:.3f}]"
        refer = f"/Contents {first + 2 * number + 1} 0 R /Resources 8 0 R"
        objects.append(f"<< /Type /Page /Parent 2 0 R {size} {refer} >>".encode())
        objects.append(_packed(f"{POINTS:.6f} 0 0 {POINTS:.6f} 0 0 cm\n{page.content}"))
    return _file(objects)


def _packed(content: str, head: str = "") -> bytes:
    return _raw(zlib.compress(content.encode("cp1252"), 9), f"{head} /Filter /FlateDecode".encode())


def _raw(stream: bytes, head: bytes) -> bytes:
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (head, len(stream), stream)


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
    return _raw(content.encode("cp1252"), head)


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
