"""The learning rate of all our trainings follows the clock, not the epochs: they end when they should, annealed."""

from __future__ import annotations

import math

WARM = 0.02  # share of the time budget in which the rate rises


def learning_rate_share(progress: float, floor: float = 0.01) -> float:
    """Share of the top learning rate at `progress` 0..1 of the run: a short rise, then half a cosine to `floor`."""
    progress = min(max(progress, 0.0), 1.0)
    if progress < WARM:
        return max(progress / WARM, 0.02)
    return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * (progress - WARM) / (1 - WARM)))
