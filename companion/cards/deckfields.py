"""The fields of a deck file: each read with its own check, so that a mistake is named where it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.cards.design import EMBLEMS, LEAST_SIDE, MARKS, MOST_SIDE, SIZES
from companion.cards.errors import DeckFileError, nearest

VERSION = 1
"""Of the form of deck files. A file of a newer one is refused, so that nothing of it is lost unseen."""

_KEYS = {
    "": ("deck", "suits", "ranks", "pictures", "extras"),
    "deck": ("version", "name", "copies", "order", "separator", "like", "size", "shape"),
    "suits": ("code", "name", "colour", "copies", "mark"),
    "ranks": ("code", "name", "picture", "index"),
    "pictures": ("code", "name", "picture", "index"),
    "extras": ("code", "name", "colour", "copies", "rank", "suit", "picture", "index"),
}
INKS = {
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
    "none": "#14161a",
}
"""Colour words and the ink that draws them on white paper."""

_CODE = re.compile(r"[^\s,、?/\\~#%\"']{1,24}")
_MOST_COPIES = 16
_ORDERS = ("weak-to-strong", "strong-to-weak")


@dataclass(frozen=True, slots=True)
class Entry:
    """A suit, rank or extra card of the file. `colour` is "" and `copies` None where the file says nothing."""

    code: str
    names: Mapping[str, str]
    named: bool
    colour: str
    ink: str
    copies: int | None
    mark: str = ""
    index: str = ""
    rank: str = ""
    suit: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """What ``[deck]`` says."""

    copies: int
    order: str
    separator: str
    like: str
    size: tuple[float, float]
    default_size: bool
    tile: bool


def checked_keys(where: str, table: Mapping[str, Any], kind: str) -> None:
    """Raises DeckFileError for a key that the table has not."""
    for key in table:
        if key not in _KEYS[kind]:
            near = nearest(key, _KEYS[kind], 1)[0]
            message = f"{where}: unknown key {key!r}; did you mean {near!r}?"
            raise DeckFileError(message, "key" if kind else "section", where=where, key=key, near=near)


def checked_head(data: Mapping[str, Any]) -> Head:
    """``[deck]`` of a file. Raises DeckFileError."""
    head = data.get("deck", {})
    if not isinstance(head, dict):
        raise DeckFileError("deck: write it as a table, [deck]", "head")
    version = head.get("version", VERSION)
    if isinstance(version, int) and not isinstance(version, bool) and version > VERSION:
        message = f"this deck file is of version {version}, this program reads version {VERSION}: update the program"
        raise DeckFileError(message, "newer", value=version, known=VERSION)
    checked_keys("[deck]", head, "deck")
    if isinstance(version, bool) or version != VERSION:
        raise DeckFileError(
            f"[deck]: version must be {VERSION}, not {version!r}", "version", known=VERSION, value=version
        )
    order, separator, like = head.get("order", _ORDERS[0]), head.get("separator", ""), head.get("like", "")
    if order not in _ORDERS:
        message = f'[deck]: order must be "weak-to-strong" or "strong-to-weak", not {order!r}'
        raise DeckFileError(message, "order", value=order)
    if not isinstance(separator, str) or not re.fullmatch(r"[^\s,、?/\\~#%\"']{0,3}", separator):
        message = f"[deck]: separator must be at most 3 characters without spaces, not {separator!r}"
        raise DeckFileError(message, "separator", value=separator)
    if not isinstance(like, str):
        raise DeckFileError(f"[deck]: like must be the name of a deck, not {like!r}", "like", value=like, near="65")
    shape = head.get("shape", "card")
    if shape not in ("card", "tile"):
        raise DeckFileError(f'[deck]: shape must be "card" or "tile", not {shape!r}', "shape", value=shape)
    copies = checked_copies("[deck]", head.get("copies")) or 1
    return Head(copies, order, separator, like, _size(head.get("size"), shape), "size" not in head, shape == "tile")


def _size(value: Any, shape: str) -> tuple[float, float]:
    if value is None:
        return SIZES["tile" if shape == "tile" else "poker"]
    if isinstance(value, str) and value in SIZES:
        return SIZES[value]
    if isinstance(value, list) and len(value) == 2 and all(_side(side) for side in value):
        return float(value[0]), float(value[1])
    known = ", ".join(SIZES)
    message = f"[deck]: size must be {known} or [width, height] of {LEAST_SIDE:g} to {MOST_SIDE:g} mm, not {value!r}"
    raise DeckFileError(message, "size", known=known, least=f"{LEAST_SIDE:g}", most=f"{MOST_SIDE:g}", value=value)


def _side(side: Any) -> bool:
    return isinstance(side, int | float) and not isinstance(side, bool) and LEAST_SIDE <= side <= MOST_SIDE


def checked_names(where: str, value: Any, fallback: str) -> dict[str, str]:
    """A name by language. Raises DeckFileError."""
    if value is None:
        return {"en": fallback, "ja": fallback}
    if isinstance(value, str) and value.strip():
        return {"en": value, "ja": value}
    if not isinstance(value, dict) or not value or not all(isinstance(v, str) and v.strip() for v in value.values()):
        message = f'{where}: name must be a text or {{ en = "…", ja = "…" }}, not {value!r}'
        raise DeckFileError(message, "name", where=where, value=value)
    if strange := set(value) - {"en", "ja"}:
        lang = sorted(strange)[0]
        raise DeckFileError(f"{where}: name has the languages en and ja, not {lang!r}", "lang", where=where, value=lang)
    first = value.get("en") or value["ja"]
    return {"en": first, "ja": value.get("ja", first)}


def checked_copies(where: str, value: Any) -> int | None:
    """How many copies; None where nothing is said. Raises DeckFileError."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST_COPIES:
        message = f"{where}: copies must be a number from 1 to {_MOST_COPIES}, not {value!r}"
        raise DeckFileError(message, "copies", where=where, most=_MOST_COPIES, value=value)
    return value


def _ink(where: str, colour: Any) -> str:
    if isinstance(colour, str) and re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        return colour.lower()
    if not isinstance(colour, str) or colour not in INKS:
        known = ", ".join(INKS)
        message = f'{where}: colour must be "#rrggbb" or one of {known}, not {colour!r}'
        raise DeckFileError(message, "colour", where=where, known=known, value=colour)
    return INKS[colour]


def _part(where: str, key: str, value: Any) -> str:
    if not isinstance(value, str) or (value and not _CODE.fullmatch(value)):
        raise _no_code(where, key, value)
    return value


def _mark(where: str, key: str, value: Any) -> str:
    """The name of a mark or picture, or one or two characters."""
    if value is None:
        return ""
    if isinstance(value, str) and (value in MARKS or value in EMBLEMS or re.fullmatch(r"\S{1,2}", value)):
        return value
    near = nearest(str(value), (*MARKS, *EMBLEMS), 1)[0]
    message = f"{where}: {key} must be the name of a mark or one or two characters, not {value!r}; perhaps {near!r}?"
    raise DeckFileError(message, "mark", where=where, key=key, value=value, near=near)


def _index(where: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str) and re.fullmatch(r"\S{1,3}", value):
        return value
    raise DeckFileError(f"{where}: index must be 1 to 3 characters, not {value!r}", "index", where=where, value=value)


def _no_code(where: str, key: str, value: Any) -> DeckFileError:
    message = f"{where}: {key} must be 1 to 24 characters without spaces, commas, quotes and ? / # % ~, not {value!r}"
    return DeckFileError(message, "code", where=where, key=key, value="" if value is None else value)


def entries(data: Mapping[str, Any], kind: str) -> list[Entry]:
    """The tables ``[[kind]]`` of a file. Raises DeckFileError."""
    tables = data.get(kind, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise DeckFileError(f"{kind}: write each of them as its own table, [[{kind}]]", "tables", table=kind)
    found: list[Entry] = []
    for number, table in enumerate(tables, 1):
        where = f"[[{kind}]] number {number}"
        checked_keys(where, table, kind)
        code = table.get("code")
        if not isinstance(code, str) or not _CODE.fullmatch(code):
            raise _no_code(where, "code", code)
        if code in (entry.code for entry in found):
            raise DeckFileError(f"{where}: the code {code!r} is taken already", "taken", where=where, value=code)
        colour = table.get("colour", "")
        key = "mark" if kind == "suits" else "picture"
        mark = _mark(where, key, table.get(key))
        found.append(
            Entry(
                code,
                checked_names(where, table.get("name"), code),
                "name" in table,
                colour,
                _ink(where, colour if "colour" in table else "black"),
                checked_copies(where, table.get("copies")),
                mark,
                _index(where, table.get("index")),
                _part(where, "rank", table.get("rank", "")),
                _part(where, "suit", table.get("suit", "")),
            )
        )
    return found
