"""From the samples of a deck to what each of its faces looks like.

A face is first guessed from the others, then corrected by its own samples as far as they can be trusted. Where codes
are made of a picture and a mark, the guess is the deck's mean, plus what its picture has in common on all its cards,
plus what its mark has: so every mark is learned from all pictures and every picture from all marks, and one sample a
card goes a long way. How far faces differ from that guess is measured in each cell: on a deck that is nothing but
picture and mark hardly, on one with pips a lot (empirical Bayes: Efron & Morris, 1973).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.vision.decks.matching import Floats, Templates
from companion.vision.decks.network import Numbers

LEAST_SPREAD = 0.12
"""Views never lie closer around a template than this share of what the network alone would allow. Unit: ratio."""


def build(samples: Floats, faces: Sequence[int], parts: Sequence[tuple[str, str]], numbers: Numbers) -> Templates:
    """Templates of faces 0 … n − 1 from samples (m, cells, channels), of which `faces` says what each shows.

    `parts` are the (picture, mark) of each face. Every face needs a sample.
    """
    owner = np.asarray(faces)
    count = np.bincount(owner, minlength=len(parts)).astype(np.float32)
    means = np.zeros((len(parts), *samples.shape[1:]), np.float32)
    np.add.at(means, owner, samples)
    means /= count[:, None, None]
    noise = (1 - numbers.rho)[None, :]  # of one sample, (1, channels)
    guess, freedom = _guess(means, parts)
    typical = float(1 / (1 / count).mean())
    left = means - guess
    signal = np.maximum((left**2).sum(axis=0) / freedom - noise / typical, 0.01 * numbers.rho)
    trust = signal / (signal + noise / count[:, None, None])
    spread = noise + (signal * noise / (signal * typical + noise)) + LEAST_SPREAD * (1 - numbers.rho)
    return Templates(np.asarray(guess + trust * left, np.float32), np.asarray(spread, np.float32))


def _guess(means: Floats, parts: Sequence[tuple[str, str]]) -> tuple[Floats, float]:
    """What each face should look like by the others, and how many differences are free to be measured."""
    count = len(parts)
    rows, columns = ([sorted({part[k] for part in parts}).index(p[k]) for p in parts] for k in (0, 1))
    effects = [np.ones((count, 1), np.float32)]
    for group in (rows, columns):
        if 1 < max(group) + 1 <= count / 2:
            effects.append(np.eye(max(group) + 1, dtype=np.float32)[group])
    design = np.concatenate(effects, axis=1)
    project = design @ np.linalg.pinv(design)
    freedom = max(1.0, count - float(np.trace(project)))
    return np.asarray(np.tensordot(project.astype(np.float32), means, 1), np.float32), freedom
