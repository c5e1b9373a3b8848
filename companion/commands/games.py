"""The games there are: those from outside put on the list for a command, and the list itself (`companion games`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from companion.extensions import FOLDER, install_all
from companion.games import game, ids, origin, refused
from companion.server.config import default_data
from companion.server.show.texts import Texts
from companion.shelf import install_decks


def with_games(data: Path | None) -> Path:
    """The data folder (default: the user's), after the games from outside have been put on the list and the decks of
    one's own are known."""
    folder = data or default_data()
    install_all(folder)
    install_decks(folder)
    return folder


def as_json() -> str:
    """Every game and every refused one as one JSON object."""
    texts = Texts.load()
    found = [
        {
            "id": name,
            "names": names(texts, name),
            "players": [game(name).least_players, game(name).most_players],
            "decks": list(game(name).decks),
            "origin": origin(name),
        }
        for name in ids()
    ]
    bad = [{"id": one.name, "origin": one.origin, "reason": one.reason} for one in refused()]
    return json.dumps({"games": found, "refused": bad}, ensure_ascii=False)


def as_table(folder: Path) -> Iterator[str]:
    """Two lines a game, then what cannot be played and why. `folder`: the data folder."""
    texts = Texts.load()
    for name in ids():
        rules = game(name)
        decks = ", ".join(rules.decks[:6]) + (" …" if len(rules.decks) > 6 else "")
        yield f"{name}: {' · '.join(names(texts, name).values())}"
        players = f"{rules.least_players} to {rules.most_players} players"
        yield f"    {players}; {decks}; {origin(name) or 'comes with the program'}"
    for one in refused():
        yield f"{one.name}: cannot be played. {one.reason}"
        yield f"    {one.origin}"
    yield f"Games of your own are looked for in {folder / FOLDER}"


def names(texts: Texts, game: str) -> dict[str, str]:
    """What the game is called, by language."""
    key = f"game.{game}.name"
    return {lang: texts.text(key, lang) for lang in texts.catalogues if texts.has(key, lang)}
