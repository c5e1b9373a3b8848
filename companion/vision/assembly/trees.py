"""A learned score: boosted decision trees (Friedman, "Greedy function approximation", 2001) as a small JSON file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Array


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """`trees` of equal depth, complete: node k has the children 2k + 1 and 2k + 2, of which the first holds what is no
    larger than its threshold; values of leaves add up to the logit of the chance."""

    names: tuple[str, ...]
    """Of the features, in order."""
    feature: NDArray[np.intp]
    """(trees, inner nodes): which feature each node asks."""
    threshold: Array
    """(trees, inner nodes)."""
    value: Array
    """(trees, leaves)."""
    start: float

    @classmethod
    def load(cls, path: Path) -> Trees:
        """From the JSON file. Raises ValueError or KeyError for a damaged one."""
        kept = json.loads(path.read_text("utf-8"))
        return cls(
            tuple(kept["names"]),
            np.array(kept["feature"], np.intp),
            np.array(kept["threshold"], np.float64),
            np.array(kept["value"], np.float64),
            float(kept["start"]),
        )

    def chance(self, features: Array) -> float:
        """The chance, 0..1, of what has these features (n,)."""
        return float(self.chances(features[None])[0])

    def chances(self, features: Array) -> Array:
        """The chance, 0..1, of each of what have these features (m, n): (m,)."""
        trees, rows = np.arange(len(self.feature)), np.arange(len(features))[:, None]
        node, inner = np.zeros((len(features), len(trees)), np.intp), self.feature.shape[1]
        while node.size and node[0, 0] < inner:
            seen = features[rows, self.feature[trees, node]]
            node = 2 * node + 1 + (seen > self.threshold[trees, node])
        logit = self.start + self.value[trees, node - inner].sum(axis=1)
        return np.asarray(1 / (1 + np.exp(-np.clip(logit, -40, 40))), np.float64)
