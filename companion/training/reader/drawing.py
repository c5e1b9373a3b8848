"""Draws the index network's crops in other processes while a GPU trains it (`networks/lots`)."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from companion.training.networks import lots
from companion.training.reader.items import Item, foreign_items
from companion.training.reader.patches import Patches
from companion.training.reader.stream import lettered
from companion.training.scenes import prints

LOT = 1024
"""Crops of a lot."""
FOREIGN = 60
"""Decks that are none, twelve cards each."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is drawn, from which seed on, with how many invented prints."""

    folder: Path
    first: int
    drawn: int


def share(order: Order, number: int, of: int) -> list[Item]:
    """The cards of which one of the processes draws: all prints that are installed, and every `of`-th invented one."""
    rendered = prints.load_prints("train", drawn=order.drawn, workers=1)
    mine = [design for k, design in enumerate(rendered) if design.source != "invented" or k % of == number]
    return [item for design in mine for item in lettered(design)]


def draw(items: list[Item], seed: int) -> Iterator[lots.Lot]:
    """Endless lots: `crop` (n, 64, 48, 3; BGR, uint8), their `rank`, `suit` and `letter` (int64; -1: not known)."""
    patches = iter(Patches(items, [item for k in range(FOREIGN) for item in foreign_items(k)], seed))
    while True:
        drawn = list(islice(patches, LOT))
        yield {
            "crop": np.stack([one.crop for one in drawn]),
            **{key: np.array([getattr(one, key) for one in drawn], np.int64) for key in ("rank", "suit", "letter")},
        }


def _run(order: Order, number: int, of: int) -> None:
    cv2.setNumThreads(1)
    lots.make(draw(share(order, number, of), order.first + number), order.folder, number, of, order.first)


def start(order: Order, processes: int) -> list[multiprocessing.process.BaseProcess]:
    """Begin to draw in so many processes, which end with this one; prints are rendered first."""
    order.folder.mkdir(parents=True, exist_ok=True)
    prints.load_prints("train", order.drawn, processes)
    return lots.start(_run, order, processes)
