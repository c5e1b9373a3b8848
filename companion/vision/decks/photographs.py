"""Photographs from which a deck is enrolled: the card is straightened, or the reason given why it will not do."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.contrast import by_contrast
from companion.vision.decks import parameters
from companion.vision.decks.crops import MARGIN, SAMPLE, rectified
from companion.vision.geometry import Array, area, as_quad, iou, side_lengths, upright
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
    read = [upright(as_quad(card.polygon)) for card in cards]
    return sample_of(picture, the_outline(picture, read))


def the_outline(picture: Pixels, read: Sequence[Array]) -> Array:
    """The outline of the one card in a photograph, of those `read` and those that stand out from what lies around them
    that which lies best on edges. Raises BadPhotographError."""
    contrasting = by_contrast(picture)
    outlines = apart(contrasting or read)
    if not outlines:
        raise BadPhotographError(Fault.NO_CARD)
    if len(outlines) > 1:
        raise BadPhotographError(Fault.SEVERAL, len(outlines))
    same = [outline for outline in (*read, *contrasting) if iou(outline, outlines[0]) > parameters.SAME_CARD]
    return max(same, key=lambda outline: on_edges(picture, outline))


def on_edges(picture: Pixels, outline: Array) -> float:
    """How much of an outline lies where the colour changes from the one side to the other, 0..1: a line printed on a
    card, or a shadow over it, is no such edge all around."""
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)
    shares = []
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        way = (end - start) / max(float(np.hypot(*(end - start))), 1e-6)
        points = start + (end - start) * np.linspace(0.1, 0.9, 33)[:, None]  # the corners are round
        aside = np.array([way[1], -way[0]]) * float(side_lengths(outline[None])[0].min())
        differ = [
            np.linalg.norm(_colours(lab, points + reach * aside) - _colours(lab, points - reach * aside), axis=1)
            for reach in parameters.EDGE_REACHES
        ]
        shares.append(np.minimum(np.min(differ, axis=0) / parameters.CLEAR_EDGE, 1.0).mean())
    return float(np.mean(shares))


def _colours(picture: NDArray[np.float32], points: Array) -> NDArray[np.float32]:
    """The colours of a picture at these points (n, 2), px: (n, 3)."""
    x, y = points.astype(np.float32).T
    return np.asarray(cv2.remap(picture, x[None], y[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0])


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


def same_picture(first: Pixels, second: Pixels) -> bool:
    """True for two samples that differ in no part: one card, or one photograph."""
    parts = [cv2.resize(each, (28, 36), interpolation=cv2.INTER_AREA).astype(np.float32) for each in (first, second)]
    return bool(np.abs(parts[0] - parts[1]).max() < parameters.SAME_PICTURE)


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
    """The share that is burnt out to white by glare. 0 where the paper itself is white; what ends at once, as paper
    does beside print, and reaches the card's rim is paper, too."""
    least = pixels.min(axis=2)
    if float(np.percentile(pixels.max(axis=2), 60)) > parameters.BRIGHT_PAPER:
        return 0.0
    spots = cv2.morphologyEx((least > 251).astype(np.uint8), cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(spots, connectivity=8)
    burnt = 0
    for number in range(1, count):
        spot = (labels == number).astype(np.uint8)
        around = cv2.dilate(spot, np.ones((9, 9), np.uint8)) > cv2.dilate(spot, np.ones((3, 3), np.uint8))
        fades = (least[around] > parameters.FADING).mean() > parameters.FADES_AROUND
        if fades or not (spot[[0, -1]].any() or spot[:, [0, -1]].any()):
            burnt += int(stats[number, cv2.CC_STAT_AREA])
    return burnt / spots.size
