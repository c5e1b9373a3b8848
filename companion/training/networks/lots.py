"""What other processes make ready while a network trains: arrays in a folder, a lot at a time, until they are taken.

A lot is one file, `NAME.lot.npz`. Where the folder is in memory (`/dev/shm`), no disk is touched.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

Lot = Mapping[str, np.ndarray]
"""Arrays of one length, a row each for what is to be learned from."""

WAITING = 800
"""With so many lots ready nothing is made until some are taken."""


def write(folder: Path, name: str, lot: Lot) -> None:
    """Lay a lot ready in the folder."""
    scratch = folder / f"{name}.part"
    with scratch.open("wb") as file:
        np.savez(file, **lot)
    scratch.rename(folder / f"{name}.lot.npz")


def ready(folder: Path) -> list[Path]:
    """The lots that lie ready, the oldest first."""
    return sorted(folder.glob("*.lot.npz"))


def read(path: Path) -> dict[str, np.ndarray]:
    """A lot's arrays; it stays ready."""
    with np.load(path) as stored:
        return {key: stored[key] for key in stored}


def take(path: Path) -> dict[str, np.ndarray]:
    """A lot's arrays; its file is gone afterwards."""
    out = read(path)
    path.unlink()
    return out


def make(lots: Iterator[Lot], folder: Path, number: int, of: int, first: int) -> None:
    """Lay lots ready without end: the `number`-th of `of` processes that begin with the seed `first`."""
    for name in count(number, of):
        write(folder, f"{first}-{name:07d}", next(lots))
        while len(ready(folder)) >= WAITING:
            time.sleep(1)


def start(run: Callable[..., None], order: Any, processes: int) -> list[multiprocessing.process.BaseProcess]:
    """Begin `run(order, number, processes)` in so many processes, which end with this one."""
    fresh = multiprocessing.get_context("spawn")  # OpenCV's threads do not survive a fork
    out = [fresh.Process(target=run, args=(order, number, processes), daemon=True) for number in range(processes)]
    for one in out:
        one.start()
    return out
