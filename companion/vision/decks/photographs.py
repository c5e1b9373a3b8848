"""Photographs from which a deck is enrolled: the card is straightened, or the reason given why it will not do."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import cv2
import numpy as np

from companion.vision.decks import parameters
from companion.vision.decks.crops import MARGIN, SAMPLE, rectified
from companion.vision.geometry import Array, area, as_quad, iou, side_lengths
from companion.vision.images import Pixels
from companion.vision.types import CardRead


class Fault(StrEnum):
    """What is wrong with a photograph."""

    NO_CARD = "no_card"
    SEVERAL = "several"
    CUT = "cut"
    SMALL = "small"
    BLURRED = "blurred"
    GLARE = "glare"


class BadPhotographError(ValueError):
    """A photograph that will not do; `fault` says why, `detail` gives the number that goes with it."""

    def __init__(self, fault: Fault, detail: int = 0) -> None:
        self.fault, self.detail = fault, detail
        super().__init__(fault.value)


def the_card(picture: Pixels, cards: Sequence[CardRead]) -> Pixels:
    """The one card in a photograph, straightened as a sample. `cards`: what was found in it. Raises
    BadPhotographError."""
    outlines = apart([upright(as_quad(card.polygon)) for card in cards])
    if not outlines:
        raise BadPhotographError(Fault.NO_CARD)
    if len(outlines) > 1:
        raise BadPhotographError(Fault.SEVERAL, len(outlines))
    return sample_of(picture, outlines[0])


def sample_of(picture: Pixels, outline: Array) -> Pixels:
    """A card of that outline, straightened as a sample. Raises BadPhotographError where it shows too little."""
    if cut_off(picture, outline):
        raise BadPhotographError(Fault.CUT)
    wide = float(side_lengths(outline[None])[0].min())
    if wide < parameters.LEAST_CARD:
        raise BadPhotographError(Fault.SMALL, round(wide))
    sample = np.asarray(rectified(picture, outline[None], SAMPLE)[0], np.uint8)
    inner = sample[2 * SAMPLE * MARGIN : -2 * SAMPLE * MARGIN, 2 * SAMPLE * MARGIN : -2 * SAMPLE * MARGIN]
    if sharpness(inner) < parameters.SHARPEST_EDGE:
        raise BadPhotographError(Fault.BLURRED)
    if burnt_out(inner) > parameters.GLARE:
        raise BadPhotographError(Fault.GLARE)
    return sample


def cut_off(picture: Pixels, outline: Array) -> bool:
    """True where a whole side lies at the picture's edge, or a corner clearly beyond it."""
    size = np.array(picture.shape[1::-1], np.float64)
    near = parameters.EDGE * float(size.max())
    inside = np.concatenate([outline, size - outline], axis=1)  # from each of the four edges
    at_edge = inside < near
    return bool((at_edge & np.roll(at_edge, -1, axis=0)).any() or (inside < -parameters.BEYOND * size.max()).any())


def upright(outline: Array) -> Array:
    """The same outline from its upper short side on."""
    short_first = outline if side_lengths(outline[None])[0].argmin() == 0 else np.roll(outline, -1, axis=0)
    top, bottom = short_first[:2].mean(axis=0), short_first[2:].mean(axis=0)
    return short_first if (top[1], top[0]) <= (bottom[1], bottom[0]) else np.roll(short_first, -2, axis=0)


def apart(outlines: Sequence[Array]) -> list[Array]:
    """Of what was found the cards: each place once, and nothing much smaller than the largest."""
    kept: list[Array] = []
    for outline in sorted(outlines, key=lambda quad: -abs(area(quad))):
        if kept and abs(area(outline)) < parameters.SAME_SIZE * abs(area(kept[0])):
            continue
        if all(iou(outline, other) < 0.3 for other in kept):
            kept.append(outline)
    return kept


def sharpness(pixels: Pixels) -> float:
    """How steep the steepest edges are: the brightness that changes between two px, as a share of the contrast."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY).astype(np.float32)
    low, high = np.percentile(grey, (1, 99))
    slope = np.maximum(np.abs(np.diff(grey, axis=0))[:, :-1], np.abs(np.diff(grey, axis=1))[:-1])
    return float(np.percentile(slope, 99.5) / max(float(high - low), 12.0))


def burnt_out(pixels: Pixels) -> float:
    """The share that is burnt out to white while the paper around is not; 0 where the paper itself is white."""
    least = pixels.min(axis=2)
    paper = float(np.percentile(pixels.max(axis=2), 60))
    if paper > parameters.BRIGHT_PAPER:
        return 0.0
    spot = cv2.morphologyEx((least > 251).astype(np.uint8), cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    return float(spot.mean())
