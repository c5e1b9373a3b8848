"""The network that makes maps of straightened cards, and the numbers learned with it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion import resources
from companion.vision.decks.crops import Crops, levelled, softened
from companion.vision.reading.runtime import as_tensor, session, thread_count

Maps = NDArray[np.float32]
"""Maps (n, channels, rows + 2, columns + 2) of crops: a cell more on each side than the card has."""
_BATCH = 16


@dataclass(frozen=True, slots=True)
class Numbers:
    """What belongs to the network: see `companion.training.decks.solve`.

    `rho` (channels,): how well a channel of one view predicts that of another. `covered`: the chance that a cell says
    nothing. `factor`: what the cells' sum counts.
    """

    rho: NDArray[np.float32]
    covered: float
    factor: float

    @classmethod
    def load(cls, path: Path) -> Numbers:
        """The numbers kept beside the weights. Raises PartError."""
        try:
            held = json.loads(path.read_text("utf-8"))
            return cls(np.array(held["rho"], np.float32), float(held["covered"]), float(held["factor"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise resources.PartError(f"{path} is damaged: {resources.AGAIN}") from error


class Network:
    """Makes maps of crops. One instance serves one thread at a time."""

    def __init__(self, folder: Path | None = None, *, threads: int = 2) -> None:
        """Load the weights in `folder` (default: those shipped). Raises PartError."""
        folder = folder or resources.models() / "decks"
        weights = folder / "decks.onnx"
        for file in (weights, folder / "decks.json"):
            if not file.is_file():
                raise resources.PartError(f"the weights {file} are missing: {resources.AGAIN}")
        self.numbers = Numbers.load(folder / "decks.json")
        self.digest = hashlib.sha256(weights.read_bytes()).hexdigest()[:16]
        """Which network this is: maps of another one mean nothing to it."""
        self._session = session(weights, threads)
        self.threads = thread_count(threads)
        """Cards may be looked at on so many threads at once."""

    def maps(self, crops: Crops) -> Maps:
        """Maps of crops (n, height, width, 3) as `crops.rectified` cuts them."""
        return self.maps_of_levelled(levelled(crops))

    def maps_of_levelled(self, crops: Crops) -> Maps:
        """The same of crops that are levelled already."""
        parts = [self._session(as_tensor(crops[start : start + _BATCH]))[0] for start in range(0, len(crops), _BATCH)]
        return np.concatenate(parts) if parts else np.zeros((0, len(self.numbers.rho), 1, 1), np.float32)

    def sample_maps(self, crops: Crops) -> Maps:
        """Maps of samples: the mean of what they look like sharp and as soft as a webcam shows small cards."""
        softer = [crops, *(softened(crops, sigma).astype(np.uint8) for sigma in (0.9, 1.8))]
        return np.asarray(sum(self.maps(each) for each in softer) / len(softer), np.float32)
