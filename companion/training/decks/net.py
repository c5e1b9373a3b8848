"""The network for custom decks, and how well two of its maps agree: torch, for training alone.

The network makes of a crop a map of cells with a few channels each. Two views of one card agree in a cell as two
samples of one Gaussian quantity do, seen through noise: channel k of the one predicts that of the other with a
correlation rho_k, which is learned (probabilistic linear discriminant analysis: Ioffe, ECCV 2006). A cell may also be
covered, with a learned chance; then it says nothing. What the cells say adds up, less a learned factor as neighbours
repeat each other, and the best of a few shifts counts. Against all faces stands the claim that it is none of them.
`companion.vision.decks.matching` computes the same with NumPy.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

CHANNELS = 32
SHIFTS = (-1, 0, 1)
"""Half cells by which a map is moved, each way."""


def _conv(a: int, b: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(a, b, size, stride, size // 2, bias=False), nn.BatchNorm2d(b))


class _Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.conv = _conv(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.relu(x + self.conv(x))


class Embedder(nn.Module):
    """Crops (n, 3, 144, 112) RGB 0..1 → maps (n, CHANNELS, 18, 14), each channel about standard normal."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 16, 2), nn.ReLU(), _conv(16, 32, 2), nn.ReLU(), _Residual(32), _conv(32, 80, 2), nn.ReLU(),
            _Residual(80), _conv(80, 80, size=1), nn.ReLU(), nn.Conv2d(80, CHANNELS, 1, bias=False),
        )  # fmt: skip
        self.norm = nn.BatchNorm2d(CHANNELS, affine=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        mean = x.mean(dim=(1, 2, 3), keepdim=True)
        spread = (x - mean).square().mean(dim=(1, 2, 3), keepdim=True).sqrt()
        return self.norm(self.body((x - mean) / (spread + 0.04)))


class Agreement(nn.Module):
    """The learned numbers of the comparison."""

    def __init__(self) -> None:
        super().__init__()
        self.rho = nn.Parameter(torch.full((CHANNELS,), 0.0))
        self.covered = nn.Parameter(torch.tensor(-1.5))
        self.factor = nn.Parameter(torch.tensor(-4.0))
        self.none = nn.Parameter(torch.tensor(3.0))

    def forward(self, maps: torch.Tensor, samples: torch.Tensor) -> torch.Tensor:
        """Logits (b, 1 + n) of "none of them" and of each of n faces, for maps (b, K, 18, 14) against samples'."""
        rho = torch.sigmoid(self.rho)
        known = 1 - rho**2
        fine = functional.interpolate(maps, scale_factor=2, mode="bilinear", align_corners=False)
        rows, columns = samples.shape[2] - 2, samples.shape[3] - 2
        g = samples[:, :, 1:-1, 1:-1].flatten(2)
        own = 0.5 * (rho**2 / known)[:, None]
        logits = []
        half = -0.5 * torch.log(known).sum()
        g_own = (own * g**2).sum(1)
        for dy in SHIFTS:
            for dx in SHIFTS:
                if dy and dx:
                    continue
                # Cell centres lie between the fine ones: the mean of two by two is the cell itself.
                part = fine[:, :, 2 + dy : 2 + dy + 2 * rows, 2 + dx : 2 + dx + 2 * columns]
                q = functional.avg_pool2d(part, 2).flatten(2)
                cross = torch.einsum("bkc,nkc->bnc", q * (rho / known)[:, None], g)
                said = half + cross - (own * q**2).sum(1)[:, None] - g_own[None]
                share = torch.sigmoid(self.covered)
                seen = functional.softplus(said + torch.log1p(-share) - torch.log(share))
                logits.append(seen.sum(2) + seen.shape[2] * torch.log(share))
        every = torch.stack(logits) * functional.softplus(self.factor)
        best = torch.logsumexp(every, dim=0) - torch.log(torch.tensor(float(len(logits))))
        return torch.cat([self.none.expand(len(maps), 1), best], dim=1)
