"""Two small networks that say whether two images show the same thing: a card and a picture, a window and a mark.

Each sees what the camera shows, what the thing looks like and what things of that kind look like on the mean, and gives
the log odds that it is that one rather than none of the deck. They learned on invented decks (`training.decks.verify`),
so that what they say holds for decks that nobody trained on, and says how sure it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion import resources
from companion.vision.decks import parameters
from companion.vision.decks.matching import Floats
from companion.vision.reading.runtime import as_tensor, session


@dataclass(frozen=True, slots=True)
class Scale:
    """What belongs to the networks: `crowd`, how far several windows of one card repeat each other (0: not at all, 1:
    wholly)."""

    crowd: float

    @classmethod
    def load(cls, path: Path) -> Scale:
        """The numbers kept beside the weights. Raises PartError."""
        try:
            return cls(float(json.loads(path.read_text("utf-8"))["crowd"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise resources.PartError(f"{path} is damaged: {resources.AGAIN}") from error


class Verifier:
    """The two networks. One instance serves one thread at a time."""

    def __init__(self, folder: Path | None = None, *, threads: int = 2) -> None:
        """Load the weights in `folder` (default: those shipped). Raises PartError."""
        folder = folder or resources.models() / "decks"
        files = [folder / name for name in ("same_picture.onnx", "same_mark.onnx", "same.json")]
        for file in files:
            if not file.is_file():
                raise resources.PartError(f"the weights {file} are missing: {resources.AGAIN}")
        self._picture, self._mark = (session(file, threads) for file in files[:2])
        self._scale = Scale.load(files[2])

    def pictures(
        self,
        shown: NDArray[np.uint8],
        looks: NDArray[np.uint8],
        mean: NDArray[np.uint8],
        seen: NDArray[np.uint8] | None = None,
    ) -> Floats:
        """Log odds (n,): `shown` (n, height, width, 3) BGR are views of a card, laid onto the `looks` of pictures;
        `mean` (height, width, 3) is what the deck's pictures look like on the mean. Where it is not `seen` (n, height,
        width) nothing is compared."""
        return np.asarray(self._picture(triples(shown, looks, mean[None], seen))[0], np.float32).reshape(-1)

    def marks(self, shown: NDArray[np.uint8], looks: NDArray[np.uint8]) -> Floats:
        """Log odds (marks,): `shown` (windows, marks, height, width, 3) BGR is what a card shows in windows where it
        fits each mark best, `looks`, of the same shape, how marks look there."""
        windows, marks = looks.shape[:2]
        mean = np.repeat(looks.mean(axis=1).astype(np.uint8), marks, axis=0)
        seen = triples(shown.reshape(-1, *shown.shape[2:]), looks.reshape(-1, *looks.shape[2:]), mean)
        said = self._mark(seen)[0].reshape(windows, marks)
        return np.asarray(said.sum(axis=0) / windows**self._scale.crowd, np.float32)


def triples(
    shown: NDArray[np.uint8],
    looks: NDArray[np.uint8],
    mean: NDArray[np.uint8],
    seen: NDArray[np.uint8] | None = None,
) -> Floats:
    """What the networks see (n, 9, height, width) of images (n, height, width, 3) BGR; `mean` may be one for all. Where
    it is not `seen` (n, height, width) all of it is grey."""
    parts = [as_tensor(each) for each in (shown, looks, mean)]
    parts[2] = np.broadcast_to(parts[2], parts[0].shape)
    out = np.concatenate(parts, axis=1)
    return out if seen is None else np.where(seen[:, None] > 0, out, np.float32(0.5))


def apart(said: Floats) -> Floats:
    """Of log odds (n, n) of what row shows against column by how much each pair is told apart."""
    ahead = np.diag(said)[:, None] - said
    return np.asarray(np.minimum(ahead, ahead.T) + np.diag(np.full(len(said), np.inf)), np.float32)


def never(count: int) -> Floats:
    """Where nothing is compared: (n, n), told apart by infinitely much."""
    return np.full((count, count), np.inf, np.float32)


def twins(told: Floats) -> Floats:
    """Which pairs are not clearly told apart: (n, n) of 0 and 1; each is a twin of itself."""
    return np.asarray(told < parameters.TOLD_APART, np.float32) + np.eye(len(told), dtype=np.float32)


def alike_for(said: Floats, same: Floats) -> Floats:
    """The same log odds, but of twins, as `twins` says them, the mean."""
    return np.asarray(same @ said / same.sum(axis=1), np.float32)


def shares(said: Floats) -> Floats:
    """Probabilities of log odds against none of them: they and that of none add up to 1."""
    top = max(float(said.max()), 0.0)
    weights = np.exp(said - top)
    return np.asarray(weights / (weights.sum() + np.exp(-top)), np.float32)


def of_faces(
    pictures: Mapping[int, float], marks: Floats, told: NDArray[np.bool_], face_of: Mapping[tuple[int, int], str]
) -> dict[str, float]:
    """Probabilities of faces, each of a picture and a mark, of those of `pictures` and `marks` (n,). A mark that is not
    `told` (n,) by itself is there as far as none is that is."""
    marks = np.where(told, marks, 1 - marks[told].sum())
    both = {(picture, mark): p * float(marks[mark]) for picture, p in pictures.items() for mark in range(len(marks))}
    # no card has a picture with a mark that the deck has not
    possible = max(1 - sum(p for pair, p in both.items() if pair not in face_of and told[pair[1]]), 1e-6)
    # … but what the mark says against a card stands against it
    against = marks / max(float(marks.max()), 1e-6)
    return {face_of[pair]: min(p / possible, float(against[pair[1]])) for pair, p in both.items() if pair in face_of}
