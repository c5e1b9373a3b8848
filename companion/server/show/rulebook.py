"""The rules as data: a file a language in the folder of the game (``rules.en.toml``), and the house rules of a game.

A file holds paragraphs, each with the clauses it tells of: the same clauses that a ruling or an option cites (a line of
the rule sheet such as ``88``, or a gap of it that a house rule settles, such as ``7.5``). Every clause is an anchor
``#c-<clause>`` of the rule page, so that a ruling on the table opens the page at its rule. The house rules themselves,
their values and what is in force come from the game's options, never from the file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from companion import resources
from companion.games import Game, Option, Setup, package
from companion.server.show.scene import Scene
from companion.server.show.texts import Texts

OWN = "own"
"""Stands for a text of the table's own, where a house rule takes one."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One paragraph, and the clauses it tells of."""

    clauses: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """Paragraphs under one title, and perhaps a drawn table (`picture`)."""

    title: str
    rules: tuple[Rule, ...]
    picture: Scene | None = None


@dataclass(frozen=True, slots=True)
class RuleText:
    """A game's rules in one language. `notes`: clause of a house rule → the gap it settles."""

    lead: str
    source: str
    sections: tuple[Section, ...]
    notes: Mapping[str, str]

    @property
    def clauses(self) -> tuple[str, ...]:
        """Every clause that a paragraph tells of, in page order."""
        return tuple(clause for section in self.sections for rule in section.rules for clause in rule.clauses)


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a house rule. `chosen`: it is in force; `default`: it is when nobody chooses."""

    text: str
    chosen: bool
    default: bool


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A house rule as the page shows it. `anchor`: this entry carries the anchor of its clause."""

    label: str
    clause: str
    anchor: bool
    note: str
    values: tuple[Value, ...]


class RulesError(ValueError):
    """The rules of a game cannot be shown. `code`: ``none`` or ``unreadable``; `reason`: what is wrong in `file`."""

    def __init__(self, code: str, file: str, reason: str) -> None:
        super().__init__(reason or f"there is no {file}")
        self.code = code
        self.file = file
        self.reason = reason


def read_rules(file: Path) -> RuleText:
    """Read one rule file. Raises ValueError when it is no TOML or has another shape."""
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        sections = tuple(
            Section(
                _text(part["title"]),
                tuple(Rule(tuple(clauses.split()), _text(text)) for clauses, text in part["rules"]),
                Scene.of(part["picture"]) if "picture" in part else None,
            )
            for part in data["sections"]
        )
        notes = {clause: _text(note) for clause, note in data.get("notes", {}).items()}
        return RuleText(_text(data["lead"]), _text(data["source"]), sections, notes)
    except KeyError as error:
        raise ValueError(f"{file.name} is no rule file: it lacks {error.args[0]}") from error
    except (TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{file.name} is no rule file: {error}") from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"a text is expected, not {value!r}")
    return value


def rules_of(game: str, lang: str) -> RuleText:
    """The rules of a game in a language (``"en"``, ``"ja"``). Raises RulesError when the game has none, or none that
    can be read."""
    file = resources.package(package(game)) / f"rules.{lang}.toml"
    try:
        return _read_once(file, file.stat().st_mtime_ns)
    except FileNotFoundError as error:
        raise RulesError("none", file.name, "") from error
    except (OSError, ValueError) as error:
        raise RulesError("unreadable", file.name, str(error)) from error


def rules_or_sentence(game: str, lang: str, texts: Texts) -> RuleText:
    """The rules of a game; where it has none that can be read, the sentence that says so is the lead."""
    try:
        return rules_of(game, lang)
    except RulesError as error:
        return RuleText(texts.text(f"rules.{error.code}", lang, file=error.file, reason=error.reason), "", (), {})


@lru_cache(maxsize=64)
def _read_once(file: Path, _changed: int) -> RuleText:
    return read_rules(file)


def rule_link(game: Game[Any], setup: Setup, clause: str) -> str:
    """Where a clause stands on the rule page, under the house rules of `setup`; empty for no clause."""
    if not clause:
        return ""
    options = {option.name: option for option in game.options}
    chosen = {
        name: value if value in options[name].values else OWN
        for name, value in setup.options
        if name in options and value != options[name].default
    }
    query = f"?{urlencode(sorted(chosen.items()))}" if chosen else ""
    return f"/rules/{game.id}{query}#c-{clause}"


OF_THE_DECK = {"too-many-copies", "not-in-deck"}
"""Fouls that no clause of a game forbids: the cards of its deck do."""


def deck_link(deck: str) -> str:
    """Where all cards of a deck are shown."""
    return f"/decks?{urlencode({'deck': deck})}"


def option_about(game: Game[Any], option: Option, rules: RuleText, texts: Texts, lang: str) -> str:
    """What a house rule settles, in a sentence: its own text, the note of its clause, or the paragraph it stands in."""
    own = f"option.{game.id}.{option.name}.about"
    if texts.has(own, lang):
        return texts.text(own, lang)
    told = (rule.text for section in rules.sections for rule in section.rules if option.clause in rule.clauses)
    return rules.notes.get(option.clause) or next(told, "")


def house_rules(
    game: Game[Any], rules: RuleText, chosen: Mapping[str, str], texts: Texts, lang: str
) -> list[HouseRule]:
    """The options of `game`, each with its values. `chosen`: what is in force where it is not the default."""
    found, anchored = [], set(rules.clauses)
    for option in game.options:
        first = option.clause not in anchored
        anchored.add(option.clause)
        current = chosen.get(option.name, option.default)
        values = [
            Value(texts.option(game.id, option.name, lang, value), value == current, value == option.default)
            for value in option.values
        ]
        if option.free:
            values.append(Value(texts.text("rules.own", lang), current not in option.values, False))
        label = texts.option(game.id, option.name, lang)
        note = rules.notes.get(option.clause, "") if first else ""
        found.append(HouseRule(label, option.clause, first, note, tuple(values)))
    return found
