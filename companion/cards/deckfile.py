"""A deck of one's own, from the text of a small TOML file.

    [deck]
    name = { en = "Harbour cards", ja = "港の札" }
    copies = 2                    # how often every card is there; 1 if left out
    order = "weak-to-strong"      # how suits and ranks are listed below; or "strong-to-weak"
    separator = "."               # between rank and suit in a code: "tide.north"; nothing if left out

    [[suits]]
    code = "north"
    name = { en = "North", ja = "北" }
    colour = "blue"               # a colour word or "#rrggbb"
    copies = 3                    # this suit's own number of copies

    [[ranks]]                     # or [[pictures]]: the same thing for cards without numbers
    code = "tide"
    name = { en = "Tide", ja = "潮" }

    [[extras]]                    # cards outside suits and ranks, such as jokers; rank and suit may be named, though,
    code = "JK1"                  # for a suit whose cards differ in colour or number
    name = { en = "Joker", ja = "ジョーカー" }
    copies = 1

Nothing is guessed: a key that is not known, a code that could not be typed, two cards with one code are errors that
name the table, the entry and what belongs there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.cards.errors import DeckFileError, nearest
from companion.cards.faces import Deck, Face, Kind

_KEYS = {
    "": ("deck", "suits", "ranks", "pictures", "extras"),
    "deck": ("name", "copies", "order", "separator"),
    "suits": ("code", "name", "colour", "copies"),
    "ranks": ("code", "name"),
    "pictures": ("code", "name"),
    "extras": ("code", "name", "colour", "copies", "rank", "suit"),
}
_INKS = {
    "black": "#14161a",
    "red": "#c8102e",
    "blue": "#1d4e9e",
    "green": "#0b7a3b",
    "deep green": "#0a4a2a",
    "grey": "#5b6470",
    "silver": "#59626e",
    "white": "#1b1c20",
    "yellow": "#b58900",
    "orange": "#c75300",
    "purple": "#6a1b9a",
    "brown": "#6d4c2f",
}
"""Colour words and the ink that draws them on white paper."""

_CODE = re.compile(r"[^\s,、?]{1,24}")
_MOST_COPIES = 16
_LONGEST_LINE = 400
"""Characters. What reads TOML needs the square of a line's dots in memory."""

_MOST_FACES = 250
"""Array evaluators number the faces of a deck in one byte."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A suit, rank or extra card of the file."""

    code: str
    names: Mapping[str, str]
    colour: str
    ink: str
    copies: int | None
    rank: str = ""
    suit: str = ""


def _checked_keys(where: str, table: Mapping[str, Any], kind: str) -> None:
    for key in table:
        if key not in _KEYS[kind]:
            near = nearest(key, _KEYS[kind], 1)[0]
            message = f"{where}: unknown key {key!r}; did you mean {near!r}?"
            raise DeckFileError(message, "key" if kind else "section", where=where, key=key, near=near)


def _names(where: str, value: Any, fallback: str) -> dict[str, str]:
    if value is None:
        return {"en": fallback, "ja": fallback}
    if isinstance(value, str):
        return {"en": value, "ja": value}
    if not isinstance(value, dict) or not value or not all(isinstance(v, str) and v for v in value.values()):
        message = f'{where}: name must be a text or {{ en = "…", ja = "…" }}, not {value!r}'
        raise DeckFileError(message, "name", where=where, value=value)
    if strange := set(value) - {"en", "ja"}:
        lang = sorted(strange)[0]
        raise DeckFileError(f"{where}: name has the languages en and ja, not {lang!r}", "lang", where=where, value=lang)
    first = value.get("en") or value["ja"]
    return {"en": first, "ja": value.get("ja", first)}


def _copies(where: str, value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST_COPIES:
        message = f"{where}: copies must be a number from 1 to {_MOST_COPIES}, not {value!r}"
        raise DeckFileError(message, "copies", where=where, most=_MOST_COPIES, value=value)
    return value


def _ink(where: str, colour: Any) -> str:
    if isinstance(colour, str) and re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        return colour.lower()
    if not isinstance(colour, str) or colour not in _INKS:
        known = ", ".join(_INKS)
        message = f'{where}: colour must be "#rrggbb" or one of {known}, not {colour!r}'
        raise DeckFileError(message, "colour", where=where, known=known, value=colour)
    return _INKS[colour]


def _part(where: str, key: str, value: Any) -> str:
    if not isinstance(value, str) or (value and not _CODE.fullmatch(value)):
        raise _no_code(where, key, value)
    return value


def _no_code(where: str, key: str, value: Any) -> DeckFileError:
    message = f"{where}: {key} must be 1 to 24 characters without spaces, commas or '?', not {value!r}"
    return DeckFileError(message, "code", where=where, key=key, value="" if value is None else value)


def _entries(data: Mapping[str, Any], kind: str) -> list[_Entry]:
    tables = data.get(kind, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise DeckFileError(f"{kind}: write each of them as its own table, [[{kind}]]", "tables", table=kind)
    entries: list[_Entry] = []
    for number, table in enumerate(tables, 1):
        where = f"[[{kind}]] number {number}"
        _checked_keys(where, table, kind)
        code = table.get("code")
        if not isinstance(code, str) or not _CODE.fullmatch(code):
            raise _no_code(where, "code", code)
        if code in (entry.code for entry in entries):
            raise DeckFileError(f"{where}: the code {code!r} is taken already", "taken", where=where, value=code)
        colour = table.get("colour", "black")
        entries.append(
            _Entry(
                code,
                _names(where, table.get("name"), code),
                colour,
                _ink(where, colour),
                _copies(where, table.get("copies")),
                _part(where, "rank", table.get("rank", "")),
                _part(where, "suit", table.get("suit", "")),
            )
        )
    return entries


def _suited(rank: _Entry, suit: _Entry, separator: str) -> Face:
    code = f"{rank.code}{separator}{suit.code}"
    names = {"en": f"{rank.names['en']} of {suit.names['en']}", "ja": f"{suit.names['ja']}の{rank.names['ja']}"}
    return Face(code, rank.code, suit.code, suit.colour, names, Kind.CUSTOM, code, suit.ink)


def _built(name: str, names: Mapping[str, str], cards: Sequence[tuple[Face, int]], parts: tuple[Any, Any]) -> Deck:
    if not cards:
        message = "the deck has no cards: it needs [[suits]] and [[ranks]] (or [[pictures]]), or [[extras]]"
        raise DeckFileError(message, "empty")
    if len(cards) > _MOST_FACES:
        message = f"the deck has {len(cards)} different cards; at most {_MOST_FACES} are possible"
        raise DeckFileError(message, "many", n=len(cards), most=_MOST_FACES)
    codes: set[str] = set()
    for face, _ in cards:
        if face.code in codes:
            message = f"two cards have the code {face.code!r}; a separator in [deck] would part them"
            raise DeckFileError(message, "double", value=face.code)
        codes.add(face.code)
    ranks, suits = parts
    return Deck(name, tuple(f for f, _ in cards), tuple(n for _, n in cards), ranks, suits, names)


def deck_from_toml(text: str, name: str) -> Deck:
    """The deck that the file's text describes; `name` is what it is called in games and records.

    Raises DeckFileError saying which table and key is wrong and what belongs there.
    """
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > _LONGEST_LINE:
            message = f"line {number} has more than {_LONGEST_LINE} characters; write it as several lines"
            raise DeckFileError(message, "line", line=number, most=_LONGEST_LINE)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits, and tables without end
        raise DeckFileError(f"this is no TOML: {error}", "toml", reason=error) from error
    _checked_keys("the file", data, "")
    head = data.get("deck", {})
    if not isinstance(head, dict):
        raise DeckFileError("deck: write it as a table, [deck]", "head")
    _checked_keys("[deck]", head, "deck")
    order, separator = head.get("order", "weak-to-strong"), head.get("separator", "")
    if order not in ("weak-to-strong", "strong-to-weak"):
        message = f'[deck]: order must be "weak-to-strong" or "strong-to-weak", not {order!r}'
        raise DeckFileError(message, "order", value=order)
    if not isinstance(separator, str) or not re.fullmatch(r"[^\s,、?]{0,3}", separator):
        message = f"[deck]: separator must be at most 3 characters without spaces, not {separator!r}"
        raise DeckFileError(message, "separator", value=separator)
    if "ranks" in data and "pictures" in data:
        raise DeckFileError("a deck has [[ranks]] or [[pictures]], not both", "both")
    suits, extras = _entries(data, "suits"), _entries(data, "extras")
    ranks = _entries(data, "pictures" if "pictures" in data else "ranks")
    if bool(suits) != bool(ranks):
        missing = "[[ranks]] or [[pictures]]" if suits else "[[suits]]"
        message = f"{missing} are missing: cards are made of every suit with every rank"
        raise DeckFileError(message, "missing", what=missing.replace(" or ", ", "))
    if order == "strong-to-weak":
        suits, ranks = suits[::-1], ranks[::-1]
    copies = _copies("[deck]", head.get("copies")) or 1
    cards = [(_suited(rank, suit, separator), suit.copies or copies) for suit in suits for rank in ranks]
    cards += [
        (Face(x.code, x.rank, x.suit, x.colour, x.names, Kind.CUSTOM, x.code, x.ink), x.copies or copies)
        for x in extras
    ]
    suit_codes = [*(suit.code for suit in suits), *(x.suit for x in extras if x.suit)]
    rank_codes = [*(rank.code for rank in ranks), *(x.rank for x in extras if x.rank)]
    parts = (tuple(dict.fromkeys(rank_codes)), tuple(dict.fromkeys(suit_codes)))
    return _built(name, _names("[deck]", head.get("name"), name), cards, parts)
