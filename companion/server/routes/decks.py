"""The decks: all of them with their cards, one's own described, checked, kept and shared, and any of them printed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from flask import Blueprint, Response, jsonify, request

from companion.cards import Deck, DeckError, DeckFileError, own_deck, preview
from companion.cards import deck as find_deck
from companion.cards.deckfields import INKS
from companion.cards.design import EMBLEMS, MARKS, SIZES
from companion.cards.ready import READY, as_toml, title
from companion.packs import MOST_PACK
from companion.server.camera.shown import learned_json
from companion.server.context import MOST_PICTURE, admitted, desk, language
from companion.server.errors import ApiError
from companion.server.page import render
from companion.server.schema.openapi import operation, query
from companion.server.show.decks import deck_json, fans_svg, games_of, shown_cards
from companion.server.show.drawings import drawings_json
from companion.server.show.sheets import PRINT, Sheets, deck_pdf
from companion.server.show.texts import NOWHERE, deck_code
from companion.shelf import Drawing, install_decks, own_pictures, packed, place_on_shelf, put

deck_pages = Blueprint("decks", __name__)

FILE = "application/toml"
GROUPS: dict[str, tuple[str, ...]] = {
    "trump": tuple(f"{cards}D{sets}" for cards in (52, 48, 40, 36) for sets in (1, 2, 3)),
    "jokers": ("53", "54", "trading"),
    "tiles": (*(f"M{width}D{sets}" for width in (9, 7) for sets in (1, 2, 3, 4)), "M9D4C3", "M9D3C2"),
    "tesca": tuple(f"T{cards}D{sets}" for cards in (52, 44, 36) for sets in (1, 2, 3)),
    "pictures": ("65", "hanafuda"),
}
"""All decks, as the page groups them."""

ORDER = tuple(name for names in GROUPS.values() for name in names)
_LARGEST = 200_000
_START = {"like": {"enum": list(READY), "default": "65", "description": "What to start from."}}
NAME = {"name": {"type": "string", "maxLength": 60, "default": "deck", "description": "What the file is called."}}


@deck_pages.get("/decks")
def decks_page() -> str:
    """All decks; ``?deck=52D2``: all cards of one."""
    texts, lang = desk().texts, language()
    name = request.args.get("deck")
    if name is not None:
        return _deck_page(name)
    groups = [
        {
            "id": group,
            "decks": [{"name": one, "size": find_deck(one).size, "at": ORDER.index(one)} for one in names],
        }
        for group, names in GROUPS.items()
    ]
    found = install_decks(desk().config.data)
    own = [
        {"name": one.deck.name, "title": one.deck.names[lang], "size": one.deck.size, "cards": shown_cards(one.deck)}
        for one in found
        if one.deck is not None
    ]
    bad = [(one.place.name, _sentence(one.error)) for one in found if one.error is not None]
    starts = [(ready, title(ready)[lang]) for ready in READY]
    look = {
        "marks": MARKS, "pictures": EMBLEMS, "sizes": SIZES, "colours": list(INKS)[:-1],
        "words": begun_by("decks.form.", lang), "most": MOST_PACK,
    }  # fmt: skip
    return render(
        "decks.html", groups=groups, own=own, bad=bad, starts=starts, look=look, may_keep=admitted(),
        titles={one: texts.deck_kind(one, lang) for one in ORDER}, codes={one: deck_code(one) for one in ORDER},
    )  # fmt: skip


def begun_by(begun: str, lang: str) -> dict[str, str]:
    """The sentences whose keys begin so, by the rest of their keys: for a page whose script fills them in."""
    return {key[len(begun) :]: text for key, text in desk().texts.catalogues[lang].items() if key.startswith(begun)}


def _deck_page(name: str) -> str:
    texts, lang = desk().texts, language()
    found = found_deck(name)
    fits = {texts.text(f"game.{one}.name", lang): unfit for one, unfit in games_of(found).items()}
    shown = deck_json(found, texts, lang)
    counts = {face["copies"] for suit in shown["suits"] for face in suit["faces"]}
    place = place_on_shelf(desk().config.data, found.name)
    return render(
        "deck.html",
        deck=shown,
        own=found.design is not None,
        title=found.names[lang] if found.design else texts.deck_kind(found.name, lang),
        about=texts.deck(found.name, lang),
        size=" × ".join(f"{side:g}" for side in found.card_size),
        games=[name for name, unfit in fits.items() if unfit is None],
        refused=[(name, texts.text(unfit.why, lang)) for name, unfit in fits.items() if unfit is not None],
        copies=counts.pop() if len(counts) == 1 else None,
        sheets=Sheets(),
        learned=learned_json(found, desk().config.data, lang) if admitted() else None,
        faces=len(found.codes),
        kept=place is not None,
        may_keep=admitted(),
        drawn=drawings_json(place, found, lang) if place is not None and admitted() else None,
        most=MOST_PICTURE,
        said=begun_by("decks.drawings.", lang),
    )


def found_deck(name: str) -> Deck:
    """The deck of that name. Raises ApiError 404."""
    try:
        return find_deck(name)
    except DeckError as error:
        raise ApiError("no-deck", 404, reason=str(error)) from error


@deck_pages.get("/decks/fans.svg")
@operation("Pictures", ("image/svg+xml",))
def fans() -> Response:
    """Three cards of every deck, one deck below the other: one picture for the whole list."""
    answer = Response(_fans(), mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = "public, max-age=86400"
    return answer


@cache
def _fans() -> str:
    return fans_svg([(find_deck(name), shown_cards(find_deck(name))) for name in ORDER])


@deck_pages.get("/decks/print.pdf")
@operation("Games", ("application/pdf",), query=PRINT, errors=(404, 422))
def print_deck() -> Response:
    """A deck to print and cut out, nine cards a sheet."""
    found = found_deck(query("deck"))
    sheets = Sheets(query("paper"), query("size"), query("backs") == "yes", query("ink"))
    place = place_on_shelf(desk().config.data, found.name)
    pictures = own_pictures(place, found) if place is not None else {}
    answer = Response(_pdf(found, sheets, pictures), mimetype="application/pdf")
    answer.headers["Content-Disposition"] = f'attachment; filename="{found.name.partition("~")[0]}.pdf"'
    return answer


def _pdf(found: Deck, sheets: Sheets, pictures: Mapping[str, Drawing]) -> bytes:
    try:
        return deck_pdf(found, sheets, pictures)
    except DeckFileError as error:
        raise bad_deck_file(error) from error


@deck_pages.get("/decks/pack")
@operation("Games", ("application/zip",), query={"deck": PRINT["deck"]}, errors=(404,))
def pack_deck() -> Response:
    """A deck of one's own as one file, with its pictures and what a camera has learned of it."""
    found = found_deck(query("deck"))
    place = place_on_shelf(desk().config.data, found.name)
    if place is None:
        raise ApiError("no-deck", 404, reason=found.name)
    answer = Response(packed(place), mimetype="application/zip")
    answer.headers["Content-Disposition"] = f'attachment; filename="{found.name.partition("~")[0]}.deck"'
    return answer


@deck_pages.get("/api/deck-files/start")
@operation("Games", "DeckText", query=_START)
def start_deck() -> Response:
    """The deck file of a ready-made deck, to make it one's own."""
    return jsonify(file=as_toml(query("like")))


@deck_pages.post("/api/deck-files/check")
@operation("Games", "OwnDeck", body=FILE, query=NAME, errors=(422,))
def check_deck() -> Response:
    """Check a deck file. Answers with the deck it describes and the games that take it, or says which table and key is
    wrong and what belongs there."""
    found, _ = _sent()
    return jsonify(own_json(preview(found)))


@deck_pages.post("/api/deck-files")
@operation("Games", "OwnDeck", body=FILE, query=NAME, status=201, errors=(403, 422))
def keep_deck() -> Response:
    """Check a deck file and keep it: games can be played with it from now on. One of the same name is replaced; what
    was played with it stays as it was."""
    if not admitted():
        raise ApiError("not-admitted", 403)
    _, text = _sent()
    kept = put(desk().config.data, text, query("name"))
    assert kept.deck is not None
    answer = jsonify(own_json(kept.deck))
    answer.status_code = 201
    return answer


def _sent() -> tuple[Deck, str]:
    """The deck in the body of the request, and its text. Raises ApiError."""
    if request.mimetype != FILE:
        raise ApiError("not-toml", 415)
    body = request.get_data()
    try:
        if len(body) > _LARGEST:
            raise DeckFileError("too long", "long")
        text = body.decode("utf-8-sig")
        return own_deck(text, query("name")), text
    except UnicodeDecodeError as error:
        raise bad_deck_file(DeckFileError("no text", "text")) from error
    except DeckFileError as error:
        raise bad_deck_file(error) from error


def bad_deck_file(error: DeckFileError) -> ApiError:
    """What is wrong with a deck file, as an answer."""
    return ApiError("bad-deck-file", 422, sentence=_sentence(error))


def _sentence(error: DeckFileError) -> str:
    return desk().texts.text(f"deckfile.{error.code}", language(), NOWHERE, **error.params)


def own_json(found: Deck) -> dict[str, Any]:
    """A deck of one's own, with what its file says and the games that take it."""
    texts, lang = desk().texts, language()
    assert found.design is not None
    games = [
        {
            "name": texts.text(f"game.{one}.name", lang),
            "fits": unfit is None,
            "why": "" if unfit is None else texts.text(unfit.why, lang),
        }
        for one, unfit in games_of(found).items()
    ]
    parts = tomllib.loads(found.design.text)
    shape = [*found.card_size]
    return {**deck_json(found, texts, lang), "title": found.names[lang], "games": games, "parts": parts, "shape": shape}
