"""One's own drawings of a deck's cards, as its page gets them: what each is of, and a small picture of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2

from companion.cards import Deck
from companion.shelf import Drawing, drawable, drawings
from companion.vision.images import decode, fit

_SMALL = 320
"""px of the longer side on the page."""


def drawings_json(place: Path, of: Deck, lang: str) -> dict[str, Any]:
    """Those that there are, and what else one may draw. `whole`: the drawing is the whole card, else it stands in the
    middle of all cards of that picture; `of`: changes when the drawing does."""
    cards = set(of.codes)
    may = [{"face": name, "name": named(name, of, lang), "whole": name in cards} for name in drawable(of)]
    drawn = {name: one.changed for name, one in drawings(place, of).items()}
    return {"drawn": [{**one, "of": str(drawn[one["face"]])} for one in may if one["face"] in drawn], "may": may}


def named(name: str, of: Deck, lang: str) -> str:
    """A card or picture as people call it."""
    if name in of.codes:
        return of.face(name).name(lang)
    part = of.design.ranks.get(name) if of.design is not None else None
    return part.names[lang] if part is not None else name


def small(drawing: Drawing) -> bytes:
    """A drawing as a small JPEG. Raises PictureError, OSError."""
    pixels, _ = fit(decode(drawing.read(), drawing.name), _SMALL)
    _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 85])
    return data.tobytes()
