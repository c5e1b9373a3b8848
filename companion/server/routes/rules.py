"""The rule pages: a game's rules with every clause as an anchor, and the house rules in force."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, redirect, request
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion.cards import deck as find_deck
from companion.games import Game, UnknownGameError, ids
from companion.games import game as find_game
from companion.server.context import desk, language
from companion.server.errors import ApiError
from companion.server.page import render
from companion.server.show.rulebook import OWN, house_rules, rules_or_sentence
from companion.server.show.scene import scene_svg

rule_pages = Blueprint("rules", __name__)


@rule_pages.get("/rules")
def rules_index() -> str:
    """Every game, with a link to its rules."""
    texts, lang = desk().texts, language()
    rows = []
    for name in ids():
        rules = find_game(name)
        players = {"least": rules.least_players, "most": rules.most_players}
        title = texts.text(f"game.{name}.name", lang)
        rows.append({"id": name, "name": title, "lead": rules_or_sentence(name, lang, texts).lead, **players})
    return render("rules_index.html", games=rows)


@rule_pages.get("/rules/<name>")
def rules_page(name: str) -> str | Response:
    """A game's rules: ``?table=k7m2xp`` with what is in force at a table, ``?ace=14&ranking=yes`` with these values."""
    texts, lang = desk().texts, language()
    try:
        game = find_game(name)
    except UnknownGameError as error:
        raise ApiError("no-rules", 404, game=name) from error
    table = request.args.get("table", "")
    deck = ""
    if table:
        match = desk().match(table)
        if match.game.id != name:
            return redirect(f"/rules/{match.game.id}?{urlencode({'table': table})}")
        chosen = {option.name: match.setup.option(game, option.name) for option in game.options}
        deck = texts.deck(match.deck.name, lang)
    else:
        chosen = _from_query(game)
    rules = rules_or_sentence(name, lang, texts)
    return render(
        "rules.html",
        game=game,
        table=table,
        deck=deck,
        title=texts.text(f"game.{name}.name", lang),
        rules=rules,
        house=house_rules(game, rules, chosen, texts, lang),
        special=bool(chosen),
        scene=lambda picture: Markup(scene_svg(picture, find_deck(game.decks[0]))),
    )


def _from_query(game: Game[Any]) -> dict[str, str]:
    known = {option.name: (*option.values, OWN) if option.free else option.values for option in game.options}
    chosen = {name: value for name, value in request.args.items() if name in known}
    for name, value in chosen.items():
        if value not in known[name]:
            raise ApiError("bad-option", 404, name=name, value=value)
    return chosen
