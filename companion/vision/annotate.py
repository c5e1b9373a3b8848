"""Draws what was read onto the picture, for people to check."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.images import Pixels
from companion.vision.types import CardRead, ReadResult, Side

_SURE, _UNSURE, _BACK = (60, 180, 40), (0, 140, 255), (200, 130, 60)


def label(card: CardRead) -> str:
    """What is written on a card: its face, `back`, or a question mark with the best guess."""
    if card.side is Side.DOWN:
        return "back"
    if card.face is not None:
        return f"{card.face} {card.confidence:.2f}"
    return f"? {card.candidates[0].face} {card.candidates[0].p:.2f}" if card.candidates else "?"


def annotate(image: Pixels, result: ReadResult) -> Pixels:
    """A copy of the (height, width, 3) BGR picture with outlines (a dot at the first corner) and names."""
    drawn = image.copy()
    unit = max(image.shape[:2]) / 1000
    thick = max(1, round(2 * unit))
    for card in result.cards:
        colour = _BACK if card.side is Side.DOWN else _SURE if card.face is not None else _UNSURE
        points = np.round(np.array(card.polygon)).astype(np.int32)
        cv2.polylines(drawn, [points], True, colour, thick, cv2.LINE_AA)
        cv2.circle(drawn, (int(points[0][0]), int(points[0][1])), 2 * thick, colour, -1)
        _write(drawn, label(card), card.centre, colour, max(0.4, 0.8 * unit), thick)
    return drawn


def _write(image: Pixels, text: str, centre: tuple[float, float], colour: tuple[int, int, int], size: float,
           thick: int) -> None:  # fmt: skip
    (width, height), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    x, y = round(centre[0] - width / 2), round(centre[1] + height / 2)
    cv2.rectangle(image, (x - 3, y - height - 3), (x + width + 3, y + base + 1), (255, 255, 255), -1)
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)
