"""Trains the index network on a GPU while the processor's cores draw what it sees: `reader stream`.

The crops lie on the GPU and are moved, coloured and blurred there (`augmented`). Loss and rate over the clock are those
of `train`. Needs torch to import.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from companion.training.networks.pool import Pool
from companion.training.networks.schedule import learning_rate_share
from companion.training.reader.items import UNKNOWN
from companion.training.reader.net import IndexNet

GOALS = ("rank", "suit", "letter")
ZOOM, LEAN, SHIFT = 0.05, 0.05, 0.03
"""Standard deviations of what moves a crop: growth by axis, turn (radians), shift (share of the crop)."""
REAL = 1 / 16
"""Share of a batch that crops of photographs make, where there are such."""


@dataclass(frozen=True, slots=True)
class Course:
    """How long and how fast it learns."""

    minutes: float
    progress: float = 0.25
    rate: float = 3e-3
    batch: int = 2048
    room: int = 6_000_000
    """So many crops are kept to learn from, 9.2 kB each."""
    least: int = 60_000
    """So many must be there before it begins."""


def augmented(crops: Tensor) -> Tensor:
    """Crops (n, h, w, 3; BGR, uint8) → (n, 3, h, w; RGB, 0..1), a little moved, lit, coloured, blurred, noisy."""
    n, device = len(crops), crops.device

    def normal(deviation: float, *shape: int) -> Tensor:
        return torch.randn(n, *shape, device=device) * deviation

    images = crops.permute(0, 3, 1, 2).flip(1).float() / 255
    high, wide = images.shape[2:]
    grow, lean = torch.exp(normal(ZOOM, 2)), normal(LEAN, 1)
    c, s, ratio = torch.cos(lean), torch.sin(lean), high / wide
    shift = normal(2 * SHIFT, 2)
    across = torch.cat([c * grow[:, :1], -s * ratio * grow[:, 1:], shift[:, :1]], 1)
    down = torch.cat([s / ratio * grow[:, :1], c * grow[:, 1:], shift[:, 1:]], 1)
    grid = nn.functional.affine_grid(torch.stack([across, down], 1), list(images.shape), align_corners=False)
    images = nn.functional.grid_sample(images, grid, padding_mode="border", align_corners=False)
    soft = nn.functional.avg_pool2d(nn.functional.pad(images, (1, 1, 1, 1), mode="replicate"), 3, 1)
    share = torch.rand(n, 1, 1, 1, device=device) * (torch.rand(n, 1, 1, 1, device=device) < 0.3)
    images = images + (soft - images) * share
    gain = (1 + normal(0.12, 1, 1, 1)) * (1 + normal(0.04, 3, 1, 1))
    images = images * gain + normal(0.05, 1, 1, 1)
    return (images + torch.randn_like(images) * normal(0.012, 1, 1, 1).abs()).clamp(0, 1)


class Student:
    """The network with its optimizer and the average of its weights (`average`)."""

    def __init__(self, start: Path | None, course: Course, device: torch.device) -> None:
        self.net, self.device = IndexNet(), device
        if start is not None:
            self.net.load_state_dict(torch.load(start))
        self.net = self.net.to(device, memory_format=torch.channels_last).train()
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), lr=course.rate, weight_decay=0.02, fused=device.type == "cuda"
        )
        self.average = torch.optim.swa_utils.AveragedModel(
            self.net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9995), use_buffers=True
        )
        self.judge = nn.CrossEntropyLoss(ignore_index=UNKNOWN)

    def learn(self, batch: Mapping[str, Tensor], rate: float) -> Tensor:
        """One step on a batch at this rate; returns the losses of rank, suit and letter."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        images = augmented(batch["crop"]).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cuda", torch.bfloat16, enabled=self.device.type == "cuda"):
            answers = self.net(images)
        losses = torch.stack([self.judge(a.float(), batch[goal]) for a, goal in zip(answers, GOALS, strict=True)])
        self.optimizer.zero_grad(set_to_none=True)
        losses.sum().backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.optimizer.step()
        self.average.update_parameters(self.net)
        return losses.detach()

    def save(self, path: Path) -> None:
        """Write the average as weights that `reader export` and `blend` take."""
        scratch = path.with_suffix(".part")
        torch.save({key: value.cpu().contiguous() for key, value in self.average.module.state_dict().items()}, scratch)
        scratch.replace(path)


class Photographs:
    """Crops of photographs (`reader photos`) among those that are drawn; their letters are not known."""

    def __init__(self, pool: Mapping[str, np.ndarray], device: torch.device) -> None:
        self.crops = torch.from_numpy(pool["index"]).to(device)
        self.goals = {key: torch.from_numpy(pool[key].astype(np.int64)).to(device) for key in ("rank", "suit")}

    def among(self, batch: dict[str, Tensor]) -> dict[str, Tensor]:
        """The batch with some rows of photographs in place of its first."""
        count = int(len(batch["crop"]) * REAL)
        rows = torch.randint(len(self.crops), (count,), device=self.crops.device)
        batch["crop"][:count] = self.crops[rows]
        batch["letter"][:count] = UNKNOWN
        for key, goal in self.goals.items():
            batch[key][:count] = goal[rows]
        return batch


def stream(start: Path | None, folder: Path, out: Path, course: Course,
           photographs: Mapping[str, np.ndarray] | None = None) -> Path:  # fmt: skip
    """Train on the lots in `folder` and those drawn meanwhile; writes `out` (.pt), also every minute."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    torch.manual_seed(7)
    pool, student = Pool(course.room, device), Student(start, course, device)
    real = Photographs(photographs, device) if photographs is not None else None
    end = pool.filling(folder, course.least)
    begun = said = saved = time.time()
    steps, sums = 0, torch.zeros(len(GOALS), device=device)
    while (passed := time.time() - begun) < course.minutes * 60:
        batch = pool.rows(course.batch)
        done = course.progress + (1 - course.progress) * passed / (course.minutes * 60)
        rate = course.rate * learning_rate_share(done) * min(1.0, 0.05 + passed / (course.minutes * 3))
        sums += student.learn(real.among(batch) if real else batch, rate)
        steps += 1
        if time.time() - said > 10:
            parts = (sums / steps).tolist()
            if not math.isfinite(sum(parts)):
                raise FloatingPointError("the loss is no number any more")
            told = ", ".join(f"{goal} {part:.4f}" for goal, part in zip(GOALS, parts, strict=True))
            print(f"{passed:.0f} s: {steps} steps, {pool.seen} crops so far, rate {rate:.5f}, loss: {told}", flush=True)
            said, steps, sums = time.time(), 0, torch.zeros(len(GOALS), device=device)
        if time.time() - saved > 60:
            saved = time.time()
            student.save(out)
    end()
    student.save(out)
    return out
