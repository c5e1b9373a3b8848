"""What can happen in a match, as plain data. The journal stores exactly these; everything else is derived."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.cards import DeckFileError, keep, own_deck
from companion.games import Action, Setup

SOURCES = ("tap", "camera", "record", "bot")


class EventError(ValueError):
    """An event that cannot be: the message is one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Started:
    """A match begins. Always the first event, and only the first. `deck_file`: the text of a deck of one's own, so that
    the match can be read wherever its journal goes; "" for the program's decks. `teams`: the team of every seat, empty
    for nobody's; no team at all where everybody plays for himself."""

    game: str
    setup: Setup
    deck_file: str = ""
    teams: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        setup = self.setup
        said: dict[str, Any] = {
            "event": "started",
            "game": self.game,
            "players": list(setup.players),
            "deck": setup.deck,
            "options": dict(setup.options),
        }
        said |= {"deck_file": self.deck_file} if self.deck_file else {}
        return said | ({"teams": list(self.teams)} if self.teams else {})


@dataclass(frozen=True, slots=True)
class Acted:
    """Somebody did something. `source`: who told; `evidence`: key of the picture it was read from."""

    action: Action
    source: str = "tap"
    evidence: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "event": "acted",
            "action": self.action.to_json(),
            "source": self.source,
            "evidence": self.evidence,
        }


@dataclass(frozen=True, slots=True)
class TookBack:
    """Event `seq` is undone. Taking back a `TookBack` brings the event back. `source`: who says so; the camera only
    ever undoes what it wrote itself."""

    seq: int
    source: str = "tap"

    def to_json(self) -> dict[str, Any]:
        return {"event": "took-back", "seq": self.seq} | _told_by(self.source)


@dataclass(frozen=True, slots=True)
class Overruled:
    """The table plays on: the foul `seq` stands as it lies."""

    seq: int

    def to_json(self) -> dict[str, Any]:
        return {"event": "overruled", "seq": self.seq}


@dataclass(frozen=True, slots=True)
class Corrected:
    """Event `seq` was in truth `action` (misread, mistapped). `source`: who says so, as with `TookBack`."""

    seq: int
    action: Action
    source: str = "tap"

    def to_json(self) -> dict[str, Any]:
        return {"event": "corrected", "seq": self.seq, "action": self.action.to_json()} | _told_by(self.source)


@dataclass(frozen=True, slots=True)
class Finished:
    """People end the match here, whether its game has an end of its own or not. The standing is what the score sheet
    says then; taken back, the match goes on."""

    def to_json(self) -> dict[str, Any]:
        return {"event": "finished"}


Event = Started | Acted | TookBack | Overruled | Corrected | Finished


def event_from_json(data: Mapping[str, Any]) -> Event:
    """Reverse of every ``to_json``. Raises EventError with one sentence when the data has another shape."""
    match data.get("event"):
        case "started":
            return _started(data)
        case "acted":
            source, evidence = _source(data), data.get("evidence")
            if evidence is not None and not isinstance(evidence, str):
                raise EventError(f"evidence is the key of a picture, not {evidence!r}")
            return Acted(_action(data), source, evidence)
        case "took-back":
            return TookBack(_seq(data), _source(data))
        case "overruled":
            return Overruled(_seq(data))
        case "corrected":
            return Corrected(_seq(data), _action(data), _source(data))
        case "finished":
            return Finished()
        case other:
            raise EventError(f"an event is started, acted, took-back, overruled, corrected or finished, not {other!r}")


def _started(data: Mapping[str, Any]) -> Started:
    game, players = data.get("game"), data.get("players")
    deck, options = data.get("deck", ""), data.get("options", {})
    if not isinstance(game, str) or not isinstance(deck, str):
        raise EventError("a start names its game and its deck as texts")
    if not isinstance(players, list) or not all(isinstance(p, str) for p in players):
        raise EventError("a start lists its players' names")
    if not isinstance(options, dict) or not all(isinstance(v, str) for v in options.values()):
        raise EventError("the options of a start are an object of texts")
    teams = data.get("teams", [])
    if not isinstance(teams, list) or not all(isinstance(t, str) for t in teams) or len(teams) not in (0, len(players)):
        raise EventError("the teams of a start are a text for every player, or none at all")
    file = data.get("deck_file", "")
    if not isinstance(file, str):
        raise EventError("the deck file of a start is a text")
    if file:
        keep_deck_file(deck, file)
    return Started(game, Setup(tuple(players), deck, tuple(sorted(options.items()))), file, tuple(teams))


def keep_deck_file(name: str, file: str) -> None:
    """The deck of one's own that a start brings along is known from now on. Raises EventError."""
    try:
        own = own_deck(file, name.partition("~")[0])
    except DeckFileError as error:
        raise EventError(f"the deck file of a start: {error}") from error
    if own.name != name:
        raise EventError(f"the deck file of a start is that of {own.name}, not of {name}")
    keep(own)


def _action(data: Mapping[str, Any]) -> Action:
    action = data.get("action")
    if not isinstance(action, dict):
        raise EventError("an action is an object")
    try:
        return Action.from_json(action)
    except ValueError as error:
        raise EventError(str(error)) from error


def _told_by(source: str) -> dict[str, str]:
    """Only what is not people's own word is said: journals from before have no source here."""
    return {} if source == "tap" else {"source": source}


def _source(data: Mapping[str, Any]) -> str:
    source = data.get("source", "tap")
    if source not in SOURCES:
        raise EventError(f"the source of an action is {', '.join(SOURCES)}, not {source!r}")
    return str(source)


def _seq(data: Mapping[str, Any]) -> int:
    seq = data.get("seq")
    if not isinstance(seq, int) or isinstance(seq, bool):
        raise EventError(f"an event is named by its number, not {seq!r}")
    return seq
