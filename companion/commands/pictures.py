"""Which pictures `companion read` is to read: files, folders, standard input, moments of a video."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.commands import CommandError
from companion.resources import how_to_install
from companion.vision.camera.sources import PICTURE_SUFFIXES
from companion.vision.images import PictureError, Pixels, as_bgr, decode

HEIC_SUFFIXES = frozenset({".heic", ".heif"})
VIDEO_SUFFIXES = frozenset({".mp4", ".mov", ".m4v", ".avi", ".mkv", ".webm"})
SUFFIXES = PICTURE_SUFFIXES | HEIC_SUFFIXES | {".gif", ".avif"}
"""What counts as a picture in a folder."""

_JPEG, _END_OF_JPEG = b"\xff\xd8", b"\xff\xd9"
STANDARD_INPUT = Path("-")
MOST_BYTES = 256 * 1024 * 1024
"""A picture file larger than this is none."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture to read: (height, width, 3) BGR pixels, or the sentence why there are none.

    `time` is the moment of a video (s), None for a picture; `cut`: the file ends before the picture does.
    """

    file: Path
    pixels: Pixels | None = None
    error: str = ""
    time: float | None = None
    cut: bool = False

    @property
    def name(self) -> str:
        """What the picture is called: its path, and the moment of a video."""
        return str(self.file) if self.time is None else f"{self.file} at {self.time:g} s"


def seconds(text: str) -> float:
    """``1s``, ``0.5``, ``250ms`` or ``1m`` in seconds. Raises CommandError."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(ms|s|m|min)?\s*", text)
    value = float(found[1]) * {"ms": 0.001, "m": 60.0, "min": 60.0}.get(found[2] or "s", 1.0) if found else 0.0
    if not 0.001 <= value <= 86400:
        raise CommandError(f"--every is a time such as 1s, 500ms or 1m, not {text!r}.")
    return value


def find(paths: Sequence[Path], *, recursive: bool) -> list[Path]:
    """The files that `paths` stand for: a folder for the pictures and videos in it, with `recursive` below it too, in
    the order people count (``img2`` before ``img10``), hidden files left out. Raises CommandError for a folder without
    pictures."""
    files: list[Path] = []
    for path in paths:
        if path == STANDARD_INPUT or not path.is_dir():
            files.append(path)
            continue
        inside = path.rglob("*") if recursive else path.iterdir()
        wanted = [
            file
            for file in inside
            if file.suffix.lower() in SUFFIXES | VIDEO_SUFFIXES
            and not any(part.startswith(".") for part in file.relative_to(path).parts)
            and file.is_file()
        ]
        if not wanted:
            deeper = "" if recursive else " (-r looks into the folders below it, too)"
            raise CommandError(f"the folder {path} holds no pictures{deeper}.")
        files += sorted(wanted, key=lambda file: _natural(file.relative_to(path)))
    return files


def _natural(path: Path) -> list[tuple[int, str, int]]:
    """A sort key that counts: digits compare as numbers, letters without case."""
    parts = re.split(r"(\d+)", str(path).lower())
    return [(1, "", int(part)) if part.isdecimal() else (0, part, 0) for part in parts]


def pictures(files: Sequence[Path], every: float = 1.0) -> Iterator[Picture]:
    """The pictures of `files` in turn; of a video one every so many seconds. What cannot be decoded comes with the
    sentence why; nothing is raised."""
    for file in files:
        if file != STANDARD_INPUT and file.suffix.lower() in VIDEO_SUFFIXES:
            yield from _moments(file, every)
            continue
        try:
            data = _bytes(file)
            yield Picture(file, _pixels(data, file), cut=is_cut(data))
        except PictureError as error:
            yield Picture(file, error=str(error))


def _bytes(file: Path) -> bytes:
    if file == STANDARD_INPUT:
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        _refuse_special(file)
        try:
            with file.open("rb") as opened:
                data = opened.read(MOST_BYTES + 1)
        except OSError as error:
            raise PictureError(f"{file} cannot be opened: {error.strerror or error}.") from error
    if len(data) > MOST_BYTES:
        raise PictureError(f"{file} is larger than {MOST_BYTES >> 20} MiB: no picture is.")
    return data


def _refuse_special(file: Path) -> None:
    """A pipe or a device could be read for ever."""
    if file.exists() and not file.is_file():
        raise PictureError(f"{file} is no ordinary file; a picture from a program comes by standard input: '-'.")


def _pixels(data: bytes, file: Path) -> Pixels:
    name = "standard input" if file == STANDARD_INPUT else str(file)
    if _is_heic(data):
        return _decode_heic(data, name)
    cut = is_cut(data)
    if cut and data.startswith(_JPEG):
        data += _END_OF_JPEG  # what is there can be seen; the decoder gives nothing without the end
    try:
        with silenced_decoders():
            return decode(data, name)
    except PictureError as error:
        raise (PictureError(f"{name} is cut short: the file ends before the picture does.") if cut else error) from None


def _is_heic(data: bytes) -> bool:
    return data[4:8] == b"ftyp" and data[8:12] in (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")


def _decode_heic(data: bytes, name: str) -> Pixels:
    try:
        import pillow_heif
    except ImportError:
        raise PictureError(
            f"{name} is a HEIC picture: {how_to_install('pillow-heif')} makes this program read them, "
            "or let the phone save JPEG."
        ) from None
    try:
        opened = pillow_heif.open_heif(data, convert_hdr_to_8bit=True, bgr_mode=True)
        return as_bgr(np.asarray(opened))
    except Exception as error:  # whatever the decoder says of a damaged file
        raise PictureError(f"{name} is a damaged HEIC picture.") from error


def is_cut(data: bytes) -> bool:
    """Does the file end before its picture does? Known for JPEG (no end-of-image marker) and PNG (no IEND chunk)."""
    if data.startswith(_JPEG):
        return _END_OF_JPEG not in data[-4096:]
    return data.startswith(b"\x89PNG") and b"IEND" not in data[-64:]


@contextlib.contextmanager
def silenced_decoders() -> Iterator[None]:
    """What image libraries print about damaged files does not come between our lines (they write to descriptor 2)."""
    try:
        kept = os.dup(2)
    except OSError:  # no standard error at all
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _moments(file: Path, every: float) -> Iterator[Picture]:
    """A picture of the video every so many seconds, the first one included."""
    if not file.is_file():
        yield Picture(file, error=f"{file} cannot be opened: no such file.")
        return
    with silenced_decoders():
        video = cv2.VideoCapture(str(file))
    due, found = 0.0, False
    try:
        rate = video.get(cv2.CAP_PROP_FPS) or 25.0
        number = 0
        while True:
            with silenced_decoders():
                if not video.grab():
                    break
                time = number / rate
                number += 1
                if time + 1e-9 < due:
                    continue
                good, frame = video.retrieve()
            if good and frame is not None:
                found = True
                yield Picture(file, as_bgr(np.asarray(frame)), time=round(time, 3))
            due += every
    finally:
        video.release()
    if not found:
        yield Picture(file, error=f"{file} is not a video this program can decode.")
