"""An enrolled deck: which deck it is, and samples of its cards; one file that can be copied, shared and backed up.

The file is a ZIP archive: `deck.json` says what is in it, `samples/` holds the straightened cards as JPEG, each with a
little of what lay around it. Nothing in it depends on the network, so a later one reads it, too.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import cv2
import numpy as np

from companion.cards import Deck, DeckError, DeckFileError, deck, deck_from_toml
from companion.vision.images import PictureError, Pixels, decode

FORMAT = 1
"""The version of the file. A file of a newer one is not read."""
SUFFIX = ".cards"
MOST_FACES = 250
"""A deck of more different cards is not enrolled: look-alikes would be many."""
_QUALITY = 93
_MOST_BYTES = 200_000_000


class EnrolledDeckError(ValueError):
    """A file that is no enrolled deck, or a deck that cannot be enrolled. One sentence for the person who gave it."""


class Origin(StrEnum):
    """How a sample came in."""

    PHOTO = "photo"
    CORRECTION = "correction"


@dataclass(frozen=True, slots=True)
class Sample:
    """One straightened card (`crops.SAMPLE` px and its margin, BGR), what it is, and where it comes from."""

    face: str
    pixels: Pixels
    origin: Origin = Origin.PHOTO
    source: str = ""


@dataclass(frozen=True, slots=True)
class EnrolledDeck:
    """A deck and the samples of its cards, in the order in which they came in.

    `described`: the deck's name where it has one here, else the text of its deck file.
    """

    deck: Deck
    described: str
    samples: tuple[Sample, ...] = ()

    @property
    def faces(self) -> tuple[str, ...]:
        """The faces that have a sample, in the deck's order."""
        held = {sample.face for sample in self.samples}
        return tuple(code for code in self.deck.codes if code in held)

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces that have none: they are not recognised."""
        held = {sample.face for sample in self.samples}
        return tuple(code for code in self.deck.codes if code not in held)

    def parts(self) -> list[tuple[str, str]]:
        """Of each of `faces` its picture (rank) and its mark (suit)."""
        found = [self.deck.face(code) for code in self.faces]
        return [(face.rank or face.code, face.suit or face.code) for face in found]

    def with_samples(self, more: Iterable[Sample]) -> EnrolledDeck:
        """The same deck with more samples."""
        return replace(self, samples=(*self.samples, *more))

    def without_correction(self, face: str) -> EnrolledDeck:
        """The same deck without the last sample that a person's correction added to `face`; unchanged without one."""
        for number in range(len(self.samples) - 1, -1, -1):
            if self.samples[number].origin is Origin.CORRECTION and self.samples[number].face == face:
                return replace(self, samples=self.samples[:number] + self.samples[number + 1 :])
        return self

    def save(self, path: Path) -> None:
        """Write the file; one that is there already is replaced only when the new one is whole. Raises OSError."""
        entries = []
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
            for number, sample in enumerate(self.samples):
                name = f"samples/{number:04d}.jpg"
                archive.writestr(name, _jpeg(sample.pixels))
                entries.append({"file": name, "face": sample.face, "origin": sample.origin, "source": sample.source})
            text = {"format": FORMAT, "deck": self.described, "faces": list(self.deck.codes), "samples": entries}
            archive.writestr("deck.json", json.dumps(text, ensure_ascii=False, indent=1), zipfile.ZIP_DEFLATED)
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(path.name + ".part")
        beside.write_bytes(packed.getvalue())
        beside.replace(path)

    @classmethod
    def load(cls, path: Path) -> EnrolledDeck:
        """Read a file that `save` wrote. Raises EnrolledDeckError."""
        try:
            with zipfile.ZipFile(path) as archive:
                if sum(entry.file_size for entry in archive.infolist()) > _MOST_BYTES:
                    raise EnrolledDeckError(f"{path} is too large for an enrolled deck.")
                text = json.loads(archive.read("deck.json"))
                if text["format"] > FORMAT:
                    raise EnrolledDeckError(
                        f"{path} was written by a newer version of Table Companion (format {text['format']}; "
                        f"this one reads {FORMAT}): install the newer version."
                    )
                described = str(text["deck"])
                found = described_deck(described, path.stem)
                samples = tuple(
                    Sample(
                        found.face(entry["face"]).code,
                        decode(archive.read(entry["file"]), f"{path}: {entry['file']}"),
                        Origin(entry["origin"]),
                        str(entry["source"]),
                    )
                    for entry in text["samples"]
                )
        except EnrolledDeckError:
            raise
        except OSError as error:
            raise EnrolledDeckError(f"{path} cannot be opened: {error.strerror or error}.") from error
        except (zipfile.BadZipFile, PictureError, DeckError, DeckFileError, ValueError, KeyError, TypeError) as error:
            raise EnrolledDeckError(f"{path} is not an enrolled deck, or it is damaged.") from error
        return cls(found, described, samples)


def described_deck(described: str, name: str) -> Deck:
    """The deck of that name, or that of a deck file's text. Raises DeckError, DeckFileError."""
    return deck_from_toml(described, name) if "\n" in described else deck(described)


def is_enrolled(path: Path) -> bool:
    """True for a file that looks like an enrolled deck: a ZIP archive."""
    try:
        with path.open("rb") as file:
            return file.read(4) == b"PK\x03\x04"
    except OSError:
        return False


def count_by_face(samples: Iterable[Sample]) -> Counter[str]:
    """How many samples each face has."""
    return Counter(sample.face for sample in samples)


def _jpeg(pixels: Pixels) -> bytes:
    _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return np.asarray(data).tobytes()
