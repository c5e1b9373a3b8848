"""What is fuzzed in this process: every reader of texts, files and pictures that people bring.

A target takes one input: it returns whether the input was taken, and raises nothing but the errors that its reader
documents, each with a sentence for people. What was taken comes back the same when it is written and read again.
"""

from __future__ import annotations

import json
import random
import re
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.cards import (
    NAMES,
    DeckError,
    DeckFileError,
    NotationError,
    deck,
    deck_from_toml,
    format_faces,
    parse_face,
    parse_faces,
)
from companion.cards.ready import READY, as_toml
from companion.games import GameError, SetupError, UnknownGameError, ids
from companion.journal import BackupError, Journal, backup, check
from companion.referee import EventError, Match, Started, event_from_json
from companion.referee.record import RecordError, parse, text
from companion.server.camera.header import picture_size
from companion.table import Layout
from companion.table.layout import LayoutError
from companion.vision.images import PictureError, decode
from tests.fuzz import mutate

ROOT = Path(__file__).parents[2]
PIXELS = 40_000_000
"""As the server: a picture that claims more is not unpacked."""


@dataclass(frozen=True, slots=True)
class Target:
    """`share` of all inputs; `make` draws one, `take` gives it to the reader; `refusals`: what a reader may raise."""

    name: str
    share: float
    make: Callable[[random.Random], Any]
    take: Callable[[Any], bool]
    refusals: tuple[type[Exception], ...] = ()


# --- notation ---------------------------------------------------------------------------------------------------------

SPELLED = (
    "5S",
    "10H",
    "T♠",
    "JK1",
    "jk2",
    "3m",
    "7a",
    "judge.fed",
    "A♥",
    "as",
    "５Ｓ",
    "5S 5S 9H",
    "10H,JC;QD",
    "AS KS QS JS 10S",
)


@cache
def _codes() -> tuple[str, ...]:
    return (*SPELLED, *sorted({code for name in NAMES for code in deck(name).codes}))


def _notation(chance: random.Random) -> tuple[str, str]:
    return mutate.text(chance, _codes(), ("10", "♠", "JK", " ", ",")), chance.choice(("", *NAMES))


def _parse_notation(found: tuple[str, str]) -> bool:
    spelled, name = found
    of = deck(name) if name else None
    code = parse_face(spelled, of)
    assert parse_face(code, of) == code
    return True


def _parse_several(found: tuple[str, str]) -> bool:
    spelled, name = found
    of = deck(name) if name else None
    codes = parse_faces(spelled, of)
    assert parse_faces(format_faces(codes), of) == codes
    return True


# --- decks, layouts, records ------------------------------------------------------------------------------------------


@cache
def _decks() -> tuple[str, ...]:
    example = re.search(r"```toml\n(.*?)```", (ROOT / "docs" / "decks.md").read_text(encoding="utf-8"), re.S)
    assert example is not None
    return (
        as_toml(next(iter(READY))),
        example[1],
        "[deck]\nname = 'x'\n[[pictures]]\ncode = 'a'\n",
        "like = '52D1'\n[deck]\n",
    )


def _deck_file(found: str) -> bool:
    read = deck_from_toml(found, "own")
    assert read.size >= 1
    return True


def _deck_name(found: str) -> bool:
    return deck(found).size > 0


@cache
def _layouts() -> tuple[str, ...]:
    return tuple(file.read_text(encoding="utf-8") for file in sorted((ROOT / "calibration").rglob("*.toml")))


def _layout(found: str) -> bool:
    layout = Layout.from_toml(found)
    again = Layout.from_toml(layout.to_toml())
    assert again.to_toml() == layout.to_toml()
    return True


@cache
def _records() -> tuple[str, ...]:
    """The heads of all recorded games with a few of their lines."""
    found = []
    for file in sorted((ROOT / "tests" / "records").glob("*.txt")):
        rows = file.read_text(encoding="utf-8").splitlines()
        first = next(n for n, row in enumerate(rows) if re.match(r"\d+[.:]? ", row.strip()) or n > 8)
        found += ["\n".join(rows[:first] + rows[at : at + 4]) for at in range(first, min(len(rows), first + 40), 4)]
    return tuple(found)


def _record(found: str) -> bool:
    read = parse(found)
    written = text(read)
    assert text(parse(written)) == written
    return True


# --- events -----------------------------------------------------------------------------------------------------------


@cache
def _games() -> tuple[tuple[Match, tuple[str, ...]], ...]:
    """A match of each game some events long, and all events as JSON."""
    found = []
    for name in ids():
        for file in sorted((ROOT / "tests" / "records").glob(f"{name}-*.txt"))[:1]:
            events = parse(file.read_text(encoding="utf-8")).events
            found.append((Match.of(events[:12]), tuple(json.dumps(e.to_json(), ensure_ascii=False) for e in events)))
    return tuple(found)


def _event(chance: random.Random) -> tuple[Match, str]:
    match, events = chance.choice(_games())
    return match, mutate.text(chance, events, ('"seat": 0', '"cards": []', '"args": {}', '"seq": 3', "null"))


def _take_event(found: tuple[Match, str]) -> bool:
    match, told = found
    data = json.loads(told)
    if not isinstance(data, dict):
        raise EventError("an event is an object")
    event = event_from_json(data)
    assert event_from_json(event.to_json()) == event
    after = Match.of([event]) if isinstance(event, Started) else match.then(event)
    after.prompts(), after.scores(), after.expected_table()
    return True


# --- bytes ------------------------------------------------------------------------------------------------------------


@cache
def _backups() -> tuple[bytes, ...]:
    with tempfile.TemporaryDirectory() as place:
        made = []
        for number in range(2):
            file, target = Path(place) / f"{number}.sqlite3", Path(place) / f"{number}.backup"
            with closing(Journal(f"sqlite:///{file}")) as journal:
                for match, _ in _games()[: 2 + 6 * number]:
                    events = match.events
                    journal.create(match.game.id, events[0])  # type: ignore[arg-type]
                    for event in events[1:]:
                        journal.append(match.game.id, event)
                journal.put_evidence(b"x" * 300, "image/jpeg")
            backup(file, target)
            made.append(target.read_bytes())
        with closing(sqlite3.connect(Path(place) / "other")) as other:
            other.execute("CREATE TABLE events (a)")
            other.commit()
        return (*made, (Path(place) / "other").read_bytes(), b"SQLite format 3\0" + bytes(100))


@cache
def _place() -> Path:
    return Path(tempfile.mkdtemp(prefix="fuzz-"))


def _backup(found: bytes) -> bool:
    file = _place() / "some.backup"
    file.write_bytes(found)
    check(file)
    return True


@cache
def _pictures() -> tuple[bytes, ...]:
    whole = cv2.imread(str(ROOT / "tests" / "vision" / "pictures" / "5S-5.jpg"))
    small = cv2.resize(whole, (48, 40), interpolation=cv2.INTER_AREA)
    clear = np.dstack([small, np.full(small.shape[:2], 90, np.uint8)])
    kinds: list[tuple[str, Any, list[int]]] = [
        (".jpg", small, []), (".jpg", small[:, :, 0], [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]), (".png", small, []),
        (".png", clear, []), (".png", small.astype(np.uint16) << 8, []), (".webp", small, []), (".bmp", small, []),
        (".webp", small, [cv2.IMWRITE_WEBP_QUALITY, 101]), (".tiff", small, []), (".tiff", clear, []),
    ]  # fmt: skip
    return tuple(cv2.imencode(ending, pixels, how)[1].tobytes() for ending, pixels, how in kinds)


def _header(found: bytes) -> bool:
    return picture_size(found) is not None


def _picture(found: bytes) -> bool:
    """As the server: the header first."""
    size = picture_size(found)
    if size is None or size[0] * size[1] > PIXELS:
        raise PictureError("no picture")
    pixels = decode(found)
    assert pixels.dtype == np.uint8
    assert pixels.ndim == 3
    return True


def _text_of(seeds: Callable[[], tuple[str, ...]], *words: str) -> Callable[[random.Random], str]:
    return lambda chance: mutate.text(chance, seeds(), words)


KEYS = (
    "[[suits]]",
    "[[ranks]]",
    "[[pictures]]",
    "[[extras]]",
    "copies = 2",
    'like = "52D1"',
    'name = {en = "x"}',
    "[deck]",
)
LINES = ("deck 52D2", "player ", "option a=b", "-> foul", "(", "# ", "?", "took back 2", "hidden", "score ")

TARGETS = (
    Target("notation: one card", 0.43, _notation, _parse_notation, (NotationError,)),
    Target("notation: several cards", 0.33, _notation, _parse_several, (NotationError,)),
    Target("names of decks", 0.01, _text_of(lambda: NAMES), _deck_name, (DeckError,)),
    Target("deck files", 0.04, _text_of(_decks, *KEYS), _deck_file, (DeckFileError,)),
    Target("layouts", 0.04, _text_of(_layouts, "[zones]", "turns", "loose"), _layout, (LayoutError,)),
    Target("records", 0.01, _text_of(_records, *LINES), _record, (RecordError,)),
    Target(
        "events", 0.05, _event, _take_event,
        (EventError, SetupError, GameError, UnknownGameError, DeckError, json.JSONDecodeError, RecursionError),
    ),
    Target("pictures: headers", 0.08, lambda c: mutate.data(c, _pictures()), _header),
    Target("pictures", 0.003, lambda c: mutate.data(c, _pictures()), _picture, (PictureError,)),
    Target("backups", 0.001, lambda c: mutate.data(c, _backups()), _backup, (BackupError,)),
)  # fmt: skip
