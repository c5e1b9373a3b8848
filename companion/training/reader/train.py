"""Teaches one of the reader's networks: crops from a stream, a clock that sets the learning rate, averaged weights."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

import numpy as np

from companion.training.networks.schedule import learning_rate_share
from companion.training.reader.items import UNKNOWN
from companion.training.reader.stream import DRAWERS, Stream, load_pool

_REAL = {"index": ("index", "rank", "suit"), "face": ("whole", "label")}
"""The real crops of a pool and what is known of them, by kind of network."""


def _batch(pool: np.ndarray, rows: np.ndarray, rng: np.random.Generator | None):
    """Crops → RGB tensor 0..1; with `rng` the light and colours change a little once more."""
    import torch

    images = torch.from_numpy(np.ascontiguousarray(pool[rows][..., ::-1])).permute(0, 3, 1, 2).float().div_(255)
    if rng is not None:
        count = len(rows)
        gain = rng.normal(1, 0.12, (count, 1, 1, 1)) * rng.normal(1, 0.04, (count, 3, 1, 1))
        lift = rng.normal(0, 0.05, (count, 1, 1, 1))
        images = images * torch.from_numpy(gain).float() + torch.from_numpy(lift).float()
        images = images.clamp_(0, 1)
    return images


def fit(kind: str, drawn: int, minutes: float, out: Path, *, threads: int, workers: int = 1, seed: int = 0,
        start: Path | None = None, rate: float = 3e-3, extra: Sequence[Path] = (), progress: float = 0.0,
        only: str | None = None) -> dict[str, float]:  # fmt: skip
    """Train a network (`FILES`) for `minutes` on crops that `workers` processes draw meanwhile; writes `out` (.onnx).

    Its weights lie beside it (.pt, not shipped). `extra`: pool parts with real crops, one in sixteen of a batch.
    `progress` 0..1 starts the schedule there. `only`: the one layer that learns, all else stays as it is.
    """
    import torch

    from companion.training.reader.net import NETS

    real = load_pool(extra) if extra and kind in _REAL else None
    rng = np.random.default_rng(seed)
    stream = torch.utils.data.DataLoader(
        Stream(drawn, seed, DRAWERS[kind]), batch_size=None, num_workers=workers, prefetch_factor=6
    )
    begun = time.time()

    def batches():
        for images, *goals in stream:
            done = progress + (1 - progress) * (time.time() - begun) / (60 * minutes)
            if real is not None:
                picture, *labels = _REAL[kind]
                share = len(images) // 16
                rows = rng.integers(0, len(real[picture]), share)
                images[:share] = torch.from_numpy(real[picture][rows])
                for goal, label in zip_longest(goals, labels):  # the letters of real cards are not known
                    goal[:share] = UNKNOWN if label is None else torch.from_numpy(real[label][rows].astype(np.int64))
            yield done, _batch(images.numpy(), np.arange(len(images)), rng), goals
            if done >= 1:
                return

    judge = torch.nn.SmoothL1Loss(beta=0.02) if kind == "aim" else None
    facts = _fit(kind, NETS[kind](), batches(), out, threads, start, rate, judge, only)
    return {"minutes": minutes, **facts}


def _fit(kind: str, net, batches, out: Path, threads: int, start: Path | None, rate: float,
         judge=None, only: str | None = None) -> dict[str, float]:  # fmt: skip
    """One network through its batches (share done 0..1, images, goals per output); a clock sets the learning rate."""
    import torch
    from torch import nn

    from companion.training.reader.net import export

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    if start is not None:
        net.load_state_dict(torch.load(start))
    learning = net if only is None else net.get_submodule(only)
    net.requires_grad_(False)
    learning.requires_grad_(True)
    optimizer = torch.optim.AdamW(learning.parameters(), lr=rate, weight_decay=0.02)
    judge = judge or nn.CrossEntropyLoss(ignore_index=-1)
    average = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998),
                                                  use_buffers=True)  # fmt: skip
    began, running, seen, saved = time.time(), 0.0, 0, time.time()
    for step, (done, images, goals) in enumerate(batches):
        for group in optimizer.param_groups:
            group["lr"] = rate * learning_rate_share(done) * min(1.0, 0.05 + step / 150)
        net.eval()
        learning.train()
        with torch.autocast("cpu", torch.bfloat16):
            outputs = net(images)
        loss = torch.stack([judge(o.float(), goal) for o, goal in zip(outputs, goals, strict=True)]).sum()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(learning.parameters(), 2.0)
        optimizer.step()
        average.update_parameters(net)
        seen += len(images)
        running = 0.98 * running + 0.02 * loss.item() if step else loss.item()
        if step % 100 == 99:
            print(f"{kind} {done:.3f} loss {running:.4f} {seen / (time.time() - began):.0f} crops/s", flush=True)
        if time.time() - saved > 240:
            saved = time.time()
            torch.save(average.module.state_dict(), out.with_suffix(".pt"))
    torch.save(average.module.state_dict(), out.with_suffix(".pt"))
    export(average.module, out)
    return {"crops seen": seen, "seconds": round(time.time() - began), "loss": round(running, 4)}
