"""What a page or a camera asks for, as plain JSON that fits its schema, turned into an event of the journal; and the
set-up of a new game. Whether it is right is the referee's business.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games import Action, Setup, UnknownGameError
from companion.games import game as find_game
from companion.referee import Acted, Corrected, Event, Finished, Match, Overruled, Started, TookBack
from companion.server.access import Access
from companion.server.errors import ApiError
from companion.server.show.mask import may_revise

NAME_LENGTH = 40
OPTION_LENGTH = 80
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


@dataclass(frozen=True, slots=True)
class Intent:
    """An event that somebody wants written, with the number he believes is the last one and his own key for it."""

    event: Event
    seq: int | None
    key: str | None


def intent_from_json(body: Mapping[str, Any]) -> Intent:
    """A body that fits the schema `Intent` as an event."""
    return Intent(_event(body), _number(body.get("seq")), body.get("key"))


def may_write(event: Event, match: Match, access: Access) -> bool:
    """May this device write `event`? A seat acts for itself, and takes back or corrects what is its own; playing on
    after a foul, ending the game, and everything for others, is for those who keep the game."""
    if access.role.seat is None:
        return access.acts
    match event:
        case Acted(action=action):
            return action.seat in (None, access.role.seat)
        case TookBack(seq=seq):
            return not 1 <= seq <= len(match.entries) or may_revise(match.entries[seq - 1], access)
        case Corrected(seq=seq, action=action):
            known = 1 <= seq <= len(match.entries)
            return action.seat == access.role.seat and (not known or may_revise(match.entries[seq - 1], access))
        case _:
            return False


def _event(body: Mapping[str, Any]) -> Event:
    match body["intent"]:
        case "act":
            return Acted(_action(body), body.get("source", "tap"), body.get("evidence"))
        case "take-back":
            return TookBack(int(body["of"]))
        case "play-on":
            return Overruled(int(body["of"]))
        case "finish":
            return Finished()
        case _:
            return Corrected(int(body["of"]), _action(body))


def _number(value: float | None) -> int | None:
    """``3.0`` is a whole number too, says JSON Schema."""
    return None if value is None else int(value)


def _action(body: Mapping[str, Any]) -> Action:
    data = dict(body["action"])
    data["seat"] = _number(data.get("seat"))
    data["args"] = {k: int(v) if isinstance(v, float) else v for k, v in data.get("args", {}).items()}
    return Action.from_json(data)


def started_from_json(body: Mapping[str, Any], default_name: str) -> Started:
    """A body that fits the schema `AnyNewTable` as the start of a match. `default_name` ("Player {n}") names those who
    gave none. Raises ApiError for a text that is too long; the game itself says what it cannot start with."""
    game, options = body["game"], body.get("options", {})
    free = _free_texts(game)
    if any(len(value) > max(OPTION_LENGTH, free.get(name, 0)) for name, value in options.items()):
        raise ApiError("bad-field", field="options")
    names = tuple(clean_name(p) or default_name.format(n=i + 1) for i, p in enumerate(body["players"]))
    teams = tuple(clean_name(team) for team in body.get("teams", []))
    if len(teams) not in (0, len(names)):
        raise ApiError("bad-teams", 422)
    setup = Setup(names, body.get("deck", ""), tuple(sorted(options.items())))
    return Started(game, setup, teams=teams if any(teams) else ())


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
