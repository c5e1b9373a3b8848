"""Plain figures of a freshly written network of the reader, on prints that nothing trains on."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from companion.training.reader.patches import Aims
from companion.training.reader.stream import Stream
from companion.vision.reading.classifier import Network
from companion.vision.reading.crops import INDEX_SIZE


def score(kind: str, path: Path, pool: dict[str, np.ndarray]) -> dict[str, float]:
    """Plain accuracy of a written network on a pool: readable crops named right, empty ones refused."""
    network = Network(path, threads=1)
    images = pool["index" if kind == "index" else "whole"]
    outputs = [network(list(images[i : i + 256])) for i in range(0, len(images), 256)]
    guesses = [np.concatenate([part[k] for part in outputs]).argmax(1) for k in range(2 if kind == "index" else 1)]
    if kind == "index":
        real = pool["rank"] != 14
        right = (guesses[0] == pool["rank"]) & (guesses[1] == pool["suit"])
        refused = guesses[0] == 14
    else:
        real = pool["label"] != 53
        right, refused = guesses[0] == pool["label"], guesses[0] == 53
    return {"right": round(float(right[real].mean()), 4), "refused wrongly": round(float(refused[real].mean()), 4),
            "refused rightly": round(float(refused[~real].mean()), 4)}  # fmt: skip


def aimed(path: Path, batches: int = 16) -> dict[str, float]:
    """How far a written network's corners are from those of indices of held-out prints, as a share of their width."""
    network, stream = Network(path, threads=1), Stream(16, 0, Aims, split="heldout")
    off = []
    for crops, corners in (stream[number] for number in range(batches)):
        wanted, size = corners.numpy(), np.array(INDEX_SIZE)
        way = (network(list(crops.numpy()))[0] - wanted) * size
        wide = np.linalg.norm((wanted[:, 1] - wanted[:, 0] + wanted[:, 2] - wanted[:, 3]) / 2 * size, axis=1)
        off.append(np.linalg.norm(way, axis=2).mean(axis=1) / wide)
    every = np.concatenate(off)
    return {"median": round(float(np.median(every)), 4), "90th percentile": round(float(np.quantile(every, 0.9)), 4)}
