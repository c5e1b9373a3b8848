"""The picture of a question: the cards it asks about, or the place where one of them ought to lie, as the camera sees
them. Where there are several, each has its outline and its number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from companion.table import Layout, Question
from companion.vision.camera.calibration import Calibration
from companion.vision.following.crops import jpeg
from companion.vision.following.watcher import Watcher
from companion.vision.images import Pixels
from companion.vision.types import Point, SeenCard, SeenTable

LONGEST = 600
"""Of a picture with several cards, px; that of one is the watcher's own."""

_MARGIN = 0.08
_CARD, _PLACE, _NUMBER = (60, 220, 255), (255, 255, 255), (20, 20, 20)


class Pictured(NamedTuple):
    """A picture (JPEG); `part`: of a part of the table with outlines in it, not of one card."""

    jpeg: bytes
    part: bool


def pictured(question: Question, seen: SeenTable, layout: Layout, watcher: Watcher) -> Pictured | None:
    """What `question` is about in `seen`; None where nothing that it asks about can be shown."""
    cards = shown_cards(question, seen)
    alone = question.crop or (cards[0].crop if len(cards) == 1 else None)
    if alone is not None and not _lacks_one(question):  # else that is the card which lies over it
        found = watcher.crop(alone)
        return None if found is None else Pictured(found, part=False)
    fitted = layout.for_table(seen.unit, seen.size)
    place = next((zone.polygon for zone in fitted.zones if zone.id == question.zone), None)
    if cards and not _lacks_one(question):
        place = None
    pixels = next((lying[0] for card in cards if (lying := watcher.card(card.track)) is not None), None)
    if pixels is None:
        pixels = None if watcher.frame is None else watcher.frame.pixels
    if pixels is None or (place is None and not cards):
        return None
    high, wide = pixels.shape[:2]
    through = watcher.calibration or Calibration.whole_picture(wide, high)
    outlines = [through.to_picture(card.polygon, (wide, high)) for card in cards]
    drawn = _drawn(pixels, outlines, None if place is None else through.to_picture(place, (wide, high)))
    return None if drawn is None else Pictured(drawn, part=True)


def shown_cards(question: Question, seen: SeenTable) -> list[SeenCard]:
    """The cards that its picture shows, in the order of their numbers there."""
    lying = {card.crop: card for card in seen.cards if card.crop is not None}
    return [lying[name] for name in question.evidence if name in lying]


def _lacks_one(question: Question) -> bool:
    return question.track is not None and question.track < 0


def _drawn(pixels: Pixels, outlines: Sequence[Sequence[Point]], place: Sequence[Point] | None) -> bytes | None:
    """The part of a picture that holds `outlines` and `place`, all px, with lines around them; numbers where there are
    several outlines and no place."""
    points = np.array([point for outline in [*outlines, *([place] if place else [])] for point in outline])
    low, high = points.min(axis=0), points.max(axis=0)
    margin = _MARGIN * (high - low).max()
    size = np.array(pixels.shape[1::-1])
    left, top = np.clip(np.floor(low - margin), 0, size).astype(int)
    right, bottom = np.clip(np.ceil(high + margin), 0, size).astype(int)
    if right - left < 2 or bottom - top < 2:
        return None
    part = np.ascontiguousarray(pixels[top:bottom, left:right])
    scale = LONGEST / max(part.shape[:2])  # a small part larger, so that its numbers can be read
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=way), np.uint8)
    unit = LONGEST / 240
    for outline, ink in [*([(place, _PLACE)] if place else []), *((outline, _CARD) for outline in outlines)]:
        corners = np.round((np.array(outline) - (left, top)) * scale).astype(np.int32)
        cv2.polylines(part, [corners], True, ink, max(1, round(unit)), cv2.LINE_AA)
    for number, outline in enumerate(outlines if len(outlines) > 1 and not place else [], start=1):
        # On the left edge of the card: its corners, which tell what it is, stay in sight.
        middle = ((np.array(outline[0]) + np.array(outline[3])) / 2 - (left, top)) * scale
        _badge(part, str(number), (round(middle[0]), round(middle[1])), 8 * unit)
    return jpeg(part)


def _badge(part: Pixels, text: str, middle: tuple[int, int], radius: float) -> None:
    size = radius / 18
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    cv2.circle(part, middle, round(radius), _CARD, -1, cv2.LINE_AA)
    at = (middle[0] - width // 2, middle[1] + height // 2)
    cv2.putText(part, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, _NUMBER, 2, cv2.LINE_AA)
