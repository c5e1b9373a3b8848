"""`companion read`: pictures in, cards out, as a table for people, as JSON lines or as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2

from companion.cards import Deck
from companion.commands import CommandError, counted
from companion.commands.pictures import STANDARD_INPUT, Picture
from companion.server.config import default_data
from companion.shelf import Shelved, named, shelved
from companion.vision.annotate import annotate
from companion.vision.decks.enrolled import EnrolledDeck, is_enrolled
from companion.vision.decks.gallery import Gallery
from companion.vision.decks.network import Network
from companion.vision.pipeline.enrolled import Chosen, EnrolledReader
from companion.vision.types import CardRead, PictureReader, ReadResult, Side

CSV_HEAD = ("file", "time", "face", "confidence", "side", *(f"{a}{n}" for n in range(1, 5) for a in "xy"), "candidates")


def deck_named(name: str) -> Deck:
    """The deck a person means: a name such as 52D2, a deck on the shelf, a deck file, folder or packed deck. Raises
    CommandError, DeckError, DeckFileError."""
    if not name.strip():
        raise CommandError("--deck needs a deck, such as 52D2 or a deck file (TOML).")
    return named(name, default_data())


def with_enrolled(reader: PictureReader, deck_name: str | None) -> PictureReader:
    """The reader, with what the deck of that name, on the shelf or in a place of its own, has learned of its cards.
    Raises EnrolledDeckError, PartError."""
    if deck_name is None:
        return reader
    places = [Path(deck_name), *(one.place for one in shelved(default_data()) if one.deck and _called(one, deck_name))]
    found = [EnrolledDeck.load(place) for place in places if place.exists() and is_enrolled(place)]
    if not any(deck.samples for deck in found):
        return reader
    network = Network()
    return EnrolledReader(reader, Chosen([Gallery(deck, network) for deck in found if deck.samples]))


def _called(one: Shelved, name: str) -> bool:
    return one.deck is not None and name in (one.deck.name, one.deck.name.partition("~")[0])


def why_unnamed(card: CardRead, chosen: Deck | None = None) -> str:
    """Why a card that lies face up has no name, in words; with a deck also that it has no such face."""
    if not card.candidates:
        return "no index to be seen"
    first = card.candidates[0]
    if chosen is not None and first.face not in chosen:
        return f"perhaps {first.face}, which the deck {chosen.name} does not have"
    second = card.candidates[1] if len(card.candidates) > 1 else None
    if second is not None and second.p > first.p / 3:
        return f"{first.face} or {second.face}"
    return f"perhaps {first.face}, not sure enough"


def as_json(picture: Picture, result: ReadResult | None, chosen: Deck | None = None) -> str:
    """One JSON object on one line: the picture's size and its cards; of a picture that cannot be read, the error.

    With a deck also what lies there more often than it has it (`surplus`), and which cards may be none of its
    (`outside`: their numbers among the cards).
    """
    body: dict[str, Any] = {"file": str(picture.file)}
    if picture.time is not None:
        body["time"] = picture.time
    if result is None:
        body |= {"width": 0, "height": 0, "ms": 0.0, "cards": [], "error": picture.error}
        return json.dumps(body, ensure_ascii=False)
    body |= {"width": result.width, "height": result.height, "ms": round(result.ms, 1)}
    body["cards"] = [_card_json(card) for card in result.cards]
    if chosen is not None:
        body["surplus"] = [
            {"face": one.face, "copies": one.copies, "holds": one.holds} for one in chosen.surplus(_named(result))
        ]
        body["outside"] = [
            number
            for number, card in enumerate(result.cards)
            if card.face is None and card.candidates and card.candidates[0].face not in chosen
        ]
    if picture.cut:
        body["cut"] = True
    return json.dumps(body, ensure_ascii=False)


def _card_json(card: CardRead) -> dict[str, Any]:
    return {
        "face": card.face,
        "confidence": round(card.confidence, 4),
        "side": str(card.side),
        "polygon": [[round(x, 1), round(y, 1)] for x, y in card.polygon],
        "candidates": [{"face": c.face, "p": round(c.p, 4)} for c in card.candidates],
    }


def as_csv(picture: Picture, result: ReadResult) -> str:
    """A line a card, in the columns of `CSV_HEAD`."""
    rows = [
        (
            str(picture.file),
            "" if picture.time is None else picture.time,
            card.face or "",
            round(card.confidence, 4),
            str(card.side),
            *(round(value, 1) for point in card.polygon for value in point),
            " ".join(f"{c.face}:{c.p:.4f}" for c in card.candidates),
        )
        for card in result.cards
    ]
    return csv_lines(rows)


def csv_lines(rows: Sequence[Sequence[Any]]) -> str:
    """The rows as CSV (RFC 4180), without the last line end."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().rstrip("\n")


def as_table(picture: Picture, result: ReadResult, chosen: Deck | None = None) -> str:
    """A head line and a line a card, for people; with a deck also what lies there more often than it has it."""
    count = f"{len(result.cards)} card{'s' * (len(result.cards) != 1)}"
    lines = [f"{picture.name}: {result.width}x{result.height}, {count}, {result.ms:.0f} ms"]
    if picture.cut:
        lines.append("  the file is cut short: what is missing was not read")
    for card in result.cards:
        x, y = card.centre
        name = card.face or ("back" if card.side is Side.DOWN else "?")
        others = " ".join(f"{c.face} {c.p:.2f}" for c in card.candidates[:3])
        reason = f"   ({why_unnamed(card, chosen)})" if name == "?" else ""
        lines.append(f"  {name:>4}  {card.confidence:.2f}  at {x:6.0f},{y:6.0f}   {others}{reason}".rstrip())
    lines += [
        f"  {surplus.face} lies here {surplus.copies} times; the deck holds {surplus.holds}"
        for surplus in (chosen.surplus(_named(result)) if chosen else ())
    ]
    return "\n".join(lines)


def _named(result: ReadResult) -> list[str]:
    return [card.face for card in result.cards if card.face is not None]


@dataclass(slots=True)
class Summary:
    """What was read over all pictures. `read`, `failed`: pictures; `faces`: names given; `unnamed`, `backs`: cards."""

    read: int = 0
    failed: int = 0
    faces: Counter[str] = field(default_factory=Counter)
    unnamed: int = 0
    backs: int = 0

    def add(self, result: ReadResult | None) -> None:
        """Count one picture; None for one that could not be read."""
        if result is None:
            self.failed += 1
            return
        self.read += 1
        self.faces.update(_named(result))
        self.backs += sum(card.side is Side.DOWN for card in result.cards)
        self.unnamed += sum(card.face is None and card.side is Side.UP for card in result.cards)

    def lines(self, chosen: Deck | None) -> list[str]:
        """The summary in words; with a deck also which of its cards were not seen, and which too often."""
        total = self.faces.total()
        named = f"{counted(total, 'card')} named, {self.unnamed} without a name, {counted(self.backs, 'back')}"
        said = [f"{counted(self.read, 'picture')}: {named}"]
        if chosen is None:
            return said
        missing = (chosen.multiset - self.faces).elements()
        surplus = chosen.surplus(self.faces.elements())
        said.append(f"of the deck {chosen.name} not seen: " + (" ".join(missing) or "none"))
        if surplus:
            said.append("more often than the deck has it: " + " ".join(f"{s.face} ({s.copies})" for s in surplus))
        return said


class Annotations:
    """Writes pictures with outlines and names drawn in into one folder. No input is ever written over, and two
    pictures of one name get two files."""

    def __init__(self, folder: Path, inputs: Sequence[Path]) -> None:
        self._folder = folder
        self._taken = {path.resolve() for path in inputs if path != STANDARD_INPUT}

    def write(self, picture: Picture, result: ReadResult) -> Path:
        """Draw and write one picture as JPEG; the file's path. Raises CommandError when it cannot be written."""
        assert picture.pixels is not None
        stem = "standard-input" if picture.file == STANDARD_INPUT else picture.file.stem
        if picture.time is not None:
            stem += f"-{picture.time:08.3f}s"
        target, number = self._folder / f"{stem}.jpg", 1
        while target.resolve() in self._taken:
            number += 1
            target = self._folder / f"{stem}-{number}.jpg"
        self._taken.add(target.resolve())
        _, encoded = cv2.imencode(".jpg", annotate(picture.pixels, result))
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            target.write_bytes(encoded.tobytes())
        except OSError as error:
            raise CommandError(f"{target} cannot be written: {error.strerror or error}.") from error
        return target
