"""How well the map of a card agrees with those of a deck's faces: evidence added up cell by cell.

A face is known by a mean and a variance in each cell and channel (`Templates`). A cell of the card speaks for a face by
how much likelier it is there than anywhere (a ratio of two Gaussians), unless it is covered, and then it says nothing.
Each quarter of the card's map is moved a little each way, as outlines are never exact, and the best of that counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.decks.crops import CELLS
from companion.vision.decks.network import Maps, Numbers

Floats = NDArray[np.float32]


_MOVES = tuple(
    tuple((k, np.float32(share)) for k, share in enumerate(shares) if share)
    for shares in ((0.5, 0.5, 0), (0.125, 0.75, 0.125), (0, 0.5, 0.5))
)
"""What the cell before one, itself and the one after it count in a card moved by half a cell back, not, and forth. A
quarter of a cell to either side, as the network was trained: neighbours count a little."""


_ACROSS = 2
_REGIONS = (_ACROSS, CELLS[0] // _ACROSS, _ACROSS, CELLS[1] // _ACROSS)
"""Quarters of the card: each is moved by itself, as an outline's corners are off each its own way."""


@dataclass(frozen=True, slots=True)
class Templates:
    """What each face of a deck looks like: `means` (faces, cells, channels); `spread` (faces, cells): how many times
    the network's usual noise a view of it lies around that mean."""

    means: Floats
    spread: Floats

    def __len__(self) -> int:
        return len(self.means)


def moved(card: Floats) -> Floats:
    """A card's map (channels, rows + 2, columns + 2) under all moves: (moves, cells, channels)."""
    rows, columns = CELLS
    part = np.stack([sum(w * card[:, k : k + rows] for k, w in move) for move in _MOVES])
    both = np.stack([sum(w * part[..., k : k + columns] for k, w in move) for move in _MOVES], axis=1)
    return np.ascontiguousarray(both.transpose(0, 1, 3, 4, 2).reshape(len(_MOVES) ** 2, -1, len(card)), np.float32)


@dataclass(frozen=True, slots=True)
class Ready:
    """Templates made ready, once, to be compared with many cards: what makes of a moved card's cell its log-likelihood
    for each face; `weights` (cells, channels, faces), `each` and `constant` (cells, 1, faces)."""

    weights: Floats
    each: Floats
    constant: Floats
    numbers: Numbers

    @property
    def nothing(self) -> float:
        """The log evidence of a card of which no cell speaks for a template."""
        return float(self.numbers.factor * len(self.weights) * np.log(self.numbers.covered))

    @classmethod
    def of(cls, templates: Templates, numbers: Numbers) -> Ready:
        """Of these templates, in the network's noise."""
        noise, spread = 1 - numbers.rho, templates.spread[:, :, None]
        weights = (templates.means / noise / spread).transpose(1, 2, 0)
        apart = (templates.means**2 / noise).sum(axis=2) / templates.spread
        constant = apart + len(noise) * np.log(templates.spread) + np.log(noise).sum()
        each = (-0.5 / templates.spread).T[:, None, :]
        return cls(np.ascontiguousarray(weights), each, -0.5 * constant.T[:, None, :], numbers)


def evidence(cells: Floats, ready: Ready, hidden: NDArray[np.bool_] | None = None) -> Floats:
    """Log evidence (faces,) of a moved card (moves, cells, channels) for templates against any other card; in each
    region the best move counts. `hidden` (cells,): those that something lies on, they say nothing."""
    numbers = ready.numbers
    by_cell = np.ascontiguousarray(cells.transpose(1, 0, 2))
    squares = by_cell**2
    said = by_cell @ ready.weights
    said += (squares @ (1 / (1 - numbers.rho)))[..., None] * ready.each
    said += ready.constant + 0.5 * squares.sum(axis=2, keepdims=True)
    odds = np.float32(np.log1p(-numbers.covered) - np.log(numbers.covered))
    said += odds
    np.minimum(said, np.float32(60), out=said)
    seen = np.exp(said, out=said)
    seen += np.float32(1)
    np.log(seen, out=seen)  # a quarter of the time of log1p, and as exact as it matters here
    if hidden is not None:
        seen[hidden] = 0
    seen = seen.reshape(*_REGIONS, *said.shape[1:])
    regions = numbers.factor * seen.sum(axis=(1, 3)).reshape(-1, *said.shape[1:])
    top = regions.max(axis=1)
    best = top + np.log(np.exp(regions - top[:, None]).mean(axis=1))
    return np.asarray(best.sum(axis=0) + ready.nothing, np.float32)


def compare(card: Floats, ready: Ready, hidden: NDArray[np.bool_] | None = None) -> Floats:
    """Log evidence of a card's map for each template; the best move of each counts. `hidden`: see `evidence`."""
    return evidence(moved(card), ready, hidden)


def interiors(maps: Maps) -> Floats:
    """Maps (n, channels, rows + 2, columns + 2) as cells of the card alone: (n, cells, channels)."""
    inner = maps[:, :, 1:-1, 1:-1]
    return np.ascontiguousarray(inner.reshape(*inner.shape[:2], -1).transpose(0, 2, 1))
