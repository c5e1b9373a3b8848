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


_SHARES = np.array([(0.5, 0.5, 0), (0.125, 0.75, 0.125), (0, 0.5, 0.5)], np.float32)
_MOVED = np.kron(_SHARES, _SHARES)
"""(moves, 9): what the cells around one and itself count in a card moved by half a cell back, not, and forth, each way.
A quarter of a cell to either side, as the network was trained: neighbours count a little."""
_BESIDE = (np.arange(3)[:, None] * (CELLS[1] + 2) + np.arange(3)).reshape(9, 1) + (
    np.arange(CELLS[0])[:, None] * (CELLS[1] + 2) + np.arange(CELLS[1])
).ravel()
"""(9, cells): where in a map those nine lie, of each cell of the card."""


_MOST_SAID = 60.0
"""No cell says more: eight such numbers are multiplied."""
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
    """A card's map (channels, rows + 2, columns + 2) under all moves: (cells, moves, channels)."""
    beside = np.ascontiguousarray(card.reshape(len(card), -1).T)[_BESIDE]
    return np.asarray((_MOVED @ beside.reshape(len(_MOVED), -1)).reshape(len(_MOVED), -1, len(card)).swapaxes(0, 1))


@dataclass(frozen=True, slots=True)
class Ready:
    """Templates made ready, once, to be compared with many cards: what makes of a moved card's cell, its squares by the
    noise, half their sum and 1, its log odds for each face: `weights` (cells, channels + 3, faces)."""

    weights: Floats
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
        odds = np.log1p(-numbers.covered) - np.log(numbers.covered)
        more = [-0.5 / templates.spread, np.ones_like(templates.spread), odds - 0.5 * constant]
        return cls(np.concatenate([weights, np.stack(more).transpose(2, 0, 1)], axis=1).astype(np.float32), numbers)


def evidence(cells: Floats, ready: Ready, hidden: NDArray[np.bool_] | None = None) -> Floats:
    """Log evidence (faces,) of a moved card (cells, moves, channels) for templates against any other card; in each
    region the best move counts. `hidden` (cells,): those that something lies on, they say nothing."""
    numbers = ready.numbers
    squares = cells**2
    more = np.empty((*cells.shape[:2], 3), np.float32)
    more[..., 0], more[..., 1], more[..., 2] = squares @ (1 / (1 - numbers.rho)), 0.5 * squares.sum(axis=2), 1
    said = np.concatenate([cells, more], axis=2) @ ready.weights
    np.minimum(said, np.float32(_MOST_SAID), out=said)
    seen = np.exp(said, out=said)
    seen += np.float32(1)
    if hidden is not None:
        seen[hidden] = 1
    # a logarithm of their product takes a fraction of the time of their logarithms' sum
    rows = np.multiply.reduce(seen.reshape(*_REGIONS, *said.shape[1:]), axis=1, dtype=np.float64)
    regions = np.log(rows).sum(axis=2).reshape(-1, *said.shape[1:]) * numbers.factor
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
