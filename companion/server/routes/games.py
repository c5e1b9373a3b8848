"""Games that can be started, and the faces of their decks."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from companion.cards import DeckError
from companion.cards import deck as find_deck
from companion.games import game as find_game
from companion.games import ids
from companion.server.context import desk, language
from companion.server.errors import ApiError
from companion.server.schema.openapi import operation
from companion.server.show.decks import deck_json, sample
from companion.server.show.rulebook import option_about, rules_or_sentence
from companion.shelf import install_decks

games_api = Blueprint("games", __name__, url_prefix="/api")


@games_api.get("/games")
@operation("Games", "Games")
def games() -> Response:
    """Every game that can be started: players, decks, options with their values."""
    lang, texts = language(), desk().texts
    rows = []
    own = [one.deck for one in install_decks(desk().config.data) if one.deck is not None]
    for name in ids():
        rules, sheet = find_game(name), rules_or_sentence(name, lang, texts)
        rows.append(
            {
                "id": name,
                "name": texts.text(f"game.{name}.name", lang),
                "about": sheet.lead,
                "least": rules.least_players,
                "most": rules.most_players,
                "cards": sample(rules.decks[0]),
                "decks": [
                    {"name": d, "text": texts.deck(d, lang)}
                    for d in (*rules.decks, *(one.name for one in own if rules.unfit(one) is None))
                ],
                "recommended": [
                    {"players": count, "deck": row.deck, "text": texts.recommended(row, lang)}
                    for count in range(rules.least_players, rules.most_players + 1)
                    for row in rules.recommended_decks(count)
                ],
                "options": [
                    {
                        "name": o.name,
                        "label": texts.option(name, o.name, lang),
                        "about": option_about(rules, o, sheet, texts, lang),
                        "clause": texts.clause(o.clause, lang),
                        "values": [{"value": v, "text": texts.option(name, o.name, lang, v)} for v in o.values],
                        "free": o.free,
                    }
                    for o in rules.options
                ],
            }
        )
    return jsonify(games=rows)


@games_api.get("/guide/<name>")
@operation("Games", "Guide")
def guide(name: str) -> Response:
    """The hints of a first round: what the game is about, its actions by kind, and the controls of the page."""
    if name not in ids():
        raise ApiError("no-guide", 404)
    texts, lang = desk().texts, language()
    found: dict[str, str] = {}
    for part in ("common", name):
        start = f"guide.{part}."
        found |= {k[len(start) :]: text for k, text in texts.catalogues[lang].items() if k.startswith(start)}
    return jsonify(steps=found)


@games_api.get("/decks/<name>")
@operation("Games", "Deck")
def deck(name: str) -> Response:
    """The faces of a deck by suit, for the picker."""
    try:
        found = find_deck(name)
    except DeckError as error:
        raise ApiError("no-deck", 404, reason=str(error)) from error
    answer = jsonify(deck_json(found, desk().texts, language()))
    answer.headers["Cache-Control"] = "private, max-age=3600"
    return answer
