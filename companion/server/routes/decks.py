"""The decks page: every deck with its cards, and a check for deck files of one's own."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from companion.cards import DeckError, DeckFileError, deck_from_toml
from companion.cards import deck as find_deck
from companion.games import game, ids
from companion.server.context import desk, language
from companion.server.errors import ApiError
from companion.server.page import render
from companion.server.schema.openapi import operation
from companion.server.show.decks import deck_json, sample
from companion.server.show.texts import NOWHERE

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

EXAMPLE = """\
[deck]
name = { en = "Harbour cards", ja = "港の札" }
copies = 1
separator = "."

[[suits]]
code = "north"
name = { en = "North", ja = "北" }
colour = "blue"

[[suits]]
code = "south"
name = { en = "South", ja = "南" }
colour = "red"

[[pictures]]
code = "tide"
name = { en = "Tide", ja = "潮" }

[[pictures]]
code = "crane"
name = { en = "Crane", ja = "鶴" }

[[extras]]
code = "JK1"
name = { en = "Joker", ja = "ジョーカー" }
"""


@deck_pages.get("/decks")
def decks_page() -> str:
    """All decks; ``?deck=52D2``: all cards of one."""
    texts, lang = desk().texts, language()
    name = request.args.get("deck")
    if name is None:
        groups = [{"id": group, "decks": [_line(one) for one in names]} for group, names in GROUPS.items()]
        return render("decks.html", groups=groups, example=EXAMPLE)
    try:
        found = find_deck(name)
    except DeckError as error:
        raise ApiError("no-deck", 404, reason=str(error)) from error
    played = [texts.text(f"game.{one}.name", lang) for one in ids() if found.name in game(one).decks]
    shown = deck_json(found, texts, lang)
    counts = {face["copies"] for suit in shown["suits"] for face in suit["faces"]}
    copies = counts.pop() if len(counts) == 1 else None
    return render("deck.html", deck=shown, about=texts.deck(found.name, lang), games=played, copies=copies)


def _line(name: str) -> dict[str, Any]:
    return {"name": name, "size": find_deck(name).size, "sample": sample(name)}


@deck_pages.post("/api/deck-files/check")
@operation("Games", "Deck", body=FILE, errors=(422,))
def check_deck() -> Response:
    """Check a deck file. Answers with the deck it describes, or says which table and key is wrong and what belongs
    there."""
    if request.mimetype != FILE:
        raise ApiError("not-toml", 415)
    try:
        found = deck_from_toml(request.get_data().decode("utf-8-sig"), "own")
    except UnicodeDecodeError as error:
        raise _refused("text") from error
    except DeckFileError as error:
        raise _refused(error.code, **error.params) from error
    return jsonify({**deck_json(found, desk().texts, language()), "name": found.names[language()]})


def _refused(code: str, **params: str) -> ApiError:
    sentence = desk().texts.text(f"deckfile.{code}", language(), NOWHERE, **params)
    return ApiError("bad-deck-file", 422, sentence=sentence)
