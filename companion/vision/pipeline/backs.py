"""Backs of one deck look alike: what looks like the surest back of a picture is a back.

The detector finds a back's outline more often than it is sure that it is one: it may take it for a face, or score it so
low that it goes. How its own deck's backs look tells both, without knowing any deck beforehand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.vision.geometry import Array, area, as_quad, iou, overlap, side_lengths
from companion.vision.images import Pixels
from companion.vision.pipeline import parameters
from companion.vision.pipeline.report import as_polygon
from companion.vision.reading.crops import rectify_all
from companion.vision.types import CardRead, Side

_SIZE = 24, 32
"""Backs are compared in so many px (width, height)."""


def with_alike(cards: Sequence[CardRead], picture: Pixels, seen: Sequence[tuple[Array, float]]) -> list[CardRead]:
    """The cards of a (height, width, 3) BGR picture, further backs among them: cards without a name that look like the
    surest back lie face down, and so does what the detector has `seen` besides: outlines (4, 2) px and scores."""
    sure = max((c for c in cards if c.side is Side.DOWN), key=lambda c: c.confidence, default=None)
    if sure is None or sure.confidence < parameters.SURE_BACK:
        return list(cards)
    nameless = [c for c in cards if c.side is Side.UP and c.face is None]
    places = [as_quad(card.polygon) for card in cards]
    further = [
        outline
        for outline, score in seen
        if score >= parameters.LEAST_BACK
        and not any(overlap(outline, place) > parameters.PART_OF_BACK * abs(area(outline)) for place in places)
    ]
    outlines = [as_quad(sure.polygon), *(as_quad(card.polygon) for card in nameless), *further]
    apart = _unlike(picture, outlines)
    turned = {
        id(card): replace(card, side=Side.DOWN, confidence=sure.confidence, candidates=(), agreed=1.0)
        for card, far in zip(nameless, apart, strict=False)
        if far <= parameters.BACKS_ALIKE
    }
    found = [turned.get(id(card), card) for card in cards]
    for far, outline in sorted(zip(apart[len(nameless) :], further, strict=True), key=lambda pair: pair[0]):
        alone = all(iou(outline, as_quad(card.polygon)) < parameters.PART_OF_BACK for card in found)
        if far <= parameters.BACKS_ALIKE and alone:
            found.append(CardRead(None, sure.confidence, Side.DOWN, as_polygon(outline)))
    return found


def _unlike(picture: Pixels, outlines: Sequence[Array]) -> list[float]:
    """How far each outline but the first looks from the first: mean distance of colours (Lab), either way up, the
    light apart; infinite where it is not as large."""
    quads = [_upright(outline) for outline in outlines]
    crops = [
        cv2.cvtColor(cv2.GaussianBlur(crop, (0, 0), 1.0), cv2.COLOR_BGR2LAB).astype(np.float32)
        for crop in rectify_all(picture, np.stack(quads), _SIZE)
    ]
    sizes = [side_lengths(quad[None])[0] for quad in quads]
    found = []
    for crop, size in zip(crops[1:], sizes[1:], strict=True):
        ratio = np.sort(size) / np.sort(sizes[0])
        if np.abs(np.log(ratio)).max() > np.log(parameters.BACK_SIZES):
            found.append(float("inf"))
            continue
        found.append(min(_colours_apart(crops[0], one) for one in (crop, crop[::-1, ::-1])))
    return found


def _colours_apart(one: Array, other: Array) -> float:
    apart = one - other
    apart[..., 0] -= np.clip(np.median(apart[..., 0]), -parameters.BACK_LIGHT, parameters.BACK_LIGHT)
    return float(np.linalg.norm(apart, axis=-1).mean())


def _upright(quad: Array) -> Array:
    """The same outline, a short side first."""
    first, second = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])
    return quad if first <= second else np.roll(quad, 1, axis=0)
