"""Packed decks (``.deck``, a ZIP archive) taken in: a file that somebody sent becomes a deck's folder on the shelf.

Only what belongs to a deck is unpacked: its file, drawings, and what a camera has learned of it. Everything is written
aside first and moved into place at once, so that a file that cannot be taken in changes nothing. Where a deck of that
name is there already, the new files take the place of those of the same name and the others stay. If anything is lost
by that, the deck as it was is kept beside it under a hidden name (``.harbour-until-20260101-120000``), as it is when a
backup is restored.
"""

from __future__ import annotations

import filecmp
import io
import json
import shutil
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from companion.cards import Deck, DeckFileError, keep, own_deck
from companion.shelf import (
    FILE,
    LARGEST_FILE,
    LARGEST_PICTURE,
    PACKED,
    PICTURE_TYPES,
    PICTURES,
    Shelved,
    as_folder,
    shelf,
    text_of,
)

LEARNED, SAMPLES, LEARNED_FORMAT = "samples.json", "samples", 1
"""What a camera has learned (`companion.vision.decks.enrolled`): the list, its pictures, the list's version."""
MOST_PACK = 100_000_000
"""Bytes of a packed deck that is taken in."""
MOST_UNPACKED = 300_000_000
"""Bytes of its files together."""
MOST_FILES = 5_000
_MOST_LISTED = 4_000_000
"""Bytes of the list of learned pictures."""
_MOST_CONTENTS = 1_000_000
"""Bytes of an archive's own list of its files: it is read before anything can be counted."""
_LONGEST_NAME = 200
_PART = 64 * 1024
_BROKEN = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error, struct.error, ValueError)

Fits = Callable[[bytes], bool]
"""Is that a picture that may be kept?"""


@contextmanager
def aside(data: Path) -> Iterator[Path]:
    """A hidden folder on the shelf for what is not finished. What a killed process leaves goes when the data folder is
    next used (`companion.journal.folder`)."""
    shelf(data).mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".working-", dir=shelf(data)) as folder:
        yield Path(folder)


def unpack(pack: Path, folder: Path, fits: Fits) -> bool:
    """Unpack what belongs to a deck into the new `folder`. False where the file holds more than that. Raises
    DeckFileError, OSError."""
    try:
        with _Careful(pack) as file, zipfile.ZipFile(file) as archive:
            found, others = _belonging(archive)
            if sum(info.file_size for info in found.values()) > MOST_UNPACKED:
                raise _bulky()
            left = MOST_UNPACKED
            for name, info in found.items():
                body = _read(archive, info, name)
                left -= len(body)
                if left < 0:
                    raise _bulky()
                _check(name, body, fits)
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(body)
            return not others
    except DeckFileError:
        raise
    except _BROKEN as error:
        raise DeckFileError(f"{pack.name} is no packed deck: {error}", "packed") from error


def land(data: Path, fresh: Path, name: str, fits: Fits) -> Shelved:
    """Move the unpacked deck `fresh` onto the shelf as the deck `name`, and make it known. Raises DeckFileError before
    anything is moved, and OSError."""
    own = own_deck(text_of(fresh), name)
    place = shelf(data) / own.name.partition("~")[0]
    files = (place, place.with_name(f"{place.name}.toml"), place.with_name(f"{place.name}{PACKED}"))
    there = next((one for one in files if one.exists()), None)
    if there is None:
        fresh.rename(place)
    else:
        _swap(there, fresh, place, lost=not _with(there, fresh, own, fits))
    return Shelved(place, keep(own))


def opened_up(place: Path, fits: Fits) -> Path:
    """The same deck as a folder, in which files can be put and changed: a lone deck file goes into one, a packed one is
    unpacked. Raises DeckFileError, OSError."""
    if place.is_dir() or place.suffix != PACKED:
        return as_folder(place)
    folder = place.with_suffix("")
    if folder.exists():
        raise FileExistsError(f"{folder.name} is there already")
    with aside(place.parent.parent) as working:
        whole = unpack(place, working / "deck", fits)
        _swap(place, working / "deck", folder, lost=not whole)
    return folder


# --- what is in the archive ------------------------------------------------------------------------------------------


class _Careful(io.BufferedReader):
    """A file of which nobody reads an endless part at once, or one outside, as an archive can ask for."""

    def __init__(self, path: Path) -> None:
        super().__init__(io.FileIO(path))

    def read(self, size: int | None = -1, /) -> bytes:
        wanted = _MOST_CONTENTS + 1 if size is None or size < 0 else size
        if size is not None and size > _MOST_CONTENTS:
            raise _many()
        return super().read(wanted)

    def seek(self, to: int, whence: int = 0, /) -> int:
        if whence == 0 and not 0 <= to < 2**62:
            raise zipfile.BadZipFile("a part of it lies outside")
        return super().seek(to, whence)


def _belonging(archive: zipfile.ZipFile) -> tuple[dict[str, zipfile.ZipInfo], int]:
    """The files that belong to the deck, by where they go in its folder, and how many others there are. The deck is
    where its file lies: a folder that was packed as it is has a folder round it."""
    files = []
    for info in archive.infolist():
        _check_entry(info)
        if not info.is_dir():
            files.append(info)
    if len(files) > MOST_FILES:
        raise _many()
    depths = [info.filename.count("/") for info in files if PurePosixPath(info.filename).name == FILE]
    if not depths:
        raise DeckFileError(f"there is no {FILE} in it: a deck has one", "nothing", file=FILE)
    at = [i.filename for i in files if PurePosixPath(i.filename).name == FILE and i.filename.count("/") == min(depths)]
    if len(at) > 1:
        raise _twice(FILE)
    root, found, seen = at[0].removesuffix(FILE), dict[str, zipfile.ZipInfo](), set[str]()
    for info in files:
        name = unicodedata.normalize("NFC", info.filename.removeprefix(root))
        if not info.filename.startswith(root) or not _belongs(PurePosixPath(name)):
            continue
        if name.casefold() in seen:
            raise _twice(name)
        seen.add(name.casefold())
        found[name] = info
    return found, len(files) - len(found)


def _belongs(name: PurePosixPath) -> bool:
    if str(name) in (FILE, LEARNED):
        return True
    kinds = {PICTURES: PICTURE_TYPES, SAMPLES: (".jpg",)}.get(str(name.parent), ())
    return name.suffix.lower() in kinds and not name.name.startswith(".")


def _check_entry(info: zipfile.ZipInfo) -> None:
    """Refuse an archive that names a place outside its folder, a link, or something locked."""
    for name in (info.orig_filename, info.filename):
        if not all(map(_plain, name.removesuffix("/").split("/"))):
            raise _path(name)
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise DeckFileError(f"{info.filename} is a link, no file", "link", value=_short(info.filename))
    if info.flag_bits & (0x1 | 0x40 | 0x2000):  # APPNOTE.TXT 4.4.4: encrypted, in three ways
        raise DeckFileError("it is locked with a password", "locked")


def _plain(part: str) -> bool:
    """May a file or folder be called so, on any system?"""
    outside = part in ("", ".", "..") or set(part) & set("\\:") or any(ord(c) < 32 or ord(c) == 127 for c in part)
    return not outside and len(part.encode("utf-8", "replace")) <= _LONGEST_NAME


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> bytes:
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise NotImplementedError(f"{name} is packed in a way that is not known")
    most = {FILE: LARGEST_FILE, LEARNED: _MOST_LISTED}.get(name, LARGEST_PICTURE)
    body = bytearray()
    with archive.open(info) as file:
        while part := file.read(_PART):
            body += part
            if len(body) > most:
                raise DeckFileError(f"{name} has more than {most:,} bytes", "heavy", value=name, most=f"{most / 1e6:g}")
    return bytes(body)


def _check(name: str, body: bytes, fits: Fits) -> None:
    if name == LEARNED:
        _check_list(body)
    elif name != FILE and not fits(body):
        raise DeckFileError(f"{name} is no picture that can be read", "picture", value=name)


def _check_list(body: bytes) -> None:
    """No picture that the list names, wherever it names one, may lie outside the deck, and cards have their codes.
    Whether the list can be read otherwise is for whoever reads it to say."""

    def check(table: dict[str, Any]) -> None:
        file = table.get("file", f"{SAMPLES}/x")
        folder, _, rest = file.partition("/") if isinstance(file, str) else ("", "", "")
        if folder != SAMPLES or "/" in rest or not _plain(rest):
            raise _path(str(file))
        if not isinstance(table.get("face", ""), str):
            raise DeckFileError(f"{LEARNED} has a card without a code", "packed")

    try:
        json.loads(body, object_hook=check)
    except DeckFileError:
        raise
    except RecursionError as error:
        raise DeckFileError(f"{LEARNED} is too deep", "packed") from error
    except ValueError:
        return


def _short(name: str) -> str:
    """A name out of an archive, for a sentence."""
    shown = "".join(c if c.isprintable() else "·" for c in name)
    return shown if len(shown) <= 60 else f"{shown[:60]}…"


def _path(name: str) -> DeckFileError:
    return DeckFileError(f"{_short(name)} is no name of a file in a deck's folder", "path", value=_short(name))


def _twice(name: str) -> DeckFileError:
    return DeckFileError(f"{name} is in it twice, capital letters or not", "twice", value=_short(name))


def _many() -> DeckFileError:
    return DeckFileError(f"it holds more than {MOST_FILES} files", "files", most=MOST_FILES)


def _bulky() -> DeckFileError:
    return DeckFileError(f"unpacked it has more than {MOST_UNPACKED:,} bytes", "bulky", most=MOST_UNPACKED // 10**6)


# --- what was there --------------------------------------------------------------------------------------------------


def _with(there: Path, fresh: Path, own: Deck, fits: Fits) -> bool:
    """Put what only the deck `there` has into `fresh`, too. False where something of it has no place there."""
    if there.is_dir():
        return _joined(there, fresh, own)
    if there.suffix != PACKED:
        return filecmp.cmp(there, fresh / FILE, shallow=False)
    before = fresh.with_name("before")
    try:
        whole = unpack(there, before, fits)
    except DeckFileError:
        return False
    return _joined(before, fresh, own) and whole


def _joined(before: Path, fresh: Path, own: Deck) -> bool:
    whole = True
    drawn = {file.stem.casefold() for file in (fresh / PICTURES).glob("*")}
    for file in sorted(before.rglob("*")):
        name = file.relative_to(before)
        to = fresh / name
        if file.is_dir() and not file.is_symlink():
            continue
        if name == Path(LEARNED):
            whole &= _learned_joined(file, to, own)
        elif to.exists():
            whole &= filecmp.cmp(file, to, shallow=False)
        elif name.parent == Path(PICTURES) and file.suffix.lower() in PICTURE_TYPES and file.stem.casefold() in drawn:
            whole = False  # a drawing of the same card in another file
        else:
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, to, follow_symlinks=False)
    return whole


def _learned_joined(old: Path, new: Path, own: Deck) -> bool:
    """List what was learned before in `new`, too, as far as the deck still has these cards. False where something is
    left out."""
    try:
        was = json.loads(old.read_bytes())
        now = json.loads(new.read_bytes()) if new.exists() else {**was, "samples": []}
        if {was["version"], now["version"]} != {LEARNED_FORMAT}:
            raise ValueError(f"version {was['version']} is not known")
        files = {one["file"] for one in now["samples"]}
        others = [one for one in was["samples"] if one["file"] not in files]
        known = [one for one in others if one["face"] in own.codes]
        now["samples"] = [*known, *now["samples"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        if new.exists():
            return False
        shutil.copy2(old, new)
        return True
    new.write_text(json.dumps(now, ensure_ascii=False, indent=1), encoding="utf-8")
    return len(known) == len(others)


def _swap(there: Path, fresh: Path, place: Path, *, lost: bool) -> None:
    """Move `fresh` to `place`, where or beside which the deck `there` was. `lost`: keep that under a hidden name."""
    stem = f".{there.stem if there.is_file() else there.name}-until-{datetime.now():%Y%m%d-%H%M%S}"
    suffix = there.suffix if there.is_file() else ""
    names = (f"{stem}{f'-{number}' if number else ''}{suffix}" for number in range(10**6))
    until = next(path for name in names if not (path := there.with_name(name)).exists())
    there.rename(until)
    try:
        fresh.rename(place)
    except OSError:
        until.rename(there)
        raise
    if lost:
        return
    if until.is_dir():
        shutil.rmtree(until, ignore_errors=True)
    else:
        until.unlink(missing_ok=True)
