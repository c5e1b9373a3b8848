"""Solves for the network's projection: linear discriminant analysis over the cells of views of invented faces.

Two views of one card agree in a cell as two samples of one Gaussian quantity do, seen through noise: channel k of the
one predicts that of the other with a correlation rho_k (probabilistic linear discriminant analysis: Ioffe, ECCV 2006).
A quarter of a minute, `python -m companion.training decks --out models/decks`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from companion.training.decks import views
from companion.training.decks.invented import HELDOUT, Invented
from companion.training.networks import eights
from companion.vision.decks.crops import CROP, levelled
from companion.vision.reading.runtime import as_tensor

COVERED = 0.182426
"""The chance that a cell says nothing. Chosen by hand."""
FACTOR = 0.048587
"""What the cells' sum counts, as neighbours repeat each other. Chosen by hand."""


def solve(out: Path, decks: int = 40, faces: int = 8, times: int = 4, seed: int = 400_000) -> np.ndarray:
    """Write `decks.onnx` and `decks.json` into `out`; returns how well each kept channel of one view predicts that of
    another."""
    import torch
    from torch.nn import functional

    from companion.training.decks.net import CHANNELS, Embedder

    assert seed + decks < HELDOUT
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    net = Embedder()
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
    out.mkdir(parents=True, exist_ok=True)
    net.eval()
    torch.onnx.export(
        net, (torch.zeros(2, 3, CROP[1], CROP[0]),), str(out / "decks.onnx"), dynamo=False, opset_version=17,
        input_names=["crops"], output_names=["maps"], dynamic_axes={"crops": {0: "n"}, "maps": {0: "n"}},
    )  # fmt: skip
    eights.pooled(out / "decks.onnx")
    numbers = {"rho": rho.round(5).tolist(), "covered": COVERED, "factor": FACTOR}
    (out / "decks.json").write_text(json.dumps(numbers, indent=1) + "\n", "utf-8")
    return rho


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="companion.training decks", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the folder to write decks.onnx and decks.json into")
    given = parser.parse_args(argv)
    print("how well a channel predicts itself in another view:", *solve(given.out).round(2))
    return 0
