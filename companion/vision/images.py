"""Decodes one picture safely: bytes or a file in, an 8-bit BGR array out, or one clear sentence why not."""

from __future__ import annotations

from functools import reduce
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision import parameters

Pixels = NDArray[np.uint8]
T = TypeVar("T", bound=np.generic)


MOST_MISSING = 64 * 2**20
"""Bytes: a part of a PNG that lacks more was never there."""

_STRIPE = 40
"""Rows made at a time: what they come from stays in the processor's cache."""

_ALPHA_KINDS = (b"\x89PNG", b"RIFF", b"II*\x00", b"MM\x00*")


class PictureError(ValueError):
    """A picture that cannot be read. The message is one sentence for the person who gave it."""


def load(path: Path) -> Pixels:
    """Read the picture file `path` as (height, width, 3) BGR, turned upright by its EXIF orientation.

    Raises `PictureError` when the file is missing, empty, no picture, or too small.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(f"{path} cannot be opened: {error.strerror or error}.") from error
    return decode(data, str(path))


def decode(data: bytes, name: str = "the picture") -> Pixels:
    """Decode the bytes of a picture file as (height, width, 3) BGR, 8 bits, turned upright by EXIF.

    Grey, 16-bit and CMYK pictures are converted; transparent parts become dark grey. `name` is what the error
    calls the picture. Raises `PictureError`.
    """
    if not data:
        raise PictureError(f"{name} is empty (0 bytes).")
    if _claims_too_much(data):
        raise PictureError(f"{name} is damaged: a part of it claims to be larger than any picture.")
    buffer = np.frombuffer(data, np.uint8)
    pixels = _decode_over_grey(buffer) if data.startswith(_ALPHA_KINDS) else _imdecode(buffer, cv2.IMREAD_COLOR)
    if pixels is None:
        raise PictureError(f"{name} is not a picture this program can decode (JPEG, PNG, WebP, TIFF or BMP expected).")
    height, width = pixels.shape[:2]
    if min(height, width) < parameters.SMALLEST_PICTURE:
        least = parameters.SMALLEST_PICTURE
        raise PictureError(f"{name} is {width}×{height} px: too small to show a card (at least {least} px a side).")
    return pixels


def _claims_too_much(data: bytes) -> bool:
    """Has a PNG a chunk for which the decoder would make room far beyond the file? One that was cut may be short of
    some."""
    at = 8 if data.startswith(b"\x89PNG\r\n\x1a\n") else len(data)
    while at + 8 <= len(data):
        length = int.from_bytes(data[at : at + 4])
        if length > len(data) + MOST_MISSING:
            return True
        at += 12 + length
    return False


def as_bgr(pixels: NDArray[np.generic]) -> Pixels:
    """Bring an array of any usual layout (grey, BGR, BGRA; 8 or 16 bits) to (height, width, 3) BGR, 8 bits.

    What is of that layout already comes back as it is, not as a copy.
    """
    deep = pixels.dtype == np.uint16
    array = (pixels >> 8).astype(np.uint8) if deep else pixels.astype(np.uint8, copy=False)  # type: ignore[operator]
    if array.ndim == 2:
        array = array[:, :, None]
    channels = array.shape[2]
    if channels == 4:
        alpha = array[:, :, 3:].astype(np.uint16)
        mixed = (array[:, :, :3] * alpha + parameters.GREY_UNDER_TRANSPARENCY * (255 - alpha)) // 255
        return np.ascontiguousarray(mixed.astype(np.uint8))
    if channels < 3:
        return np.ascontiguousarray(np.repeat(array[:, :, :1], 3, axis=2))
    return np.ascontiguousarray(array[:, :, :3])


def fit(pixels: Pixels, longest: int) -> tuple[Pixels, float]:
    """Shrink so that the longer side is at most `longest` px; return the picture and original px per its px."""
    side = max(pixels.shape[:2])
    if side <= longest:
        return pixels, 1.0
    scale = side / longest
    size = (max(1, round(pixels.shape[1] / scale)), max(1, round(pixels.shape[0] / scale)))
    if pixels.shape[:2] == (3 * size[1], 3 * size[0]):
        return _third(pixels), scale
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8), scale


def shrunk(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    """The picture at a much smaller `size` (width, height), each px the mean of what it shows: halved as long as four
    px or more are one, as OpenCV's INTER_AREA takes many times as long by other steps."""
    wide, high = pixels.shape[1], pixels.shape[0]
    while wide % 2 == high % 2 == 0 and wide >= 4 * size[0] and high >= 4 * size[1]:
        wide, high = wide // 2, high // 2
        pixels = np.asarray(cv2.resize(pixels, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def strongest(channels: NDArray[T]) -> NDArray[T]:
    """The largest value of each px (…, channels): as NumPy's `max` over the last axis, in a twentieth of its time."""
    return np.asarray(reduce(np.maximum, np.moveaxis(channels, -1, 0)))


def _third(pixels: Pixels) -> Pixels:
    """A third as wide and high (1080p to 640 px): the means that OpenCV's INTER_AREA gives, in half the time."""
    high, wide = pixels.shape[0] // 3, pixels.shape[1] // 3
    out = np.empty((high, wide, 3), np.uint8)
    for top in range(0, high, _STRIPE):
        rows = out[top : top + _STRIPE]
        means = cv2.blur(pixels[3 * top : 3 * (top + len(rows))], (3, 3), anchor=(0, 0))
        cv2.resize(means, (wide, len(rows)), dst=rows, interpolation=cv2.INTER_NEAREST)
    return out


def stretched(pixels: Pixels) -> Pixels:
    """Brighten a dark picture until its brightest half per cent is white; others come back as they are."""
    small = -(-pixels.shape[1] // 4), -(-pixels.shape[0] // 4)
    blue, green, red = cv2.split(cv2.resize(pixels, small, interpolation=cv2.INTER_NEAREST))
    brightest = _percentile(np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8), parameters.BRIGHTEST)
    if not 0 < brightest < parameters.DARKEST_WHITE:
        return pixels
    return cv2.convertScaleAbs(pixels, alpha=parameters.STRETCHED_WHITE / brightest).astype(np.uint8, copy=False)


def medians(pixels: Pixels) -> NDArray[np.float32]:
    """The median of each channel of a picture (height, width, channels), 8 bits."""
    return np.array([_percentile(np.asarray(channel, np.uint8), 50.0) for channel in cv2.split(pixels)], np.float32)


def _percentile(grey: Pixels, share: float) -> float:
    """NumPy's percentile of grey levels, from how often each is there: a tenth of its time."""
    upto = np.cumsum(cv2.calcHist([grey], [0], None, [256], [0, 256]), dtype=np.float64)
    place = share / 100 * (grey.size - 1)
    low, high = np.searchsorted(upto, [np.floor(place), np.ceil(place)], side="right").tolist()
    return float(low + (high - low) * (place % 1))


def _decode_over_grey(buffer: NDArray[np.uint8]) -> Pixels | None:
    """Keep the alpha channel long enough to lay the picture over grey: what lies under it is arbitrary otherwise."""
    raw = _imdecode(buffer, cv2.IMREAD_UNCHANGED)
    if raw is None or raw.ndim == 2 or raw.shape[2] != 4:
        return _imdecode(buffer, cv2.IMREAD_COLOR)
    return as_bgr(raw)


def _imdecode(buffer: NDArray[np.uint8], flags: int) -> Pixels | None:
    try:
        decoded = cv2.imdecode(buffer, flags)
    except cv2.error:  # more pixels than OpenCV's safety limit, or a broken header
        return None
    return None if decoded is None else np.asarray(decoded)
