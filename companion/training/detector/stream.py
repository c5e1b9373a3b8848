"""Trains the detector on a GPU while the processor's cores compose what it sees: `detector stream`.

The pictures lie on the GPU and are moved, turned and coloured there (`augmented`), so that nothing waits for a data
loader. Loss and rate over the clock are those of `train`; the head computes in 32 bits, all else in bfloat16.
Needs torch and ultralytics to import.
"""

from __future__ import annotations

import copy
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from companion.training.detector.composing import LOT, SIDE
from companion.training.detector.network import quiet_environment
from companion.training.networks import lots
from companion.training.networks.pool import Pool
from companion.training.networks.schedule import learning_rate_share

BLANK = 114 / 255
ZOOM, SHIFT, TURNED = 0.12, 0.06, 0.3
LEAST_PX, LEAST_SHARE, LEAST_INDEX = 4.0, 0.25, 0.85
"""What is left of a thing that is moved out of the picture: it is asked for from here on."""
INDEX = 2


def moved(labels: Tensor, zoom: Tensor, turns: Tensor, shift: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Labels of pictures that are turned by quarters, grown and shifted (px) about the middle.

    Returns boxes (n, `MOST`, 4; x0, y0, x1, y1, px), corners (n, `MOST`, 4, 3; x, y, seen) and which are asked for.
    """
    kinds, corners = labels[..., 0], labels[..., 1:].unflatten(-1, (4, 3))
    c, s = _quarters(turns)
    half = SIDE / 2

    def there(points: Tensor) -> Tensor:
        x, y = (points - half).unbind(-1)
        c_, s_, z, d = (v.reshape(-1, *(1,) * (x.dim() - 1)) for v in (c, s, zoom, shift[:, 0]))
        e = shift[:, 1].reshape(d.shape)
        return torch.stack([(c_ * x - s_ * y) * z + half + d, (s_ * x + c_ * y) * z + half + e], -1)

    quads = there(corners[..., :2])
    seen = (corners[..., 2] > 0) & ((quads >= 0) & (quads <= SIDE)).all(-1)
    frame = there(torch.tensor([[0.0, 0.0], [SIDE, SIDE]], device=labels.device).expand(len(labels), 2, 2))
    low, high = frame.amin(1)[:, None], frame.amax(1)[:, None]
    before = torch.cat([quads.amin(2).maximum(low), quads.amax(2).minimum(high)], -1)
    boxes = before.clamp(0, SIDE)
    size, old = boxes[..., 2:] - boxes[..., :2], before[..., 2:] - before[..., :2]
    share = size.clamp_min(0).prod(-1) / old.prod(-1).clamp_min(1e-6)
    least = torch.where(kinds == INDEX, LEAST_INDEX, LEAST_SHARE)
    asked = (kinds >= 0) & (size > LEAST_PX).all(-1) & (share > least)
    return boxes, torch.cat([quads * seen[..., None], seen[..., None]], -1), asked


def _quarters(turns: Tensor) -> tuple[Tensor, Tensor]:
    """Cosine and sine of so many quarter turns."""
    return (turns == 0).float() - (turns == 2).float(), (turns == 1).float() - (turns == 3).float()


def augmented(pictures: Tensor, labels: Tensor) -> dict[str, Tensor]:
    """A batch for the loss: pictures (n, 3, `SIDE`, `SIDE`) as floats 0..1, each moved and coloured, and its labels."""
    n, device = len(pictures), pictures.device
    zoom = 1 + (torch.rand(n, device=device) * 2 - 1) * ZOOM
    shift = (torch.rand(n, 2, device=device) * 2 - 1) * SHIFT * SIDE
    turns = torch.randint(1, 4, (n,), device=device) * (torch.rand(n, device=device) < TURNED)
    c, s = _quarters(turns)
    d, e = (shift / (SIDE / 2)).unbind(1)
    back = torch.stack([torch.stack([c, s, -(c * d + s * e)], 1), torch.stack([-s, c, s * d - c * e], 1)], 1)
    grid = nn.functional.affine_grid(back / zoom[:, None, None], [n, 3, SIDE, SIDE], align_corners=False)
    seen = nn.functional.grid_sample(pictures.float() / 255 - BLANK, grid, align_corners=False) + BLANK
    grey = seen.mean(1, keepdim=True)
    gain = (
        1
        + (torch.rand(n, 3, 3, 1, 1, device=device) * 2 - 1)
        * torch.tensor([0.25, 0.4, 0.03], device=device)[:, None, None, None]
    )
    seen = (grey + (seen - grey) * gain[:, 1, :1]) * gain[:, 0, :1] * gain[:, 2]
    boxes, corners, asked = moved(labels, zoom, turns, shift)
    index = asked.nonzero(as_tuple=True)
    box = boxes[index] / SIDE
    return {
        "img": seen.clamp(0, 1),
        "batch_idx": index[0].float(),
        "cls": labels[..., 0][index][:, None],
        "bboxes": torch.cat([(box[:, :2] + box[:, 2:]) / 2, box[:, 2:] - box[:, :2]], 1),
        "keypoints": corners[index] / torch.tensor([SIDE, SIDE, 1.0], device=device),
    }


@dataclass(frozen=True, slots=True)
class Course:
    """How long and how fast it learns: as `detector train` has it."""

    minutes: float
    progress: float
    top: float
    batch: int
    sigma: float
    room: int
    """So many pictures are kept to learn from, 0.31 MB each."""
    least: int
    """So many must be there before it begins."""


class Student:
    """A network with its loss, its optimizer and the average of its weights (`average`)."""

    def __init__(self, net: nn.Module, course: Course, device: torch.device) -> None:
        from ultralytics.cfg import get_cfg
        from ultralytics.utils.torch_utils import ModelEMA

        from companion.training.detector.loss import CardLoss

        self.net, self.device = net.to(device).train(), device
        net.args, net.kpt_oks_sigmas = get_cfg(), (course.sigma,) * 4
        for one in net.parameters():
            one.requires_grad_(True)
        net.get_submodule("model.23.dfl").requires_grad_(False)
        if device.type == "cuda":
            net.to(memory_format=torch.channels_last)
        self.loss = CardLoss(net)
        norms = {id(p) for m in net.modules() if isinstance(m, nn.BatchNorm2d) for p in m.parameters()}
        learned = [(name, p) for name, p in net.named_parameters() if p.requires_grad]
        plain = [p for name, p in learned if id(p) in norms or name.endswith("bias")]
        decayed = [p for name, p in learned if not (id(p) in norms or name.endswith("bias"))]
        self.optimizer = torch.optim.AdamW(
            [{"params": decayed, "weight_decay": 0.005}, {"params": plain, "weight_decay": 0.0}],
            lr=course.top, fused=device.type == "cuda",
        )  # fmt: skip
        self.average = ModelEMA(net, decay=0.9995, tau=300)
        head = net.get_submodule("model.23")
        forward = head.forward

        def exact(x: list[Tensor]) -> Any:
            with torch.autocast(device.type, enabled=False):
                return forward([one.float() for one in x])

        self.net.model[-1].forward = exact  # corners need more than eight bits

    def learn(self, batch: dict[str, Tensor], rate: float) -> Tensor:
        """One step on a batch at this rate; returns the parts of the loss: box, corners, their presence, class, dfl."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        with torch.autocast("cuda", torch.bfloat16, enabled=self.device.type == "cuda"):
            answer = self.net(batch["img"].to(memory_format=torch.channels_last))
        parts, _ = self.loss(answer, batch)
        (parts.sum() / len(batch["img"])).backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.average.update(self.net)
        return parts.detach() / len(batch["img"])

    def save(self, path: Path) -> None:
        """Write the average as weights that `export`, `blend` and `train --weights` take."""
        from ultralytics import __version__

        net = copy.deepcopy(self.average.ema)
        net = net.to("cpu", memory_format=torch.contiguous_format).half()
        net.args = {}
        scratch = path.with_suffix(".part")
        torch.save({"epoch": -1, "model": net, "train_args": {}, "version": __version__}, scratch)
        scratch.replace(path)


def revived(onnx: Path, folder: Path, out: Path, count: int = 128) -> nn.Module:
    """The network of `onnx`, its normalisation measured on the first pictures that are composed; waits for them."""
    from companion.training.detector.revive import revive_detector

    while len(ready := lots.ready(folder)) * LOT < count:
        time.sleep(0.1)
    first = [lots.read(lot)["pictures"].transpose(0, 2, 3, 1) for lot in ready[: -(-count // LOT)]]
    return revive_detector(onnx, first, out / "start.pt")


def stream(net: nn.Module, folder: Path, out: Path, course: Course) -> Path:
    """Train `net` on what lies in `folder` and what is composed meanwhile; returns the last weights, below `out`.

    A snapshot is kept every minute.
    """
    quiet_environment()
    out.mkdir(parents=True, exist_ok=True)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    torch.manual_seed(7)
    pool, student = Pool(course.room, device), Student(net, course, device)
    end = pool.filling(folder, course.least)
    begun = said = saved = time.time()
    steps, sums = 0, torch.zeros(5, device=device)
    while (passed := time.time() - begun) < course.minutes * 60:
        done = course.progress + (1 - course.progress) * passed / (course.minutes * 60)
        rate = course.top * learning_rate_share(done) * min(1.0, 0.05 + passed / (course.minutes * 3))
        sums += student.learn(augmented(**pool.rows(course.batch)), rate)
        steps += 1
        if time.time() - said > 10:
            parts, mean = [round(v, 4) for v in (sums / steps).tolist()], float(sums.sum() / steps)
            if not math.isfinite(mean):
                raise FloatingPointError("the loss is no number any more")
            told = f"{passed:.0f} s: {steps} steps, {pool.seen} pictures so far, rate {rate:.5f}"
            print(f"{told}, loss {mean:.4f} {parts}", flush=True)
            said, steps, sums = time.time(), 0, torch.zeros(5, device=device)
        if time.time() - saved > 60:
            saved = time.time()
            student.save(out / "snapshot.pt")
    end()
    student.save(out / "last.pt")
    return out / "last.pt"
