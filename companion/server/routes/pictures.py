"""Pictures: drawn cards, evidence from the camera, QR codes. Browsers keep cards for a year: their
address names the version of the drawings."""

from __future__ import annotations

import re
from functools import lru_cache

from flask import Blueprint, Response, current_app, jsonify, request

from companion.artwork import STANDARD, Style, back_svg, card_svg, small_svg
from companion.artwork.glyphs import suit_svg
from companion.artwork.style import FOUR_COLOURS, TWO_COLOURS
from companion.cards import Deck, DeckError, Kind
from companion.cards import deck as find_deck
from companion.journal import JournalError
from companion.server.context import desk
from companion.server.errors import ApiError
from companion.server.schema.openapi import operation

pictures = Blueprint("pictures", __name__)

SVG = ("image/svg+xml",)
VERSION = {"v": {"type": "string", "maxLength": 40, "description": "The version of the drawings, as pages know it."}}
FOUR = {**VERSION, "four": {"type": "string", "maxLength": 1, "description": "Present: four colours."}}
LOOK = {"look": {"enum": ["large"], "description": "Rank and suit alone."}}

_SCREEN = Style(index=1.55, weight=1.2, pips=0.72)
_SCREEN_FOUR = Style(index=1.55, weight=1.2, pips=0.72, colours=dict(FOUR_COLOURS))
_NOUGHTS = re.compile(r"(?:\.0+(?!\d)|(\.\d*?[1-9])0+(?!\d))(?=[^<>]*>)")
"""At the end of a number in a tag they only weigh; what is written on a card stays as it is."""

_YEAR = "public, max-age=31536000, immutable"


def _svg(text: str) -> Response:
    return _kept(Response(text, mimetype="image/svg+xml"))


def _kept(answer: Response) -> Response:
    """Kept for good where the address names the version of the drawings; else asked for again each time."""
    current = request.args.get("v") == current_app.extensions["companion-version"]
    answer.headers["Cache-Control"] = _YEAR if current else "no-cache"
    answer.add_etag()
    answer.make_conditional(request)
    return answer


@pictures.get("/cards/back.svg")
@operation("Pictures", SVG, query=VERSION)
def back() -> Response:
    """A card's back."""
    return _svg(back_svg())


@pictures.get("/suits/<suit>.svg")
@operation("Pictures", SVG, query=FOUR)
def suit_sign(suit: str) -> Response:
    """The sign of a playing-card suit alone, for pickers: fonts of old tablets draw it in any size and colour."""
    if suit not in TWO_COLOURS:
        raise ApiError("404", 404)
    sign = suit_svg(suit, 10, 10, 17, (FOUR_COLOURS if "four" in request.args else TWO_COLOURS)[suit])
    return _svg(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">{sign}</svg>')


@pictures.get("/cards/<deck>.json")
@operation("Pictures", "SmallCards", query=FOUR)
def small_cards(deck: str) -> Response:
    """Every face of a deck as ``?look=large`` draws it, by its code: a whole deck weighs less than three cards that
    travel alone."""
    found, four = _deck(deck), "four" in request.args
    return _kept(jsonify({code: _drawn(found, code, True, four) for code in found.codes}))


def _deck(name: str) -> Deck:
    try:
        return find_deck(name)
    except DeckError as error:
        raise ApiError("no-deck", 404, reason=str(error)) from error


@pictures.get("/cards/<deck>/<face>.svg")
@operation("Pictures", SVG, query={**FOUR, **LOOK})
def card(deck: str, face: str) -> Response:
    """A face. ``?look=large``: rank and suit alone, readable at the size of a fingernail; ``?four``: four colours."""
    found = _deck(deck)
    if face not in found:
        raise ApiError("no-face", 404, face=face[:40], deck=found.name)
    return _svg(_drawn(found, face, request.args.get("look") == "large", "four" in request.args))


@lru_cache(maxsize=1024)
def _drawn(found: Deck, face: str, large: bool, four: bool) -> str:
    style = _SCREEN_FOUR if four else _SCREEN
    one = found.face(face)
    drawing = small_svg(one, found, style) if large else ""
    drawing = drawing or card_svg(one, found, STANDARD if one.kind in (Kind.CUSTOM, Kind.FLOWER) else style)
    return _NOUGHTS.sub(r"\1", drawing)


@pictures.get("/evidence/<key>")
@operation("Pictures", ("image/jpeg", "image/png"))
def evidence(key: str) -> Response:
    """The picture a card was read from."""
    try:
        body, mime = desk().journal.evidence(key)
    except JournalError as error:
        raise ApiError("no-picture", 404) from error
    answer = Response(body, mimetype=mime if mime.startswith("image/") else "application/octet-stream")
    answer.headers["Cache-Control"] = _YEAR
    return answer
