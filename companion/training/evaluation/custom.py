"""Measures custom decks: `python -m companion.training custom [--json OUT]`, which is `make measure-decks`.

The frozen protocol. Invented decks that never trained anything, 13 pictures × 5 marks, are enrolled from one or three
photographs a card; then tables of two mixed copies with foreign cards and backs are read (`companion.training.decks`).
A card that was read belongs to the card that lies where its outline lies (their overlap is largest, and at least 0.3).
*Separate* cards are seen whole; *overlapped* ones with at least a third of the card and one of their marks. Recall
counts these, precision every name given on the table, wrong and confident are wrong names by cards of the deck that
lie there, and refused the share of foreign cards and backs without a name. A photograph that is refused is taken again.

Methods: `marks` is what runs, two networks that say which picture and which mark a card shows; `features` names by
local features (SIFT) with an affine map that at least so many of them agree on (RANSAC), the usual way. With *true*
outlines the places are given, with *found* ones they are the reader's.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from companion.cards import deck_from_toml
from companion.training.decks import scenes
from companion.training.decks.invented import HELDOUT, STYLES, Invented, toml_of
from companion.vision.decks.crops import SAMPLE, rectified, reduced
from companion.vision.decks.enrolled import EnrolledDeck, Sample
from companion.vision.decks.gallery import Gallery
from companion.vision.decks.network import Network
from companion.vision.decks.photographs import BadPhotographError, the_card
from companion.vision.geometry import Array, as_quad, iou
from companion.vision.pipeline import Reader, TwoPassReader
from companion.vision.pipeline.enrolled import Chosen, EnrolledReader

Namer = Callable[[np.ndarray, Sequence[Array]], list[str | None]]


def enrolled(drawn: Invented, photographs: int, reader: Reader) -> tuple[EnrolledDeck, int]:
    """A deck enrolled from so many photographs a card, and how many had to be taken again."""
    samples, again = [], 0
    for code in drawn.codes:
        taken, seed = 0, 0
        while taken < photographs and seed < photographs + 6:
            picture, _ = scenes.photograph(drawn, code, 9000 + seed)
            seed += 1
            try:
                samples.append(Sample(code, the_card(picture, reader.read(picture).cards)))
                taken += 1
            except BadPhotographError:
                again += 1
    text = toml_of(drawn)
    return EnrolledDeck(deck_from_toml(text, "invented"), text, tuple(samples)), again


def _first(deck: EnrolledDeck, photographs: int) -> EnrolledDeck:
    """The same deck as so many photographs a card make it: of each the first."""
    taken: Counter[str] = Counter()
    samples = []
    for sample in deck.samples:
        taken[sample.face] += 1
        if taken[sample.face] <= photographs:
            samples.append(sample)
    return replace(deck, samples=tuple(samples))


def by_marks(gallery: Gallery) -> Namer:
    """What runs: pictures and marks, each by its network."""

    def name(picture: np.ndarray, outlines: Sequence[Array]) -> list[str | None]:
        return [one.face for one in gallery.recognised(rectified(picture, np.array(outlines), SAMPLE))]

    return name


def by_features(gallery: Gallery) -> Namer:
    """Local features: the face with which most agree on one affine map, clearly more than with the next."""
    sift = cv2.SIFT_create(120, contrastThreshold=0.02)
    matcher = cv2.BFMatcher(cv2.NORM_L2)
    known = [sift.detectAndCompute(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), None)
             for crop in reduced([sample.pixels for sample in gallery.deck.samples])]  # fmt: skip

    def agree(points: Sequence, features: np.ndarray, other: tuple) -> int:
        if other[1] is None or len(other[1]) < 4:
            return 0
        pairs = [
            p for p in matcher.knnMatch(features, other[1], 2) if len(p) == 2 and p[0].distance < 0.8 * p[1].distance
        ]
        if len(pairs) < 4:
            return 0
        here = np.float32([points[p[0].queryIdx].pt for p in pairs])
        there = np.float32([other[0][p[0].trainIdx].pt for p in pairs])
        _, inliers = cv2.estimateAffinePartial2D(here, there, method=cv2.RANSAC, ransacReprojThreshold=4)
        return 0 if inliers is None else int(inliers.sum())

    def name(picture: np.ndarray, outlines: Sequence[Array]) -> list[str | None]:
        out = []
        for crop in rectified(picture, np.array(outlines)):
            points, features = sift.detectAndCompute(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), None)
            best: dict[str, int] = {}
            for sample, other in zip(gallery.deck.samples, known, strict=True):
                count = 0 if features is None or len(features) < 4 else agree(points, features, other)
                best[sample.face] = max(best.get(sample.face, 0), count)
            (first, most), (_, next_most) = sorted(best.items(), key=lambda pair: -pair[1])[:2]
            out.append(first if most >= 7 and most >= 1.25 * next_most else None)
        return out

    return name


METHODS: dict[str, Callable[[Gallery], Namer]] = {"features": by_features, "marks": by_marks}


@dataclass(slots=True)
class Sums:
    """Counts, and what follows from them."""

    counts: dict[str, int] = field(default_factory=dict)

    def add(self, **more: int) -> None:
        """Count."""
        for key, value in more.items():
            self.counts[key] = self.counts.get(key, 0) + int(value)

    def figures(self) -> dict[str, float | int]:
        """The figures to report."""
        c = {key: self.counts.get(key, 0) for key in
             ("cards", "named", "right", "separate", "separate_right", "overlapped", "overlapped_right", "strange",
              "strange_named")}  # fmt: skip
        return {
            "cards": c["cards"],
            "precision": round(c["right"] / max(1, c["named"]), 4),
            "separate": c["separate"],
            "recall, separate": round(c["separate_right"] / max(1, c["separate"]), 4),
            "overlapped": c["overlapped"],
            "recall, overlapped": round(c["overlapped_right"] / max(1, c["overlapped"]), 4),
            "wrong and confident": round((c["named"] - c["right"]) / max(1, c["cards"]), 4),
            "foreign": c["strange"],
            "foreign refused": round(1 - c["strange_named"] / max(1, c["strange"]), 4),
        }


def count(sums: Sums, scene: scenes.compose.Scene, outlines: Sequence[Array], names: Sequence[str | None]) -> None:
    """Count one table on which cards with these outlines got these names."""
    said: dict[int, list[str]] = {}
    for outline, name in zip(outlines, names, strict=True):
        if name is None:
            continue
        shares = [iou(outline, card.quad) for card in scene.cards]
        at = int(np.argmax(shares)) if shares else -1
        said.setdefault(at if at >= 0 and shares[at] >= 0.3 else -1, []).append(name)
    sums.add(named=sum(map(len, said.values())))
    for at, card in enumerate(scene.cards):
        got = said.get(at, [])
        if card.face is None or card.face == scenes.FOREIGN:
            sums.add(strange=1, strange_named=bool(got))
            continue
        right = card.face in got
        sums.add(cards=1, right=right)
        if card.visible > 0.98:
            sums.add(separate=1, separate_right=right)
        elif card.visible > 1 / 3 and any(mark.visible > 0.9 for mark in card.indices):
            sums.add(overlapped=1, overlapped_right=right)


def measure(tables: int, seeds: Sequence[int], photographs: Sequence[int] = (1, 3),
            methods: Sequence[str] = tuple(METHODS), styles: Sequence[str] = STYLES,
            progress: Callable[[str], None] = print) -> list[dict]:  # fmt: skip
    """Rows of figures: style × photographs × method × outlines, over so many tables of one deck a style and seed; of
    more than one photograph a card the first seed's deck alone."""
    cv2.setNumThreads(1)
    reader, network = Reader(threads=1), Network(threads=1)
    rows = []
    for style in styles:
        found: dict[tuple[int, str, str], tuple[Sums, Counter[str]]] = {}
        for number, seed in enumerate(seeds):
            wanted = [times for times in photographs if times == 1 or number == 0]
            if wanted:
                _one_deck(style, seed, tables, wanted, methods, (reader, network), found)
        for (times, method, way), (sums, spent) in found.items():
            rows.append({"style": style, "photographs": times, "method": method, "outlines": way, **sums.figures(),
                         "ms a card": round(spent["ms"] / max(1, spent["cards"]), 1),
                         "taken again": spent["again"]})  # fmt: skip
            progress(json.dumps(rows[-1]))
    return rows


def _one_deck(style: str, seed: int, tables: int, photographs: Sequence[int], methods: Sequence[str],
              networks: tuple[Reader, Network], found: dict) -> None:  # fmt: skip
    """Add one deck's tables to `found`: (photographs, method, outlines) → what was counted, and the time it took."""
    reader, network = networks
    drawn, foreign = Invented(seed, style), [Invented(seed + 100 + k) for k in range(5)]
    laid = [scenes.table(drawn, foreign, 100 + number) for number in range(tables)]
    pictures = [np.ascontiguousarray(scene.image[..., ::-1]) for scene in laid]
    results = [TwoPassReader(reader).read(picture, drawn.codes) for picture in pictures]
    whole, again = enrolled(drawn, max(photographs), reader)
    for times in photographs:
        gallery = Gallery(_first(whole, times), network)
        for method in methods:
            namer = METHODS[method](gallery)
            for way in ("true", "found"):
                sums, spent = found.setdefault((times, method, way), (Sums(), Counter()))
                spent["again"] += again
                for scene, picture, result in zip(laid, pictures, results, strict=True):
                    outlines = [card.quad for card in scene.cards] if way == "true" else [
                        as_quad(card.polygon) for card in result.cards]  # fmt: skip
                    spent["cards"] += len(outlines)
                    began = time.process_time()
                    if method == "marks" and way == "found":
                        named = EnrolledReader(_Read(result), Chosen([gallery])).read(picture, drawn.codes).cards
                        outlines, names = [as_quad(c.polygon) for c in named], [c.face for c in named]
                    else:
                        names = namer(picture, outlines) if outlines else []
                    spent["ms"] += round(1000 * (time.process_time() - began))
                    count(sums, scene, outlines, names)


class _Read:
    """A reader that has read already."""

    def __init__(self, result) -> None:
        self._result = result

    def read(self, image, deck=None, letters=(), where=None, parts=()):
        """What was read."""
        return self._result


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="companion.training custom", description=__doc__)
    parser.add_argument("--tables", type=int, default=9, help="tables a deck (default: 9)")
    parser.add_argument("--seeds", nargs="*", type=int, default=[HELDOUT + 2000, HELDOUT + 2050],
                        help="the decks; from a million on those held out")  # fmt: skip
    parser.add_argument("--methods", nargs="*", default=list(METHODS), help="only these")
    parser.add_argument("--photographs", nargs="*", type=int, default=[1, 3], help="photographs a card")
    parser.add_argument("--styles", nargs="*", default=list(STYLES), help="only these")
    parser.add_argument("--json", type=Path, help="write the figures here")
    given = parser.parse_args(argv)
    rows = measure(given.tables, given.seeds, given.photographs, given.methods, given.styles)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    return 0
