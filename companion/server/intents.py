"""What a page or a camera asks for, as plain JSON, turned into an event of the journal; and the set-up of a new game.

Everything from outside is measured here: types, sizes, numbers. What passes is well-formed; whether it is right is the
referee's business.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games import Action, Setup, UnknownGameError
from companion.games import game as find_game
from companion.referee import Acted, Corrected, Event, Overruled, Started, TookBack
from companion.server.errors import ApiError

NAME_LENGTH = 40
MOST_CARDS = 120
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


@dataclass(frozen=True, slots=True)
class Intent:
    """An event that somebody wants written, with the number he believes is the last one and his own key for it."""

    event: Event
    seq: int | None
    key: str | None


def intent_from_json(data: Any) -> Intent:
    """Read ``{"intent": "act" | "take-back" | "play-on" | "correct", "seq", "key", …}``. Raises ApiError."""
    body = _object(data)
    seq, key = body.get("seq"), body.get("key")
    if seq is not None:
        seq = _number(seq, "seq")
    if key is not None and (not isinstance(key, str) or not 1 <= len(key) <= 80):
        raise ApiError("bad-field", field="key")
    return Intent(_event(body), seq, key)


def _event(body: Mapping[str, Any]) -> Event:
    match body.get("intent"):
        case "act":
            source = body.get("source", "tap")
            evidence = body.get("evidence")
            if source not in ("tap", "camera"):
                raise ApiError("bad-field", field="source")
            if evidence is not None and (not isinstance(evidence, str) or len(evidence) > 80):
                raise ApiError("bad-field", field="evidence")
            return Acted(_action(body), source, evidence)
        case "take-back":
            return TookBack(_number(body.get("of"), "of"))
        case "play-on":
            return Overruled(_number(body.get("of"), "of"))
        case "correct":
            return Corrected(_number(body.get("of"), "of"), _action(body))
        case _:
            raise ApiError("bad-field", field="intent")


def _object(data: Any) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise ApiError("bad-json")
    return data


def _number(value: Any, field: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**9:
        raise ApiError("bad-field", field=field)
    return value


def _action(body: Mapping[str, Any]) -> Action:
    data = body.get("action")
    if not isinstance(data, dict):
        raise ApiError("bad-field", field="action")
    try:
        action = Action.from_json(data)
    except ValueError as error:
        raise ApiError("bad-field", field="action") from error
    sizes = [len(action.kind), len(action.cards) - MOST_CARDS + 80, *(len(c) for c in action.cards)]
    sizes += [len(name) for name, _ in action.args] + [len(str(value)) // 20 for _, value in action.args]
    if max(sizes) > 80:
        raise ApiError("bad-field", field="action")
    return action


def started_from_json(data: Any, default_name: str) -> Started:
    """Read ``{"game", "players": [names], "deck", "options": {name: value}}``. `default_name` ("Player {n}") names
    those who gave none. Raises ApiError for a wrong shape; the game itself says what it cannot start with."""
    body = _object(data)
    game, players = body.get("game"), body.get("players")
    deck, options = body.get("deck", ""), body.get("options", {})
    if not isinstance(game, str) or len(game) > 80:
        raise ApiError("bad-field", field="game")
    if not isinstance(players, list) or not 1 <= len(players) <= 64 or not all(isinstance(p, str) for p in players):
        raise ApiError("bad-field", field="players")
    if not isinstance(deck, str) or len(deck) > 80:
        raise ApiError("bad-field", field="deck")
    if not isinstance(options, dict):
        raise ApiError("bad-field", field="options")
    free = _free_texts(game)
    for name, value in options.items():
        if not isinstance(value, str) or len(value) > max(80, free.get(name, 0)):
            raise ApiError("bad-field", field="options")
    names = tuple(clean_name(p) or default_name.format(n=i + 1) for i, p in enumerate(players))
    return Started(game, Setup(names, deck, tuple(sorted(options.items()))))


def _free_texts(name: str) -> dict[str, int]:
    """The options of a game that take a text of the table's own, and how many characters."""
    try:
        return {option.name: option.free for option in find_game(name).options}
    except UnknownGameError:
        return {}  # the game's own error says it better


def clean_name(text: str) -> str:
    """A name as it is kept: one line, no control or direction characters, at most 40 characters."""
    plain = "".join(" " if c.isspace() else c for c in text)
    kept = "".join(c for c in plain if c not in _TURNING and unicodedata.category(c) != "Cc")
    return " ".join(kept.split())[:NAME_LENGTH].strip()
