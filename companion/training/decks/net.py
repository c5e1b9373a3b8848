"""The network for custom decks, and how well two of its maps agree: torch, for training alone.

The network makes of a crop a map of cells with a few channels each. Its first layer is given: derivatives of the
brightness in eight directions, and colour, pooled over bins of four pixels. What of a cell's bins is worth keeping is
solved for, not searched: the directions in which cards differ most, measured by how much views of one card do (linear
discriminant analysis). Training goes on from there.

Two views of one card agree in a cell as two samples of one Gaussian quantity do, seen through noise: channel k of the
one predicts that of the other with a correlation rho_k (probabilistic linear discriminant analysis: Ioffe, ECCV 2006).
A cell may also be covered, with a learned chance; then it says nothing. What the cells say adds up, less a learned
factor as neighbours repeat each other, and the best of a few shifts counts. Against all faces stands the claim that it
is none of them. `companion.vision.decks.matching` computes the same with NumPy.
"""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn import functional

CHANNELS = 32
DIRECTIONS = 8
FIRST = DIRECTIONS + 6
SHIFTS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
"""Half cells by which a map is moved, each way."""


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
        self.bent = nn.Sequential(nn.Conv2d(FIRST, 40, 3, padding=1), nn.ReLU(), nn.Conv2d(40, CHANNELS, 4, 2, 1))
        nn.init.zeros_(self.bent[2].weight)
        nn.init.zeros_(self.bent[2].bias)

    def bins(self, x: torch.Tensor) -> torch.Tensor:
        """What lies in bins of four pixels: (n, FIRST, 36, 28)."""
        first = functional.relu(self.first(2 * x - 1))
        return torch.sqrt(functional.relu(self.pool(first)) + 0.01)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        bins = self.bins(x)
        return self.straight(bins) + self.bent(bins)


class Agreement(nn.Module):
    """The learned numbers of the comparison."""

    def __init__(self) -> None:
        super().__init__()
        self.rho = nn.Parameter(torch.full((CHANNELS,), 0.0))
        self.spread = nn.Parameter(torch.tensor([-1.5, 0.4]))
        self.covered = nn.Parameter(torch.tensor(-1.5))
        self.factor = nn.Parameter(torch.tensor(-3.0))
        self.none = nn.Parameter(torch.tensor(3.0))

    def forward(self, maps: torch.Tensor, samples: torch.Tensor) -> torch.Tensor:
        """Logits (b, 1 + n) of "none of them" and of each of n faces, for maps (b, K, 18, 14) against samples'."""
        noise = 1 - torch.sigmoid(self.rho)
        fine = functional.interpolate(maps, scale_factor=2, mode="bilinear", align_corners=False)
        rows, columns = samples.shape[2] - 2, samples.shape[3] - 2
        g = samples[:, :, 1:-1, 1:-1].flatten(2)
        calm, lively = functional.softplus(self.spread)
        spread = calm + lively * g.square().mean(1)[None]
        g_own = (g.square() / noise[:, None]).sum(1)[None]
        share = torch.sigmoid(self.covered)
        logits = []
        for dy, dx in SHIFTS:
            # Cell centres lie between the fine ones: the mean of two by two is the cell itself.
            part = fine[:, :, 2 + dy : 2 + dy + 2 * rows, 2 + dx : 2 + dx + 2 * columns]
            q = functional.avg_pool2d(part, 2).flatten(2)
            cross = torch.einsum("bkc,nkc->bnc", q / noise[:, None], g)
            apart = (q.square() / noise[:, None]).sum(1)[:, None] + g_own - 2 * cross
            said = 0.5 * (q.square().sum(1)[:, None] - apart / spread - len(noise) * spread.log() - noise.log().sum())
            seen = functional.softplus(said + torch.log1p(-share) - torch.log(share))
            logits.append(seen.sum(2) + seen.shape[2] * torch.log(share))
        every = torch.stack(logits) * functional.softplus(self.factor)
        best = torch.logsumexp(every, dim=0) - math.log(len(SHIFTS))
        return torch.cat([self.none.expand(len(maps), 1), best], dim=1)
