"""Composes pictures in other processes while the detector trains: they lie in a folder, a lot at a time, until taken.

A lot is two files of the same number: `NUMBER.labels.npy` and, written last, `NUMBER.pictures.npy`. Where the folder is
in memory (`/dev/shm`), no disk is touched.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

import cv2
import numpy as np

from companion.training.scenes import compose as scenes
from companion.training.scenes import dataset, looks, prints

LOT = 64
"""Pictures of a lot."""
WAITING = 800
"""With so many lots ready nothing is composed until some are taken."""
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


def write(folder: Path, name: str, lot: Sequence[scenes.Scene]) -> None:
    """Lay a lot ready in the folder."""
    np.save(folder / f"{name}.labels.npy", np.stack([labels(scene) for scene in lot]))
    scratch = folder / f"{name}.part"
    with scratch.open("wb") as file:
        np.save(file, np.stack([scene.image.transpose(2, 0, 1) for scene in lot]))
    scratch.rename(folder / f"{name}.pictures.npy")


def _run(order: Order, number: int, of: int) -> None:
    cv2.setNumThreads(1)
    endless = compose(order, number, of)
    for lot in count(number, of):
        write(order.folder, f"{order.first}-{lot:07d}", list(islice(endless, LOT)))
        while len(lots(order.folder)) >= WAITING:
            time.sleep(1)


def start(order: Order, processes: int) -> list[multiprocessing.process.BaseProcess]:
    """Begin to compose in so many processes, which end with this one; prints are rendered first."""
    order.folder.mkdir(parents=True, exist_ok=True)
    prints.load_prints("train", order.drawn, processes)
    fresh = multiprocessing.get_context("spawn")  # OpenCV's threads do not survive a fork
    out = [fresh.Process(target=_run, args=(order, k, processes), daemon=True) for k in range(processes)]
    for one in out:
        one.start()
    return out


def lots(folder: Path) -> list[Path]:
    """The pictures of the lots that lie ready."""
    return sorted(folder.glob("*.pictures.npy"))


def take(pictures: Path) -> tuple[np.ndarray, np.ndarray]:
    """A lot's pictures (n, 3, `SIDE`, `SIDE`; RGB, uint8) and labels (n, `MOST`, 13); its files are gone afterwards."""
    beside = pictures.with_name(pictures.name.replace(".pictures.", ".labels."))
    out = np.load(pictures), np.load(beside)
    pictures.unlink()
    beside.unlink()
    return out
