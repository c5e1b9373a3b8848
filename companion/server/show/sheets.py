"""A deck to print and cut out: faces and, for printers that print both sides, backs, with marks where to cut.

As many cards as go on a sheet, nine of poker or bridge size on A4 and Letter. Cards stand a little apart, so that a cut
beside the line still has paper, or the colour of the back, on both sides of it (the bleed).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2

from companion.artwork import STANDARD, Style, back_svg, card_svg
from companion.artwork.vector import operators
from companion.cards import Deck, DeckFileError
from companion.cards.design import SIZES
from companion.shelf import Drawing
from companion.vision.camera.pdf import Form, Image, Page, catalogue, stroke
from companion.vision.images import as_bgr, decode

PAPERS: Mapping[str, tuple[float, float, float]] = {"a4": (210.0, 297.0, 4.0), "letter": (215.9, 279.4, 2.0)}
"""Width and height of the sheets, and the gap between cards, mm."""
CARDS = ("deck", "poker", "bridge")
MARGIN = 5.0
"""No printer prints nearer (mm) to the edge of a sheet."""
MARK = 3.0
"""Length (mm) of the lines that show where to cut."""
BLEED = 2.0
"""A picture that is the whole card goes so far (mm) beyond the cut."""
_DOTS = 300 / 25.4
_TINT = 0.72
"""How far areas are bleached to save ink."""

PRINT: Mapping[str, Any] = {
    "deck": {"type": "string", "maxLength": 60, "default": "65", "description": "A deck's name."},
    "paper": {"enum": [*PAPERS], "default": "a4"},
    "size": {"enum": [*CARDS], "default": "deck", "description": "The cards' size; deck: the deck's own."},
    "backs": {"enum": ["yes", "no"], "default": "yes", "description": "Backs on every second sheet, for both sides."},
    "ink": {"enum": ["full", "saving"], "default": "full", "description": "saving: areas are light."},
}


@dataclass(frozen=True, slots=True)
class Sheets:
    """How a deck is printed. `size`: one of `CARDS`; `ink`: ``full`` or ``saving``."""

    paper: str = "a4"
    size: str = "deck"
    backs: bool = True
    ink: str = "full"

    def card(self, of: Deck) -> tuple[float, float]:
        """Width and height of a card, mm."""
        return of.card_size if self.size == "deck" else SIZES[self.size]

    def grid(self, of: Deck) -> tuple[int, int]:
        """Columns and rows of cards on a sheet."""
        (width, height, gap), (w, h) = PAPERS[self.paper], self.card(of)
        return max(1, int((width - 2 * MARGIN + gap) / (w + gap))), max(1, int((height - 2 * MARGIN + gap) / (h + gap)))

    def count(self, of: Deck) -> int:
        """How many sheets of paper the deck takes."""
        columns, rows = self.grid(of)
        return -(-of.size // (columns * rows))


def deck_pdf(of: Deck, sheets: Sheets, pictures: Mapping[str, Drawing] | None = None) -> bytes:
    """The deck as PDF, copies included. `pictures`: one's own drawings by the code of the card; one that is named after
    the card is the whole card, one named after its picture stands inside the frame. Raises DeckFileError for a drawing
    that cannot be read."""
    own = pictures or {}
    width, height = sheets.card(of)
    style = replace(STANDARD.sized(width, height), border="none")
    scale = width / style.width
    images = {file: f"P{number}" for number, file in enumerate(dict.fromkeys(own.values()))}
    forms: dict[str, Form | Image] = {name: _image(file) for file, name in images.items()}
    names = {}
    for number, face in enumerate(of.faces):
        names[face.code] = f"C{number}"
        drawn = operators(card_svg(face, of, style), _tinted if sheets.ink == "saving" else lambda colour: colour)
        picture = own.get(face.code)
        if picture is not None:
            bleed = BLEED / scale if picture.stem == face.code else None
            drawn = _with_picture(drawn, images[picture], forms[images[picture]], style, bleed)
        forms[f"C{number}"] = _form(drawn, style, sheets, scale)
    forms["Back"] = _form(_back(style, sheets, scale), style, sheets, scale)
    columns, rows = sheets.grid(of)
    cards, each = list(of), columns * rows
    pages = []
    for first in range(0, len(cards), each):
        laid = [names[code] for code in cards[first : first + each]]
        pages.append(_sheet(laid, of, sheets, mirrored=False))
        if sheets.backs:
            pages.append(_sheet(["Back"] * len(laid), of, sheets, mirrored=True))
    return catalogue(pages, forms)


def _form(drawn: str, style: Style, sheets: Sheets, scale: float) -> Form:
    bleed = PAPERS[sheets.paper][2] / 2
    box = (-bleed, -style.height * scale - bleed, style.width * scale + bleed, bleed)
    return Form(box, f"q {scale:.5f} 0 0 {scale:.5f} 0 0 cm\n{drawn}\nQ")


def _tinted(colour: str) -> str:
    """A colour bleached; what is light already stays."""
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)] if colour.startswith("#") else [255, 255, 255]
    return "#" + "".join(f"{round(255 - (255 - part) * (1 - _TINT)):02x}" for part in parts)


def _back(style: Style, sheets: Sheets, scale: float) -> str:
    if sheets.ink == "saving":
        return operators(back_svg(_tinted("#1d3f8f"), style, bleed=0.0))
    return operators(back_svg(style=style, bleed=PAPERS[sheets.paper][2] / 2 / scale))


def _image(file: Drawing) -> Image:
    """A drawing as JPEG, not finer than a printer prints."""
    try:
        pixels = decode(file.read(), file.name)
    except (ValueError, OSError) as error:
        raise DeckFileError(f"{file.name} is no picture that can be read", "picture", value=file.name) from error
    scale = min(1.0, 100 * _DOTS / max(pixels.shape[:2]))
    if scale < 1:
        width, height = (max(1, round(side * scale)) for side in pixels.shape[1::-1])
        pixels = as_bgr(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA))
    good, body = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 92])
    if not good:
        raise DeckFileError(f"{file.name} is no picture that can be read", "picture", value=file.name)
    return Image(pixels.shape[1], pixels.shape[0], body.tobytes())


def _with_picture(drawn: str, name: str, image: Form | Image, style: Style, bleed: float | None) -> str:
    """The card with a drawing of one's own: over everything, and so far (`style`'s mm) beyond its edge as `bleed` says;
    None: inside the frame, so that the corners stay."""
    assert isinstance(image, Image)
    w, h, whole = style.width, style.height, bleed is not None
    left, top = (0.24 * w, 0.225 * h) if bleed is None else (-bleed, -bleed)
    wide, high = w - 2 * left, h - 2 * top
    scale = max(wide / image.width, high / image.height) if whole else min(wide / image.width, high / image.height)
    iw, ih = image.width * scale, image.height * scale
    x, y = left + (wide - iw) / 2, -(top + (high + ih) / 2)
    white = "" if whole else f"1 1 1 rg {left:.3f} {-(top + high):.3f} {wide:.3f} {high:.3f} re f "
    clip = f"{left:.3f} {-(top + high):.3f} {wide:.3f} {high:.3f} re W n"
    return f"{drawn}\n{white}q {clip} {iw:.3f} 0 0 {ih:.3f} {x:.3f} {y:.3f} cm /{name} Do Q"


def _sheet(laid: Sequence[str], of: Deck, sheets: Sheets, *, mirrored: bool) -> Page:
    """One side of a sheet; backs are laid from the right, so that each lies behind its face."""
    (width, height, gap), (w, h) = PAPERS[sheets.paper], sheets.card(of)
    columns, rows = sheets.grid(of)
    left = (width - columns * w - (columns - 1) * gap) / 2
    top = (height + rows * h + (rows - 1) * gap) / 2
    drawn = []
    for number, name in enumerate(laid):
        column, row = number % columns, number // columns
        column = columns - 1 - column if mirrored else column
        x, y = left + column * (w + gap), top - row * (h + gap)
        drawn.append(f"q 1 0 0 1 {x:.3f} {y:.3f} cm /{name} Do Q")
    if not mirrored:
        for number in range(len(laid)):
            column, row = number % columns, number // columns
            x, y = left + column * (w + gap), top - row * (h + gap)
            last = number + columns >= len(laid), number + 1 >= len(laid) or column + 1 == columns
            drawn += _marks(x, y, w, h, [MARK if end else gap / 2 for end in (row == 0, last[0], column == 0, last[1])])
    return Page(width, height, "\n".join(drawn))


def _marks(x: float, y: float, w: float, h: float, reach: Sequence[float]) -> Iterator[str]:
    """Where to cut round a card whose left top is (x, y): lines that begin outside its corners. `reach`: how far above,
    below, to the left and to the right, mm."""
    off = 0.5
    above, below, left, right = reach
    for at in (x, x + w):
        yield stroke(at, y + off, at, y + above, 0.0, 0.12)
        yield stroke(at, y - h - off, at, y - h - below, 0.0, 0.12)
    for at in (y, y - h):
        yield stroke(x - off, at, x - left, at, 0.0, 0.12)
        yield stroke(x + w + off, at, x + w + right, at, 0.0, 0.12)
