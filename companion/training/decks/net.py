"""The network for custom decks: torch, for training alone.

The network makes of a crop a map of cells with a few channels each. Its first layer is given: derivatives of the
brightness in eight directions, and colour, pooled over bins of four pixels. What of a cell's bins is worth keeping is
solved for, not searched (`solve`): the directions in which cards differ most, measured by how much views of one card do
(linear discriminant analysis).
"""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn import functional

CHANNELS = 32
DIRECTIONS = 8
FIRST = DIRECTIONS + 6


def _first_layer() -> torch.Tensor:
    """Filters (FIRST, 3, 5, 5): directional derivatives of the brightness, then brightness and two colour contrasts,
    each with either sign."""
    y, x = torch.meshgrid(torch.arange(5.0) - 2, torch.arange(5.0) - 2, indexing="ij")
    bell = torch.exp(-(x**2 + y**2) / (2 * 1.0**2))
    bell = bell / bell.sum()
    out = torch.zeros(FIRST, 3, 5, 5)
    grey = torch.tensor([0.3, 0.59, 0.11])[:, None, None]
    for k in range(DIRECTIONS):
        a = 2 * math.pi * k / DIRECTIONS
        out[k] = grey * (bell * (math.cos(a) * x + math.sin(a) * y))
    contrasts = torch.tensor([[0.3, 0.59, 0.11], [0.7, -0.7, 0.0], [0.4, 0.4, -0.8]])
    for k in range(3):
        for sign in (0, 1):
            out[DIRECTIONS + 2 * k + sign] = contrasts[k][:, None, None] * bell * (1 - 2 * sign)
    return out


class Embedder(nn.Module):
    """Levelled crops (n, 3, 144, 112) RGB 0..1 → maps (n, CHANNELS, 18, 14), each channel about standard normal."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, FIRST, 5, padding=2, padding_mode="replicate", bias=False)
        self.first.weight.data = _first_layer()
        self.pool = nn.Conv2d(FIRST, FIRST, 7, 4, 2, groups=FIRST, bias=False)
        ramp = 4 - (torch.arange(7.0) - 3).abs()
        self.pool.weight.data = (ramp[:, None] * ramp[None] / ramp.sum() ** 2).expand(FIRST, 1, 7, 7).clone()
        self.straight = nn.Conv2d(FIRST, CHANNELS, 4, 2, 1)

    def bins(self, x: torch.Tensor) -> torch.Tensor:
        """What lies in bins of four pixels: (n, FIRST, 36, 28)."""
        first = functional.relu(self.first(2 * x - 1))
        return torch.sqrt(functional.relu(self.pool(first)) + 0.01)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.straight(self.bins(x))
