"""From the samples of a deck to what each of its faces looks like.

Codes are made of a picture and a mark, and so are most decks: a cell of a card is then the deck's mean, plus what its
picture has in common on all its cards, plus what its mark has, plus what only this card has (analysis of variance).
Each of these effects is kept in a cell as far as it stands out from the noise there (empirical Bayes: Efron & Morris,
1973). So every mark is learned from all pictures, where marks are printed is found by itself, and one sample a card
goes a long way; on decks whose pictures and marks mingle, such as pips, what only a card has counts as much as needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.decks import parameters
from companion.vision.decks.crops import CELLS
from companion.vision.decks.matching import Floats, Templates
from companion.vision.decks.network import Numbers

_RING = np.pad(np.zeros((CELLS[0] - 2, CELLS[1] - 2), bool), 1, constant_values=True).ravel()
"""Cells at the card's edge: there the table shows, too."""


@dataclass(frozen=True, slots=True)
class Anatomy:
    """How a deck is made: in each cell (0..1) how much pictures, marks and single cards stand out there; how much marks
    differ there as a share of what they and pictures do; and how much pictures and marks differ there, as a share of
    where they differ most."""

    pictures: Floats
    marks: Floats
    own: Floats
    share: Floats
    differ: tuple[Floats, Floats]

    def exchanged(self) -> Anatomy:
        """The same deck, its pictures called marks and its marks pictures."""
        return Anatomy(self.marks, self.pictures, self.own, 1 - self.share, self.differ[::-1])

    @property
    def large_marks(self) -> bool:
        """True where what is called a mark is drawn over more of the card than what is called a picture, as where the
        suit is large and the rank a number in the corners. An ink that tints all of the card is not drawn large."""
        of_pictures, of_marks = (float((each > parameters.MARK_DIFFERS).mean()) for each in self.differ)
        return bool(self.pictures.any()) and of_marks > of_pictures


def build(
    samples: Floats, faces: Sequence[int], parts: Sequence[tuple[str, str]], numbers: Numbers
) -> tuple[Templates, Anatomy]:
    """Templates of faces 0 … n − 1 and of "another card", from samples (m, cells, channels), of which `faces` says what
    each shows.

    `parts` are the (picture, mark) of each face. Every face needs a sample.
    """
    owner = np.asarray(faces)
    count = np.bincount(owner, minlength=len(parts)).astype(np.float32)
    means = np.zeros((len(parts), *samples.shape[1:]), np.float32)
    np.add.at(means, owner, samples)
    means /= count[:, None, None]
    each = float(1 / (1 / count).mean())  # samples of a face, on harmonic average
    mean = means.mean(axis=0)
    grouped = {k: group for k in (0, 1) if (group := _groups([part[k] for part in parts])) is not None}
    groups = list(grouped.values())
    effects, left = _effects(means - mean, groups)
    stand = [np.zeros(len(_RING), np.float32)] * 2
    differ = [np.zeros(len(_RING), np.float32)] * 2
    freedom = max(1, len(parts) - 1 - sum(len(np.unique(group)) - 1 for group in groups))
    usual = 1 - numbers.rho
    rich = (means**2).mean(axis=2)
    calm, lively = parameters.SAMPLE_NOISE
    noise = (calm + lively * rich.mean(axis=0)) / each  # of a face's mean, per cell, in the network's usual noise
    own_ratio = ((left**2).sum(axis=0) / freedom / usual).mean(axis=1) / noise
    noisier = _noisier(samples, means, owner, own_ratio, noise * each, usual, bool(groups))
    noise = noise * noisier
    own = _standing_out(own_ratio / noisier, parameters.OWN_STANDS_OUT) * ~_RING
    known, unsure = mean + own[:, None] * left, own * noise
    for (part, group), effect in zip(grouped.items(), effects, strict=True):
        kinds = group.max() + 1
        between = ((effect**2).sum(axis=0) / (kinds - 1) / usual).mean(axis=1)
        differ[part] = between
        share = _standing_out(between / noise, parameters.SHARED_STANDS_OUT)
        stand[part] = share
        known = known + share[:, None] * effect
        unsure = unsure + share * noise * kinds / len(parts)
    calm, lively = parameters.VIEW_NOISE
    spread = (calm + lively * (known**2).mean(axis=2) + unsure) * np.where(_RING, parameters.RING_NOISE, 1)
    # One more, that of any other card of such a deck: the mean, as far around it as its faces lie.
    centre = known.mean(axis=0, keepdims=True)
    wide = spread.mean(axis=0, keepdims=True) + (((known - centre) ** 2).mean(axis=0) / usual).mean(axis=1)[None]
    templates = Templates(
        np.concatenate([known, centre]).astype(np.float32), np.concatenate([spread, wide]).astype(np.float32)
    )
    most = [each / max(float(each.max()), 1e-6) for each in differ]
    return templates, Anatomy(stand[0], stand[1], own, differ[1] / (differ[0] + differ[1] + 1e-6), (most[0], most[1]))


def explained(values: Floats, parts: Sequence[tuple[str, str]]) -> Floats:
    """Of each sample's `values` (n, any) what its picture and its mark, its `parts`, have in common with others; where
    samples share neither, what they all have."""
    groups = [group for k in (0, 1) if (group := _groups([part[k] for part in parts])) is not None]
    mean = values.mean(axis=0)
    _, left = _effects(values - mean, groups)
    return values - left if groups else np.broadcast_to(mean, values.shape)


def _groups(words: Sequence[str]) -> NDArray[np.intp] | None:
    """Which faces have the same word; None where most have one of their own, or all the same."""
    names = sorted(set(words))
    if not 1 < len(names) <= len(words) / 2:
        return None
    return np.array([names.index(word) for word in words])


def _effects(means: Floats, groups: Sequence[NDArray[np.intp]]) -> tuple[list[Floats], Floats]:
    """Of faces' differences from the deck's mean what the groups explain, each by itself, and what is left."""
    if not groups:
        return [], means
    columns = [np.eye(group.max() + 1, dtype=np.float32)[group] for group in groups]
    design = np.concatenate(columns, axis=1)
    normal = design.T @ design + 1e-3 * np.eye(design.shape[1], dtype=np.float32)
    solved = np.tensordot(np.linalg.solve(normal, design.T).astype(np.float32), means, 1)
    effects, at = [], 0
    for column in columns:
        effects.append(np.tensordot(column, solved[at : at + column.shape[1]], 1))
        at += column.shape[1]
    return effects, means - sum(effects)


def _noisier(
    samples: Floats, means: Floats, owner: NDArray[np.intp], own_ratio: Floats, noise: Floats, usual: Floats,
    grouped: bool,
) -> float:  # fmt: skip
    """How many times as noisy the samples are as is usual: by those of one face, else by cells in which cards have
    nothing of their own."""
    spare = len(samples) - len(means)
    if spare >= len(means) / 2:
        ratio = float((((samples - means[owner]) ** 2).sum(axis=0) / spare / usual).mean() / noise.mean())
    elif grouped:
        ratio = float(np.quantile(own_ratio, parameters.QUIET_CELLS))
    else:
        return 1.0
    return float(np.clip(ratio, *parameters.NOISIER))


def _standing_out(ratio: Floats, needed: float) -> Floats:
    """0..1 for each cell: how much of an effect is no noise, by its variance against that which noise makes."""
    return np.asarray(np.clip(1 - needed / np.maximum(ratio, 1e-6), 0, 1), np.float32)
