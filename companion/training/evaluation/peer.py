"""The peer our reader is measured beside: one network that finds and names cards at once, trained on the same scenes.

`python -m companion.training peer scenes|train|measure`. It is what the well-known playing-card models are:
ultralytics' stock yolo11n with 52 classes, which boxes every index corner by its card's face. Its scenes are those of
the same seeds as the detector's, its training is the detector's, and it may start from the detector's weights.
torch and ultralytics are imported inside the functions that need them; without them this module still imports.

Where in doubt, the peer is favoured: a face counts as one card however often it is boxed (it cannot tell a duplicate
from the other corner of the same card), and it is measured at two operating points, both chosen on composed scenes of
its own training prints: the lowest confidence at which 0.99 of its names are right, and that of the best F1.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from companion.training.detector.network import quiet_environment
from companion.training.detector.train import train
from companion.training.evaluation import photographs
from companion.training.evaluation.composed import LIGHTS, Sums
from companion.training.scenes import compose as scenes
from companion.training.scenes import dataset
from companion.vision.images import Pixels
from companion.vision.pipeline import Reader
from companion.vision.reading.faces import FACES
from companion.vision.types import CardRead, ReadResult, Side

CLASSES = FACES[:52]
"""The faces in the order of the class numbers: no jokers."""
INDEX = dataset.NAMES.index("index")
FIRST_SEED = 78_000_000  # of the scenes that choose a threshold: none of them trained
LIGHT = LIGHTS["ordinary light"]
THRESHOLDS = tuple(k / 100 for k in range(2, 100))
PRECISION = 0.99

Figures = dict[str, float | int]
Box = tuple[float, float, float, float]


def face_lines(scene: scenes.Scene) -> list[str]:
    """The scene's label file: a box, as fractions of the picture, for each index corner the detector is taught.

    The class is the card's face; jokers, foreign cards and backs have none.
    """
    size = scene.image.shape[1::-1]
    indices = [t for t in dataset.targets(scene) if t.kind == INDEX and t.face in CLASSES]
    return [t.line(CLASSES.index(t.face), size) for t in indices]


def write_scenes(root: Path, stretches: Iterable[tuple[int, int]], val: int, workers: int = 2) -> Path:
    """Compose stretches (first seed, count) of training scenes, and `val` of held-out prints; returns `data.yaml`."""

    def write(part: str, split: str, first: int, count: int) -> None:
        dataset.write_split(root, part, split, count, first=first, workers=workers, labeller=face_lines)

    write("val", "heldout", 9_000_000, val)
    for first, count in stretches:
        write("train", "train", first, count)
    return dataset.write_yaml(root, ["train"], "val", CLASSES, corners=False)


def cards(boxes: Iterable[tuple[int, float, Box]]) -> tuple[CardRead, ...]:
    """One card for each class among `boxes` (class number, confidence, x0 y0 x1 y1 px): its surest box."""
    surest: dict[int, tuple[float, Box]] = {}
    for kind, confidence, box in boxes:
        if kind not in surest or confidence > surest[kind][0]:
            surest[kind] = (confidence, box)
    return tuple(
        CardRead(CLASSES[kind], confidence, Side.UP, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
        for kind, (confidence, (x0, y0, x1, y1)) in sorted(surest.items())
    )


class Peer:
    """ultralytics' own pipeline behind the one method of our reader that measuring needs."""

    def __init__(self, weights: Path, size: int, threshold: float = THRESHOLDS[0], threads: int = 2) -> None:
        """`size`: the longer side, px, a picture is brought to; boxes below confidence `threshold` are dropped."""
        quiet_environment()
        import torch
        from ultralytics import YOLO

        self.model, self.size, self.threshold = YOLO(str(weights), task="detect"), size, threshold
        self.read(np.zeros((size, size, 3), np.uint8))
        torch.set_num_threads(threads)  # after the first look, at which ultralytics leaves one core out

    def read(self, pixels: Pixels) -> ReadResult:
        """The cards of a (height, width, 3) BGR picture: one for each face found."""
        begun = time.perf_counter()
        found = self.model.predict(pixels, imgsz=self.size, conf=self.threshold, device="cpu", verbose=False)[0].boxes
        columns = (found.cls.int().tolist(), found.conf.tolist(), found.xyxy.tolist())
        named = cards((kind, sure, tuple(box)) for kind, sure, box in zip(*columns, strict=True))
        height, width = pixels.shape[:2]
        return ReadResult(width, height, (time.perf_counter() - begun) * 1000, named)


def sweep(reader: Peer | Reader, composed: Iterable[scenes.Scene]) -> dict[float, Figures]:
    """What the reader would read of the scenes at each of `THRESHOLDS`, by the sums of `composed`."""
    sums = {threshold: Sums() for threshold in THRESHOLDS}
    for scene in composed:
        named = reader.read(np.ascontiguousarray(scene.image[..., ::-1])).cards
        for threshold, count in sums.items():
            count.add(scene, Counter(card.face for card in named if card.face and card.confidence >= threshold))
    return {threshold: count.figures() for threshold, count in sums.items()}


def operating_points(figures: dict[float, Figures]) -> dict[str, float]:
    """The threshold of the best F1, and, where one reaches it with anything read, the lowest of precision 0.99."""

    def f1(threshold: float) -> float:
        precision, recall = figures[threshold]["precision"], figures[threshold]["recall"]
        return 2 * precision * recall / max(precision + recall, 1e-9)

    precise = [t for t, f in figures.items() if f["precision"] >= PRECISION and f["recall"] > 0]
    best = {"best F1": max(sorted(figures), key=f1)}
    return {f"precision {PRECISION}": min(precise), **best} if precise else best


def measure(weights: Path, todo: list[photographs.Photo], sizes: Iterable[int], count: int, threads: int = 2) -> dict:
    """Read the photographs with our reader, then with the peer at each size and operating point.

    `count` composed scenes of training prints choose the operating points. Returns the figures of `photographs.measure`
    for each, by name, the peer's with its threshold and what it reached on those scenes.
    """
    report = {"Table Companion": photographs.measure(Reader(threads=threads), todo)[0]}
    composer = dataset.composer("train", (1280, 720))
    composer.widths, composer.harsh = (40, 260), LIGHT
    for size in sizes:
        composed = (composer.compose(seed) for seed in range(FIRST_SEED, FIRST_SEED + count))
        figures = sweep(Peer(weights, size, threads=threads), composed)
        for point, threshold in operating_points(figures).items():
            own = {"threshold": threshold, "composed scenes that chose it": figures[threshold]}
            result, _ = photographs.measure(Peer(weights, size, threshold, threads), todo)
            report[f"peer, {size} px, {point}"] = own | result
    return report


def main(argv: list[str]) -> int:
    """The command line of this module."""
    parser = argparse.ArgumentParser(prog="python -m companion.training peer", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    s = steps.add_parser("scenes", help="compose the data set")
    s.add_argument("--out", type=Path, required=True)
    s.add_argument("--first", type=int, nargs="+", default=[1000], help="first seed of each stretch")
    s.add_argument("--train", type=int, nargs="+", default=[18000], help="scenes of each stretch")
    s.add_argument("--val", type=int, default=16, help="ultralytics wants some; nothing looks at them")
    s.add_argument("--workers", type=int, default=os.cpu_count() or 2)
    t = steps.add_parser("train", help="train on a data set")
    t.add_argument("--data", type=Path, required=True, help="data.yaml")
    t.add_argument("--out", type=Path, required=True)
    t.add_argument("--minutes", type=float, required=True)
    t.add_argument("--start", type=Path, help="take over what fits of these weights: the detector's, or a snapshot")
    t.add_argument("--progress", type=float, default=0.0, help="share of the schedule that is done")
    t.add_argument("--top", type=float, default=1.2e-3, help="highest learning rate")
    m = steps.add_parser("measure", help="figures on photographs, our reader beside it")
    m.add_argument("--weights", type=Path, required=True)
    m.add_argument("--photos", type=Path, required=True, help="folder with one folder a source")
    m.add_argument("--sources", nargs="*", default=[], help="only these (default: all)")
    m.add_argument("--use", default="measure only", help="'measure only' or 'may train' (for trying it out)")
    m.add_argument("--sizes", type=int, nargs="+", default=[640, 1280], help="longer sides of the picture, px")
    m.add_argument("--scenes", type=int, default=300, help="composed scenes that choose the thresholds")
    m.add_argument("--threads", type=int, default=2)
    m.add_argument("--json", type=Path, help="write the figures here")
    a = parser.parse_args(argv)
    if a.step == "scenes":
        if len(a.first) != len(a.train):
            parser.error("--first and --train must name as many stretches")
        print(write_scenes(a.out, zip(a.first, a.train, strict=True), a.val, a.workers))
    elif a.step == "train":
        print(
            train(
                a.data,
                a.out,
                a.minutes,
                weights=a.start,
                progress=a.progress,
                top=a.top,
                task="detect",
                classes=len(CLASSES),
            )
        )
    else:
        todo = photographs.photos(a.photos, a.sources, a.use)
        if not todo:
            parser.error(f"no labelled photographs with use {a.use!r} below {a.photos}")
        report = measure(a.weights, todo, a.sizes, a.scenes, a.threads)
        for name, result in report.items():
            at = f", from confidence {result['threshold']} on" if "threshold" in result else ""
            print(
                f"\n## {name}{at}: median {result['ms_median']} ms a picture\n\n{photographs.table(result['figures'])}"
            )
        if a.json:
            a.json.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", "utf-8")
    return 0
