"""Solves for the network's projection: linear discriminant analysis over the cells of views of invented faces."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional

from companion.training.decks import views
from companion.training.decks.invented import Invented
from companion.training.decks.net import CHANNELS, Agreement, Embedder
from companion.vision.decks.crops import levelled
from companion.vision.reading.runtime import as_tensor


def solve(out: Path, decks: int = 60, faces: int = 10, times: int = 4, seed: int = 400_000) -> np.ndarray:
    """Write the starting weights; returns how well each kept channel of one view predicts that of another."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    net, agreement = Embedder(), Agreement()
    size = net.straight.weight[0].numel()
    total, within, mean, count = np.zeros((size, size)), np.zeros((size, size)), np.zeros(size), 0
    for number in range(decks):
        deck = Invented(seed + number)
        for code in rng.choice(deck.codes, faces, replace=False):
            face = deck.face(str(code))
            how = [views.SAMPLE, *[views.PLAIN] * (times - 1)]
            crops = np.stack([views.view(rng, face, one) for one in how])
            with torch.no_grad():
                bins = net.bins(torch.from_numpy(as_tensor(levelled(crops))))
                cells = functional.unfold(bins, 4, padding=1, stride=2).unflatten(2, (18, 14))[:, :, 1:-1, 1:-1]
            x = cells.flatten(2).permute(2, 0, 1).double().numpy()  # (cells, views, size)
            middle = x.mean(axis=1, keepdims=True)
            apart = (x - middle).reshape(-1, size)
            within += apart.T @ apart * times / (times - 1)
            every = x.reshape(-1, size)
            total += every.T @ every
            mean += every.sum(axis=0)
            count += len(every)
    mean /= count
    total = total / count - np.outer(mean, mean)
    within /= count
    ease = np.trace(total) / size * 2e-3 * np.eye(size)
    lower = np.linalg.inv(np.linalg.cholesky(total + ease))
    share, ways = np.linalg.eigh(lower @ (within + ease) @ lower.T)
    order = np.argsort(share)[:CHANNELS]
    project = ways[:, order].T @ lower
    rho = np.clip(1 - share[order], 0.02, 0.98)
    scale = 1 / np.sqrt(np.einsum("ki,ij,kj->k", project, total, project))
    project = project * scale[:, None]
    net.straight.weight.data = torch.from_numpy(project).float().reshape(net.straight.weight.shape)
    net.straight.bias.data = torch.from_numpy(-project @ mean).float()
    agreement.rho.data = torch.from_numpy(np.log(rho / (1 - rho))).float()
    out.mkdir(parents=True, exist_ok=True)
    torch.save({"net": net.state_dict(), "agreement": agreement.state_dict()}, out / "solved.pt")
    return rho
