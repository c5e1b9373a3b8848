"""Classifies crops: one small network over index corners, one over whole faces, and one that says where an index lies.

The index network works for any print whose corners carry rank above suit; the face network sees the whole rectified
card (pip counts, courts). Both have a class for "none such" (reject).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.vision.images import Pixels
from companion.vision.reading import parameters
from companion.vision.reading.evidence import Evidence, Tuning, face_evidence, in_dutch, in_polish, index_evidence
from companion.vision.reading.runtime import as_tensor, session


class Network:
    """An ONNX network over a batch of equal crops."""

    def __init__(self, path: Path, threads: int = 2, *, coarse: bool = False) -> None:
        """`coarse`: see `runtime.session`."""
        self._session = session(path, threads, coarse=coarse)

    def __call__(self, crops: Pixels | Sequence[Pixels]) -> list[NDArray[np.float64]]:
        """Raw outputs for BGR crops of the network's size."""
        return [np.asarray(out, np.float64) for out in self._session(as_tensor(crops))]


class FaceClassifier:
    """Both networks together: `models_dir` holds `reader.onnx` and, beside it when there is one, `face.onnx`."""

    def __init__(self, models_dir: Path, tuning: Tuning, *, threads: int = 2) -> None:
        self.tuning = tuning
        self.dutch = 0.0
        """The chance that a V in the picture that is read now is a queen: see `letters.dutch_share`."""
        self.polish = False
        """Jacks in the picture that is read now have a W."""
        self._index = Network(models_dir / "reader.onnx", threads)
        self._aim = Network(models_dir / "aim.onnx", threads, coarse=True)
        whole = models_dir / "face.onnx"
        self._face = Network(whole, threads) if whole.exists() else None

    def classify_indices(self, crops: Pixels | Sequence[Pixels]) -> list[Evidence]:
        """Evidence of index crops (64, 48, 3)."""
        if not len(crops):
            return []
        rank, suit, letter = self._index(crops)
        return [self.in_language(e) for e in index_evidence(rank, suit, letter, self.tuning.index_temperature)]

    def in_language(self, evidence: Evidence) -> Evidence:
        """The evidence by the language of the picture's letters."""
        evidence = in_dutch(evidence, self.dutch)
        return in_polish(evidence) if self.polish else evidence

    def index_keypoints(self, crops: Pixels | Sequence[Pixels]) -> NDArray[np.float64]:
        """Where in crops (64, 48, 3) around roughly detected indices these lie exactly: (n, 4, 2), 0..1 of the crop."""
        return self._aim(crops)[0] if len(crops) else np.empty((0, 4, 2))

    def classify_faces(self, crops: Pixels | Sequence[Pixels]) -> list[Evidence | None]:
        """Evidence of rectified cards (112, 80, 3); None for each without a face network."""
        if not len(crops) or self._face is None:
            return [None] * len(crops)
        return [
            self.in_language(evidence) for evidence in face_evidence(self._face(crops)[0], self.tuning.face_temperature)
        ]


def coloured_joker(crops: Sequence[Pixels]) -> float:
    """The chance that a joker of these index crops (64, 48, 3) BGR is the coloured one (`JK1`), not the black one
    (`JK2`): by how much less than green and blue its ink darkens red, beside the paper. One printed in another colour
    than red counts as black."""
    left, right, top, bottom = parameters.JOKER_INK
    red = others = 0.0
    for crop in crops:
        paper = np.maximum(np.percentile(crop, 90, axis=(0, 1)), 1.0)
        ink = np.clip(1.0 - crop[top:bottom, left:right] / paper, 0.0, 1.0)
        weight = ink[..., :2].max(-1)
        red, others = red + float((weight * ink[..., 2]).sum()), others + float((weight * ink[..., :2].mean(-1)).sum())
    if others <= 0.0:
        return 0.5
    chance = 1.0 / (1.0 + math.exp(min(99.0, (red / others - parameters.RED_INK) / parameters.RED_INK_SCALE)))
    return 0.005 + 0.99 * chance
