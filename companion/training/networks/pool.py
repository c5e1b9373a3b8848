"""What a network on a GPU learns from: arrays that lie there, the newest that were made. Needs torch to import."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from companion.training.networks import lots


class Pool:
    """The newest `room` rows of every array of the lots, on `device`."""

    def __init__(self, room: int, device: torch.device) -> None:
        self._room, self._device = room, device
        self.arrays: dict[str, Tensor] = {}
        self.seen = 0

    def __len__(self) -> int:
        return min(self.seen, self._room)

    def add(self, lot: lots.Lot) -> None:
        """Take over a lot, in place of the oldest where the pool is full."""
        size = len(next(iter(lot.values())))
        if not self.arrays:
            self._room -= self._room % size
            self.arrays = {key: self._empty(array) for key, array in lot.items()}
        at = self.seen % self._room
        for key, array in lot.items():
            self.arrays[key][at : at + size] = torch.from_numpy(array).to(self._device)
        self.seen += size

    def _empty(self, array: np.ndarray) -> Tensor:
        return torch.empty((self._room, *array.shape[1:]), dtype=torch.from_numpy(array[:0]).dtype, device=self._device)

    def rows(self, count: int) -> dict[str, Tensor]:
        """So many rows by chance."""
        chosen = torch.randint(len(self), (count,), device=self._device)
        return {key: array[chosen] for key, array in self.arrays.items()}

    def filling(self, folder: Path, least: int) -> Callable[[], None]:
        """Add whatever lies ready in the folder meanwhile, until what is returned is called; waits for `least` rows.

        Raises RuntimeError where reading the lots failed before there were so many; why, stands above it.
        """
        stop = threading.Event()
        feeder = threading.Thread(target=self._fill, args=(folder, stop), daemon=True)
        feeder.start()
        while len(self) < least and feeder.is_alive():
            time.sleep(0.1)
        if len(self) < least:
            raise RuntimeError("a lot could not be read")

        def end() -> None:
            stop.set()
            feeder.join()

        return end

    def _fill(self, folder: Path, stop: threading.Event) -> None:
        while not stop.is_set():
            waiting = lots.ready(folder)
            for lot in waiting:
                self.add(lots.take(lot))
            if not waiting:
                time.sleep(0.05)
