"""Pictures: drawn cards, evidence from the camera, QR codes. Cards never change, so browsers keep them for a year."""

from __future__ import annotations

from functools import lru_cache

from flask import Blueprint, Response, request

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
FOUR = {"four": {"type": "string", "maxLength": 1, "description": "Present: four colours."}}
LOOK = {"look": {"enum": ["large"], "description": "Rank and suit alone."}}

_SCREEN = Style(index=1.55, weight=1.2, pips=0.72)
_SCREEN_FOUR = Style(index=1.55, weight=1.2, pips=0.72, colours=dict(FOUR_COLOURS))
_YEAR = "public, max-age=31536000, immutable"


def _svg(text: str, cache: str = _YEAR) -> Response:
    answer = Response(text, mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = cache
    return answer


@pictures.get("/cards/back.svg")
@operation("Pictures", SVG)
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


@pictures.get("/cards/<deck>/<face>.svg")
@operation("Pictures", SVG, query={**FOUR, **LOOK})
def card(deck: str, face: str) -> Response:
    """A face. ``?look=large``: rank and suit alone, readable at the size of a fingernail; ``?four``: four colours."""
    try:
        found = find_deck(deck)
    except DeckError as error:
        raise ApiError("no-deck", 404, reason=str(error)) from error
    if face not in found:
        raise ApiError("no-face", 404, face=face[:40], deck=found.name)
    return _svg(_drawn(found, face, request.args.get("look") == "large", "four" in request.args))


@lru_cache(maxsize=1024)
def _drawn(found: Deck, face: str, large: bool, four: bool) -> str:
    style = _SCREEN_FOUR if four else _SCREEN
    one = found.face(face)
    if large and (small := small_svg(one, found, style)):
        return small
    return card_svg(one, found, STANDARD if one.kind in (Kind.CUSTOM, Kind.FLOWER) else style)


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
