"""Ways to name cards of a custom deck that are measured beside each other (`custom`).

*marks* is what runs: two networks say which picture and which mark a card shows. *features* names by local features
(SIFT) with a map that at least so many of them agree on (RANSAC), the usual way. *embedder* is the network that makes
maps by itself: a card is compared with each face's template, either way up. *both* takes the embedder's best five
faces, and what features agree on counts for each beside what maps say.

The margins of these last two were chosen on eight invented decks of the development seeds, two a style: those that name
most cards, in the reader's outlines, with 95 of 100 names right. With features alone no margin gives that: cards of one
picture hardly differ to them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from companion.vision.decks.crops import SAMPLE, half_turned, rectified, reduced
from companion.vision.decks.gallery import Gallery
from companion.vision.decks.matching import Floats, Ready, Templates, compare, interiors
from companion.vision.decks.templates import build
from companion.vision.geometry import Array

Namer = Callable[[np.ndarray, Sequence[Array]], list[str | None]]

LEAST_AGREE, MORE_AGREE = 7, 1.25
"""A face is named by features where so many agree, and so many times as many as for the next."""
AHEAD = 6.0
"""A face is named by maps where its log evidence is so far ahead of the next …"""
BEYOND = {"embedder": 60.0, "both": 40.0}
"""… and of another card of the deck."""
FIRST = 5
"""So many of the embedder's faces are looked at by features."""
AGREEING = 0.25
"""What one feature that agrees counts, in log evidence."""


def by_marks(gallery: Gallery) -> Namer:
    """What runs: pictures and marks, each by its network."""

    def name(picture: np.ndarray, outlines: Sequence[Array]) -> list[str | None]:
        return [one.face for one in gallery.recognised(rectified(picture, np.array(outlines), SAMPLE))]

    return name


class Features:
    """Local features of a deck's samples, and how many of a card's agree with each face's."""

    def __init__(self, gallery: Gallery) -> None:
        self._sift = cv2.SIFT_create(120, contrastThreshold=0.02)
        self._matcher = cv2.BFMatcher(cv2.NORM_L2)
        self._known: dict[str, list[tuple]] = {}
        for sample, crop in zip(gallery.deck.samples, reduced([s.pixels for s in gallery.deck.samples]), strict=True):
            self._known.setdefault(sample.face, []).append(self.seen(crop))

    def seen(self, crop: np.ndarray) -> tuple:
        """Points and features of a crop."""
        return self._sift.detectAndCompute(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), None)

    def agree(self, seen: tuple, faces: Sequence[str]) -> list[int]:
        """How many features agree on one map onto each of these faces, onto the sample with which most do."""
        return [max(self._onto(seen, other) for other in self._known[face]) for face in faces]

    def _onto(self, seen: tuple, other: tuple) -> int:
        if any(features is None or len(features) < 4 for _, features in (seen, other)):
            return 0
        pairs = [
            p
            for p in self._matcher.knnMatch(seen[1], other[1], 2)
            if len(p) == 2 and p[0].distance < 0.8 * p[1].distance
        ]
        if len(pairs) < 4:
            return 0
        here = np.float32([seen[0][p[0].queryIdx].pt for p in pairs])
        there = np.float32([other[0][p[0].trainIdx].pt for p in pairs])
        _, inliers = cv2.estimateAffinePartial2D(here, there, method=cv2.RANSAC, ransacReprojThreshold=4)
        return 0 if inliers is None else int(inliers.sum())


class Embedder:
    """A deck's faces as templates of maps, and what a card's map says of each."""

    def __init__(self, gallery: Gallery) -> None:
        self.faces, self._network = gallery.faces, gallery.network
        crops = reduced([sample.pixels for sample in gallery.deck.samples])
        owner = [self.faces.index(sample.face) for sample in gallery.deck.samples]
        parts, numbers = gallery.deck.parts(), gallery.network.numbers
        ways = [
            build(interiors(self._network.sample_maps(each)), owner, parts, numbers)[0]
            for each in (crops, half_turned(crops))
        ]
        both = Templates(*(np.concatenate([getattr(way, name) for way in ways]) for name in ("means", "spread")))
        self._ready = Ready.of(both, numbers)

    def said(self, crops: np.ndarray) -> Floats:
        """(n, faces + 1): log evidence of each face in each crop, and last of another card; either way up."""
        each = [compare(card, self._ready).reshape(2, -1).max(axis=0) for card in self._network.maps(crops)]
        return np.stack(each)


def by_features(gallery: Gallery) -> Namer:
    """Local features: the face with which most agree on one map, clearly more than with the next."""
    features = Features(gallery)

    def name(picture: np.ndarray, outlines: Sequence[Array]) -> list[str | None]:
        out = []
        for crop in rectified(picture, np.array(outlines)):
            agree = features.agree(features.seen(crop), gallery.faces)
            first, second = sorted(range(len(agree)), key=lambda face: -agree[face])[:2]
            sure = agree[first] >= LEAST_AGREE and agree[first] >= MORE_AGREE * agree[second]
            out.append(gallery.faces[first] if sure else None)
        return out

    return name


def by_embedder(gallery: Gallery) -> Namer:
    """Maps alone: the likeliest face, where it is so far ahead of the next and of another card."""
    embedder = Embedder(gallery)

    def name(picture: np.ndarray, outlines: Sequence[Array]) -> list[str | None]:
        out = []
        for said in embedder.said(rectified(picture, np.array(outlines))):
            first, second = np.argsort(-said[:-1])[:2]
            ahead, beyond = said[first] - said[[second, -1]]
            out.append(gallery.faces[first] if ahead >= AHEAD and beyond >= BEYOND["embedder"] else None)
        return out

    return name


def by_both(gallery: Gallery) -> Namer:
    """Of the likeliest faces by maps the one that maps and features together say most for, where enough agree on it."""
    embedder, features = Embedder(gallery), Features(gallery)

    def name(picture: np.ndarray, outlines: Sequence[Array]) -> list[str | None]:
        crops, out = rectified(picture, np.array(outlines)), []
        for crop, said in zip(crops, embedder.said(crops), strict=True):
            faces = np.argsort(-said[:-1])[:FIRST]
            agree = np.array(features.agree(features.seen(crop), [gallery.faces[face] for face in faces]))
            both = said[faces] + AGREEING * agree
            first, second = np.argsort(-both)[:2]
            sure = both[first] - both[second] >= AHEAD and said[faces[first]] - said[-1] >= BEYOND["both"]
            out.append(gallery.faces[faces[first]] if sure and agree[first] >= LEAST_AGREE else None)
        return out

    return name


METHODS: dict[str, Callable[[Gallery], Namer]] = {
    "features": by_features,
    "embedder": by_embedder,
    "both": by_both,
    "marks": by_marks,
}
