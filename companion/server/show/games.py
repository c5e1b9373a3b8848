"""Games as they are chosen: a picture, a name, a sentence, how many play."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from companion import resources
from companion.games import game as find_game
from companion.games import ids, package
from companion.server.show.rulebook import rules_or_sentence
from companion.server.show.texts import Texts

_DRAWING = re.compile(r"<svg\b[^>]*>.*</svg>\s*", re.DOTALL)


def tiles(texts: Texts, lang: str) -> list[dict[str, Any]]:
    """Every game that can be started, as its tile shows it."""
    return [tile(name, texts, lang) for name in ids()]


def tile(name: str, texts: Texts, lang: str) -> dict[str, Any]:
    """A game's id, name, lead, numbers of players and picture."""
    rules = find_game(name)
    return {
        "id": name,
        "name": texts.text(f"game.{name}.name", lang),
        "about": rules_or_sentence(name, lang, texts).lead,
        "least": rules.least_players,
        "most": rules.most_players,
        "picture": picture(name),
    }


@lru_cache(maxsize=64)
def picture(name: str) -> Markup | None:
    """The drawing ``picture.svg`` that lies beside a game's rules; None where there is none. One from outside, whose
    text may hold anything, is not taken: it is no part of this program."""
    folder = package(name)
    file = resources.package(folder) / "picture.svg"
    if not folder.startswith("companion.games.") or not file.is_file():
        return None
    text = file.read_text(encoding="utf-8")
    return Markup(text) if _DRAWING.fullmatch(text) else None
