"""Composes pictures in other processes while the detector trains (`networks/lots`)."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

import cv2
import numpy as np

from companion.training.networks import lots
from companion.training.scenes import compose as scenes
from companion.training.scenes import dataset, looks, prints

LOT = 64
"""Pictures of a lot."""
MOST = 160
"""Labels of a picture; what is beyond is left out."""
SIDE = 320
TABLES = 0.12
"""So many of the seeds are whole tables, cut into `PIECES` squares at most as the detector looks at them (`looks`)."""
PIECES = 8
DOWN = 0.12
"""So many of the seeds show backs first of all."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is composed, from which seed on, with how many invented prints and which share of picture decks."""

    folder: Path
    first: int
    drawn: int
    pictures: float


def labels(scene: scenes.Scene) -> np.ndarray:
    """What is to be found: `MOST`×13 float32, each a class (-1: nothing) and its corners: x, y (px), seen."""
    out = np.full((MOST, 13), -1, np.float32)
    for row, target in zip(out, dataset.targets(scene), strict=False):
        row[0] = target.kind
        row[1:] = np.c_[target.quad, np.array(target.seen) > 0].ravel()
    return out


def compose(order: Order, number: int, of: int) -> Iterator[scenes.Scene]:
    """Scenes of `SIDE` px without end: those of every `of`-th seed, from the `number`-th on."""
    small = dataset.composer("train", (SIDE, SIDE), order.drawn, order.pictures)
    large = scenes.Composer(small.prints, small.bank, looks.SIZE, looks.WIDTHS)
    large.pictures, large.picture_share = small.pictures, order.pictures
    for seed in range(order.first + number, order.first + 1_000_000_000, of):
        rng = np.random.default_rng([seed, 32])
        table, back = rng.random(2) < [TABLES, DOWN]
        if not table:
            small.down = float(rng.uniform(0.7, 1.0)) if back else None
            yield small.compose(seed)
            continue
        looks.arrange(large, rng)
        large.down = float(rng.uniform(0.3, 0.8)) if back else None
        yield from looks.pieces(large.compose(seed), rng, SIDE, PIECES)


def lot(composed: Sequence[scenes.Scene]) -> lots.Lot:
    """Scenes as arrays: `pictures` (n, 3, `SIDE`, `SIDE`; RGB, uint8) and `labels` (n, `MOST`, 13)."""
    return {
        "pictures": np.stack([scene.image.transpose(2, 0, 1) for scene in composed]),
        "labels": np.stack([labels(scene) for scene in composed]),
    }


def _run(order: Order, number: int, of: int) -> None:
    cv2.setNumThreads(1)
    endless = compose(order, number, of)
    made = (lot(list(islice(endless, LOT))) for _ in count())
    lots.make(made, order.folder, number, of, order.first)


def start(order: Order, processes: int) -> list[multiprocessing.process.BaseProcess]:
    """Begin to compose in so many processes, which end with this one; prints are rendered first."""
    order.folder.mkdir(parents=True, exist_ok=True)
    prints.load_prints("train", order.drawn, processes)
    return lots.start(_run, order, processes)
