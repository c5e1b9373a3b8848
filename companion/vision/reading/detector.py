"""Finds cards and index corners of any print: one small pose network, run with ONNX Runtime at several scales.

Classes: card face up, card face down, index corner; each with four keypoints. The network answers with a raw
tensor (YOLO pose layout); decoding, suppression and the scale pyramid are here, in NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision import parameters as common
from companion.vision.boxes import Box, cut_by
from companion.vision.geometry import Array, are_valid, areas, iou, side_lengths
from companion.vision.images import Pixels, fit
from companion.vision.reading import parameters
from companion.vision.reading.changes import Changes
from companion.vision.reading.detections import CLASSES, Detection, DetectionClass, with_overlapping
from companion.vision.reading.runtime import as_tensor, session
from companion.vision.reading.suppression import cluster_by_corners, consensus, same_printed_index
from companion.vision.reading.tile_memory import TileMemory
from companion.vision.reading.tiles import Tile, any_overlap, card_length, clear_heights, finer_tiles, index_height
from companion.vision.reading.workers import Workers

_STRIDE = 32
_GREY = 114


@dataclass(frozen=True, slots=True)
class Views:
    """What the views of a picture show, not yet suppressed: coarse ones of so many `scales`, finer ones `closer`
    (network px a picture px); 0 where there were none."""

    coarse: tuple[Detection, ...]
    finer: tuple[Detection, ...]
    scales: tuple[float, ...]
    closer: float


class Detector:
    """The network with its decoding. Not thread-safe by promise: one instance a thread."""

    def __init__(
        self, path: Path, *, threads: int = 2, threshold: float | None = None, workers: Workers | None = None
    ) -> None:
        """Load the weights `path` (ONNX). `threshold`: the lowest score of a card; of an index,
        `parameters.INDEX_SCORE_SHARE` of it. `workers`: who looks at several tiles at once, each on a thread of its
        own, which takes less time than one after the other on all threads; None: nobody."""
        self._session = session(path, threads, coarse=True, alone=True)
        self._workers = workers
        self._beside = session(path, threads, coarse=True) if workers is not None else self._session
        self._fixed = self._session.shape[2]
        self.threshold = parameters.CARD_SCORE if threshold is None else threshold
        self.sights: Sequence[tuple[Detection, int, float]] = ()
        """The outlines that views of the last picture showed, also what `detect` took for second sights: see `sights`.
        """

    def detect(self, image: Pixels) -> list[Detection]:
        """All cards and index corners in a (height, width, 3) BGR picture, each once, best first.

        Two coarse passes find large and middle cards; the first alone suffices for large ones that lie apart, and for
        larger ones. Where cards turn out small, or lie over each other, finer tiles follow. Of cards that nearly fill
        the picture a coarser one tells where they lie.
        """
        return self.look(image)[0]

    def look(
        self, image: Pixels, memory: TileMemory | None = None, anew: Sequence[Box] = (), *,
        beside: Sequence[Array] = (),
    ) -> tuple[list[Detection], Views | None]:  # fmt: skip
        """The same, and the views that showed it; None of a picture that needs others than `look_again` takes. Of a
        camera that watches, `memory` keeps what finer tiles showed; those that meet the boxes `anew` (px) are looked at
        in any case. `beside`: outlines (px) of cards that surely lie beside a part of a picture; there one coarse pass
        never suffices, and a second one is as close as such cards want."""
        height, width = image.shape[:2]
        shrunk, _ = fit(image, 640)  # shrunk once for all passes over the whole picture

        def coarsely(side: int) -> list[Detection]:
            return self.detect_tile(image, Tile(0, 0, width, height, side), shrunk)

        coarse, sides = coarsely(320), [320]
        detections = None if beside else self._if_coarse_suffices(coarse, 320 / max(width, height))
        if detections is None:
            detections = self._suppressed(coarse)
            if index_height(detections) * 320 / max(width, height) <= parameters.LARGE_INDEX_PX:
                sides.append(second_side(detections, beside, max(width, height)))
                coarse = [*coarse, *coarsely(sides[1])]
                detections = self._suppressed(coarse)
        tall = index_height(detections) * 320 / max(width, height)
        coarser = tall > parameters.LARGE_INDEX_PX
        if coarser:  # looks as close as these see parts of such cards
            side = max(96, round(320 * parameters.BEST_INDEX_PX / tall / _STRIDE) * _STRIDE)
            detections = self._suppressed([*coarsely(side), *(f for f in coarse if f.label is DetectionClass.INDEX)])
        tiles = finer_tiles([f for f in detections if f.score >= self.threshold], width, height)
        detect = partial(self._detect_tiles, image)
        finer = [
            f for found in (detect(tiles) if memory is None else memory.look(image, tiles, anew, detect)) for f in found
        ]
        views = Views(tuple(coarse), tuple(finer), tuple(side / max(width, height) for side in sides),
                      tiles[0].scale if tiles else 0.0)  # fmt: skip
        return self._suppressed([*detections, *finer]) if tiles else detections, None if coarser else views

    def look_again(self, image: Pixels, before: Views, changes: Changes) -> tuple[list[Detection], Views] | None:
        """What is found in a picture, and the views of it, where another was seen before: it is looked at where
        something has changed since. None where other views are needed."""
        height, width = image.shape[:2]
        known = [*before.coarse, *before.finer]
        length = card_length(known)
        if not length:
            return None
        clear = [f.keypoints for f in known if f.score >= self.threshold and f.label is not DetectionClass.INDEX]
        changes = changes.whole(clear)  # of a card that has changed nothing is kept, nor of one that lies on it
        boxes = changes.boxes(parameters.CHANGE_REACH * length, [f.keypoints for f in known])

        def seen(kept: Sequence[Detection], scales: Sequence[float]) -> list[Detection]:
            found = [f for box in boxes for scale in scales for f in self._within(image, box, scale)]
            return [*_lying(kept, changes, changed=False), *_lying(found, changes, changed=True)]

        if any(before.closer * max(box[2] - box[0], box[3] - box[1]) > parameters.WIDEST_VIEW for box in boxes):
            return None
        coarse = seen(before.coarse, before.scales)
        detections = self._coarsely(coarse, before, width, height)
        if detections is None:
            return None
        tiles = finer_tiles([f for f in detections if f.score >= self.threshold], width, height)
        closer = tiles[0].scale if tiles else 0.0
        if bool(closer) != bool(before.closer) or abs(closer - before.closer) > parameters.SAME_VIEW * before.closer:
            return None
        finer = seen(before.finer, [before.closer]) if closer else []
        views = replace(before, coarse=tuple(coarse), finer=tuple(finer))
        return self._suppressed([*detections, *finer]) if closer else detections, views

    def _coarsely(self, coarse: Sequence[Detection], before: Views, width: int, height: int) -> list[Detection] | None:
        """What coarse views show, each once; None where they show that others are needed."""
        enough = self._if_coarse_suffices(coarse, before.scales[0])
        if enough is None and len(before.scales) == 1:
            return None
        detections = self._suppressed(coarse) if enough is None else enough
        tall = index_height(detections) * 320 / max(width, height)
        return None if tall > parameters.LARGE_INDEX_PX else detections

    def _within(self, image: Pixels, box: Box, scale: float) -> list[Detection]:
        """What a part of the picture shows, `scale` network px a picture px, but for what its edge cuts."""
        left, top, right, bottom = box
        side = max(_STRIDE, round(max(right - left, bottom - top) * scale / _STRIDE) * _STRIDE)
        found = self.detect_tile(image, Tile(left, top, right - left, bottom - top, side))
        cut = cut_by(box, [f.keypoints for f in found], (image.shape[1], image.shape[0])) if found else ()
        return [f for f, gone in zip(found, cut, strict=True) if not gone]

    def _detect_tiles(self, image: Pixels, tiles: Sequence[Tile]) -> list[list[Detection]]:
        """Detections of each tile."""
        if self._workers is None or len(tiles) == 1:
            return [self.detect_tile(image, tile) for tile in tiles]
        look = partial(self.detect_tile, image, beside=True)
        return self._workers.in_parts(lambda some: [look(tile) for tile in some], tiles, 1)

    def _if_coarse_suffices(self, coarse: Sequence[Detection], scale: float) -> list[Detection] | None:
        """All, each once, where what is clearly an index is larger than `parameters.ENOUGH_INDEX_PX` and no card lies
        over another."""
        heights = clear_heights(coarse)
        if not heights or min(heights) * scale <= parameters.ENOUGH_INDEX_PX:
            return None
        detections = self._suppressed(coarse)
        cards = [f for f in detections if f.label is not DetectionClass.INDEX and f.score >= self.threshold]
        return None if any_overlap(cards) else detections

    def _suppressed(self, found: Sequence[Detection]) -> list[Detection]:
        """All, each once; keeps `sights` of them."""
        self.sights = sights(found)
        return suppress(found, self.sights)

    def detect_tile(
        self, image: Pixels, tile: Tile, whole: Pixels | None = None, *, beside: bool = False
    ) -> list[Detection]:
        """Detections of one view, in picture px, not yet suppressed. `whole`: the view as it is, or shrunk already;
        `beside`: others are looked at meanwhile."""
        side = self._fixed or tile.side
        tile = Tile(tile.left, tile.top, tile.width, tile.height, side)
        window = image[tile.top : tile.top + tile.height, tile.left : tile.left + tile.width]
        window = window if whole is None else whole
        tensor = letterbox(window, side, square=self._fixed is not None)
        raw = (self._beside if beside else self._session)(tensor)[0]
        shift = np.array([tile.left, tile.top], np.float64)
        found = decode(raw, self.threshold, 1 / tile.scale, shift)
        box = (tile.left, tile.top, tile.left + tile.width, tile.top + tile.height)
        return less_where_cut(found, box, (image.shape[1], image.shape[0]))


def second_side(found: Sequence[Detection], beside: Sequence[Array], longest: int) -> int:
    """How large (network px) a picture `longest` px long is looked at a second time: 640 px; or, of a part, as cards
    `found` there or else those `beside` it want."""
    if not beside:
        return 640
    width = float(np.median(side_lengths(np.stack(beside)).min(axis=1)))
    tall = index_height(found) or parameters.INDEX_OF_WIDTH * width
    wanted = parameters.PART_INDEX_PX * longest / tall
    return int(np.clip(np.ceil(wanted / _STRIDE) * _STRIDE, parameters.LEAST_SECOND, 640))


def letterbox(window: Pixels, side: int, *, square: bool = False) -> NDArray[np.float32]:
    """Scale a window so that its longer side is `side` px, pad right and below to multiples of 32 with grey.

    Returns (1, 3, height, width) RGB in 0..1. Padding on one side only keeps the way back a plain division.
    """
    height, width = window.shape[:2]
    scale = side / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    shrunk = cv2.resize(window, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    full = (side, side) if square else tuple(-(-edge // _STRIDE) * _STRIDE for edge in size)
    canvas = np.full((full[1], full[0], 3), _GREY, np.uint8)
    canvas[: size[1], : size[0]] = shrunk
    return as_tensor([canvas])


def less_where_cut(found: Sequence[Detection], box: Box, size: tuple[int, int]) -> list[Detection]:
    """What a part of a picture (width, height; px) shows, with less to say where its edge cuts a card: another part
    shows it whole."""
    cards = [f for f in found if f.label is not DetectionClass.INDEX]
    if not cards or box == (0, 0, *size):
        return list(found)
    near = parameters.CUT_SHARE * side_lengths(np.stack([f.keypoints for f in cards])).min(axis=1)
    cut = cut_by(box, [f.keypoints for f in cards], size, near)
    halved = {id(f) for f, gone in zip(cards, cut.tolist(), strict=True) if gone}
    return [replace(f, score=parameters.CUT_SAYS * f.score) if id(f) in halved else f for f in found]


def decode(
    raw: NDArray[np.generic], threshold: float, scale: float = 1.0, shift: Array | float = 0.0
) -> list[Detection]:
    """Turn the raw output (1, rows, places) into detections in px of the picture.

    The last rows count: a score for each class, then four keypoints (x, y, visibility). A network px is `scale`
    picture px, counted from `shift` (x, y). A place counts once, for its best class.
    """
    table = np.asarray(raw)[0, -len(DetectionClass) - 12 :]
    scores = table[: len(DetectionClass)]
    places = np.flatnonzero(
        (scores[: DetectionClass.INDEX].max(axis=0) >= threshold)
        | (scores[DetectionClass.INDEX] >= parameters.INDEX_SCORE_SHARE * threshold)
    )
    if not places.size:
        return []
    labels, best = scores[:, places].argmax(axis=0), scores[:, places].max(axis=0)
    points = table[len(DetectionClass) :, places].T.astype(np.float64)
    quads = points.reshape(-1, 4, 3)[:, :, :2] * scale + shift
    mirrored = areas(quads) < 0
    quads[mirrored] = quads[mirrored][:, [1, 0, 3, 2]]
    keep = are_valid(quads) & ((best >= threshold) | (labels == DetectionClass.INDEX))
    named = zip(labels[keep].tolist(), best[keep].tolist(), quads[keep], strict=True)
    return [Detection(CLASSES[label], score, quad) for label, score, quad in named]


def suppress(
    detections: Sequence[Detection], seen: Sequence[tuple[Detection, int, float]] | None = None
) -> list[Detection]:
    """Keep each card and each index once, at the mean of what says so clearly. Up and down compete for a place. `seen`:
    the `sights` of these detections, where they are known."""
    pool = sorted(detections, key=lambda f: -f.score)[: 8 * parameters.MOST_DETECTIONS]
    cards = [card for card, _, _ in (sights(detections) if seen is None else seen)]
    kept: list[Detection] = []
    held: set[int] = set()
    for card, near in with_overlapping(sorted(cards, key=lambda f: -f.score)[: parameters.MOST_DETECTIONS]):
        if not any(id(other) in held and same_card(card.keypoints, other.keypoints) for other in near):
            kept.append(card)
            held.add(id(card))
    indices = [f for f in pool if f.label is DetectionClass.INDEX]
    clear = _suppress_class([f for f in indices if f.score >= parameters.FAINT_INDEX_SCORE], parameters.SAME_INDEX)
    faint = _suppress_class([f for f in indices if f.score < parameters.FAINT_INDEX_SCORE], parameters.SAME_INDEX)
    return sorted([*kept, *clear, *_without_echoes(faint, clear)], key=lambda f: -f.score)[: parameters.MOST_DETECTIONS]


def sights(detections: Iterable[Detection]) -> list[tuple[Detection, int, float]]:
    """All outlines of cards, also those that `suppress` takes for second sights: where each lies, in how many views it
    was seen so, and what they score together."""
    pool = sorted((f for f in detections if f.label is not DetectionClass.INDEX), key=lambda f: -f.score)
    pool = pool[: 8 * parameters.MOST_DETECTIONS]
    if not pool:
        return []
    groups = _grouped(pool, parameters.SAME_OUTLINE)
    heard = (sum(pool[member].score for member in group) for group in groups)
    return list(zip(_merged(pool, groups), map(len, groups), heard, strict=True))


def _without_echoes(faint: list[Detection], clear: list[Detection]) -> list[Detection]:
    """Those faintly seen where nothing is seen more clearly: they have no say in where that lies."""
    if not clear or not faint:
        return faint
    here = same_printed_index(
        np.stack([f.keypoints for f in faint])[:, None], np.stack([f.keypoints for f in clear]), parameters.ECHO_REACH
    )
    return [faint[number] for number in np.flatnonzero(~here.any(axis=1)).tolist()]


def same_card(a: Array, b: Array) -> bool:
    """True for two outlines that are one card seen twice, however inexactly: nearly one place, nearly one direction.

    Cards of a fan that share so much are told apart by their indices, not by their outlines.
    """
    shared = iou(a, b)
    return shared > common.HIDDEN_IOU or (
        shared > parameters.SAME_CARD_IOU and _angle_between(a, b) < parameters.SAME_CARD_LEAN
    )


def _angle_between(a: Array, b: Array) -> float:
    """Degrees between the long sides of two outlines."""
    ways = []
    for quad in (a, b):
        first, second = quad[1] - quad[0] + quad[2] - quad[3], quad[2] - quad[1] + quad[3] - quad[0]
        ways.append(first if np.dot(first, first) > np.dot(second, second) else second)
    cosine = abs(float(np.dot(*ways))) / max(float(np.linalg.norm(ways[0]) * np.linalg.norm(ways[1])), 1e-9)
    return float(np.degrees(np.arccos(min(1.0, cosine))))


def _suppress_class(detections: list[Detection], nearest: float) -> list[Detection]:
    """Non-maximum suppression by corners; each group at the mean of its clear members."""
    return _merged(detections, _grouped(detections, nearest)) if detections else []


def _grouped(detections: list[Detection], nearest: float) -> list[list[int]]:
    """The numbers of those that are one instance each, by their corners; the clearest first."""
    return cluster_by_corners(
        np.array([f.keypoints for f in detections]), np.array([f.score for f in detections]), nearest
    )


def _merged(detections: list[Detection], groups: list[list[int]]) -> list[Detection]:
    """Each group as one detection, at the mean of its clear members."""
    quads, scores = np.array([f.keypoints for f in detections]), np.array([f.score for f in detections])
    members = np.array(
        [
            (group[: parameters.MERGED_MEMBERS] + group[:1] * parameters.MERGED_MEMBERS)[: parameters.MERGED_MEMBERS]
            for group in groups
        ]
    )
    heard = np.arange(parameters.MERGED_MEMBERS) < np.array([len(group) for group in groups])[:, None]
    clear = heard & (scores[members] > parameters.MERGED_SCORE_SHARE * scores[members[:, :1]])
    means = consensus(quads[members], np.where(clear, scores[members], 0.0))
    merged = np.where(are_valid(means)[:, None, None], means, quads[members[:, 0]])
    return [
        Detection(detections[group[0]].label, detections[group[0]].score, quad)
        for group, quad in zip(groups, merged, strict=True)
    ]


def _lying(detections: Sequence[Detection], changes: Changes, *, changed: bool) -> list[Detection]:
    """Those that lie where something changed, or those that do not."""
    there = changes.touched_by([f.keypoints for f in detections])
    return [f for f, touched in zip(detections, there.tolist(), strict=True) if touched is changed]
