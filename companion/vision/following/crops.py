"""Pictures of cards as they lay: cut out of a frame, as JPEG."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from companion.vision.following import parameters
from companion.vision.following.track import Track
from companion.vision.images import Pixels, fit
from companion.vision.types import Quad

_JPEG = [cv2.IMWRITE_JPEG_QUALITY, 88]


def stamp(track: Track, accept: float) -> tuple[str, str | None, tuple[int, ...]]:
    """What a crop shows: the card as read, where it lies (to about 8 px)."""
    return track.side, track.face(accept), tuple(int(v) // 8 for point in track.outline for v in point)


def cut(pixels: Pixels, outlines: Sequence[Quad], longest: int) -> bytes | None:
    """The part of a picture that holds these outlines, with some margin, as JPEG."""
    points = np.array([point for outline in outlines for point in outline])
    low, high = points.min(axis=0), points.max(axis=0)
    margin = parameters.CROP_MARGIN * (high - low).max()
    height, width = pixels.shape[:2]
    left, top = np.clip(np.floor(low - margin), 0, (width, height)).astype(int)
    right, bottom = np.clip(np.ceil(high + margin), 0, (width, height)).astype(int)
    if right - left < 2 or bottom - top < 2:
        return None
    return jpeg(fit(np.ascontiguousarray(pixels[top:bottom, left:right]), longest)[0])


class Crops:
    """The pictures of cards that a table names, the newest ones."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        """The JPEG of this key, while it is remembered."""
        return self._kept.get(key)

    def take(self, tracks: Iterable[Track], pixels: Pixels, accept: float) -> None:
        """Keep a picture of every card that is seen now and has none yet, or reads otherwise than when it was taken."""
        for track in tracks:
            shown = stamp(track, accept)
            if track.covered or track.dismissed or (track.crop is not None and track.crop_of == shown):
                continue
            data = cut(pixels, [track.outline], parameters.CROP_SIDE)
            if data is not None:
                track.crop, track.crop_of = hashlib.sha256(data).hexdigest(), shown
                self._kept[track.crop] = data
        while len(self._kept) > parameters.MOST_CROPS:
            self._kept.popitem(last=False)


def jpeg(pixels: Pixels) -> bytes | None:
    """A picture as JPEG; None where it cannot be written."""
    done, data = cv2.imencode(".jpg", pixels, _JPEG)
    return bytes(data) if done else None
