"""An enrolled deck: which deck it is, and samples of its cards.

It lies in the deck's own folder, or in the same folder packed as one file (``.deck``, see `companion.shelf`), beside
`deck.toml`: `samples.json` says what is in `samples/`, the straightened cards as JPEG with a little of what lay around
them. Nothing in it depends on the network, so a later one reads it, too.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np

from companion import shelf
from companion.cards import Deck, DeckFileError, NotationError
from companion.vision.images import PictureError, Pixels, decode

FORMAT = 1
"""The version of `samples.json`. A newer one is not read."""
LIST = "samples.json"
FOLDER = "samples"
_QUALITY = 93
_MOST_BYTES = 300_000_000


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

    `described`: the text of its deck file.
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

    def save(self, place: Path) -> None:
        """Write into the deck's folder, or into one file where `place` ends in ``.deck``. What else is there stays, and
        what was there is replaced only when the new is whole. Raises OSError."""
        entries, files = [], {}
        for sample in self.samples:
            data = _jpeg(sample.pixels)
            name = f"{FOLDER}/{sha256(data).hexdigest()[:16]}.jpg"
            files[name] = data
            entries.append({"file": name, "face": sample.face, "origin": sample.origin, "source": sample.source})
        text = json.dumps({"version": FORMAT, "samples": entries}, ensure_ascii=False, indent=1).encode()
        if place.suffix == shelf.PACKED:
            _pack(place, {shelf.FILE: self.described.encode(), **files, LIST: text})
            return
        (place / FOLDER).mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            if not (place / name).exists():
                _replace(place / name, data)
        if not (place / shelf.FILE).exists():
            _replace(place / shelf.FILE, self.described.encode())
        _replace(place / LIST, text)
        for file in (place / FOLDER).glob("*.jpg"):
            if f"{FOLDER}/{file.name}" not in files:
                file.unlink()

    @classmethod
    def load(cls, place: Path) -> EnrolledDeck:
        """Read what `save` wrote; a deck without samples has none. Raises EnrolledDeckError, and DeckFileError where
        there is no deck."""
        try:
            described = shelf.text_of(place)
            found = shelf.read_deck(place)
            with _opened(place) as read:
                listed = read(LIST)
                if listed is None:
                    return cls(found, described)
                text = json.loads(listed)
                if text["version"] > FORMAT:
                    raise EnrolledDeckError(
                        f"{place} was enrolled with a newer version of Table Companion (samples of version "
                        f"{text['version']}, this one reads {FORMAT}): install the newer one."
                    )
                samples = tuple(
                    Sample(
                        found.face(entry["face"]).code,
                        decode(read(entry["file"]) or b"", f"{place}: {entry['file']}"),
                        Origin(entry["origin"]),
                        str(entry["source"]),
                    )
                    for entry in text["samples"]
                )
        except EnrolledDeckError:
            raise
        except OSError as error:
            raise EnrolledDeckError(f"{place} cannot be opened: {error.strerror or error}.") from error
        except NotationError as error:
            raise EnrolledDeckError(f"{place}: a sample is of a card that the deck has not: {error}.") from error
        except (zipfile.BadZipFile, PictureError, KeyError, TypeError, ValueError) as error:
            if isinstance(error, DeckFileError):
                raise
            raise EnrolledDeckError(f"the samples in {place} are damaged: {error}") from error
        return cls(found, described, samples)


def is_enrolled(place: Path) -> bool:
    """True for a deck's folder or a packed deck that has samples."""
    try:
        with _opened(place) as read:
            return read(LIST) is not None
    except (OSError, zipfile.BadZipFile):
        return False


@contextmanager
def _opened(place: Path) -> Iterator[Callable[[str], bytes | None]]:
    """What reads a file of a deck's folder or of a packed deck by its name: its bytes, None where it is not there."""
    if place.suffix != shelf.PACKED:
        yield lambda name: (place / name).read_bytes() if (place / name).is_file() else None
        return
    with zipfile.ZipFile(place) as pack:
        inside = {info.filename: info for info in pack.infolist()}
        if sum(info.file_size for info in inside.values()) > _MOST_BYTES:
            raise EnrolledDeckError(f"{place} holds more than {_MOST_BYTES:,} bytes: no enrolled deck does.")
        yield lambda name: pack.read(inside[name]) if name in inside else None


def _pack(place: Path, files: dict[str, bytes]) -> None:
    kept: dict[str, bytes] = {}
    if place.is_file():
        with zipfile.ZipFile(place) as pack:
            kept = {n: pack.read(n) for n in pack.namelist() if not n.startswith(f"{FOLDER}/") and n not in files}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, data in (kept | files).items():
            pack.writestr(name, data)
    place.parent.mkdir(parents=True, exist_ok=True)
    _replace(place, out.getvalue())


def _replace(file: Path, data: bytes) -> None:
    beside = file.with_name(f".{file.name}.part")
    beside.write_bytes(data)
    beside.replace(file)


def _jpeg(pixels: Pixels) -> bytes:
    _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return np.asarray(data).tobytes()
